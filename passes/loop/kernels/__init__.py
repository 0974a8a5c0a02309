"""Schedules of GPU kernels: which loops of a block programs share, and which become lanes of tiles.

Reading order: `patterns` (what loops compute), `products` (sums of products), `tiling`, `product_tiles` and `schedules` (the
choice for a block), `loop_map_to_tiles` (the pass, which also makes versions of a block for ranges of sizes).
"""
