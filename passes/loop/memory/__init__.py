"""Passes that change where data is stored and when it moves: store-to-load forwarding, buffer contraction, aliasing, padding,
prefetch.

Reading order: `loop_scalar_replacement`, `loop_contract_buffers`, `loop_alias_donated`, `loop_pad` with `interleaved`,
`loop_tile_transposes`, `loop_prefetch` with `access_streams` and `prefetch_streams`.
"""
