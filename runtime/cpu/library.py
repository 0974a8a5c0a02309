"""From C source to a callable function: cache, C compiler, dynamic loader.

Emitted C defines one entry point, `int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error)`: it takes
the addresses of the arguments and results, the values of the symbolic sizes, and the address of the error record.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ... import __version__
from ..cache.disk import Cache, Entry, content_key, default_cache
from ..toolchain.compiler import OBJECT, cpu_features, find_compiler, own_flags
from .units import Beginnings, compile_program

ENTRY_POINT = "sw_main"
# Another process may remove an entry between its check and its loading: this is how often it is rebuilt.
ATTEMPTS = 3
_DEFAULT_LOCK = threading.Lock()
# How often a thread polls the others before it sleeps: for about 0.1 ms, in place of libgomp's 3 ms. On a busy machine a
# polling thread keeps a processor from the thread that it waits for.
SPINS = "10000"
SPIN_COUNT, WAIT_POLICY = "GOMP_SPINCOUNT", "OMP_WAIT_POLICY"


class LibraryError(RuntimeError):
    """A compiled object can't be loaded."""


@dataclass(frozen=True)
class Library:
    """Loaded code. `entry(buffers, parameters, error)` takes addresses or ctypes arrays and returns an int."""

    entry: Callable[..., int]
    source: str
    path: Path
    from_cache: bool


class Loader:
    """Compiles and loads sources through `cache`, each once per process. `compiles` counts the libraries that were compiled,
    `hits` those found on disk or in the process.
    """

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.compiles = 0
        self.hits = 0
        self._lock = threading.Lock()
        self._libraries: dict[str, Library] = {}

    def build(self, source: str, extra_flags: Sequence[str] = (), *, begun: Beginnings | None = None) -> Library:
        """The library of a C source. If it has to be compiled, `begun` tells which of the source's units are being compiled
        already.

        Raises CompilerNotFound, CompilerError or LibraryError.
        """
        compiler = find_compiler(self.cache)
        flags = (*compiler.flags, *extra_flags)
        if extra_flags:  # flags with which no unit has been begun
            begun = None
        identity = {"argv": compiler.argv, "files": compiler.identity, "version": compiler.version}
        key = content_key(
            {
                "source": source,
                "compiler": identity,
                "flags": flags,
                "cpu": cpu_features(),
                "stepwell": __version__,
            }
        )
        library = self._libraries.get(key)
        if library is None:
            library = self._load(key, source, functools.partial(compile_program, compiler, source, extra_flags, begun), flags)
            with self._lock:
                return self._libraries.setdefault(key, library)
        self._count(hit=True)
        return library

    def _load(self, key: str, source: str, compile_into: Callable[[Path], None], flags: Sequence[str]) -> Library:
        details = {"flags": list(flags), "stepwell": __version__}
        for _ in range(ATTEMPTS):
            entry = self.cache.fetch(key, compile_into, details)
            self._count(entry.hit)
            path = entry.path / OBJECT
            try:
                return Library(_open(path), source, path, entry.hit)
            except OSError as error:
                if path.exists():
                    return self._load_private(key, source, entry, error)
        raise LibraryError(f"the compiled object {key} vanishes from {self.cache.root} again and again")

    def _load_private(self, key: str, source: str, entry: Entry, error: OSError) -> Library:
        """Load a copy in the private folder, in case the cache's file system does not allow execution. If that does not load
        either, it is not kept: the next call compiles it again.
        """
        path = self.cache.keep_private(key, f"code can't be loaded from it: {error}").path / OBJECT
        try:
            return Library(_open(path), source, path, entry.hit)
        except OSError as second:
            self.cache.forget(key)
            flags = own_flags()
            given = f"it was compiled with $STEPWELL_CFLAGS: {shlex.join(flags)}; " if flags else ""
            hint = "if its folder is mounted noexec, set TMPDIR to a folder that is not"
            raise LibraryError(f"the compiled object can't be loaded: {second}; {given}{hint}") from None

    def _count(self, hit: bool) -> None:
        with self._lock:
            self.hits += hit
            self.compiles += not hit


def default_loader() -> Loader:
    """The loader of this process on the default cache."""
    with _DEFAULT_LOCK:
        return _loader_of(default_cache())


def build(source: str, *, extra_flags: Sequence[str] = (), begun: Beginnings | None = None) -> Library:
    """Load a C source, compiled now or found in the cache."""
    return default_loader().build(source, extra_flags, begun=begun)


@functools.cache
def _loader_of(cache: Cache) -> Loader:
    return Loader(cache)


def _open(path: Path) -> Callable[..., int]:
    """The entry point of a shared object; OSError if the system does not load it."""
    with _short_waits():
        function = getattr(ctypes.CDLL(os.fspath(path)), ENTRY_POINT, None)
    if function is None:
        raise LibraryError(f"the source of {path} defines no {ENTRY_POINT}")
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    function.restype = ctypes.c_int64
    return function


@contextmanager
def _short_waits() -> Iterator[None]:
    """Set how long threads poll for each other, unless the user has set it. libgomp reads the setting when it is loaded: with
    the first compiled library, if nothing has loaded it before."""
    if SPIN_COUNT in os.environ or WAIT_POLICY in os.environ:
        yield
        return
    os.environ[SPIN_COUNT] = SPINS
    try:
        yield
    finally:
        os.environ.pop(SPIN_COUNT, None)
