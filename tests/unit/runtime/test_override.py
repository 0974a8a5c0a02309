"""Levels dumped to files, edited and compiled from there."""

import json
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import CompileError, ParseError
from stepwell.runtime.override import DIGESTS
from stepwell.runtime.toolchain.compiler import CompilerError


def program(x):
    return sw.exp(x) + 1.0


@pytest.fixture
def x():
    return np.arange(4, dtype=np.float32)


@pytest.fixture
def dumped(tmp_path, monkeypatch, x) -> Path:
    """The folder of the program, dumped; from now on edited files in it are compiled."""
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("STEPWELL_DUMP_DIR", str(tmp_path / "dump"))
    np.testing.assert_allclose(sw.jit(program)(x), np.exp(x) + 1, rtol=1e-5)
    monkeypatch.delenv("STEPWELL_DUMP_DIR")
    monkeypatch.setenv("STEPWELL_OVERRIDE_DIR", str(tmp_path / "dump"))
    (folder,) = (tmp_path / "dump").iterdir()
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_every_level_is_dumped(dumped):
    names = {path.name for path in dumped.iterdir()}
    levels = ("graph", "uop", "loop", "scheduled", "cloop")
    assert names == {DIGESTS, "kernel.c", *(f"{level}.mlir" for level in levels)}
    assert dumped.name.startswith("program-cpu-") and set(json.loads((dumped / DIGESTS).read_text())) == names - {DIGESTS}


def test_files_as_they_were_dumped_have_no_effect(dumped, x, capfd):
    np.testing.assert_allclose(sw.jit(program)(x), np.exp(x) + 1, rtol=1e-5)
    assert "compiling from" not in capfd.readouterr().err


@pytest.mark.parametrize("level", ["graph", "uop", "loop", "scheduled", "cloop"])
def test_an_edited_level_takes_the_place_of_its_own(dumped, x, capfd, level):
    edit(dumped / f"{level}.mlir", "1.000000e+00", "3.000000e+00")
    np.testing.assert_allclose(sw.jit(program)(x), np.exp(x) + 3, rtol=1e-5)
    assert f"stepwell: compiling from {dumped / level}.mlir" in capfd.readouterr().err


def test_an_edited_kernel_is_compiled(dumped, x):
    text = (dumped / "kernel.c").read_text()
    start = text.index("int64_t sw_main")
    (dumped / "kernel.c").write_text(text[:start] + text[start:].replace("1.0f", "3.0f").replace("0x1p+0f", "3.0f"))
    assert (dumped / "kernel.c").read_text() != text
    np.testing.assert_allclose(sw.jit(program)(x), np.exp(x) + 3, rtol=1e-5)


def test_errors_in_edited_kernels_name_their_file(dumped, x):
    path = dumped / "kernel.c"
    text = path.read_text()
    path.write_text(text + "int broken = x;\n")
    with pytest.raises(CompilerError, match=rf"{path}:\d+:\d+: error"):
        sw.jit(program)(x)
    path.write_text("int other(void) { return 1; }\n")
    with pytest.raises(CompileError, match=rf"'{path}' defines no function sw_main"):
        sw.jit(program)(x)


def test_mistakes_in_edited_files_are_named(dumped, x):
    path = dumped / "uop.mlir"
    text = path.read_text()
    path.write_text(text.replace("uop.map", "uop.mop"))
    with pytest.raises(ParseError, match=r"uop\.mlir:\d+:\d+: error"):
        sw.jit(program)(x)
    path.write_bytes(b"module {\n \xff }")
    with pytest.raises(CompileError, match="not UTF-8 text"):
        sw.jit(program)(x)
    path.write_text(text.replace("xf32", "xf64").replace("f32", "f64"))
    with pytest.raises(CompileError, match=r"uop\.mlir': expected @program with the type .*f32.*, got .*f64"):
        sw.jit(program)(x)
    path.write_text(text.replace("@program", "@other"))
    with pytest.raises(CompileError, match="expected the function 'program', got 'other'"):
        sw.jit(program)(x)
    path.write_text(text)
    loops = dumped / "loop.mlir"
    edit(loops, "sw.inputs = 1", "sw.inputs = 2")
    with pytest.raises(CompileError, match=r"loop\.mlir': @program: expected the attribute 'sw.inputs' as 1 .*, got 2"):
        sw.jit(program)(x)
    edit(loops, "sw.inputs = 2", "sw.inputs = 1")
    (dumped / "cloop.mlir").write_text((dumped / "graph.mlir").read_text())
    with pytest.raises(CompileError, match=r"cloop\.mlir': expected a program on level 'cloop', got one on level 'graph'"):
        sw.jit(program)(x)


def test_folders_that_cannot_be_used(tmp_path, monkeypatch, x):
    monkeypatch.setenv("STEPWELL_OVERRIDE_DIR", str(tmp_path / "none"))
    with pytest.raises(CompileError, match=r"STEPWELL_OVERRIDE_DIR: no folder '.*none'"):
        sw.jit(program)(x)
    monkeypatch.delenv("STEPWELL_OVERRIDE_DIR")
    monkeypatch.setenv("STEPWELL_DUMP_DIR", "/dev/full")
    with pytest.raises(CompileError, match=r"STEPWELL_DUMP_DIR: '/dev/full/.*': Not a directory"):
        sw.jit(program)(x)


def test_kernels_of_triton(tmp_path, monkeypatch, x):
    pytest.importorskip("triton")
    monkeypatch.setenv("STEPWELL_DUMP_DIR", str(tmp_path))
    monkeypatch.setenv("STEPWELL_OVERRIDE_DIR", str(tmp_path))
    run = lambda: sw.jit(program, target="triton-interpret")(x)  # noqa: E731
    np.testing.assert_allclose(run(), np.exp(x) + 1, rtol=1e-5)
    (folder,) = tmp_path.iterdir()
    edit(folder / "kernel.py", " 1.0", " 3.0")
    np.testing.assert_allclose(run(), np.exp(x) + 3, rtol=1e-5)
