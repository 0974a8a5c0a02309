"""The textual form of IR: parser and printer, with source positions.

Imports locations and diagnostics only. Reading order: `parser`, `printer`, `print_cache` (reuses the text of operations that
have not changed between two prints).
"""
