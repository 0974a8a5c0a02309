"""Passes that change the order and shape of loops: interchange, collapse, splitting, unroll-and-jam, code motion.

Reading order: `loop_simplify`, `loop_collapse`, `loop_interchange` (with `parallel_nests`, `reduction_nests`, `blocks_of_rows`
and `updated_rows`), `loop_split_*`, `loop_unroll_and_jam*`, `full_unroll` with its users, `loop_invariant_code_motion*`
(loop-invariant code motion).
"""
