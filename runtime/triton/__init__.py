"""Triton kernels: launched on a GPU, run in Triton's interpreter, or compiled for a GPU that this machine lacks.

Reading order: `program`, `kernels`, `client` and `worker` (a process of its own for the interpreter), `libdevice`.
"""
