"""Shared by all levels: index expressions, shapes, dtypes, the scalar-function table, locations, diagnostics, rewriting."""
