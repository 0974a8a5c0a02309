"""Which operations yield the output of a source line: a layer becomes many operations, and what it computes leaves them.

An operation yields the output of a line that it comes from when its result, or what it writes to memory, is used by an
operation that does not come from that line, or is returned. A line that calls a function has all that comes of the call. What
the program returns is also the output of the line where its function is defined.

    %0 = graph.matmul %x, %w    loc("model.py":3)
    %1 = graph.add %0, %b       loc("model.py":3)       <- yields the output of line 3
    %2 = graph.exp %1           loc("model.py":4)       <- yields the output of line 4, and that of the function
    func.return %2

Passes mix the operations of lines, so that what one line reads may be computed on by another and come back. After a pass an
operation yields what it would by these rules, as far as one of those that it comes from yielded it before; where a write to
memory is gone, the operation that made the value yields it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, MemoryWriteEffect

from ..dialects.cloop_base import PointerType
from ..ir.functions import is_private
from ..ir.locations import Frame, frames
from ..ir.versions import is_version

Line = tuple[str, int]


def outputs_of(module: ModuleOp) -> dict[Operation, tuple[Frame, ...]]:
    """For each operation that yields the output of source lines, the positions on them that it comes from."""
    lines = {op: set(map(_line, frames(op.location))) for op in module.walk()}
    public = [op.location for op in module.body.block.ops if isinstance(op, FuncOp) and is_entered(op)]
    whole = tuple(frame for location in public for frame in frames(location))
    return {op: found for op in lines if (found := _yields(op, lines, whole))}


class Outputs:
    """What the operations of a module yield, by their numbers in the order of a walk, kept up to date from pass to pass."""

    def __init__(self, module: ModuleOp):
        self.yields: list[tuple[Frame, ...]] = []
        # For each write that yields: the operations that made what it writes.
        self._writes: dict[int, tuple[int, ...]] = {}
        own = outputs_of(module)
        self._set(module, [own.get(op, ()) for op in module.walk()])

    def follow(self, module: ModuleOp, backward: Sequence[Sequence[int]]) -> None:
        """Look at the module after a pass; `backward` has for each operation the numbers of those that it comes from."""
        handed, own, ops = self._handed_on(backward), outputs_of(module), list(module.walk())
        found: list[tuple[Frame, ...]] = []
        for op, origins in zip(ops, backward, strict=True):
            before = {_line(frame) for origin in origins for frame in handed[origin]}
            found.append(tuple(frame for frame in own.get(op, ()) if _line(frame) in before))
        # Sizes and constants that such an operation needs come from it too, and may be used by others.
        computed = {_line(frame) for op, yields in zip(ops, found, strict=True) if op.operands for frame in yields}
        for number, op in enumerate(ops):
            if not op.operands:
                found[number] = tuple(frame for frame in found[number] if _line(frame) not in computed)
        self._set(module, found)

    def _handed_on(self, backward: Sequence[Sequence[int]]) -> list[list[Frame]]:
        """What each operation from before may hand on: what it yielded, and what writes of its result did that are gone."""
        kept = {origin for origins in backward for origin in origins}
        handed = [list(each) for each in self.yields]
        for number, makers in self._writes.items():
            for maker in makers if number not in kept else ():
                handed[maker] += self.yields[number]
        return handed

    def _set(self, module: ModuleOp, yields: list[tuple[Frame, ...]]) -> None:
        self.yields = yields
        numbers = {op: number for number, op in enumerate(module.walk())}
        self._writes = {
            number: tuple(numbers[operand.op] for operand in op.operands if isinstance(operand, OpResult))
            for op, number in numbers.items()
            if yields[number] and op.has_trait(MemoryWriteEffect)
        }


def _line(frame: Frame) -> Line:
    return frame.file, frame.line


def _yields(op: Operation, lines: dict[Operation, set[Line]], whole: Sequence[Frame]) -> tuple[Frame, ...]:
    if isinstance(op, ModuleOp | FuncOp) or op.has_trait(IsTerminator):
        return ()
    users = list(dict.fromkeys(_users(op)))
    if any(isinstance(user, ReturnOp | FuncOp) for user in users):
        # What a private function returns is its caller's; what a kernel writes may be the program's.
        ends = [user for user in users if isinstance(user, ReturnOp)]
        is_whole = len(ends) == 0 or any(is_entered(_function(end)) for end in ends)
        return tuple(dict.fromkeys((*frames(op.location), *(whole if is_whole else ()))))
    return tuple(frame for frame in frames(op.location) if any(_line(frame) not in lines[user] for user in users))


def _users(op: Operation) -> Iterator[Operation]:
    """What uses an operation's results and reads what it writes; the function itself for what is written for its caller."""
    for result in op.results:
        if not _is_memory(result):
            yield from map(_outer, _uses(result))
    for memory in _written(op):
        if isinstance(memory, BlockArgument):
            function = memory.block.parent_op()
            assert function is not None, "memory is handed to functions"
            yield function
        else:
            yield from (user for user in _uses(memory) if user is not op)


def is_entered(function: FuncOp) -> bool:
    """Whether what a function returns is the program's output."""
    return not is_private(function) or is_version(function)


def _function(op: Operation) -> FuncOp:
    function = op.parent_op()
    assert isinstance(function, FuncOp), "a function returns"
    return function


def _written(op: Operation) -> Iterator[SSAValue]:
    """The memory that an operation writes to, as it was allocated: buffers, or the variable that it assigns to."""
    if not op.has_trait(MemoryWriteEffect):
        return
    for target in [operand for operand in op.operands if _is_memory(operand)] or op.operands[:1]:
        yield _allocated(target)


def _allocated(memory: SSAValue) -> SSAValue:
    """The memory itself for a pointer into it."""
    while isinstance(memory.owner, Operation):
        pointers = [operand for operand in memory.owner.operands if _is_memory(operand)]
        if not pointers:
            break
        memory = pointers[0]
    return memory


def _uses(value: SSAValue) -> Iterable[Operation]:
    """The operations that use a value, or pointers into it."""
    for use in value.uses:
        pointers = [result for result in use.operation.results if _is_memory(result)]
        if pointers:
            yield from (user for pointer in pointers for user in _uses(pointer))
        else:
            yield use.operation


def _outer(user: Operation) -> Operation:
    """For the end of a region, the operation around it, whose results are what the region ends with."""
    parent = user.parent_op()
    return parent if user.has_trait(IsTerminator) and not isinstance(user, ReturnOp) and parent is not None else user


def _is_memory(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType | PointerType)
