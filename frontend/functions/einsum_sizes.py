"""Inference for generalised einsum: the rows of operands, the axes that the rows of a specification stand for, and the sizes of
all labels.

1. Rows: since ranks are known, a row variable stands for the axes that the row does not name. Each occurrence is visited once,
   and the longest one counts: inference always terminates.
2. Sizes: plain axes give the sizes of their labels; then each window or concatenation with one unknown label gives that label's
   size. Every round solves a label, so that this terminates too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ...ir.index.expressions import Index, ceildiv, index
from ..tracing.tensor import Tensor, TensorLike
from ..tracing.tracer import Tracer
from .arguments import axis_of, int_of, size_from, tensor
from .einsum_notation import Affine, Axis, Concatenation, Fixed, Placeholder, Row, Spec


class Binder:
    """Matches the rows of a specification with axes. A label of a row variable is its name and the position from the right."""

    def __init__(self, spec: Spec, tracer: Tracer):
        self.spec, self.tracer = spec, tracer
        self.depths: dict[str, int] = {}
        self.placeholders = 0

    def operand(self, number: int, ranks: Mapping[str, int]) -> list[Axis]:
        """The axes of an operand, in the order batch, output, input."""
        shape = self.spec.operands[number]
        return [axis for name in ("batch", "output", "input") for axis in self.row(number, name, shape.get(name), ranks)]

    def row(self, number: int, name: str, row: Row | None, ranks: Mapping[str, int]) -> list[Axis]:
        rank = ranks.get(name, 0)
        left, right = (row.left, row.right) if row is not None else ((), ())
        spare = rank - len(left) - len(right)
        if spare < 0 and (row is None or row.variable is not None):
            raise self.tracer.error(
                f"einsum: '{self.spec.text}': the {name} row of operand {number} names {len(left) + len(right)} axes, "
                f"the tensor has {rank}"
            )
        if row is not None and row.variable is not None:
            self.depths[row.variable] = max(spare, self.depths.get(row.variable, 0))
            middle: list[Axis] = self.variable(row.variable, spare)
        else:
            # Without a variable, the axes to the left are reduced; axes that the tensor lacks broadcast.
            middle, right = [self.fresh() for _ in range(spare)], right[max(0, -spare) :]
        return [self.fresh() if isinstance(axis, Placeholder) else axis for axis in (*left, *middle, *right)]

    def result(self) -> list[Axis]:
        found: list[Axis] = []
        for name in ("batch", "output", "input"):
            row = self.spec.result.get(name)
            if row is None:
                continue
            if row.variable is not None and row.variable not in self.depths:
                raise self.tracer.error(
                    f"einsum: '{self.spec.text}': the row variable '..{row.variable}..' of the result occurs in no operand"
                )
            middle = self.variable(row.variable, self.depths[row.variable]) if row.variable is not None else []
            found += [*row.left, *middle, *row.right]
        for axis in found:
            if isinstance(axis, Affine) and axis.label is None:
                raise self.tracer.error(
                    f"einsum: '{self.spec.text}': expected labels, numbers or '_' in the result, got a window"
                )
        return found

    def variable(self, name: str, depth: int) -> list[Axis]:
        return [Affine(((1, f"..{name}..{k}"),)) for k in reversed(range(depth))]

    def fresh(self) -> Axis:
        self.placeholders += 1
        return Affine(((1, f"_{self.placeholders}"),))


def label_sizes(
    spec: Spec, axes: Sequence[Sequence[Axis]], values: Mapping[int, Tensor], given: Mapping[str, Any], tracer: Tracer
) -> dict[str, Index]:
    """The size of each label. Raises ShapeError, with all violations, for sizes that differ and indices out of range, and for
    windows that do not fit and labels without sizes."""
    known = {label: size_from(size, tracer) for label, size in given.items() if not label.startswith("[")}
    windows: list[tuple[Affine | Concatenation, Index]] = []
    problems: list[str] = []
    for k, labels in enumerate(axes):
        for axis, size in zip(labels, values[k].sizes, strict=True):
            if isinstance(axis, Concatenation) or (isinstance(axis, Affine) and axis.label is None):
                windows.append((axis, size))
            elif isinstance(axis, Affine) and axis.label is not None:
                agreed = _agreed(known.get(axis.label, size), size, tracer)
                if agreed is None:
                    problems.append(f"label '{axis.label}' has sizes {known[axis.label]} and {size}, the latter in operand {k}")
                else:
                    known[axis.label] = agreed
            elif isinstance(axis, Fixed) and not tracer.sizes.assume(size - 1 - axis.at):
                problems.append(f"index {axis.at} is out of range for an axis of size {size} of operand {k}")
    if problems:
        raise tracer.error(f"einsum: '{spec.text}': {'; '.join(problems)}", problems)
    while windows:
        ready = [(axis, size) for axis, size in windows if _is_ready(axis, known)]
        if not ready:
            free = [label for axis, _ in windows for label in axis.labels if label not in known]
            raise tracer.error(f"einsum: '{spec.text}': give the size of one of the labels {', '.join(free)} in `sizes`")
        for axis, size in ready:
            _solve(axis, size, known, spec, tracer)
        windows = [each for each in windows if each not in ready]
    return known


def _agreed(known: Index, size: Index, tracer: Tracer) -> Index | None:
    """The size of a label from two axes, one of which may have size 1 and broadcast; None if they differ."""
    if known != 1 and size != 1 and not tracer.sizes.unify(known, size, broadcast=True):
        return None
    known, size = tracer.sizes.resolve(known), tracer.sizes.resolve(size)
    return size if known == 1 else known


def _is_ready(axis: Affine | Concatenation, known: Mapping[str, Index]) -> bool:
    """Whether all labels of a window or concatenation except one have sizes. For a padded window this is the first label."""
    missing = [label for label in axis.labels if label not in known]
    return len(missing) <= 1 and not (isinstance(axis, Affine) and axis.padded and axis.terms[1][1] in missing)


def _solve(axis: Affine | Concatenation, size: Index, known: dict[str, Index], spec: Spec, tracer: Tracer) -> None:
    """Determine the unknown size of a label. In a window it is the greatest for which all indices are in bounds, in a padded
    window the number of all positions that the window starts from. In a concatenation it is the remainder of the axis."""
    if isinstance(axis, Concatenation):
        _solve_parts(axis, size, known, spec, tracer)
        return
    if axis.padded:
        factor, label = axis.terms[0]
        expected = ceildiv(size, factor)
        agreed = _agreed(known.get(label, expected), expected, tracer)
        if agreed is None:
            raise tracer.error(f"einsum: '{spec.text}': label '{label}' has sizes {known[label]} and {expected}")
        known[label] = agreed
        return
    spare = size - 1
    for factor, label in axis.terms:
        if label in known:
            spare = spare - factor * (known[label] - 1)
    if len(axis.terms) > 1 and not tracer.sizes.assume(spare):
        raise tracer.error(f"einsum: '{spec.text}': a window does not fit into an axis of size {size}")
    for factor, label in axis.terms:
        if label not in known:
            known[label] = spare // factor + 1


def _solve_parts(axis: Concatenation, size: Index, known: dict[str, Index], spec: Spec, tracer: Tracer) -> None:
    rest, missing = size, [label for label in axis.labels if label not in known]
    for label in axis.labels:
        rest = rest - known.get(label, index(0))
    if not tracer.sizes.assume(rest) if missing else not tracer.sizes.unify(rest, index(0)):
        raise tracer.error(f"einsum: '{spec.text}': the parts of {'^'.join(axis.labels)} do not add up to {size}")
    known.update(dict.fromkeys(missing, rest))


class Rows(NamedTuple):
    """An operand of `einsum` and `compose`: a tensor, with the numbers of its batch and input axes and the units of its axes,
    which are in the order batch, output, input."""

    value: TensorLike
    batch: int
    input: int
    units: tuple[tuple[int, str], ...]

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("rows: expected them as operands of sw.einsum or sw.compose, got an operator: apply it to the tensor")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = _refuse
    __rtruediv__ = __pow__ = __rpow__ = __neg__ = _refuse
    __array_ufunc__ = None  # operators of NumPy's arrays defer to the operators below


def rows(x: TensorLike, *, batch: int = 0, input: int = 0, units: Mapping[int, str] = MappingProxyType({})) -> Rows:
    """x as an operand of `einsum`: its first `batch` axes are batch axes, its last `input` axes are input axes, the others are
    output axes. `units` names what the sizes of axes count: a label of `einsum` has one unit, which its results keep. Raises
    ShapeError for negative numbers, for more axes than x has, and for a unit that differs from that of an axis."""
    value = tensor(x)
    counts = [int_of(each, what, value.tracer) for each, what in ((batch, "batch"), (input, "input"))]
    if counts[0] < 0 or counts[1] < 0 or counts[0] + counts[1] > value.ndim:
        raise value.tracer.error(f"rows: expected batch and input axes among {value.ndim}, got batch={batch}, input={input}")
    named = dict(value.tracer.units.get(value.value, {}))
    if not isinstance(units, Mapping) or not all(isinstance(each, str) for each in units.values()):
        raise value.tracer.error(f"rows: expected units by axis, as in {{0: 'm'}}, got {units!r}")
    for axis, unit in units.items():
        at = axis_of(axis, value.ndim, value.tracer)
        if named.setdefault(at, unit) != unit:
            raise value.tracer.error(f"rows: axis {at} has the unit '{named[at]}', got '{unit}'")
    return Rows(value, counts[0], counts[1], tuple(named.items()))


def units(x: TensorLike, /) -> dict[int, str]:
    """The units of the axes of x, by axis, as `einsum` determines them for its results."""
    value = tensor(x)
    return dict(value.tracer.units.get(value.value, {}))
