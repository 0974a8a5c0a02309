"""Counts of integers and a histogram: einsums whose result is indexed by the elements of an operand."""

import numpy as np
import stepwell as sw
from comparison import compare

BINS = 64


@sw.jit
def bincount(values):
    return sw.einsum("i; i => [1]", sw.ones_like(values), values, sizes={"[1]": BINS})


def bincount_numpy(values):
    return np.bincount(values, minlength=BINS)


@sw.jit
def histogram(x):
    """Counts in equal bins of [0, 1)."""
    return bincount(sw.astype(sw.floor(x * BINS), sw.int64))


def histogram_numpy(x):
    return np.histogram(x, bins=BINS, range=(0, 1))[0]


def arguments(size=1_000_000):
    return (np.random.default_rng(0).integers(0, BINS, size),)


def arguments_of_histogram(size=1_000_000):
    return (np.random.default_rng(0).random(size, dtype=np.float32),)


if __name__ == "__main__":
    compare(bincount, bincount_numpy, arguments())
    compare(histogram, histogram_numpy, arguments_of_histogram())
