"""Background compilation: translation units are compiled while the remaining functions are lowered.

A unit is identified by its section, which the whole program's text contains too. If that text has another section in the end,
the unit is compiled again with the others.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from xdsl.dialects.func import FuncOp

from ...ir.functions.entry import is_unit
from ...lowering.driver import c_emitter, unit_source
from ..toolchain.compiler import COMPILE_SECONDS, Compiler, available_processors, find_compiler, stop_compiler
from .units import Section, begin_unit

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# These errors mean that there is no file or process, no thread (because Python is ending), or no working compiler, whose errors
# are RuntimeErrors too. The unit is then compiled with the whole program.
_NOT_BEGUN = (OSError, RuntimeError)


class Ahead:
    """The units of one program that are being compiled, one at a time on each processor except the one that lowers. At the end
    of the context compilation stops."""

    def __init__(self) -> None:
        self.emitter = c_emitter()
        self._objects: dict[str, Future[Path | None]] = {}
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_over = False
        self._open = contextlib.ExitStack()

    @cached_property
    def _folder(self) -> Path:
        return Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="stepwell-", ignore_cleanup_errors=True)))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        # Imported here: it fails if Python is ending.
        from concurrent.futures import ThreadPoolExecutor

        return self._open.enter_context(ThreadPoolExecutor(available_processors() - 1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for future in self._objects.values():
            future.cancel()
        with self._lock:
            self._is_over = True
            running = list(self._running)
        for process in running:
            stop_compiler(process)
        self._open.close()

    def start(self, function: FuncOp) -> None:
        """Compile a unit that is on the C level, in the background. A failing compiler is reported when the whole program is
        compiled. Raises the errors of `unit_source`.
        """
        if available_processors() == 1 or not is_unit(function):
            return
        unit = unit_source(function, self.emitter)
        with contextlib.suppress(*_NOT_BEGUN):
            compiler, place = find_compiler(), self._folder / f"unit{len(self._objects)}.c"
            place.write_text(unit.text, encoding="utf-8")
            self._objects[unit.section] = self._pool.submit(self._compile, compiler, place)

    def _compile(self, compiler: Compiler, source: Path) -> Path | None:
        output = source.with_suffix(".o")
        with contextlib.suppress(*_NOT_BEGUN), self._process(compiler, source, output) as process:
            # Waiting with a timeout would poll every 50 ms, while a processor is idle.
            limit = threading.Timer(COMPILE_SECONDS, stop_compiler, (process,))
            limit.start()
            try:
                return output if process.wait() == 0 else None
            finally:
                limit.cancel()
        return None

    @contextlib.contextmanager
    def _process(self, compiler: Compiler, source: Path, output: Path) -> Iterator[subprocess.Popen[bytes]]:
        process = begin_unit(compiler, source, output)
        with self._lock:
            self._running.add(process)
            is_over = self._is_over
        try:
            if is_over:
                stop_compiler(process)
            yield process
        finally:
            stop_compiler(process)
            with self._lock:
                self._running.discard(process)

    def begun(self, sections: Sequence[Section]) -> Mapping[int, Future[Path | None]]:
        """The units of a program that are compiled, or being compiled. Units that are still queued are dropped, to be compiled
        with the program: there is one more processor now."""
        found = {each.unit: self._objects[each.text] for each in sections if each.text in self._objects}
        return {unit: future for unit, future in found.items() if not future.cancel()}
