"""Loop fusion: inlining of producers into consumers, fusion of nests that share data, fused tiling of chains of contractions.

Reading order: `legality` (which loops of two nests may fuse, and when fusion pays), `loop_inline`, `epilogues`, `loop_fuse`,
`loop_tile_and_fuse`.
"""
