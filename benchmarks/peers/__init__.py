"""The measured libraries: a file for each, which defines the kernels of `workloads.py`.

`PEERS` has the module of each library: a process imports it only after it has set its number of threads.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib import metadata
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

from .base import Peer


class Place(NamedTuple):
    """The module and the class of a peer, and the packages that it needs."""

    module: str
    peer: str
    packages: tuple[str, ...]

    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [package for package in self.packages if find_spec(package) is None]

    def version(self) -> str:
        """The version of the first package."""
        return metadata.version(self.packages[0])


OURS = "stepwell"
PEERS: Mapping[str, Place] = MappingProxyType(
    {
        OURS: Place("with_stepwell", "Stepwell", ("stepwell",)),
        "numpy": Place("with_numpy", "NumPy", ("numpy",)),
        "numba": Place("with_numba", "Numba", ("numba", "scipy")),
        "torch": Place("with_torch", "Torch", ("torch",)),
        "inductor": Place("with_inductor", "Inductor", ("torch",)),
        "jax": Place("with_jax", "Jax", ("jax",)),
        "pytensor": Place("with_pytensor", "PyTensor", ("pytensor",)),
        "onnxruntime": Place("with_onnxruntime", "OnnxRuntime", ("onnxruntime", "onnx")),
    }
)
# The limits of the machine; timed in turn with the peers, so that all meet the same noise.
LIMITS: Mapping[str, Place] = MappingProxyType(
    {
        "copy": Place("limits", "Copy", ("numpy",)),
        "streaming": Place("limits", "Streaming", ("numpy",)),
        "fma": Place("limits", "FusedMultiplyAdd", ("numpy",)),
    }
)


def load(name: str, threads: int) -> Peer:
    """The peer or limit of this name, computing on `threads` threads."""
    place = PEERS.get(name) or LIMITS[name]
    module = importlib.import_module(f".{place.module}", __name__)
    return getattr(module, place.peer)(threads)
