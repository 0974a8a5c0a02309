"""Interpreters on NumPy, one a level: `uop` is the meaning of programs, `loop` serves the loop and C levels, `tile` the tile
level."""
