"""`python -m tests.emitted_text`: the definition of a difference, and the emitted programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from stepwell.tests.emitted_text import compare, emit, renamed

PROGRAM = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "FUNCTION"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""


def emitted(folder: Path, name: str, function: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "program.mlir").write_text(PROGRAM.replace("FUNCTION", function))
    (folder / name / "programs.py").write_text("def perceptron(x, *w):\n    return x\ndef convolution(x):\n    return x\n")
    emit(folder / name, folder / f"{name}.out")
    return folder / f"{name}.out"


def test_programs_that_differ_are_listed(tmp_path: Path):
    here, there = emitted(tmp_path, "here", "exp"), emitted(tmp_path, "there", "sin")
    assert compare(here, here) == ([], 0, 6)
    assert compare(here, there) == (["program.cpu.txt", "program.cuda.txt"], 0, 6)
    names = here / "program.cpu.txt"
    names.write_text(names.read_text().replace("buffers", "others"))
    assert compare(here, emitted(tmp_path, "again", "exp")) == ([], 1, 6)


def test_a_program_that_is_not_lowered_has_its_error(tmp_path: Path):
    assert "unknown scalar function 'sines'" in (emitted(tmp_path, "wrong", "sines") / "program.cpu.txt").read_text()


def test_names_are_numbered():
    assert renamed("int a = b + a;") == renamed("int x = y + x;") != renamed("int x = y + y;")
    assert renamed("float a = expf(b);") != renamed("float a = sinf(b);")
    assert renamed("float a = b;") != renamed("double a = b;")
    assert renamed("a.exp") != renamed("a.sin")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a and b", "a or b"),
        ("load(p, mask=True)", "load(p, mask=False)"),
        ("long a;", "short a;"),
        ("sw_f32x16 a;", "sw_f32x8 a;"),
        ("a = INFINITY;", "a = NAN;"),
        ("break;", "continue;"),
    ],
)
def test_words_of_the_languages_are_no_names(one: str, other: str):
    assert renamed(one) != renamed(other)
