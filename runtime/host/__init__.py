"""Programs that call functions of the host. Reading order: `registry` (functions by name), `segments` (splitting a program at
its calls), `program` (running the parts and the calls in turn).
"""
