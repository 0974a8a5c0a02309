"""The user's interface: traced functions, the functions on tensors, transformations, `jit`, `lower` and lazy tensors.

Imports everything below: `ir`, `dialects`, `passes`, `lowering`, `runtime`. Reading order: `tracing/`, `functions/`,
`reports/`, `calls/` (arguments and traced graphs), `lowered/` (the result of `sw.lower`), `jit`, `lazy` (tensors outside of
jitted functions), `public`, `procedures`, `export`, `transforms/`, `rules` (users' rewrite rules and hooks), `api` (the
attributes of `stepwell`).
"""
