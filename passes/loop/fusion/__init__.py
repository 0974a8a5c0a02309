"""Fusion: producers are inlined into consumers, nests that share data share loops, chains of contractions are tiled together.

Reading order: `legality` (which loops of two nests may fuse, and when it pays), `loop_inline`, `epilogues`, `loop_fuse`,
`loop_tile_and_fuse`.
"""
