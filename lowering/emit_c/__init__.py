"""C emitter: prints the C level as C, one line for each operation, without making decisions.

Reading order: `emit_c`, `statements` (one line for each operation), `functions`, `vectors`, `vector_functions`, `vector_casts`,
`vector_math/` (elementary functions on vectors), `helpers`, `overflow`, `assembly` (the program text from printed functions).
"""
