"""loop -> tile: each block of loops becomes a GPU kernel on tiles, and the function a launch plan.

Reading order: `tile_builder`, `kernel`, `outer_loops`, `lanes`, `products`, `inline_loop_calls`, `lower_loop_to_tile`.
"""
