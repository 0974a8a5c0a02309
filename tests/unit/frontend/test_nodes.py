"""Operations of users: implementations, dispatch, compile counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw

from tests.node_operations import TARGETS, X, matmul_op, square_op

UNARY, PAIR = "A[~] -> [~]", "A[~] -> [~] [~]"

# N1: declaration.


@pytest.mark.feature("N1")
def test_an_operation_is_a_function_of_arrays_and_tensors():
    op = matmul_op(documentation="A product.")
    np.testing.assert_array_equal(op(X, X.T), X @ X.T)
    np.testing.assert_array_equal(sw.jit(lambda x: op(x + 1, x.T))(X), (X + 1) @ X.T)
    assert op.__doc__ == "A product." and repr(op) == "<operation mm: A[~ i j] B[~ j k] -> [~ i k]>"
    assert isinstance(op(sw.Tensor(X), sw.Tensor(X.T)), sw.Tensor)


@pytest.mark.feature("N1")
def test_several_and_scalar_results():
    op = sw.define_op("moments", "X[n] -> [] [] [one] where one = 1")

    @op.impl("cpu")
    def moments(x: Any) -> Any:
        return sw.mean(x), sw.var(x), sw.max(x, keepdims=True)

    mean, variance, most = op(X.ravel())
    assert (float(mean), most.shape) == (2.5, (1,)) and variance == pytest.approx(np.var(X))


@pytest.mark.feature("N1")
@pytest.mark.parametrize("target", TARGETS)
def test_functions_of_the_host(target: str):
    seen: list[Any] = []
    op = square_op(seen)
    f = sw.jit(lambda x: (sw.sum(op(x * 2) + x, axis=1), op(x), x), target=target)
    for x in (X, X - 1, X[:1]):
        for found, wanted in zip(f(x), (np.sum(4 * x * x + x, axis=1), x * x, x), strict=True):
            np.testing.assert_allclose(found, wanted)
    assert f.stats().compiles == 1 and seen == [(2, 3)] * 4 + [(1, 3)] * 2


@pytest.mark.feature("N1")
def test_host_functions_run_once_each_in_order():
    order: list[str] = []
    ops: dict[str, Any] = {}
    for name in ("first", "second"):
        ops[name] = sw.define_op(name, "A[n] -> [n]")
        ops[name].impl_host()(lambda a, name=name: (order.append(name), a + 1)[1])

    def f(x: Any) -> Any:
        ops["second"](x)  # the result is not used
        return ops["first"](x) + ops["first"](x)

    np.testing.assert_array_equal(sw.jit(f)(np.zeros(2)), [2, 2])
    assert order == ["second", "first", "first"]


@pytest.mark.feature("N1")
def test_keywords_are_values_of_the_rule_and_options_of_implementations():
    op = sw.define_op("window", "X[n] -> [m] where m = n - k + 1")

    @op.impl("cpu")
    def window(x: Any, k: int, scale: float = 1.0) -> Any:
        return sum(x[i : x.shape[0] - k + 1 + i] for i in range(k)) * scale

    x = np.arange(5.0)
    np.testing.assert_array_equal(op(x, k=2), x[1:] + x[:-1])
    np.testing.assert_array_equal(op(x, k=3, scale=2.0), (x[2:] + x[1:-1] + x[:-2]) * 2)
    reshape = sw.define_op("to", "X[before] -> [after]")
    reshape.impl("cpu")(lambda x, before, after: sw.reshape(x, after))
    assert reshape(X, before=(2, 3), after=(3, 2)).shape == (3, 2)
    host = sw.define_op("times", "X[~] -> [~]")
    host.impl_host()(lambda x, by: x * by)
    f = sw.jit(lambda x: host(x, by=3.0) - host(x, by=2.0))
    np.testing.assert_array_equal(f(X), X)


@pytest.mark.feature("N1")
def test_dtypes_of_host_functions():
    op = sw.define_op("parts", "X[n] -> [n] [n]")

    @op.impl_host(dtype=("float64", "int64"))
    def parts(x: Any) -> Any:
        return np.modf(x)[0], np.floor(x).astype("int64")

    fraction, whole = op(np.array([1.5, 2.25]))
    assert whole.dtype == np.int64 and whole.tolist() == [1, 2] and fraction.tolist() == [0.5, 0.25]
    doubled = sw.define_op("doubled", "X[] -> []")
    doubled.impl_host(dtype=lambda kind: "float32")(lambda x: float(x) * 2)  # a number takes the dtype
    assert doubled(np.array(1.5)).dtype == np.float32


@pytest.mark.feature("N1")
@pytest.mark.feature("S9")
def test_a_result_in_place_spares_values_that_are_still_used():
    op = sw.define_op("inc", "A[n] -> A[n]", backward=lambda g, a: g * a)
    addresses: list[int] = []

    @op.impl_host()
    def inc(a: Any) -> Any:
        addresses.append(a.ctypes.data)
        a += 1
        return a

    x = np.zeros(3)
    assert op(x).tolist() == [1, 1, 1] and x.tolist() == [0, 0, 0]
    # The argument, a value that is used again, and one that is saved for the backward pass are as they were.
    f = sw.jit(lambda x: (op(x * 2), x * 2))
    assert [each.tolist() for each in f(np.ones(3))] == [[3, 3, 3], [2, 2, 2]]
    value, gradient = sw.value_and_grad(lambda x: sw.sum(op(x * 3)))(np.ones(3))
    assert float(value) == 12 and gradient.tolist() == [9, 9, 9]
    # A value without other uses is overwritten in place.
    chain = sw.jit(lambda x: op(op(x * 2)))
    addresses.clear()
    assert chain(np.ones(3)).tolist() == [4, 4, 4] and addresses[0] == addresses[1]
    # An argument is overwritten if the caller donates it.
    traced = sw.define_op("dec", "A[n] -> A[n]")
    traced.impl()(lambda a: a - 1)
    given = np.ones(4, "float32")
    assert sw.jit(lambda a: traced(a), donate_argnums=0)(given) is given and given.tolist() == [0] * 4


@pytest.mark.feature("N1")
def test_options_that_are_sizes_of_the_call():
    traced, host = (sw.define_op(name, "A[n] -> [k n]") for name in ("traced", "host"))
    traced.impl()(lambda a, k: sw.broadcast_to(a, (k, a.shape[0])))
    host.impl_host()(lambda a, k, by=1: np.broadcast_to(a, (k, a.size)) * by)
    f = sw.jit(lambda x, y: (traced(x, k=y.shape[0]), host(x, k=y.shape[0] + 1, by=2.0)))
    for count in (4, 2, 5):
        first, second = f(np.arange(3.0), np.ones(count))
        assert first.shape == (count, 3) and second.shape == (count + 1, 3) and second[0].tolist() == [0, 2, 4]
    assert f.stats().compiles == 1
    product = sw.jit(lambda x, y: host(x, k=2, by=sw.sum(y)))
    assert product(np.ones(2), np.ones(3)).tolist() == [[3, 3]] * 2
    assert product(np.ones(2), np.ones(4)).tolist() == [[4, 4]] * 2
    pair = sw.define_op("pair", "A[n] -> [k]")
    pair.impl_host()(lambda a, k: a)
    with pytest.raises(sw.ShapeError, match="option 'k' of a host function: expected a constant, a size or a number"):
        sw.jit(lambda x: pair(x, k=(x.shape[0], 2)))(np.ones(3))


@pytest.mark.feature("N1")
def test_implementations_in_micro_ops_with_run_time_parameters():
    low = sw.jit(lambda x: sw.uop.reindex(["dA0 - $kk"], x, shape_of=[x], index=["i0 + $kk"], fill=0))
    free = sw.compile_as(lambda a: sw.uop.reindex(["dA0 - $kk"], a, shape_of=[a], index=["i0 + $kk"], fill=0), "node")
    g = sw.jit(lambda x: free(x))
    for kk in (2, 3):
        np.testing.assert_array_equal(g(np.arange(5.0), kk=kk), low(np.arange(5.0), kk=kk))


def test_arguments_of_host_functions_are_read_only():
    op = sw.define_op("bad", "A[n] -> [n]")

    @op.impl_host()
    def bad(a: Any) -> Any:
        a += 1
        return a

    with pytest.raises(ValueError, match="read-only") as found:
        op(np.ones(2))
    assert any("host function 'bad@any', called at" in note for note in found.value.__notes__)


def test_lowered_functions_show_the_segments_between_calls():
    op = square_op()

    def f(x: Any) -> Any:
        return sw.exp(op(x + 1))

    low = sw.lower(f, X)
    assert 'host.call "square@' in low.ir("graph") and 'host.call "square@' in low.ir("uop")
    assert low.ir("loop").count("// segment") == 2 and low.source().count("sw_main(") == 2
    assert low.structure().blocks == 2 and low.memory(s0=4, s1=4) == 0
    np.testing.assert_allclose(low(X), np.exp((X + 1) ** 2))
    line = next(k for k, text in enumerate(low.source().splitlines(), 1) if "exp" in text and low.trace.sources(k))
    assert low.trace.sources(line)[0].line == f.__code__.co_firstlineno + 1


def test_rules_take_the_sizes_of_traced_tensors():
    rule = sw.shape_rule("A[i j] -> [j k] where k = 2 * i")
    found = [rule.infer(shape).outputs for shape in [(2, 3)]]
    sw.lower(lambda x: (found.append(rule.infer(x.shape).outputs), x)[1], sw.Spec(("n", "m")))
    assert found == [[(3, 4)], [("m", "n * 2")]]


def test_large_arrays_of_enclosing_scopes():
    large = np.arange(5000.0)
    op = sw.define_op("shifted", "A[n] -> [n]", backward=lambda g, a: g * sw.asarray(large))
    op.impl()(lambda a: a + sw.asarray(large))
    np.testing.assert_array_equal(op(np.ones(5000)), large + 1)
    np.testing.assert_array_equal(sw.jit(lambda x: op(op(x)))(np.ones(5000)), large * 2 + 1)
    np.testing.assert_array_equal(sw.grad(lambda x: sw.sum(op(x)))(np.ones(5000)), large)


def test_operations_compose_with_transformations():
    square = square_op()
    double = sw.define_op("double", "A[n] -> [n]", backward=lambda g, a: g * 2)
    double.impl()(lambda a: a * 2)
    x = np.array([1.0, 2.0, 3.0])
    checkpointed = sw.grad(lambda x: sw.sum(sw.checkpoint(lambda y: sw.sin(square(y)))(x)))
    np.testing.assert_allclose(checkpointed(x), np.cos(x * x) * 2 * x)
    np.testing.assert_array_equal(sw.vmap(sw.grad(lambda x: sw.sum(double(x))))(X), np.full((2, 3), 2.0))
    value, tangent = sw.jvp(lambda x: double(x) * x, (x,), (x,))
    np.testing.assert_array_equal(value, 2 * x * x)
    np.testing.assert_array_equal(tangent, 4 * x * x)


def test_programs_as_text_call_registered_functions():
    op = sw.define_op("cubed", "A[n] -> [n]")
    op.impl_host("cpu")(lambda a: a**3)
    op(np.ones(1))
    text = """func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
      %0 = host.call "NAME"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
      func.return %0 : tensor<?xf32, #sw.shape<[n]>>
    }"""
    assert sw.compile(text.replace("NAME", "cubed@cpu"))(np.full(2, 2.0, "float32")).tolist() == [8, 8]
    with pytest.raises(
        sw.CompileError, match="no host function 'cubd@cpu' is registered in this process: did you mean 'cubed@"
    ):
        sw.compile(text.replace("NAME", "cubd@cpu"))


# N2: dispatch.


def marked_op(*devices: str | None, **options: Any) -> Any:
    """Adds a number that tells which implementation ran."""
    op = sw.define_op("marked", "A[n] -> [n]")
    for number, device in enumerate(devices):
        op.impl(device, **options)(lambda a, number=number: a + number)
    return op


@pytest.mark.feature("N2")
def test_the_first_backend_that_has_an_implementation():
    op, x = marked_op("cpu", "tpu", None), np.zeros(1)
    assert op(x) == 0
    with sw.backends("tpu", "cpu"):
        assert op(x) == 1
        with sw.backends("cpu", "tpu"):
            assert op(x) == 0
    with sw.backends("npu", "tpu"):
        assert op(x) == 1
    with sw.backends("npu"):
        assert op(x) == 2  # for any device
    assert op(x) == 0


@pytest.mark.feature("N2")
def test_a_jitted_function_compiles_for_each_list_of_backends():
    op = marked_op("cpu", "tpu")
    f, x = sw.jit(lambda x: op(x)), np.zeros(1)
    assert f(x) == 0
    for _ in range(3):
        with sw.backends("tpu", "cpu"):
            assert f(x) == 1
        assert f(x) == 0
    assert f.stats().compiles == 2


@pytest.mark.feature("N2")
def test_the_target_chooses_without_a_list():
    op = marked_op("cpu", "cuda", "interpret")
    for target, number in (("cpu", 0), ("triton-interpret", 1), ("interpret", 2)):
        assert sw.jit(lambda x: op(x), target=target)(np.zeros(1)) == number


@pytest.mark.feature("N2")
def test_rejected_arguments_go_to_the_next_implementation():
    op = sw.define_op("marked", "A[n] -> [n]")
    op.impl("fast", reject=lambda a: a.dtype != sw.float32)(lambda a: a + 1)
    op.impl("cpu", reject=lambda a: a.shape[0] < 3)(lambda a: a + 2)
    op.impl(None)(lambda a: a + 3)
    with sw.backends("fast", "cpu"):
        assert op(np.zeros(5, "float32"))[0] == 1
        assert op(np.zeros(5))[0] == 2
        assert op(np.zeros(2))[0] == 3
        assert op(np.zeros(7))[0] == 2


@pytest.mark.feature("N2")
def test_no_implementation_is_an_error_that_says_what_was_tried():
    op = marked_op("tpu", reject=lambda a: True)
    with sw.backends("tpu", "npu"), pytest.raises(sw.CompileError) as found:
        sw.jit(lambda x: op(x))(np.zeros(1))
    assert "'marked': no implementation fits" in str(found.value)
    assert "tried 'tpu': rejected the arguments, 'npu': no implementation, any device: no implementation" in str(found.value)
    assert "it has implementations for 'tpu'" in str(found.value)
    assert found.value.frame is not None and found.value.frame.file == __file__


@pytest.mark.feature("N2")
def test_a_single_backend_does_not_fall_through():
    op = marked_op("cpu", None)
    with sw.single_backend("cpu"):
        assert op(np.zeros(1)) == 0
    with sw.single_backend("tpu"), pytest.raises(sw.CompileError, match=r"alone, under sw\.single_backend"):
        op(np.zeros(1))


@pytest.mark.feature("N2")
def test_an_implementation_that_comes_later_is_used_from_then_on():
    op = marked_op("cpu")
    f, x = sw.jit(lambda x: op(x)), np.zeros(1)
    assert f(x) == 0 and op(x) == 0
    op.impl("cpu")(lambda a: a + 7)
    assert f(x) == 7 and op(x) == 7


# N3: compile counts.


@pytest.mark.feature("N3")
def test_one_compile_for_each_dtype_and_rank():
    op = sw.define_op("twice", "A[~] -> [~]")
    op.impl("cpu")(lambda a: a * 2)
    for shape in ((3,), (5,), (0,), (1,)):
        op(np.ones(shape))
    assert op.stats() == (1, 3)
    op(np.ones((2, 2)))
    op(np.ones(3, "float32"))
    assert op.stats().compiles == 3
    with sw.backends("other", "cpu"):
        op(np.ones(3))
    assert op.stats().compiles == 4


@pytest.mark.feature("N3")
def test_one_compile_for_windows_of_all_sizes():
    op = sw.define_op("conv", "X[n] K[k] -> [m] where m = n - k + 1")
    op.impl("cpu")(lambda x, k: sw.conv1d(x[None, None, :], k[None, None, :])[0, 0])
    for n, k in ((7, 3), (9, 2), (30, 5), (4, 4), (5, 1)):
        x, kernel = np.arange(float(n)), np.arange(float(k))
        np.testing.assert_allclose(op(x, kernel), np.correlate(x, kernel))
    assert op.stats() == (1, 4)


@pytest.mark.feature("N3")
def test_one_compile_for_each_layout_and_cache_id():
    traces: list[int] = []
    op = sw.define_op("twice", "A[~] -> [~]")

    @op.impl("cpu", cache_id=lambda a: bool(a.shape[0] > 9) if isinstance(a, np.ndarray) else None)
    def twice(a: Any) -> Any:
        traces.append(1)
        return a * 2

    x = np.arange(12.0).reshape(3, 4)
    for each in (x, np.asfortranarray(x), x[:, ::2], x, np.asfortranarray(x), x[:, ::2]):
        np.testing.assert_array_equal(op(each), each * 2)
    assert op.stats() == (3, 3)
    op(np.ones((10, 4)))
    op(np.ones((20, 4)))
    assert op.stats() == (4, 4)


@pytest.mark.feature("N3")
def test_calls_in_one_program_share_what_is_traced():
    traces: list[int] = []
    op = sw.define_op("twice", "A[n] -> [n]")

    @op.impl("cpu")
    def twice(a: Any, by: int = 2) -> Any:
        traces.append(by)
        return a * by

    low = sw.lower(lambda x: op(op(op(x)), by=3), sw.Spec("n"))
    assert traces == [2, 3]
    assert low.ir("graph").count("func.call @twice(") == 2 and low.ir("graph").count("func.call @twice_1(") == 1


@pytest.mark.feature("N2")
def test_results_of_host_functions_are_arrays_of_their_own():
    """A function may write into one buffer at each call, return its argument, or return one array twice."""
    buffer, x = np.empty(3), np.array([1.0, -2.0, 3.0])
    doubled, same, twice = (sw.define_op(name, rule) for name, rule in (("doubled", UNARY), ("same", UNARY), ("twice", PAIR)))
    doubled.impl_host()(lambda a: np.multiply(a, 2, out=buffer))
    same.impl_host()(lambda a: a)
    twice.impl_host()(lambda a: (buffer, buffer))
    np.testing.assert_array_equal(sw.jit(lambda x: doubled(x) + doubled(x * 0 + 10))(x), [22, 16, 26])
    first, _ = doubled(x), doubled(x * 10)
    np.testing.assert_array_equal(first, [2, -4, 6])
    kept = sw.jit(lambda x: same(x))(x)
    kept[0] = 7
    assert x[0] == 1
    one, other = twice(x)
    one[0] = 99
    assert other[0] != 99 and buffer[0] != 99


@pytest.mark.feature("N2")
def test_host_functions_return_no_masked_arrays_and_any_byte_order():
    op = sw.define_op("masked", UNARY)
    op.impl_host("cpu")(lambda a: np.ma.masked_array(a, a > 0))
    with pytest.raises(sw.ShapeError, match=r"expected an array, got a masked one: fill it, with `.filled\(value\)`"):
        op(np.ones(3))
    op.impl_host("cpu")(lambda a: a.astype(">f8"))
    np.testing.assert_array_equal(op(np.ones(3)), np.ones(3))


@pytest.mark.feature("N1")
def test_keywords_may_be_numbers_of_numpy():
    op = sw.define_op("strided", "A[n] -> [m] where m = n // stride")
    op.impl()(lambda a, stride: a[::stride])
    np.testing.assert_array_equal(op(np.arange(6.0), stride=np.int64(2)), [0, 2, 4])
    np.testing.assert_array_equal(sw.jit(lambda x: op(x, stride=np.int32(3)))(np.arange(6.0)), [0, 3])


@pytest.mark.feature("N1")
def test_pullbacks_use_the_backends_of_their_results():
    op = sw.define_op("scaled", UNARY)
    op.impl("cpu")(lambda a: a * 2)
    op.impl("fast")(lambda a: a * 3)
    with sw.backends("fast"):
        result, pull = sw.vjp(op, np.ones(2))
    np.testing.assert_array_equal(result, [3, 3])
    np.testing.assert_array_equal(pull(np.ones(2))[0], [3, 3])


@pytest.mark.feature("N7")
def test_cotangents_take_the_precision_of_their_inputs():
    op = sw.define_op("product", "A[~] B[~] -> [~]", backward=lambda g, a, b: (g * b, g * a))
    op.impl()(lambda a, b: a * b)
    half, double = np.full(3, 2, np.float16), np.full(3, 3.0)
    np.testing.assert_array_equal(op(half, double), [6, 6, 6])
    assert sw.grad(lambda a: sw.sum(op(a, double)))(half).dtype == np.float16


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda op: op(np.ones(2), None), "'checked': argument 1: expected an array, got None"),
        (lambda op: op([1.0, 2.0]), "'checked': argument 0: expected an array, got a list"),
        (lambda op: op.impl(reject=True)(abs), "'checked': expected a function as reject, got True"),
        (lambda op: op.impl(cache_id=3)(abs), "'checked': expected a function as cache_id, got 3"),
        (lambda op: (op.impl("cpu", cache_id=lambda a: [1])(abs), op(np.ones(2))), "cache_id of .* expected a hashable value"),
        (lambda op: sw.define_op("q", UNARY, documentation=3), "expected a text as documentation, got 3"),
        (lambda op: sw.compile_as(abs, "node", name=4), "expected a text as name, got 4"),
        (lambda op: sw.bypass("cpu", sw.relu, abs), "expected the name of a function or operation, .* give its name, 'relu'"),
    ],
)
def test_wrong_arguments_are_told_where_they_are_given(call, message):
    op = sw.define_op("checked", UNARY)
    op.impl()(lambda a: a)
    with pytest.raises(TypeError, match=message):
        call(op)
