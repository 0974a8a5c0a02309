"""The C compiler and the machine: which compiler, with which flags, for which processor, and what the tuner found there.

Reading order: `compiler`, `tuned_sizes`, `host`.
"""
