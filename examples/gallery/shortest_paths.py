"""Shortest paths between all nodes: squares of a matrix, with minima in place of sums and sums in place of products."""

import numpy as np
import stepwell as sw
from comparison import compare


@sw.jit
def shortest_paths(lengths):
    """Paths of at most eight edges."""
    for _ in range(3):
        lengths = sw.einsum("ik; kj => ij", lengths, lengths, op="add", accum="min")
    return lengths


def shortest_paths_numpy(lengths):
    for _ in range(3):
        lengths = np.min(lengths[:, :, None] + lengths[None, :, :], axis=1)
    return lengths


def arguments(nodes=200):
    lengths = np.random.default_rng(0).random((nodes, nodes), dtype=np.float32)
    np.fill_diagonal(lengths, 0)
    return (lengths,)


if __name__ == "__main__":
    compare(shortest_paths, shortest_paths_numpy, arguments())
