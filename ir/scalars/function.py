"""A scalar function: one row of the table, with all properties that any level needs.

A row has the operand and result types of a function, its NumPy oracle, its partial derivatives, and its spelling in C and in
Triton. The rows are in `arithmetic`, `elementary` and `logic`. To add a function, add a row; if NumPy lacks the function, add
an oracle to `oracles.py`. With `doc` it is a function of the library, `sw.<name>`.

Spellings are templates: `$a`, `$b`, `$c` are the operands, each of which occurs exactly once, so that an operand may be an
expression of any size. In C, `$T` is the operands' type, `$U` the unsigned type for wrapping arithmetic, `$N` its short name
(`f32`), `$W` its bits and `$F` the suffix of <math.h> functions. Where one expression is not enough, the spelling calls a
helper of the name `sw_<name>_$N` in C and `sw_<name>` in Triton, whose body the row has too.

The semantics, where languages differ: integers wrap around; `floordiv` and `mod` round towards minus infinity, and give 0 for a
divisor of 0 (levels above check the divisor, see `checks_divisor`); shifts by the width or more give 0, or the sign; `min` and
`max` return NaN if either operand is NaN (for 0 and -0 either zero may result); `round` rounds half to even; an integer power
with a negative exponent is 0, except for the bases 1 and -1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ..types.dtypes import DType

Derivative = Callable[..., tuple[Any, ...]]
FLOATS = ("float",)
NUMBERS = ("float", "int", "uint")
BITS = ("int", "uint", "bool")
ALL = ("float", "int", "uint", "bool")


class Spelling(NamedTuple):
    """The templates of one function by kind of operand; `int` is the default for kinds without one."""

    float: str = ""
    int: str = ""
    uint: str = ""
    bool: str = ""

    def of(self, kind: str) -> str:
        return getattr(self, kind) or self.int


@dataclass(frozen=True)
class ScalarFunction:
    """One row of the table, or of a plugin, whose `oracle` may be a function on NumPy arrays.

    `kinds`: the operands' kinds (or names of dtypes); all operands have one dtype, except for the condition of a select.
    `result`: "same" as the operands, or "bool". `ulp`: the maximum error of generated code in float32 and float64, in units in
    the last place; 0 means exact. It is tested with glibc; by NVIDIA's documentation, libdevice's `tan` and `pow` in float32
    may have an error of 4. `derivative`: called with a builder `f`, the operands and the result, returns the partial derivative
    by each operand. `f.mul(a, b)` and so on build calls of scalar functions, `f.const(2.0)` a constant; None is a derivative
    that is zero or does not exist. `derivative` is None when that holds for every operand. `identity`: for accumulators, the
    neutral element in a dtype. `cost`: the cost of a call, in additions. `doc`: the description of the library's function of
    this name; without it there is none. `c_body`: the body of the helper `sw_<name>_$N`, a `static inline` function of a, b and
    c that needs no fast-math flags, does not trap and has no undefined behaviour. `triton_body`: that of the helper
    `sw_<name>`, or of `sw_<name>_<kind>` for each kind of operand. Helpers do not call each other.
    """

    name: str
    arity: int
    kinds: tuple[str, ...]
    c: str | Spelling
    triton: str | Spelling
    oracle: str | Callable[..., Any]
    result: str = "same"
    ulp: float = 0
    derivative: Derivative | None = None
    commutative: bool = False
    identity: Callable[[DType], float | int | bool] | None = None
    checks_divisor: bool = False
    cost: int = 1
    doc: str = ""
    c_body: str | Spelling = ""
    triton_body: str | Spelling = ""

    @property
    def numpy(self) -> Callable[..., Any]:
        """The oracle, on arrays of equal shape: the function's semantics, as exactly as NumPy computes it."""
        from .oracles import evaluate

        return partial(evaluate, self)

    def accepts(self, dtype: DType) -> bool:
        """Whether operands may have this dtype."""
        if dtype.is_stored_only:
            return self.name == "select"
        return dtype.kind in self.kinds or dtype.name in self.kinds

    def __str__(self) -> str:
        return self.name


def unary(name: str, c: str | Spelling, triton: str | Spelling, **rest: Any) -> ScalarFunction:
    return ScalarFunction(name, 1, **{"kinds": FLOATS, "c": c, "triton": triton, "oracle": name, **rest})


def binary(name: str, c: str | Spelling, triton: str | Spelling, **rest: Any) -> ScalarFunction:
    return ScalarFunction(name, 2, **{"kinds": NUMBERS, "c": c, "triton": triton, "oracle": name, **rest})


def math_function(name: str, ulp: float, cost: int, derivative: Derivative, oracle: str = "", doc: str = "") -> ScalarFunction:
    """A function with the same name in <math.h> and libdevice."""
    c, triton = f"{name}$F($a)", f"libdevice.{name}($a)"
    return unary(name, c, triton, oracle=oracle or name, ulp=ulp, cost=cost, derivative=derivative, doc=doc)
