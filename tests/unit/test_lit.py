"""The lit tests, one pytest test a folder, so that they run side by side and the closing line is pytest's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
