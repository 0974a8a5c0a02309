"""`stepwell coverage`: the table of everything that runs, on every dtype and target.

Reading order: `command`, `case`, `functions`, `images`, `micro_ops`, `gradients`, `reference`.
"""
