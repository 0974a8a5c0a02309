"""The graph level: every operation is declared, documented and tested; index maps of reshapes; inlining keeps locations."""

import itertools
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.dialects.graph import Graph
from stepwell.dialects.graph.elementwise import ELEMENTWISE
from stepwell.dialects.graph.mismatch import SizeMismatch
from stepwell.dialects.graph.shape import ReshapeOp
from stepwell.ir.functions.verification import verify
from stepwell.ir.index.expressions import Dim, Param, dim, param
from stepwell.ir.locations import frames
from stepwell.ir.scalars.table import SCALARS
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.ir.types.dtypes import BOOL, DTYPES
from stepwell.ir.types.shapes import shape_of, tensor_type
from stepwell.lowering.graph_to_uop.base import expand
from stepwell.lowering.graph_to_uop.lower_graph_to_uop import RULES
from stepwell.lowering.graph_to_uop.shape import reshape_access, reshape_groups
from stepwell.passes.generic.inline import Inline
from xdsl.ir import Operation
from xdsl.utils.test_value import create_ssa_value

LIT = Path(__file__).resolve().parents[2] / "lit" / "dialects" / "graph"
OPERATIONS = list(Graph.operations)


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_every_operation_is_documented_and_expands(op):
    assert op.__doc__ and RULES
    assert expand.dispatch(op) is not expand.dispatch(object)


@pytest.mark.parametrize("name", sorted(SCALARS))
def test_every_scalar_function_is_an_operation_that_broadcasts(name):
    function = SCALARS[name]
    accepted = next(each for each in DTYPES.values() if function.accepts(each))
    n = param("n")
    operands = [create_ssa_value(tensor_type((n, 3), accepted.type))]
    operands += [create_ssa_value(tensor_type((3,), accepted.type)) for _ in range(function.arity - 1)]
    if name == "select":
        operands[0] = create_ssa_value(tensor_type((n, 3), BOOL.type))
    op = ELEMENTWISE[name](*operands)
    op.verify()
    assert shape_of(op.result) == (n, 3)
    assert parses(op)


def parses(op: Operation) -> bool:
    """Whether the operation is read from text, in a function whose arguments are its operands."""
    names = [f"%a{number}" for number in range(len(op.operands))]
    types = [str(value.type) for value in op.operands]
    arguments = ", ".join(map(" : ".join, zip(names, types, strict=True)))
    line = f"%r = {op.name} {', '.join(names)} : ({', '.join(types)}) -> {op.results[0].type}"
    module = parse_module(f"func.func @f({arguments}) {{\n{line}\nfunc.return\n}}", make_context())
    return line in print_module(module)


def test_a_mismatch_names_the_sizes():
    value = create_ssa_value(tensor_type((param("n"), 4), BOOL.type))
    with pytest.raises(SizeMismatch) as caught:
        ReshapeOp(value, (param("m"),))
    assert (caught.value.left, caught.value.right) == (param("n") * 4, param("m"))


def shapes_of(size):
    """All shapes of `size` elements with up to three axes."""
    divisors = [k for k in range(1, size + 1) if size % k == 0]
    return [shape for rank in (1, 2, 3) for shape in itertools.product(divisors, repeat=rank) if np.prod(shape) == size]


def test_reshapes_by_brute_force():
    for before, after in itertools.product(shapes_of(12), repeat=2):
        access = reshape_access(index_shape(before), index_shape(after))
        flat = np.arange(12).reshape(before)
        for position in np.ndindex(after):
            at = tuple(each.evaluate(partial(coordinate, position)) for each in access)
            assert flat[at] == np.ravel_multi_index(position, after), (before, after)


def coordinate(position, atom):
    """The value of a dimension at a position."""
    assert isinstance(atom, Dim)
    return position[atom.position]


def index_shape(shape):
    return tuple(dim(0) * 0 + size for size in shape)


def test_reshape_groups_are_short():
    n, m = param("n"), param("m")
    one = index_shape((1,))[0]
    assert reshape_groups((n, m, one * 4), (n * m, one * 4)) == [([0, 1], [0]), ([2], [1])]
    assert reshape_groups((n, one * 12), (n, one * 3, one * 4)) == [([0], [0]), ([1], [1, 2])]
    assert reshape_groups((n, m), (m, n)) == [([0, 1], [0, 1])]
    access = reshape_access((n, m), (m, n))
    values = {Param("n"): 2, Param("m"): 3, dim(0).atom: 2, dim(1).atom: 1}
    assert [each.evaluate(values) for each in access] == [1, 2]


def test_inlining_keeps_the_line_of_the_body_and_of_the_call():
    text = """\
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
"""
    module = parse_module(text, make_context(), "calls.mlir")
    Inline().apply(make_context(), module)
    verify(module)
    (op,) = [op for op in module.walk() if op.name == "graph.exp"]
    assert [(frame.file, frame.line) for frame in frames(op.location)] == [("calls.mlir", 6), ("calls.mlir", 2)]
    assert len(list(module.body.block.ops)) == 1
