// The extension module `stepwell_native_call`, one translation unit. Setuptools compiles it where Stepwell is built (setup.py);
// elsewhere `warm_calls.py` does at run time.
//
// It is compiled for one minor version of Python: the stable ABI has functions for the macros that read tuples, lists and types,
// which are most of a call that takes less than a microsecond.
#include "native_memory.c"
#include "native_trees.c"
#include "native_launch.c"
#include "native_call.c"
