"""Tracing: sizes and the assumptions about them, locations, errors at the user's line, composites, nested arguments."""

import functools
import inspect

import numpy as np
import pytest
from stepwell.frontend import public as sw
from stepwell.frontend.calls.traced import Traced, trace
from stepwell.frontend.tracing.sizes import SizeSolver
from stepwell.frontend.tracing.specs import Spec
from stepwell.frontend.tracing.tracer import current_tracer
from stepwell.ir.diagnostics import ShapeError
from stepwell.ir.functions.requirements import requirements
from stepwell.ir.functions.verification import verify
from stepwell.ir.index.parser import IndexSyntaxError
from stepwell.ir.locations import frames, is_known
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp


def hinted(function, *shapes, dtype="float32"):
    """The trace for arguments of these shapes, every size a parameter, and the solver's constraints as text."""
    solver = SizeSolver()
    traced = trace(function, [Spec.of(np.zeros(shape, dtype), solver) for shape in shapes], sizes=solver)
    verify(traced.module)
    return traced, [str(each) for each in solver.constraints()]


def specified(function, *shapes):
    """The trace for arguments of these shapes, which may hold names."""
    traced = trace(function, [Spec(shape) for shape in shapes])
    verify(traced.module)
    return traced


def arguments(traced):
    return [str(argument.type) for argument in traced.function.args]


def test_sizes_stay_symbolic():
    traced, constraints = hinted(lambda x: sw.relu(x) + 1, (3, 4))
    assert arguments(traced) == ["tensor<?x?xf32, #sw.shape<[s0, s1]>>"] and not constraints


def test_sizes_that_must_be_equal_become_one_parameter():
    traced, constraints = hinted(lambda x, w, b: x @ w + b, (3, 4), (4, 5), (5,))
    assert arguments(traced)[1:] == ["tensor<?x?xf32, #sw.shape<[s1, s3]>>", "tensor<?xf32, #sw.shape<[s3]>>"]
    assert constraints == ["s1 - s2 == 0", "s3 - s4 == 0"]


def test_a_size_that_broadcasts_becomes_one():
    traced, constraints = hinted(lambda x, y: x + y, (3, 4), (3, 1))
    assert arguments(traced)[1] == "tensor<?x1xf32, #sw.shape<[s0, 1]>>"
    assert sorted(constraints) == ["s0 - s2 == 0", "s3 - 1 == 0"]


def test_ones_that_meet_stay_symbolic():
    traced, constraints = hinted(lambda x, y: x + y, (1,), (1,))
    assert arguments(traced) == ["tensor<?xf32, #sw.shape<[s0]>>"] * 2 and constraints == ["s0 - s1 == 0"]


def test_a_reshape_makes_a_multiple():
    traced, constraints = hinted(lambda x: x.reshape(4, -1), (12,))
    assert arguments(traced) == ["tensor<?xf32, #sw.shape<[s1 * 4]>>"] and constraints == ["s0 mod 4 == 0"]


def test_a_slice_assumes_that_it_fits():
    _, constraints = hinted(lambda x: x[:3], (7,))
    assert constraints == ["s0 - 3 >= 0"]
    traced, constraints = hinted(lambda x: x[:9], (7,))
    assert constraints == ["-s0 + 8 >= 0"]
    assert str(traced.function.function_type.outputs.data[0]) == "tensor<?xf32, #sw.shape<[s0]>>"


def test_comparisons_are_answered_by_hints_and_recorded():
    def branch(x):
        return x + 1 if x.shape[0] > 5 else x - 1

    traced, constraints = hinted(branch, (7,))
    assert "graph.add" in str(traced.module) and constraints == ["s0 - 6 >= 0"]
    traced, constraints = hinted(branch, (3,))
    assert "graph.sub" in str(traced.module) and constraints == ["-s0 + 5 >= 0"]
    _, constraints = hinted(lambda x: x if x.shape[0] == 3 else -x, (4,))
    assert constraints == ["s0 - 3 != 0"]


def test_constraints_hold_or_not():
    solver = SizeSolver()
    trace(lambda x, y: (x + y)[:2], [Spec.of(np.zeros(4, "f4"), solver), Spec.of(np.zeros(4, "f4"), solver)], sizes=solver)
    held = [all(each.holds({"s0": a, "s1": b}) for each in solver.constraints()) for a, b in ((4, 4), (4, 1), (1, 1))]
    assert held == [True, False, False]


