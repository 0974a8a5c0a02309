"""The pass manager, and the passes that stay on one level.

A pass is one file and one line here: its name, and where its class is. Files are only imported when a pipeline names
the pass.
"""

PASSES: tuple[tuple[str, str], ...] = (
    ("canonicalize", ".canonicalize:Canonicalizer"),
    ("cse", ".cse:CSE"),
    ("dce", ".dce:DCE"),
    ("inline-calls", ".inline_calls:InlineCalls"),
    ("loop-inline", ".loop_inline:LoopInline"),
)
