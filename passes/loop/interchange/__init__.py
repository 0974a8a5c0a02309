"""Loop interchange: parallel loops with contiguous accesses move inside reductions, other parallel loops, and loops that update
elements at indices that are data.

Reading order: `parallel_nests`, `reduction_nests`, `loop_permute`, `blocks_of_rows`, `updated_rows`, `loop_interchange`.
"""
