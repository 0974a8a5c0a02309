"""`stepwell coverage`: the table of all operations that run, by dtype and target.

Reading order: `command`, `case`, `functions`, `images`, `micro_ops`, `gradients`, `reference`.
"""
