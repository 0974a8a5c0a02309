"""The work of a loop nest by source line: how often each statement runs for the sizes of a call, times its cost in additions.

Loops count with their iterations in the first iteration of the enclosing loops, and branches as taken in that iteration. The
error is small, since borders are a small part of a nest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import cloop
from ...dialects.cloop.memory import OffsetOp, SliceOp
from ...dialects.cloop.registers import GetOp, SetOp
from ...dialects.cloop.vectors import BroadcastOp
from ...dialects.scalar_ops import IndexBase, TestBase
from ...ir.functions.entry import function_params
from ...ir.functions.versions import versions_of
from ...ir.index.expressions import Atom, Dim, Index, Param
from ...ir.locations import Frame, frames
from ...ir.scalars.table import scalar

# The cost of statements that take no instruction, or an instruction that others hide.
_FREE = (GetOp, SetOp, BroadcastOp, cloop.ConstantOp, OffsetOp, SliceOp)
_HIDDEN = 1 / 16
# The number of iterations that a loop without iterations counts as, and the number of executions that a branch which is not
# taken counts as.
_LEAST, _NOT_TAKEN = 1e-9, 1e-3


class ExecutedWork:
    """Adds up the work of statements by the first frame of their locations that `frame_of` selects."""

    def __init__(self, frame_of: Callable[[Frame], Frame | None]):
        self.frame_of = frame_of
        self.found: dict[Frame, float] = {}

    def add(self, op: Operation, sizes: Mapping[str, int]) -> None:
        """Add the work of an operation with all in it, for values of its function's parameters."""
        self._op(op, 1.0, _Values(sizes))

    def _op(self, op: Operation, runs: float, values: _Values) -> None:
        match op:
            case cloop.ForOp():
                lower, upper = (values.of(expr, op.operands_at) for expr in op.index_map.results)
                trips = max(-(-(upper - lower) // op.step.value.data), 0)
                values.known[op.induction] = lower
                self._block(op.body.block, runs * max(trips, _LEAST), values)
            case cloop.IfOp():
                taken = bool(values.value(op.condition, 1))
                for region, chosen in zip(op.regions, (taken, not taken), strict=False):
                    self._block(region.block, runs * (1 if chosen else _NOT_TAKEN), values)
            case cloop.CallOp():
                self._call(op, runs, values)
            case IndexBase() | TestBase():
                pass  # counts with its users
            case _:
                for region in op.regions:
                    for block in region.blocks:
                        self._block(block, runs, values)
                if not op.regions:
                    self._statement(op, runs)

    def _block(self, block: Block, runs: float, values: _Values) -> None:
        for op in block.ops:
            self._op(op, runs, values)

    def _call(self, op: cloop.CallOp, runs: float, values: _Values) -> None:
        self._block(op.callee.body.block, runs, _Values(_sizes_of_call(op, values)))

    def _statement(self, op: Operation, runs: float) -> None:
        cost = scalar(op.function.data).cost if isinstance(op, cloop.ComputeOp) else _HIDDEN if isinstance(op, _FREE) else 1.0
        # The first source is that of the statement itself. The sources of operations that it was inlined into, or merged with,
        # follow.
        chosen = next((each for frame in frames(op.location) if (each := self.frame_of(frame)) is not None), None)
        if chosen is not None:
            self.found[chosen] = self.found.get(chosen, 0.0) + runs * cost


def sizes_by_function(entry: FuncOp, sizes: Mapping[str, int]) -> dict[FuncOp, Mapping[str, int]]:
    """The values of the parameters of a function's versions and of its callees in their first calls, for values of its own
    parameters."""
    found: dict[FuncOp, Mapping[str, int]] = {}
    pending = [(each, sizes) for each in (entry, *versions_of(entry))]
    while pending:
        function, known = pending.pop()
        if function not in found:
            found[function], values = known, _Values(known)
            pending += [(op.callee, _sizes_of_call(op, values)) for op in function.walk() if isinstance(op, cloop.CallOp)]
    return found


def _sizes_of_call(op: cloop.CallOp, values: _Values) -> dict[str, int]:
    """The parameters that a call gives."""
    names = function_params(op.callee)
    if op.sizes is not None:
        known = dict(zip(names, [values.of(expr, ()) for expr in op.sizes.data.results], strict=False))
    else:
        known = dict(values.sizes)
    own = names[len(names) - len(op.indices) :]
    return known | {name: values.value(index) for name, index in zip(own, op.indices, strict=True)}


class _Values:
    """The values of a function's parameters and of the integers computed in it, in the first iteration of its loops."""

    def __init__(self, sizes: Mapping[str, int]):
        self.sizes = sizes
        self.known: dict[SSAValue, int] = {}

    def value(self, value: SSAValue, default: int = 0) -> int:
        """The value of an integer; `default` for one that is loaded."""
        if value not in self.known:
            match value.owner:
                case IndexBase() as op:
                    self.known[value] = self.of(op.index_map.results[0], op.operands_at)
                case TestBase() as op:
                    self.known[value] = int(all(self.of(expr, op.operands_at) >= 0 for expr in op.index_map.results))
                case _:
                    return default
        return self.known[value]

    def of(self, expr: Index, operands: tuple[SSAValue, ...]) -> int:
        """The value of an expression; 0 for one that divides by 0."""

        def value(atom: Atom) -> int:
            if isinstance(atom, Dim):
                return self.value(operands[atom.position])
            return self.sizes.get(atom.name, 1) if isinstance(atom, Param) else 0

        try:
            return expr.evaluate(value)
        except ZeroDivisionError:
            return 0
