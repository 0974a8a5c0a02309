"""Elementary functions on vectors in C: no branches, no tables, within the error bounds of the scalar table.

Reading order: `elementary`, `angles`, `power`.
"""
