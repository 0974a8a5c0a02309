"""Warm calls in under a microsecond: an extension module (native_*.c) repeats earlier calls.

Wheels contain it compiled. If it is missing or made of other sources, it is compiled at run time. If it can't be compiled
(Python's or NumPy's headers are missing), everything works without it, but calls take longer.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..toolchain.compiler import CompilerError, CompilerNotFound, own_flags
from . import native_sources
from .library import LibraryError, build
from .program import THREADS, CpuProgram

Array = Any

# The module is loaded, and compiled if it was not installed, only for functions that are called this often.
CALLS_BEFORE = 4
# With more shapes than this, a new shape's plan replaces the oldest one, but only now and then: making a plan costs as much as
# some calls, and so does finding that there can be none.
PLANS = 8
CALLS_BETWEEN = 32


class NativeCall(NamedTuple):
    """The module of native_*.c, or the reason why there is none."""

    module: ModuleType | None
    problem: str = ""


@functools.cache
def native_call() -> NativeCall:
    """The module: as installed, or from the cache, or compiled now."""
    problem = _unsupported()
    installed = None if problem else _installed()
    if installed is not None:
        return NativeCall(installed)
    problem = problem or _missing_headers()
    if problem:
        return NativeCall(None, problem)
    try:
        return NativeCall(_load(build(native_sources.text(), extra_flags=_flags()).path))
    except (CompilerNotFound, CompilerError, LibraryError, ImportError) as error:
        return NativeCall(None, str(error))


def set_kept_memory(count: int) -> None:
    """Keep at most `count` bytes (256 MiB by default) of the memory of released results, for reuse by later results. Fresh
    memory costs a page fault for each page, which for results of many megabytes takes longer than computing them. Memory beyond
    the new limit is freed at once, the oldest first; with 0 all of it is. Calls that are not repeated natively (`stepwell
    doctor` says why) keep nothing. Raises TypeError if `count` is not an int, ValueError if it is negative.
    """
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        raise TypeError(f"set_kept_memory: expected a number of bytes as an int, got {count!r}")
    if count < 0:
        raise ValueError(f"set_kept_memory: expected at least 0 bytes, got {count}")
    module = native_call().module
    if module is not None:
        module.keep(min(int(count), sys.maxsize))


class Nested(NamedTuple):
    """A value of arrays and constants in tuples, lists and dicts, and these leaves in order. None is not a leaf."""

    value: Any
    leaves: Sequence[Any]


class WarmCalls:
    """The calls of one function that are repeated natively, those with arguments like the arguments of a recent call. Only
    calls of C without keywords, on arrays and constants in tuples, lists and dicts, are repeated. Constants must be the same,
    and arrays plain: exactly np.ndarray, contiguous and aligned, of the same dtypes and shapes. For all other calls `run`
    returns NotImplemented.
    """

    def __init__(self):
        self.run: Callable[[tuple[Any, ...]], Any] = _not_there
        self._plans: list[Any] = []
        self._seen = 0
        self._tried = 0
        self._retired_hits = 0

    @property
    def hits(self) -> int:
        """How many calls were repeated."""
        return self._retired_hits + sum(plan.hits for plan in self._plans)

    def due(self) -> bool:
        """Whether to `remember` the call that has just run through Python: after enough calls for this to pay."""
        self._seen += 1
        return self._seen >= CALLS_BEFORE and (self._tried < PLANS or self._seen % CALLS_BETWEEN == 0)

    def remember(self, program: Any, arguments: Nested, captured: Sequence[Array], result: Nested) -> None:
        """Let `run` repeat calls like this one of `program`, which takes the `captured` arrays after those of the arguments.
        Neither arguments nor result may nest in lists and dicts that others refer to: these may have changed since.
        """
        self._tried += 1
        module = native_call().module if isinstance(program, CpuProgram) else None
        arrays = [*(leaf for leaf in arguments.leaves if isinstance(leaf, np.ndarray)), *captured]
        if module is None or len(arrays) < len(program.signature.inputs):  # some are of other kinds, such as torch's
            return
        values = tuple(program.signature.bind([array.shape for array in arrays]))
        taken, made = tuple(arguments.leaves), tuple(result.leaves)
        given = (arguments.value, taken, tuple(captured), result.value, made, program.signature.donated, values)
        try:
            plan = module.Plan(program.address, THREADS.address, *given, program.failure)
        except ValueError:  # strided arrays, other classes: such calls always run through Python
            return
        self._add(plan)
        self.run = functools.partial(module.call, self._plans)

    def _add(self, plan: Any) -> None:
        self._plans.insert(0, plan)
        for old in self._plans[PLANS:]:
            self._retired_hits += old.hits
        del self._plans[PLANS:]


def _not_there(_arguments: tuple[Any, ...]) -> Any:
    """The answer of `run` as long as no call is repeated."""
    return NotImplemented


def _installed() -> ModuleType | None:
    """The module that was compiled when Stepwell was built. None if there is none, if its sources differ, as after a change in
    a checkout, or if the user compiles code with flags of their own, as for sanitizers."""
    if own_flags():
        return None
    try:
        module = importlib.import_module(f".{native_sources.MODULE}", __package__)
    except ImportError:  # missing, or for another version of NumPy
        return None
    return module if getattr(module, "sources", "") == native_sources.digest() else None


def _unsupported() -> str:
    """The reason why this Python can't have the module; empty if it can."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it is for CPython with its global lock"
    return ""


def _missing_headers() -> str:
    """The reason why native_*.c can't be compiled here; empty if it can."""
    headers = [Path(_python_headers(), "Python.h"), Path(np.get_include(), "numpy", "arrayobject.h")]
    missing = [header.name for header in headers if not header.exists()]
    return f"{' and '.join(missing)} not found; on many systems Python's headers are a separate package" if missing else ""


def _flags() -> list[str]:
    # The versions are part of the key in the cache: a compiled module works with these versions only.
    versions = f"-DSW_VERSIONS={sys.hexversion:x}_{np.__version__.replace('.', '_')}"
    sources = f"-DSW_SOURCES={native_sources.digest()}"
    undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    return [f"-I{_python_headers()}", f"-I{np.get_include()}", versions, sources, *undefined]


def _python_headers() -> str:
    return sysconfig.get_paths()["include"]


def _load(path: Path) -> ModuleType:
    loader = ExtensionFileLoader(native_sources.MODULE, str(path))
    spec = importlib.util.spec_from_file_location(native_sources.MODULE, path, loader=loader)
    assert spec is not None, "a loader was given"
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
