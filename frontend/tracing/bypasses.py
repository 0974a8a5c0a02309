"""Bypasses: other functions in place of the library's, or of users' operations, for some devices."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...passes.rules.settings import Backends, current
from .target import current_target

# The devices whose implementations a target uses, by priority.
_DEVICES_OF = MappingProxyType({"triton-interpret": ("triton-interpret", "cuda"), "interpret": ("interpret", "cpu")})

# The names whose replacements are being called: inside of them these functions are the library's own.
_replaced: ContextVar[frozenset[str]] = ContextVar("replaced", default=frozenset())


@dataclass(frozen=True, eq=False)
class Bypass:
    """A function that replaces the one called `name` if `device` is among the backends."""

    device: str
    name: str
    replacement: Callable[..., Any]


def active_backends() -> Backends:
    """The devices to try now, by priority: those that were chosen, else those of the target."""
    chosen = current().choice.backends
    if chosen is not None:
        return chosen
    target = current_target()
    return Backends(_DEVICES_OF.get(target, (target,)))


def replacement_for(name: str) -> Callable[..., Any] | None:
    """The function to call in place of the one called `name`, None if there is none: the bypass for the first device that has
    one, the last of several for a device."""
    extensions = current().extensions
    if not extensions or name in _replaced.get():
        return None
    found = [each for each in extensions if isinstance(each, Bypass) and each.name == name]
    for device in active_backends().devices if found else ():
        mine = [each for each in found if each.device == device]
        if mine:
            return functools.partial(_call, mine[-1])
    return None


def bypassed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, or the replacement that applies to a call."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not current().extensions:
            return function(*args, **kwargs)
        replacement = replacement_for(name)
        return (replacement or function)(*args, **kwargs)

    return called


def _call(bypass: Bypass, *args: Any, **kwargs: Any) -> Any:
    token = _replaced.set(_replaced.get() | {bypass.name})
    try:
        return bypass.replacement(*args, **kwargs)
    finally:
        _replaced.reset(token)
