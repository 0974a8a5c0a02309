"""A step of n bodies under gravity: the forces between all pairs are summed without storing them."""

import numpy as np
import stepwell as sw
from comparison import compare

STEP, SOFTENING = 0.01, 1e-3


@sw.jit
def nbody_step(positions, velocities, masses):
    apart = positions[None, :, :] - positions[:, None, :]
    distances = sw.sum(apart**2, axis=2) + SOFTENING
    forces = sw.sum(apart * (masses * distances**-1.5)[:, :, None], axis=1)
    velocities = velocities + STEP * forces
    return positions + STEP * velocities, velocities


def nbody_step_numpy(positions, velocities, masses):
    apart = positions[None, :, :] - positions[:, None, :]
    distances = (apart**2).sum(axis=2) + np.float32(SOFTENING)
    forces = (apart * (masses * distances ** np.float32(-1.5))[:, :, None]).sum(axis=1)
    velocities = velocities + np.float32(STEP) * forces
    return positions + np.float32(STEP) * velocities, velocities


def arguments(bodies=500):
    rng = np.random.default_rng(0)
    return rng.random((bodies, 3), dtype=np.float32), np.zeros((bodies, 3), np.float32), rng.random(bodies, dtype=np.float32)


if __name__ == "__main__":
    compare(nbody_step, nbody_step_numpy, arguments())
