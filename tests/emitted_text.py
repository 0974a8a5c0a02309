"""Compares the C and Triton that this tree emits with those of another commit, for the examples and random programs.

    python -m tests.emitted_text --against HEAD~20
    python -m tests.emitted_text --commit HEAD --against v0.1 --programs 50

1. The programs are those of this tree: the functions of examples/gallery and of examples/programs.py, the program of
   examples/levels, and random ones as text.
2. This tree and an archive of the other commit lower them for one machine model and one GPU, each in a process of its own. For
   a program that a commit cannot lower, the text is the error.
3. Texts that differ are listed. Texts that differ only in names, which follow from hints of values, are only counted.

The texts stay in out/emitted, as here/ and there/. The exit status is 1 if more than names differs.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import keyword
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "emitted"
MACHINE = "avx512"
TARGETS = ("cpu", "cuda")
# Names of values: no functions, members, types, keywords or constants.
_WORDS = (
    *keyword.kwlist,
    *(
        "auto",
        "const",
        "register",
        "restrict",
        "static",
        "inline",
        "typedef",
        "struct",
        "sizeof",
        "goto",
        "switch",
        "case",
        "do",
    ),
    *(
        "void",
        "char",
        "short",
        "int",
        "long",
        "unsigned",
        "signed",
        "bool",
        "float",
        "double",
        "_Float16",
        "size_t",
        "ptrdiff_t",
    ),
    *("true", "false", "NULL", "NAN", "INFINITY", "tl", "triton"),
)
_TYPE = r"u?int\d+_t|sw_[a-z]+\d+x\d+u?"
_NAME = re.compile(rf"(?<![\w.])(?!(?:{'|'.join(_WORDS)}|{_TYPE})\b)[A-Za-z_]\w*\b(?!\()")


def write_programs(folder: Path, programs: int, seed: int) -> None:
    """Copy the examples, and write random programs as text."""
    from stepwell.ir.text.printer import print_module
    from stepwell.tools.fuzz.command import GENERATORS

    shutil.copytree(ROOT / "examples/gallery", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "examples/programs.py", folder)
    shutil.copy(ROOT / "examples/levels/layer.graph.mlir", folder / "layer.mlir")
    for number in range(seed, seed + programs):
        made = GENERATORS[("uop", "graph")[number % 2]](number).make()
        (folder / f"random{number}.mlir").write_text(print_module(made.module))


def emit(programs: Path, out: Path) -> None:
    """Write the code of all programs in a folder, by the package that is imported here."""
    from stepwell.ir.diagnostics import CompileError

    out.mkdir(parents=True)
    for name, lowered in (*_functions(programs), *_modules(programs)):
        for target in TARGETS:
            try:
                text = lowered(target).source()
            except CompileError as error:
                text = f"{type(error).__name__}: {error}\n"
            (out / f"{name}.{target}.txt").write_text(text)


def _functions(programs: Path) -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The examples: functions that have a version in NumPy, with their arguments."""
    import stepwell as sw

    sys.path.insert(0, str(programs))
    for path in sorted(programs.glob("*.py")):
        module = importlib.import_module(path.stem)
        for name in sorted(vars(module)):
            if f"{name}_numpy" in vars(module):
                arguments = getattr(module, f"arguments_of_{name}", module.arguments)()
                function = inspect.unwrap(getattr(module, name))
                yield name, lambda target, f=function, given=arguments: sw.lower(f, *given, target=target, trace=False)
    demo = importlib.import_module("programs")
    flat, pixels = (sw.Spec(shape, "float32") for shape in (("n", 64), ("n", 1, "h", "w")))
    weights = [sw.Spec(shape, "float32") for shape in ((64, 32), (32,), (32, 10), (10,))]
    yield "perceptron", lambda target: sw.lower(demo.perceptron, flat, *weights, target=target, trace=False)
    yield "convolution", lambda target: sw.lower(demo.convolution, pixels, target=target, trace=False)


def _modules(programs: Path) -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The programs that are given as text."""
    import stepwell as sw
    from stepwell.dialects import make_context
    from stepwell.ir.functions.entry import entry_function
    from stepwell.ir.text.parser import parse_module
    from stepwell.runtime.boundary.signature import Signature

    # The module of this class has another name in other commits.
    Lowered = type(sw.lower(lambda x: x, sw.Spec((1,), "float32"), target="interpret", trace=False))

    def lowered(path: Path, target: str) -> Any:
        context = make_context()
        module = parse_module(path.read_text(), context, path.name)
        return Lowered(module, target, Signature.of(entry_function(module)), ctx=context, trace=False)

    for path in sorted(programs.glob("*.mlir")):
        yield path.stem, lambda target, path=path: lowered(path, target)


def renamed(text: str) -> str:
    """A text with its names and keywords numbered in the order in which they occur."""
    numbers: dict[str, str] = {}
    return _NAME.sub(lambda match: numbers.setdefault(match[0], f"v{len(numbers)}"), text)


def compare(here: Path, there: Path) -> tuple[list[str], int, int]:
    """The names of texts that differ, the number of texts that differ only in names, and the number of all texts."""
    names = sorted({path.name for folder in (here, there) for path in folder.glob("*.txt")})
    differing, in_names = list[str](), 0
    for name in names:
        one, other = ((folder / name).read_text() if (folder / name).exists() else "" for folder in (here, there))
        if one != other:
            is_same = renamed(one) == renamed(other)
            in_names += is_same
            differing += [] if is_same else [name]
    return differing, in_names, len(names)


def _check_out(commit: str | None, package: Path) -> None:
    """The package of a commit, or of the working tree, in a folder."""
    if commit is None:
        package.parent.mkdir()
        package.symlink_to(ROOT)
        return
    package.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(package)], input=archive, check=True)


def _emitted_by(package: Path, programs: Path, out: Path) -> None:
    """Emit all programs with the package in a folder, which is named as it is imported."""
    shutil.rmtree(out, ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "STEPWELL_MACHINE": MACHINE}
    subprocess.run([sys.executable, "-P", __file__, "--emit", str(programs), str(out)], env=environment, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.emitted_text", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", metavar="COMMIT", help="the other commit")
    parser.add_argument("--commit", metavar="COMMIT", help="this commit in place of the working tree")
    parser.add_argument("--programs", type=int, default=200, metavar="N", help="how many random programs (default 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first one's seed (default 0)")
    parser.add_argument("--emit", nargs=2, type=Path, metavar=("FOLDER", "OUT"), help="only emit the programs in a folder")
    given = parser.parse_args()
    if given.emit is not None:
        emit(*given.emit)
        return 0
    if given.against is None:
        parser.error("expected --against COMMIT")
    with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
        programs = Path(folder, "programs")
        write_programs(programs, given.programs, given.seed)
        for name, commit in (("here", given.commit), ("there", given.against)):
            package = Path(folder, name, "stepwell")
            _check_out(commit, package)
            _emitted_by(package, programs, OUT / name)
    differing, in_names, count = compare(OUT / "here", OUT / "there")
    print("\n".join([f"differs: {each}" for each in differing]), end="\n" if differing else "")
    found = f"{len(differing)} of {count} texts differ, {in_names} more in names alone"
    print(f"{given.commit or 'this tree'} and {given.against}: {found}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
