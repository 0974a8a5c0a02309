"""Passes on the C level: memory planning, timers, non-temporal stores, loop-invariant code motion, transposes by shuffles."""
