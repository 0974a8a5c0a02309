"""The structure of programs after the default pipeline: blocks, temporaries and their ranks, and the memory of a call."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.lowered.function import Lowered
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.machine import AVX512, pass_options
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.cpu.program import THREADS
from stepwell.runtime.toolchain.compiler import available_processors

TEXTS = Path(__file__).resolve().parents[3] / "lit" / "lowering" / "structures.mlir"
ROWS, ROW = sw.Spec(("n", "m")), sw.Spec("m")
IMAGES = sw.Spec(("n", "c", "h", "w"))


class Case(NamedTuple):
    """A program, and the ranks of the temporaries that one block of it may have in an iteration."""

    function: Callable[..., Any]
    specs: tuple[sw.Spec, ...]
    private: tuple[int, ...] = ()


# Each is one block without temporaries.
CASES = {
    "softmax": Case(lambda x: sw.softmax(x, axis=1), (ROWS,), (1,)),
    "logsumexp": Case(lambda x: sw.logsumexp(x, axis=1), (ROWS,)),
    "layer_norm": Case(sw.layer_norm, (ROWS, ROW, ROW)),
    "linear": Case(lambda x, w, b: sw.relu(x @ w + b), (sw.Spec(("n", "k")), sw.Spec(("k", "m")), ROW)),
    "convolution": Case(lambda x, w: sw.conv2d(x, w), (IMAGES, sw.Spec(("o", "c", 3, 3)))),
    "padded convolution": Case(lambda x, w: sw.conv2d(x, w, padding=1), (IMAGES, sw.Spec(("o", "c", "k", "l")))),
    "flip of flip": Case(lambda x: sw.flip(sw.flip(x, axis=0), axis=0), (ROWS,)),
    "elementwise": Case(lambda x: sw.exp(x) * sw.tanh(x) + x, (ROWS,)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_one_block_without_temporaries(case: Case):
    found = sw.lower(case.function, *case.specs, trace=False).structure()
    assert found == (1, 0, (), case.private)


def text_case(name: str) -> Lowered:
    """A program of the lit test of structures."""
    text = next(each for each in TEXTS.read_text().split("// -----") if f"@{name}(" in each)
    ctx = make_context()
    module = parse_module(text, ctx)
    return Lowered(module, "cpu", Signature.of(entry_function(module)), trace=False, ctx=ctx)


def test_the_gradients_of_a_convolution_are_three_blocks_and_right():
    low = text_case("backward")
    assert low.structure() == (3, 0, (), ())
    generator = np.random.default_rng(0)
    x, w, gy = (generator.standard_normal(shape).astype("float32") for shape in ((2, 3, 7, 6), (4, 3, 3, 2), (2, 4, 5, 5)))
    gx, gw = low(x, w, gy)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 2), axis=(2, 3))
    np.testing.assert_allclose(gw, np.einsum("nohv,nchvkl->ockl", gy, windows), rtol=1e-4, atol=1e-4)
    padded = np.pad(gy, ((0, 0), (0, 0), (2, 2), (1, 1)))
    around = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), axis=(2, 3))
    np.testing.assert_allclose(gx, np.einsum("nohvkl,ockl->nchv", around, w[:, :, ::-1, ::-1]), rtol=1e-4, atol=1e-4)


def attention(q: Any, k: Any, v: Any) -> Any:
    return sw.softmax(q @ sw.matrix_transpose(k) / 8, axis=-1) @ v


# Operations between contractions are fused in blocks of rows: the functions, and their NumPy versions.
STREAMED: dict[str, tuple[Callable[..., Any], int]] = {
    "product and softmax": (lambda x, w: sw.softmax(x @ w, axis=1), 1),
    "softmax and product": (lambda x, w: sw.softmax(x, axis=1) @ w, 1),
    "normalised between products": (lambda x, w: sw.layer_norm(x @ w) @ sw.matrix_transpose(w), 1),
}


@pytest.mark.parametrize("name", STREAMED)
def test_what_stands_between_contractions_is_one_block_and_right(name: str):
    function, blocks = STREAMED[name]
    low = sw.lower(function, sw.Spec(("n", "k")), sw.Spec(("k", "m")), trace=False)
    assert low.structure()[:3] == (blocks, 0, ())
    exact = sw.jit(function, target="interpret")
    for n, k, m in ((1, 1, 1), (3, 70, 5), (64, 9, 33), (65, 20, 64), (130, 300, 17)):
        generator = np.random.default_rng(n)
        x, w = generator.standard_normal((n, k)), generator.standard_normal((k, m))
        found = low(x.astype("float32"), w.astype("float32"))
        np.testing.assert_allclose(found, exact(x, w), rtol=2e-4, atol=2e-5, err_msg=str((n, k, m)))


def test_attention_has_no_temporary_of_all_pairs():
    low = sw.lower(attention, *[sw.Spec(("b", "h", "t", "d"))] * 3, trace=False)
    assert low.structure()[:3] == (1, 0, ())
    per_row = (low.memory(b=2, h=8, t=8192, d=64, threads=1) - low.memory(b=2, h=8, t=4096, d=64, threads=1)) / 4096
    assert per_row < 4096  # bytes: linear in the number of rows


@pytest.mark.covering(1)
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    "window, options", [((3, 3), {"stride": 2, "padding": 1}), ((1, 1), {}), ((5, 5), {"dilation": 2}), ((3, 1), {"stride": 3})]
)
def test_convolutions_with_steps_run_on_the_cpu(window: tuple[int, int], options: dict[str, Any], static: bool):
    """Their addresses have quotients, which move out of the loops."""
    generator = np.random.default_rng(0)
    x, w = (generator.standard_normal(shape).astype("float32") for shape in [(2, 3, 37, 65), (8, 3, *window)])

    def convolve(x: Any, w: Any) -> Any:
        return sw.conv2d(x, w, **options)

    found, expected = sw.jit(convolve, static=static)(x, w), sw.jit(convolve, target="interpret")(x, w)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_what_does_not_fit_in_one_block_is_counted():
    """Each column's softmax needs the whole product; it is one block after the product's, with the exponentials between."""
    low = sw.lower(lambda x, w: sw.softmax(x @ w, axis=0), sw.Spec(("n", "k")), sw.Spec(("k", "m")), trace=False)
    assert low.structure() == (2, 2, (2, 2), (2,))


def test_loops_that_do_nothing_are_not_in_the_code():
    # Here vectors leave no remainder of a panel's rows.
    low = sw.lower(lambda a, b: a @ b.T, sw.Spec((512, 512)), sw.Spec((512, 512)), trace=False)
    assert not re.findall(r"for \(.*\{\s*\}", low.source())


def test_all_loads_of_a_double_flip_are_forwards():
    text = sw.lower(CASES["flip of flip"].function, ROWS).ir("loop")
    loads = [line for line in text.splitlines() if "loop.load" in line]
    assert loads and all("<(d0, d1) -> (d0, d1)>" in line for line in loads)


# Memory


def test_a_call_of_one_pass_takes_no_memory():
    assert sw.lower(lambda x, w: sw.sum(x * w, axis=1), ROWS, ROW).memory(n=1 << 20, m=1 << 10) == 0


def test_what_threads_have_for_themselves_counts_for_each():
    """A softmax keeps a row of exponentials in whole cache lines, and the maximum of its only part in one more."""
    low = sw.lower(lambda x: sw.softmax(x, axis=1), ROWS)
    assert low.memory(n=4096, m=1000, threads=1) == 4096
    assert low.memory(n=4096, m=1000, threads=3) == 3 * 4096
    assert low.memory(n=4096, m=1000) == THREADS.count * 4096


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_temporaries_that_outlive_a_block_count_once():
    """All threads share the copy of the right operand; each has blocks of rows of its own."""
    low = sw.lower(lambda x, w: sw.softmax(x @ w, axis=1), sw.Spec(("n", "k")), sw.Spec(("k", "m")))
    one, two = (low.memory(n=512, k=64, m=1024, threads=threads) for threads in (1, 2))
    assert 64 * 1024 * 4 <= two - one < one


def test_arrays_give_the_sizes():
    low = sw.lower(lambda x: sw.softmax(x, axis=1), np.ones((8, 1000), "float32"))
    assert low.memory(threads=1) == 4096


def test_sizes_that_are_missing_unknown_negative_or_no_numbers():
    low = sw.lower(lambda x: sw.softmax(x, axis=1), ROWS)
    with pytest.raises(TypeError, match=r"the sizes n, m are missing: give n=..., m=..."):
        low.memory()
    with pytest.raises(TypeError, match=r"there is no size 'k' .*\(the sizes are n, m\)"):
        low.memory(n=1, m=1, k=1)
    with pytest.raises(ValueError, match="the size 'm' must not be negative, got -1"):
        low.memory(n=1, m=-1)
    with pytest.raises(TypeError, match="the size 'm' must be a whole number, got '3'"):
        low.memory(n=1, m="3")
    with pytest.raises(ValueError, match="expected at least one thread, got 0"):
        low.memory(n=1, m=1, threads=0)
    with pytest.raises(sw.CompileError, match="target 'interpret' has no memory plan, only 'cpu' has"):
        sw.lower(lambda x: x + 1, ROW, target="interpret").memory(m=1)


BLOCKED = {
    "product": (lambda a, b: a @ b, [(13, "k"), ("k", 37)]),
    "right transposed": (lambda a, b: a @ b.T, [(13, "k"), (37, "k")]),
    "left transposed": (lambda a, b: a.T @ b, [("k", 13), ("k", 37)]),
    "batches": (lambda a, b: a @ b, [(3, 13, "k"), (3, "k", 37)]),
    "epilogue": (lambda a, b: sw.relu(a @ b + 1.0), [(13, "k"), ("k", 37)]),
    "two products": (lambda a, b: sw.softmax(a @ b, axis=1) @ sw.matrix_transpose(b), [(70, "k"), ("k", 37)]),
    "channels": (lambda x, w: sw.conv1d(x, w, stride=2), [(2, "k", 31), (9, "k", 3)]),
}


@pytest.mark.parametrize("name", BLOCKED)
def test_blocks_of_k_that_are_copied_together(monkeypatch: pytest.MonkeyPatch, name: str):
    """Packing each block of 4 summed indices separately, and packing three at once, gives the same bits, on two threads too."""
    function, shapes = BLOCKED[name]
    exact, compiled = sw.jit(function, target="interpret"), {blocks: sw.jit(function) for blocks in (1, 3)}
    # The longest first: shorter ones alone would be compiled in.
    for k in (40, 0, 1, 3, 4, 5, 11, 12, 13):
        generator = np.random.default_rng(k)
        sizes = [[k if size == "k" else size for size in shape] for shape in shapes]
        arrays = [generator.standard_normal(shape).astype("float32") for shape in sizes]
        found: list[Any] = []
        for blocks, right_group in ((1, 4), (3, 1)):
            groups = {"blocks": blocks, "right_group": right_group, "left_group": 1}
            tiles = {"depth": 4, "rows": 2, "vectors": 1, "bytes": 32}
            lowering = {**pass_options(AVX512), "loop-tile-contractions": {**tiles, **groups}}
            monkeypatch.setattr("stepwell.runtime.toolchain.host.target_options", lambda _target, given=lowering: given)
            for threads in (1, 2):
                sw.set_num_threads(threads)
                found.append(compiled[blocks](*arrays))
        sw.set_num_threads(available_processors())
        np.testing.assert_allclose(found[0], exact(*arrays), rtol=1e-5, atol=1e-5)
        assert all(each.tobytes() == found[0].tobytes() for each in found), k
