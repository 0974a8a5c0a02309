"""From Python to graph operations: traced tensors, sizes known only at run time, and the tracer that appends operations.

Imports `ir` and `dialects`. Reading order: `sizes`, `source` (the user's line), `trees` (nested arguments), `specs`, `tensor`,
`tracer`, `grad_mode`, `public_names` (every public function, with the module that defines it), `bypasses` (other functions in
place of the library's).
"""
