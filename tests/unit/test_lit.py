"""The lit tests, one pytest test a folder, so that they run side by side and the closing line is pytest's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from stepwell.dialects import DIALECTS, make_context
from stepwell.dialects.graph_elementwise import ElementwiseOp

LIT = Path(__file__).resolve().parents[1] / "lit"
FOLDERS = sorted({path.parent for path in LIT.rglob("*.mlir") if not {"Inputs", "Output"} & set(path.parts)})


def test_there_are_lit_tests():
    assert FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(LIT)))
def test_lit(folder: Path):
    tests = sorted(str(path) for path in folder.glob("*.mlir"))
    command = [sys.executable, "-m", "lit.main", "-v", "-j1", *tests]
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("dialect", [name for name, _ in DIALECTS if name != "sw"])
def test_every_operation_has_a_valid_and_an_invalid_case(dialect: str):
    """The operations of scalar functions share their verifier, so that one of them stands for all in invalid.mlir."""
    ctx = make_context()
    ctx.load_registered_dialect(dialect)
    ops = [op for op in ctx.loaded_ops if op.name.startswith(f"{dialect}.")]
    assert ops
    for file, wanted in (
        ("ops.mlir", ops),
        ("invalid.mlir", [op for op in ops if not issubclass(op, ElementwiseOp)]),
    ):
        text = (LIT / "dialects" / dialect / file).read_text()
        missing = [op.name for op in wanted if not re.search(rf"(?m)^ *(%\w+ = )?\"?{re.escape(op.name)}\b", text)]
        assert not missing, f"{dialect}/{file} has no line for {', '.join(missing)}"
