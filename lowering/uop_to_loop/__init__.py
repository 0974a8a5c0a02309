"""uop -> loop: each micro-op becomes a block of loops over buffers.

Reading order: `nest_builder`, `lower_uop_to_loop`.
"""
