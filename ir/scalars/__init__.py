"""The scalar functions: one row each, with all properties that any level needs.

Imports `ir/types` and diagnostics. Reading order: `oracles` (NumPy implementations), `table` (the rows), `attributes` (numbers
as attributes and back).
"""
