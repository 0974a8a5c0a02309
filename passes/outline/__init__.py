"""Outlining for separate and concurrent compilation: blocks of long programs become functions, similar ones a shared function.

loop_outline, loop_outline_similar        loop level: blocks become functions, similar ones share one (`block_functions`)
        |
lowering/separate_functions.py  lowers each outlined function separately, before the remainder of the module
        |
cloop_outline(_tiles)           C level: the functions of a long program are grouped into translation units
        |
lowering/emit_c/assembly.py     each unit is printed with the helpers that it uses
        |
runtime/cpu/background.py       a unit is compiled while the remaining ones are lowered
runtime/cpu/units.py            units are compiled concurrently and linked
"""
