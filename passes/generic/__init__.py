"""Passes that apply at every level: canonicalize, cse, dce, inlining, and users' hooks.

Imports `passes/manager` and `passes/rules` (for its settings).
"""
