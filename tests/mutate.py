"""Mutation run: disables the guards of passes one at a time, and says which of them the lit tests of the pass do not miss.

    python -m tests.mutate --passes loop-fuse,loop-pad
    python -m tests.mutate --sample 36 --seed 1 --least 85

A guard is an `if` whose whole body leaves: `return` of nothing or of a constant, `continue` or `break`. It is disabled by a
condition that is always false. The tests of a pass are the lit files below tests/lit that name it in a RUN line. Mutants run in
a copy of the package, so that the working tree stays as it is. The exit status is 1 where fewer than `--least` percent of them
are killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepwell.lowering import all_passes

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("__init__.py", "ir", "dialects", "passes", "lowering", "runtime", "frontend", "nn", "tools", "tests/lit")
SECONDS = 120


class Guard(NamedTuple):
    """A guard of a pass, at a line of a file."""

    pass_name: str
    file: Path
    line: int
    test: ast.expr

    def __str__(self) -> str:
        return f"{self.pass_name} {self.file.relative_to(ROOT)}:{self.line}: if {ast.unparse(self.test)}"


def guards_of(name: str) -> Iterator[Guard]:
    """The guards in the file of a pass."""
    found = all_passes().find(name)
    assert found is not None, f"there is no pass '{name}'"
    file = Path(str(sys.modules[found.__module__].__file__)).resolve()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and _leaves(node.body[0]):
            yield Guard(name, file, node.lineno, node.test)


def _leaves(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Continue | ast.Break):
        return True
    if not isinstance(statement, ast.Return):
        return False
    value = statement.value
    return (
        value is None
        or isinstance(value, ast.Constant)
        or (isinstance(value, ast.List | ast.Tuple | ast.Dict) and not _parts(value))
    )


def _parts(value: ast.List | ast.Tuple | ast.Dict) -> list[ast.expr]:
    return list(value.values if isinstance(value, ast.Dict) else value.elts)


def disabled(text: str, test: ast.expr) -> str:
    """The text of a file with a condition that is always false in the place of `test`."""
    lines = text.splitlines(keepends=True)
    assert test.end_lineno is not None and test.end_col_offset is not None
    first, last = lines[test.lineno - 1].encode(), lines[test.end_lineno - 1].encode()
    changed = first[: test.col_offset].decode() + "False" + last[test.end_col_offset :].decode()
    return "".join([*lines[: test.lineno - 1], changed, *lines[test.end_lineno :]])


def lit_files(name: str) -> list[str]:
    """The lit tests that run a pass, by their paths."""
    run = re.compile(rf"RUN:.*(?<![\w-]){re.escape(name)}(?![\w-])")
    return [
        str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests/lit").rglob("*.mlir")) if run.search(path.read_text())
    ]


def survives(guard: Guard, copy: Path) -> bool:
    """Whether all lit tests of the pass succeed without the guard."""
    mutant = copy / "stepwell" / guard.file.relative_to(ROOT)
    original = mutant.read_text()
    mutant.write_text(disabled(original, guard.test))
    lit = str(Path(sys.executable).with_name("lit"))
    command = [lit, "-q", *(str(copy / "stepwell" / each) for each in lit_files(guard.pass_name))]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    null = subprocess.DEVNULL
    try:
        # In a process group of its own, since a mutant that never ends is not lit itself.
        running = subprocess.Popen(command, env=environment, stdout=null, stderr=null, start_new_session=True)
        try:
            return running.wait(SECONDS) == 0
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            return False
    finally:
        mutant.write_text(original)


def copied(folder: Path) -> None:
    for name in PACKAGES:
        source, target = ROOT / name, folder / "stepwell" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "Output"))
        else:
            shutil.copy(source, target)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--passes", help="names of passes, by commas (default all)")
    parser.add_argument("--sample", type=int, metavar="N", help="N guards of all, by chance")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default 0)")
    parser.add_argument("--least", type=float, default=0.0, metavar="P", help="fail where less than P percent are killed")
    arguments = parser.parse_args()
    names = arguments.passes.split(",") if arguments.passes else all_passes().names()
    guards = [guard for name in names for guard in guards_of(name)]
    if arguments.sample is not None and arguments.sample < len(guards):
        guards = random.Random(arguments.seed).sample(guards, arguments.sample)
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        for guard in guards:
            alive = survives(guard, Path(folder))
            killed += not alive
            if alive:
                sys.stdout.write(f"survived: {guard}\n")
                sys.stdout.flush()
    share = 100 * killed / len(guards) if guards else 100.0
    sys.stdout.write(f"{killed} of {len(guards)} mutants killed ({share:.0f} %)\n")
    return 0 if share >= arguments.least else 1


if __name__ == "__main__":
    sys.exit(main())
