"""Triton emitter: prints the tile level as Python with Triton, without making decisions.

Reading order: `emit_triton`, `functions`, `helpers`, `launch_plan`.
"""
