"""Function transformations: gradients, vector-Jacobian and Jacobian-vector products, custom rules, checkpointing, batching.

Imports `tracing`, `functions` and the modules of `frontend` itself (`jit`, `lazy`). Reading order: `gradients`, `linear`,
`custom_vjp`, `checkpoint`, `vmap`.
"""
