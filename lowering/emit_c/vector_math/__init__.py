"""Elementary functions on vectors in C: branch-free, without tables in memory, within the error bounds of the scalar table.

Reading order: `elementary`, `angles`, `power`.
"""
