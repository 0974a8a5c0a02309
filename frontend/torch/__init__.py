"""`torch.compile(model, backend="stepwell")`: graphs of torch as programs of Stepwell.

AOTAutograd gives forward and backward graphs of ATen operations. Reading order: `rows/` (each operation is one row that names
the library's function for it), `graphs/` (the parts of a graph that become programs), `interpolation` and `recurrent` (torch's
layers as one operation), `decompositions`, `report`, `boundary` (tensors as arrays), `compiled` (a graph that runs), `backend`,
`explain`, `conversion` (`from_torch` and `to_torch`), `public` (the names of `stepwell.torch`).
"""
