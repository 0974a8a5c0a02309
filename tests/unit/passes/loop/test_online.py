"""Sums of exponentials relative to the maximum of a row, in one pass: rows of several blocks, compiled for CPUs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.passes.loop.online import loop_online_softmax

PART = 4096
LENGTHS = (1, PART - 1, PART, PART + 1, 3 * PART + 17)
INF, NAN = np.inf, np.nan
MATRIX = sw.Spec(("n", "m"), "float32")


# Each takes the library, Stepwell or NumPy, and the rows.


def _max(lib: Any, v: Any) -> Any:
    return lib.max(v, axis=-1, keepdims=True)


def _sum(lib: Any, v: Any) -> Any:
    return lib.sum(v, axis=-1, keepdims=True)


def _finite(lib: Any, v: Any) -> Any:
    """The maximum where it is finite, and 0 elsewhere."""
    return lib.where(lib.isfinite(_max(lib, v)), _max(lib, v), lib.zeros_like(_max(lib, v)))


def _below(lib: Any, v: Any) -> Any:
    return lib.exp(v - _max(lib, v))


def _softmax(lib: Any, v: Any) -> Any:
    return sw.softmax(v, axis=-1) if lib is sw else _below(lib, v) / _sum(lib, _below(lib, v))


def _logsumexp(lib: Any, v: Any) -> Any:
    if lib is sw:
        return sw.logsumexp(v, axis=-1, keepdims=True)
    return lib.log(_sum(lib, lib.exp(v - _finite(lib, v)))) + _finite(lib, v)


def _wide_softmax(lib: Any, v: Any) -> Any:
    powers = lib.astype(_below(lib, v), lib.float64)
    return powers / _sum(lib, powers)


def _masked(lib: Any, v: Any) -> Any:
    """Exponentials relative to the maximum of some of the elements."""
    return lib.exp(v - _max(lib, lib.where(v < 0, v, lib.full_like(v, -INF))))


ONLINE: dict[str, Callable[[Any, Any], Any]] = {
    "softmax": _softmax,
    "softmax in float64": _wide_softmax,
    "logsumexp": _logsumexp,
    "both": lambda lib, v: _logsumexp(lib, v) + _softmax(lib, v),
    "sum of exponentials": lambda lib, v: _sum(lib, _below(lib, v)),
    "sum below a finite maximum": lambda lib, v: _sum(lib, lib.exp(v * 2 - _finite(lib, v * 2))),
    "weighted sum": lambda lib, v: _sum(lib, _below(lib, v) * lib.cos(v)),
}
LEFT_ALONE: dict[str, Callable[[Any, Any], Any]] = {
    "two kept at once": lambda lib, v: _softmax(lib, v) + _softmax(lib, -v),
    "kept below a finite maximum": lambda lib, v: lib.exp(v - _finite(lib, v)) / (1 + _sum(lib, lib.exp(v - _finite(lib, v)))),
    "the maximum of some": lambda lib, v: _sum(lib, _masked(lib, lib.sin(v))),
    "the maximum of others": lambda lib, v: _sum(lib, lib.exp(lib.flip(v, axis=-1) - _max(lib, v))),
    "a mask": lambda lib, v: _sum(lib, lib.where(v < 0, _below(lib, v), lib.zeros_like(v))),
    "a sum and a maximum in one loop": lambda lib, v: _sum(lib, _below(lib, v)) + _sum(lib, _below(lib, -v)),
    "squares": lambda lib, v: _sum(lib, _below(lib, v) * _below(lib, v)),
}


def _rows(length: int) -> Any:
    """Rows whose maximum is early or late, rises by a lot, is infinite, is NaN, or occurs in some blocks only."""
    generator = np.random.default_rng(length)
    rows = generator.normal(size=(11, length)).astype(np.float32)
    first, last = slice(0, (length + 1) // 2), slice(length // 2, length)
    rows[1] = np.sort(rows[1]) * 100
    rows[2] = np.sort(rows[2])[::-1] * 100
    rows[3] -= 200
    rows[3, first] = -INF
    rows[4, last] = -INF
    rows[5] = -INF
    rows[6, -1] = INF
    rows[7, 0] = INF
    rows[8, last] = NAN
    rows[9, 0], rows[9, -1] = 80, INF
    rows[10] = 0
    return rows


def _goes_by_parts(lowered: Any) -> bool:
    return f"step {PART} carry" in lowered.ir("scheduled")


@pytest.mark.parametrize("name", [*ONLINE, *LEFT_ALONE])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_of_several_parts(name: str):
    chain = {**ONLINE, **LEFT_ALONE}[name]
    compiled = sw.lower(lambda v: chain(sw, v), MATRIX)
    assert _goes_by_parts(compiled) == (name in ONLINE)
    for length in LENGTHS:
        # Enough rows for unroll-and-jam, and single rows.
        for x in (_rows(length), np.tile(_rows(length), (8, 1))):
            expected = chain(np, x.astype(np.float64))
            np.testing.assert_allclose(compiled(x), expected, rtol=1e-5, atol=1e-6, err_msg=f"{name}, {x.shape}")


@pytest.mark.parametrize("name", ONLINE)
def test_rows_of_one_part_have_the_bits_of_two_passes(name: str, monkeypatch: pytest.MonkeyPatch):
    online = sw.lower(lambda v: ONLINE[name](sw, v), MATRIX)
    monkeypatch.setattr(loop_online_softmax, "chains", lambda *_: iter(()))
    twice = sw.lower(lambda v: ONLINE[name](sw, v), MATRIX)
    assert _goes_by_parts(online) and not _goes_by_parts(twice)
    for x in (_rows(PART), np.tile(_rows(77), (8, 1))):
        np.testing.assert_array_equal(online(x), twice(x))


def test_the_next_part_is_prefetched():
    assert "loop.prefetch" in sw.lower(lambda v: _softmax(sw, v), MATRIX).ir("scheduled")


def test_rows_without_elements_have_sums_of_zero():
    compiled = sw.lower(lambda v: _sum(sw, _below(sw, v)), MATRIX)
    np.testing.assert_array_equal(compiled(np.zeros((3, 0), np.float32)), np.zeros((3, 1), np.float32))


def test_vectors_are_summed_in_two_passes_that_threads_share():
    assert not _goes_by_parts(sw.lower(lambda v: sw.logsumexp(v), sw.Spec(("n",), "float32")))


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_other_floats(dtype: str):
    x = np.random.default_rng(3).normal(size=(5, 2 * PART + 5)) * 4
    x = np.asarray(sw.astype(x, dtype))
    got = np.asarray(sw.jit(lambda v: sw.softmax(v, axis=-1))(x)).astype(np.float64)
    tolerance = {"float64": 1e-12, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    np.testing.assert_allclose(got, _softmax(np, x.astype(np.float64)), rtol=tolerance, atol=1e-7)
