"""The target machine of the CPU schedules: the host, as the C compiler and the system describe it, or a named model.

Vectors follow from the compiler's macros under the flags in use, caches from the system's reports. All other numbers are taken
from the nearest model. `$STEPWELL_MACHINE` names a model to use instead: code is then laid out for that model, but still
compiled for this machine.
"""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ...ir.diagnostics import CompileError
from ...lowering.machine import (
    AARCH64,
    AVX2,
    AVX512,
    GPU_PASSES,
    MACHINE_PASSES,
    X86_64,
    ZEN4,
    ZEN5,
    Machine,
    Options,
    PassOptions,
    gpu_options,
    model,
    pass_options,
)
from ...passes.rules.settings import current
from ..cache.disk import Cache, default_cache
from .compiler import MACROS, CompilerError, CompilerNotFound, ask_early, available_processors, find_compiler
from .gpus import target_gpu
from .tuned_sizes import tuned_entries

NATIVE = "native"
TILING, TILES = "loop-tile-contractions", "loop-map-to-tiles"
GPU_TARGETS = ("cuda", "triton-interpret")
# By the first macro that is defined.
BY_MACRO = (("__AVX512F__", AVX512), ("__AVX2__", AVX2), ("__x86_64__", X86_64), ("__aarch64__", AARCH64))
# AMD's processors: gcc 12.2 treats Zen 4 and 5 as Zen 3, plus the instructions that each has.
ZEN = tuple(name for name in MACROS if name.startswith("__znver"))
SINCE_ZEN5 = "__AVXVNNI__"
PAIRS = "__AVX512BF16__"
SYSTEM_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def target_machine(cache: Cache | None = None) -> Machine:
    """The machine to make code for. Raises CompileError if `$STEPWELL_MACHINE` names no model."""
    try:
        return named_machine(_configured(), cache)
    except CompileError as error:
        raise CompileError(f"$STEPWELL_MACHINE: {error.message}") from error


def named_machine(name: str, cache: Cache | None = None) -> Machine:
    """The machine of this name, "native" or a model. Raises CompileError for any other."""
    return native_machine(cache) if name == NATIVE else model(name)


def _configured() -> str:
    return os.environ.get("STEPWELL_MACHINE", NATIVE)


def target_options(target: str) -> Options:
    """The current options of passes for a target: those for the machine, if the target depends on one, and the sizes that the
    tuner found."""
    if target in GPU_TARGETS:
        gpu = target_gpu()
        return with_tuned_tiles(gpu_options(gpu, current().choice.precision), tuned_entries(default_cache(), gpu))
    if target != "cpu":
        return {}
    machine = target_machine()
    return with_tuned(pass_options(machine), tuned_entries(default_cache(), machine))


def with_tuned(options: Options, entries: tuple[str, ...]) -> Options:
    """Options with tuned sizes of contractions."""
    return {**options, TILING: {**options[TILING], "tuned": entries}} if entries else options


def with_tuned_tiles(options: Options, entries: tuple[str, ...]) -> Options:
    """Options with tuned tiles of products on a GPU."""
    return {**options, TILES: {**options[TILES], "tuned": entries}} if entries else options


class LateOptions(Mapping[str, PassOptions]):
    """The options of passes for a target by `target_options`, and the options `given`. The names of passes with options are
    known at once. If the compiler is still being asked about the machine, reading a value waits for it; `settled` says whether
    values are available without waiting. Reading a value raises the errors of `target_options`.
    """

    def __init__(self, target: str, given: Options) -> None:
        self._target, self._given = target, given
        self.settled = target != "cpu" or _configured() != NATIVE or ask_early()
        passes = GPU_PASSES if target in GPU_TARGETS else MACHINE_PASSES if target == "cpu" else ()
        self._names = {*given, *passes}

    @functools.cached_property
    def _options(self) -> Options:
        return {**target_options(self._target), **self._given}

    def __getitem__(self, name: str) -> PassOptions:
        return self._given[name] if name in self._given else self._options[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def native_machine(cache: Cache | None = None) -> Machine:
    """This machine. Without a compiler, its vectors are the smallest among machines of its kind."""
    return replace(_nearest(default_cache() if cache is None else cache), **system_caches(), cores=available_processors())


def _nearest(cache: Cache) -> Machine:
    """The model with the vectors that the compiler uses."""
    try:
        compiler = find_compiler(cache)
    except (CompilerNotFound, CompilerError):
        return AARCH64 if platform.machine() in ("aarch64", "arm64") else X86_64
    macros = compiler.macros
    nearest = next((machine for macro, machine in BY_MACRO if macro in macros), X86_64)
    if nearest is AVX512 and any(macro in macros for macro in ZEN):
        nearest = ZEN5 if SINCE_ZEN5 in macros else ZEN4
    return replace(nearest, pairs=PAIRS in macros and compiler.kind == "gcc")  # the builtin is gcc's


@functools.cache
def system_caches() -> dict[str, int]:
    """The caches of the first processor that the system reports; fields that it does not know are missing."""
    found = dict(_described(SYSTEM_CACHES))
    if "l2" in found:
        found.setdefault("l3", 0)  # the system reports all caches that exist
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
    """The text of a system file; empty if it can't be read."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
