"""The lit tests, one pytest test a folder, so that they run side by side and the closing line is pytest's."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from stepwell.dialects import DIALECTS, make_context
from stepwell.dialects.graph.elementwise import ElementwiseOp
from stepwell.tests.flags import FLAGS, uses
from stepwell.tests.lit_tools import serving
from stepwell.tools.opt.arguments import build_parser

LIT = Path(__file__).resolve().parents[2] / "lit"
FOLDERS = sorted({path.parent for path in LIT.rglob("*.mlir") if not {"Inputs", "Output"} & set(path.parts)})


def test_there_are_lit_tests():
    assert FOLDERS


@pytest.fixture(scope="module")
def tools() -> Iterator[Path]:
    """A folder with the programs of lit tests, which start without their usual costs."""
    with tempfile.TemporaryDirectory(prefix="sw") as folder, serving(Path(folder)):
        yield Path(folder)


def run_lit(tests: list[Path], tools: Path) -> subprocess.CompletedProcess[str]:
    """Run lit by its function, since its module does nothing when it is run as a program."""
    command = [sys.executable, "-c", "from lit.main import main; main()", "-v", "-j1", *map(str, tests)]
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "STEPWELL_LIT_TOOLS": str(tools)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(LIT)))
def test_lit(folder: Path, tools: Path):
    tests = sorted(folder.glob("*.mlir"))
    done = run_lit(tests, tools)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"Passed\s*: {len(tests)}\b", done.stdout), f"not all tests ran\n{done.stdout}"


def test_a_wrong_lit_test_fails(tmp_path: Path, tools: Path):
    (tmp_path / "lit.cfg.py").write_text((LIT / "lit.cfg.py").read_text())
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text("// RUN: stepwell-opt %s | filecheck %s\n// CHECK: something else\nbuiltin.module {}\n")
    done = run_lit([wrong], tools)
    assert done.returncode == 1 and "Failed: 1" in done.stdout, done.stdout + done.stderr


def cases_of(dialect: str) -> tuple[str, str]:
    """The valid and the invalid cases of a dialect: two files in its folder, or the parts of one file."""
    folder, file = LIT / "dialects" / dialect, LIT / "dialects" / f"{dialect}.mlir"
    if folder.exists():
        return (folder / "ops.mlir").read_text(), (folder / "invalid.mlir").read_text()
    assert file.exists(), f"{file.relative_to(LIT.parent)} is missing: valid and invalid cases of the operations"
    parts = file.read_text().split("// -----")
    return tuple("".join(part for part in parts if ("expected-error" in part) is wrong) for wrong in (False, True))


@pytest.mark.parametrize("dialect", [name for name, _ in DIALECTS if name != "sw"])
def test_every_operation_has_a_valid_and_an_invalid_case(dialect: str):
    """The operations of scalar functions are declared once, and tested for all rows in tests/unit/dialects/test_graph.py."""
    ctx = make_context()
    ctx.load_registered_dialect(dialect)
    ops = [op for op in ctx.loaded_ops if op.name.startswith(f"{dialect}.") and not issubclass(op, ElementwiseOp)]
    assert ops
    for kind, text in zip(("valid", "invalid"), cases_of(dialect), strict=True):
        missing = [op.name for op in ops if not re.search(rf"(?m)^ *(%\w+(, %\w+)* = )?\"?{re.escape(op.name)}\b", text)]
        assert not missing, f"the lit tests of {dialect} have no {kind} case for {', '.join(missing)}"


def test_each_option_of_mlir_opt_has_a_lit_test():
    known = {option for action in build_parser()._actions for option in action.option_strings}
    assert known.issuperset(FLAGS), "an option of the list does not exist"
    assert {flag for flag, _ in uses()} == set(FLAGS), "run `python -m tests.flags`"
