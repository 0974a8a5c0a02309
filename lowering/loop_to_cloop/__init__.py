"""loop -> cloop: loops over buffers become C constructs on pointers.

Reading order: `values` (scalars and vectors of lanes), `indices`, `guards`, `strides`, `lanes`, `memory` and `registers`
(accesses), `unrolling`, `threads` (which loops get threads), `iterate`, `handed_memory`, `lower_loop_to_cloop`.
"""
