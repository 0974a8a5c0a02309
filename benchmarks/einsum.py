"""`python -m benchmarks.einsum`: `sw.einsum` with `=>` against the named functions, in one run.

Where both give the same C, there is nothing to measure. Otherwise calls of both alternate, and the least times are compared.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import stepwell as sw

from .report import significant, table


class Workload(NamedTuple):
    """A specification, the named function, and the shapes of the operands."""

    spec: str
    named: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]


_IMAGES, _FILTERS = (4, 32, 56, 56), (64, 32, 3, 3)
WORKLOADS: Mapping[str, Workload] = MappingProxyType(
    {
        "matmul": Workload("i j; j k => i k", lambda a, b: a @ b, ((512, 512), (512, 512))),
        "batched matmul": Workload("b i j; b j k => b i k", lambda a, b: a @ b, ((16, 128, 128), (16, 128, 128))),
        "left transposed": Workload("j i; j k => i k", lambda a, b: a.T @ b, ((512, 512), (512, 512))),
        "right transposed": Workload("i j; k j => i k", lambda a, b: a @ b.T, ((512, 512), (512, 512))),
        "both transposed": Workload("j i; k j => i k", lambda a, b: a.T @ b.T, ((512, 512), (512, 512))),
        "convolution, valid": Workload("n c y+v x+u; o c v u => n o y x", sw.conv2d, (_IMAGES, _FILTERS)),
        "convolution, padded": Workload(
            "n c y=+v x=+u; o c v u => n o y x", lambda x, w: sw.conv2d(x, w, padding=1), (_IMAGES, _FILTERS)
        ),
        "convolution, strided": Workload(
            "n c 2*y+v 2*x+u; o c v u => n o y x", lambda x, w: sw.conv2d(x, w, stride=2), ((4, 32, 57, 57), _FILTERS)
        ),
    }
)


def code(function: Callable[..., Any], arrays: list[Any]) -> str:
    """The C for a function, without the hints in names."""
    return re.sub(r"\bsw_(\d+)\w*", r"sw_\1", sw.lower(function, *arrays, static=True, trace=False).source())


def times(functions: list[Callable[..., Any]], arrays: list[Any], seconds: float) -> list[float]:
    """The least time of a call of each function; their calls alternate."""
    for function in functions:
        function(*arrays)
    best, start = [float("inf")] * len(functions), time.perf_counter()
    while time.perf_counter() - start < seconds:
        for k, function in enumerate(functions):
            before = time.perf_counter()
            function(*arrays)
            best[k] = min(best[k], time.perf_counter() - before)
    return best


def main() -> None:
    """Print a table of all workloads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for how long each pair is measured (default: 2)")
    parser.add_argument("--threads", type=int, help="the number of threads (default: all processors)")
    arguments = parser.parse_args()
    if arguments.threads:
        sw.set_num_threads(arguments.threads)
    rows: list[tuple[str, ...]] = []
    for name, (spec, named, shapes) in WORKLOADS.items():
        rng = np.random.default_rng(0)
        arrays = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]

        def ours(a: Any, b: Any, spec: str = spec) -> Any:
            return sw.einsum(spec, a, b)

        np.testing.assert_allclose(sw.jit(ours)(*arrays), sw.jit(named)(*arrays), rtol=1e-3, atol=1e-3)
        if code(ours, arrays) == code(named, arrays):
            rows.append((name, spec, "the same code", "", "1.00"))
            continue
        mine, theirs = times([sw.jit(ours), sw.jit(named)], arrays, arguments.seconds)
        rows.append((name, spec, *(f"{significant(each * 1e3)} ms" for each in (mine, theirs)), f"{mine / theirs:.2f}"))
    sys.stdout.write("\n".join(table(("workload", "specification", "einsum", "named function", "einsum / named"), rows)) + "\n")


if __name__ == "__main__":
    main()
