"""What a lowered program says about itself: measured profiles, predicted costs, and the temporaries that it stores.

Imports `ir`, `dialects`, `passes` and `lowering`. Reading order: `profiles`, `costs`, `stored_temporaries`.
"""
