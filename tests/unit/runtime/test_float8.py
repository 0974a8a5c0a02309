"""Floats of 8 bits: all their values in both directions, on every target, and matrix products."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.scalars.oracles import cast_numpy
from stepwell.ir.types.dtypes import FLOAT8_E4M3FN, FLOAT8_E5M2, DType, dtype
from stepwell.nn import checkpoints

FORMATS = (FLOAT8_E4M3FN, FLOAT8_E5M2)
TARGETS = ("interpret", "cpu", "triton-interpret")
OTHERS = ("float16", "bfloat16", "float32", "float64", "int8", "int32", "int64", "uint8", "bool")
formats = pytest.mark.parametrize("kind", FORMATS, ids=str)
targets = pytest.mark.parametrize("target", TARGETS)


def every(kind: DType) -> Any:
    """All 256 values, and some of them again, so that vectors have a remainder."""
    return np.arange(259, dtype=np.uint8).view(kind.numpy)


def bits(array: Any) -> Any:
    """The bits of floats of 8 bits; all NaNs have the same."""
    return np.where(np.isnan(array.astype(np.float32)), 255, array.view(np.uint8))


def hard_numbers(kind: DType) -> Any:
    """Numbers of float32 that are hard to round: all values, the midpoints between neighbours and the numbers next to them, all
    of float16 and bfloat16, and random bits."""
    known = np.sort(np.unique(every(kind).astype(np.float32)))
    known = known[np.isfinite(known)]
    greatest = np.float32(2 * known[-1] - known[-2])
    known = np.concatenate([[-greatest], known, [greatest]]).astype(np.float32)
    middles = ((known[1:].astype(np.float64) + known[:-1]) / 2).astype(np.float32)
    near = [np.nextafter(each, np.float32(to)) for each in (known, middles) for to in (-np.inf, np.inf)]
    halves = np.arange(1 << 16, dtype=np.uint16)
    random = np.random.default_rng(8).integers(0, 1 << 32, 1 << 16, dtype=np.uint32).view(np.float32)
    special = np.array([np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 3e38, -3e38, 1e-45, -1e-45], np.float32)
    wide = [halves.view(np.float16).astype(np.float32), halves.view(ml_dtypes.bfloat16).astype(np.float32)]
    return np.concatenate([known, middles, *near, *wide, random, special])


@pytest.mark.covering(1)
@formats
@targets
def test_all_values_as_other_dtypes(kind: DType, target: str):
    given = every(kind)
    others = [dtype(name) for name in (*OTHERS, *map(str, FORMATS))]
    found = sw.jit(lambda x: [sw.astype(x, each) for each in others], target=target)(given)
    with np.errstate(all="ignore"):
        for got, to in zip(found, others, strict=True):
            wide = given.astype(np.float32)
            if to.is_stored_only:
                np.testing.assert_array_equal(bits(got), bits(wide.astype(to.numpy)))
            elif to.is_float:
                assert got.dtype == to.numpy
                np.testing.assert_array_equal(got.astype(np.float64), wide.astype(to.numpy).astype(np.float64))
                assert np.array_equal(np.signbit(got), np.signbit(wide)), to
            elif to.kind == "bool":
                np.testing.assert_array_equal(got, wide != 0)
            else:
                np.testing.assert_array_equal(got, cast_numpy(wide, to), strict=True)


@pytest.mark.covering(1)
@formats
@targets
def test_numbers_round_to_nearest_even(kind: DType, target: str):
    given = hard_numbers(kind)
    found = sw.jit(lambda x: sw.astype(x, kind), target=target)(given)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(bits(found), bits(given.astype(kind.numpy)))


@formats
def test_numbers_round_as_those_of_torch(kind: DType):
    torch = pytest.importorskip("torch")
    given = hard_numbers(kind)
    expected = torch.from_numpy(given).to(getattr(torch, str(kind)))
    found = sw.jit(lambda x: sw.astype(x, kind))(given)
    # Newer versions of torch saturate to the greatest number of float8_e4m3fn, instead of NaN.
    within = np.abs(given) <= float(ml_dtypes.finfo(kind.numpy).max)
    expected = expected.view(torch.uint8).numpy().view(kind.numpy)
    np.testing.assert_array_equal(bits(found)[within], bits(expected)[within])


@pytest.mark.covering(1)
@formats
@targets
@pytest.mark.parametrize("name", ["float16", "bfloat16", "float64", "int32", "int64", "bool"])
def test_other_dtypes_round_through_float32(kind: DType, target: str, name: str):
    with np.errstate(all="ignore"):
        wide = hard_numbers(kind)[::7]
        given = np.nan_to_num(wide, nan=3, posinf=1, neginf=2).clip(-1e9, 1e9) if name[:3] == "int" else wide
        given = given.astype(dtype(name).numpy)
        expected = given.astype(np.float32).astype(kind.numpy)
    found = sw.jit(lambda x: sw.astype(x, kind), target=target)(given)
    np.testing.assert_array_equal(bits(found), bits(expected))


@pytest.mark.covering(1)
@formats
@targets
def test_elements_are_moved_and_selected(kind: DType, target: str):
    x = np.arange(24, dtype=np.uint8).reshape(4, 6).view(kind.numpy)

    @sw.jit(target=target)
    def moved(x: Any, i: Any) -> Any:
        chosen = sw.where(sw.astype(x, "float32") > 0.01, x, sw.full((), 2, kind))
        return chosen.T, sw.pad(x[1:, ::2], 1), sw.concat([x, x]), sw.take(x, i, axis=1), sw.zeros((3,), kind)

    i = np.array([5, 0, 0])
    chosen = np.where(x.astype(np.float32) > 0.01, x, np.asarray(2, kind.numpy))
    padded = np.pad(x[1:, ::2].view(np.uint8), 1).view(kind.numpy)
    expected = [chosen.T, padded, np.concatenate([x, x]), np.take(x, i, axis=1), np.zeros(3, kind.numpy)]
    for got, want in zip(moved(x, i), expected, strict=True):
        assert got.dtype == want.dtype and np.array_equal(got.view(np.uint8), np.ascontiguousarray(want).view(np.uint8))


def quantised(shape: tuple[int, ...], kind: DType, seed: int) -> Any:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32).astype(kind.numpy)


@pytest.mark.covering(1)
@targets
@pytest.mark.parametrize(("first", "second"), [(a, b) for a in FORMATS for b in FORMATS], ids=str)
def test_products_are_summed_in_float32(target: str, first: DType, second: DType):
    a, b = quantised((40, 96), first, 1), quantised((96, 33), second, 2)
    found = sw.jit(lambda a, b, scale: sw.matmul(a, b) * scale, target=target)(a, b, np.float32(0.25))
    assert found.dtype == np.float32
    exact = a.astype(np.float64) @ b.astype(np.float64) * 0.25
    np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-5)


@targets
def test_scaled_products_of_float32(target: str):
    """The program quantises, with a scale for each row."""

    @sw.jit(target=target)
    def product(a: Any, b: Any) -> Any:
        scale = sw.max(sw.abs(a), axis=1, keepdims=True) / 448.0
        return sw.matmul(sw.astype(a / scale, "float8_e4m3fn"), sw.astype(b, sw.float8_e4m3fn)) * scale

    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((33, 64), (64, 48)))
    scale = np.abs(a).max(1, keepdims=True) / np.float32(448)
    small = [each.astype(ml_dtypes.float8_e4m3fn).astype(np.float64) for each in (a / scale, b)]
    np.testing.assert_allclose(product(a, b), small[0] @ small[1] * scale, rtol=1e-4, atol=1e-4)


def test_other_contractions():
    a, b = quantised((5, 6), FLOAT8_E5M2, 4), quantised((6, 7), FLOAT8_E5M2, 5)
    x, w = quantised((1, 3, 8, 8), FLOAT8_E4M3FN, 6), quantised((4, 3, 3, 3), FLOAT8_E4M3FN, 7)

    @sw.jit
    def contracted(a: Any, b: Any, x: Any, w: Any) -> Any:
        pairs = sw.einsum("ij,jk->ik", a, b), sw.tensordot(a, b, axes=1), sw.dot(a, b), sw.vecdot(a[0], b[:, 0])
        return (*pairs, sw.conv2d(x, w) - sw.conv2d(sw.astype(x, "float32"), sw.astype(w, "float32")))

    found = contracted(a, b, x, w)
    exact = a.astype(np.float32) @ b.astype(np.float32)
    for got in found[:3]:
        np.testing.assert_allclose(got, exact, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found[3], exact[0, 0], rtol=1e-6)
    assert found[4].dtype == np.float32 and not found[4].any()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: x + x, "'add': expected operands to compute with, got float8_e4m3fn, which is only stored: cast to float32"),
        (lambda x: x * 2.0, "got float8_e4m3fn, which is only stored: cast to float32 first"),
        (lambda x: sw.exp(x), "got float8_e4m3fn, which is only stored: cast to float32 first"),
        (lambda x: x < x, "got float8_e4m3fn, which is only stored"),
        (lambda x: sw.scatter(x, np.array([0]), x[:1], 0, op="add"), "'add': expected operands to compute with, got float8"),
        (lambda x: sw.sum(x), "float8_e4m3fn"),
        (lambda x: x + sw.ones((4,), "float32"), "no common dtype of float8_e4m3fn and float32: cast one to the other"),
        (lambda x: sw.concat([x, sw.astype(x, "float8_e5m2")]), "no common dtype of float8_e4m3fn and float8_e5m2"),
        (lambda x: sw.matmul(x, sw.ones((4,), "bfloat16")), "no common dtype of float8_e4m3fn and bfloat16"),
    ],
)
def test_arithmetic_is_refused(wrong: Any, message: str):
    with pytest.raises(sw.CompileError, match=message) as caught:
        sw.jit(wrong)(np.zeros(4, ml_dtypes.float8_e4m3fn))
    assert "test_float8.py" in str(caught.value)


@pytest.mark.covering(1)
@formats
@pytest.mark.parametrize("target", ["cpu", "triton-interpret"])
def test_tensors_of_torch(kind: DType, target: str):
    torch = pytest.importorskip("torch")
    x = torch.arange(256, dtype=torch.uint8).view(getattr(torch, str(kind)))

    @sw.jit(target=target)
    def there_and_back(x: Any) -> Any:
        return x, sw.astype(sw.astype(x, "float32") * 0.5, kind)

    for _ in range(2):
        same, half = there_and_back(x)
        assert same.dtype == half.dtype == x.dtype and torch.equal(same.view(torch.uint8), x.view(torch.uint8))
        expected = (x.float() * 0.5).to(x.dtype)
        assert np.array_equal(*(bits(each.view(torch.uint8).numpy().view(kind.numpy)) for each in (half, expected)))


def test_gradients_through_quantisation():
    """Cotangents round as elements do: the cotangent of a cast has the dtype of the cast's operand."""

    def loss(a: Any, b: Any) -> Any:
        return sw.sum(sw.matmul(sw.astype(a, "float8_e5m2"), sw.astype(b, "float8_e5m2")))

    a, b = np.ones((3, 4), np.float32), np.full((4, 5), 2, np.float32)
    found = sw.jit(sw.grad(loss, argnums=(0, 1)))(a, b)
    np.testing.assert_array_equal(found[0], np.full((3, 4), 10, np.float32))
    np.testing.assert_array_equal(found[1], np.full((4, 5), 3, np.float32))


