"""A step of k-means: each point goes to its nearest centre, each centre to the mean of its points."""

import numpy as np
import stepwell as sw
from comparison import compare


@sw.jit
def kmeans_step(points, centres):
    distances = sw.sum(centres**2, axis=1) - 2 * points @ centres.T
    nearest = sw.argmin(distances, axis=1)
    chosen = sw.astype(nearest[:, None] == sw.arange(centres.shape[0]), sw.float32)
    counts = sw.sum(chosen, axis=0)
    return sw.where(counts[:, None] > 0, chosen.T @ points / sw.maximum(counts, 1.0)[:, None], centres)


def kmeans_step_numpy(points, centres):
    distances = (centres**2).sum(axis=1) - 2 * points @ centres.T
    nearest = distances.argmin(axis=1)
    chosen = (nearest[:, None] == np.arange(centres.shape[0])).astype(np.float32)
    counts = chosen.sum(axis=0)
    return np.where(counts[:, None] > 0, chosen.T @ points / np.maximum(counts, 1)[:, None], centres)


def arguments(points=20_000, width=16, centres=32):
    rng = np.random.default_rng(0)
    return rng.random((points, width), dtype=np.float32), rng.random((centres, width), dtype=np.float32)


if __name__ == "__main__":
    compare(kmeans_step, kmeans_step_numpy, arguments())
