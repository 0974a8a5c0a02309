"""`torch.compile(model, backend="stepwell")`: graphs of torch as programs of Stepwell.

AOTAutograd gives forward and backward graphs of ATen operations. Reading order: `rows/` (each operation is one row that names
the library's function for it), `decompositions`, `symbols` (sizes), `layouts` (strides), `locations`, `program` (operations as
a function on traced tensors), `random_draws`, `partitions` (operations left to eager), `report`, `compiled` (a graph that
runs), `backend`, `explain`, `conversion` (`from_torch` and `to_torch`), `public` (the names of `stepwell.torch`).
"""
