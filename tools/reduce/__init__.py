"""`stepwell reduce` and `stepwell bisect`: the smallest program that shows a fault, and the pass and the rewrite that cause it.

Reading order: `skipping` (pipelines without some passes), `outcomes` (right and wrong results), `reducer` (smaller programs),
`command`, `bisect`.
"""
