"""loop -> cloop: loops over buffers become C constructs on pointers.

Reading order: `values` (scalars and vectors), `indices`, `guards`, `strides`, `lanes`, `memory` and `registers` (accesses),
`iterate`, `temporaries`, `lower_loop_to_cloop`.
"""
