"""The machine that compiled code is for: the one that this runs on, as the C compiler sees it, or a model.

Vectors are those that the compiler's macros promise under the flags in use, caches those that the system reports. What can't
be found out is taken from the model that is nearest. `$STEPWELL_MACHINE` names a model to be taken in its place: code is then
laid out for that, and still compiled for this machine.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..ir.diagnostics import CompileError
from ..lowering.machine import AARCH64, AVX2, AVX512, X86_64, ZEN4, Machine, Options, model, pass_options
from .cache import Cache, content_key, default_cache
from .toolchain import Compiler, CompilerError, CompilerNotFound, cpu_features, defined_macros, find_compiler
from .tuning import tuned_entries

NATIVE = "native"
TILING = "loop-tile-contractions"
# The first whose macro is defined.
BY_MACRO = (("__AVX512F__", AVX512), ("__AVX2__", AVX2), ("__x86_64__", X86_64), ("__aarch64__", AARCH64))
# AMD's processors: gcc 12.2 takes Zen 4 and 5 for Zen 3. A Zen 5 differs in its caches only, for what is told apart here.
ZEN = tuple(f"__znver{number}__" for number in range(3, 7))
SYSTEM_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
FILE = "macros.json"


def target_machine(cache: Cache | None = None) -> Machine:
    """The machine to make code for. Raises CompileError when `$STEPWELL_MACHINE` names no model."""
    name = os.environ.get("STEPWELL_MACHINE", NATIVE)
    if name == NATIVE:
        return native_machine(cache)
    try:
        return model(name)
    except CompileError as error:
        raise CompileError(f"$STEPWELL_MACHINE: {error.message}") from error


@functools.cache
def ask_early() -> None:
    """Ask the compiler about the machine on another thread: at the first call of a process the program is traced meanwhile, and
    what lowers it loaded. What goes wrong is raised again where the answer is needed."""

    def ask() -> None:
        with contextlib.suppress(CompileError, OSError):
            target_machine()

    threading.Thread(target=ask, name="stepwell-machine").start()


def target_options(target: str) -> Options:
    """The options of passes for a target, here and now: those for the machine, where a target is made for one, and the sizes
    that the tuner found."""
    if target != "cpu":
        return {}
    machine = target_machine()
    return with_tuned(pass_options(machine), tuned_entries(default_cache(), machine))


def with_tuned(options: Options, entries: tuple[str, ...]) -> Options:
    """Options with tuned sizes of contractions."""
    return {**options, TILING: {**options[TILING], "tuned": entries}} if entries else options


def native_machine(cache: Cache | None = None) -> Machine:
    """This machine. Without a compiler its vectors are the least that all machines of its kind have."""
    return replace(_nearest(default_cache() if cache is None else cache), **system_caches(), cores=os.cpu_count() or 1)


def _nearest(cache: Cache) -> Machine:
    """The model that has the vectors that the compiler uses."""
    try:
        macros = _macros(find_compiler(cache), cache)
    except (CompilerNotFound, CompilerError):
        return AARCH64 if platform.machine() in ("aarch64", "arm64") else X86_64
    nearest = next((machine for macro, machine in BY_MACRO if macro in macros), X86_64)
    return ZEN4 if nearest is AVX512 and any(macro in macros for macro in ZEN) else nearest


def _macros(compiler: Compiler, cache: Cache) -> list[str]:
    """Which of the macros are defined under the compiler's flags: asked once, and then kept."""
    asked = [*(macro for macro, _ in BY_MACRO), *ZEN]
    identity = {"argv": compiler.argv, "identity": compiler.identity, "flags": compiler.flags, "cpu": cpu_features()}

    def ask(folder: Path) -> None:
        defined = defined_macros(compiler)
        (folder / FILE).write_text(json.dumps([macro for macro in asked if macro in defined]), encoding="utf-8")

    entry = cache.fetch(content_key({"macros": asked, **identity}), ask)
    return json.loads((entry.path / FILE).read_bytes())


@functools.cache
def system_caches() -> dict[str, int]:
    """What the system says of the caches of the first processor; nothing of what it does not know."""
    found = dict(_described(SYSTEM_CACHES))
    if "l2" in found:
        found.setdefault("l3", 0)  # the system names all that there are
    return found


def _described(folder: Path) -> Iterator[tuple[str, int]]:
    """The sizes of caches that hold data, and of their lines, as Linux describes them in a folder for each."""
    for cache in sorted(folder.glob("index[0-9]*")):
        level, kind, size = (_read(cache / name) for name in ("level", "type", "size"))
        if kind == "Instruction" or level not in ("1", "2", "3"):
            continue
        if size.endswith("K") and size[:-1].isdigit() and size != "0K":
            yield f"l{level}", int(size[:-1]) << 10
        if level == "1":
            line = _read(cache / "coherency_line_size")
            if line.isdigit() and line != "0":
                yield "line", int(line)


def _read(path: Path) -> str:
    """The text of a file of the system; nothing where it can't be read."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
