"""Symmetric contractions: only tiles with elements on or above the diagonal are computed, the others copied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, maximum, minimum
from ....ir.rewrite import count
from ...analysis.contractions import Contraction
from ..builder import Writer

Span = tuple[Index, Index]

# The rows and columns of a block of the copy: the block and its mirror image, which it is read from, both stay in the first
# cache.
BLOCK = 32


@dataclass(frozen=True)
class Triangle:
    """The tiles of `rows` x `width` elements that have an element on or above the diagonal."""

    rows: int
    width: int

    def within(self, name: str, span: Span, at: Mapping[str, Index], rows: Index, columns: Index) -> Span:
        """The bounds of an inner loop over tiles: over panels of rows `q`, from `rows` on, in a panel of columns `p`, or the
        other way round."""
        lower, upper = span
        if name == "q":
            return lower, minimum(upper, ceildiv((columns + at["p"] + 1) * self.width, self.rows) - rows)
        return maximum(lower, (rows + at["q"]) * self.rows // self.width - columns), upper


def folded(at: Index, size: Index) -> Index:
    """The indices 0, size - 1, 1, size - 2 and so on, of which any half has about half of a triangle's tiles."""
    return at // 2 + at % 2 * (size - 1 - at // 2 * 2)


def write_mirrored(writer: Writer, found: Contraction, places: Mapping[Atom, IndexLike]) -> None:
    """Copy the elements above the diagonal of a contraction's results to those below it, in blocks."""
    count("contractions-mirrored", "Number of symmetric contractions of which half is computed")
    (store,) = (op for op in found.after if isinstance(op, loop.StoreOp))
    i, j = (Dim(writer.frame.number(axes[-1].induction)) for axes in (found.rows, found.columns))
    size, exprs = found.rows[-1].upper, writer.frame.exprs(store)
    with (
        writer.builder.source(store),
        writer.loop("parallel", 0, size, step=BLOCK, hint="rows") as rows,
        writer.loop("parallel", 0, rows + 1, step=BLOCK, hint="columns") as columns,
        writer.loop("parallel", 0, minimum(BLOCK, size - rows), hint="row") as row,
        writer.loop("parallel", 0, minimum(BLOCK, rows + row - columns), hint="column") as column,
    ):
        one, other = rows + row, columns + column
        value = writer.load(store.buffer, [expr.substitute({**places, i: other, j: one}) for expr in exprs])
        writer.store(value, store.buffer, [expr.substitute({**places, i: one, j: other}) for expr in exprs])
