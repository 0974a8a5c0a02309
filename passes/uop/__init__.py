"""Passes on micro-ops: automatic differentiation, batching, splitting of convolutions, specialisation to known sizes.

Imports `passes/manager` and `passes/analysis`. Reading order: `builder` (inserts micro-ops), `autodiff/`, `vmap`, the passes
`uop_*`, `specialize_sizes` with `short_axes`.
"""
