"""Mutation run: disables the guards of passes one at a time, and lists those whose absence the lit tests of the pass do not
notice.

    python -m tests.mutate --passes loop-fuse,loop-pad
    python -m tests.mutate --files passes/loop/vector/searches.py --terms
    python -m tests.mutate --sample 36 --seed 1 --least 85

A guard is an `if` whose whole body leaves: `return` of nothing or of a constant, `continue` or `break`. It is disabled by a
condition that is always false. With `--terms` each term of a condition with `or` is disabled alone instead. The tests of a pass
are the lit files below tests/lit that name it in a RUN line. The tests of any other file are those of the passes that import
it, directly or through files of its folder. Mutants run in a copy of the package, so that the working tree stays as it is. The
exit status is 1 if fewer than `--least` percent of the mutants are killed.
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

from stepwell.lowering import TABLES
from stepwell.tests.layout import folder_of, import_graph, modules, name_of
from stepwell.tests.lit_tools import serving

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("__init__.py", "ir", "dialects", "passes", "lowering", "runtime", "frontend", "nn", "tools")
TESTS = ("tests/lit", "tests/lit_tools.py")
SECONDS = 120


class Guard(NamedTuple):
    """A condition in a guard, or a term of it, and the passes whose lit tests are to notice it."""

    passes: tuple[str, ...]
    file: Path
    test: ast.expr

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.test.lineno}: if {ast.unparse(self.test)}"


def file_of(name: str) -> Path:
    """The file of a pass."""
    found = [path for path, names in _passes().items() if name in names]
    assert found, f"there is no pass '{name}'"
    return found[0]


def passes_of(file: Path) -> tuple[str, ...]:
    """The pass of a file, or the passes that import it, directly or through files of its folder."""
    known, users, passes = modules(), _users(), _passes()
    found, pending = set[Path](), [file]
    while pending:
        path = pending.pop()
        found.add(path)
        if path == file or folder_of(path) == folder_of(file):
            pending.extend({known[name] for name in users.get(name_of(path), ())} - found)
    return passes.get(file) or tuple(name for path, names in passes.items() if path in found for name in names)


@cache
def _users() -> Mapping[str, set[str]]:
    """The modules that import each module."""
    users: dict[str, set[str]] = {}
    for name, imported in import_graph().items():
        for each in imported:
            users.setdefault(each, set()).add(name)
    return users


@cache
def _passes() -> Mapping[Path, tuple[str, ...]]:
    """The names of the passes in each file."""
    found: dict[Path, tuple[str, ...]] = {}
    for package, table in TABLES.items():
        for name, place in table:
            folder = ROOT.joinpath(*package.split(".")[1:])
            path = folder.joinpath(*place.partition(":")[0].strip(".").split(".")).with_suffix(".py")
            found[path] = (*found.get(path, ()), name)
    return found


def guards_in(file: Path, passes: tuple[str, ...], by_terms: bool = False) -> Iterator[Guard]:
    """The guards in a file; `by_terms` each term of a condition with `or` by itself."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and _leaves(node.body[0]):
            terms = [node.test]
            if by_terms and isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                terms = node.test.values
            yield from (Guard(passes, file, term) for term in terms)


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
    """The text of a file with a condition that is always false in place of `test`."""
    lines = text.splitlines(keepends=True)
    assert test.end_lineno is not None and test.end_col_offset is not None
    first, last = lines[test.lineno - 1].encode(), lines[test.end_lineno - 1].encode()
    changed = first[: test.col_offset].decode() + "False" + last[test.end_col_offset :].decode()
    return "".join([*lines[: test.lineno - 1], changed, *lines[test.end_lineno :]])


def lit_files(name: str, root: Path = ROOT) -> list[str]:
    """The lit tests that run a pass, by their paths below the folder of the package."""
    run = re.compile(rf"RUN:.*(?<![\w-]){re.escape(name)}(?![\w-])")
    return [
        str(path.relative_to(root)) for path in sorted((root / "tests/lit").rglob("*.mlir")) if run.search(path.read_text())
    ]


def survives(guard: Guard, copy: Path) -> bool:
    """Whether all lit tests of the passes succeed without the guard."""
    mutant = copy / "stepwell" / guard.file.relative_to(ROOT)
    original = mutant.read_text()
    mutant.write_text(disabled(original, guard.test))
    try:
        return succeed(guard.passes, copy)
    finally:
        mutant.write_text(original)


def succeed(passes: tuple[str, ...], copy: Path) -> bool:
    """Whether all lit tests of the passes succeed in a copy of the package."""
    package = copy / "stepwell"
    files = sorted({package / each for name in passes for each in lit_files(name, package)})
    return not files or lit_passes(files, copy)


def lit_passes(files: Sequence[Path], copy: Path) -> bool:
    """Whether lit tests succeed with a copy of the package."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(Path(sys.executable).with_name("lit")), "-q", "--max-failures=1", *map(str, files)]
    null = subprocess.DEVNULL
    with tempfile.TemporaryDirectory(prefix="sw") as folder, ExitStack() as stack:
        try:
            environment["STEPWELL_LIT_TOOLS"] = str(stack.enter_context(serving(Path(folder), environment)))
        except AssertionError:  # a mutant that cannot be imported
            return False
        # In a process group of its own: a mutant that never ends is a child of lit.
        running = subprocess.Popen(command, env=environment, stdout=null, stderr=null, start_new_session=True)
        try:
            return running.wait(SECONDS) == 0
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            return False


def copied(folder: Path) -> None:
    for name in PACKAGES + TESTS:
        source, target = ROOT / name, folder / "stepwell" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "Output"))
        else:
            shutil.copy(source, target)


def _chosen(passes: str | None, files: str | None, by_terms: bool) -> Iterator[Guard]:
    if files is None:
        names = passes.split(",") if passes else [name for table in TABLES.values() for name, _ in table]
        for name in names:
            yield from guards_in(file_of(name), (name,), by_terms)
    for path in [ROOT / each for each in files.split(",")] if files else []:
        yield from guards_in(path, passes_of(path), by_terms)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--passes", help="names of passes, by commas (default all)")
    parser.add_argument("--files", help="paths of files of the package instead, by commas")
    parser.add_argument("--terms", action="store_true", help="disable each term of a condition with `or` alone")
    parser.add_argument("--sample", type=int, metavar="N", help="N guards of all, by chance")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default 0)")
    parser.add_argument("--least", type=float, default=0.0, metavar="P", help="fail where less than P percent are killed")
    arguments = parser.parse_args()
    guards = list(_chosen(arguments.passes, arguments.files, arguments.terms))
    if arguments.sample is not None and arguments.sample < len(guards):
        guards = random.Random(arguments.seed).sample(guards, arguments.sample)
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        for passes in dict.fromkeys(guard.passes for guard in guards):
            if not succeed(passes, Path(folder)):
                sys.stderr.write(f"the lit tests of {', '.join(passes)} fail without a mutant\n")
                return 1
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
