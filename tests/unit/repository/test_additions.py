"""Additions take as many files as CONTRIBUTING says, and work: a pass, an operation, a scalar function, a dialect and a backend
are added to a copy of the package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
from stepwell.tests.mutate import ROOT, copied, lit_passes


class Edit(NamedTuple):
    """Lines that are inserted into a file before the first line that begins with `before`, or at its end; or the text of a new
    file."""

    file: str
    text: str
    before: str | None = None


PASS = (
    Edit(
        "passes/uop/uop_drop_double_negations.py",
        '''"""uop-drop-double-negations: replace -(-x) by x."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation, SSAValue

from ...dialects.uop import MapOp
from ...ir.rewrite import absorb, count, erase
from ..manager.registry import OperationPass


@dataclass(frozen=True)
class UopDropDoubleNegations(OperationPass):
    """Takes the operand of the inner negation; `dce` removes that one."""

    name = "uop-drop-double-negations"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        for outer in [each for each in op.walk() if isinstance(each, MapOp)]:
            once = _negated(outer.result)
            twice = _negated(once) if once is not None else None
            if twice is None:
                continue
            outer.result.replace_all_uses_with(twice)
            if isinstance(twice.owner, Operation):
                absorb(twice.owner, outer)
            erase(outer)
            count("negations-dropped", "Number of double negations")


def _negated(value: SSAValue) -> SSAValue | None:
    op = value.owner
    return op.inputs[0] if isinstance(op, MapOp) and op.function.data == "neg" else None
''',
    ),
    Edit(
        "passes/__init__.py",
        '    ("uop-drop-double-negations", ".uop.uop_drop_double_negations:UopDropDoubleNegations"),\n',
        '    ("uop-grad"',
    ),
    Edit(
        "tests/lit/passes/uop/uop_drop_double_negations.mlir",
        """// RUN: stepwell-opt %s -p 'func.func(uop-drop-double-negations),dce' | filecheck %s

// CHECK-LABEL: @twice
// CHECK-NEXT: func.return %x
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = uop.map "neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// One negation is left alone.
// CHECK-LABEL: @once
// CHECK-NEXT: uop.map "neg"
func.func @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = uop.map "neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
""",
    ),
)
OPERATION = (
    Edit(
        "dialects/graph/shape.py",
        '''@irdl_op_definition
class SwapOp(GraphOp):
    """The last two axes exchanged: `%1 = graph.swap %0 : tensor<2x3xf32> -> tensor<3x2xf32>`."""

    name = "graph.swap"
    input = operand_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue):
        self.build_from([input])

    def infer(self) -> Attribute:
        return with_shape(result("input[... a b] -> [... b a]", [shape_of(self.input)]), self.input)


