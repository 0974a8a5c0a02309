"""Attention on GPUs: kernels that never store scores. Attention and its gradients are recognised by the loops of blocks.

Reading order: `attention` and `masks` (recognition), `loop_fuse_attention`, `recomputation` (recognition of gradients),
`loop_recompute_weights`.
"""
