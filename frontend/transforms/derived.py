"""Functions made from other functions: traced inline inside of a trace, and compiled on arrays and lazy tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..jit import Jitted
from ..lazy import lazily
from ..tracing.tracer import is_tracing


class Derived(Jitted):
    """A function made from another one, which may capture tensors of the enclosing trace: inside of a trace it is always traced
    inline."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it as a jitted function, outside of traces."""
        return self.function(*args, **kwargs) if is_tracing() else super().__call__(*args, **kwargs)


def everywhere(traced: Callable[..., Any], function: Callable[..., Any], *, same_arguments: bool = True) -> Jitted:
    """Make a function of traced tensors callable with any tensors and arrays, under the name of `function`.

    It has the signature of `function` unless `same_arguments` is False, and its target.
    """
    own = None if same_arguments else inspect.signature(traced)
    # Do not copy attributes of `function`: those of a jitted one are its compiled code.
    named: Any = functools.update_wrapper(traced, function, updated=())
    if own is not None:
        named.__signature__ = own
    target, static = (function.target, function.static) if isinstance(function, Jitted) else ("cpu", False)
    return Derived(lazily(named, at_once=True), target, static)
