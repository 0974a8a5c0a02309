"""Passes on micro-ops: automatic differentiation, batching, splitting of convolutions, specialization to known sizes.

Imports `passes/manager` and `passes/analysis`. Reading order: `builder` (makes micro-ops), `autodiff/`, `vmap`, the passes
`uop_*`, `specialize_sizes` with `short_axes`.
"""
