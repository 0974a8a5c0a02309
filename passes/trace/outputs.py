"""Output tracing: finds the operations that yield the result of a source line, out of the many that a layer becomes.

An operation yields the output of a line that it comes from if an operation from another line uses its result or the memory that
it writes, or if it is returned. A line that calls a function owns all operations of the call. The results of the program are
also the output of the line where its function is defined.

    %0 = graph.matmul %x, %w    loc("model.py":3)
    %1 = graph.add %0, %b       loc("model.py":3)       <- yields the output of line 3
    %2 = graph.exp %1           loc("model.py":4)       <- yields the output of line 4, and that of the function
    func.return %2

Passes mix the operations of lines: one line may consume what another computes, and hand it back. After a pass an operation
therefore yields a line only if these rules say so and one of the operations that it comes from yielded that line before; if a
write to memory was removed, the operation that defined the stored value yields it instead.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, MemoryWriteEffect

from ...dialects.cloop.base import PointerType
from ...dialects.cloop.registers import RegistersType
from ...ir.functions.entry import is_private
from ...ir.functions.versions import is_version
from ...ir.locations import Frame, Line, Sources
from ...ir.nesting import operations


def outputs_of(module: ModuleOp) -> dict[Operation, tuple[Frame, ...]]:
    """For each operation that yields the output of source lines, its positions on these lines."""
    return _outputs(operations(module), Sources())


def _outputs(ops: Sequence[Operation], sources: Sources) -> dict[Operation, tuple[Frame, ...]]:
    public = [op.location for op in ops if isinstance(op, FuncOp) and op.parent_op() is ops[0] and is_entered(op)]
    whole = tuple(frame for location in public for frame in sources.frames(location))
    uses = _Uses(sources)
    return {op: found for op in ops if (found := _yields(op, sources.frames(op.location), uses, whole))}


class Outputs:
    """The lines that each operation of a module yields, by its number in the order of traversal; updated after each pass."""

    def __init__(self, ops: Sequence[Operation], sources: Sources):
        self.yields: list[tuple[Frame, ...]] = []
        self._sources = sources
        # For each write that yields: the operations that define the stored values.
        self._writes: dict[int, tuple[int, ...]] = {}
        own = _outputs(ops, sources)
        self._set(ops, [own.get(op, ()) for op in ops])

    def follow(self, ops: Sequence[Operation], backward: Sequence[Sequence[int]]) -> None:
        """Update after a pass. `ops` are all operations of the module in order; `backward` has for each of them the numbers of
        those that it comes from."""
        handed, own = self._passed_on(backward), _outputs(ops, self._sources)
        found: list[tuple[Frame, ...]] = []
        for op, origins in zip(ops, backward, strict=True):
            before = handed[origins[0]] if len(origins) == 1 else {line for origin in origins for line in handed[origin]}
            found.append(tuple(frame for frame in own.get(op, ()) if frame.in_file in before))
        # Sizes and constants that such an operation uses derive from it too, and may be shared with other operations.
        computed = {frame.in_file for op, yields in zip(ops, found, strict=True) if yields and op.operands for frame in yields}
        for number, op in enumerate(ops):
            if found[number] and not op.operands:
                found[number] = tuple(frame for frame in found[number] if frame.in_file not in computed)
        self._set(ops, found)

    def _passed_on(self, backward: Sequence[Sequence[int]]) -> list[set[Line]]:
        """The lines whose output each operation before the pass may pass on: lines that it yielded, and lines that erased
        writes of its result yielded."""
        kept = {origin for origins in backward for origin in origins}
        handed = [{frame.in_file for frame in each} for each in self.yields]
        for number, makers in self._writes.items():
            for maker in makers if number not in kept else ():
                handed[maker].update(frame.in_file for frame in self.yields[number])
        return handed

    def _set(self, ops: Sequence[Operation], yields: list[tuple[Frame, ...]]) -> None:
        self.yields = yields
        numbers = {op: number for number, op in enumerate(ops)}
        self._writes = {
            number: tuple(numbers[operand.op] for operand in op.operands if isinstance(operand, OpResult))
            for op, number in numbers.items()
            if yields[number] and _writes(type(op))
        }


class _Use(NamedTuple):
    """A summary of the users of a value: `shared` has the source lines that all users come from (None without users), `ends`
    the lines of functions that return it."""

    shared: frozenset[Line] | None = None
    ends: frozenset[ReturnOp | FuncOp] = frozenset()

    def and_also(self, other: _Use) -> _Use:
        """The summary of both sets of users."""
        if other.shared is None or self.shared is None:
            return self if other.shared is None else other
        shared = self.shared if self.shared is other.shared else self.shared & other.shared
        return _Use(shared, self.ends | other.ends if other.ends else self.ends)


class _Uses:
    """The uses of the values of a module; memoised, as many operations write to the same memory."""

    def __init__(self, sources: Sources):
        self._sources = sources
        self._known: dict[tuple[SSAValue, bool], _Use] = {}

    def of_op(self, op: Operation) -> _Use:
        """The users of an operation's results and the readers of the memory that it writes; the function itself for memory of
        its caller. An operation that reads the memory that it writes is among the readers: its own lines do not restrict the
        intersection.
        """
        found = _Use()
        for result in op.results:
            if not _is_memory(result):
                found = found.and_also(self._of(result, outer=True))
        for memory in _written(op):
            found = found.and_also(
                self._of_param(memory) if isinstance(memory, BlockArgument) else self._of(memory, outer=False)
            )
        return found

    def _of_param(self, memory: BlockArgument) -> _Use:
        function = memory.block.parent_op()
        assert function is not None, "memory is handed to functions"
        return self._by(function)

    def _of(self, value: SSAValue, outer: bool) -> _Use:
        """The operations that use a value, or pointers into it; with `outer`, the parents of region terminators."""
        known = self._known.get((value, outer))
        if known is None:
            known = _Use()
            for use in value.uses:
                known = known.and_also(self._through(use.operation, outer))
            self._known[value, outer] = known
        return known

    def _through(self, user: Operation, outer: bool) -> _Use:
        pointers = [result for result in user.results if _is_memory(result)]
        if not pointers:
            return self._by(_outer(user) if outer else user)
        found = _Use()
        for pointer in pointers:
            found = found.and_also(self._of(pointer, outer))
        return found

    def _by(self, user: Operation) -> _Use:
        ends = frozenset((user,)) if isinstance(user, ReturnOp | FuncOp) else frozenset[ReturnOp | FuncOp]()
        return _Use(self._sources.lines(user.location), ends)


def _yields(op: Operation, own: tuple[Frame, ...], uses: _Uses, whole: Sequence[Frame]) -> tuple[Frame, ...]:
    if isinstance(op, ModuleOp | FuncOp) or _ends_region(type(op)):
        return ()
    used = uses.of_op(op)
    if used.ends:
        # Results of a private function belong to its caller; buffers that a kernel writes may be the program's.
        returns = [end for end in used.ends if isinstance(end, ReturnOp)]
        is_whole = not returns or any(is_entered(_function(end)) for end in returns)
        return tuple(dict.fromkeys((*own, *whole))) if is_whole else own
    shared = used.shared
    return tuple(frame for frame in own if frame.in_file not in shared) if shared is not None else ()


def is_entered(function: FuncOp) -> bool:
    """Whether a function is an entry point, whose results are the program's output."""
    return not is_private(function) or is_version(function)


