"""How programs run: compile, cache, load, call; interpreters; Triton kernels.

| Folder | Holds |
|---|---|
| `boundary/` | the boundary between callers' arrays and compiled code |
| `host/` | calls of Python functions from programs |
| `cache/` | compiled objects and emitted code on disk |
| `toolchain/` | the C compiler, and the machine that code is laid out for |
| `cpu/` | compiled programs on the CPU, with the C sources of the native extension for warm calls |
| `triton/` | Triton kernels, on a GPU or in Triton's interpreter |
| `interpret/` | interpreters on NumPy, one a level: the oracles |

`executable.py` chooses among the runtimes and makes a module at any level callable. `override.py` compiles edited levels,
`compile_notice.py` prints a line while a compile takes long, `distributed.py` sums arrays of several processes.
"""
