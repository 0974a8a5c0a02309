"""Programs on the CPU: translation units, shared libraries, calls.

Reading order: `library`, `units`, `background`, `result_memory`, `program`, `native_sources` with the C sources `native_*.c`,
`warm_calls`.
"""
