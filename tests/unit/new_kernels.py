"""Which kernels have lines that no kernel of this test run has had yet: only these kernels are compiled for a GPU.

A compiler refuses a line: an operation on certain shapes, in loops of a certain depth, with buffers of certain dtypes. The
tables and the random programs have some thousand kernels, most of which consist of lines of other kernels, with other names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

NAME = re.compile(r"\bsw_\d+\w*")
KERNEL = re.compile(r"^@triton\.jit\ndef (sw_kernel_\w+)\(.*\n((?:[ \n].*\n?)*)", re.MULTILINE)


def kernels_with_new_lines(program: Any, known: Path) -> dict[str, list[Path]]:
    """The kernels of a Triton program with an unknown line, and the files of these lines. Processes may share the folder
    `known`; `note` makes the files once the kernels compile."""
    found = {launch.kernel: launch for launch in program.plan.launches}
    bodies = dict(KERNEL.findall(program.source.text))
    assert found.keys() <= bodies.keys(), "the text has no kernel of a launch"
    seen: set[Path] = set()
    new: dict[str, list[Path]] = {}
    for name, launch in found.items():
        files = [known / hashlib.sha256(line.encode()).hexdigest() for line in _lines(program, launch, bodies[name])]
        added = {file for file in files if file not in seen and not file.exists()}
        seen |= added
        if added:
            new[name] = sorted(added)
    return new


def note(kernels: Mapping[str, Sequence[Path]]) -> None:
    """Note the lines of kernels that compile."""
    for files in kernels.values():
        for file in files:
            file.touch()


def _lines(program: Any, launch: Any, body: str) -> Iterator[str]:
    """The lines of a kernel, whose names do not count, with the dtypes of its buffers and how it is launched."""
    dtypes = sorted({program.plan.buffers[number].dtype.name for number in launch.buffers})
    context = f"{dtypes} {launch.warps} {launch.stages} {launch.fast}"
    for line in body.splitlines():
        yield f"{context} {NAME.sub('_', line)}"
