"""Sums of squared distances from a mean, in one pass with the mean: rows of several blocks, compiled for CPUs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.index.expressions import index
from stepwell.passes.loop.online import loop_one_pass_variance

PART = 1024
FEW = loop_one_pass_variance.FEW
UNLIKE = 17  # the row of `_rows` whose first elements are random ones, and the others 0
INF, NAN = np.inf, np.nan
MATRIX = sw.Spec(("n", "m"), "float32")
Distances = Callable[[Any, Any], tuple[Any, Any, Any]]


@pytest.fixture(autouse=True)
def rows_come_from_memory(monkeypatch: pytest.MonkeyPatch):
    """Buffers of any size count as main memory, on a machine whose blocks have PART elements."""
    monkeypatch.setattr(loop_one_pass_variance, "size_exceeds", lambda *_: index(0))
    monkeypatch.setenv("STEPWELL_MACHINE", "zen4")


# Each takes the library, Stepwell or NumPy, and the rows, and gives a sum, an origin, and the squared values.


def _sum(lib: Any, v: Any) -> Any:
    return lib.sum(v, axis=-1, keepdims=True)


def _about_mean(lib: Any, v: Any) -> tuple[Any, Any, Any]:
    return _sum(lib, v), _sum(lib, v) / v.shape[-1], v


def _about_something(lib: Any, v: Any) -> tuple[Any, Any, Any]:
    return _sum(lib, v), _sum(lib, v) / (v.shape[-1] + 3) - 0.25, v


def _of_a_function(lib: Any, v: Any) -> tuple[Any, Any, Any]:
    w = lib.where(v > 0, v, v * 0.5) * 0.75
    return _sum(lib, w), _sum(lib, w) / v.shape[-1], w


ONLINE: dict[str, Distances] = {
    "the mean": _about_mean,
    "another origin": _about_something,
    "of a function": _of_a_function,
    "beside a maximum": lambda lib, v: (lib.max(v, axis=-1, keepdims=True), *_about_mean(lib, v)[1:]),
}


def _program(lib: Any, distances: Distances, from_there: bool = False) -> Callable[[Any], tuple[Any, Any, Any]]:
    def run(v: Any) -> tuple[Any, Any, Any]:
        total, origin, element = distances(lib, v)
        distance = origin - element if from_there else element - origin
        return total, origin, _sum(lib, distance * distance)

    return run


def _rows(length: int) -> Any:
    """Rows near 0 and far from it, steady, rising and in steps, with distant first elements, and with infinities."""
    generator = np.random.default_rng(length)
    rows = generator.normal(size=(18, length)).astype(np.float32)
    rows[1] += 1000
    rows[2] = np.sort(rows[2]) + 1000
    rows[3] += 1e6
    rows[4] = 1000 + np.arange(length) // PART
    rows[5] = 0.1
    rows[6, 0] = 1e5
    rows[7, 0] = 1e30
    rows[8] *= 1e-22
    rows[9] *= 1e18
    rows[10, -1] = INF
    rows[11, 0] = -INF
    rows[12, length // 2] = NAN
    rows[13] *= 1e30
    rows[14, ::2], rows[14, 1::2] = 1e35, -1e35
    rows[15] = -0.0
    rows[16, :FEW] = 1e5
    rows[17, FEW:] = 0
    return rows


def _lengths(part: int) -> tuple[int, ...]:
    return 1, part, part + 1, 3 * part + 17


def _goes_by_parts(lowered: Any, part: int = PART) -> bool:
    return f"step {part} carry" in lowered.ir("scheduled")


@pytest.mark.covering
@pytest.mark.parametrize(("machine", "part"), [("zen4", PART), ("zen5", 4 * PART)])
@pytest.mark.parametrize("from_there", [False, True])
@pytest.mark.parametrize("name", ONLINE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_of_several_parts(name: str, from_there: bool, machine: str, part: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_MACHINE", machine)
    compiled = sw.lower(_program(sw, ONLINE[name], from_there), MATRIX)
    assert _goes_by_parts(compiled, part)
    for length in _lengths(part):
        # Enough rows for unroll-and-jam, and single rows.
        for x in (_rows(length), np.tile(_rows(length), (8, 1))):
            total, origin, squares = compiled(x)
            wide = x.astype(np.float64)
            wide_total, wide_origin, _ = ONLINE[name](np, wide)
            size = _sum(np, np.abs(wide))
            if part > PART:  # the longer the first block, the more elements may be unlike its first ones
                unlike = wide[UNLIKE :: len(_rows(1))]
                far = np.abs(unlike[:, :part] - unlike[:, :FEW].mean(axis=-1, keepdims=True))
                size[UNLIKE :: len(_rows(1))] += _sum(np, far)
            for got, expected in ((total, wide_total), (origin, wide_origin)):
                assert not np.any(np.abs(got - expected) > 2e-7 * (np.abs(expected) + size)), x.shape
                np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
            element = ONLINE[name](np, x)[2]
            expected = _sum(np, (element - origin.astype(np.float64)) ** 2).astype(np.float32)
            np.testing.assert_allclose(squares, expected, rtol=1e-6, atol=1e-37, err_msg=f"{name}, {x.shape}")


FIXED: dict[str, Callable[[Any, Any], Any]] = {
    "a bounded mean": lambda lib, v: lib.clip(_sum(lib, v) / v.shape[-1], -10.0, 10.0),
    "a finite mean": lambda lib, v: lib.where(
        lib.isfinite(_sum(lib, v)), _sum(lib, v) / v.shape[-1], lib.zeros_like(_sum(lib, v))
    ),
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_infinite_elements_are_infinitely_far_from_finite_origins(name: str):
    def run(v: Any) -> tuple[Any, Any]:
        origin = FIXED[name](sw, v)
        return origin, _sum(sw, sw.square(v - origin))

    compiled = sw.lower(run, MATRIX)
    assert _goes_by_parts(compiled)
    for length in _lengths(PART):
        x = _rows(length)
        origin, squares = compiled(x)
        expected = _sum(np, (x.astype(np.float64) - origin) ** 2).astype(np.float32)
        assert length == 1 or np.isinf(expected).sum() > 2
        np.testing.assert_allclose(squares, expected, rtol=1e-6, atol=1e-37, err_msg=f"{x.shape}")


LEFT_ALONE: dict[str, Distances] = {
    "squares of others": lambda lib, v: (_sum(lib, v), _sum(lib, v), v + 1),
    "squares of elements elsewhere": lambda lib, v: (_sum(lib, v), _sum(lib, v), lib.flip(v, axis=-1)),
    "from an origin that changes": lambda lib, v: (_sum(lib, v), _sum(lib, v) + lib.cos(v), v),
    "no sum": lambda lib, v: (lib.max(v, axis=-1, keepdims=True), lib.max(v, axis=-1, keepdims=True), v),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_is_left_alone(name: str):
    compiled = sw.lower(_program(sw, LEFT_ALONE[name]), MATRIX)
    assert not _goes_by_parts(compiled)
    x = _rows(PART + 1)[:4]
    for got, expected in zip(compiled(x), _program(np, LEFT_ALONE[name])(x.astype(np.float64)), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-4)


@pytest.mark.parametrize("name", ONLINE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_of_one_part_have_the_bits_of_two_loops(name: str, monkeypatch: pytest.MonkeyPatch):
    online = sw.lower(_program(sw, ONLINE[name]), MATRIX)
    monkeypatch.setattr(loop_one_pass_variance, "_chains", lambda *_: iter(()))
    twice = sw.lower(_program(sw, ONLINE[name]), MATRIX)
    assert _goes_by_parts(online) and not _goes_by_parts(twice)
    for x in (_rows(PART), np.tile(_rows(77), (8, 1)), np.zeros((3, 0), np.float32)):
        for one, other in zip(online(x), twice(x), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("shape", "parts"), [((3, PART), False), ((3, PART + 1), True), (("n", PART + 1), True)])
def test_known_lengths_need_no_second_version(shape: tuple[int | str, int], parts: bool):
    text = sw.lower(lambda v: sw.var(v, axis=-1), sw.Spec(shape, "float32")).ir("scheduled")
    assert (f"step {PART} carry" in text) == parts and "else" not in text


def test_what_is_summed_in_float64_is_left_alone_where_elements_are_float64():
    assert not _goes_by_parts(sw.lower(_program(sw, _about_mean), sw.Spec(("n", "m"), "float64")))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_other_floats(dtype: str):
    x = np.random.default_rng(3).normal(size=(5, 2 * PART + 5)) * 4
    x = np.asarray(sw.astype(x, dtype))
    compiled = sw.lower(lambda v: sw.var(v, axis=-1), sw.Spec(("n", "m"), dtype))
    assert _goes_by_parts(compiled)
    tolerance = {"float16": 1e-3, "bfloat16": 1e-2}[dtype]
    np.testing.assert_allclose(
        np.asarray(compiled(x)).astype(np.float64), np.var(x.astype(np.float64), axis=-1), rtol=tolerance
    )
