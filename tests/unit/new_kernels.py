"""Which kernels have something that no kernel of this test run has had yet: those are worth compiling for a GPU.

What a compiler may refuse is a line: an operation on these shapes, in loops of this depth, among buffers of these dtypes. Of
some thousand kernels of the tables and the random programs most consist of lines that others have had, under other names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = re.compile(r"\bsw_\d+\w*")
KERNEL = re.compile(r"^@triton\.jit\ndef (sw_kernel_\w+)\(.*\n((?:[ \n].*\n?)*)", re.MULTILINE)


def kernels_with_news(program: Any, known: Path) -> list[str]:
    """The kernels of a Triton program that have a line which is not known; now all lines are. `known` is a folder, which
    processes may share: each line is a file in it."""
    found = {launch.kernel: launch for launch in program.plan.launches}
    bodies = dict(KERNEL.findall(program.source.text))
    assert found.keys() <= bodies.keys(), "the text has no kernel of a launch"
    return [name for name, launch in found.items() if _note(_lines(program, launch, bodies[name]), known)]


def _lines(program: Any, launch: Any, body: str) -> Iterator[str]:
    """The lines of a kernel, whose names do not count, with the dtypes of its buffers and how it is launched."""
    dtypes = sorted({program.plan.buffers[number].dtype.name for number in launch.buffers})
    context = f"{dtypes} {launch.warps} {launch.stages} {launch.fast}"
    for line in body.splitlines():
        yield f"{context} {NAME.sub('_', line)}"


def _note(lines: Iterator[str], known: Path) -> bool:
    """Whether one of the lines is new."""
    news = False
    for line in dict.fromkeys(lines):
        try:
            (known / hashlib.sha256(line.encode()).hexdigest()).touch(exist_ok=False)
            news = True
        except FileExistsError:
            pass
    return news
