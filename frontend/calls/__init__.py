"""Calls of jitted functions: their arguments, the graph that is traced for them, and the compiled code that a call runs.

Reading order: `traced` (a Python function as a graph), `donation`, `varying_numbers`, `arguments`, `call_traces` (the
function's graph for the arguments of a call), `variants` (compiled code by assumptions on sizes), `torch_calls`.
"""
