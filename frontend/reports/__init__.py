"""What a lowered program says about itself: measured profiles, predicted costs, its structure and temporaries, its kernels.

Imports `ir`, `dialects`, `passes` and `lowering`. Reading order: `executed_work`, `profiles`,
`costs`, `structure`, `stored_temporaries`.
"""
