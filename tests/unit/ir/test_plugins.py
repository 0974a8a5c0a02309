"""Plugins of installed packages: the example package, found by its entry point, with no word about it on the command line."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from stepwell.ir.diagnostics import PipelineError
from stepwell.ir.plugins import from_file, home_of, plugin_of
from stepwell.lowering import TABLES
from stepwell.passes.manager.registry import Registry
from xdsl.passes import ModulePass

from tests.installing import announce

EXAMPLE = Path(__file__).parents[3] / "examples" / "plugin"
PROGRAM = """func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = saturate.add %a, %b : i32
  func.return %0 : i32
}
"""


@pytest.fixture
def installed(tmp_path, monkeypatch) -> Path:
    """A folder with the example package as an installer would leave it, on the path of the commands that a test starts."""
    site = tmp_path / "site"
    shutil.copytree(EXAMPLE / "stepwell_saturate", site / "stepwell_saturate", ignore=shutil.ignore_patterns("__pycache__"))
    announce((EXAMPLE / "pyproject.toml").read_text(), site, monkeypatch)
    (tmp_path / "s.mlir").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return site


def opt(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stepwell.tools.opt.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_installed_pass_is_an_option_and_its_dialect_parses(installed):
    done = opt("s.mlir", "--lower-saturate=limit=99")
    assert done.returncode == 0, done.stderr
    assert "arith.minsi" in done.stdout and "arith.constant 99" in done.stdout


def test_an_installed_plugin_is_listed(installed):
    passes, dialects = opt("--list-passes").stdout, opt("--show-dialects").stdout
    assert "\nPasses of plugin 'saturate':\n  lower-saturate: Writes each saturating addition" in passes
    assert "saturate" in dialects.removeprefix("Available Dialects: ").strip().split(",")


def test_a_reproducer_names_the_plugin_and_runs_where_it_is_installed(installed, monkeypatch):
    assert opt("s.mlir", "--lower-saturate", "--mlir-generate-reproducer=r.mlir").returncode == 0
    assert 'plugins: "stepwell_saturate"' in Path("r.mlir").read_text()
    assert "arith.minsi" in opt("r.mlir", "--run-reproducer").stdout
    monkeypatch.setenv("PYTHONPATH", "")
    without = opt("r.mlir", "--run-reproducer")
    assert without.returncode == 1 and "the reproducer was written with these plugins: stepwell_saturate" in without.stderr


def test_a_plugin_that_cannot_be_imported_is_named(installed):
    (installed / "stepwell_saturate" / "__init__.py").write_text("import nothing_of_this_name\n")
    done = opt("s.mlir", "--lower-saturate")
    assert done.returncode == 2 and "plugin 'saturate' (stepwell_saturate) cannot be imported: ModuleNotFound" in done.stderr
    # Stepwell's own names need no plugin.
    Path("own.mlir").write_text("func.func @f() {\n  func.return\n}\n")
    assert opt("own.mlir", "--cse").returncode == 0
    fuzz = [sys.executable, "-m", "stepwell.tools.stepwell", "fuzz", "--programs", "1", "--targets"]
    assert subprocess.run([*fuzz, "loop"], check=False).returncode == 0
    for command in (
        [sys.executable, "-m", "stepwell.tools.opt.main", "own.mlir", "--emit=lop"],
        [*fuzz, "lop"],
        [sys.executable, "-m", "stepwell.tools.stepwell", "trace", "own.mlir", "--target", "cpuu"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (1, 2) and "Traceback" not in done.stderr
        assert "plugin 'saturate' (stepwell_saturate) cannot be imported" in done.stderr


HARDTANH = """func.func @g(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = uop.map "hardtanh"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
"""


def test_an_installed_scalar_function_compiles_and_runs(installed):
    Path("g.mlir").write_text(HARDTANH)
    np.save("x.npy", np.array([-1, 0, 3], np.float32))
    for target in ("interpret", "cpu", "precise"):
        command = [sys.executable, "-m", "stepwell.tools.stepwell", "run", "g.mlir", "--arg", "x=x.npy", "--out", "y.npy"]
        done = subprocess.run([*command, "--target", target], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        np.testing.assert_allclose(np.load("y.npy"), [-1, 0, 1])
    done = opt("g.mlir", "--emit=c")
    assert done.returncode == 0 and "fminf(fmaxf(" in done.stdout, done.stderr


def test_the_spelling_of_an_installed_function_works_on_vectors(installed):
    Path("g.mlir").write_text(HARDTANH.replace("tensor<3xf32>", "tensor<100xf32>"))
    np.save("x.npy", np.linspace(-3, 3, 100, dtype=np.float32))
    command = [sys.executable, "-m", "stepwell.tools.stepwell", "run", "g.mlir", "--arg", "x=x.npy", "--out", "y.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load("y.npy"), np.clip(np.load("x.npy"), -1, 1))
    assert "sw_hardtanh_f32x16(" in opt("g.mlir", "--emit=c").stdout


TARGET = """
import numpy as np
import stepwell as sw

x = np.full(1 << 10, 0.1, np.float32)
print(abs(float(sw.jit(lambda x: sw.sum(x * x), target="precise")(x)) - float(np.sum(x.astype(np.float64) ** 2))) < 1e-5)
low = sw.lower(lambda x: sw.sum(x * x), x, target="precise")
print(low.levels, low.source().split(), len(low.trace.sources(1)) > 0)
try:
    sw.jit(lambda x: x, target="precis")(x)
except sw.CompileError as error:
    print(error)
"""


def test_an_installed_target_runs_programs(installed):
    Path("program.py").write_text(TARGET)
    done = subprocess.run([sys.executable, "program.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, levels, error = done.stdout.splitlines()[:3]
    assert first == "True"
    assert levels == "('graph', 'uop', 'steps') ['uop.map', 'uop.reduce', 'func.return'] True"
    assert "unknown target 'precis': did you mean 'precise'? (the targets are " in error
    assert "  precise: graph -> uop -> steps\n" in opt("--list-targets").stdout
    Path("h.mlir").write_text(HARDTANH)
    assert opt("h.mlir", "--emit=steps").stdout == "uop.map\nfunc.return\n"


def test_an_unknown_scalar_function_is_named(installed):
    Path("g.mlir").write_text(HARDTANH.replace("hardtanh", "hardtanj"))
    done = opt("g.mlir")
    assert done.returncode == 1 and "unknown scalar function 'hardtanj': did you mean 'hardtanh'" in done.stderr, done.stderr


class Nameless(ModulePass):
    def apply(self, ctx, op):
        pass


class Spaced(ModulePass):
    name = "my pass"


@dataclass(frozen=True)
class Cse(ModulePass):
    name = "cse"


def test_a_pass_with_the_name_of_one_of_ours_is_refused():
    with pytest.raises(PipelineError, match=r"pass 'cse' of .*Cse: Stepwell has a pass of this name"):
        Registry(TABLES, [Cse])


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "plugin 'p': it has none of PASSES, DIALECTS, SCALARS, TARGETS, LANGUAGES"),
        ({"TARGETS": ()}, "plugin 'p': TARGETS: expected a mapping from names to targets, got tuple"),
        ({"TARGETS": {"x": 1}}, "plugin 'p': TARGETS: 'x': expected a row whose 'program' is a function, got 1"),
        ({"LANGUAGES": {"x": 1}}, "plugin 'p': LANGUAGES: 'x': expected a row whose 'emitter' is a function, got 1"),
        ({"PASSES": []}, "plugin 'p': PASSES: expected a tuple of passes, got list"),
        ({"PASSES": (int,)}, "plugin 'p': PASSES: expected classes derived from xdsl.passes.ModulePass, got <class 'int'>"),
        ({"PASSES": (Nameless,)}, "plugin 'p': pass Nameless: expected a name"),
        ({"PASSES": (Spaced,)}, "plugin 'p': pass Spaced: expected a name of letters, digits, '_', '.' and '-', got 'my pass'"),
        ({"DIALECTS": ("saturate",)}, "plugin 'p': DIALECTS: expected xDSL dialects, got 'saturate'"),
    ],
)
def test_plugins_of_another_form(members, message):
    with pytest.raises(PipelineError) as raised:
        plugin_of("p", SimpleNamespace(**members))
    assert message in str(raised.value)


def test_files_that_are_no_plugin(tmp_path):
    with pytest.raises(PipelineError, match="expected a Python file"):
        from_file(str(tmp_path / "none.py"))
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(PipelineError, match="SystemExit: 3"):
        from_file(str(tmp_path / "leaving.py"))
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(PipelineError, match="ZeroDivisionError: division by zero"):
        from_file(str(tmp_path / "broken.py"))


def test_homes():
    assert home_of(ModulePass) is None and home_of(Path) == "pathlib"
