"""Diagnostics: the line, the caret, the notes, and suggestions for names."""

import pytest
from stepwell.ir.diagnostics import (
    CompileError,
    InternalError,
    LegalityError,
    Note,
    ParseError,
    ShapeError,
    VerifyError,
    did_you_mean,
)
from stepwell.ir.locations import Frame, call_site, file_location

SOURCE = {"model.py": ["def f(x):", "    return x + y", "\tx = 1"]}


def test_an_error_shows_its_line_and_a_caret():
    error = CompileError("'graph.add': expected f32, got i32", Frame("model.py", 2, 16))
    assert error.render(SOURCE.get).split("\n") == [
        "model.py:2:16: error: 'graph.add': expected f32, got i32",
        "    return x + y",
        "               ^",
    ]


def test_the_caret_follows_tabs():
    assert CompileError("e", Frame("model.py", 3, 2)).render(SOURCE.get).endswith("\tx = 1\n\t^")


@pytest.mark.parametrize("frame", [Frame("model.py", 9, 1), Frame("model.py", 0, 1), Frame("other.py", 1, 1)])
def test_positions_outside_the_source_are_named_only(frame: Frame):
    assert CompileError("e", frame).render(SOURCE.get) == f"{frame}: error: e"


@pytest.mark.parametrize("column", [1, 3000, 9990])
def test_of_long_lines_a_part_is_shown(column):
    line = "".join(chr(ord("a") + k % 26) for k in range(10_000))
    _, shown, caret = CompileError("e", Frame("long.py", 1, column)).render({"long.py": [line]}.get).split("\n")
    assert len(shown) < 500 and shown[len(caret) - 1] == line[column - 1] and caret.strip() == "^"


def test_an_error_without_a_place():
    assert str(CompileError("no C compiler")) == "error: no C compiler"


def test_call_sites_and_notes_follow():
    place = call_site(file_location("a.py", 1, 1), file_location("b.py", 2, 2))
    error = VerifyError("bad", place, ["think again", Note("defined here", Frame("c.py", 3, 3))])
    assert str(error).split("\n") == [
        "a.py:1:1: error: bad",
        "b.py:2:2: note: also from here",
        "note: think again",
        "c.py:3:3: note: defined here",
    ]


def test_a_source_on_disk_is_found(tmp_path):
    file = tmp_path / "m.py"
    file.write_text("a\nbc\n")
    assert CompileError("e", Frame(str(file), 2, 2)).render() == f"{file}:2:2: error: e\nbc\n ^"


def test_internal_errors_say_so():
    error = InternalError("boom", reproducer="r.mlir")
    assert str(error) == "internal error: boom" and error.reproducer == "r.mlir"


def test_all_are_compile_errors():
    assert all(issubclass(each, CompileError) for each in (ParseError, VerifyError, ShapeError, LegalityError))


def test_did_you_mean():
    assert did_you_mean("graph.ad", ["graph.add", "graph.mul"]) == ": did you mean 'graph.add'?"
    assert did_you_mean("nothing", ["graph.add"]) == "" == did_you_mean("x", [])