@formats
def test_checkpoints(kind: DType, tmp_path: Any):
    checkpoints.save(tmp_path / "model.safetensors", {"w": every(kind)})
    loaded = checkpoints.load(tmp_path / "model.safetensors")["w"]
    assert loaded.dtype == kind.numpy and np.array_equal(loaded.view(np.uint8), every(kind).view(np.uint8))


def lowered(function: Any, *specs: Any) -> Any:
    return sw.lower(function, *specs, target="cuda", trace=False).executable().program


class TestCompiled:
    """Triton's output for kernels, for GPUs that this machine lacks."""

    @pytest.fixture(autouse=True)
    def _triton(self):
        pytest.importorskip("triton")

    def test_matrix_units_multiply_them(self):
        specs = sw.Spec((512, 512), "float8_e4m3fn"), sw.Spec((512, 512), "float8_e5m2")
        program = lowered(lambda a, b: sw.matmul(a, b) * 0.5, *specs)
        (kernel,) = program.compile_offline(("cuda", 90, 32)).values()
        assert b"wgmma.mma_async.sync.aligned" in kernel["ptx"] and b".f32.e4m3.e5m2" in kernel["ptx"]
        large = sw.lower(
            lambda a, b: sw.matmul(a, b), *[sw.Spec((4096, 4096), "float8_e4m3fn")] * 2, target="cuda", trace=False
        )
        (resources,) = large.resources("h100")
        assert resources.stack == 0 and "spill" not in resources.instructions
        for target in (("cuda", 80, 32), ("hip", "gfx942", 64)):
            (kernel,) = program.compile_offline(target).values()
            text = kernel.get("ptx") or kernel["amdgcn"]
            assert b"f32.f16.f16.f32" in text or b"v_mfma_f32_16x16x16_f16" in text or b"v_mfma_f32_32x32x8_f16" in text

    @formats
    def test_casts_have_instructions_where_there_are_such(self, kind: DType):
        program = lowered(lambda x: (sw.astype(x, kind),), sw.Spec((4096,), "float32"))
        (kernel,) = program.compile_offline(("cuda", 90, 32)).values()
        name = "e4m3x2" if kind is FLOAT8_E4M3FN else "e5m2x2"
        assert f"cvt.rn.satfinite.{name}.f32".encode() in kernel["ptx"]
        for target in (("cuda", 80, 32), ("hip", "gfx942", 64)):
            (kernel,) = program.compile_offline(target).values()
            assert b"satfinite" not in (kernel.get("ptx") or kernel["amdgcn"])


@formats
def test_casts_in_graphs_of_torch(kind: DType):
    """Casts follow torch, which saturates in newer versions."""
    torch = pytest.importorskip("torch")
    x = torch.tensor([0.1, 448.0, 463.0, 480.0, -1e9, float("inf"), float("nan"), 1e-9])

    def there_and_back(x: Any) -> Any:
        return (x * 1.0).to(getattr(torch, str(kind))).float() + 0.5

    found = torch.compile(there_and_back, backend="stepwell", options={"target": "interpret"})(x)
    torch.testing.assert_close(found, there_and_back(x), rtol=0, atol=0, equal_nan=True)
