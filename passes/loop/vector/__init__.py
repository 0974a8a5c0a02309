"""Vectorisation of innermost loops over contiguous memory, reductions, searches and scans; FMA contraction.

Reading order: `reductions`, `searches`, `short_rows`, `loop_vectorize`, `loop_vectorize_scans`, `loop_fma_contraction`.
"""
