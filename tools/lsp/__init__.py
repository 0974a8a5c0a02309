"""`stepwell lsp`: a language server for programs as text.

Reading order: `names` (definitions and uses in a text), `document` (diagnostics, hovers, completion), `server` (the protocol,
on pygls), `command`.
"""
