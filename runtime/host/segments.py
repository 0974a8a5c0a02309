"""Splitting of a function of micro-ops at its calls of the host.

    %a = uop.map "exp"(%x)                 segment 0: %x -> %a
    %b = host.call "f"(%a)                 call "f": %a -> %b
    %c = uop.map "add"(%b, %x)             segment 1: %b, %x -> %c

1. Number the calls in program order; segments are the parts between calls. An operation belongs to the first segment in which
   all of its operands are known.
2. Operations without operands, such as constants, are copied to each segment that uses them.
3. A segment is a function of the values that earlier segments and calls computed; its results are the values that later
   segments and calls use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import host
from ...ir.diagnostics import CompileError
from ...ir.functions.attributes import PARAMS
from ...ir.functions.entry import entry_function, function_params
from ...ir.functions.versions import hints_of, set_hints
from ...ir.types.shapes import Shape, shape_of


@dataclass
class Segment:
    """A part of a program: a module of one function, the values that it takes, and the values that it computes."""

    module: ModuleOp
    inputs: Sequence[SSAValue]
    outputs: Sequence[SSAValue]


@dataclass
class HostCall:
    """A call between two segments. `copies` has the operands that the function may write to and that are still used
    afterwards."""

    op: host.CallOp
    copies: frozenset[int] = frozenset()

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the results."""
        return [shape_of(each) for each in self.op.results]


@dataclass
class Plan:
    """The segments and calls of a program, in the order in which they run; its arguments and results."""

    function: FuncOp
    steps: list[Segment | HostCall] = field(default_factory=list["Segment | HostCall"])

    @property
    def results(self) -> Sequence[SSAValue]:
        """The values that the program returns."""
        last = self.function.body.block.last_op
        assert isinstance(last, ReturnOp), "a function ends with its results"
        return last.operands


def split(module: ModuleOp) -> Plan:
    """The plan of a module of micro-ops. Raises CompileError for a call inside another operation."""
    return _Splitter(entry_function(module)).plan()


class _Splitter:
    def __init__(self, function: FuncOp):
        self.function = function
        self.body = function.body.block
        self.params = function_params(function)
        self.calls = [op for op in self.body.ops if isinstance(op, host.CallOp)]
        nested = next((op for op in function.walk() if isinstance(op, host.CallOp) and op.parent is not self.body), None)
        if nested is not None:
            where = nested.parent_op()
            inside = f" ('{where.name}')" if where is not None else ""
            message = (
                f"host function '{nested.function.data}' cannot be called inside of a loop or fold{inside}: call it outside"
            )
            raise CompileError(message, nested.location)
        # The number of the segment that an operation belongs to; the results of call k belong to segment k + 1.
        self.stage: dict[Operation, int] = {}
        # The operations of the body that use each value, directly or in their regions.
        self.users: dict[SSAValue, list[Operation]] = {}
        for op in self.body.ops:
            for value in dict.fromkeys(_used_by(op)):
                self.users.setdefault(value, []).append(op)

    def plan(self) -> Plan:
        groups: list[list[Operation]] = [[] for _ in range(len(self.calls) + 1)]
        for op in self.body.ops:
            if isinstance(op, host.CallOp):
                self.stage[op] = self.calls.index(op) + 1
            elif not isinstance(op, ReturnOp):
                self.stage[op] = max((self._known_at(operand) for operand in _used_by(op)), default=0)
                groups[self.stage[op]].append(op)
        plan = Plan(self.function)
        for number, group in enumerate(groups):
            made = self._segment(number, group)
            plan.steps += [made] if made is not None else []
            if number < len(self.calls):
                plan.steps.append(self._call(self.calls[number]))
        return plan

    def _known_at(self, value: SSAValue) -> int:
        """The first segment in which a value is known."""
        return self.stage[value.owner] if isinstance(value.owner, Operation) else 0

    def _segment(self, number: int, group: Sequence[Operation]) -> Segment | None:
        """The function of a segment; None for one without results."""
        outputs = [value for op in group for value in op.results if self._is_kept(value, number)]
        if not outputs:
            return None
        own = set(group)
        used = dict.fromkeys(value for op in group for value in _used_by(op) if value.owner not in own)
        free = [value.owner for value in used if isinstance(value.owner, Operation) and _is_free(value.owner)]
        inputs = [value for value in used if value.owner not in free]
        block = Block(arg_types=[each.type for each in inputs])
        values: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
        for op in (*dict.fromkeys(free), *group):
            copied = op.clone(values)
            block.add_op(copied)
            values.update(zip(op.results, copied.results, strict=True))
        end = ReturnOp(*(values[each] for each in outputs))
        end.location = self.function.location
        block.add_op(end)
        types = [arg.type for arg in block.args], [value.type for value in outputs]
        name = f"{self.function.sym_name.data}_segment_{number}"
        made = FuncOp(name, FunctionType.from_lists(*types), Region(block), StringAttr("public"))
        made.location = self.function.location
        made.attributes[PARAMS] = ArrayAttr(map(StringAttr, self.params))
        set_hints(made, hints_of(self.function))
        return Segment(ModuleOp([made]), inputs, outputs)

    def _is_kept(self, value: SSAValue, number: int) -> bool:
        """Whether a value of a segment is used after the segment, other than by segments that copy its operation."""
        after = [op for op in self.users.get(value, ()) if isinstance(op, ReturnOp) or self.stage[op] > number]
        owner = value.owner
        assert isinstance(owner, Operation), "a segment computes its values"
        return any(not _is_free(owner) or isinstance(op, host.CallOp | ReturnOp) for op in after)

    def _call(self, op: host.CallOp) -> HostCall:
        """A call, with those operands that it may write to but that must be kept: arguments, and values that are used later."""
        own, last = list(op.inputs), self.stage[op]
        after = {
            value
            for value in own
            if any(isinstance(each, ReturnOp) or (self.stage[each] >= last and each is not op) for each in self.users[value])
        }
        kept = [
            number
            for number in op.overwritten
            if not isinstance(own[number].owner, Operation) or own[number] in after or own.count(own[number]) > 1
        ]
        return HostCall(op, frozenset(kept))


def _used_by(op: Operation) -> list[SSAValue]:
    """The values that an operation, including its regions, uses from outside."""
    if not op.regions:
        return list(op.operands)
    inner = {value for each in op.walk() for value in each.results}
    inner |= {arg for each in op.walk() for region in each.regions for block in region.blocks for arg in block.args}
    return [operand for each in op.walk() for operand in each.operands if operand not in inner]


def _is_free(op: Operation) -> bool:
    """Whether an operation has no operands, such as a constant."""
    return not op.operands and not op.regions and not isinstance(op, host.CallOp)
