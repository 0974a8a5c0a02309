"""Attention on GPUs: kernels that never store scores, found by what blocks compute, forward and in gradients.

Reading order: `attention` and `masks` (what blocks compute), `loop_fuse_attention`, `recomputation` (what gradients read),
`loop_recompute_weights`.
"""
