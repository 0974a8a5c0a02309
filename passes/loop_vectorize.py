"""loop-vectorize: innermost loops along contiguous memory run in vectors.

    for "parallel" %j in (0, n)           for "parallel" %j in (0, n floordiv 16 * 16) step 16
      y[j] = exp(x[j])              ->      for "vector" %v in (0, 16)
                                              y[j + v] = exp(x[j + v])
                                          for "parallel" %j in (n floordiv 16 * 16, n)
                                            y[j] = exp(x[j])

1. A loop is chosen when it walks along memory: more of its accesses have stride 1 than a stride that is neither 0 nor 1, and
   what it stores has stride 1. An outer loop is chosen when it does and the reductions inside it do not; they then carry
   vectors.
2. A parallel loop is split into vectors and a rest that runs one by one.
3. A reduction keeps `accumulators` vectors of partial results in registers, which are folded after the loop, and the rest is
   added one by one. So the order of a sum depends on its length only, never on the number of threads.

A vector holds `bytes` bytes of the widest element that the loop loads or stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.dtypes import dtype_of
from ..ir.index import Index, dim
from ..ir.rewrite import Builder, count, erase
from ..ir.shapes import element_of
from ..ir.values import neutral
from .loop_writer import Writer, over
from .nests import AccessOp, Frame
from .reductions import accumulations, statements
from .strides import strides


@dataclass(frozen=True)
class LoopVectorize(ModulePass):
    """`bytes` is the size of a vector, `accumulators` the number of them that a reduction keeps."""

    name = "loop-vectorize"

    bytes: int = 64
    accumulators: int = 4

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp) and "sw.inputs" in function.attributes:
                for block in function.body.block.ops:
                    if isinstance(block, loop.BlockOp):
                        Vectorizer(self.bytes, self.accumulators).body(block.body.block, ())


class Vectorizer:
    """Vectorises the loops of one block, from outside in."""

    def __init__(self, size: int, accumulators: int):
        self.size = size
        self.accumulators = accumulators
        self.frame = Frame()

    def body(self, body: Block, around: Sequence[int]) -> None:
        for op in list(body.ops):
            if isinstance(op, loop.ForOp):
                self._loop(op, around)
                continue
            for region in op.regions:
                self.body(region.block, around)

    def _loop(self, op: loop.ForOp, around: Sequence[int]) -> None:
        if op.kind.data in ("vector", "unroll"):
            return
        self.frame.enter(op)
        here = [*around, self.frame.number(op.induction)]
        if self._walks_along(op, here):
            if op.kind.data == "parallel" and not op.carried:
                self._split_parallel(op)
                return
            if op.kind.data == "reduction" and accumulations(op) is not None:
                self._split_reduction(op)
                return
        self.body(op.body.block, here)

    # Which loops

    def _walks_along(self, op: loop.ForOp, around: Sequence[int]) -> bool:
        inner = list(_inner_loops(op))
        if op.step.value.data != 1 or any(isinstance(each, loop.CheckOp | loop.UpdateOp) for each in op.body.walk()):
            return False
        if inner and (op.kind.data != "parallel" or not all(self._may_stay_inside(level, around) for level in inner)):
            return False
        numbers = [*around, *(self.frame.number(level.induction) for level in inner)]
        along = strides(op.body.block.ops, around[-1], self.frame, self.frame.ranges(numbers))
        stores = strides(_stores(op), around[-1], self.frame, self.frame.ranges(numbers))
        contiguous = sum(each is not None and each == 1 for each in along)
        scattered = sum(each is None or each.constant not in (0, 1) for each in along)
        return contiguous > scattered and all(each is not None and each == 1 for each in stores)

    def _may_stay_inside(self, level: loop.ForOp, around: Sequence[int]) -> bool:
        """Whether a loop inside a vector loop is the same for all lanes, and is not itself the better one to run in vectors."""
        self.frame.enter(level)
        if level.kind.data not in ("reduction", "sequential") or any(
            number == around[-1] for expr in self.frame.exprs(level) for number in expr.dims()
        ):
            return False
        number = self.frame.number(level.induction)
        along = strides(level.body.block.ops, number, self.frame, self.frame.ranges([*around, number]))
        return not any(each is not None and each == 1 for each in along)

    def _lanes(self, op: loop.ForOp) -> int:
        widths = [dtype_of(element_of(each.buffer)).bits for each in op.body.walk() if isinstance(each, AccessOp)]
        return max(self.size * 8 // max([32, *widths]), 2)

    # Splitting

    def _split_parallel(self, op: loop.ForOp) -> None:
        lanes = self._lanes(op)
        lower, upper = self.frame.exprs(op)
        main = _whole(upper - lower, lanes)
        if main == 0:
            return
        inside = statements(op)
        writer = Writer(self.frame, Builder(InsertPoint.before(op), op))
        hint = op.induction.name_hint or "i"
        with (
            writer.loop("parallel", lower, lower + main, step=lanes, hint=hint) as start,
            writer.loop("vector", 0, lanes, hint="lane") as lane,
        ):
            places, values = over([op.induction], self.frame, [start + lane]), dict[SSAValue, SSAValue]()
            for statement in inside:
                writer.copy(statement, values, places)
        count("loops-vectorized", "Number of loops split into vectors")
        self._rest(op, lower + main, upper)

    def _split_reduction(self, op: loop.ForOp) -> None:
        lanes, results = self._lanes(op), accumulations(op)
        assert results is not None, "asked before"
        lower, upper = self.frame.exprs(op)
        main = _whole(upper - lower, lanes * self.accumulators)
        if main == 0:
            return
        writer = Writer(self.frame, Builder(InsertPoint.before(op), op))
        partial = [writer.allocate((self.accumulators, lanes), arg.type, "register", "partial") for arg in op.carried_args]
        functions = [result.function.data for result in results]
        with self._registers(writer, lanes) as at:
            for buffer, function in zip(partial, functions, strict=True):
                writer.store(writer.constant(neutral(function, element_of(buffer))), buffer, at)
        self._accumulate(op, writer, partial, results, lower, main, lanes)
        start = self._fold(writer, partial, functions, list(op.carried), lanes)
        for k, value in enumerate(start):
            op.operands[len(op.operands_at) + k] = value
        count("loops-vectorized", "Number of loops split into vectors")
        self._rest(op, lower + main, upper)

    def _accumulate(
        self,
        op: loop.ForOp,
        writer: Writer,
        partial: Sequence[SSAValue],
        results: Sequence[loop.ComputeOp],
        lower: Index,
        main: Index,
        lanes: int,
    ) -> None:
        """The loop over whole vectors: its statements, with each carried value loaded from registers and stored to them."""
        hint = op.induction.name_hint or "k"
        with (
            writer.loop("reduction", lower, lower + main, step=lanes * self.accumulators, hint=hint) as start,
            self._registers(writer, lanes) as at,
        ):
            places = over([op.induction], self.frame, [start + at[0] * lanes + at[1]])
            values = {arg: writer.load(buffer, at) for arg, buffer in zip(op.carried_args, partial, strict=True)}
            for statement in statements(op):
                writer.copy(statement, values, places)
            for result, buffer in zip(results, partial, strict=True):
                writer.store(values[result.result], buffer, at)

    def _fold(
        self, writer: Writer, partial: Sequence[SSAValue], functions: Sequence[str], start: list[SSAValue], lanes: int
    ) -> list[SSAValue]:
        """The partial results of all registers and lanes together with the values that the loop started from."""
        with writer.loop("unroll", 1, self.accumulators, hint="u") as u, writer.loop("vector", 0, lanes, hint="lane") as lane:
            for buffer, function in zip(partial, functions, strict=True):
                total = writer.compute(function, writer.load(buffer, [0, lane]), writer.load(buffer, [u, lane]))
                writer.store(total, buffer, [0, lane])
        with writer.carrying("vector", 0, lanes, start, hint="lane") as (op, values):
            lane = dim(self.frame.number(op.induction))
            for k, (buffer, function) in enumerate(zip(partial, functions, strict=True)):
                values[k] = writer.compute(function, values[k], writer.load(buffer, [0, lane]))
        return list(op.results)

    @contextmanager
    def _registers(self, writer: Writer, lanes: int) -> Iterator[tuple[Index, Index]]:
        """Loops over the registers of partial results: the index of the register and of the lane."""
        with writer.loop("unroll", 0, self.accumulators, hint="u") as u, writer.loop("vector", 0, lanes, hint="lane") as lane:
            yield u, lane

    def _rest(self, op: loop.ForOp, lower: Index, upper: Index) -> None:
        """Let the loop run over what is left, one by one."""
        if upper - lower == 0:
            for result, value in zip(op.results, op.carried, strict=True):
                result.replace_all_uses_with(value)
            erase(op)
            return
        self.frame.write(op, (lower, upper))


def _whole(extent: Index, lanes: int) -> Index:
    """The iterations that fill whole vectors."""
    return extent // lanes * lanes


def _inner_loops(op: loop.ForOp) -> Iterator[loop.ForOp]:
    return (each for each in op.body.walk() if isinstance(each, loop.ForOp))


def _stores(op: loop.ForOp) -> list[Operation]:
    return [each for each in op.body.walk() if isinstance(each, loop.StoreOp)]
