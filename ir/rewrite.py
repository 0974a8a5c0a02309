"""The interface for creating operations in passes: every new operation declares the operations that it derives from.

`Builder` inserts operations on behalf of source operations; `replace` and `erase` rewrite one operation. All of them give new
operations the fused locations of their sources, and notify the current `Recorder`, from which the pass manager builds its
trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .context_values import holding
from .locations import fuse, is_known
from .nesting import operations

OpT = TypeVar("OpT", bound=Operation)


@dataclass
class Recorder:
    """The changes of one pass.

    `origins` maps each new operation to those it was derived from, and the kept operation of a merge to those it replaces;
    `erased` has the erased operations, and `merged` is the number of those whose uses another one took over. `counters` has the
    pass's own statistics, by name and description, and `remarks` the reasons why operations were left unchanged.
    """

    origins: dict[Operation, dict[Operation, None]] = field(default_factory=dict)
    erased: dict[Operation, None] = field(default_factory=dict)
    merged: int = 0
    counters: Counter[tuple[str, str]] = field(default_factory=Counter)
    remarks: dict[Operation, str] = field(default_factory=dict)

    def derived(self, new: Operation, sources: Iterable[Operation]) -> None:
        self.origins.setdefault(new, {}).update(dict.fromkeys(source for source in sources if source is not new))


_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[Recorder]:
    """Notify `recorder` of every `derive` and `erase` inside the block."""
    with holding(_recorder, recorder):
        yield recorder


def count(name: str, description: str, by: int = 1) -> None:
    """Add to a statistic of the running pass."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.counters[name, description] += by


def remark(op: Operation, reason: str) -> None:
    """Record why the running pass leaves an operation unchanged."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.remarks[op] = reason


def derive(new: Operation, sources: Sequence[Operation]) -> None:
    """Declare that `new` derives from `sources`: fuse their locations, and record it.

    Locations that `new` already has (a merge keeps one of its operations) come first. Nested operations without a location get
    the same sources.
    """
    recorder = _recorder.get()
    locations = [source.location for source in sources]
    for op in operations(new) if new.regions else (new,):
        if op is not new and is_known(op.location):
            continue
        op.location = fuse((op.location, *locations))
        if recorder is not None:
            recorder.derived(op, sources)


def derive_copy(copy: Operation, *originals: Operation, others: Sequence[Operation] = ()) -> None:
    """Declare a copy: each operation in it derives from the corresponding one of each original, and from `others`."""
    # From the inside out: otherwise an operation without a location would get those of enclosing operations.
    for new, *sources in reversed(list(zip(operations(copy), *map(operations, originals), strict=True))):
        derive(new, (*sources, *others))


def replace(op: Operation, new_ops: Sequence[Operation], results: Sequence[SSAValue] | None = None) -> None:
    """Replace `op` by `new_ops`; `results` (by default those of the last new operation) take over its uses."""
    for new in new_ops:
        derive(new, (op,))
    values = results if results is not None else (new_ops[-1].results if new_ops else ())
    assert len(values) == len(op.results), f"replacing '{op.name}': {len(values)} values for {len(op.results)} results"
    assert op.parent is not None, "only operations inside a block can be replaced"
    op.parent.insert_ops_before(list(new_ops), op)
    for old, new_value in zip(op.results, values, strict=True):
        if new_value.name_hint is None:
            new_value.name_hint = old.name_hint
        old.replace_all_uses_with(new_value)
    erase(op)


def merge(keep: Operation, gone: Operation) -> None:
    """Transfer the uses and sources of `gone` to `keep`, and erase it."""
    for old, new_value in zip(gone.results, keep.results, strict=True):
        old.replace_all_uses_with(new_value)
    absorb(keep, gone)
    erase(gone)


def absorb(keep: Operation, gone: Operation) -> None:
    """Transfer the sources of `gone` to `keep`, which has taken over its uses by other means."""
    keep.location = fuse((keep.location, gone.location))
    recorder = _recorder.get()
    if recorder is not None:
        recorder.derived(keep, (gone,))
        recorder.merged += 1


def erase(op: Operation) -> None:
    """Remove an operation without uses, and record the deletion."""
    record_erasure(op)
    Rewriter.erase_op(op)


def record_erasure(op: Operation) -> None:
    """Record the deletion of an operation, with all nested ones, which the caller removes by other means."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.erased.update(dict.fromkeys(operations(op)))


class Builder:
    """Inserts operations at an insertion point, on behalf of source operations."""

    def __init__(self, where: InsertPoint | Block, *sources: Operation):
        self.point = InsertPoint.at_end(where) if isinstance(where, Block) else where
        self.sources: tuple[Operation, ...] = sources

    @contextmanager
    def source(self, *ops: Operation) -> Iterator[None]:
        """Derive all operations added inside the block from `ops`."""
        saved, self.sources = self.sources, ops
        try:
            yield
        finally:
            self.sources = saved

    @contextmanager
    def at(self, where: InsertPoint | Block) -> Iterator[None]:
        """Insert at another point inside the block."""
        saved, self.point = self.point, InsertPoint.at_end(where) if isinstance(where, Block) else where
        try:
            yield
        finally:
            self.point = saved

    def add(self, op: OpT) -> OpT:
        """Insert `op` at the current point, derived from the current sources. Returns it."""
        derive(op, self.sources)
        Rewriter.insert_op(op, self.point)
        return op
