"""Long programs, whose units are compiled side by side, some of them by the same compiler.

Emitted C has a section for each unit, and only those sections for which `SW_UNIT_<number>` is 1 where `SW_UNITS` is defined.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple, TypeAlias

from .toolchain import (
    COMPILE_SECONDS,
    Compiler,
    CompilerWarning,
    available_processors,
    libraries,
    run,
    start,
    stop,
)

POLLING_SECONDS = 0.002
# To start a compiler, and have it read what units share, takes as long as 4,000 characters of a unit (0.025 s). Beyond so many
# another one costs little.
TOGETHER = 1 << 15
_SECTION = re.compile(r"^#if SW_IN\((\d+)\)\n(.*?)\n#endif$", re.MULTILINE | re.DOTALL)


class Section(NamedTuple):
    """What a unit has for itself of a text. The unit of the entry may have several."""

    unit: int
    text: str


# Of the sections of a program: the objects of units that are being compiled, by their numbers, or None where they do not
# compile.
Beginnings: TypeAlias = Callable[[Sequence[Section]], Mapping[int, Future[Path | None]]]


def sections_of(source: str) -> list[Section]:
    """Those of a program's text; none where it is one unit."""
    return [Section(int(unit), text) for unit, text in _SECTION.findall(source)]


def compile_program(
    compiler: Compiler,
    source: Path,
    output: Path,
    flags: Sequence[str] = (),
    begun: Beginnings | None = None,
) -> None:
    """Compile the file `source` into the shared object `output`; CompilerError if that fails.

    Units are compiled side by side, where there are processors for it, but for those that have `begun`. What is no use for
    units, as a source among the flags, or a unit that does not compile, has the source compiled as a whole; CompilerWarning
    where only that goes well.
    """
    sections = sections_of(source.read_text(encoding="utf-8")) if available_processors() > 1 else []
    if sections and _compile_units([*compiler.argv, *compiler.flags, *flags], source, output, sections, begun):
        return
    compiler.compile(source, output, flags)
    if sections:
        argv = shlex.join(compiler.argv)
        warnings.warn(f"{argv} compiled a program as a whole, but not its parts: that takes longer", CompilerWarning, 2)


def begin_unit(compiler: Compiler, source: Path, output: Path) -> subprocess.Popen[bytes]:
    """Compile a source that has one unit alone in the background, with temporary files beside the object. Raises OSError."""
    return start(_compiling([*compiler.argv, *compiler.flags], source, output, ()), str(output.parent))


def _compile_units(
    argv: Sequence[str],
    source: Path,
    output: Path,
    sections: Sequence[Section],
    begun: Beginnings | None,
) -> bool:
    """Compile the units of a source, but for those that have begun, and link all; whether that went well."""
    ahead = begun(sections) if begun is not None else {}
    with tempfile.TemporaryDirectory(prefix="stepwell-") as temporary:
        shares = shared_out([each for each in sections if each.unit not in ahead], available_processors())
        made = [Path(temporary, f"units{number}.o") for number in range(len(shares))]
        commands = [_compiling(argv, source, path, units) for path, units in zip(made, shares, strict=True)]
        if not _run_side_by_side(commands, temporary):
            return False
        others = [future.result() for future in ahead.values()]
        if None in others:
            return False
        linking = [*argv, *map(str, [*made, *others]), "-o", str(output), *libraries(argv)]
        return run(linking, temporary).returncode == 0 and output.exists()


def shared_out(sections: Sequence[Section], compilers: int) -> list[list[int]]:
    """The units of sections for so many compilers, about as much for each; for more where that is more than TOGETHER."""
    sizes = dict.fromkeys((each.unit for each in sections), 0)
    for each in sections:
        sizes[each.unit] += len(each.text)
    count = min(len(sizes), max(compilers, -(-sum(sizes.values()) // TOGETHER)))
    shares: list[list[int]] = [[] for _ in range(count)]
    for unit in sorted(sizes, key=lambda unit: (-sizes[unit], unit)):
        min(shares, key=lambda share: sum(map(sizes.__getitem__, share))).append(unit)
    return shares


def _compiling(argv: Sequence[str], source: Path, output: Path, units: Sequence[int]) -> list[str]:
    """The command that compiles some units of a source."""
    return [*argv, "-c", "-DSW_UNITS", *(f"-DSW_UNIT_{unit}" for unit in units), str(source), "-o", str(output)]


def _run_side_by_side(commands: Sequence[Sequence[str]], temporary: str) -> bool:
    """Run commands, as many at once as there are processors; whether all of them went well. None runs on behind it."""
    running: list[subprocess.Popen[bytes]] = []
    pending = deque(commands)
    end = time.monotonic() + COMPILE_SECONDS
    try:
        while pending or running:
            while pending and len(running) < available_processors():
                running.append(start(pending.popleft(), temporary))
            time.sleep(POLLING_SECONDS)
            if any(process.poll() for process in running) or time.monotonic() > end:
                return False
            running = [process for process in running if process.returncode is None]
    except OSError:
        return False
    finally:
        for process in running:
            stop(process)
    return True
