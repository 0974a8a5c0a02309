"""Dependences between accesses, from iteration domains and access maps.

Two accesses of one buffer, one of which writes, depend on each other if their addresses are equal. Whether their enclosing
loops may be fused reduces to one question, which `aligned` answers: do equal addresses force equal loop indices? If they do,
the memory that one iteration writes is only accessed by the same iteration of the other loop.

    t[i] = ...       and    ... = t[j]           aligned: i == j
    t[i] = ...       and    ... = t[n - 1 - j]   not aligned
    t[4 * i + r]     and    t[4 * j + s]         aligned in i and j when 0 <= r, s < 4

The proof is by intervals. In one axis let the addresses be c * i + a and c * j + b. Where they are equal, c * (i - j) = b - a,
and when -c < b - a < c is proven, i == j.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...ir.index.expressions import Atom, Dim, Index, IndexLike
from ...ir.index.simplify import Ranges
from .loop_nests import Access, Node


def kind(first: Access, second: Access) -> str | None:
    """How the second access, which runs later, depends on the first: "RAW", "WAR", "WAW", or None for two reads."""
    if first.writes and second.writes:
        return "WAW"
    if first.writes:
        return "RAW"
    return "WAR" if second.writes else None


def dependences(first: Node, second: Node) -> Iterator[tuple[Access, Access]]:
    """The pairs of accesses of one buffer, the first access in `first` and the second in `second`, of which at least one
    writes."""
    for buffer, accesses in first.accesses.items():
        if buffer not in first.written and buffer not in second.written:
            continue
        for other in second.accesses.get(buffer, ()):
            for access in accesses:
                if access.writes or other.writes:
                    yield access, other


def shared_reads(first: Node, second: Node) -> Iterator[tuple[Access, Access]]:
    """A pair of reads for each buffer that both nodes read and neither writes."""
    for buffer, accesses in first.accesses.items():
        if buffer in second.accesses and buffer not in first.written and buffer not in second.written:
            yield accesses[0], second.accesses[buffer][0]


def aligned(
    first: Access, second: Access, i: int, j: int, ranges: Ranges, equal: Mapping[Atom, IndexLike] | None = None
) -> bool:
    """Whether equal addresses of the two accesses force index `i` of the first to equal index `j` of the second. `equal` maps
    indices of the second access to indices of the first that are known to be equal.
    """
    return any(
        _forces(left, right.substitute(equal) if equal else right, i, j, ranges)
        for left, right in zip(first.exprs, second.exprs, strict=True)
    )


def _forces(left: Index, right: Index, i: int, j: int, ranges: Ranges) -> bool:
    factor, other = left.coefficient(Dim(i)), right.coefficient(Dim(j))
    if factor is None or factor != other or factor == 0:
        return False
    difference = (right - Index({(Dim(j),): 1}) * factor) - (left - Index({(Dim(i),): 1}) * factor)
    if difference == 0:
        # c * (i - j) == 0 with c != 0, which is known if c is a constant.
        return factor.constant is not None or ranges.nonnegative(factor - 1)
    return any(ranges.less(difference, size) and ranges.less(-difference, size) for size in (factor, -factor))


def all_aligned(
    pairs: Sequence[tuple[Access, Access]], i: int, j: int, ranges: Ranges, equal: Mapping[Atom, IndexLike] | None = None
) -> bool:
    return all(aligned(first, second, i, j, ranges, equal) for first, second in pairs)
