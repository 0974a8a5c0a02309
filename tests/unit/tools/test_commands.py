"""`stepwell run`, `trace` and `fuzz` on unusable input: one clear message, and no traceback."""

import io
import sys
from typing import Any

import numpy as np
import pytest
from stepwell.frontend.tracing import source
from stepwell.tools.stepwell import main
from xdsl.ir import Block

PROGRAM = """
func.func @take(%x: tensor<?xf32, #sw.shape<[n]>>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %0 = graph.take %x [%i] axes [0] : (tensor<?xf32, #sw.shape<[n]>>, tensor<2xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory of a test, with the program and arrays that fit it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.mlir").write_text(PROGRAM)
    (tmp_path / "bytes.mlir").write_bytes(b"module {\n \xff }")
    (tmp_path / "junk.npy").write_bytes(b"xx")
    np.save("x.npy", np.arange(3, dtype=np.float32))
    np.save("x64.npy", np.arange(3.0))
    np.save("matrix.npy", np.ones((2, 2), np.float32))
    np.save("objects.npy", np.array([{}], dtype=object))
    np.savez("several.npz", a=np.arange(3), b=np.arange(3))
    np.save("i.npy", np.array([2, 0]))
    np.save("far.npy", np.array([7, 0]))
    return tmp_path


def test_a_program_runs(folder, capsys):
    assert main(["run", "p.mlir", "--arg", "x=x.npy", "--arg", "i=i.npy", "--out", "y.npy"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), [2, 0])
    assert capsys.readouterr() == ("", "")


def test_an_argument_without_a_name_is_given_by_its_number(folder, capsys):
    text = PROGRAM.replace("%x", "%0").replace("%0 = graph", "%1 = graph").replace("return %0", "return %1")
    (folder / "q.mlir").write_text(text)
    assert main(["run", "q.mlir", "--arg", "0=x.npy", "--arg", "i=i.npy", "--out", "y.npy"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), [2, 0])


def test_a_program_from_standard_input(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    assert main(["run", "-", "--arg", "x=x.npy", "--arg", "i=i.npy", "--out", "y.npy"]) == 0


@pytest.mark.parametrize(
    ("x", "i", "message"),
    [
        ("x64.npy", "i.npy", "argument 'x': expected dtype float32, got float64"),
        ("matrix.npy", "i.npy", "argument 'x': expected shape (n,), got (2, 2)"),
        ("junk.npy", "i.npy", "argument 'x': 'junk.npy' holds no array"),
        ("objects.npy", "i.npy", "argument 'x': 'objects.npy' holds no array"),
        ("p.mlir", "i.npy", "argument 'x': 'p.mlir' holds no array: no file that np.save has written, or one of objects"),
        ("several.npz", "i.npy", "argument 'x': 'several.npz' holds several arrays"),
        ("nothing.npy", "i.npy", "nothing.npy"),
        ("x.npy", "far.npy", "p.mlir:3:8: index 7 is out of range for an axis of size 3"),
    ],
)
@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_arrays_that_do_not_fit(folder, capsys, target, x, i, message):
    assert main(["run", "p.mlir", "--target", target, "--arg", f"x={x}", "--arg", f"i={i}"]) == 1
    error = capsys.readouterr().err
    assert message in error and "internal error" not in error and "allow_pickle" not in error and "Traceback" not in error


@pytest.mark.parametrize(
    ("out", "reason"), [("/dev/full", "No space left on device"), ("no/y.npy", "No such file or directory")]
)
def test_a_result_that_cannot_be_written(folder, capsys, out, reason):
    assert main(["run", "p.mlir", "--arg", "x=x.npy", "--arg", "i=i.npy", "--out", out]) == 1
    assert capsys.readouterr().err == f"error: --out: '{out}' cannot be written: {reason}\n"


def test_a_result_goes_to_the_file_of_the_name(folder):
    assert main(["run", "p.mlir", "--arg", "x=x.npy", "--arg", "i=i.npy", "--out", "y.out"]) == 0
    np.testing.assert_array_equal(np.load("y.out"), [2, 0])


FUNCTIONS = """import numpy as np
def misspelled(x):
    return x + undefined
def missing(x):
    return {}["key"]
def refused(x):
    raise ValueError("not like this")
def helped(x):
    return norm(x)
def norm(x):
    return np.linalg.norm([1.0], 1, 2, 3, 4)
def broken(x):
    return x.softmax()
