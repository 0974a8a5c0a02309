"""Resolution of symbols to the functions that operations below the micro-ops call."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from ..ir.functions.entry import function_params
from ..ir.types.shapes import MapAttr


def callee_of(op: Operation, symbol: SymbolRefAttr, more: int = 0) -> FuncOp:
    """The function that an operation calls with the caller's own parameters and `more` indices. It precedes the caller in the
    module, so that there is no recursion. Raises VerifyException for a function with other parameters, and for one that is
    missing."""
    found = _found(op, symbol)
    expected, params = function_params(_function_around(op)), function_params(found)
    if params[: len(expected)] != expected or len(params) != len(expected) + more:
        raise _other_params(found, (*expected, *(["an index"] * more)))
    return found


def callee_for_sizes(op: Operation, symbol: SymbolRefAttr, sizes: MapAttr, more: int = 0) -> FuncOp:
    """The function that an operation calls with expressions over the caller's parameters as parameters, and `more` indices.
    Raises VerifyException as `callee_of` does."""
    found, given = _found(op, symbol), sizes.data.results
    if sizes.data.dims != 0:
        raise VerifyException("sizes must be expressions over parameters only")
    if len(function_params(found)) != len(given) + more:
        raise _other_params(found, (*map(str, given), *(["an index"] * more)))
    return found


def _found(op: Operation, symbol: SymbolRefAttr) -> FuncOp:
    name, found = symbol.root_reference.data, SymbolTable.lookup_symbol(op, symbol)
    if not isinstance(found, FuncOp):
        raise VerifyException(f"there is no function '{name}'")
    if found.is_declaration:
        raise VerifyException(f"'{name}' has no body")
    caller = _function_around(op)
    if not found.is_before_in_block(caller):
        raise VerifyException(f"expected '{name}' before its caller '{caller.sym_name.data}'")
    return found


def _other_params(function: FuncOp, given: Sequence[str]) -> VerifyException:
    params = ", ".join(function_params(function))
    return VerifyException(f"'{function.sym_name.data}' has the parameters ({params}), but is called with ({', '.join(given)})")


def _function_around(op: Operation) -> FuncOp:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    if parent is None:
        raise VerifyException("expected it inside of a function")
    return parent
