"""tile -> Python text with Triton. The emitter prints and decides nothing.

Reading order: `emit_triton`, `functions`, `helpers`, `launch_plan`.
"""
