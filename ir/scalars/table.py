"""The scalar functions by name, those of plugins too, and the dtypes of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from ..diagnostics import PipelineError, did_you_mean
from ..plugins import installed
from ..types.dtypes import BOOL, DType
from .arithmetic import ARITHMETIC
from .elementary import ELEMENTARY
from .function import ScalarFunction
from .logic import LOGIC
from .packed import PACKED

SCALARS: Mapping[str, ScalarFunction] = MappingProxyType({row.name: row for row in (*ARITHMETIC, *ELEMENTARY, *LOGIC)})


def scalar(name: str) -> ScalarFunction:
    """The function of this name, from this table, from the functions that only passes create, or from an installed plugin.
    Raises LookupError, with the closest name, for an unknown name, and PipelineError for a plugin whose functions are not
    rows."""
    found = SCALARS.get(name) or PACKED.get(name) or scalars_of_plugins().get(name)
    if found is None:
        raise LookupError(f"unknown scalar function '{name}'{did_you_mean(name, [*SCALARS, *scalars_of_plugins()])}")
    return found


@cache
def scalars_of_plugins() -> Mapping[str, ScalarFunction]:
    """The scalar functions of installed plugins that are not in this table."""
    found: dict[str, ScalarFunction] = {}
    for plugin in installed():
        for each in plugin.scalars:
            if not isinstance(each, ScalarFunction):
                raise PipelineError(f"plugin '{plugin.name}': SCALARS: expected rows of ScalarFunction, got {each!r}")
            if each.name in SCALARS or each.name in found:
                raise PipelineError(f"plugin '{plugin.name}': scalar function '{each.name}' exists already")
            found[each.name] = each
    return MappingProxyType(found)


def result_type(function: ScalarFunction, operands: Sequence[DType]) -> DType:
    """The dtype of a call's result. Raises TypeError, with the function's name, for operands that do not fit."""
    wrong = misfit(function, operands)
    if wrong is not None:
        raise TypeError(f"'{function}': {wrong}")
    return BOOL if function.result == "bool" else operands[-1]


def misfit(function: ScalarFunction, operands: Sequence[DType]) -> str | None:
    """The error message for the dtypes of a call's operands, None if they fit."""
    if len(operands) != function.arity:
        return f"expected {function.arity} operands, got {len(operands)}"
    values = list(operands)
    if function.name == "select" and values.pop(0) != BOOL:
        return f"expected a condition of dtype bool, got {operands[0]}"
    if any(value != values[0] for value in values):
        return f"expected operands of one dtype, got {', '.join(map(str, values))}"
    if values[0].is_stored_only and not function.accepts(values[0]):
        return f"expected operands to compute with, got {values[0]}, which is only stored: cast to float32 first"
    if not function.accepts(values[0]):
        return f"expected operands of {' or '.join(function.kinds)} type, got {values[0]}"
    return None
