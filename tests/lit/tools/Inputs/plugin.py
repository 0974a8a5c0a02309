"""Passes with injected faults, for tests of the driver's behaviour."""

from dataclasses import dataclass
from typing import ClassVar

from stepwell.dialects.loop import ComputeOp, ForOp
from stepwell.dialects.uop import CastOp, MapOp
from stepwell.ir.debug_counters import may_rewrite
from stepwell.ir.index.expressions import index
from stepwell.ir.types.shapes import IndexMap, MapAttr
from stepwell.passes.manager.registry import OperationPass
from xdsl.context import Context
from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class Crash(ModulePass):
    """Fails an assertion where there is an addition."""

    name = "test-crash"
    message: str = "an addition"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        assert not any(isinstance(each, AddiOp) for each in op.walk()), self.message


@dataclass(frozen=True)
class Exit(ModulePass):
    """Ends the process."""

    name = "test-exit"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise SystemExit(0)


@dataclass(frozen=True)
class Endless(OperationPass):
    """Makes parallel loops so long that their stores leave all memory."""

    name = "test-endless"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        for each in op.walk():
            if isinstance(each, ForOp) and each.kind.data == "parallel" and may_rewrite(each):
                each.properties["map"] = MapAttr(IndexMap(0, (index(0), index(1 << 33))))


@dataclass(frozen=True)
class Break(ModulePass):
    """Moves the first addition behind its last use."""

    name = "test-break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        addition = next(each for each in op.walk() if isinstance(each, AddiOp))
        block = addition.parent
        assert block is not None and block.last_op is not None
        addition.detach()
        block.insert_op_before(addition, block.last_op)


@dataclass(frozen=True)
class Keep(ModulePass):
    """Promises to leave no addition, and does nothing."""

    name = "test-keep"
    illegal: ClassVar[tuple[str, ...]] = ("arith.addi",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class Wrong(OperationPass):
    """Makes cosines of sines."""

    name = "test-wrong"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        for each in op.walk():
            if isinstance(each, MapOp | ComputeOp) and each.function.data == "sin" and may_rewrite(each):
                each.function = StringAttr("cos")


@dataclass(frozen=True)
class Retype(ModulePass):
    """Makes every function return its first argument alone, in double precision."""

    name = "test-retype"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, FuncOp):
                last = function.body.block.last_op
                assert isinstance(last, ReturnOp)
                wide = CastOp(function.args[0], f64)
                function.body.block.insert_op_before(wide, last)
                last.operands = [wide.result]
                function.properties["function_type"] = FunctionType.from_lists(
                    function.function_type.inputs, [wide.result.type]
                )


PASSES = (Crash, Exit, Endless, Break, Keep, Wrong, Retype)
