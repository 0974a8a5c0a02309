"""Functions of a module: its entry function, and the integer parameters of functions besides their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ..diagnostics import CompileError
from ..types.dtypes import dtype_of
from ..types.shapes import IndexMap, MapAttr, element_of, shape_of, shape_params
from .attributes import DONATED, INPUTS, PARAMS, PART, STEP, TEMPORARIES, TYPES, UNIT
from .versions import check_fixed_sizes


def function_params(function: FuncOp) -> tuple[str, ...]:
    """The names of a function's parameters: the sizes of its arguments, then its declared `$params` (`sw.params`).

    If `sw.params` contains all sizes, it also defines their order.
    """
    shapes = [shape_of(arg) for arg in function.args if isinstance(arg.type, TensorType | MemRefType)]
    declared = function.attributes.get(PARAMS)
    names = [name.data for name in declared if isinstance(name, StringAttr)] if isinstance(declared, ArrayAttr) else []
    if input_count(function) is not None:
        return tuple(names)
    sizes = shape_params(shapes)
    return tuple(names) if names and set(sizes) <= set(names) else tuple(dict.fromkeys((*sizes, *names)))


def check_params(module: ModuleOp) -> None:
    """Raise CompileError for a parameter, in an index expression or in `sw.sizes`, that its function does not have, and for a
    function without a body, or of several blocks."""
    for function in [op for op in module.body.block.ops if isinstance(op, FuncOp)]:
        if function.is_declaration:
            raise CompileError(f"@{function.sym_name.data}: expected a function with a body", function.location)
        if len(function.body.blocks) != 1:
            found = len(function.body.blocks)
            raise CompileError(f"@{function.sym_name.data}: expected a function of one block, got {found}", function.location)
        known = function_params(function)
        check_fixed_sizes(function, known)
        for op in function.body.walk():
            unknown = next((name for name in _params_in(op) if name not in known), None)
            if unknown is not None:
                found = ", ".join(known) or "none"
                has = f"@{function.sym_name.data} has {found} (sizes of its arguments, and `sw.params`)"
                raise CompileError(f"'{op.name}': unknown parameter '{unknown}': {has}", op.location)


def check_types(module: ModuleOp) -> None:
    """Raise CompileError for a function with arguments or results other than tensors or buffers of known ranks, sizes and
    dtypes, and for one with both tensors and buffers."""
    for function in [op for op in module.body.block.ops if isinstance(op, FuncOp)]:
        kinds = (*function.function_type.inputs, *function.function_type.outputs)
        try:
            for kind in kinds:
                shape_of(kind)
                dtype_of(element_of(kind))
        except TypeError as error:
            raise CompileError(f"@{function.sym_name.data}: {error}", function.location) from None
        if len({isinstance(kind, MemRefType) for kind in kinds}) > 1:
            raise CompileError(f"@{function.sym_name.data}: expected tensors or buffers, got both", function.location)


def params_used(function: FuncOp) -> tuple[str, ...]:
    """The names of the parameters in the operations of a function, each once."""
    return tuple(dict.fromkeys(name for op in function.body.walk() for name in _params_in(op)))


def _params_in(op: Operation) -> Iterator[str]:
    """The parameters in the types of an operation's results and in its index maps."""
    yield from shape_params([shape_of(value) for value in op.results if isinstance(value.type, TensorType | MemRefType)])
    for attribute in op.properties.values():
        for each in attribute if isinstance(attribute, ArrayAttr) else (attribute,):
            if isinstance(each, MapAttr):
                yield from each.data.params()


def input_count(function: FuncOp) -> int | None:
    """The number of a function's buffers that are its inputs, which come first (`sw.inputs`); None for a function on tensors.
    Raises CompileError for a number out of range."""
    counted = function.attributes.get(INPUTS)
    if not isinstance(counted, IntegerAttr):
        return None
    number, buffers = counted.value.data, len(function.args)
    if not 0 <= number <= buffers:
        message = f"sw.inputs: expected 0 to {buffers}, the number of buffers of @{function.sym_name.data}, got {number}"
        raise CompileError(message, function.location)
    return number


