"""lower-loop-to-tile: every block of loops becomes a kernel on tiles, and the function becomes the launch plan.

    loop.block {                                     tile.launch @sw_kernel_0 <() -> (n ceildiv 1024)> warps 4 (%x, %y)
      loop.for "parallel" i {                        func.func @sw_kernel_0(%x, %y) {   // a tile for 1024 values of i
        %v = loop.load %x[i]                ->         %v = tile.load %x[...] if %inside
        ... }}                                         ... }

1. The outer loops of a block are distributed over programs and tiles (`outer_loops.py`), by the schedule that
   `loop-map-to-tiles` gave the block.
2. The kernel builder (`kernel.py`) translates the statements. Inner loops with an axis become lanes (`lanes.py`); those without
   run sequentially.
3. The buffers and parameters that a kernel uses become its arguments.

Scalars of the loop level become tiles; guards and the bounds of the index space become masks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from itertools import count
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr, UnitAttr, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects import loop, tile
from ...ir.diagnostics import LegalityError
from ...ir.functions.entry import function_params, input_count
from ...ir.index.expressions import Index
from ...ir.locations import comment_suffix
from ...ir.rewrite import Builder, derive, erase
from ...ir.types.shapes import MapAttr
from ...passes.loop.kernels.patterns import Nest, accesses, guarded, inside
from .dead_temporaries import remove_dead_temporaries, remove_unused
from .index_width import index_widths
from .inline_loop_calls import inline_loop_calls
from .invariants import hoist_invariants
from .kernel import CheckCounter, Kernel
from .lanes import write_lanes
from .outer_loops import OuterLoops, rank_of


@dataclass(frozen=True)
class LowerLoopToTile(ModulePass):
    """Writes a kernel for each block of the module, in order."""

    name = "lower-loop-to-tile"
    illegal: ClassVar[tuple[str, ...]] = ("loop",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        inline_loop_calls(op)
        kernels, checks = count(), CheckCounter()
        for function in [inner for inner in op.body.block.ops if isinstance(inner, FuncOp)]:
            if input_count(function) is not None:
                FunctionLowering(function, kernels, checks).run()
        remove_dead_temporaries(op)


class FunctionLowering:
    """Rewrites one function; `values` maps its buffers to those of the launch plan. Kernels and checks are numbered through the
    module."""

    def __init__(self, function: FuncOp, kernels: Iterator[int], checks: CheckCounter):
        self.function = function
        self.params = function_params(function)
        self.values: dict[SSAValue, SSAValue] = {}
        self.checks = checks
        self.kernels = kernels

    def run(self) -> None:
        old = self.function
        types = [arg.type for arg in old.args]
        body = Block(arg_types=types)
        new = FuncOp(old.sym_name.data, FunctionType.from_lists(types, []), Region(body), old.sym_visibility)
        new.attributes.update(old.attributes)
        self.builder = Builder(body, old)
        derive(new, (old,))
        assert old.parent is not None, "functions are nested in a module"
        old.parent.insert_op_before(new, old)
        for old_arg, arg in zip(old.args, body.args, strict=True):
            self._bind(old_arg, arg)
        for op in old.body.block.ops:
            with self.builder.source(op):
                self.lower(op)
        erase(old)

    @singledispatchmethod
    def lower(self, op: Operation) -> None:
        """Write one operation of the launch plan. Raises LegalityError for operations of other levels."""
        raise LegalityError(f"'{op.name}': expected loops below '{LowerLoopToTile.name}'", op.location)

    @lower.register
    def _(self, op: ReturnOp) -> None:
        self.builder.add(ReturnOp())

    @lower.register
    def _(self, op: loop.AllocOp) -> None:
        self._bind(op.result, self.builder.add(tile.AllocOp(op.result.type)).result)

    @lower.register
    def _(self, op: loop.DataOp) -> None:
        self._bind(op.result, self.builder.add(tile.DataOp(op.value, op.result.type)).result)

    @lower.register
    def _(self, op: loop.FenceOp) -> None:
        """Nothing to write: kernels run in order."""

    @lower.register
    def _(self, op: loop.IterateOp) -> None:
        init, last, spare, stacked, shared, into = ([self.values[each] for each in part] for part in op.parts)
        name = op.function.root_reference.data
        self.builder.add(tile.IterateOp(name, op.length, op.backwards, (init, last, spare), stacked, shared, into))

    @lower.register
    def _(self, op: loop.BlockOp) -> None:
        if op.warps is None or op.stages is None:
            expected = "expected the schedule of a kernel, which 'loop-map-to-tiles' gives to loops without a schedule"
            raise LegalityError(f"'{op.name}': {expected}", op.location)
        if op.joined is not None:
            return
        after = op.next_op
        blocks = (op, after) if isinstance(after, loop.BlockOp) and after.joined is not None else (op,)
        for width, limits in index_widths(*blocks):
            self._write_kernel(blocks, width, limits)

    def _write_kernel(self, blocks: Sequence[loop.BlockOp], width: Attribute, limits: Sequence[Index]) -> None:
        """Write a kernel with indices of this width, which is launched under the block's own conditions and these limits.
        Blocks that join the first one are run by the last program to end."""
        op, *joined = blocks
        assert op.warps is not None and op.stages is not None, "a block with a schedule"
        conditions = (*guarded(op)[0], *limits)
        outer = OuterLoops.of(op)
        buffers = dict.fromkeys(access.buffer for block in blocks for access in accesses(list(block.body.block.ops)))
        used = [buffer for buffer in buffers if buffer in self.values]
        body = Block(arg_types=[buffer.type for buffer in used])
        kernel = Kernel(Builder(body, *blocks), max(map(rank_of, blocks)), width, self.checks, write_lanes, conditions)
        for buffer, arg in zip(used, body.args, strict=True):
            arg.name_hint = buffer.name_hint
            kernel.buffers[buffer] = arg
        kernel.tf32 = op.tf32 is not None
        for block in blocks:
            kernel.reread |= _stored(block) & {load.buffer for load in block.walk() if isinstance(load, loop.LoadOp)}
        outer.enter(kernel)
        kernel.body(inside(op, outer.nest))
        arguments = [self.values[buffer] for buffer in used]
        for block in joined:
            arguments.append(self.builder.add(tile.CounterOp()).result)
            counter = body.insert_arg(arguments[-1].type, len(body.args))
            counter.name_hint = "counter"
            kernel.finish(counter, inside(block, Nest(())))
        kernel.builder.add(ReturnOp())
        remove_unused(body)
        hoist_invariants(body)
        name = self._insert(body, op, width)
        warps = max(block.warps.value.data for block in blocks if block.warps is not None)
        stages = op.stages.value.data
        self.builder.add(tile.LaunchOp(name, outer.programs, warps, stages, arguments, conditions))

    def _insert(self, body: Block, source: loop.BlockOp, width: Attribute) -> str:
        """Insert a kernel into the module, before the function, and return its name, which ends on its block comments."""
        name = f"sw_kernel_{next(self.kernels)}{comment_suffix(source.location)}"
        types = [arg.type for arg in body.args]
        kernel = FuncOp(name, FunctionType.from_lists(types, []), Region(body), "private")
        used = {param for op in body.walk() for attribute in op.properties.values() for param in _params(attribute)}
        kernel.attributes["sw.kernel"] = UnitAttr()
        if width == i32:
            kernel.attributes["sw.narrow"] = UnitAttr()
        if source.fast is not None:
            kernel.attributes["sw.fast"] = UnitAttr()
        kernel.attributes["sw.params"] = ArrayAttr(StringAttr(param) for param in self.params if param in used)
        derive(kernel, (source,))
        assert self.function.parent is not None, "functions are nested in a module"
        self.function.parent.insert_op_before(kernel, self.function)
        return name

    def _bind(self, old: SSAValue, new: SSAValue) -> None:
        self.values[old] = new
        new.name_hint = old.name_hint


def _params(attribute: object) -> tuple[str, ...]:
    return attribute.data.params() if isinstance(attribute, MapAttr) else ()


def _stored(block: loop.BlockOp) -> set[SSAValue]:
    return {op.buffer for op in block.walk() if isinstance(op, loop.StoreOp)}
