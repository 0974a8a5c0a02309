"""Function transformations: gradients, vector-Jacobian and Jacobian-vector products, custom rules, checkpointing, batching,
scans and folds.

Imports `tracing`, `functions` and the modules of `frontend` itself (`jit`, `lazy`). Reading order: `derived` and
`variables`, which the others share; then in any order `gradients`, `linear`, `checkpoint`, `vmap`, `scans` (`sw.scan`),
`custom_vjp` with `folds` (`sw.reduce`, `sw.associative_scan`), and last `torch_autograd`.
"""