def test_a_size_as_a_python_number_is_pinned():
    traced, constraints = hinted(lambda x: sw.concat([x] * int(x.shape[0])), (3, 2))
    assert arguments(traced) == ["tensor<3x?xf32, #sw.shape<[3, s1]>>"] and constraints == ["s0 - 3 == 0"]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (lambda n: n**-0.5, 0.5),
        (lambda n: np.sqrt(n), 2.0),
        (lambda n: n / 8, 0.5),
        (lambda n: 1 / n, 0.25),
        (lambda n: n / n, 1.0),
        (lambda n: 2.0**n, 16.0),
        (lambda n: n**5, 1024),
        (lambda n: n**n, 256),
    ],
)
def test_numbers_made_of_a_size_pin_it(number, value):
    found: list[float] = []

    def program(x):
        found.append(number(x.shape[0]))
        return x * found[-1]

    _, constraints = hinted(program, (4,))
    assert found[0] == value and type(found[0]) is type(value) and constraints == ["s0 - 4 == 0"]


@pytest.mark.parametrize(
    "size", [lambda n: n**2, lambda n: n**0, lambda n: np.prod((n, n)), lambda n: n * np.int64(2), lambda n: np.int64(2) + n]
)
def test_whole_numbers_made_of_a_size_stay_sizes(size):
    _, constraints = hinted(lambda x: sw.zeros((size(x.shape[0]),)), (4,))
    assert constraints == []


def test_many_equalities_settle_in_two_traces():
    runs = []

    def stack(x, *weights):
        runs.append(None)
        return functools.reduce(lambda value, weight: sw.tanh(value @ weight), weights, x)

    hinted(stack, (2, 3), *[(3, 3)] * 30)
    assert len(runs) == 2


def test_names_of_specifications_are_kept():
    traced = specified(lambda x, w: x @ w, ("n", "2 * k"), ("2 * k", 4))
    assert arguments(traced)[0] == "tensor<?x?xf32, #sw.shape<[n, k * 2]>>"
    with pytest.raises(IndexSyntaxError):
        Spec(("n +",))
    with pytest.raises(TypeError, match="unsupported dtype"):
        Spec((1,), "float33")


def test_specifications_require_what_slices_need():
    (required,) = requirements(specified(lambda x: x[:3], ("n",)).function)
    assert str(required.expr) == "n - 3" and "test_tracing.py:" in required.needed_by


