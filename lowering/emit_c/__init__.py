"""cloop -> C text. The emitter prints and decides nothing.

Reading order: `emit_c`, `statements` (one line for each operation), `functions`, `vectors`, `vector_functions`, `vector_casts`,
`vector_math/` (elementary functions on vectors), `helpers`, `overflow`, `assembly` (a program put together from functions).
"""