''',
        "# The rules, for each rank.",
    ),
    Edit("dialects/graph/shape.py", "OPS = (*OPS, SwapOp)\n"),
    Edit(
        "lowering/graph_to_uop/shape.py",
        """

@expand.register
def _(op: shape_ops.SwapOp, emit: Emit) -> SSAValue:
    rank = len(op.shape)
    return emit.reindex(op.input, op.shape, [*map(dim, range(rank - 2)), dim(rank - 1), dim(rank - 2)])
""",
    ),
    Edit(
        "tests/lit/dialects/graph/ops.mlir",
        """
// CHECK-LABEL: @swapped
func.func @swapped(%x: tensor<5x2x3xf32>) {
  // CHECK: graph.swap %x : tensor<5x2x3xf32> -> tensor<5x3x2xf32>
  %0 = graph.swap %x : tensor<5x2x3xf32> -> tensor<5x3x2xf32>
  func.return
}
""",
    ),
    Edit(
        "tests/lit/dialects/graph/invalid.mlir",
        """
// -----

func.func @swap(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected at least 2 axes for input[... a b], got 1}}
  %0 = graph.swap %x : tensor<2xf32> -> tensor<2xf32>
  func.return
}
""",
    ),
)
SCALAR = (
    Edit(
        "ir/scalars/elementary.py",
        """    unary(
        "gaussian",
        "sw_gaussian_$N($a)",
        "sw_gaussian($a)",
        ulp=4,
        cost=10,
        derivative=lambda f, x, y: (f.mul(f.const(-2.0), f.mul(x, y)),),
        doc="exp(-x*x) of each element.",
        c_body="return exp$F(-(a * a));",
        triton_body="    return libdevice.exp(-(a * a))\\n",
    ),
""",
        "    # Roots, exponentials and logarithms.",
    ),
    Edit(
        "ir/scalars/oracles.py",
        '        "gaussian": lambda x: np.exp(-(x * x)),\n',
        '        "sigmoid": _sigmoid,',
    ),
)
DIALECT = (
    Edit(
        "dialects/units.py",
        '''"""Physical units of tensors: scales between them. The level below is `graph`.

Invariants: the factor of a scale is positive.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float64Type, FloatAttr, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..ir.op import Op


@irdl_op_definition
class ScaleOp(Op):
    """Conversion to another unit: `%1 = units.scale %0 by 1000.0 : tensor<4xf32>`."""

    name = "units.scale"
    input = operand_def(TensorType)
    factor = prop_def(FloatAttr[Float64Type])
    result = result_def(TensorType)
    assembly_format = "$input `by` $factor attr-dict `:` type($input) `->` type($result)"

    def verify_(self) -> None:
        if not self.factor.value.data > 0:
            raise VerifyException(f"expected a positive factor, got {self.factor.value.data}")


Units = Dialect("units", [ScaleOp], [])
''',
    ),
    Edit("dialects/__init__.py", '    ("units", ".units:Units"),\n', '    ("uop", ".uop:Uop")'),
    Edit(
        "tests/lit/dialects/units.mlir",
        """// RUN: stepwell-opt %s --split-input-file --verify-diagnostics --verify-roundtrip | filecheck %s

// CHECK-LABEL: @scaled
func.func @scaled(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: units.scale %x by 1.000000e+03 : tensor<4xf32> -> tensor<4xf32>
  %0 = units.scale %x by 1000.0 : tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a positive factor, got -1.0}}
  %0 = units.scale %x by -1.0 : tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
""",
    ),
)
BACKEND = (
    Edit(
        "lowering/emit_numpy.py",
        '''"""NumPy code for programs of elementwise micro-ops: a line for each operation."""

from __future__ import annotations

from functools import singledispatch

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects import uop
from ..ir.diagnostics import CompileError
from ..ir.functions.entry import entry_function
from ..ir.types.dtypes import dtype_of
from .emission.source_text import SourceText


def emit_numpy(module: ModuleOp) -> SourceText:
    """The function `main` of a module of micro-ops. Raises CompileError for an operation that it has no text for."""
    function = entry_function(module)
    names = {arg: f"v{number}" for number, arg in enumerate(function.args)}
    out = SourceText()
    out.lines += [("import numpy as np", None), (f"def main({', '.join(names.values())}):", function)]
    for op in function.body.block.ops:
        names.update((result, f"v{len(names)}") for result in op.results)
        out.lines.append((f"    {_text(op, names)}", op))
    return out


@singledispatch
def _text(op: Operation, names: dict[SSAValue, str]) -> str:
    raise CompileError(f"'{op.name}' has no text in NumPy", op.location)


@_text.register
def _(op: uop.MapOp, names: dict[SSAValue, str]) -> str:
    function = {"add": "add", "mul": "multiply", "neg": "negative"}.get(op.function.data, op.function.data)
    return f"{names[op.result]} = np.{function}({', '.join(names[value] for value in op.inputs)})"


@_text.register
def _(op: uop.ConstantOp, names: dict[SSAValue, str]) -> str:
    return f"{names[op.result]} = np.{dtype_of(op.value.type).name}({op.value.value.data!r})"


@_text.register
def _(op: ReturnOp, names: dict[SSAValue, str]) -> str:
    return f"return [{', '.join(names[value] for value in op.operands)}]"
''',
    ),
    Edit(
        "runtime/numpy_program.py",
        '''"""The target "numpy": programs of elementwise micro-ops, as Python source."""

from __future__ import annotations

import runpy
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..lowering.emit_numpy import emit_numpy
from .boundary.arrays import HostBoundary
from .boundary.signature import Signature


class NumpyProgram:
    """A module of Python with one function."""

    boundary = HostBoundary()

    def __init__(self, text: str, signature: Signature):
        self.signature = signature
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "program.py")
            path.write_text(text)
            self._main = runpy.run_path(str(path))["main"]

    def run(self, arrays: Sequence[Any], values: Sequence[int]) -> list[Any]:
        """The results, for contiguous arrays and the values of the signature's parameters."""
        return self._main(*arrays)


