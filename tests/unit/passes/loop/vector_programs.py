"""Shared by tests of vector loops: arrays, and the comparison of all levels below the loops with their interpreter."""

import numpy as np
from stepwell.tools.loop_programs import LANES, memref, results, results_below


def check(text, inputs, outputs, n, exact=True):
    """Check that all levels agree. Returns their results."""
    expected = results(text, inputs, outputs, n)
    for level, arrays in results_below(text, inputs, outputs, n).items():
        for got, want in zip(arrays, expected, strict=True):
            if exact:
                np.testing.assert_array_equal(got, want, level)
            else:
                np.testing.assert_allclose(got, want, rtol=1e-5, err_msg=level)
    return expected


def values(size, seed=0, kind="float32"):
    rng = np.random.default_rng(seed)
    given = rng.standard_normal(size) * 4
    return (given > 0) if kind == "bool" else np.abs(given).astype(kind) if kind == "uint8" else given.astype(kind)


X = memref(f"n * {LANES}")
