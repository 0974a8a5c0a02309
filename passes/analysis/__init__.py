"""Analyses of programs for the passes. None of them changes the IR.

Imports `ir` and `dialects`. Reading order: `loop_nests` (loops as a tree, accesses as comparable index expressions),
`dependence`, `producers`, `strides`, `reductions`, `contractions`, `equivalence` (value numbering of two loops), `value_ranges`
and `recomputation` (on micro-ops).
"""