@pytest.mark.parametrize(
    ("function", "shapes", "message"),
    [
        (lambda x, y: x + y, (("n",), ("m",)), r"'add': shapes \(n,\) and \(m,\) do not broadcast"),
        (lambda x, y: x @ y, ((2, 3), (4, 5)), "'matmul': 'inner' is determined as 3 by lhs, but got 4 for rhs"),
        (lambda x: sw.sum(x, axis=2), ((2, 3),), "axis 2 is out of range for 2 axes"),
        (lambda x: sw.sum(x, axis=(0, -2)), ((2, 3),), "axes repeat"),
        (lambda x: x.reshape(4, -1), ((2, 3),), r"cannot reshape \(2, 3\)"),
        (lambda x: x[5], ((2, 3),), "index 5 is out of range for axis 0 of size 2"),
        (lambda x: x[0, 0, 0], ((2, 3),), "3 indices for 2 axes"),
        (lambda x: x[x > 0], ((2, 3),), r"where\(\)"),
        (lambda x: x if x else -x, ((2,),), r"where\(condition, a, b\) instead of `if`"),
        (lambda x: x if x.shape[0] == 2 else -x, (("n",),), "depends on whether n - 2 == 0"),
        (lambda x: sw.split(x, 2), ((3,),), "does not divide into 2 equal parts"),
        (lambda x: x + "text", ((3,),), "unsupported operand"),
        (lambda x: sw.einsum("ij", x), ((3,),), "more labels than an operand has axes"),
        (lambda x: sw.squeeze(x, 0), ((3,),), "does not have size 1"),
        (lambda x: sw.moveaxis(x, (0, 1), (0,)), ((2, 3),), "as many destinations as sources"),
        (lambda x: sw.expand(x, 3), ((2, 3),), "at least 2 sizes, got 1"),
        (lambda x: sw.conv2d(x, x), ((3, 3, 3),), "conv2d: expected"),
        (lambda x: sw.conv1d(x, x, stride=1.5), ((1, 1, 3),), "expected a stride as an int, got 1.5"),
        (lambda x: sw.conv1d(x, x, groups="one"), ((1, 1, 3),), "expected groups as an int, got 'one'"),
        (lambda x: sw.max_pool1d(x, 2, dilation=None), ((1, 3),), "expected a dilation as an int, got None"),
        (lambda x: sw.conv1d(x, x, padding=-1), ((1, 1, 3),), "padding: expected at least 0, got -1"),
        (lambda x: sw.conv_transpose1d(x, x, padding=[(0, -2)]), ((1, 1, 3),), "padding: expected at least 0, got -2"),
        (lambda x: sw.conv_transpose1d(x, x, output_padding=1), ((1, 1, 3),), "stride 1 or the dilation 1, got 1"),
        (lambda x: sw.max_pool1d(x, 2, padding=-1), ((1, 3),), "padding: expected at least 0, got -1"),
        (lambda x: sw.max_pool1d(x, 3, padding=2), ((1, 3),), "padding: expected at most half of a window of 3, got 2"),
        (lambda x: sw.avg_pool2d(x, 2, padding=[0, (0, 2)]), ((1, 3, 3),), "at most half of a window of 2, got 2"),
        (lambda x: sw.sum(x, axis=1.0), ((3,),), "expected an axis as an int, got 1.0"),
        (lambda x: sw.sum(x, keepdims="no"), ((3,),), "expected keepdims to be True or False, got 'no'"),
        (lambda x: sw.logsumexp(x, keepdims=2), ((3,),), "expected keepdims to be True or False, got 2"),
        (lambda x: sw.argmax(x, keepdims=None), ((3,),), "expected keepdims to be True or False, got None"),
        (lambda x: sw.cummax(x, axis=0, reverse="yes"), ((3,),), "expected reverse to be True or False, got 'yes'"),
        (lambda x: sw.cumsum(x, 0, exclusive=None), ((3,),), "expected exclusive to be True or False, got None"),
        (lambda x: sw.sum(x, axis="rows"), ((3,),), "expected an axis as an int, got 'rows'"),
        (lambda x: sw.broadcast_to(x, 2.5), ((3,),), "expected a size as an int, got 2.5"),
        (lambda x: sw.repeat(x, [1, 2, 3]), ((3,),), r"expected a size as an int, got \[1, 2, 3\]"),
        (lambda x: sw.pad(x, [1, 2, 3]), ((3, 3, 3),), r"expected an amount or a pair \(before, after\), got \[1, 2, 3\]"),
        (lambda x: sw.pad(x, ((1, 2), (3, 4))), ((3, 3, 3),), "expected 1 or 3 pairs, got 2"),
        (lambda x: sw.meshgrid(x, x.sum()), ((3,),), "meshgrid: expected tensors with one axis"),
        (lambda x: sw.outer(x, x), ((3, 3),), "outer: expected two vectors"),
        (lambda x: sw.arange(0.0, 1.0, 0.0) + x, ((1,),), "the step of a range must not be 0"),
        (lambda x: sw.arange(0.0, float("nan")) + x, ((1,),), "expected a finite range"),
        (lambda x: sw.full((2,), 2**40, dtype="int32") + x, ((2,),), "1099511627776 is out of range for int32"),
        (lambda x: sw.full((2,), float("inf"), dtype="int32") + x, ((2,),), "inf is out of range for int32"),
        (lambda x: sw.asarray([[1], [2, 3]]) + x, ((2,),), "expected a tensor, an array or a number, got list"),
        (lambda x: sw.gelu(x, approximate="sine"), ((3,),), "'none' or 'tanh'"),
        (lambda x: x & 1.5, ((3,),), "^[^']*error: 'and': expected operands of int or uint or bool type, got float32$"),
        (lambda x: (x > 0) + (x > 1), ((3,),), "^[^']*error: 'add': expected operands of float or int or uint type, got bool$"),
        (lambda x: sw.astype(x, "uint8") + 300, ((3,),), "300 is out of range for uint8"),
    ],
)
def test_mistakes_are_errors_at_the_users_line(function, shapes, message):
    with pytest.raises((ShapeError, TypeError), match=message) as caught:
        specified(function, *shapes)
    if isinstance(caught.value, ShapeError):
        assert caught.value.frame is not None and caught.value.frame.file == __file__


def test_an_error_in_a_composite_is_at_the_call():
    def model(x, w):
        return sw.layer_norm(x, w)

    with pytest.raises(ShapeError) as caught:
        specified(model, (2, 3), (4,))
    frame = caught.value.frame
    assert frame is not None and frame.function == "model" and frame.line == inspect.getsourcelines(model)[1] + 1


