"""Jitted and lowered functions as users call them: sizes, kinds of arguments, the trace, and errors."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu.warm_calls import CALLS_BEFORE

RNG = np.random.default_rng(0)


def array(*shape, dtype="float32"):
    return RNG.standard_normal(shape).astype(dtype)


def layer(x, w, b):
    return sw.relu(x @ w + b)


# Sizes


def test_one_compile_serves_every_size_zero_and_one_included():
    f = sw.jit(layer)
    for n, k, m in ((3, 4, 5), (1, 1, 1), (0, 2, 3), (7, 2, 1), (2, 0, 2), (64, 33, 17)):
        x, w, b = array(n, k), array(k, m), array(m)
        np.testing.assert_allclose(f(x, w, b), np.maximum(x @ w + b, 0), rtol=1e-5, atol=1e-6)
    assert f.stats() == (1, 5)


RESHAPES = {
    "known rest": (lambda x: sw.reshape(x, (x.shape[0], 96)), lambda x: x.reshape(len(x), 96)),
    "known last axes": (lambda x: sw.reshape(x, (-1, 24)), lambda x: x.reshape(len(x) * 4, 24)),
    "part of an axis": (lambda x: sw.reshape(x, (-1, 48)), lambda x: x.reshape(len(x) * 2, 48)),
    "heads": (lambda x: sw.reshape(x, (*x.shape[:2], 2, 12)), lambda x: x.reshape(len(x), 4, 2, 12)),
    "heads of the rest": (lambda x: sw.reshape(x, (*x.shape[:2], 2, -1)), lambda x: x.reshape(len(x), 4, 2, 12)),
    "heads by division": (
        lambda x: sw.reshape(x, (*x.shape[:2], 2, x.shape[2] * x.shape[3] // 2)),
        lambda x: x.reshape(len(x), 4, 2, 12),
    ),
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("first", [3, 1, 8])
@pytest.mark.parametrize("name", RESHAPES)
def test_one_compile_reshapes_batches_of_every_size(name, first):
    function, expected = RESHAPES[name]
    f = sw.jit(function)
    for batch in (first, 1, 0, 5, 24, 2):
        x = array(batch, 4, 8, 3)
        np.testing.assert_array_equal(f(x), expected(x))
    assert f.stats() == (1, 5)


def test_reshapes_of_other_sizes_are_checked():
    f = sw.jit(lambda x: sw.reshape(x, (x.shape[0], 12)))
    np.testing.assert_array_equal(f(array(3, 4, 3)).shape, (3, 12))
    np.testing.assert_array_equal(f(array(2, 2, 6)).shape, (2, 12))
    with pytest.raises(sw.ShapeError, match=r"cannot reshape \(s0, s1, s2\) to \(s0, 12\)"):
        f(array(2, 4, 4))


def test_a_broken_assumption_compiles_a_variant_and_keeps_the_first():
    f = sw.jit(lambda a, b: a + b)
    a, row = array(3, 4), array(1, 4)
    np.testing.assert_array_equal(f(a, a), a + a)
    np.testing.assert_array_equal(f(a, row), a + row)
    np.testing.assert_array_equal(f(a, a), a + a)
    assert f.stats().compiles == 2


def test_static_compiles_for_each_shape():
    f = sw.jit(lambda a: a + 1, static=True)
    for size in (3, 4, 3):
        f(array(size))
    assert f.stats() == (2, 1)


# Arguments and results


def test_nested_arguments_and_results():
    f = sw.jit(lambda p, x: {"y": x @ p["w"] + p["b"], "parts": [x.sum(), (x * 2,)]})
    params, x = {"w": array(3, 2), "b": array(2)}, array(4, 3)
    result = f(params, x)
    np.testing.assert_allclose(result["y"], x @ params["w"] + params["b"], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(result["parts"][1][0], x * 2)


@pytest.mark.parametrize("layout", ["transposed", "reversed", "strided", "fortran", "broadcast", "read-only"])
def test_any_layout_is_accepted(layout):
    base = array(6, 8)
    given = {
        "transposed": base.T,
        "reversed": base[::-1, ::-1],
        "strided": base[::2, 1::3],
        "fortran": np.asfortranarray(base),
        "broadcast": np.broadcast_to(base[0], (5, 8)),
        "read-only": base.copy(),
    }[layout]
    given.flags.writeable = layout != "read-only" and given.flags.writeable
    np.testing.assert_array_equal(sw.jit(lambda x: x * 2)(given), given * 2)


def test_the_same_array_twice():
    x = array(4)
    np.testing.assert_array_equal(sw.jit(lambda a, b: a + b)(x, x), x + x)


def test_constants_of_the_program_and_arrays_around_it():
    weights, scale = array(2000), 3.0
    f = sw.jit(lambda x: x * weights + scale)
    x = array(2000)
    np.testing.assert_allclose(f(x), x * weights + np.float32(3), rtol=1e-6)


def test_zeros_keep_their_sign():
    """Zeros keep their sign as elements of a constant, and as arguments that are constants of the compiled code."""
    zeros, one = np.array([0.0, -0.0], np.float32), np.ones(1, np.float32)
    np.testing.assert_array_equal(sw.jit(lambda x: x / zeros)(one), [np.inf, -np.inf])
    divide = sw.jit(lambda x, by: x / by)
    assert [divide(one, by)[0] for by in (0.0, -0.0, 0.0)] == [np.inf, -np.inf, np.inf]
    assert [divide(one, np.nan).shape for _ in range(2)] == [(1,)] * 2 and divide.stats().compiles == 2


@pytest.mark.parametrize("keys", [(1, True, 1.0), (0.0, -0.0), ((1, 2), (True, 2), (1, 2.0))])
def test_results_have_the_keys_of_their_own_call(keys):
    """Even keys that Python compares as equal, in calls that are repeated natively and in calls that are not."""
    f = sw.jit(lambda nest: {key: x + 1 for key, x in nest.items()})
    for key in keys * (CALLS_BEFORE + 1):
        assert repr(list(f({key: np.ones(2)}))) == repr([key])


def test_torch_tensors_around_the_program():
    torch = pytest.importorskip("torch")
    half = torch.full((2,), 1.5, dtype=torch.bfloat16)
    np.testing.assert_array_equal(sw.jit(lambda x: x + half)(np.ones(2, np.float32)), [2.5, 2.5])


def test_a_jitted_function_inside_another_is_traced_along():
    inner = sw.jit(lambda x: x + 1)
    outer = sw.jit(lambda x: inner(x) * 2)
    np.testing.assert_array_equal(outer(np.array([1, 2], np.float32)), [4, 6])
    assert inner.stats().compiles == 0


def test_torch_tensors_give_torch_tensors():
    torch = pytest.importorskip("torch")
    f = sw.jit(layer)
    x, w, b = (torch.from_numpy(array(*shape)) for shape in ((3, 4), (4, 5), (5,)))
    result = f(x, w, b)
    assert isinstance(result, torch.Tensor)
    torch.testing.assert_close(result, torch.relu(x @ w + b))
    half = torch.ones(3, dtype=torch.bfloat16)
    assert sw.jit(lambda t: t + t)(half).dtype == torch.bfloat16


def test_many_threads_compile_once():
    f = sw.jit(lambda x: sw.exp(x).sum())
    x, results = array(50), []
    threads = [threading.Thread(target=lambda: results.append(f(x))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert f.stats().compiles == 1
    assert len(set(map(float, results))) == 1


def test_one_and_two_threads_give_the_same_bits():
    f, x = sw.jit(lambda t: sw.softmax(t, axis=-1)), array(512, 300)
    sw.set_num_threads(1)
    one = f(x)
    sw.set_num_threads(2)
    np.testing.assert_array_equal(one, f(x))
    with pytest.raises(ValueError, match="expected 1 to 1024 threads, got 0"):
        sw.set_num_threads(0)


# Lowering and the trace


@pytest.fixture(scope="module")
def lowered():
    return sw.lower(layer, sw.Spec(("n", 4)), sw.Spec((4, "m")), sw.Spec(("m",)))


def test_every_level_can_be_read_and_compiled_again(lowered):
    x, w, b = array(3, 4), array(4, 5), array(5)
    expected = lowered(x, w, b)
    assert lowered.levels == ("graph", "uop", "loop", "scheduled", "cloop", "c")
    for level in ("graph", "uop", "loop", "scheduled", "cloop"):
        np.testing.assert_array_equal(sw.compile(lowered.ir(level))(x, w, b), expected)
    with pytest.raises(sw.CompileError, match="has no level 'lop': did you mean 'loop'"):
        lowered.ir("lop")


def test_a_pipeline_of_ones_own(lowered):
    x, w, b = array(3, 4), array(4, 5), array(5)
    plain = sw.compile(lowered.ir("uop"), pipeline="lower-uop-to-loop{accumulate=float64},lower-loop-to-cloop")
    np.testing.assert_allclose(plain(x, w, b), lowered(x, w, b), rtol=1e-6)


def test_lines_lead_up_to_the_user_and_back(lowered):
    line = layer.__code__.co_firstlineno + 1
    source = lowered.source().splitlines()
    product = next(number for number, text in enumerate(source, 1) if re.search(r"= sw_fma_\w+\(sw_", text))
    frames = lowered.trace.sources(product)
    assert [(frame.line, frame.function) for frame in frames] == [(line, "layer")]
    assert ("c", product) in lowered.trace.products(f"test_jit.py:{line}")
    levels = {level for level, _ in lowered.trace.products(f"test_jit.py:{line}")}
    assert levels == set(lowered.levels)
    ancestry = lowered.trace.ancestry(product)
    assert ancestry[0][0] == "cloop-invariant-code-motion"
    assert ancestry[-1][0] == "input"
    assert "graph.matmul" in ancestry[-1][2]
    assert "graph.matmul" in lowered.trace.snapshot("before", "lower-graph-to-uop").text


def test_no_statement_of_the_function_is_without_a_source(lowered):
    lines = lowered.source().splitlines()
    start = next(number for number, text in enumerate(lines, 1) if text.startswith("int64_t sw_main"))
    for number in range(start + 1, len(lines)):
        assert lowered.trace.sources(number), lines[number - 1]


def test_tracing_changes_nothing_but_locations(lowered):
    off = sw.lower(layer, sw.Spec(("n", 4)), sw.Spec((4, "m")), sw.Spec(("m",)), trace=False)
    assert off.source() == lowered.source()
    for level in ("graph", "uop", "loop", "scheduled", "cloop"):
        assert off.ir(level) == lowered.ir(level)
    assert off.trace.sources(30) == []


def test_line_directives_show_the_users_line_to_the_compiler(lowered, tmp_path):
    text = lowered.source(line_directives=True)
    line = layer.__code__.co_firstlineno + 1
    assert f'#line {line} "' in text
    assert [each for each in text.splitlines() if not each.startswith("#line")] == lowered.source().splitlines()
    broken = tmp_path / "broken.c"
    helpers, main, body = text.partition("int64_t sw_main")
    broken.write_text(helpers + main + body.replace(" * ", " * undefined_name * ", 1))
    compiler = subprocess.run(["cc", "-c", str(broken), "-o", os.devnull], capture_output=True, text=True, check=False)
    assert f"test_jit.py:{line}:" in compiler.stderr
    with pytest.raises(sw.CompileError, match="emits no source"):
        sw.lower(layer, array(2, 2), array(2, 2), array(2), target="interpret").source()


def test_hostile_file_names_do_not_leave_their_string():
    from stepwell.lowering.emission.source_text import escape

    escaped = escape('a"\n*/\\\n#include "b??/')
    assert not set(escaped) & set('"\n*#?')
    assert escaped.replace("\\042", '"').replace("\\012", "\n").startswith('a"\n')


def test_structure_counts_blocks_and_temporaries(lowered):
    assert lowered.structure() == (1, 0, (), ())


def test_run_time_parameters():
    """$k is an argument of the compiled function: one program serves all its values."""

    def window_sum(x):
        windows = sw.uop.reindex(["dA0 - $k + 1", "$k"], x, shape_of=[x], index=["i0 + i1"], fill=0)
        return windows.sum(axis=1)

    f = sw.jit(window_sum)
    x = np.arange(6, dtype=np.float32)
    for k in (1, 2, 4):
        np.testing.assert_array_equal(f(x, k=k), np.lib.stride_tricks.sliding_window_view(x, k).sum(axis=1))
    assert f.stats().compiles == 1
    with pytest.raises(sw.ShapeError, match=r"negative size -k \+ s0 \+ 1\nnote: in this call s0 = 6, k = 8"):
        f(x, k=8)
    with pytest.raises(TypeError, match="unexpected keyword argument 'k'"):
        f(x, k=True)


def test_parameters_are_never_negative():
    """Reads are proven in bounds only for non-negative parameters: x[i + k] has no guard against negative indices."""
    shifted = sw.jit(lambda x: sw.uop.reindex(["dA0"], x, index=["i0 + $k"], fill=0))
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(shifted(x, k=1), [1, 2, 3, 0])
    with pytest.raises(ValueError, match="parameter 'k' must not be negative, got -1"):
        shifted(x, k=-1)
    wider = sw.lower(lambda x: x + 1, sw.Spec("n + 1"))
    with pytest.raises(ValueError, match="parameter 'n' must not be negative, got -1"):
        wider(np.zeros(0, np.float32))


# Errors


def test_shapes_that_do_not_fit_name_the_line_and_the_sizes():
    f = sw.jit(layer)
    with pytest.raises(sw.ShapeError) as caught:
        f(array(3, 4), array(5, 6), array(6))
    message = str(caught.value)
    assert f"test_jit.py:{layer.__code__.co_firstlineno + 1}:" in message
    assert "'matmul'" in message
    assert "s1 = 4, s2 = 5" in message


def test_a_dtype_that_is_not_supported():
    with pytest.raises(TypeError, match="unsupported dtype 'uint16'"):
        sw.jit(lambda x: x)(np.ones(3, "uint16"))


def test_a_lowered_function_checks_dtype_rank_and_sizes(lowered):
    x, w, b = array(3, 4), array(4, 5), array(5)
    with pytest.raises(TypeError, match="argument 'x': expected dtype float32, got float64"):
        lowered(x.astype("f8"), w, b)
    with pytest.raises(ValueError, match=r"argument 'w': expected shape \(4, m\), got \(5,\)"):
        lowered(x, b, b)
    with pytest.raises(ValueError, match=r"argument 'b'.*axis 0 should be m = 5, got 6"):
        lowered(x, w, array(6))
    with pytest.raises(TypeError, match="do not nest like"):
        lowered(x, w)


@pytest.mark.parametrize("count", [3, 5000])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_arrays_of_the_surroundings_are_frozen(count, library):
    table = np.zeros(count, "float32")
    if library == "torch":
        table = pytest.importorskip("torch").from_numpy(table)
    f = sw.jit(lambda x: x + table)
    np.testing.assert_array_equal(f(np.ones(1, "float32")), np.ones(count))
    table[:] = 7
    np.testing.assert_array_equal(f(np.ones(1, "float32")), np.ones(count))
    np.testing.assert_array_equal(sw.jit(lambda x: x + table)(np.ones(1, "float32")), np.full(count, 8))


def test_a_gather_out_of_range_names_the_line():
    def pick(x, at):
        return sw.take(x, at, axis=0)

    f, x = sw.jit(pick), array(5)
    np.testing.assert_array_equal(f(x, np.array([0, -1])), x[[0, -1]])
    for wrong in (5, -6, -11, 2**40, -(2**40), 2**63 - 1, -(2**63)):
        expected = rf"test_jit.py:{pick.__code__.co_firstlineno + 1}:.*: index {wrong} is out of range for an axis of size 5"
        for g in (f, sw.jit(pick, target="interpret")):
            with pytest.raises(IndexError, match=expected):
                g(x, np.array([0, wrong]))
    np.testing.assert_array_equal(f(x, np.arange(-5, 5)), x[np.arange(-5, 5)])


@pytest.mark.parametrize(
    "args, kwargs, name, kind",
    [
        ([{1, 2}], {}, "options", "set"),
        ([[1, {"a": bytearray(b"x")}]], {}, "options_1_a", "bytearray"),
        ([1], {"mode": {3}}, "mode", "set"),
    ],
)
def test_a_constant_that_cannot_be_hashed_is_named(args, kwargs, name, kind):
    f = sw.jit(lambda x, options, *, mode=None: x + 1)
    message = f"^argument '{name}': expected arrays in tuples, lists and dicts, or a constant that can be hashed, got {kind}$"
    with pytest.raises(TypeError, match=message):
        f(array(3), *args, **kwargs)


def test_an_integer_divided_by_zero_names_the_line():
    def divide(a, b):
        return a // b

    with pytest.raises(ZeroDivisionError, match=rf"test_jit.py:{divide.__code__.co_firstlineno + 1}:"):
        sw.jit(divide)(np.array([1, 2]), np.array([1, 0]))


def test_a_missing_or_unknown_name_is_explained():
    with pytest.raises(AttributeError, match="no attribute 'sofmax': did you mean 'softmax'"):
        _ = sw.sofmax
    for target in ("gpu", None):
        with pytest.raises(sw.CompileError, match=f"unknown target '{target}'"):
            sw.jit(layer, target=target)
    for target, meant in (("gpu", "cuda"), ("numpy", "interpret"), ("c", "cpu"), ("cdua", "cuda")):
        with pytest.raises(sw.CompileError, match=rf"did you mean '{meant}'\? \(the targets are cpu, cuda, "):
            sw.jit(layer, target=target)
    with pytest.raises(TypeError, match="expected a function, got 'layer'"):
        sw.jit("layer")
    with pytest.raises(sw.CompileError, match="has no level 'cloop'"):
        sw.lower(layer, array(2, 2), array(2, 2), array(2), target="interpret").ir("cloop")


def test_text_that_is_malformed():
    with pytest.raises(sw.ParseError, match=r"<string>:1:1: error: unknown dialect 'fnc' .*did you mean 'func'"):
        sw.compile("fnc.func @f() {}")


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


PROGRAM = "import numpy as np, stepwell as sw\nprint(sw.jit(lambda x: x + 1, target={target!r})(np.array([1, 2], np.float32)))"


def test_without_a_compiler_the_error_offers_the_interpreter(tmp_path):
    environment = {"CC": "", "PATH": str(tmp_path), "STEPWELL_CACHE_DIR": str(tmp_path / "cache")}
    failed = run_python(PROGRAM.format(target="cpu"), **environment)
    assert 'use target="interpret"' in failed.stderr
    assert run_python(PROGRAM.format(target="interpret"), **environment).stdout == "[2. 3.]\n"


def test_without_torch_and_triton_the_error_names_them(monkeypatch):
    monkeypatch.setattr("stepwell.runtime.triton.program.find_spec", lambda name: None)
    with pytest.raises(sw.CompileError, match="target 'triton-interpret' needs the packages torch and triton"):
        sw.jit(lambda x: x + 1, target="triton-interpret")(array(3))
    assert "@triton.jit" in sw.lower(lambda x: x + 1, sw.Spec((3,)), target="cuda").source()


def test_a_compiler_that_fails(tmp_path):
    failed = run_python(PROGRAM.format(target="cpu"), CC="/bin/false", STEPWELL_CACHE_DIR=str(tmp_path))
    assert "CompilerError" in failed.stderr
    assert "/bin/false failed with exit status 1" in failed.stderr


def test_neither_torch_nor_triton_is_loaded_for_the_cpu():
    program = PROGRAM.format(target="cpu") + "\nimport sys\nprint('torch' in sys.modules, 'triton' in sys.modules)"
    assert run_python(program).stdout == "[2. 3.]\nFalse False\n"


def with_a_gradient_of_its_own():
    function = sw.custom_vjp(sw.tanh)
    function.defvjp(lambda x: (sw.tanh(x), x), lambda x, given: (given,))
    return function


COPIED = {
    "jit": lambda: sw.jit(sw.tanh),
    "gradient": lambda: sw.grad(sw.jit(sw.sum)),
    "batches": lambda: sw.vmap(sw.tanh),
    "a gradient of its own": with_a_gradient_of_its_own,
    "lowered": lambda: sw.lower(sw.tanh, sw.Spec(("n",))),
    "text": lambda: sw.compile("func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) { func.return }"),
}


@pytest.mark.parametrize("make", COPIED.values(), ids=COPIED)
def test_compiled_functions_are_copied_as_themselves(make):
    function = make()
    function(array(2))
    assert copy.copy(function) is function
    assert copy.deepcopy({"model": [function]})["model"][0] is function


def test_models_with_compiled_functions_are_copied():
    model = sw.nn.Sequential(sw.nn.Linear(2, 3), sw.jit(sw.tanh))
    params, x = model.init(0), array(4, 2)
    np.testing.assert_array_equal(copy.deepcopy(model)(params, x), model(params, x))


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_sizes_that_may_be_negative_are_numbers(target):
    def numbers(n, m):
        small = (n - 3) // 2, (n - m) % 4 - (n - 5) // 3 * (2 * m - 7), (n - 3) // m + n // m + (n - 3) % m
        return *small, n // (m - 5) - n % (m - 6) // 2, 4 - (n - 9) // (6 - m) * (m - 2)

    f = sw.jit(lambda x, y: [sw.ones(2) * number for number in numbers(x.shape[0], y.shape[0])], target=target)
    for n, m in ((0, 1), (1, 4), (2, 9), (7, 3), (12, 2)):
        for got, number in zip(f(np.ones(n, "float32"), np.ones(m, "float32")), numbers(n, m), strict=True):
            np.testing.assert_array_equal(got, [number, number])
    by_zero = f(np.ones(2, "float32"), np.ones(0, "float32"))[2], f(np.ones(9, "float32"), np.ones(6, "float32"))[4] - 4
    np.testing.assert_array_equal(by_zero, np.zeros((2, 2)), "divided by 0 sizes are 0")


def test_a_size_that_would_be_negative_is_an_error():
    """A window larger than its axis is an error: in a jitted call at once, in a lowered function when it is called."""

    def windows(x, w):
        return sw.sum(sw.conv1d(x, w))

    x, w = array(1, 2, 6), array(3, 2, 5)
    f = sw.jit(windows)
    np.testing.assert_allclose(f(x, w), lowered_windows(windows)(x, w), rtol=1e-5)
    with pytest.raises(sw.ShapeError, match=r"'conv': axis 2 of the result would have the negative size"):
        f(x[:, :, :3], w)
    with pytest.raises(ValueError, match=r"the sizes do not fit: h - 5 must not be negative, but h = 3|h - 4 must not be"):
        lowered_windows(windows)(array(1, 2, 3), w)


def lowered_windows(function):
    return sw.lower(function, sw.Spec((1, 2, "h")), sw.Spec((3, 2, 5)))
