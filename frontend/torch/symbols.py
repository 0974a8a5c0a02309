"""Sizes of torch that are known only at run time: expressions over symbols, evaluated with numbers or with sizes of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def expression_of(value: Any) -> Any:
    """The expression of a symbolic number of torch; None for any other value, and for a number whose value is known."""
    node = getattr(value, "node", None)
    if node is None or not hasattr(node, "expr"):
        return None
    return None if node.expr.is_number else node.expr


def symbols_of(values: Iterable[Any]) -> set[Any]:
    """The symbols in numbers and in the shapes of tensors, nested in lists and tuples."""
    found: set[Any] = set()
    for value in values:
        if isinstance(value, list | tuple):
            found |= symbols_of(value)
        elif hasattr(value, "shape"):
            found |= symbols_of(tuple(value.shape))
        else:
            expression = expression_of(value)
            if expression is not None:
                found |= expression.free_symbols
    return found


def evaluate(value: Any, bindings: Mapping[Any, Any]) -> Any:
    """The value of a symbolic number of torch with these values of its symbols: numbers, or sizes of a trace. Raises KeyError
    for a symbol without one."""
    node = getattr(value, "node", None)
    if node is None:
        return value
    expression = expression_of(value)
    if expression is None:
        return type_of(value)(node.expr)
    if expression.is_symbol:
        return bindings[expression]
    from torch.utils._sympy.interp import sympy_interp
    from torch.utils._sympy.reference import PythonReferenceAnalysis

    missing = next((each for each in expression.free_symbols if each not in bindings), None)
    if missing is not None:
        raise KeyError(missing)
    return sympy_interp(PythonReferenceAnalysis, dict(bindings), expression)


def type_of(value: Any) -> type:
    """The type of the number that a symbolic one of torch stands for."""
    import torch

    return {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}.get(type(value), type(value))


def hint_of(value: Any) -> Any:
    """The value of a size in the call that torch compiles for; None for one that depends on data."""
    node = getattr(value, "node", None)
    if node is None:
        return value
    hint = getattr(node, "hint", None)
    return None if hint is None else int(hint)


def is_symbolic(value: Any) -> bool:
    """Whether a value is a symbolic number of torch."""
    import torch

    return isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool)
