"""Element types, shapes and index maps: the attributes that tensors and buffers carry.

Imports `ir/index` and diagnostics. Reading order: `dtypes`, `shapes` (shapes and index maps as attributes), `overflow` (sizes
and indices must fit 64 bits), `inverse_maps` (for an element that is read, the indices that read it).
"""
