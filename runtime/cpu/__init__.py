"""Programs on the CPU: translation units, shared libraries, calls.

Reading order: `library`, `units`, `background`, `result_memory`, `program`, `warm_calls` with its C sources `native_*.c`.
"""
