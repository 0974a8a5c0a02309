"""`stepwell trace` and `stepwell explore`: rows for changes only, filters, the width of a terminal; pages."""

import json

import pytest
from stepwell.frontend.explorer.page import data_of
from stepwell.tools import terminal
from stepwell.tools.opt.main import main as opt
from stepwell.tools.stepwell import main

MODEL = """import stepwell as sw
def layer(x, w):
    y = x @ w
    return sw.relu(y)
"""
SPECS = ["--spec", "n,m", "--spec", "m,k"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def trace(capsys, *arguments):
    status = main(["trace", "model.py:layer", *SPECS, *arguments])
    captured = capsys.readouterr()
    return status, captured.out.splitlines(), captured.err


def line_of(capsys, text):
    """The number of the first line of the emitted code that has a text and a source line."""
    _, lines, _ = trace(capsys)
    return next(number for number, line in enumerate(lines, 1) if text in line and "<-" in line)


def test_a_line_is_followed_up_through_its_changes_alone(folder, capsys):
    number = line_of(capsys, "sw_store")
    status, lines, _ = trace(capsys, "--line", str(number))
    assert status == 0 and lines[0].startswith(f"c:{number}: ")
    passes = [line.split()[0] for line in lines[1:] if not line.startswith(("   ", "  from", "  yields"))]
    assert passes[0].startswith(("cloop-", "lower-loop-to-cloop")) and passes[-1] == "lower-graph-to-uop"
    # Passes that leave an operation as it is have no row, and most do.
    assert len(passes) < 20 and "loop-pad" not in passes
    assert any("model.py:3:9 in layer: y = x @ w" in line for line in lines) or any("model.py:4" in line for line in lines)
    assert "\x1b" not in "".join(lines)


def test_filters_by_level_and_by_pass(folder, capsys):
    number = str(line_of(capsys, "sw_store"))
    _, lines, _ = trace(capsys, "--line", number, "--level", "graph,uop")
    rows = [line for line in lines[1:] if not line.startswith(("  from", "  yields"))]
    assert rows and all(" graph:" in row or " uop:" in row for row in rows)
    _, lines, _ = trace(capsys, "--line", number, "--pass", "lower-graph-to-uop")
    (row, *_) = lines[1:]
    assert row.startswith("  lower-graph-to-uop  graph:")
    _, lines, _ = trace(capsys, "--source", "model.py:3", "--level", "graph")
    assert lines == [line for line in lines if line.split()[-1] and "graph:" in line] and len(lines) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--line", "1", "--level", "grph"], "--level: 'grph' is not in this program's pipeline: did you mean 'graph'?"),
        (["--line", "1", "--pass", "zzz"], "--pass: 'zzz' is not in this program's pipeline (expected one of inline, "),
        (["--pass", "cse"], "--pass: expected a --line"),
        (["--level", "loop"], "--level: expected a --line or a --source"),
    ],
)
def test_filters_that_choose_nothing_are_errors(folder, capsys, arguments, message):
    status, _, error = trace(capsys, *arguments)
    assert status == 1 and message in error


def test_rows_are_cut_to_the_width_of_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.delenv("NO_COLOR", raising=False)
    live = terminal.Terminal()
    live.row(live.paint("0123456789", "red") + "0123456789abc")
    live.row("short")
    assert capsys.readouterr().out == "\x1b[31m0123456789\x1b[0m012345678…\nshort\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.Terminal().paint("a", "red") == "a"


def test_piped_output_is_whole_and_plain(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "20")
    piped = terminal.Terminal()
    piped.row(piped.paint("x" * 50, "red"))
    assert capsys.readouterr().out == "x" * 50 + "\n"


def test_explore_writes_a_page_for_a_function(folder):
    assert main(["explore", "model.py:layer", *SPECS, "--out", "layer.html"]) == 0
    data = data_of((folder / "layer.html").read_text())
    assert data["title"] == "layer" and [column["name"] for column in data["columns"]][-1] == "cloop"


def test_explore_writes_a_page_for_a_recorded_trace(folder):
    (folder / "p.mlir").write_text("func.func @f(%a: i32) -> i32 {\n %0 = arith.addi %a, %a : i32\n func.return %0 : i32\n}")
    assert opt(["p.mlir", "-p", "cse", "--trace=trace.json", "-o", "out.mlir"]) == 0
    assert main(["explore", "trace.json", "--out", "p.html"]) == 0
    data = data_of((folder / "p.html").read_text())
    assert [step["name"] for step in data["passes"]] == ["cse"] and data["documents"][0]["name"] == "p.mlir"


def test_a_recorded_lowering_has_the_levels_of_its_pipeline(folder):
    text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>\n"
    (folder / "p.mlir").write_text(f"{text} func.return %0 : tensor<4xf32>\n}}")
    assert opt(["p.mlir", "-p", "dce", "--emit=c", "--trace=trace.json", "-o", "out.c"]) == 0
    assert main(["explore", "trace.json", "--out", "p.html"]) == 0
    data = data_of((folder / "p.html").read_text())
    assert [column["name"] for column in data["columns"]] == ["graph", "uop", "loop", "scheduled", "cloop"]
    texts = {column["name"]: data["snapshots"][column["snapshot"]]["text"] for column in data["columns"]}
    assert "uop.map" in texts["uop"] and "cloop.block" in texts["cloop"] and "loop.load" in texts["loop"]


@pytest.mark.parametrize("text", ["[]", "nonsense", json.dumps({"version": 1, "levels": [{}], "steps": []})])
def test_explore_rejects_other_json(folder, capsys, text):
    (folder / "bad.json").write_text(text)
    assert main(["explore", "bad.json", "--out", "p.html"]) == 1
    assert "'bad.json' holds no trace" in capsys.readouterr().err and not (folder / "p.html").exists()


def test_explore_asks_for_a_function(folder, capsys):
    assert main(["explore", "model.py", "--out", "p.html"]) == 1
    assert "'model.py' is a Python file: name a function in it, as in 'model.py:layer'" in capsys.readouterr().err


def test_a_line_and_a_source_are_both_followed(folder, capsys):
    status, up, _ = trace(capsys, "--line", str(line_of(capsys, "=")))
    assert status == 0
    status, down, _ = trace(capsys, "--source", "model.py:3")
    assert status == 0
    assert trace(capsys, "--source", "model.py:3", "--line", str(line_of(capsys, "=")))[1] == up + down
