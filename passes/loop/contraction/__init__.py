"""Contractions: one schedule of tiling, packing and register blocking for matmul, einsum and convolution.

Reading order: `tile_builder` (the register tile), `tuned_sizes`, `loop_tile_contractions`; for overlapping windows
`padded_copy`, `window_tiles`, `pixel_tiles`, `sliding_rows`, `loop_tile_convolutions`.
"""