def _function(op: Operation) -> FuncOp:
    function = op.parent_op()
    assert isinstance(function, FuncOp), "a function returns"
    return function


def _written(op: Operation) -> Iterator[SSAValue]:
    """The allocations that an operation writes to: those of its buffers, or the variable that it assigns to."""
    if not _writes(type(op)):
        return
    for target in [operand for operand in op.operands if _is_memory(operand)] or op.operands[:1]:
        yield _allocated(target)


def _allocated(memory: SSAValue) -> SSAValue:
    """The allocation that a pointer points into."""
    while isinstance(memory.owner, Operation):
        pointers = [operand for operand in memory.owner.operands if _is_memory(operand)]
        if not pointers:
            break
        memory = pointers[0]
    return memory


def _outer(user: Operation) -> Operation:
    """The parent of a region terminator, whose results are the terminator's operands; other operations as they are."""
    parent = user.parent_op()
    return parent if _ends_region(type(user)) and not isinstance(user, ReturnOp) and parent is not None else user


def _is_memory(value: SSAValue) -> bool:
    # Compare exact types: this runs for every value, `isinstance` is slow on attribute classes, and these have no subclasses.
    return type(value.type) in (MemRefType, PointerType, RegistersType)


@functools.cache
def _writes(kind: type[Operation]) -> bool:
    return kind.has_trait(MemoryWriteEffect)


@functools.cache
def _ends_region(kind: type[Operation]) -> bool:
    return kind.has_trait(IsTerminator)
