"""Reports on a lowered program: measured profiles, predicted costs, structure, temporaries and kernels.

Imports `ir`, `dialects`, `passes` and `lowering`. Reading order: `executed_work`, `profiles`,
`costs`, `structure`, `stored_temporaries`.
"""
