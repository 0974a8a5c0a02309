"""The scalar functions: one row each with everything that any level needs to know about it.

Imports `ir/types` and diagnostics. Reading order: `oracles` (NumPy implementations), `table` (the rows), `attributes` (numbers
as attributes and back).
"""
