"""Functions of a module: the entry, the integer parameters that it takes, its multiversioned copies.

Imports `ir/index`, `ir/types`, `ir/scalars` and diagnostics. Reading order: `entry`, `versions`, `substitution`.
"""
