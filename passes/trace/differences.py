"""Differences: what a pass changed in the text of a module, aligned by the trace rather than by the text alone.

    before                                   after
    %3 = uop.map "exp"(%2) ...               %4 = uop.map "exp"(%3) ...      equal: only renumbered
    %4 = uop.map "log"(%3) ...                                               removed
    %5 = uop.map "neg"(%2) ...               %5 = uop.map "abs"(%3) ...      changed: the second derives from the first

Steps:

1. Pair each operation with the first one that derives from it, and keep the longest chain of pairs in the order of both texts.
2. Between pairs, align lines that start no operation (closing braces, block arguments) where they agree at the ends of a gap.
3. Read the aligned lines in order, mapping the names of values before the pass to those after it. Lines that agree under this
   mapping are equal, others are changed; lines without a partner are removed or added.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from .recording import Step
from .snapshots import Snapshot

_VALUE = re.compile(r'"(?:[^"\\]++|\\.)*+"|%[\w$.-]+')
_DEFINED = re.compile(r"(%[\w$.-]+(?:, %[\w$.-]+)*) = ")
_ARGUMENTS = re.compile(r"(%[\w$.-]+): ")


class Kind(IntEnum):
    """The change of a line by a pass."""

    EQUAL = 0
    CHANGED = 1
    REMOVED = 2
    ADDED = 3


class Run(NamedTuple):
    """`length` consecutive lines of one kind; the first before and after the pass, from 1, 0 where there is none."""

    kind: Kind
    before: int
    after: int
    length: int


class Row(NamedTuple):
    """One line before a pass and its partner after it, 0 where there is none."""

    kind: Kind
    before: int
    after: int


def differences(step: Step) -> list[Run]:
    """All lines of the texts before and after a pass, in runs of one kind, in order. A trace without texts has none."""
    if step.before.text is None or step.after.text is None:
        return []
    before, after = step.before.text.splitlines(), step.after.text.splitlines()
    if before == after:
        return [Run(Kind.EQUAL, 1, 1, len(before))]
    pairs = _increasing(_pairs(step, before, after))
    return list(_runs(_rows(pairs, before, after)))


def rows_of(runs: Iterable[Run]) -> Iterator[Row]:
    """The lines of some runs, one by one."""
    for kind, before, after, length in runs:
        for number in range(length):
            yield Row(kind, before + number if before else 0, after + number if after else 0)


def op_counts(snapshot: Snapshot) -> Mapping[str, int]:
    """The number of operations of each name in a snapshot."""
    return Counter(op.name for op in snapshot.ops)


def _pairs(step: Step, before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of lines, numbered from 0: the line of an operation before the pass, and the line of the first operation after the
    pass that derives from it. Pairs are in the order of the text before the pass."""
    first: dict[int, int] = {}
    for origin, derived in enumerate(step.forward):
        # If several operations were merged into one, that one is the first of them.
        results = [result for result in derived if step.backward[result][0] == origin]
        line = step.before.ops[origin].line - 1
        if line < 0 or line in first or not results:
            continue
        name = step.before.ops[origin].name
        starts = [step.after.ops[result].line - 1 for result in results]
        same = (start for start, result in zip(starts, results, strict=True) if step.after.ops[result].name == name)
        alike = (start for start in starts if _template(after[start]) == _template(before[line]))
        first[line] = next(alike, next(same, starts[0])) if len(starts) > 1 else starts[0]
    yield from sorted(first.items())


def _increasing(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of pairs, given in the order of their first numbers, that increases in both."""
    ends: list[int] = []
    last: list[int] = []
    chosen = list(pairs)
    previous = [-1] * len(chosen)
    for index, (_, after) in enumerate(chosen):
        length = bisect_left(ends, after)
        if length:
            previous[index] = last[length - 1]
        ends[length : length + 1] = [after]
        last[length : length + 1] = [index]
    found: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(chosen[at])
        at = previous[at]
    return found[::-1]


def _rows(pairs: Sequence[tuple[int, int]], before: Sequence[str], after: Sequence[str]) -> Iterator[Row]:
    names: dict[str, str] = {}
    at_before = at_after = 0
    for end_before, end_after in (*pairs, (len(before), len(after))):
        if at_before < end_before or at_after < end_after:
            yield from _gap(range(at_before, end_before), range(at_after, end_after), before, after, names)
        if end_before < len(before) and end_after < len(after):
            yield _aligned(end_before, end_after, before, after, names)
        at_before, at_after = end_before + 1, end_after + 1


def _gap(old: range, new: range, before: Sequence[str], after: Sequence[str], names: dict[str, str]) -> Iterator[Row]:
    """The rows of lines between two pairs: lines that agree at either end are aligned."""
    shortest = min(len(old), len(new))
    head = next((k for k in range(shortest) if _template(before[old[k]]) != _template(after[new[k]])), shortest)
    most = shortest - head
    tail = next((k for k in range(most) if _template(before[old[-1 - k]]) != _template(after[new[-1 - k]])), most)
    for k in range(head):
        yield _aligned(old[k], new[k], before, after, names)
    yield from (Row(Kind.REMOVED, line + 1, 0) for line in old[head : len(old) - tail])
    yield from (Row(Kind.ADDED, 0, line + 1) for line in new[head : len(new) - tail])
    for k in range(tail, 0, -1):
        yield _aligned(old[-k], new[-k], before, after, names)


def _aligned(old: int, new: int, before: Sequence[str], after: Sequence[str], names: dict[str, str]) -> Row:
    """The row of two aligned lines; the values that they define correspond from here on. `names` has the values with new
    names."""
    if not names and before[old] == after[new]:
        return Row(Kind.EQUAL, old + 1, new + 1)
    defined, redefined = _definitions(before[old]), _definitions(after[new])
    if len(defined) == len(redefined):
        for name, now in zip(defined, redefined, strict=True):
            names[name] = now
            if name == now:
                del names[name]
    renamed = _VALUE.sub(lambda match: names.get(match.group(), match.group()), before[old])
    return Row(Kind.EQUAL if renamed == after[new] else Kind.CHANGED, old + 1, new + 1)


def _definitions(line: str) -> list[str]:
    """The values that a line defines: results, block arguments, parameters of a function."""
    match = _DEFINED.search(line)
    if match is not None:
        return match[1].split(", ")
    return _ARGUMENTS.findall(line) if "(" in line and line.lstrip().startswith(("^", "func.func")) else []


def _template(line: str) -> str:
    """A line without the names of values."""
    return _VALUE.sub(lambda match: "%" if match.group().startswith("%") else match.group(), line)


def _runs(rows: Iterable[Row]) -> Iterator[Run]:
    current: Run | None = None
    for kind, before, after in rows:
        if current is not None and current.kind == kind and _continues(current, before, after):
            current = current._replace(length=current.length + 1)
            continue
        if current is not None:
            yield current
        current = Run(kind, before, after, 1)
    if current is not None:
        yield current


def _continues(run: Run, before: int, after: int) -> bool:
    return (not before or before == run.before + run.length) and (not after or after == run.after + run.length)
