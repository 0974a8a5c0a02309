"""graph -> uop: each graph operation expands into micro-ops.

Reading order: `base` (the function that each rule extends), `contract`, `index`, `shape` (the rules by topic),
`lower_graph_to_uop`.
"""