def helper(x):
    return sw.exp(x)


def test_locations_are_the_users_calls_innermost_first():
    traced = specified(lambda x: helper(x), (2,))
    found = frames(next(op for op in traced.function.walk() if op.name == "graph.exp").location)
    assert [frame.function for frame in found] == ["helper", "<lambda>"]
    assert found[0].line == inspect.getsourcelines(helper)[1] + 1 and found[0].column == 12


def test_the_body_of_a_composite_is_in_the_library():
    traced = specified(lambda x: sw.softmax(x), (2, 3))
    call = next(op for op in traced.function.walk() if op.name == "func.call")
    assert frames(call.location)[0].file == __file__
    inner = next(op for op in traced.module.walk() if op.name == "graph.exp")
    assert [frame.function for frame in frames(inner.location)] == ["_softmax"]
    assert all(is_known(op.location) for op in traced.module.walk() if op is not traced.module)


def test_locations_change_nothing_else():
    def model(x):
        return sw.softmax(sw.layer_norm(x)[1:]) @ np.ones((4, 2), np.float32)

    with_locations, without = (trace(model, [Spec(("n", 4))], locations=flag) for flag in (True, False))
    assert str(with_locations.module) == str(without.module)
    assert not any(is_known(op.location) for op in without.module.walk())


def test_composites_are_traced_once_for_each_type():
    traced = specified(lambda x, y: (sw.softmax(x), sw.softmax(x), sw.softmax(x, axis=0), sw.softmax(y)), ("n", 3), (5,))
    names = [op.sym_name.data for op in traced.module.body.block.ops if isinstance(op, FuncOp)]
    assert names == [traced.function_name, "softmax", "softmax_1", "softmax_2"]


def test_arguments_and_results_nest():
    def model(params, x, *, flag, scale):
        value = x @ params["w"] + params["b"][0]
        return {"y": value * scale if flag else value, "rest": [x, (x,)]}

    params = {"w": Spec((3, 4)), "b": [Spec((4,))]}
    traced = trace(model, [params, Spec((2, 3))], {"flag": True, "scale": Spec((), "float32")})
    assert traced.names == ["params_w", "params_b_0", "x", "scale"]
    results = traced.out_tree.unflatten(["y", "x1", "x2"])
    assert results == {"y": "y", "rest": ["x1", ("x2",)]}


def test_large_arrays_become_hidden_arguments():
    table, small = np.zeros((50, 50), np.float32), np.arange(4.0, dtype=np.float32)
    traced = specified(lambda x: x @ table + table[0, 0] + (x @ table), (3, 50))
    assert len(traced.captured) == 1 and len(traced.function.args) == 2
    np.testing.assert_array_equal(traced.captured[0], table)
    assert "dense<[0.000000e+00, 1.000000e+00" in str(specified(lambda x: x + small, (4,)).module)


def result_elements(traced: Traced) -> list[str]:
    """The element types of all results."""
    types = traced.function.function_type.outputs.data
    return [str(kind.element_type) for kind in types if isinstance(kind, TensorType)]


def test_dtypes_of_results():
    def model(x, i, b):
        return (x + 1, i + 1, i + 1.5, i / 2, b + 1, i + x, sw.sum(b), sw.exp(i), sw.arange(3), x > 0, sw.mean(i))

    traced = trace(model, [Spec((2,), "float16"), Spec((2,), "int32"), Spec((2,), "bool")])
    assert result_elements(traced) == ["f16", "i32", "f32", "f32", "i64", "f64", "i64", "f32", "i64", "i1", "f32"]


def test_what_comes_from_sizes_takes_the_dtype_beside_it():
    def model(x):
        return x / sw.sqrt(x.shape[-1]), x * (1 / sw.sqrt(x.shape[0] * 2)), x + sw.exp(1)

    traced = trace(model, [Spec(("n", "m"), "float16")])
    assert result_elements(traced) == ["f16"] * 3


def test_functions_without_a_trace_say_so():
    with pytest.raises(RuntimeError, match="jitted function"):
        current_tracer()


def test_a_tensor_of_another_trace_is_refused():
    kept = []
    specified(lambda x: kept.append(x) or x, (2,))
    with pytest.raises(ShapeError, match="another trace"):
        specified(lambda x: x + kept[0], (2,))
