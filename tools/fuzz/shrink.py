"""Reduction of a failing program to the operations that reproduce the failure.

1. Calls are replaced by the operations of their callees, if the fault does not need the calls.
2. Many operations are removed at a time, as by `stepwell reduce`, as long as the fault does not need them.
3. Only the first value that shows the fault is returned.
4. Repeat the first of these steps that makes a smaller program with the fault: remove a result; replace an operation by an
   argument with its value; replace an operation by its operand; remove an unused argument.

An argument in place of an operation keeps all other values unchanged, so that this is tried first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from ...lowering import all_passes
from ...passes.manager.pass_manager import PassManager
from ...runtime.boundary.signature import Signature
from ..reduce.outcomes import random_array
from ..reduce.reducer import Reducer
from .random_programs import RandomProgram

# The fewest operations that are removed at a time, before single operations are replaced by arguments with their values.
_FINEST = 3
_GIVEN = "given"

# The results of a program, in float64.
Evaluate = Callable[[RandomProgram], list[Any]]
# A function that tells whether a program shows the fault.
Shows = Callable[[RandomProgram], bool]


def shrink(program: RandomProgram, shows: Shows, evaluate: Evaluate, report: Callable[[int], None]) -> RandomProgram:
    """The smallest program found that still shows the fault; `report` is called with the number of remaining operations each
    time."""
    flat = _changed(program, lambda function: None, passes="inline,dce")
    start = _by_halves(flat if shows(flat) else program, shows, report)
    firsts = (returning(start, position) for position in range(size(start)))
    current: RandomProgram | None = next(filter(shows, firsts), start)
    smallest = current
    while current is not None:
        smallest = current
        report(size(smallest))
        current = next((each for each in _smaller(smallest, evaluate) if is_sound(each) and shows(each)), None)
    return smallest


def _by_halves(program: RandomProgram, shows: Shows, report: Callable[[int], None]) -> RandomProgram:
    """The program without many of the operations that the fault does not need. This changes values: programs that become
    meaningless do not show the fault."""
    module = program.module.clone()
    # Reduction removes and adds arguments: the program's own arguments get names, to be found again.
    for number, argument in enumerate(entry_function(module).args):
        argument.name_hint = f"{_GIVEN}{number}"

    def show(smaller: ModuleOp) -> bool:
        candidate = _of_module(program, smaller)
        try:
            has_meaning = bool(candidate.bounds) and is_sound(candidate)
        except Exception:  # of the oracle
            return False
        return has_meaning and shows(candidate)

    found = _of_module(program, Reducer(show, report, _FINEST).reduce(module))
    for argument, before in zip(entry_function(found.module).args, _hints(program, found), strict=True):
        argument.name_hint = before
    return found


def _of_module(program: RandomProgram, module: ModuleOp) -> RandomProgram:
    """The program of a module, with its remaining arguments, and random numbers for new ones."""
    function = entry_function(module)
    arrays = [
        program.arguments[given] if (given := _given_number(argument)) is not None else random_array(argument, program.params)
        for argument in function.args
    ]
    bounds = [max(program.bounds, default=1.0)] * len(function.function_type.outputs)
    return replace(program, module=module, arguments=arrays, bounds=bounds)


def _given_number(argument: SSAValue) -> int | None:
    hint = argument.name_hint or ""
    return int(hint.removeprefix(_GIVEN)) if hint.startswith(_GIVEN) else None


def _hints(program: RandomProgram, found: RandomProgram) -> list[str | None]:
    before = entry_function(program.module).args
    numbers = map(_given_number, entry_function(found.module).args)
    return [before[number].name_hint if number is not None else None for number in numbers]


def size(program: RandomProgram) -> int:
    """The number of operations that compute the results."""
    return len(_steps(entry_function(program.module)))


def returning(program: RandomProgram, position: int) -> RandomProgram:
    """The same program with the results of its operation number `position` as the only ones."""

    def change(function: FuncOp) -> None:
        _return(function, _steps(function)[position].results)

    count = len(_steps(entry_function(program.module))[position].results)
    return _changed(program, change, bounds=[max(program.bounds)] * count)


def is_sound(program: RandomProgram) -> bool:
    """Whether the arguments still determine all sizes."""
    try:
        signature = Signature.of(entry_function(program.module))
        values = signature.bind([array.shape for array in program.arguments])
    except (CompileError, ValueError):
        return False
    return dict(zip(signature.params, values, strict=True)) == {name: program.params[name] for name in signature.params}


def _smaller(program: RandomProgram, evaluate: Evaluate) -> Iterator[RandomProgram]:
    """Smaller programs, the smallest first."""
    steps = _steps(entry_function(program.module))
    positions = list(reversed(range(len(steps))))
    for number in range(len(program.bounds) if len(program.bounds) > 1 else 0):
        yield _without_result(program, number)
    for position in positions:
        if steps[position].operands and not _is_returned(steps[position]):
            yield _given(program, position, evaluate)
    everything = _operations(entry_function(program.module))
    for position in reversed(range(len(everything))):
        step = everything[position]
        for number, operand in enumerate(step.operands if _gives_one(step) else ()):
            if operand.type == step.results[0].type:
                yield _without(program, position, number)
    for number, argument in enumerate(entry_function(program.module).args):
        if not argument.uses:
            yield _without_argument(program, number)


def _without_result(program: RandomProgram, number: int) -> RandomProgram:
    def change(function: FuncOp) -> None:
        _return(function, [value for k, value in enumerate(_end(function).operands) if k != number])

    return _changed(program, change, bounds=[bound for k, bound in enumerate(program.bounds) if k != number])


def _given(program: RandomProgram, position: int, evaluate: Evaluate) -> RandomProgram:
    """The program with further arguments in place of an operation's results."""
    values = evaluate(returning(program, position))

    def change(function: FuncOp) -> None:
        step = _steps(function)[position]
        _replace(step, [function.body.block.insert_arg(result.type, len(function.args)) for result in step.results])

    results = _steps(entry_function(program.module))[position].results
    arrays = [value.astype(dtype_of(element_of(result)).numpy) for value, result in zip(values, results, strict=True)]
    return _changed(program, change, arguments=[*program.arguments, *arrays])


