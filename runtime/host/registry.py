"""The functions of the host that programs of this process can call, by their names in the IR."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable, Mapping
from itertools import count
from typing import Any

from ...ir.diagnostics import CompileError, Place, did_you_mean

Function = Callable[..., Any]


class Registry:
    """Functions by name. A function with the same options has one name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._functions: dict[str, Function] = {}
        self._names: dict[Hashable, str] = {}

    def name_of(self, label: str, function: Function, options: Mapping[str, Any], numbers: tuple[str, ...] = ()) -> str:
        """The name of a function with its options: `label`, with a number if the label is taken. The options named in `numbers`
        are the last arguments of calls, as scalars."""
        with self._lock:
            key = _key(label, function, {**options, "": numbers})
            if key in self._names:
                return self._names[key]
            name = label if label not in self._functions else self._numbered(label)
            self._functions[name] = (
                functools.partial(_with_options, function, options, numbers) if options or numbers else function
            )
            if key is not None:
                self._names[key] = name
            return name

    def find(self, name: str, location: Place) -> Function:
        """The function of a name. Raises CompileError for one that is not registered in this process."""
        found = self._functions.get(name)
        if found is None:
            hint = did_you_mean(name, self._functions)
            raise CompileError(f"no host function '{name}' is registered in this process{hint}", location)
        return found

    def _numbered(self, label: str) -> str:
        return next(name for number in count(2) if (name := f"{label}#{number}") not in self._functions)


def _with_options(function: Function, options: Mapping[str, Any], numbers: tuple[str, ...], *arrays: Any) -> Any:
    """Call a function with its options; the last arrays are the values of the options `numbers`."""
    count = len(arrays) - len(numbers)
    given = {name: array.item() for name, array in zip(numbers, arrays[count:], strict=True)}
    return function(*arrays[:count], **options, **given)


def _key(label: str, function: Function, options: Mapping[str, Any]) -> Hashable:
    """A key for a function with its options; None for unhashable options, which get a new name for each call."""
    key = (label, function, tuple((name, type(value), value) for name, value in sorted(options.items())))
    try:
        hash(key)
    except TypeError:
        return None
    return key


_REGISTRY = Registry()
name_of = _REGISTRY.name_of
find = _REGISTRY.find
