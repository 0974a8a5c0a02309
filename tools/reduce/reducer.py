"""Reduction of a module, of any dialects, to the operations that show a fault.

1. Remove functions, many at a time, then fewer.
2. Remove operations, many at a time, then fewer, the last ones first. Uses of a result are replaced by a value of its type: an
   operand of the operation, an earlier value, or else a new argument of the function.
3. Replace operations with regions by the operations in their regions.
4. Remove results of functions and unused arguments.
5. As long as the module becomes smaller, begin again.

A valid module stays valid; an invalid one may become invalid in other ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator

from ...ir.diagnostics import VerifyError
from ...ir.functions.verification import verify

# Whether a module shows the fault.
Shows = Callable[[ModuleOp], bool]
Report = Callable[[int], None]


class Reducer:
    """Makes modules smaller while they show the fault; `report` is called with the number of remaining operations. At least
    `finest` things are removed at a time."""

    def __init__(self, shows: Shows, report: Report = lambda size: None, finest: int = 1):
        self._shows = shows
        self._report = report
        self._finest = finest
        self._must_be_valid = False
        self.tried = 0

    def reduce(self, module: ModuleOp) -> ModuleOp:
        """The smallest module found."""
        self._must_be_valid = is_valid(module)
        while True:
            before = measure(module)
            for step in (_functions, _operations, _nested, _returned, _arguments):
                module = self._shrink(module, step)
            if measure(module) >= before:
                return module

    def _shrink(self, module: ModuleOp, step: _Step) -> ModuleOp:
        """Remove the removable things of a kind, by halves, quarters and so on."""
        chunk = len(step.found(module))
        while chunk >= self._finest:
            end = len(step.found(module))
            while end > 0:
                start = max(end - chunk, 0)
                smaller = step.without(module, range(start, end))
                if smaller is not None and self._accepts(smaller):
                    module = smaller
                end = min(start, len(step.found(module)))
            chunk //= 2
        return module

    def _accepts(self, module: ModuleOp) -> bool:
        if self._must_be_valid and not is_valid(module):
            return False
        self.tried += 1
        if not self._shows(module):
            return False
        self._report(size(module))
        return True


def size(module: ModuleOp) -> int:
    """The number of operations, without the module, its functions and their terminators."""
    return sum(not isinstance(op, ModuleOp | FuncOp | ReturnOp) for op in module.walk())


def measure(module: ModuleOp) -> tuple[int, int]:
    """The measure that reduction makes smaller: the number of operations, then that of arguments and results."""
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    values = sum(len(each.function_type.inputs) + len(each.function_type.outputs) for each in functions)
    return sum(1 for _ in module.walk()), values


def is_valid(module: ModuleOp) -> bool:
    """Whether a module passes the verifier."""
    try:
        verify(module)
    except VerifyError:
        return False
    return True


class _Step:
    """A kind of things that can be removed from a module: how to find them, and how to remove those at some positions."""

    def __init__(self, find: Callable[[ModuleOp], Sequence[Any]], remove: Callable[[Sequence[Any]], bool]):
        self.found, self._remove = find, remove

    def without(self, module: ModuleOp, positions: range) -> ModuleOp | None:
        """A copy without the things at these positions; None if that is not possible."""
        copy = module.clone()
        found = self.found(copy)
        chosen = [found[k] for k in positions if 0 <= k < len(found)]
        return copy if chosen and self._remove(chosen) else None


def _removable(module: ModuleOp) -> list[Operation]:
    """The operations that may be removed, each after those that contain it."""
    return [op for op in module.walk() if not isinstance(op, ModuleOp | FuncOp) and not op.has_trait(IsTerminator)]


def _remove_operations(ops: Sequence[Operation]) -> bool:
    chosen = set(ops)
    for op in reversed(ops):
        for result in op.results:
            if not result.uses:
                continue
            stand_in = next(_stand_ins(op, result, chosen), None) or _new_argument(op, result)
            if stand_in is None:
                return False
            result.replace_all_uses_with(stand_in)
        op.detach()
        op.erase(safe_erase=False)
    return True


def _with_regions(module: ModuleOp) -> list[Operation]:
    return [op for op in _removable(module) if op.regions and all(len(region.blocks) == 1 for region in op.regions)]


def _dissolve(ops: Sequence[Operation]) -> bool:
    """Move the operations in each region before the operation that has it."""
    return all(map(_dissolve_one, reversed(ops)))


def _dissolve_one(op: Operation) -> bool:
    parent = op.parent
    assert parent is not None, "the operation is in a function"
    yielded: list[SSAValue] = []
    for region in op.regions:
        for argument in region.block.args:
            stand_in = next(_stand_ins(op, argument, set()), None) or _new_argument(op, argument)
            if stand_in is None:
                return False
            argument.replace_all_uses_with(stand_in)
        for inner in list(region.block.ops):
            if inner.has_trait(IsTerminator):
                yielded = yielded or list(inner.operands)
            else:
                inner.detach()
                parent.insert_op_before(inner, op)
    for result in op.results:
        stand_in = next((value for value in (*yielded, *_stand_ins(op, result, set())) if value.type == result.type), None)
        if stand_in is None and result.uses:
            return False
        if stand_in is not None:
            result.replace_all_uses_with(stand_in)
    op.detach()
    op.erase(safe_erase=False)
    return True


def _stand_ins(op: Operation, value: SSAValue, gone: set[Operation]) -> Iterator[SSAValue]:
    """Values of the type of a result that are available before its operation: its operands first."""
    candidates = (*op.operands, *_before(op))
    yield from (each for each in candidates if each.type == value.type and each.owner not in gone)


def _before(op: Operation) -> Iterator[SSAValue]:
    """The values that an operation may use, the nearest first."""
    current: Operation | None = op
    while current is not None and current.parent is not None:
        previous = current.prev_op
        while previous is not None:
            yield from previous.results
            previous = previous.prev_op
        yield from current.parent.args
        current = current.parent.parent_op()
        if current is None or current.has_trait(IsolatedFromAbove):
            return


def _new_argument(op: Operation, value: SSAValue) -> SSAValue | None:
    """A new argument, in place of a value, of the function that contains an operation; None without such a function."""
    function = op.parent_op()
    while function is not None and not isinstance(function, FuncOp):
        function = None if function.has_trait(IsolatedFromAbove) else function.parent_op()
    if function is None or _is_called(function):
        return None
    argument = function.body.block.insert_arg(value.type, len(function.args))
    argument.name_hint = value.name_hint
    _retype(function)
    return argument


def _removable_functions(module: ModuleOp) -> list[Operation]:
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    return list(functions[1:]) if len(functions) > 1 else []


def _remove_functions(ops: Sequence[Operation]) -> bool:
    for op in ops:
        op.detach()
        op.erase(safe_erase=False)
    return True


def _ends(module: ModuleOp) -> list[tuple[ReturnOp, int]]:
    """The results that functions return, each by its number."""
    ends = [op for op in module.walk() if isinstance(op, ReturnOp)]
    return [(end, k) for end in ends if not _is_called(end.parent_op()) for k in range(len(end.arguments))]


def _remove_results(found: Sequence[tuple[ReturnOp, int]]) -> bool:
    for end in dict.fromkeys(end for end, _ in found):
        gone = {k for other, k in found if other is end}
        function, block = end.parent_op(), end.parent
        assert isinstance(function, FuncOp) and isinstance(block, Block), "a return ends a function"
        values = [value for k, value in enumerate(end.arguments) if k not in gone]
        location = end.location
        end.detach()
        end.erase(safe_erase=False)
        last = ReturnOp(*values)
        last.location = location
        block.add_op(last)
        _retype(function)
    return True


def _unused(module: ModuleOp) -> list[SSAValue]:
    functions = [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks and not _is_called(op)]
    return [argument for function in functions for argument in function.args if not argument.uses]


def _remove_arguments(arguments: Sequence[SSAValue]) -> bool:
    for argument in arguments:
        block = argument.owner
        assert isinstance(block, Block), "an argument has a block"
        function = block.parent_op()
        assert isinstance(function, FuncOp), "the block is a function's"
        block.erase_arg(next(each for each in block.args if each is argument))
        _retype(function)
    return True


def _retype(function: FuncOp) -> None:
    """Set the type of a function to that of its arguments and its return."""
    end = function.body.block.last_op
    results = [value.type for value in end.operands] if isinstance(end, ReturnOp) else list(function.function_type.outputs)
    function.function_type = FunctionType.from_lists([each.type for each in function.args], results)
    function.properties.pop("arg_attrs", None)


def _is_called(function: Operation | None) -> bool:
    if not isinstance(function, FuncOp) or (module := function.parent_op()) is None:
        return True
    name = function.sym_name.data
    return any(isinstance(op, CallOp) and op.callee.root_reference.data == name for op in module.walk())


_functions = _Step(_removable_functions, _remove_functions)
_operations = _Step(_removable, _remove_operations)
_nested = _Step(_with_regions, _dissolve)
_returned = _Step(_ends, _remove_results)
_arguments = _Step(_unused, _remove_arguments)