def numpy_program(module: ModuleOp, target: str, signature: Signature, edit: Any) -> NumpyProgram:
    """The program of a module of micro-ops."""
    return NumpyProgram(emit_numpy(module).text, signature)
''',
    ),
    Edit(
        "lowering/pipelines.py",
        '        "numpy": Language("lowering.emit_numpy:emit_numpy", "#"),\n',
        '        "triton": Language(',
    ),
    Edit(
        "lowering/pipelines.py",
        '        "numpy": Target(INTERPRETED, "runtime.numpy_program:numpy_program", "numpy"),\n',
        '        "interpret": Target(',
    ),
    Edit(
        "tests/lit/lowering/emit_numpy.mlir",
        """// RUN: stepwell-opt %s --emit=numpy | filecheck %s

// CHECK: def main(v0):
// CHECK-NEXT: v1 = np.sin(v0)
// CHECK-NEXT: v2 = np.multiply(v1, v0)
// CHECK-NEXT: return [v2]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.sin %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
""",
    ),
)
# By the headings of CONTRIBUTING.
ADDITIONS: Mapping[str, tuple[Edit, ...]] = MappingProxyType(
    {
        "a pass": PASS,
        "an operation of the graph level": OPERATION,
        "a scalar function": SCALAR,
        "a dialect": DIALECT,
        "a backend": BACKEND,
    }
)
# What runs with all additions.
USES = '''
import numpy as np
import stepwell as sw
from stepwell.runtime.executable import compile_module

x = np.linspace(-2, 2, 6, dtype=np.float32)
for target in ("cpu", "interpret"):
    np.testing.assert_allclose(sw.jit(sw.gaussian, target=target)(x), np.exp(-x * x), rtol=1e-5)
np.testing.assert_allclose(sw.jit(sw.grad(lambda x: sw.sum(sw.gaussian(x))))(x), -2 * x * np.exp(-x * x), rtol=1e-5, atol=1e-6)
assert "= sw_gaussian(" in sw.lower(sw.gaussian, sw.Spec(("n",), "float32"), target="cuda").source()
low = sw.lower(lambda x: sw.sin(x) * x, sw.Spec(("n",), "float32"), target="numpy")
assert "np.sin(v0)" in low.source(), low.source()
np.testing.assert_allclose(sw.jit(lambda x: sw.sin(x) * x, target="numpy")(x), np.sin(x) * x)
swap = """func.func @f(%x: tensor<5x2x3xf32>) -> tensor<5x3x2xf32> {
  %0 = graph.swap %x : tensor<5x2x3xf32> -> tensor<5x3x2xf32>
  func.return %0 : tensor<5x3x2xf32>
}"""
y = np.arange(30, dtype=np.float32).reshape(5, 2, 3)
for target in ("cpu", "interpret"):
    np.testing.assert_array_equal(compile_module(swap, target=target)(y), y.swapaxes(1, 2))
print("works")
'''


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a copy of the package that has all additions."""
    folder = tmp_path_factory.mktemp("additions")
    copied(folder)
    for edit in [edit for edits in ADDITIONS.values() for edit in edits]:
        path = folder / "stepwell" / edit.file
        text = path.read_text() if path.exists() else ""
        place = text.index(f"\n{edit.before}") + 1 if edit.before is not None else len(text)
        path.write_text(text[:place] + edit.text + text[place:])
    yield folder


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_takes_as_many_files_as_contributing_says(name: str):
    said = re.search(rf"^\*\*{name}\*\*.*: (\d) files$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert said is not None and len({edit.file for edit in ADDITIONS[name]}) == int(said[1])


def test_all_additions_work(scratch: Path):
    environment = {**os.environ, "PYTHONPATH": str(scratch), "STEPWELL_CACHE_DIR": str(scratch / "cache")}
    done = subprocess.run([sys.executable, "-c", USES], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "works\n", done.stderr
    files = {edit.file for edits in ADDITIONS.values() for edit in edits if edit.file.startswith("tests/lit")}
    assert lit_passes([scratch / "stepwell" / file for file in sorted(files)], scratch)
