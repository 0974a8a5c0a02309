"""Function transformations: gradients, vector-Jacobian and Jacobian-vector products, custom rules, checkpointing, batching,
scans and folds.

Imports `tracing`, `functions` and the modules of `frontend` itself (`jit`, `lazy`). Reading order: `gradients`, `linear`,
`custom_vjp`, `checkpoint`, `vmap`, `scans` (`sw.scan`), `folds` (`sw.reduce`, `sw.associative_scan`).
"""
