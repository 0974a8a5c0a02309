"""Versions for the sizes of the first call: when there is one, that it means the same on every level, and that it is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.calls.traced import Traced, trace
from stepwell.frontend.lowered.memory import Arena, arena_for
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.functions.versions import version_for, versions_of
from stepwell.ir.index.expressions import index, param
from stepwell.lowering.driver import lower
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.interpret.loop import run_loops
from stepwell.runtime.interpret.uop import run_uop

RNG = np.random.default_rng(0)


def array(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


def convolution(x: Any, w: Any) -> Any:
    return sw.conv2d(x, w, padding=1)


def depthwise(x: Any, w: Any) -> Any:
    return sw.conv2d(x, w, padding=1, groups=3)


def expected(x: np.ndarray, w: np.ndarray, groups: int = 1) -> np.ndarray:
    padded = np.pad(x.astype("float64"), [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(2, 3))
    if groups == 1:
        return np.einsum("nchwij,ocij->nohw", windows, w)
    return np.einsum("nchwij,cij->nchw", windows, w[:, 0])


def versions_in(source: str) -> int:
    return source.count("static int64_t sw_version_")


def first_call(function: Callable[..., Any], *arrays: np.ndarray) -> Traced:
    """The trace of a function whose sizes are those of these arrays."""
    return sw.lower(function, *arrays, target="interpret")._traced  # pyright: ignore[reportPrivateUsage]


def test_two_compiles_serve_windows_of_every_size():
    """One compile is for the windows of the first call, and a second one for windows of all sizes."""
    f = sw.jit(convolution)
    compiles: list[int] = []
    for n, h, k in ((1, 8, 3), (2, 5, 3), (1, 3, 1), (1, 1, 3), (0, 4, 3), (2, 9, 2), (1, 12, 9), (2, 20, 3)):
        x, w = array(n, 3, h, h), array(4, 3, k, k)
        np.testing.assert_allclose(f(x, w), expected(x, w), rtol=1e-4, atol=1e-5)
        compiles.append(f.stats().compiles)
    assert compiles == [1, 1, 2, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "function, shapes",
    [
        (
            lambda x, w: sw.conv2d(x, w, groups=2),
            [((n, 4, h, h), (4, 2, k, k)) for n, h, k in ((1, 8, 3), (2, 9, 3), (1, 7, 2))],
        ),
        (lambda x: sw.sum(sw.reshape(x, (x.shape[0], 2, -1)), axis=2), [((3, 4),), ((3, 8),), ((2, 40),)]),
        (lambda x, w: sw.conv1d(x, sw.reshape(w, (2, 1, -1))), [((1, 1, 9), (6,)), ((1, 1, 11), (6,)), ((2, 1, 9), (10,))]),
    ],
    ids=["groups", "parts of an axis", "reshaped weights"],
)
def test_windows_of_sizes_that_follow_from_others(function: Callable[..., Any], shapes: list[Any]):
    f, interpreted = sw.jit(function), sw.jit(function, target="interpret")
    for each in [*shapes, *shapes]:
        arrays = [array(*shape) for shape in each]
        np.testing.assert_allclose(f(*arrays), interpreted(*arrays), rtol=1e-5, atol=1e-5)
    assert f.stats().compiles == 2


def test_means_over_places_of_windows():
    """The number of places is a quotient of a difference, which is not known to be positive."""
    f = sw.jit(lambda x, w: sw.mean(sw.conv2d(x, w, stride=(2, 3)), axis=(0, 2, 3)))
    for n, h in ((2, 9), (1, 4), (3, 12)):
        x, w = array(n, 3, h, h + 1), array(4, 3, 3, 3)
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))[:, :, ::2, ::3]
        np.testing.assert_allclose(f(x, w), np.einsum("nchwij,ocij->nohw", windows, w).mean((0, 2, 3)), rtol=1e-4, atol=1e-5)


def test_code_for_windows_of_one_size_refuses_others():
    text = """
        func.func @sums(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n - a + 1]>>
            attributes {sw.hints = {a = 3 : i64}, sw.params = ["n", "a"]} {
          %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n]>>)
            -> tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
          %1 = uop.reduce "add" %0 axes [1] : tensor<?x?xf32, #sw.shape<[n - a + 1, a]>>
            -> tensor<?xf32, #sw.shape<[n - a + 1]>>
          func.return %1 : tensor<?xf32, #sw.shape<[n - a + 1]>>
        }
    """
    for target in ("cpu", "interpret"):
        sums = sw.compile(text, target=target, pipeline="specialize-sizes{only=true}")
        for given in ({}, {"a": 3}):
            np.testing.assert_array_equal(sums(np.arange(5, dtype=np.float32), **given), [3, 6, 9])
        with pytest.raises(ValueError, match="the sizes do not fit: this code is for a = 3, but n = 5, a = 2"):
            sums(array(5), a=2)


def test_a_depthwise_convolution_has_a_version():
    x, w = array(2, 3, 9, 20), array(3, 1, 3, 3)
    low = sw.lower(depthwise, x, w)
    assert versions_in(low.source()) == 1
    np.testing.assert_allclose(low(x, w), expected(x, w, 3), rtol=1e-4, atol=1e-5)
    other = array(3, 1, 2, 3)
    np.testing.assert_allclose(low(x, other), expected(x, other, 3), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "function",
    [lambda x, y: sw.tanh(x * y), lambda x, y: sw.softmax(x, axis=1) + y, lambda x, y: x @ y, lambda x, y: sw.sum(x + y)],
    ids=["elementwise", "softmax", "matmul", "sum"],
)
def test_nothing_else_is_compiled_twice(function: Callable[..., Any]):
    x = array(3, 3)
    assert versions_in(sw.lower(function, x, x).source()) == 0


def test_sizes_without_a_version_do_not_tell_programs_apart():
    """Without a version, the cache would otherwise keep the code of a program once for each size."""
    texts = {str(first_call(sw.tanh, array(n)).module) for n in (17, 18, 20, 64, 100)}
    assert len(texts) == 1


def test_long_windows_have_no_version():
    x, w = array(1, 1, 40, 40), array(1, 1, 20, 20)
    assert versions_in(sw.lower(convolution, x, w).source()) == 0


@pytest.mark.parametrize("level", ["uop", "loop", "scheduled", "cloop"])
@pytest.mark.parametrize("k", [3, 2], ids=["fits", "does-not-fit"])
def test_every_level_means_the_same(level: str, k: int):
    traced = first_call(depthwise, array(1, 3, 4, 5), array(3, 1, 3, 3))
    module = trace(depthwise, [sw.Spec(tuple(leaf.shape), leaf.dtype) for leaf in traced.leaves], sizes=traced.sizes).module
    for _ in lower(module, make_context(), "cpu", until=level):
        pass
    entry = entry_function(module)
    x, w = array(1, 3, 4, 5), array(3, 1, k, k)
    signature = Signature.of(entry)
    values = dict(zip(signature.params, signature.bind([x.shape, w.shape]), strict=True))
    if level == "uop":
        (found,) = run_uop(entry, [x, w], values)
    else:
        assert len(versions_of(entry)) == 1
        assert (version_for(entry, values) is entry) == (k != 3)
        found = np.empty(signature.output_shapes(list(values.values()))[0], "float32")
        run_loops(entry, [x, w, found], values)
    np.testing.assert_allclose(found, expected(x, w, 3), rtol=1e-4, atol=1e-5)


def test_checks_of_both_versions_lead_to_their_line():
    x, w, at = array(1, 1, 1, 8), array(1, 1, 1, 3), np.array([7])
    f = sw.jit(lambda x, w, at: sw.sum(sw.conv2d(x, w)) + sw.sum(sw.take(x, at, axis=3)))
    f(x, w, at)
    for k in (3, 2):
        with pytest.raises(IndexError, match=r"test_versions\.py"):
            f(x, array(1, 1, 1, k), np.array([8]))


def test_a_line_leads_to_both_versions_and_back():
    low = sw.lower(convolution, array(1, 2, 8, 8), array(2, 2, 3, 3))
    text = low.source().splitlines()
    heads = ("static int64_t sw_version_", "int64_t sw_main")
    starts = [number for number, line in enumerate(text, 1) if line.startswith(heads)]
    line = convolution.__code__.co_firstlineno + 1
    products = [number for level, number in low.trace.products(f"{__file__}:{line}") if level == "c"]
    assert any(starts[0] < number < starts[1] for number in products)
    assert any(number > starts[1] for number in products)
    assert {frame.line for number in products for frame in low.trace.sources(number) if frame.file == __file__} >= {line}


def test_the_memory_of_a_call_is_that_of_its_version():
    n = param("n")
    arenas = [Arena((n - 3, 3 - n), index(64), index(0)), Arena((), n * 64, index(0))]
    assert [arena_for(arenas, {"n": size}).bytes({"n": size}, 1) for size in (2, 3, 4)] == [128, 64, 256]


def test_every_operation_of_a_version_has_a_location():
    low = sw.lower(convolution, array(1, 2, 8, 8), array(2, 2, 3, 3))
    for snapshot in low.trace.passes.levels:
        assert all(op.frames for op in snapshot.ops if op.name != "builtin.module")


@pytest.mark.covering
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("outputs", [1, 4, 9])
@pytest.mark.parametrize(("size", "window"), [(5, 2), (9, 3), (6, 5), (37, 3)])
def test_windows_in_tiles_are_right_for_any_rank(rank: int, outputs: int, size: int, window: int):
    """Rows are shorter and longer than a vector, there may be a single row, and windows are nearly as long as rows."""
    sizes = (size,) * rank if rank < 3 else (4, 5, size)
    taps = (window,) * rank if rank < 3 else (2, 2, window)
    x, w = array(2, 3, *sizes), array(outputs, 3, *taps)
    function = (sw.conv1d, sw.conv2d, sw.conv3d)[rank - 1]
    windows = np.lib.stride_tricks.sliding_window_view(x.astype("float64"), taps, axis=tuple(range(2, 2 + rank)))
    places, inside = "hij"[:rank], "pqr"[:rank]
    wanted = np.einsum(f"nc{places}{inside},oc{inside}->no{places}", windows, w)
    np.testing.assert_allclose(sw.jit(lambda x, w: function(x, w))(x, w), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "sizes, message",
    [
        ("{zz = 3 : i64}", "unknown parameter 'zz' \\(@f has n\\)"),
        ('{n = "a"}', "expected integers by the names of parameters"),
        ("7 : i64", "expected integers by the names of parameters"),
    ],
)
def test_sizes_that_are_fixed_are_checked(sizes: str, message: str):
    text = f"""
        func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> attributes {{sw.sizes = {sizes}}} {{
          func.return %x : tensor<?xf32, #sw.shape<[n]>>
        }}
    """
    with pytest.raises(CompileError, match=f"'sw.sizes': {message}"):
        sw.compile(text)
