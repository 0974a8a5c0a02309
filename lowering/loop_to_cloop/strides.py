"""How far apart elements lie in memory along each axis.

Sizes may be sums, as those of padded images or of every second row, and the strides of several such axes are products of them,
which have many terms when they are written out: (h + 2 - 2 * k) * (w + 2 - 2 * l) has nine. Every address would repeat these.
So a stride that is a sum is computed once, where the block of the program begins, and addresses are over its value. Where a
position was divided by the axes behind it, the sum stays: (d0 floordiv (w + 2)) * (w + 2) + d0 mod (w + 2) is d0 while that is
seen, and its lanes are neighbours.
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
    """The strides that have a name, for the block whose statements are being written; `values` gains them as integers."""

    def __init__(self, writer: ValueWriter, values: MutableMapping[SSAValue, Value], body: Block):
        self._writer = writer
        self._values = values
        self._block = body
        self._named: dict[Index, cloop.IndexOp] = {}

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Statements are written to a block of the program, which may become a function of its own."""
        outer = self._block, self._named
        self._block, self._named = block, {}
        yield
        self._block, self._named = outer

    def offset(self, shape: Shape, position: Sequence[Index], at: MutableSequence[SSAValue]) -> Index:
        """The offset in elements of a position over the integers `at`, to which strides are added that have a name."""
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
        # Where the block begins nothing is known of parameters that holds in some of its loops.
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
    """What a position along each axis and others may be divided by: products of sizes from it on, or right behind it."""
    ends = range(1, len(shape) + 1)
    return tuple(
        frozenset(product(shape[start:end]) for start in (axis, axis + 1) for end in ends if end > start)
        for axis in range(len(shape))
    )


def _divisors(expr: Index) -> Iterator[Index]:
    """What is divided by anywhere in an expression."""
    for atom in (atom for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)):
        if atom.op in ("floordiv", "mod"):
            yield atom.rhs
        yield from _divisors(atom.lhs)
        yield from _divisors(atom.rhs)
