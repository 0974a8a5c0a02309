"""Passes that change where data lies and when it moves: forwarding, buffer contraction, aliasing, padding, packing,
prefetching.

Reading order: `loop_scalar_replacement`, `loop_contract_buffers`, `loop_alias_donated`, `loop_pad` with `interleaved`,
`loop_tile_transposes`, `loop_prefetch` with `walks` (access streams) and `prefetch_ahead`.
"""
