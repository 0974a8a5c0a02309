"""Reverse-mode automatic differentiation: gradients in terms of other micro-ops.

Imports `passes/uop`. Reading order: `base` (the function that each rule extends), one file of rules per kind of micro-op
(`one_hot`, `maps`, `reductions`, `scans`, `scatters`, `iterate`, `bodies`, `functions`, `products`), `pullback` (the reverse
sweep), `split_steps` and `deferred_sums` (gradients of iterated functions), `uop_grad` (the pass).
"""
