"""Passes that change where data lies and when it moves: forwarding, buffer contraction, aliasing, padding, packing,
prefetching.

Reading order: `loop_forward`, `loop_shrink`, `loop_donate`, `loop_pad` with `interleaved`, `loop_transpose`, `loop_prefetch`
with `walks` (access streams) and `prefetch_ahead`.
"""
