"""Passes that change the shape of loops: collapse, splitting, unroll-and-jam, code motion. `passes/loop/interchange/` changes
the order of loops.

Reading order: `loop_simplify`, `loop_collapse`, `loop_split_*`, `loop_unroll_and_jam*`, `full_unroll` with its users,
`loop_invariant_code_motion*` (loop-invariant code motion).
"""
