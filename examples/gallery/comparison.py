"""Comparison of an example with its NumPy version: equal values, and both times.

python examples/gallery/life.py                              # all processors
OPENBLAS_NUM_THREADS=1 python examples/gallery/life.py 1     # one thread each
"""

import sys
import time

import numpy as np
import stepwell as sw


def best_time(function, arguments, seconds=0.5):
    """The least time of a call, in seconds, over calls for at least the given number of seconds."""
    times, start = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - before)
    return min(times)


def compare(ours, numpys, arguments, rtol=1e-4, atol=1e-4):
    """Compare the results of both versions, and print both times. The command's argument is the number of threads."""
    if sys.argv[1:]:
        sw.set_num_threads(int(sys.argv[1]))
    found, expected = ours(*arguments), numpys(*arguments)
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, expected)), strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=atol)
    mine, theirs = best_time(ours, arguments), best_time(numpys, arguments)
    print(f"{ours.__name__}: Stepwell {mine * 1e3:.3f} ms, NumPy {theirs * 1e3:.3f} ms, {theirs / mine:.1f} times as fast")
