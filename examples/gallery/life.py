"""Conway's game of life on a torus: the neighbours are rolled copies of the board, fused into one pass over it."""

import numpy as np
import stepwell as sw
from comparison import compare

AROUND = tuple((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))


@sw.jit
def life(board):
    neighbours = sum(sw.roll(board, shift, axis=(0, 1)) for shift in AROUND)
    return sw.astype((neighbours == 3) | ((board == 1) & (neighbours == 2)), sw.uint8)


def life_numpy(board):
    neighbours = sum(np.roll(board, shift, axis=(0, 1)) for shift in AROUND)
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(np.uint8)


def arguments(rows=1000, columns=1000):
    return ((np.random.default_rng(0).random((rows, columns)) < 0.3).astype(np.uint8),)


if __name__ == "__main__":
    compare(life, life_numpy, arguments())
