"""`stepwell accuracy`: the maximum error of a scalar function in emitted vector code, over all or a sample of the float32
numbers.

    stepwell accuracy --function exp --function log --stride 997

The errors are in units in the last place, against NumPy in a wider type; the function's row in `ir/scalars/` has the bound. If
NaN, an infinity or the sign of a zero is wrong, the error is infinite. `--stride 1` takes all 2^32 numbers (some minutes a
function). The first operand takes all numbers; a second operand is between 2^-8 and 2^8, of either sign. With `--dtype float64`
the first operand takes as many numbers, scattered over all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..ir.scalars.function import ScalarFunction
from ..ir.scalars.oracles import oracle
from ..ir.scalars.table import SCALARS, scalar
from ..ir.types.dtypes import FLOAT32, FLOAT64, DType, dtype
from ..runtime.executable import Executable, compile_module
from .loop_programs import lowered, memref, over_vectors, program

Array = Any

CHUNK = 1 << 20
DEFAULT_STRIDE = 997


class Accuracy(NamedTuple):
    """The greatest error of a function, the operands where it occurs, and the number of operands tried."""

    ulps: float
    at: tuple[float, ...]
    tried: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: the functions, and the numbers to try."""
    parser.add_argument("--function", action="append", choices=sorted(_checkable()), help="may be repeated; default: all")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32", help="default: float32")
    parser.add_argument("--stride", type=_positive, default=DEFAULT_STRIDE, help="take every N-th float32 (default: 997)")
    parser.add_argument("--lanes", type=int, choices=(2, 4, 8, 16, 32, 64), default=16, help="of the vectors (default: 16)")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each function. Returns 1 if the error of one exceeds the bound in its row."""
    status = 0
    for name in arguments.function or _checkable():
        function = scalar(name)
        found = accuracy(function, arguments.stride, arguments.lanes, dtype(arguments.dtype))
        verdict = "ok" if found.ulps <= allowed(function) else "WRONG"
        place = ", ".join(f"{value!r}" for value in found.at)
        print(
            f"{name:12} {found.ulps:8.3f} of {allowed(function)} ulp at ({place}), {found.tried} numbers: {verdict}", flush=True
        )
        status |= verdict != "ok"
    return status


def accuracy(function: ScalarFunction, stride: int, lanes: int = 16, kind: DType = FLOAT32) -> Accuracy:
    """The greatest error on vectors of `lanes` lanes."""
    compiled = _compiled(function, lanes, kind)
    wide = np.float64 if kind is FLOAT32 else np.longdouble
    worst = Accuracy(0.0, (0.0,) * function.arity, 0)
    for operands in _operands(function.arity, stride, kind):
        (got,) = compiled.program.run(operands, [CHUNK // lanes])
        with np.errstate(all="ignore"):
            exact = oracle(function)(*(operand.astype(wide) for operand in operands))
        error = ulps(got, exact)
        at = int(np.argmax(error))
        place = tuple(operand[at] for operand in operands) if error[at] > worst.ulps else worst.at
        worst = Accuracy(max(worst.ulps, float(error[at])), place, worst.tried + CHUNK)
    return worst


def allowed(function: ScalarFunction) -> float:
    """The greatest error allowed for a function, in units in the last place: half of one for functions that are rounded
    correctly."""
    return function.ulp or 0.5


def ulps(got: Array, exact: Array) -> Array:
    """The errors in units in the last place; an overflow counts as the next power of two, a wrong NaN as infinite."""
    limits = np.finfo(got.dtype)
    limit = exact.dtype.type(2) ** limits.maxexp
    with np.errstate(all="ignore"):
        rounded = exact.astype(got.dtype)
        wrong = np.isnan(got) != np.isnan(rounded)
        wrong |= (got == 0) & (rounded == 0) & (np.signbit(got) != np.signbit(rounded))
        unit = np.spacing(np.minimum(np.abs(rounded), limits.max)).astype(exact.dtype)
        distance = np.abs(np.clip(got.astype(exact.dtype), -limit, limit) - np.clip(exact, -limit, limit))
        return np.where(wrong, np.inf, np.where(np.isnan(rounded), 0, distance / unit))


def _checkable() -> list[str]:
    """The functions from floats to floats for which NumPy's wider type is exact enough to compare with."""
    exact = ("mod", "floordiv", "min", "max", "fma", "select", "logaddexp")
    return [f.name for f in SCALARS.values() if f.accepts(FLOAT32) and f.result == "same" and f.name not in exact]


def _compiled(function: ScalarFunction, lanes: int, kind: DType) -> Executable:
    buffer = memref(f"n * {lanes}", kind.short)
    names = "abc"[: function.arity]
    loads = [f"%{name} = loop.load %{name}s[%l] <(d0) -> (d0)> : ({buffer}, index) -> {kind.short}" for name in names]
    types = ", ".join([kind.short] * len(names))
    operands = ", ".join(f"%{name}" for name in names)
    call = f'%r = loop.compute "{function.name}"({operands}) : ({types}) -> {kind.short}'
    store = f"loop.store %r into %y[%l] <(d0) -> (d0)> : {kind.short}, {buffer}, index"
    body = over_vectors("\n".join([*loads, call, store]), lanes)
    arguments = {**{f"{name}s": buffer for name in names}, "y": buffer}
    return compile_module(lowered(program(body, arguments, inputs=len(names))))


def _operands(arity: int, stride: int, kind: DType) -> Iterator[list[Array]]:
    """Chunks of CHUNK numbers; the last one is filled up with the very first number."""
    for start in range(0, 1 << 32, stride * CHUNK):
        every = np.arange(start, start + stride * CHUNK, stride, dtype=np.uint64)
        bits = np.where(every < 1 << 32, every, 0)
        # An odd multiple scatters the numbers, so that all sizes of one operand meet all sizes of the other.
        scattered = bits * np.uint64(0x9E3779B97F4A7C15)
        sign, size = scattered >> np.uint64(63) << np.uint64(31), (scattered >> np.uint64(20)) & np.uint64(0x07FFFFFF)
        second = (sign + size + np.uint64(0x3B800000)).astype(np.uint32).view(np.float32).astype(kind.numpy)
        first = _of_all_sizes(scattered) if kind is FLOAT64 else bits.astype(np.uint32).view(np.float32)
        yield [first, second][:arity]


def _of_all_sizes(bits: Array) -> Array:
    """float64 numbers of these bits, every second one scaled to between 2^-12 and 2^12, where most functions vary."""
    exponents = np.uint64(1011) + np.arange(len(bits), dtype=np.uint64) // np.uint64(2) % np.uint64(24)
    middle = (bits & np.uint64(0x800FFFFFFFFFFFFF)) | (exponents << np.uint64(52))
    return np.where(np.arange(len(bits)) % 2 == 0, bits, middle).view(np.float64)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return value
