"""Commands whose standard streams are closed end with a message."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""


def run_without(stream: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that begins with one of its standard streams closed."""
    command = [sys.executable, "-m", *words]
    others = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    closed = f'exec {stream}{"<" if stream == 0 else ">"}&-; exec "$@"'
    return subprocess.run(["sh", "-c", closed, "sh", *command], text=True, check=False, **others)


@pytest.mark.parametrize(
    ("stream", "words", "message"),
    [
        (1, ("stepwell.tools.opt.main", "p.mlir"), "<stdout>: it is closed"),
        (0, ("stepwell.tools.opt.main", "-"), "<stdin>: it is closed"),
        (1, ("stepwell.tools.stepwell", "trace", "p.mlir"), "<stdout>: it is closed"),
        (0, ("stepwell.tools.stepwell", "lsp"), "<stdin>: it is closed"),
        (0, ("stepwell.tools.stepwell", "reduce", "-", "-p", "cse"), "<stdin>: it is closed"),
    ],
)
def test_a_closed_stream_is_named(tmp_path, monkeypatch, stream, words, message):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    done = run_without(stream, *words)
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr


def test_a_program_runs_without_standard_error(tmp_path, monkeypatch):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    done = run_without(2, "stepwell.tools.opt.main", "p.mlir", "--mlir-timing", "-o", "out.mlir")
    assert done.returncode == 0 and (tmp_path / "out.mlir").read_text().startswith("builtin.module")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that stands for a full disk")
@pytest.mark.parametrize(
    "words",
    [
        ("stepwell.tools.opt.main", "p.mlir", "-o", "/dev/full"),
        ("stepwell.tools.opt.main", "p.mlir", "--trace=/dev/full"),
        ("stepwell.tools.opt.main", "p.mlir", "--mlir-generate-reproducer=/dev/full"),
        ("stepwell.tools.stepwell", "explore", "p.mlir", "--out", "/dev/full"),
    ],
)
def test_a_full_disk_is_named_by_the_file(tmp_path, monkeypatch, words):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, "-m", *words], text=True, check=False, capture_output=True)
    assert done.returncode == 1 and "/dev/full: No space left on device" in done.stderr
