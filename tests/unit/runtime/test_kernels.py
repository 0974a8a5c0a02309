"""The kernels of programs: their number, the buffers that they read, and their resources on a GPU, which need not exist."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import math
from collections import Counter

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import loop, make_context, tile
from stepwell.ir.index.expressions import Atom, Param
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.emit_triton.functions import FAST_SPELLINGS
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tests.unit.runtime.kernel_programs import (
    BOUND_BY_MEMORY,
    PRODUCTS,
    PROGRAMS,
    attention,
    causal_attention,
    cross_entropy,
    cross_entropy_of_labels,
    gradient_of,
    half,
    softmax,
    spec,
    window_attention,
)
from xdsl.dialects.builtin import MemRefType, VectorType, i64
from xdsl.dialects.func import FuncOp

needs_triton = pytest.mark.skipif(
    not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")),
    reason="Triton and torch are not installed",
)


@functools.cache
def lowered(name: str) -> sw.frontend.lowered.function.Lowered:
    function, arguments, _ = PROGRAMS[name]
    return sw.lower(function, *arguments, target="cuda", trace=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_number_of_kernels(name):
    module = parse_module(lowered(name).ir("tile"), make_context())
    assert sum(isinstance(op, tile.LaunchOp) for op in module.walk()) <= PROGRAMS[name][2]


READ_ONCE = ("softmax", "layer norm", "log-sum-exp", "cross entropy with gradient", "bias", "sum of rows", "sum of everything")


@pytest.mark.parametrize("name", READ_ONCE)
def test_each_input_is_read_once(name):
    """On the tile level: each kernel loads an argument once, and loops load nothing that is invariant in them."""
    module = parse_module(lowered(name).ir("tile"), make_context())
    for kernel in module.body.block.ops:
        loads = Counter(op.buffer for op in kernel.walk() if isinstance(op, tile.LoadOp))
        assert all(count == 1 for count in loads.values())


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "attention" in name])
def test_of_attention_nothing_that_grows_with_the_square_of_its_length_is_stored(name):
    module = parse_module(lowered(name).ir("tile"), make_context())
    kept = [op.result.type for op in module.walk() if isinstance(op, tile.AllocOp)]
    # Statistics of rows, which the gradient needs.
    assert all(math.prod(kind.get_shape()) == 2 * 8 * 1024 for kind in kept if isinstance(kind, MemRefType))
    assert len(kept) == (4 if "gradient" in name else 0)


def test_keys_that_no_row_sees_are_not_visited():
    """The loops over keys end at the last row of a block, and begin at the start of its window."""
    for name, ends in (("causal attention", 2), ("window attention", 1)):
        module = parse_module(lowered(name).ir("scheduled"), make_context())
        loops = [op for op in module.walk() if isinstance(op, loop.ForOp) and op.kind.data == "sequential"]
        assert len(loops) == ends and all(op.upper.dims() for op in loops[-1:])
        assert bool(loops[0].lower.dims()) == (name == "window attention")


def test_attention_of_one_batch_beside_an_array_of_another():
    """Unrelated arrays do not decide whether it is one kernel."""
    one, weights = half(1, 8, 512, 64), half(64, 64, 3, 3)
    low = sw.lower(lambda q, k, v, w: (causal_attention(q, k, v), w + 1), one, one, one, weights, target="cuda")
    assert low.ir("tile").count("tile.launch") == 2


SYMBOLIC = {
    "bias": (lambda x, b: sw.relu(x + b), (spec("n", "m"), spec("m"))),
    "softmax": (softmax, (spec("n", "m"),)),
    "product": (lambda a, b: a @ b, (half("n", "k"), half("k", "m"))),
    "sum of columns": (lambda x: sw.sum(x, axis=0), (spec("n", "m"),)),
}


@pytest.mark.parametrize("name", SYMBOLIC)
def test_indices_of_symbolic_sizes_have_32_bits_under_a_condition(name):
    """Each kernel has a version with 64 bits; one of the two runs, and the version with 32 bits computes no wider index."""
    function, arguments = SYMBOLIC[name]
    low = sw.lower(function, *arguments, target="cuda", trace=False)
    module = parse_module(low.ir("tile"), make_context())
    launches = [op for op in module.walk() if isinstance(op, tile.LaunchOp)]
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}
    narrow = [op for op in launches if "sw.narrow" in kernels[op.kernel.root_reference.data].attributes]
    assert len(narrow) * 2 == len(launches)
    for launch in narrow:
        kernel = kernels[launch.kernel.root_reference.data]
        wide = [op for op in kernel.walk() if any(i64 in (each.type, _element(each.type)) for each in op.results)]
        assert not wide, [*map(str, wide)]
    for sizes in ((100, 300, 500), (60000, 64, 70000), (1 << 20, 1 << 20, 1 << 12)):
        known: dict[Atom, int] = {Param(key): value for key, value in zip("nmk", sizes, strict=True)}
        for first, second in itertools.pairwise(launches):
            if first in narrow:
                running = [all(each.evaluate(known) >= 0 for each in op.conditions) for op in (first, second)]
                assert sum(running) <= 1
                assert not running[0] or math.prod(sizes[:2]) < 1 << 31


def _element(kind):
    return kind.element_type if isinstance(kind, VectorType) else None


@pytest.mark.covering(1)
@needs_triton
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (softmax, [(3, 0)]),
        (sw.sum, [(0,)]),
        (lambda x: sw.sum(x, axis=0), [(0, 5)]),
        (lambda x: sw.sum(x, axis=1), [(3, 0)]),
        (lambda x: sw.cumsum(x, axis=0), [(0,)]),
        (lambda a, b: a @ b, [(20, 0), (0, 30)]),
        (attention, [(20, 64), (0, 64), (0, 64)]),
    ],
)
def test_lanes_of_empty_axes_touch_nothing(function, shapes, static):
    given = [np.ones(shape, "float32") for shape in shapes]
    wanted = sw.jit(function, target="interpret", static=static)(*given)
    np.testing.assert_array_equal(sw.jit(function, target=TRITON, static=static)(*given), wanted)


@needs_triton
def test_windows_of_other_sizes_than_the_first_ones():
    """The first call compiles code for its windows and short axes; a call with others compiles again, or runs a version for all
    sizes."""
    random = np.random.default_rng(5)

    def convolution(x, w):
        return sw.conv2d(x, w, padding=1)

    compiled = sw.jit(convolution, target=TRITON)
    first = [random.standard_normal(shape).astype("float32") for shape in ((2, 3, 9, 10), (4, 3, 3, 3))]
    low = sw.lower(convolution, *first, target=TRITON)
    for shapes in (((2, 3, 9, 10), (4, 3, 3, 3)), ((1, 3, 8, 8), (4, 3, 3, 3)), ((1, 6, 8, 7), (5, 6, 5, 2))):
        given = [random.standard_normal(shape).astype("float32") for shape in shapes]
        wanted = sw.jit(convolution, target="interpret")(*given)
        np.testing.assert_allclose(compiled(*given), wanted, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(low(*given), wanted, rtol=1e-4, atol=1e-5)


LENGTHS = {"few": (3, 9), "one more than a tile": (65, 1025), "two parts": (2, 9001), "many rows": (5000, 3)}


@needs_triton
@pytest.mark.covering(1)
@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize(
    "function",
    [
        lambda x: sw.sum(x, axis=1),
        lambda x: sw.max(x, axis=0),
        lambda x: sw.prod(x / 2, axis=1),
        lambda x: sw.argmax(x, axis=1),
        sw.mean,
        lambda x: sw.cumsum(x, axis=1),
        lambda x: sw.cummax(x, axis=0),
        lambda x: sw.softmax(x, axis=1),
        lambda x: sw.softmax(x, axis=0),
        lambda x: x - sw.mean(x, axis=0) / sw.std(x),
        lambda x: sw.permute_dims(x, (1, 0)) + sw.sum(x, axis=1),
    ],
)
def test_rows_columns_and_parts_of_all_lengths(function, lengths):
    """Sizes below and above the limits at which another version of a kernel runs."""
    x = np.random.default_rng(3).uniform(-1, 2, LENGTHS[lengths]).astype("float32")
    wanted = sw.jit(function, target="interpret")(x)
    np.testing.assert_allclose(sw.jit(function, target=TRITON)(x), wanted, rtol=2e-5, atol=2e-5)


@needs_triton
@pytest.mark.parametrize("rows", [2, 70])
def test_the_last_program_adds_up_what_the_others_left(rows):
    """The counter is reused by repeated launches."""
    random = np.random.default_rng(8)
    x, y = (random.uniform(0, 1, (rows, 40)).astype("float32") for _ in range(2))
    function = sw.value_and_grad(cross_entropy)
    low = sw.lower(function, spec(rows, 40), spec(rows, 40), target=TRITON)
    assert low.ir("tile").count("tile.finish") == low.ir("tile").count("tile.launch") == 1
    wanted = sw.jit(function, target="interpret")(x, y)
    for _ in range(2):
        for ours, theirs in zip(low(x, y), wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@needs_triton
def test_programs_share_reductions_with_checks():
    """Each program checks the indices of its part."""
    random = np.random.default_rng(8)
    x, labels = random.standard_normal((30, 40)).astype("float32"), random.integers(-40, 40, 30)
    low = sw.lower(cross_entropy_of_labels, x, labels, target=TRITON, static=True)
    assert low.ir("tile").count("tile.launch") == low.ir("tile").count("tile.finish") == 1
    wanted = sw.jit(cross_entropy_of_labels, target="interpret")(x, labels)
    np.testing.assert_allclose(low(x, labels), wanted, rtol=1e-5)
    gradient = sw.grad(cross_entropy_of_labels)
    wanted = sw.jit(gradient, target="interpret")(x, labels)
    np.testing.assert_allclose(sw.jit(gradient, target=TRITON)(x, labels), wanted, rtol=1e-5, atol=1e-7)
    table, rows = random.standard_normal((40, 3)).astype("float32"), random.integers(-40, 40, 2500)
    few = sw.lower(lambda table, rows: sw.sum(sw.take(table, rows, axis=0), axis=0), table, rows, target=TRITON)
    np.testing.assert_allclose(few(table, rows), table[rows].sum(axis=0, dtype="float64"), atol=1e-3)
    labels[25] = rows[-1] = 40
    for program, given in ((low, (x, labels)), (few, (table, rows))):
        with pytest.raises(IndexError, match="index 40 is out of range for an axis of size 40"):
            program(*given)


@needs_triton
def test_scans_of_one_loop_that_include_and_exclude_the_element():
    x = np.random.default_rng(6).standard_normal((5, 40)).astype("float32")

    def scans(x):
        return sw.cummax(x, axis=1), sw.cumsum(x, axis=1, exclusive=True), sw.cumsum(x, axis=1)

    for ours, theirs in zip(sw.jit(scans, target=TRITON)(x), sw.jit(scans, target="interpret")(x), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


@needs_triton
@pytest.mark.parametrize("name", [name for name in FAST_SPELLINGS if name != "div"])
def test_approximations_are_hidden_by_half_precision(name):
    """The relative error is at most that of one rounding, also for small results."""
    import torch

    x = np.concatenate([np.linspace(-11, 11, 2001), np.geomspace(1e-6, 1, 500)]).astype("float32")
    x = x[x > 0] if name in ("sqrt", "rsqrt") else x[x != 0]
    function = getattr(sw, name)
    low = sw.lower(lambda x: sw.astype(function(x), "bfloat16"), sw.Spec(("n",)), target=TRITON)
    assert "sw.fast" in low.ir("tile")
    wanted = sw.jit(function, target="interpret")(x.astype("float64"))
    found = low(torch.from_numpy(x)).double().numpy()
    np.testing.assert_allclose(found, wanted, rtol=2.0**-8)


@needs_triton
@pytest.mark.covering(1)
@pytest.mark.parametrize("lengths", [(1, 1), (40, 200), (128, 256), (130, 384)])
@pytest.mark.parametrize("function", [attention, causal_attention, window_attention])
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_attention_of_all_lengths(function, lengths, kind):
    import torch

    rows, keys = lengths if function is attention else (lengths[1], lengths[1])
    random = np.random.default_rng(4)
    heads = 1 if keys > 256 else 2
    given = [
        torch.from_numpy(random.standard_normal((heads, size, 64))).to(getattr(torch, kind)) for size in (rows, keys, keys)
    ]
    wanted = sw.jit(function, target="interpret")(*(each.double() for each in given)).numpy()
    result = sw.jit(function, target=TRITON)(*given)
    np.testing.assert_allclose(result.double().numpy(), wanted, atol=1e-5 if kind == "float32" else 3e-2)


@needs_triton
@pytest.mark.covering(1)
@pytest.mark.parametrize("lengths", [(1, 1), (40, 70), (64, 96)])
@pytest.mark.parametrize("function", [attention, causal_attention])
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_gradients_of_attention_of_all_lengths(function, lengths, kind):
    import torch

    rows, keys = lengths if function is attention else (lengths[1], lengths[1])
    random = np.random.default_rng(4)
    given = [torch.from_numpy(random.standard_normal((2, n, 32))).to(getattr(torch, kind)) for n in (rows, keys, keys, rows)]
    wanted = sw.jit(gradient_of(function), target="interpret")(*(each.double() for each in given))
    kinds = [sw.Spec(tuple(each.shape), kind) for each in given]
    low = sw.lower(gradient_of(function), *kinds, target=TRITON)
    assert low.ir("tile").count("tile.launch") <= 3
    for ours, theirs in zip(low(*given), wanted, strict=True):
        np.testing.assert_allclose(ours.double().numpy(), theirs.numpy(), atol=1e-5 if kind == "float32" else 4e-2)


@needs_triton
def test_rows_without_a_finite_score():
    """NaN where a row sees nothing or a score is infinite, as in softmax."""
    q, k, v = np.ones((3, 16, 8), "float32")
    q[1], q[2] = np.inf, np.nan

    def masked(q, k, v):
        seen = sw.arange(16)[:, None] > sw.arange(16)[None, :]
        return sw.softmax(sw.where(seen, q @ sw.matrix_transpose(k), -np.inf), axis=-1) @ v

    with np.errstate(all="ignore"):
        wanted = sw.jit(masked, target="interpret")(q, k, v)
    assert np.isnan(wanted[:3]).all() and not np.isnan(wanted[3:]).any()
    np.testing.assert_allclose(sw.jit(masked, target=TRITON)(q, k, v), wanted, rtol=1e-5)


@needs_triton
@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_spills_on_hopper(name):
    found = lowered(name).resources()
    assert found and all(each.stack == 0 and "spill" not in each.instructions for each in found), [*map(str, found)]
    if name in PRODUCTS:
        assert all(each.instructions.get("wgmma", 0) > 0 for each in found[-1 if name == "convolution" else 0 :])
    if name in BOUND_BY_MEMORY:
        largest = max(found, key=lambda each: each.instructions["all"])
        wide, loads = (largest.instructions.get(kind, 0) for kind in ("load 16 bytes", "load"))
        assert wide >= 0.9 * loads, str(largest)


@needs_triton
def test_products_of_float32_in_the_precision_that_is_chosen():
    """With "high" precision on matrix units; the code of each choice is kept."""

    def product(a, b):
        return a @ b

    def instructions():
        (found,) = sw.lower(product, spec(1024, 1024), spec(1024, 1024), target="cuda", trace=False).resources("h100")
        assert found.stack == 0
        return found.instructions

    with sw.precision("high"):
        kinds = instructions()
        assert kinds.get("wgmma", 0) + kinds.get("mma", 0) > 0
        low = sw.lower(product, spec(40, 50), spec(50, 30), target=TRITON)
    assert {"wgmma", "mma"}.isdisjoint(instructions())
    a, b = (np.random.default_rng(2).standard_normal(shape).astype("float32") for shape in ((40, 50), (50, 30)))
    np.testing.assert_allclose(low(a, b), a @ b, rtol=1e-4, atol=1e-2)
    with (
        pytest.raises(ValueError, match=r"precision: expected one of highest, high, got 'hihg': did you mean 'high'"),
        sw.precision("hihg"),
    ):
        pass


def on_other_gpus():
    """Each program for each of two GPUs, in an order whose every fourth case is of another program, for either GPU in turn."""
    gpus, names = (("cuda", 80, 32), ("hip", "gfx942", 64)), list(PROGRAMS)
    for start in range(0, len(names), 2):
        yield from ((name, gpu) for name in names[start : start + 2][::-1] for gpu in gpus[:: -1 if start % 4 else 1])


@needs_triton
@pytest.mark.every(4)
@pytest.mark.parametrize(("name", "target"), list(on_other_gpus()))
def test_kernels_compile_for_other_gpus(name, target):
    made = lowered(name).executable().program.compile_offline(target)
    assert made and all(("cubin" if target[0] == "cuda" else "hsaco") in stages for stages in made.values())


@needs_triton
def test_resources_with_what_a_call_is_predicted_to_take():
    def rows(x):
        centred = x - sw.max(x, axis=-1, keepdims=True)
        return sw.exp(centred)

    low = sw.lower(rows, spec("n", 1024), target="cuda")
    (found,) = low.resources("a100", n=4096)
    assert found.gpu.name == "A100" and found.cost is not None and found.cost.bytes["memory"] == 2 * 4096 * 1024 * 4
    assert 0 < found.occupancy <= 1 and sum(found.lines.values()) == pytest.approx(1)
    first = rows.__code__.co_firstlineno
    assert {line for _, line in found.lines} <= {first + 1, first + 2}
    assert all(each.cost is None for each in low.resources(80))
    with pytest.raises(TypeError, match="there is no size 'm'"):
        low.resources(m=3)
    with pytest.raises(sw.CompileError, match="no GPU of compute capability 75 is known, only 80, 89, 90"):
        low.resources(75)
    with pytest.raises(sw.CompileError, match="resources of kernels on MI300X are unknown"):
        low.resources("mi300x")


def test_only_kernels_have_resources():
    with pytest.raises(sw.CompileError, match="target 'cpu' has no kernels"):
        sw.lower(softmax, spec("n", "m")).resources()
