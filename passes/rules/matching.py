"""Pattern matching of rewrite rules on micro-ops, and the writer of replacements.

Between a function and the reductions among its operands the matcher looks through index maps, such as the one of `keepdims`.
Elementwise functions commute with index maps, so the replacement is computed at the reduction's own shape and read through the
same map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import permutations
from typing import TypeVar

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import uop
from ...ir.index.expressions import dim
from ...ir.scalars.attributes import number, value_of
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import IndexMap, Shape, element_of, shape_of, tensor_type
from .rule import Rule
from .terms import Call, Number, Reduction, Term, Variable, fits_anywhere, is_reduced

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Reduced:
    """The reductions that a pattern has matched: their axes, the shape that they reduce, and the index map through which the
    root reads them."""

    axes: tuple[int, ...]
    shape: Shape
    view: IndexMap

    @property
    def kept(self) -> tuple[int, ...]:
        """The remaining axes, in order."""
        return tuple(axis for axis in range(len(self.shape)) if axis not in self.axes)


@dataclass(frozen=True)
class Match:
    """The values bound to a pattern's variables, and the operations below its root."""

    arguments: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    ops: Mapping[Operation, None] = field(default_factory=dict[Operation, None])
    reduced: Reduced | None = None

    def with_op(self, op: Operation) -> Match:
        return replace(self, ops={**self.ops, op: None})


def match_rule(rule: Rule, op: Operation) -> Match | None:
    """Match the rule's pattern with `op` at its root; None if it does not match, or a condition does not hold."""
    assert len(op.results) == 1, "micro-ops have one result"
    shape = shape_of(op.results[0])
    matches = _match(rule.pattern, op.results[0], IndexMap.identity(len(shape)), Match())
    whole = not is_reduced(rule.pattern)
    return next(
        (each for each in matches if not (whole and _is_misaligned(each.reduced, shape)) and rule.admits(each.arguments)), None
    )


def _is_misaligned(reduced: Reduced | None, shape: Shape) -> bool:
    """Whether the root, which has all axes, reads its reductions at other indices than broadcasting along the reduced axes
    does."""
    if reduced is None:
        return False
    return reduced.shape != shape or reduced.view != IndexMap.of(len(shape), [dim(axis) for axis in reduced.kept])


def _match(term: Term, value: SSAValue, path: IndexMap, found: Match) -> Iterator[Match]:
    """The ways to match; `path` maps the indices of the root, or of a reduction's operand, to those of `value`."""
    if isinstance(term, Number):
        if _is_number(value, term):
            yield _with_owner(found, value)
    elif isinstance(term, Variable):
        yield from _match_variable(term, value, path, found)
    elif is_reduced(term):
        yield from _match_reduced(term, value, path, found)
    elif isinstance(term, Call) and isinstance(value.owner, uop.MapOp) and value.owner.function.data == term.function:
        yield from _match_call(term, value.owner, path, found)


def _match_variable(term: Variable, value: SSAValue, path: IndexMap, found: Match) -> Iterator[Match]:
    known = found.arguments.get(term.name)
    if term.is_constant:
        attribute = _splat(value)
        if attribute is not None and (known is None or _splat(known) == attribute):
            yield replace(found, arguments={term.name: value, **found.arguments})
        return
    if path != IndexMap.identity(path.dims):
        return
    if known is None:
        yield replace(found, arguments={**found.arguments, term.name: value})
    elif known is value:
        yield found


def _match_call(term: Call, op: uop.MapOp, path: IndexMap, found: Match) -> Iterator[Match]:
    for operands in _operand_orders(term):
        yield from _match_all(list(zip(operands, op.inputs, strict=True)), path, found.with_op(op))


@lru_cache(maxsize=1 << 12)
def _operand_orders(term: Call) -> tuple[tuple[Term, ...], ...]:
    """The operand orders to try: both orders for a commutative function."""
    swaps = scalar(term.function).commutative and str(term.operands[0]) != str(term.operands[1])
    return tuple(permutations(term.operands)) if swaps else (term.operands,)


def _match_all(pairs: list[tuple[Term, SSAValue]], path: IndexMap, found: Match) -> Iterator[Match]:
    if not pairs:
        yield found
        return
    (term, value), *rest = pairs
    for each in _match(term, value, path, found):
        yield from _match_all(rest, path, each)


def _match_reduced(term: Term, value: SSAValue, path: IndexMap, found: Match) -> Iterator[Match]:
    """The ways to match a term without the reduced axes, through any index maps."""
    owner = value.owner
    if isinstance(owner, uop.ReindexOp) and owner.fill is None and not owner.indices:
        below = IndexMap.of(path.dims, owner.map.data.apply(path.results))
        yield from _match_reduced(term, owner.source, below, found.with_op(owner))
    elif isinstance(term, Call):
        if isinstance(owner, uop.MapOp) and owner.function.data == term.function:
            yield from _match_call(term, owner, path, found)
    elif isinstance(term, Reduction) and isinstance(owner, uop.ReduceOp) and owner.accumulator.data == term.accumulator:
        shape = shape_of(owner.input)
        reduced = Reduced(owner.axis_list, shape, path)
        if found.reduced in (None, reduced):
            inside = replace(found.with_op(owner), reduced=reduced)
            yield from _match(term.operand, owner.input, IndexMap.identity(len(shape)), inside)