def _without(program: RandomProgram, position: int, number: int) -> RandomProgram:
    """The program with one of an operation's operands in place of its result, also for operations in bodies."""

    def change(function: FuncOp) -> None:
        step = _operations(function)[position]
        _replace(step, [step.operands[number]] * len(step.results))

    return _changed(program, change)


def _without_argument(program: RandomProgram, number: int) -> RandomProgram:
    def change(function: FuncOp) -> None:
        function.body.block.erase_arg(function.args[number])

    return _changed(program, change, arguments=[array for k, array in enumerate(program.arguments) if k != number])


def _changed(
    program: RandomProgram, change: Callable[[FuncOp], None], *, passes: str = "dce", **fields: list[Any]
) -> RandomProgram:
    """A copy of the program after a change of its function, without operations that are no longer needed."""
    module = program.module.clone()
    function = entry_function(module)
    change(function)
    types = [arg.type for arg in function.args], [value.type for value in _end(function).operands]
    function.function_type = FunctionType.from_lists(*types)
    PassManager.parse(passes, make_context(), all_passes()).run(module)
    return replace(program, module=module, **fields)


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _end(function: FuncOp) -> ReturnOp:
    last = function.body.block.last_op
    assert isinstance(last, ReturnOp), "a function ends with a return"
    return last


def _return(function: FuncOp, values: Sequence[SSAValue]) -> None:
    """Let a function return other values."""
    end = _end(function)
    end.detach()
    end.erase()
    function.body.block.add_op(ReturnOp(*values))


def _steps(function: FuncOp) -> list[Operation]:
    return [op for op in function.body.block.ops if op.results]


def _operations(function: FuncOp) -> list[Operation]:
    """The operations of the function and of the bodies in it."""
    return [op for op in function.body.walk() if op.results]


def _gives_one(op: Operation) -> bool:
    """Whether only the first result of an operation is used."""
    return not any(result.uses for result in op.results[1:])


def _is_returned(op: Operation) -> bool:
    return any(isinstance(use.operation, ReturnOp) for result in op.results for use in result.uses)
