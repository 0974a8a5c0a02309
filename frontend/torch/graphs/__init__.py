"""Graphs of torch: their sizes, strides and source positions, and their division into programs of Stepwell and parts for eager.

Reading order: `symbols` (sizes), `layouts` (strides), `locations`, `program` (operations as a function on traced tensors),
`effects`, `random_draws`, `repeats` (layers), `partitions` (operations left to eager).
"""
