"""The user's interface: traced functions, the functions on tensors, transformations, `jit`, `lower` and lazy tensors.

Imports everything below: `ir`, `dialects`, `passes`, `lowering`, `runtime`. Reading order: `tracing/`, `functions/`, `traced`
(a Python function as a graph), `jit`, `lowered` (the result of `sw.lower`), `lazy` (tensors outside of jitted functions),
`public`, `transforms/`, `rules` (users' rewrite rules and hooks), `api` (the attributes of `stepwell`).
"""
