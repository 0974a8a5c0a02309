"""Concurrent compilation of the translation units of a long program, and linking.

Emitted C has a section for each unit. If `SW_UNITS` is defined, only the sections for which `SW_UNIT_<number>` is 1 are
compiled.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from heapq import heapreplace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ...ir.gc_control import collection_resumed
from ...lowering.emission.source_text import SECTION
from ..toolchain.compiler import (
    COMPILE_SECONDS,
    OBJECT,
    SOURCE,
    Compiler,
    CompilerWarning,
    available_processors,
    linked_libraries,
    run_compiler,
    start_compiler,
    stop_compiler,
)

# A poll takes 0.00002 s of a processor that compilers need too.
POLLING_SECONDS = 0.002
# The most characters of units for one compiler. Starting gcc and reading the text that units share takes as long as compiling
# 4,000 characters, which is little next to this many.
TOGETHER = 1 << 15


class Section(NamedTuple):
    """The text that belongs to one unit only. The unit of the entry may have several sections."""

    unit: int
    text: str


# A function from a program's sections to the objects of units that are being compiled, by the units' numbers, None for units
# that do not compile.
Beginnings: TypeAlias = Callable[[Sequence[Section]], Mapping[int, Future[Path | None]]]


def sections_of(source: str) -> list[Section]:
    """The sections of a program's text; none if it is one unit."""
    return [Section(int(unit), text) for unit, text in SECTION.findall(source)]


def compile_program(compiler: Compiler, text: str, flags: Sequence[str], begun: Beginnings | None, folder: Path) -> None:
    """Compile a program into the shared object OBJECT in a folder, where its text is SOURCE; CompilerError if that fails.

    Units that have not `begun` are compiled concurrently, on as many processors as there are. If flags do not suit units, such
    as a source among the flags, or if a unit does not compile, the source is compiled as a whole; CompilerWarning if only that
    succeeds.
    """
    source, output = folder / SOURCE, folder / OBJECT
    source.write_text(text, encoding="utf-8")
    sections = sections_of(text) if available_processors() > 1 else []
    if sections and _compile_units([*compiler.argv, *compiler.flags, *flags], source, output, sections, begun):
        return
    compiler.compile(source, output, flags)
    if sections:
        argv = shlex.join(compiler.argv)
        warnings.warn(f"{argv} compiled a program as a whole, but not its parts: that takes longer", CompilerWarning, 2)


def begin_unit(compiler: Compiler, source: Path, output: Path) -> subprocess.Popen[bytes]:
    """Compile a source that consists of one unit in the background, with temporary files next to the object. Raises OSError."""
    return start_compiler(_compiling([*compiler.argv, *compiler.flags], source, output, ()), str(output.parent))


def _compile_units(
    argv: Sequence[str],
    source: Path,
    output: Path,
    sections: Sequence[Section],
    begun: Beginnings | None,
) -> bool:
    """Compile the units of a source that have not begun, and link all. Returns whether this succeeded."""
    ahead = begun(sections) if begun is not None else {}
    with tempfile.TemporaryDirectory(prefix="stepwell-") as temporary:
        shares = shared_out([each for each in sections if each.unit not in ahead], available_processors())
        made = [Path(temporary, f"units{number}.o") for number in range(len(shares))]
        commands = [_compiling(argv, source, path, units) for path, units in zip(made, shares, strict=True)]
        if not _run_side_by_side(commands, temporary):
            return False
        with collection_resumed():
            others = [future.result() for future in ahead.values()]
        if None in others:
            return False
        linking = [*argv, *map(str, [*made, *others]), "-o", str(output), *linked_libraries(argv)]
        return run_compiler(linking, temporary).returncode == 0 and output.exists()


def shared_out(sections: Sequence[Section], compilers: int) -> list[list[int]]:
    """The units of sections, divided evenly among the compilers; among more compilers if each would get more than TOGETHER
    characters."""
    sizes = dict.fromkeys((each.unit for each in sections), 0)
    for each in sections:
        sizes[each.unit] += len(each.text)
    count = min(len(sizes), max(compilers, -(-sum(sizes.values()) // TOGETHER)))
    shares: list[list[int]] = [[] for _ in range(count)]
    least = [(0, number) for number in range(count)]
    for unit in sorted(sizes, key=lambda unit: (-sizes[unit], unit)):
        size, number = least[0]
        shares[number].append(unit)
        heapreplace(least, (size + sizes[unit], number))
    return shares


def _compiling(argv: Sequence[str], source: Path, output: Path, units: Sequence[int]) -> list[str]:
    """The command that compiles some units of a source."""
    return [*argv, "-c", "-DSW_UNITS", *(f"-DSW_UNIT_{unit}" for unit in units), str(source), "-o", str(output)]


def _run_side_by_side(commands: Sequence[Sequence[str]], temporary: str) -> bool:
    """Run commands, as many at once as there are processors. Returns whether all succeeded; none is left running."""
    running: list[subprocess.Popen[bytes]] = []
    pending = deque(commands)
    end = time.monotonic() + COMPILE_SECONDS
    try:
        while pending or running:
            while pending and len(running) < available_processors():
                running.append(start_compiler(pending.popleft(), temporary))
            with collection_resumed():
                time.sleep(POLLING_SECONDS)
            if any(process.poll() for process in running) or time.monotonic() > end:
                return False
            running = [process for process in running if process.returncode is None]
    except OSError:
        return False
    finally:
        for process in running:
            stop_compiler(process)
    return True
