"""Strides of buffers on the C level, computed once per block where they are sums.

Sizes may be sums, as of padded images or of every second row. The strides of several such axes are products of sums, with many
terms when expanded: (h + 2 - 2 * k) * (w + 2 - 2 * l) has nine. Every address would repeat these terms. So a stride that is a
sum is computed once, at the start of the block, and addresses use its value. An index that divides by the sizes of later axes
keeps the symbolic sum: (d0 floordiv (w + 2)) * (w + 2) + d0 mod (w + 2) then simplifies to d0, which is contiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, MutableSequence, Sequence
from contextlib import contextmanager
from functools import lru_cache

from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...ir.index.expressions import ZERO, Apply, Index, dim, product
from ...ir.index.simplify import Ranges
from ...ir.rewrite import derive
from ...ir.types.shapes import Shape, strides_of
from ..emission.divisions import truncating
from .values import Value, ValueWriter


class Strides:
    """The strides computed at the start of the current block; they are added to `values` as integers."""

    def __init__(self, writer: ValueWriter, values: MutableMapping[SSAValue, Value], body: Block):
        self._writer = writer
        self._values = values
        self._block = body
        self._named: dict[Index, cloop.IndexOp] = {}

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Make `block` the current block. It computes its own strides, since it may be outlined into a function."""
        outer = self._block, self._named
        self._block, self._named = block, {}
        yield
        self._block, self._named = outer

    def offset(self, shape: Shape, position: Sequence[Index], at: MutableSequence[SSAValue]) -> Index:
        """The row-major offset, in elements, of an index over the integers `at`; computed strides are appended to `at`."""
        offset = ZERO
        for each, stride, spans in zip(position, strides_of(shape), _spans(shape), strict=True):
            if len(stride.terms) <= 1 or each == 0 or not spans.isdisjoint(_divisors(each)):
                offset = offset + each * stride
                continue
            value = self._value(stride)
            if value not in at:
                at.append(value)
            offset = offset + each * dim(at.index(value))
        return offset

    def _value(self, stride: Index) -> SSAValue:
        known = self._named.get(stride)
        if known is not None:
            derive(known, self._writer.builder.sources)
            return known.result
        # At the start of the block, assumptions about parameters made in its loops do not hold.
        ranges = Ranges()
        made = cloop.IndexOp(truncating(ranges.simplify(stride), ranges), [])
        with self._writer.builder.at(InsertPoint.at_start(self._block)):
            self._writer.add(made)
        made.result.name_hint = "stride"
        self._named[stride] = made
        self._values[made.result] = made.result
        return made.result


@lru_cache(maxsize=1 << 10)
def _spans(shape: Shape) -> tuple[frozenset[Index], ...]:
    """For each axis, the divisors that may occur in its indices after a reshape: products of sizes from the axis, or the next
    one, onwards."""
    ends = range(1, len(shape) + 1)
    return tuple(
        frozenset(product(shape[start:end]) for start in (axis, axis + 1) for end in ends if end > start)
        for axis in range(len(shape))
    )


def _divisors(expr: Index) -> Iterator[Index]:
    """All divisors in an expression."""
    for atom in (atom for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)):
        if atom.op in ("floordiv", "mod"):
            yield atom.rhs
        yield from _divisors(atom.lhs)
        yield from _divisors(atom.rhs)
