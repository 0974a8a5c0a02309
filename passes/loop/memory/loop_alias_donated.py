"""loop-alias-donated: write results into the memory of donated arguments.

    func @f(%p, %g, %out) {sw.donated = array<i64: 0>}           func @f(%p, %g, %out)
      block: %t[i] = 2 * %p[i]                                     block: %t[i] = 2 * %out[i]
      block: %out[i] = %p[i] - %g[i]                        ->     block: ... = ... %t[j] ...
      block: ... = ... %t[j] ...                                   block: %out[i] = %out[i] - %g[i]

`sw.donated` gives for each result the argument in whose memory its output buffer lies, -1 for none: the caller passes the same
address twice. After the pass the argument is only accessed through the output buffer, so that later passes see all dependences.

1. Move a block that writes such an output after the last one that reads the argument, if nothing in between depends on it.
2. Reads of an argument must precede the writes to it: in an earlier block, or in the same iteration of loops whose iterations
   write different elements. Otherwise store the result to a temporary and copy it at the end. Operations that run a function
   step by step count as accessing all of their buffers at once.
3. Replace loads of the argument by loads of the output buffer. Erase copies of an element to itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.diagnostics import LegalityError
from ....ir.functions.entry import donated, input_count, lowered_functions
from ....ir.index.expressions import Index
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.shapes import element_of, shape_of
from ...analysis.loop_nests import Access, Frame, Node
from ..builder import Writer


@dataclass(frozen=True)
class LoopAliasDonated(ModulePass):
    name = "loop-alias-donated"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            Donation(function).run()


class Pair(NamedTuple):
    """An argument, and the output buffer with the same memory."""

    argument: SSAValue
    output: SSAValue


class Donation:
    """Rewrites one function."""

    def __init__(self, function: FuncOp):
        self.function = function
        self.frame = Frame()
        ops = [op for op in function.body.block.ops if isinstance(op, loop.BlockOp | loop.RunOp)]
        self.blocks = [self.frame.tree(op) if isinstance(op, loop.BlockOp) else _run_node(op) for op in ops]
        self.pairs = _pairs(function)

    def run(self) -> None:
        for pair in self.pairs:
            self._sink(pair)
        copied = [pair for pair in self.pairs if not self._is_read_before_overwritten(pair)]
        for pair in copied:
            self._copy_at_the_end(pair)
        for pair in self.pairs:
            pair.argument.replace_all_uses_with(pair.output)
        for block in self.blocks:
            if _is_copy_to_itself(block.op, self.frame):
                erase(block.op)
        count("results-in-place", "Number of results written into arguments", by=len(self.pairs) - len(copied))
        count("results-copied", "Number of results copied into arguments at the end", by=len(copied))

    def _sink(self, pair: Pair) -> None:
        """Move the block that writes the output after those that read the argument."""
        writers = [block for block in self.blocks if pair.output in block.written]
        readers = [block for block in self.blocks if pair.argument in block.accesses]
        if len(writers) != 1 or not readers:
            return
        block, place = writers[0], self.blocks.index(writers[0])
        last = self.blocks.index(readers[-1])
        if last <= place or any(block.conflicts(other) for other in self.blocks[place + 1 : last + 1]):
            return
        after = self.blocks[last].op
        block.op.detach()
        assert after.parent is not None, "blocks have a parent function"
        after.parent.insert_op_after(block.op, after)
        self.blocks.remove(block)
        self.blocks.insert(last, block)

    def _is_read_before_overwritten(self, pair: Pair) -> bool:
        """Whether each element of the argument is read before it is overwritten."""
        written = False
        for block in self.blocks:
            writes = pair.output in block.written
            if pair.argument in block.accesses and (written or (writes and not self._is_read_first(pair, block))):
                return False
            written = written or writes
        return True

    def _is_read_first(self, pair: Pair, block: Node) -> bool:
        """Whether each element of the argument is read in a block before it is overwritten there."""
        if isinstance(block.op, loop.RunOp):
            return False
        writes = [access for access in block.accesses[pair.output] if access.writes]
        return all(self._precedes(read, write, block) for read in block.accesses[pair.argument] for write in writes)

    def _precedes(self, read: Access, write: Access, block: Node) -> bool:
        """Whether a read of an element precedes the write, in the only iteration that accesses it."""
        if read.exprs != write.exprs:
            return False
        around = [level for level in _enclosing(write.op) if isinstance(level, loop.ForOp)]
        if not all(self.frame.index(level.induction) in write.exprs for level in around):
            return False
        return next(op for op in block.op.walk() if op in (read.op, write.op)) is read.op

    def _copy_at_the_end(self, pair: Pair) -> None:
        body, shape = self.function.body.block, shape_of(pair.output)
        first, last = body.first_op, body.last_op
        assert first is not None and isinstance(last, ReturnOp), "a function ends with func.return"
        sources = [block.op for block in self.blocks if pair.output in block.written]
        writer = Writer(self.frame, Builder(InsertPoint.before(first), *sources))
        temporary = writer.allocate(shape, element_of(pair.output), None, "result")
        pair.output.replace_all_uses_with(temporary)
        with writer.inside(InsertPoint.before(last)):
            block = writer.builder.add(loop.BlockOp())
            with writer.inside(block.body.block):
                _copy(writer, temporary, pair.output, ())


def _run_node(op: loop.RunOp) -> Node:
    """An operation that runs a function step by step, as one node that accesses its buffers at unknown addresses."""
    return Node(op, accesses={buffer: [] for buffer in (*op.reads, *op.writes)}, written=set(op.writes))


def _pairs(function: FuncOp) -> list[Pair]:
    inputs = input_count(function)
    assert inputs is not None, "asked before"
    args = function.args
    found = [Pair(args[source], args[inputs + k]) for k, source in enumerate(donated(function)) if source is not None]
    for argument, output in found:
        if argument.type != output.type:
            message = f"'sw.donated': expected an argument and a result of one type, got {argument.type} and {output.type}"
            raise LegalityError(message, function.location)
    return found


def _enclosing(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, loop.BlockOp):
        found.append(parent)
        parent = parent.parent_op()
    return found


def _copy(writer: Writer, source: SSAValue, target: SSAValue, places: Sequence[Index]) -> None:
    """Copy the elements with the given leading indices."""
    shape = shape_of(source)
    if len(places) == len(shape):
        writer.store(writer.load(source, places), target, places)
        return
    with writer.loop("parallel", 0, shape[len(places)]) as place:
        _copy(writer, source, target, [*places, place])


def _is_copy_to_itself(block: Operation, frame: Frame) -> bool:
    """Whether a block only stores elements to the addresses that it loaded them from."""
    inside = [op for op in operations(block) if not isinstance(op, loop.BlockOp | loop.ForOp | loop.YieldOp)]
    match inside:
        case [loop.LoadOp() as load, loop.StoreOp() as store]:
            same = load.buffer is store.buffer and frame.exprs(load) == frame.exprs(store)
            return same and store.value is load.result and not load.guard_exprs
        case _:
            return False
