"""The only way for a pass to make operations: every new operation says which operations it comes from.

`Builder` inserts operations on behalf of source operations; `replace` and `erase` rewrite one operation. All of them
give new operations the fused locations of their sources and tell the current `Recorder`, from which the pass manager
builds its trace.
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

from .locations import fuse, is_known
from .nesting import operations

OpT = TypeVar("OpT", bound=Operation)


@dataclass
class Recorder:
    """What one pass did.

    `origins` has for each new operation those it was derived from, and for one that a merge kept those it replaces;
    `erased` has the operations erased, and `merged` counts those of them whose uses another one took over. `counters`
    are the statistics that the pass counts itself, by name and description.
    """

    origins: dict[Operation, dict[Operation, None]] = field(default_factory=dict)
    erased: dict[Operation, None] = field(default_factory=dict)
    merged: int = 0
    counters: Counter[tuple[str, str]] = field(default_factory=Counter)

    def derived(self, new: Operation, sources: Iterable[Operation]) -> None:
        self.origins.setdefault(new, {}).update(dict.fromkeys(source for source in sources if source is not new))


_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[Recorder]:
    """Direct every `derive` and `erase` inside the block to `recorder`."""
    token = _recorder.set(recorder)
    try:
        yield recorder
    finally:
        _recorder.reset(token)


def count(name: str, description: str, by: int = 1) -> None:
    """Count something for the statistics of the running pass."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.counters[name, description] += by


def derive(new: Operation, sources: Sequence[Operation]) -> None:
    """Declare that `new` comes from `sources`: fuse their locations and record it.

    Locations that `new` has already (a merge keeps one of its operations) come first. Operations inside its regions
    that have no source yet get the same ones.
    """
    recorder = _recorder.get()
    locations = [source.location for source in sources]
    for op in operations(new) if new.regions else (new,):
        if op is not new and is_known(op.location):
            continue
        op.location = fuse((op.location, *locations))
        if recorder is not None:
            recorder.derived(op, sources)


def replace(op: Operation, new_ops: Sequence[Operation], results: Sequence[SSAValue] | None = None) -> None:
    """Put `new_ops` in the place of `op`; `results` (by default those of the last new op) take over its uses."""
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
    """`keep` takes over the uses and the sources of `gone`, which is erased."""
    for old, new_value in zip(gone.results, keep.results, strict=True):
        old.replace_all_uses_with(new_value)
    absorb(keep, gone)
    erase(gone)


def absorb(keep: Operation, gone: Operation) -> None:
    """`keep` takes over the sources of `gone`, whose uses it has got by other means."""
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
    """Record the deletion of an operation, with all inside it, that somebody else removes."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.erased.update(dict.fromkeys(operations(op)))


class Builder:
    """Inserts operations at a point, on behalf of the operations named by `source`."""

    def __init__(self, where: InsertPoint | Block, *sources: Operation):
        self.point = InsertPoint.at_end(where) if isinstance(where, Block) else where
        self.sources: tuple[Operation, ...] = sources

    @contextmanager
    def source(self, *ops: Operation) -> Iterator[None]:
        """Everything added inside the block is derived from `ops`."""
        saved, self.sources = self.sources, ops
        try:
            yield
        finally:
            self.sources = saved

    @contextmanager
    def at(self, where: InsertPoint | Block) -> Iterator[None]:
        """Insert at another place inside the block."""
        saved, self.point = self.point, InsertPoint.at_end(where) if isinstance(where, Block) else where
        try:
            yield
        finally:
            self.point = saved

    def add(self, op: OpT) -> OpT:
        """Insert `op` at the current point, derived from the current sources, and return it."""
        derive(op, self.sources)
        Rewriter.insert_op(op, self.point)
        return op
