"""What every level shares: index expressions, shapes, dtypes, the scalar-function table, locations, diagnostics, rewriting."""
