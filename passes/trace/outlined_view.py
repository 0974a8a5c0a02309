"""The outlined view: moves each group of operations from one source line into a function of its own, and back.

    func.func @main(%x) {                       func.func @main(%x) {
      %0 = uop.map ... loc("model.py":3:9)        %1 = func.call @outlined_model_3_0(%x)
      %1 = uop.map ... loc("model.py":3:9)   ->   %2 = func.call @outlined_model_4_0(%1)
      %2 = uop.map ... loc("model.py":4:9)        func.return %2
      func.return %2                            }

A group is a maximal sequence of consecutive operations in a block of a function that come from the same source lines: the k-th
of its source is `@outlined_<source>_<k>`. The view is for reading; passes see the flat IR. `inline(outline(module))` prints
exactly as `module`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ...ir.functions.attributes import OUTLINED
from ...ir.locations import Frame, frames, fuse
from ...ir.nesting import free_values

# Marks the functions that `inline` dissolves.


def outline(module: ModuleOp) -> ModuleOp:
    """The outlined view, as a new module. Raises TypeError if `module` is no module."""
    view = _module(module).clone()
    counts: dict[str, int] = {}
    functions = [op for op in view.body.block.ops if isinstance(op, FuncOp)]
    taken = {function.sym_name.data for function in functions}
    for function in functions:
        for block in function.body.blocks:
            for source, run in list(_runs(block)):
                name = _fresh(source, counts, taken)
                view.body.block.add_op(_move_out(name, run))
    return view


def _module(module: object) -> ModuleOp:
    if not isinstance(module, ModuleOp):
        raise TypeError(f"expected a module, as stepwell.ir.text.parser.parse_module makes it, got {type(module).__name__}")
    return module


def inline(view: ModuleOp) -> ModuleOp:
    """The flat module of an outlined view, as a new module. Raises TypeError if `module` is no module."""
    module = _module(view).clone()
    top = module.body.block
    outlined = {op.sym_name.data: op for op in top.ops if isinstance(op, FuncOp) and OUTLINED in op.attributes}
    calls = [op for op in module.walk() if isinstance(op, CallOp) and op.callee.root_reference.data in outlined]
    for call in calls:
        _move_in(call, outlined[call.callee.root_reference.data])
    for function in outlined.values():
        top.erase_op(function)
    return module


def _runs(block: Block) -> Iterator[tuple[str, tuple[Operation, ...]]]:
    """The maximal sequences of operations with the same source, without the terminator."""
    inner = [op for op in block.ops if not op.has_trait(IsTerminator)]
    for lines, run in groupby(inner, key=_lines):
        if lines:
            yield _source_name(lines[0]), tuple(run)


def _lines(op: Operation) -> tuple[Frame, ...]:
    """The source lines of an operation, without columns."""
    return tuple(dict.fromkeys(frame._replace(column=0) for frame in frames(op.location)))


def _source_name(frame: Frame) -> str:
    stem = frame.function or PurePath(frame.file.replace("\\", "/")).stem
    return re.sub(r"[^A-Za-z0-9_]+", "_", f"{stem}_{frame.line}").strip("_")


def _fresh(source: str, counts: dict[str, int], taken: set[str]) -> str:
    while True:
        number = counts.get(source, 0)
        counts[source] = number + 1
        name = f"outlined_{source}_{number}"
        if name not in taken:
            taken.add(name)
            return name


def _move_out(name: str, run: Sequence[Operation]) -> FuncOp:
    """Move `run` into a new function, replace it by a call, and return the function."""
    inside = {op for outer in run for op in outer.walk()}
    inputs = free_values(run)
    outputs = [result for op in run for result in op.results if any(use.operation not in inside for use in result.uses)]
    call = CallOp(name, inputs, [value.type for value in outputs])
    call.location = fuse(op.location for op in run)
    block = run[0].parent
    assert block is not None, "operations of a run have a parent block"
    block.insert_op_before(call, run[0])
    body = Block(arg_types=[value.type for value in inputs])
    for op in run:
        op.detach()
        body.add_op(op)
    _rewire(inputs, body.args, lambda user: user in inside)
    _rewire(outputs, call.results, lambda user: user not in inside)
    end = ReturnOp(*outputs)
    end.location = call.location
    body.add_op(end)
    types = ([value.type for value in inputs], [value.type for value in outputs])
    function = FuncOp(name, types, Region(body), visibility=StringAttr("private"))
    function.attributes[OUTLINED] = UnitAttr()
    function.location = call.location
    return function


def _move_in(call: CallOp, function: FuncOp) -> None:
    """Replace the call of an outlined function, which has no other call, by the function's operations."""
    body = function.body.block
    end = body.last_op
    assert isinstance(end, ReturnOp) and call.parent is not None, "an outlined function returns, and its call has a block"
    for argument, value in zip(body.args, call.arguments, strict=True):
        argument.replace_all_uses_with(value)
    for result, value in zip(call.results, end.arguments, strict=True):
        result.replace_all_uses_with(value)
    for op in list(body.ops):
        if op is not end:
            op.detach()
            call.parent.insert_op_before(op, call)
    call.parent.erase_op(call)


def _rewire(old: Sequence[SSAValue], new: Sequence[SSAValue], where: Callable[[Operation], bool]) -> None:
    """Replace `old` values by `new` ones in the users chosen by `where`, keeping the names."""
    for value, replacement in zip(old, new, strict=True):
        replacement.name_hint = value.name_hint
        value.replace_uses_with_if(replacement, lambda use: where(use.operation))