def donated(function: FuncOp) -> tuple[int | None, ...]:
    """For each result the number of the argument whose memory it reuses (`sw.donated`), None for new memory."""
    found = function.attributes.get(DONATED)
    if not isinstance(found, DenseArrayBase):
        return ()
    return tuple(None if number < 0 else int(number) for number in found.get_values())


def donate(function: FuncOp, arguments: Sequence[int | None]) -> None:
    """Make results reuse the memory of arguments. If all of `arguments` are None, remove the attribute."""
    function.attributes.pop(DONATED, None)
    if any(number is not None for number in arguments):
        numbers = [-1 if number is None else number for number in arguments]
        function.attributes[DONATED] = DenseArrayBase.from_list(i64, numbers)


def temporaries(function: FuncOp) -> tuple[IndexMap, ...] | None:
    """The temporaries that a function gets from its callers as its last inputs (`sw.temporaries`): the number of elements of
    each, shared and for each thread. None for a function that allocates its own temporaries, as all do above the C level."""
    found = function.attributes.get(TEMPORARIES)
    return tuple(each.data for each in found if isinstance(each, MapAttr)) if isinstance(found, ArrayAttr) else None


def temporary_args(function: FuncOp) -> tuple[SSAValue, ...]:
    """The temporaries that a function gets from its callers. Raises CompileError if it has fewer inputs."""
    taken, own = input_count(function) or 0, len(temporaries(function) or ())
    if own > taken:
        message = f"sw.temporaries: expected at most {taken}, the number of inputs of @{function.sym_name.data}, got {own}"
        raise CompileError(message, function.location)
    return tuple(function.args[taken - own : taken])


def note_temporaries(function: FuncOp, sizes: Sequence[MapAttr]) -> None:
    """Make a function on the C level get temporaries of these sizes from its callers."""
    function.attributes[TEMPORARIES] = ArrayAttr(sizes)


def is_unit(function: FuncOp) -> bool:
    """Whether a function is a translation unit, which may be compiled separately (`sw.unit`)."""
    return UNIT in function.attributes


def mark_unit(function: FuncOp) -> None:
    """Mark a function as a translation unit."""
    function.attributes[UNIT] = UnitAttr()


def is_part(function: FuncOp) -> bool:
    """Whether a function is in the translation unit of its only caller (`sw.part`)."""
    return PART in function.attributes


def mark_part(function: FuncOp) -> None:
    """Put a function into the translation unit of its only caller."""
    function.attributes[PART] = UnitAttr()


def is_step(function: FuncOp) -> bool:
    """Whether a function is one step of a scan, the body of a `loop.iterate` (`sw.step`)."""
    return STEP in function.attributes


def mark_step(function: FuncOp) -> None:
    """Let a function be one step of a scan."""
    function.attributes[STEP] = UnitAttr()


def lowered_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module whose tensors are lowered to buffers."""
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and input_count(op) is not None]


def c_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module on the C level, where `sw.types` has the types of their buffers."""
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and TYPES in op.attributes]


def entry_function(module: ModuleOp) -> FuncOp:
    """The only public function of a module. Raises CompileError unless there is exactly one, with a single block."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp) and not is_private(op)]
    if len(functions) != 1:
        found = ", ".join(f"@{function.sym_name.data}" for function in functions) or "none"
        raise CompileError(f"expected a module with one public function, found {found}", module.location)
    entry = functions[0]
    if len(entry.body.blocks) != 1:
        raise CompileError(f"expected @{entry.sym_name.data} to have one block, got {len(entry.body.blocks)}", entry.location)
    return entry


def is_private(function: FuncOp) -> bool:
    """Whether only the module itself calls the function."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def free_name(module: Block, hint: str, *, numbered: bool = True) -> str:
    """The first unused function name in a module's body among `hint`, unless `numbered`, and then `hint_0`, `hint_1` and so
    on."""
    taken = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
    candidates = chain(() if numbered else (hint,), (f"{hint}_{number}" for number in count()))
    return next(name for name in candidates if name not in taken)
