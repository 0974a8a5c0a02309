"""Passes on the C level: memory planning, non-temporal stores, loop-invariant code motion, transposes by shuffles."""
