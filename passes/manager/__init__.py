"""The pass manager: pipelines as text, options, instrumentation, timing, reproducers.

Imports `ir` and `dialects`. Reading order: `options`, `pipeline_options`, `registry` (passes by name), `pipeline` (text to
passes), `instruments` and `reports` (printing, timing, statistics), `reproducer`, `xdsl_passes` and `rewrite_listener` (xDSL's
passes and rewrite drivers with locations kept), `pass_manager`.
"""
