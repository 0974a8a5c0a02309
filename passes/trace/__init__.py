"""Source tracing: which operations of each level came from which operation above, and from which source line.

Imports `passes/manager`. Reading order: `recording` (the trace itself), `outputs` (operations that yield the result of a source
line), `tagging` (collect and fill), `outlined_view` (each group of operations from one source as a function).
"""
