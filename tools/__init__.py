"""The command lines: `stepwell-opt` (`opt/`) and the subcommands of `stepwell`, one file or folder each.

`stepwell.py` is the table of the subcommands. `fuzz/` compares random programs with the oracle, `coverage/` prints the table of
supported operations, `tune/` measures tile sizes.
"""
