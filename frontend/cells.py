"""Cells: the array arguments of a procedure (`procedures.py`) inside of its body. Statements change their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, NoReturn, Self

from ..ir.diagnostics import ShapeError
from ..ir.index.expressions import Index
from ..ir.types.shapes import format_shape
from .functions.generalised_einsum import ACCUMULATORS, generalised
from .functions.manipulation import broadcast_to
from .tracing.tensor import Tensor, cast, tensor_of
from .tracing.trees import flatten

# The attributes that cells have and other tensors lack.
STATEMENTS = ("assign", "accumulate", "init_accumulate", "grad", "merge")
# A dtype is cast to dtypes of its own kind and of the kinds after it, as by NumPy's in-place operators.
_KINDS = MappingProxyType({"bool": 0, "uint": 1, "int": 2, "float": 3})


def _in_place(name: str) -> Callable[[Cell, Any], Cell]:
    """The in-place operator of an operator: `c -= x` assigns `c - x`."""

    def operator(self: Cell, other: Any) -> Cell:
        found = getattr(self.read(), f"__{name}__")(other)
        if found is NotImplemented:
            raise self.error(f"expected a tensor, an array or a number, got {type(other).__name__}")
        self.assign(found)
        return self

    operator.__name__ = operator.__qualname__ = f"__i{name}__"
    return operator


class Cell(Tensor):
    """An array argument of a procedure: a tensor whose value statements change, also by in-place operators (`c += x`)."""

    __slots__ = ("_block", "_merge", "changed", "gradient", "merged", "name")

    def __new__(cls, *args: Any, **options: Any) -> Self:
        return object.__new__(cls)

    def __init__(self, name: str, initial: Tensor, merge: Callable[[], Tensor], gradient: Cell | None = None):
        super().__init__(initial.tracer, initial.value)
        self.name, self.gradient, self._merge = name, gradient, merge
        self._block = initial.tracer.block
        self.changed = self.merged = False

    @property
    def grad(self) -> Cell:
        """The cell of a variable's gradient. Raises ShapeError for an argument that is a plain array."""
        if self.gradient is None:
            raise self.tracer.error(f"'{self.name}' has no gradient: pass a sw.Variable")
        return self.gradient

    @grad.setter
    def grad(self, value: Any) -> None:
        # Python assigns the result of `p.grad += x`, which is the cell itself.
        if value is not self.grad:
            raise self.error(f"write {self.name}.grad.assign(...)")

    @property
    def merge(self) -> Tensor:
        """The sum, over the other processes, of this array at the time of the procedure's call; zeros without other processes.
        Raises ShapeError after an assignment to the cell.
        """
        if self.changed:
            raise self.tracer.error(f"'{self.name}' has been assigned to: read its merge buffer before")
        self.merged = True
        return self._merge()

    def read(self) -> Tensor:
        """The value now, which later statements do not change."""
        return Tensor(self.tracer, self.value)

    def error(self, message: str) -> ShapeError:
        """A ShapeError about this cell, at the user's line."""
        return self.tracer.error(f"'{self.name}': {message}")

    def assign(self, value: Any, *, logic: str | None = None, op: str = "mul") -> None:
        """Replace the elements by those of `value`, which broadcasts. With `logic` they are replaced by the einsum of `value`,
        a tensor or a tuple of tensors; elements that the einsum does not reach become 0. Raises ShapeError for shapes that do
        not fit, and for dtypes of a later kind than the cell's: bool, uint, int, float."""
        self._set(self._fitting(self._meant(value, logic, op, "add")))

    def accumulate(self, value: Any, accum: str = "add", *, logic: str | None = None, op: str = "mul") -> None:
        """Combine the elements with those of `value`, or with `logic` of its einsum, by an accumulator. Raises ShapeError as
        `assign` does."""
        combine = self._accumulator(accum)
        self._set(combine(self.read(), self._fitting(self._meant(value, logic, op, accum))))

    def init_accumulate(self, value: Any, accum: str = "add", *, logic: str | None = None, op: str = "mul") -> None:
        """Set the elements to the neutral element of an accumulator, then accumulate: elements that `value` does not reach stay
        neutral. Raises ShapeError as `assign` does."""
        self._accumulator(accum)
        self._set(self._fitting(self._meant(value, logic, op, accum)))

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise self.error("single elements cannot be assigned to: assign the whole, as in c.assign(sw.where(mask, x, c))")

    __iadd__, __isub__, __imul__ = _in_place("add"), _in_place("sub"), _in_place("mul")
    __itruediv__, __ifloordiv__, __imod__ = _in_place("truediv"), _in_place("floordiv"), _in_place("mod")
    __ipow__, __imatmul__ = _in_place("pow"), _in_place("matmul")
    __iand__, __ior__, __ixor__ = _in_place("and"), _in_place("or"), _in_place("xor")
    __ilshift__, __irshift__ = _in_place("lshift"), _in_place("rshift")

    def _accumulator(self, accum: str) -> Callable[..., Tensor]:
        if not isinstance(accum, str) or accum not in ACCUMULATORS:
            raise self.error(f"expected an accumulator, one of {', '.join(ACCUMULATORS)}, got {accum!r}")
        return ACCUMULATORS[accum]

    def _meant(self, value: Any, logic: str | None, op: str, accum: str) -> Any:
        """The value, or its einsum, whose result has this cell's sizes where the specification leaves sizes open."""
        if logic is not None:
            operands = value if isinstance(value, tuple) else (value,)
            return generalised(logic, operands, op, accum, None, {}, self.sizes)
        if isinstance(value, tuple | list) and any(isinstance(leaf, Tensor) for leaf in flatten(value)[0]):
            raise self.error(f"expected a tensor, got a {type(value).__name__} of tensors: `logic` says how to combine them")
        return value

    def _fitting(self, value: Any) -> Tensor:
        """A value in this cell's shape."""
        found = tensor_of(value, self.tracer)
        # A Python int fits all integers.
        kind = "uint" if found.weak and found.dtype.kind == "int" else found.dtype.kind
        if _KINDS[kind] > _KINDS[self.dtype.kind]:
            advice = f'convert it, as in sw.astype(x, "{self.dtype}")'
            raise self.error(f"expected values that {self.dtype} holds, got {found.dtype}: {advice}")
        if found.ndim > self.ndim:
            raise self.tracer.error(f"'{self.name}' has {self.ndim} axes: cannot assign {found.ndim}")
        try:
            return broadcast_to(found, self.sizes)
        except ShapeError as error:
            expected, got = self._shown(self.sizes), self._shown(found.sizes)
            raise self.error(f"expected a tensor that broadcasts to its shape {expected}, got the shape {got}") from error

    def _shown(self, sizes: Sequence[Index]) -> str:
        """A shape, in the numbers of this call."""
        known = [self.tracer.sizes.hint_of(size) for size in sizes]
        return format_shape(tuple(size if hint is None else hint for size, hint in zip(sizes, known, strict=True)))

    def _set(self, value: Tensor) -> None:
        if self.tracer.block is not self._block:
            raise self.error(
                "it is assigned to inside of a function that is transformed or repeated, such as the body of sw.scan: return "
                "the value from that function, and assign it outside"
            )
        self.value, self.changed = cast(value, self.dtype).value, True