"""


@pytest.mark.parametrize("command", [["trace"], ["tune", "--budget=0"]])
@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("misspelled", "f.py:3:16: error: NameError: name 'undefined' is not defined\n    return x + undefined\n"),
        ("missing", "f.py:5:12: error: KeyError: 'key'\n"),
        ("refused", "f.py:7:5: error: ValueError: not like this\n"),
        ("helped", "f.py:11:12: error: TypeError: norm() takes from"),
        ("helped", "f.py:9:12: note: also from here\n"),
        ("broken", "f.py:13:12: error: AttributeError: 'Tensor' object has no attribute 'softmax'\n"),
    ],
)
def test_errors_of_functions_are_the_users(folder, capsys, command, function, message):
    (folder / "f.py").write_text(FUNCTIONS)
    assert main([*command, f"{folder}/f.py:{function}", "--spec=4,4"]) == 1
    error = capsys.readouterr().err
    assert f"{folder}/{message}" in error and "internal error" not in error and "Traceback" not in error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x):\n    return x +* 2\n", "g.py:2:15: error: SyntaxError: invalid syntax\n"),
        ("def f(x):\nreturn x\n", "g.py:2:1: error: IndentationError: expected an indented block after function definition"),
        ("x = 0 \0\n", "g.py:1:1: error: SyntaxError: source code string cannot contain null bytes\n"),
        ("import nothing_like_it\n", "g.py:1:1: error: ModuleNotFoundError: No module named 'nothing_like_it'\n"),
    ],
)
def test_errors_of_files_are_the_users(folder, capsys, text, message):
    (folder / "g.py").write_text(text)
    assert main(["trace", f"{folder}/g.py:f", "--spec=4"]) == 1
    assert f"{folder}/{message}" in capsys.readouterr().err


def fails():
    raise AssertionError("a bug")


def misused():
    nothing: Any = None
    Block().add_op(nothing)


def unfinished():
    raise NotImplementedError("a bug")


def endless():
    endless()


@pytest.mark.parametrize(
    ("bug", "message"),
    [
        (fails, "AssertionError: a bug"),
        (misused, "AttributeError: 'NoneType' object has no attribute"),
        (unfinished, "NotImplementedError: a bug"),
        (endless, "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_bugs_of_the_compiler_are_no_errors_of_the_users(folder, capsys, monkeypatch, bug, message):
    """Wherever the exception is raised: in the compiler, or in other packages that it calls."""
    # This file as code of the library.
    monkeypatch.setattr("stepwell.frontend.tracing.source._LIBRARY", (*source._LIBRARY, __file__))
    monkeypatch.setattr("stepwell.frontend.tracing.tracer.Tracer.emit_all", lambda *_, **__: bug())
    (folder / "h.py").write_text("def f(x):\n    return x + 1\n")
    assert main(["trace", f"{folder}/h.py:f", "--spec=4"]) == 70
    assert f"internal error: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "bytes.mlir"], "bytes.mlir:2:2: error: not UTF-8 text"),
        (["run", "p.mlir", "--target", "gpu"], "unknown target 'gpu'"),
        (["run", "p.mlir", "--arg", "x=x.npy", "--arg", "i=i.npy", "--param", "k=1"], "unknown parameter 'k'"),
        (["coverage", "--quick", "--update", "bytes.mlir"], "bytes.mlir:2:2: error: not UTF-8 text"),
        (["trace", "bytes.mlir"], "bytes.mlir:2:2: error: not UTF-8 text"),
        (["trace", "p.mlir", "--target", "gpu"], "unknown target 'gpu'"),
        (["trace", "p.mlir", "--line", "0"], "--line: expected a line from 1 to"),
        (["trace", "p.mlir", "--source", "p.mlir"], "--source: expected a position such as 'model.py:12'"),
    ],
)
def test_words_that_do_not_fit(folder, capsys, words, message):
    assert main(words) == 1
    error = capsys.readouterr().err
    assert message in error and "internal error" not in error and "Traceback" not in error


@pytest.mark.parametrize("command", ["run", "explore", "trace", "bisect"])
def test_help_says_that_plugins_have_targets(capsys, command):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "or that of a plugin" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("option", ["--seed", "--programs"])
def test_fuzz_counts_from_zero(option, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["fuzz", option, "-5"])
    assert ended.value.code == 2 and "expected a number of at least 0, got -5" in capsys.readouterr().err
