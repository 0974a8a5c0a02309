"""The C compiler and the machine: which compiler, with which flags, for which processor, and the tuner's results.

Reading order: `compiler`, `tuned_sizes`, `host`.
"""
