"""`sw.define_op`, `sw.compile_as`, `sw.bypass`: declarations of operations, composites as operations, and replacements."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.diagnostics import ShapeError, did_you_mean
from ...ir.shape_rules.rule import ShapeRule
from ...passes.rules.settings import Addition, add_extension
from ..functions.gradient_marks import stop_gradient
from ..jit import Jitted
from ..tracing.bypasses import Bypass
from ..tracing.public_names import FUNCTIONS
from ..tracing.source import SourceLocator
from ..tracing.trees import flatten
from .operation import Operation
from .shape_rules import shape_rule

# The operations that were defined, by name, which bypasses may replace.
_DEFINED: set[str] = set()


def define_op(
    name: str,
    rule: str | ShapeRule,
    *,
    backward: Callable[..., Any] | None = None,
    save_for_backward: Sequence[bool] | None = None,
    documentation: str = "",
) -> Operation:
    """Define an operation by the rule of its shapes. Implementations for devices are given to the result.

        add = sw.define_op("add", "A[~] B[~] -> [~]", backward=lambda g, a, b: (g, g), save_for_backward=(False, False))

        @add.impl("cpu")
        def _(a, b):
            return a + b

    Calls `add(a, b)` check the shapes, and dispatch to the implementation for the first of `sw.backends` that has one. Keywords
    of a call give values to names of the rule, and are passed to implementations with parameters of these names.

    `backward(g, *inputs)` returns the cotangents of the inputs, in a tuple if there are several, given the cotangent of the
    result, or a tuple of the cotangents of all results; None stands for zeros, and for inputs that are not floats.
    `save_for_backward` says for each input whether the backward pass reads it, by default yes; the pass gets copies of these
    inputs, and only the shapes of the others. Without `backward`, an operation is differentiated through the implementation.
    `documentation` is its docstring.

    Raises ShapeError for a malformed rule, TypeError and ValueError for other arguments.
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"define_op: expected the name of the operation, got {name!r}")
    if not isinstance(documentation, str):
        raise TypeError(f"define_op: '{name}': expected a text as documentation, got {documentation!r}")
    if not isinstance(rule, str | ShapeRule):
        raise TypeError(f"define_op: '{name}': expected a rule such as 'A[~] -> [~]', got {rule!r}")
    parsed = shape_rule(rule) if isinstance(rule, str) else rule
    if not parsed.grammar.outputs:
        raise ShapeError(f"define_op: '{name}': expected a rule with results, got '{parsed}'", SourceLocator().innermost())
    if backward is not None and not callable(backward):
        raise TypeError(f"define_op: '{name}': expected a function as backward, got {backward!r}")
    saved = _flags(name, save_for_backward, parsed)
    if saved is not None and backward is None:
        raise ValueError(f"define_op: '{name}': save_for_backward needs a backward pass")
    _DEFINED.add(name)
    return Operation(name, parsed, backward, saved, documentation)


def compile_as(
    function: Callable[..., Any], kind: str, rule: str | ShapeRule | None = None, *, name: str | None = None,
    differentiable: bool = False, target: str = "cpu",
) -> Any:  # fmt: skip
    """Make a function, or a module such as `sw.nn.Linear`, a compiled function or an operation.

    "function" gives a compiled function, as `sw.jit` does: later calls with the same dtypes and ranks trace and compile
    nothing, whatever the sizes are. "node" gives an operation with the function as its implementation for any device, to which
    others can be added; with `differentiable`, gradients pass through it, else its results are constants of differentiation.
    `rule` is checked at each call, of the arrays in the arguments in order. Raises ValueError for another kind.
    """
    if kind not in ("function", "node"):
        raise ValueError(f'compile_as: expected "function" or "node", got {kind!r}{did_you_mean(kind, ("function", "node"))}')
    if not callable(function):
        raise TypeError(f"compile_as: expected a function, got {function!r}")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"compile_as: expected a text as name, got {name!r}")
    own = function.function if isinstance(function, Jitted) else function
    label = name or getattr(own, "__name__", type(own).__name__.lower())
    parsed = shape_rule(rule) if isinstance(rule, str) else rule
    node = Operation(label, parsed, None, None, inspect.getdoc(own) or "", takes_nested=True)

    def body(*args: Any, **options: Any) -> Any:
        found = own(*args, **options)
        if differentiable or kind == "function":
            return found
        leaves, tree = flatten(found)
        return tree.unflatten([stop_gradient(leaf) for leaf in leaves])

    node.impl()(functools.wraps(own, updated=())(body) if hasattr(own, "__name__") else body)
    if kind == "function":
        return Jitted(node if rule is not None else own, target, any_windows=True)
    _DEFINED.add(label)
    return node


def bypass(device: str, name: str, replacement: Callable[..., Any]) -> Addition:
    """Call another function in place of a function of the library, or of an operation, where `device` is among the backends.

        sw.bypass("cpu", "relu", lambda x: sw.maximum(x, 0))

    It applies to calls in the user's program, methods and operators included, in all threads, until it is removed; not to calls
    that the library itself makes. The replacement takes the same arguments; inside of it, the name stands for the original. One
    function may have bypasses for several devices; the first of `sw.backends` that has one is used. Returns an object with
    `remove()`, which is also a context manager. Raises ValueError for an unknown name.
    """
    if not isinstance(device, str) or not device:
        raise TypeError(f"bypass: expected the name of a device, got {device!r}")
    if not callable(replacement):
        raise TypeError(f"bypass: expected a function in place of '{name}', got {replacement!r}")
    if not isinstance(name, str):
        own = getattr(name, "__name__", None)
        hint = f": give its name, {own!r}" if own is not None else ""
        raise TypeError(f"bypass: expected the name of a function or operation, got {name!r}{hint}")
    known = (*FUNCTIONS, *_DEFINED)
    if name not in known:
        raise ValueError(f"bypass: no function or operation is called {name!r}{did_you_mean(name, known)}")
    own = FUNCTIONS[name].rpartition(":")[2] if name in FUNCTIONS else name  # an alias has the key of its function
    return add_extension(Bypass(device, own, replacement))


def _flags(name: str, given: Sequence[bool] | None, rule: ShapeRule) -> tuple[bool, ...] | None:
    """For each input whether it is saved. Raises ValueError unless there is a flag for each."""
    if given is None:
        return None
    count = len(rule.grammar.inputs)
    if not isinstance(given, tuple | list) or len(given) != count or not all(isinstance(each, bool) for each in given):
        raise ValueError(f"define_op: '{name}': expected {count} flags in save_for_backward, one for each input, got {given!r}")
    return tuple(given)
