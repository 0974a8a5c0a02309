"""What one function may run of another, below the micro-ops: which function a symbol names."""

from __future__ import annotations

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from ..ir.functions import function_params


def callee_of(op: Operation, symbol: SymbolRefAttr, more: int = 0) -> FuncOp:
    """The function that an operation runs. It stands in front of the one around the operation, so that none runs itself, and
    takes the same parameters, which it is handed as they are, and so many `more`. Raises VerifyException for any other."""
    name, found = symbol.root_reference.data, SymbolTable.lookup_symbol(op, symbol)
    if not isinstance(found, FuncOp):
        raise VerifyException(f"there is no function '{name}'")
    caller = _function_around(op)
    if not found.is_before_in_block(caller):
        raise VerifyException(f"expected '{name}' in front of '{caller.sym_name.data}', which runs it")
    expected, params = function_params(caller), function_params(found)
    if params[: len(expected)] != expected or len(params) != len(expected) + more:
        given = (*expected, *(["an index"] * more))
        raise VerifyException(f"'{name}' has the parameters ({', '.join(params)}), is run with ({', '.join(given)})")
    return found


def _function_around(op: Operation) -> FuncOp:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    if parent is None:
        raise VerifyException("expected a function around it")
    return parent
