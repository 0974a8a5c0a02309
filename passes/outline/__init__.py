"""Outlining for separate and concurrent compilation: blocks of long programs become functions, similar blocks share one.

loop_outline, loop_outline_similar        loop level: blocks become functions, similar blocks one function (`block_functions`)
        |
lowering/separate_functions.py  lowers each outlined function separately, before the remainder of the module
        |
cloop_outline(_tiles)           C level: the functions of a long program are grouped into translation units
        |
lowering/emit_c/assembly.py     each unit is printed with the helpers that it needs
        |
runtime/cpu/background.py       a unit is compiled while the rest is still being lowered
runtime/cpu/units.py            units are compiled side by side and linked
"""
