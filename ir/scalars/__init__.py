"""The scalar functions: one row each, with all properties that any level needs.

Imports `ir/types` and diagnostics. Reading order: `function` (what a row is), `arithmetic`, `elementary`, `logic` (the rows),
`oracles` (NumPy implementations), `table` (the rows by name), `attributes` (numbers as attributes and back).
"""
