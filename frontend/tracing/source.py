"""The positions in the user's Python code that operations come from."""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ...ir.locations import UNKNOWN, call_site, file_location

# Folders of the package, whose frames are not the user's. Tests and examples count as the user's code.
_LIBRARY = tuple(
    str(Path(__file__).parents[2] / name)
    for name in ("dialects/", "frontend/", "ir/", "lowering/", "nn/", "passes/", "runtime/", "tools/")
)

# Folders of Python and of other packages; the import system's code is frozen.
_PYTHON = ("<frozen ", f"{Path(inspect.__file__).parent}/")
_PACKAGES = ("/site-packages/", "/dist-packages/")


class SourceLocator:
    """Reads locations from the Python stack, and caches them by code position."""

    def __init__(self):
        self._positions: dict[tuple[CodeType, int], LocationAttr] = {}
        self._chains: dict[tuple[tuple[CodeType, int], ...], LocationAttr] = {}
        self._is_library: dict[CodeType, bool] = {}

    def user(self, base: FrameType | None) -> LocationAttr:
        """The chain of the user's calls from the innermost frame out to `base`, exclusive."""
        keys: list[tuple[CodeType, int]] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not base:
            code = frame.f_code
            known = self._is_library.get(code)
            if known is None:
                known = self._is_library[code] = _is_library(code)
            if not known:
                keys.append((code, frame.f_lasti))
            frame = frame.f_back
        return self._chain(tuple(keys))

    def innermost(self) -> LocationAttr:
        """The innermost position in the user's code, without its callers."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and _is_library(frame.f_code):
            frame = frame.f_back
        return self._position((frame.f_code, frame.f_lasti)) if frame is not None else UNKNOWN

    def raised(self, error: BaseException) -> LocationAttr:
        """The chain of the user's calls that an error propagated through, from the innermost on; unknown if there are none."""
        keys: list[tuple[CodeType, int]] = []
        step = error.__traceback__
        while step is not None:
            code = step.tb_frame.f_code
            if is_users(code):
                keys.insert(0, (code, step.tb_lasti))
            step = step.tb_next
        return self._chain(tuple(keys))

    def body(self, base: FrameType) -> LocationAttr:
        """The current position in the function that `base` called."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_back is not base:
            frame = frame.f_back
        return self._position((frame.f_code, frame.f_lasti)) if frame is not None else UNKNOWN

    def _chain(self, keys: tuple[tuple[CodeType, int], ...]) -> LocationAttr:
        known = self._chains.get(keys)
        if known is None:
            if not keys:
                return UNKNOWN
            known = call_site(self._position(keys[0]), self._chain(keys[1:]))
            self._chains[keys] = known
        return known

    def _position(self, key: tuple[CodeType, int]) -> LocationAttr:
        known = self._positions.get(key)
        if known is None:
            code, instruction = key
            found = next(itertools.islice(code.co_positions(), instruction // 2, None), (None,) * 4)
            line, column = found[0] or code.co_firstlineno, found[2] or 0
            known = file_location(code.co_filename, line, column + 1, code.co_name)
            self._positions[key] = known
        return known


def definition(fn: Callable[..., Any]) -> LocationAttr:
    """The definition of a function or callable; for one of the package's own, the position of the user's call."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    fn = inspect.unwrap(fn)
    code = getattr(fn, "__code__", None) or getattr(type(fn).__call__, "__code__", None)
    if code is None:
        return UNKNOWN
    called = SourceLocator().innermost() if _is_library(code) else UNKNOWN
    return file_location(code.co_filename, code.co_firstlineno, 1, code.co_name) if called == UNKNOWN else called


def raised_in_library(error: BaseException) -> bool:
    """Whether an error was raised in the package's code, or in code of Python or another package called from it."""
    codes = reversed([frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)])
    decisive = next((code for code in codes if _is_library(code) or not _is_installed(code)), None)
    return decisive is not None and _is_library(decisive)


def is_users(code: CodeType) -> bool:
    """Whether code is the user's: neither the package's nor Python's nor another package's."""
    return not _is_library(code) and not _is_installed(code)


def _is_library(code: CodeType) -> bool:
    return str(code.co_filename).startswith(_LIBRARY)


def _is_installed(code: CodeType) -> bool:
    """Whether code is Python's or another package's."""
    file = str(code.co_filename)
    return file.startswith(_PYTHON) or any(folder in file for folder in _PACKAGES)
