"""Sizes of torch that are known only at run time: expressions over symbols, evaluated with numbers or with sizes of a trace."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...tracing.sizes import Size
from ...tracing.tensor import Tensor, tensor_of
from ...tracing.tracer import current_tracer
from ..rows.row import Unsupported


def expression_of(value: Any) -> Any:
    """The expression of a symbolic number of torch; None for other values, and for a number whose value is known."""
    node = getattr(value, "node", None)
    if node is None or not hasattr(node, "expr"):
        return None
    return None if node.expr.is_number else node.expr


def symbols_of(values: Iterable[Any]) -> set[Any]:
    """The symbols in numbers and in the shapes of tensors, nested in lists and tuples."""
    return {symbol for expression in _expressions(values) for symbol in expression.free_symbols}


def terms_of(values: Iterable[Any]) -> set[Any]:
    """The terms that a program needs to compute the sizes in numbers and in the shapes of tensors: symbols and, as single
    terms, expressions that sizes of a trace cannot express, such as rounded products with a fraction."""
    return {term for expression in _expressions(values) for term in _terms(expression)}


def _expressions(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _expressions(value)
        elif hasattr(value, "shape"):
            yield from _expressions(tuple(value.shape))
        elif (expression := expression_of(value)) is not None:
            yield expression


def _terms(expression: Any) -> set[Any]:
    if expression is None or expression.is_number:
        return set()
    if expression.is_symbol or not (type(expression).__name__ in _FUNCTIONS or expression.is_Boolean):
        return {expression}
    return set().union(*map(_terms, expression.args))


def is_integer(term: Any) -> bool:
    """Whether a term is an integer; torch's operations on bits do not say that their results are."""
    return bool(term.is_integer) or type(term).__name__.startswith("BitwiseFn")


def evaluate(value: Any, bindings: Mapping[Any, Any]) -> Any:
    """The value of a symbolic number of torch for these values of its symbols, or of terms in it: numbers, or sizes of a trace.
    With sizes of a trace, a number that is not an integer becomes a tensor. Raises KeyError for a symbol without a value."""
    node = getattr(value, "node", None)
    if node is None:
        return value
    found = value_with(node.expr, bindings)
    if isinstance(found, int | float):
        return _type_of(value)(found)
    return found


def value_with(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The value of an expression with these values of its symbols, as in `evaluate`."""
    if expression in bindings:
        return bindings[expression]
    if expression.is_Integer:
        return int(expression)
    if expression.is_number or (expression.is_Boolean and not expression.free_symbols):
        return bool(expression) if expression.is_Boolean else float(expression)
    if expression.is_symbol:
        raise KeyError(expression)
    function = _FUNCTIONS.get(type(expression).__name__)
    if function is None:
        return _by_substitution(expression, bindings)
    return function(*(value_with(each, bindings) for each in expression.args))


def _by_substitution(expression: Any, bindings: Mapping[Any, Any]) -> Any:
    """The value of an expression with numbers in place of its symbols, as torch computes it."""
    values = {symbol: bindings[symbol] for symbol in expression.free_symbols}
    if not all(isinstance(each, int | float) for each in values.values()):
        raise Unsupported(f"sizes with '{type(expression).__name__}', as in {expression}")
    return value_with(expression.subs(values), {})


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, int) and exponent < 0:
        return 1 / _as_float(base) ** -exponent
    return base**exponent


def _as_float(value: Any) -> Any:
    """A number as a float; a size of a trace as a tensor."""
    if not isinstance(value, Size):
        return value if isinstance(value, Tensor) else float(value)
    return sw.astype(tensor_of(value, current_tracer()), "float64")


def _square_root(value: Any) -> Any:
    return sw.sqrt(value) if isinstance(value, Tensor) else math.sqrt(value)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "Add": lambda *terms: functools.reduce(operator.add, terms),
        "Mul": lambda *factors: functools.reduce(operator.mul, factors),
        "Pow": _power,
        "PowByNatural": _power,
        "FloatPow": lambda base, exponent: _as_float(base) ** exponent,
        "FloorDiv": operator.floordiv,
        "CleanDiv": operator.floordiv,
        "IntTrueDiv": lambda a, b: _as_float(a) / _as_float(b),
        "FloatTrueDiv": lambda a, b: _as_float(a) / _as_float(b),
        "Mod": operator.mod,
        "PythonMod": operator.mod,
        "ModularIndexing": lambda x, divisor, modulus: x // divisor % modulus,
        "Max": lambda *each: functools.reduce(lambda a, b: a if a >= b else b, each),
        "Min": lambda *each: functools.reduce(lambda a, b: a if a <= b else b, each),
        "ToFloat": _as_float,
        "OpaqueUnaryFn_sqrt": _square_root,
        "Identity": lambda x: x,
        "Where": lambda condition, a, b: a if condition else b,
        "Equality": operator.eq,
        "Unequality": operator.ne,
        "StrictLessThan": operator.lt,
        "LessThan": operator.le,
        "StrictGreaterThan": operator.gt,
        "GreaterThan": operator.ge,
    }
)


def _type_of(value: Any) -> type:
    """The Python type of a symbolic number of torch."""
    import torch

    return {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}.get(type(value), type(value))


def hint_of(value: Any) -> Any:
    """The value of a size in the call that torch compiles for; None for a size that depends on data."""
    node = getattr(value, "node", None)
    if node is None:
        return value
    hint = getattr(node, "hint", None)
    return None if hint is None else int(hint)


def is_symbolic(value: Any) -> bool:
    """Whether a value is a symbolic number of torch."""
    import torch

    return isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool)
