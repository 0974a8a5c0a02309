"""Passes on loop nests over buffers, each in the folder of what it changes, and the builder that they write loops with.

Imports `passes/manager` and `passes/analysis`. Order of folders: `vector`, `memory`, `structure`, `fusion`, `contraction`,
`online`; a folder imports only those before it.
"""
