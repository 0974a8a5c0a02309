"""Analyses of programs for the passes. None of them changes the IR.

Imports `ir` and `dialects`. Reading order: `loop_nests` (loops as a tree, accesses as comparable index expressions),
`dependence`, `producers`, `strides`, `windows`, `reductions`, `contractions`, `equivalence` (value numbering of two loops),
`value_ranges` and `recomputation` (on micro-ops). Costs: `cost` (cache lines by loop order, for passes); `footprints`,
`sized_nests` and `execution_cost` (bytes, arithmetic and time of scheduled loops, for people).
"""
