"""Passes on loop nests over buffers, in a folder per kind of transformation, and the builder that they share.

Imports `passes/manager` and `passes/analysis`. Order of folders: `vector`, `memory`, `structure`, `interchange`, `fusion`,
`contraction`, `online`, `kernels`, `attention`; a folder imports only those before it.
"""
