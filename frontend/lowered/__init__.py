"""Lowered programs as users inspect them: the text of each level, source, trace and memory, and their look in notebooks.

Reading order: `memory`, `notebook`, `function` (the result of `sw.lower`), `segments` (a function that calls the host),
`trace_views` (`sw.trace`).
"""
