"""The committed example on every level: each file equals the compiler's output, and each compiles and runs from its text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.dialects.scalar_ops import IndexedOp
from stepwell.ir.text.parser import parse_module
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tools.opt.main import main as opt
from stepwell.tools.stepwell import main
from xdsl.dialects.builtin import DenseArrayBase, i32

LEVELS = Path(sw.__file__).parent / "examples" / "levels"
CPU_LEVELS = ("graph", "uop", "loop", "scheduled", "cloop")


def text(level: str) -> str:
    return (LEVELS / f"layer.{level}.mlir").read_text()


def arguments():
    generator = np.random.default_rng(0)
    return [generator.standard_normal(shape).astype("float32") for shape in ((5, 3), (3, 4), (4,))]


def expected(x, w, b):
    exponentials = np.exp(np.maximum(x @ w + b, 0).astype("float64"))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("level", ["uop", "loop", "scheduled", "cloop", "tile"])
def test_the_files_are_what_the_compiler_prints(level, capsys):
    assert opt([str(LEVELS / "layer.graph.mlir"), f"--emit={level}"]) == 0
    assert capsys.readouterr().out == text(level), "make levels writes it again"


@pytest.mark.parametrize("level", CPU_LEVELS)
def test_each_level_gives_the_same_c(level, capsys):
    assert opt([str(LEVELS / "layer.graph.mlir"), "--emit=c"]) == 0
    wanted = capsys.readouterr().out
    assert opt([str(LEVELS / f"layer.{level}.mlir"), "--emit=c"]) == 0
    assert capsys.readouterr().out == wanted


@pytest.mark.parametrize("level", CPU_LEVELS)
def test_each_level_runs_from_its_text(level):
    given = arguments()
    np.testing.assert_allclose(sw.compile(text(level))(*given), expected(*given), rtol=1e-5)


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("level", ["graph", "tile"])
def test_the_tile_level_runs_from_its_text(level):
    given = arguments()
    np.testing.assert_allclose(sw.compile(text(level), target=TRITON)(*given), expected(*given), rtol=1e-5)


def test_run_reads_and_writes_files(tmp_path, capsys):
    names = []
    for name, array in zip("xwb", arguments(), strict=True):
        np.save(tmp_path / f"{name}.npy", array)
        names += ["--arg", f"{name}={tmp_path / name}.npy"]
    assert main(["run", str(LEVELS / "layer.loop.mlir"), *names, "--out", str(tmp_path / "y.npy")]) == 0
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected(*arguments()), rtol=1e-5)
    assert main(["run", str(LEVELS / "layer.loop.mlir"), *names[:4]]) == 1
    assert "argument 'b' is missing: give --arg b=FILE.npy" in capsys.readouterr().err
    assert main(["run", str(LEVELS / "layer.loop.mlir"), *names, "--arg", "z=z.npy"]) == 1
    assert "the program has no argument 'z'" in capsys.readouterr().err


def test_trace_prints_the_way_up_and_down(capsys):
    path = str(LEVELS / "layer.graph.mlir")
    assert main(["trace", path]) == 0
    listing = capsys.readouterr().out.splitlines()
    line = next(number for number, text in enumerate(listing, 1) if "const" in text and "exp" in text and "=" in text)
    assert main(["trace", path, "--line", str(line)]) == 0
    shown = capsys.readouterr().out
    assert 'uop.map "exp"' in shown
    assert "graph.exp" in shown
    assert main(["trace", path, "--source", "layer.graph.mlir:10"]) == 0
    shown = capsys.readouterr().out
    assert f"  c:{line}:" in shown
    assert main(["trace", path, "--source", "layer.graph.mlir:12"]) == 0
    assert "\n* c:" in capsys.readouterr().out
    yields = next(number for number, text in enumerate(listing, 1) if "_out" in text and ":12*" in text)
    assert main(["trace", path, "--line", str(yields)]) == 0
    assert "yields the output of" in capsys.readouterr().out
    assert main(["trace", path, "--source", "layer.graph.mlir:99"]) == 1
    assert "nothing came of" in capsys.readouterr().err


def test_without_operations_the_types_tell_the_level(tmp_path, capsys):
    path = tmp_path / "f.mlir"
    path.write_text("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { func.return %x : tensor<3xf32> }")
    assert opt([str(path), "-p", "lower-loop-to-tile"]) == 1
    assert "'func.func' is above the level 'loop' that 'lower-loop-to-tile' lowers from" in capsys.readouterr().err
    for level in ("graph", "uop"):
        assert opt([str(path), f"--emit={level}"]) == 0
        assert "tensor<3xf32>" in capsys.readouterr().out


@pytest.mark.parametrize("level", ["uop", "c", "triton"])
def test_sizes_that_no_argument_has_are_an_error(level, tmp_path, capsys):
    path = tmp_path / "f.mlir"
    guarded = "%r = uop.reindex %x <(d0) -> (d0)> guard <(d0) -> (m - d0)> fill 1.0 : f32 : (tensor<3xf32>) -> tensor<3xf32>"
    path.write_text(f"func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {{\n{guarded}\nfunc.return %r : tensor<3xf32> }}")
    assert opt([str(path), f"--emit={level}"]) == 1
    assert "f.mlir:2:6: error: 'uop.reindex': unknown parameter 'm': @f has none" in capsys.readouterr().err


@pytest.mark.parametrize("level", ["loop", "scheduled", "cloop"])
def test_operands_of_index_expressions_are_those_that_xdsl_finds(level: str):
    def found(name: str, op: IndexedOp) -> object:
        try:
            return tuple(getattr(op, name))
        except IndexError:  # as xDSL's accessors raise it where a segment is missing
            return IndexError

    def same(op: IndexedOp) -> bool:
        return found("operands_at", op) == found("at", op)

    module = parse_module(text(level), make_context())
    ops = [op for op in module.walk() if isinstance(op, IndexedOp)]
    assert all(map(same, ops))
    several = [op for op in ops if "operandSegmentSizes" in op.properties and op.operands_at]
    assert several
    for op in several:
        before, taken = op.operands, op.operands_at
        op.set_operands_at([])
        assert op.operands_at == () and same(op)
        op.set_operands_at([taken[0], *taken])
        assert op.operands_at == (taken[0], *taken) and same(op)
        assert len(op.operands) == len(before) and op.operands[0] is before[0]
    for sizes in ([9] * 4, [-1, 1, 1, 1], [1]):
        several[0].properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        assert same(several[0])


def test_functions_without_bodies_are_an_error(tmp_path, capsys):
    path = tmp_path / "f.mlir"
    path.write_text("func.func private @g(tensor<3xf32>)\nfunc.func @f() { func.return }")
    assert opt([str(path), "--emit=c"]) == 1
    assert "f.mlir:1:1: error: @g: expected a function with a body" in capsys.readouterr().err
    path.write_text(
        "func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {\n  cf.br ^next\n^next:\n  func.return %x : tensor<3xf32>\n}"
    )
    assert opt([str(path), "--emit=c"]) == 1
    assert "f.mlir:1:1: error: @f: expected a function of one block, got 2" in capsys.readouterr().err
