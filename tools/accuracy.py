"""`stepwell accuracy`: the greatest error of a scalar function in the emitted vector code, over all float32 or a part of them.

    stepwell accuracy --function exp --function log --stride 997

The errors are in units in the last place, against NumPy in a wider type; the function's row in `ir/scalars.py` says how great
they may be. Where NaN, an infinity or the sign of a zero is wrong, the error is infinite. `--stride 1` takes all 2^32 numbers
(some minutes a function). The first operand goes through all numbers; a second one is between 2^-8 and 2^8, of either sign.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..ir.dtypes import FLOAT32
from ..ir.scalars import SCALARS, ScalarFunction, scalar
from ..ir.scalars_numpy import oracle
from ..runtime.executable import Executable, compile_module
from .loop_programs import lowered, memref, over_vectors, program

Array = Any

CHUNK = 1 << 20
DEFAULT_STRIDE = 997


class Accuracy(NamedTuple):
    """The greatest error of a function, the operands where it is, and how many were tried."""

    ulps: float
    at: tuple[float, ...]
    tried: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The functions, and how many numbers."""
    parser.add_argument("--function", action="append", choices=sorted(_checkable()), help="may be repeated; default: all")
    parser.add_argument("--stride", type=_positive, default=DEFAULT_STRIDE, help="take every so many-th float32 (default: 997)")
    parser.add_argument("--lanes", type=int, choices=(2, 4, 8, 16, 32, 64), default=16, help="of the vectors (default: 16)")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each function; 1 when one is further off than its row says."""
    status = 0
    for name in arguments.function or _checkable():
        function = scalar(name)
        found = accuracy(function, arguments.stride, arguments.lanes)
        verdict = "ok" if found.ulps <= allowed(function) else "WRONG"
        place = ", ".join(f"{value!r}" for value in found.at)
        print(
            f"{name:12} {found.ulps:8.3f} of {allowed(function)} ulp at ({place}), {found.tried} numbers: {verdict}", flush=True
        )
        status |= verdict != "ok"
    return status


def accuracy(function: ScalarFunction, stride: int, lanes: int = 16) -> Accuracy:
    """The greatest error in float32, of vectors with so many lanes."""
    compiled = _compiled(function, lanes)
    worst = Accuracy(0.0, (0.0,) * function.arity, 0)
    for operands in _operands(function.arity, stride):
        (got,) = compiled.program.run(operands, [CHUNK // lanes])
        with np.errstate(all="ignore"):
            exact = oracle(function)(*(operand.astype(np.float64) for operand in operands))
        error = ulps(got, exact)
        at = int(np.argmax(error))
        place = tuple(operand[at] for operand in operands) if error[at] > worst.ulps else worst.at
        worst = Accuracy(max(worst.ulps, float(error[at])), place, worst.tried + CHUNK)
    return worst


def allowed(function: ScalarFunction) -> float:
    """What is right for a function in units in the last place: half of one for those that are rounded correctly."""
    return function.ulp or 0.5


def ulps(got: Array, exact: Array) -> Array:
    """The errors in units in the last place; what overflows counts as the next power of two, what has no size as infinite."""
    limit = 2.0**128
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
        wrong = np.isnan(got) != np.isnan(rounded)
        wrong |= (got == 0) & (rounded == 0) & (np.signbit(got) != np.signbit(rounded))
        unit = np.spacing(np.minimum(np.abs(rounded), np.finfo(np.float32).max)).astype(np.float64)
        distance = np.abs(np.clip(got.astype(np.float64), -limit, limit) - np.clip(exact, -limit, limit))
        return np.where(wrong, np.inf, np.where(np.isnan(rounded), 0, distance / unit))


def _checkable() -> list[str]:
    """The functions of floats that give floats, and whose wider NumPy is exact enough to tell."""
    exact = ("mod", "floordiv", "min", "max", "fma", "select", "logaddexp")
    return [f.name for f in SCALARS.values() if f.accepts(FLOAT32) and f.result == "same" and f.name not in exact]


def _compiled(function: ScalarFunction, lanes: int) -> Executable:
    buffer = memref(f"n * {lanes}")
    names = "abc"[: function.arity]
    loads = [f"%{name} = loop.load %{name}s[%l] <(d0) -> (d0)> : ({buffer}, index) -> f32" for name in names]
    types = ", ".join(["f32"] * len(names))
    call = f'%r = loop.compute "{function.name}"({", ".join(f"%{name}" for name in names)}) : ({types}) -> f32'
    store = f"loop.store %r into %y[%l] <(d0) -> (d0)> : f32, {buffer}, index"
    body = over_vectors("\n".join([*loads, call, store]), lanes)
    arguments = {**{f"{name}s": buffer for name in names}, "y": buffer}
    return compile_module(lowered(program(body, arguments, inputs=len(names))))


def _operands(arity: int, stride: int) -> Iterator[list[Array]]:
    """Chunks of CHUNK numbers, the last one filled up with the first of all."""
    for start in range(0, 1 << 32, stride * CHUNK):
        bits = np.arange(start, start + stride * CHUNK, stride, dtype=np.uint64)
        first = np.where(bits < 1 << 32, bits, 0).astype(np.uint32)
        # An odd multiple scatters the numbers, so that all sizes of one operand meet all sizes of the other.
        scattered = first * np.uint32(0x9E3779B1)
        second = (scattered & np.uint32(0x87FFFFFF)) + np.uint32(0x3B800000)
        yield [first.view(np.float32), second.view(np.float32)][:arity]


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return value
