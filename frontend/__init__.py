"""How programs enter: traced functions, the functions on tensors, transformations, `jit`, `lower` and lazy tensors.

Imports everything below: `ir`, `dialects`, `passes`, `lowering`, `runtime`. Reading order: `tracing/`, `functions/`, `traced`
(a Python function as a graph), `jit`, `lowered` (what `sw.lower` gives), `lazy` (tensors outside of jitted functions),
`public`, `transforms/`, `rules` (rewrite rules and hooks of users), `api` (what `import stepwell` offers).
"""
