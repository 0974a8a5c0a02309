"""`stepwell fuzz`: random programs on all levels and targets against the oracle.

Reading order: `command`, `random_programs` and the other generators `random_*`, `oracle`, `gradients` with `gradient_check`,
`shrink`, `sanitizers`. For speed: `everyday_programs`, `speed`.
"""
