"""Function multiversioning: private versions of a function for known sizes, next to the function for all sizes.

A version has the arguments and parameters of the module's public function, in the same order, with some parameters replaced by
constants in its types and operations. It runs instead of the public function if all index expressions in its `sw.version`, over
the parameters, are non-negative. Versions have this form on every level; the emitted code and the interpreters select one at
entry of the public function.

If no other sizes are expected, the function itself can be specialised: `sw.sizes` has the value of each parameter that is
constant in it, and calls with other values are rejected.

`sw.hints` on a function has the expected sizes: the value of each small parameter in the first call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp

from ..diagnostics import CompileError
from ..index.expressions import Index, param
from ..types.shapes import IndexMap, MapAttr
from .attributes import HINTS, SIZES, VERSION

# The largest size with a version: from here on tiles have their full number of columns. Larger sizes vary between calls, and
# must not lead to different programs.
LARGEST_HINT = 16


def hints_of(function: FuncOp) -> dict[str, int]:
    """The values of small parameters in the first call, if there was one."""
    return _sizes_in(function, HINTS)


def set_hints(function: FuncOp, hints: Mapping[str, int]) -> None:
    """Record the small sizes of the first call; without any, remove the attribute."""
    _note_sizes(function, HINTS, {name: value for name, value in hints.items() if 0 < value <= LARGEST_HINT})


def fixed_sizes(function: FuncOp) -> dict[str, int]:
    """The parameters that are constants in a function, which rejects calls with other values."""
    return _sizes_in(function, SIZES)


def check_fixed_sizes(function: FuncOp, known: Sequence[str]) -> None:
    """Raise CompileError if `sw.sizes` is not a dictionary of integers, or has an unknown parameter."""
    found = function.attributes.get(SIZES)
    if found is None:
        return
    if not isinstance(found, DictionaryAttr) or not all(isinstance(value, IntegerAttr) for value in found.data.values()):
        raise CompileError(f"'{SIZES}': expected integers by the names of parameters, got {found}", function.location)
    unknown = next((name for name in found.data if name not in known), None)
    if unknown is not None:
        has = ", ".join(known) or "none"
        raise CompileError(f"'{SIZES}': unknown parameter '{unknown}' (@{function.sym_name.data} has {has})", function.location)


def fix_sizes(function: FuncOp, sizes: Mapping[str, int]) -> None:
    """Record that a function accepts only these values of parameters."""
    _note_sizes(function, SIZES, sizes)


def _sizes_in(function: FuncOp, attribute: str) -> dict[str, int]:
    found = function.attributes.get(attribute)
    if not isinstance(found, DictionaryAttr):
        return {}
    return {name: value.value.data for name, value in found.data.items() if isinstance(value, IntegerAttr)}


def _note_sizes(function: FuncOp, attribute: str, sizes: Mapping[str, int]) -> None:
    function.attributes.pop(attribute, None)
    if sizes:
        function.attributes[attribute] = DictionaryAttr({name: IntegerAttr(value, i64) for name, value in sizes.items()})


def make_version(function: FuncOp, sizes: Mapping[str, int]) -> None:
    """Make a function run instead of the public one if parameters have these values."""
    conditions = [side for name, value in sizes.items() for side in (param(name) - value, value - param(name))]
    function.sym_visibility = StringAttr("private")
    function.attributes[VERSION] = MapAttr(IndexMap.of(0, conditions))


def condition_of(function: FuncOp) -> tuple[Index, ...] | None:
    """The expressions that are non-negative where a version runs; None for a function that is not a version."""
    found = function.attributes.get(VERSION)
    return found.data.results if isinstance(found, MapAttr) else None


def is_version(function: FuncOp) -> bool:
    """Whether a function runs instead of the public one for some sizes."""
    return condition_of(function) is not None


def versions_of(function: FuncOp) -> list[FuncOp]:
    """The versions of a public function, in the order in which they are tried."""
    module = function.parent_op()
    if is_version(function) or not isinstance(module, ModuleOp):
        return []
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and is_version(op)]


def version_for(function: FuncOp, values: Mapping[str, int]) -> FuncOp:
    """The function that runs for these values of the parameters: the first version that fits, or the function itself."""
    return next((each for each in versions_of(function) if all_hold(condition_of(each) or (), values)), function)


def all_hold(conditions: Sequence[Index], values: Mapping[str, int]) -> bool:
    """Whether expressions are non-negative for these values of their parameters."""
    return all(each.evaluate(lambda atom: values[str(atom)]) >= 0 for each in conditions)