def _splat(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The value of a splat constant; None for other values."""
    owner = value.owner
    if isinstance(owner, uop.ConstantOp) and not isinstance(owner.value, DenseIntOrFPElementsAttr):
        return owner.value
    return None


def _is_number(value: SSAValue, term: Number) -> bool:
    """Whether a value is a splat of the number in the value's dtype; 0.0 and -0.0 differ."""
    found = _splat(value)
    if found is None:
        return False
    element = element_of(value)
    dtype = dtype_of(element)
    # Check the range first: an attribute of the dtype would wrap an unrepresentable number to another one.
    if not dtype.is_float and not (float(term.value).is_integer() and dtype.lowest <= term.value <= dtype.highest):
        return False
    return str(found) == str(number(term.value, element))


def _with_owner(found: Match, value: SSAValue) -> Match:
    return found.with_op(value.owner) if isinstance(value.owner, Operation) else found


@dataclass
class Writer:
    """Creates the operations of one match's replacement, in order; common subterms are created once."""

    match: Match
    root: SSAValue
    ops: list[Operation] = field(default_factory=list)
    _written: dict[int, SSAValue] = field(default_factory=dict)

    def write(self, term: Term) -> SSAValue | None:
        """The value that replaces the root; None if it would not have the root's type."""
        value = self._numeral(term, self.root.type) if isinstance(term, Number) else self.value(term)
        if fits_anywhere(term) and not isinstance(term, Number):
            value = self._broadcast(value, shape_of(self.root))
        reduced = self.match.reduced
        if reduced is not None and is_reduced(term):
            shape = shape_of(self.root)
            if reduced.view != IndexMap.identity(len(shape)) or shape != shape_of(value):
                value = self._add(uop.ReindexOp(value, shape, reduced.view.results)).result
        return value if value.type == self.root.type else None

    def _add(self, op: OpT) -> OpT:
        self.ops.append(op)
        return op

    def value(self, term: Term) -> SSAValue:
        """The value of a term other than a number, with the term's own axes."""
        if isinstance(term, Variable):
            return self.match.arguments[term.name]
        if id(term) not in self._written:
            assert isinstance(term, Call | Reduction), "a number is created next to an operand"
            self._written[id(term)] = self._call(term) if isinstance(term, Call) else self._reduce(term)
        return self._written[id(term)]

    def _reduce(self, term: Reduction) -> SSAValue:
        assert self.match.reduced is not None, "a rule whose pattern reduces"
        return self._add(uop.ReduceOp(term.accumulator, self.value(term.operand), self.match.reduced.axes)).result

    def _call(self, term: Call) -> SSAValue:
        values = [None if isinstance(each, Number) else self.value(each) for each in term.operands]
        found = [value for value in values if value is not None]
        shape = self._shape(term, found)
        # The last operand has the dtype of the operands: the first may be a condition.
        beside = tensor_type(shape, element_of(found[-1] if found else self.root))
        operands = [
            self._numeral(each, beside) if isinstance(each, Number) else value
            for each, value in zip(term.operands, values, strict=True)
        ]
        operands = [self._broadcast(each, shape) for each in operands if each is not None]
        folded = _folded(term.function, operands)
        if folded is not None:
            return self._add(uop.ConstantOp(folded, tensor_type(shape, folded.type))).result
        return self._add(uop.MapOp(term.function, *operands)).result

    def _shape(self, term: Call, values: list[SSAValue]) -> Shape:
        """The shape of a call: the shape of the operand with the most axes."""
        shaped = [
            value
            for each, value in zip([each for each in term.operands if not isinstance(each, Number)], values, strict=True)
            if not fits_anywhere(each)
        ]
        return max(map(shape_of, shaped), key=len, default=shape_of(self.root))

    def _numeral(self, term: Number, type: Attribute) -> SSAValue:
        return self._add(uop.ConstantOp(number(term.value, element_of(type)), type)).result

    def _broadcast(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Broadcast a constant, or a reduced value along its missing axes, to another shape."""
        if shape_of(value) == shape:
            return value
        splat = _splat(value)
        if splat is not None:
            return self._add(uop.ConstantOp(splat, tensor_type(shape, element_of(value)))).result
        assert self.match.reduced is not None, "only reduced values lack axes"
        return self._add(uop.ReindexOp(value, shape, [dim(axis) for axis in self.match.reduced.kept])).result


def _folded(function: str, operands: list[SSAValue]) -> FloatAttr | IntegerAttr | None:
    """Constant-fold a function of numbers if its result is the same on every machine; None otherwise."""
    row = scalar(function)
    splats = [each for each in map(_splat, operands) if each is not None]
    if row.ulp or row.result != "same" or len(splats) != len(operands):
        return None
    values = [dtype_of(each.type).numpy.type(value_of(each)) for each in splats]
    if row.checks_divisor and not dtype_of(splats[1].type).is_float and values[1] == 0:
        return None
    return number(row.numpy(*values).item(), splats[-1].type)
