"""Scans compiled for CPUs against NumPy: around the size of vectors, backwards, exclusive, with NaN, infinities and zeros."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import LegalityError
from stepwell.tools.loop_programs import LANES, memref, over_rows, program, results, results_below

SIZES = (0, 1, 3, 7, 8, 9, 16, 17, 40)
ORACLES = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
SCANS = {"sum": sw.cumulative_sum, "prod": sw.cumulative_prod, "max": sw.cummax, "min": sw.cummin}
FIRST = {"sum": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}


def oracle(name, x, reverse=False, exclusive=False):
    """The scan along the last axis, in float64 or int64."""
    wide = x.astype(np.float64 if x.dtype.kind == "f" else np.int64)
    if reverse:
        return oracle(name, x[..., ::-1], False, exclusive)[..., ::-1]
    if exclusive:
        first = np.full((*x.shape[:-1], 1), FIRST[name])
        wide = np.concatenate([first, wide[..., :-1]], axis=-1) if x.shape[-1] else wide
    return ORACLES[name].accumulate(wide, axis=-1)


def given(rows, columns, kind="float32", nasty=False, seed=0):
    rng = np.random.default_rng(seed + columns)
    x = rng.normal(size=(rows, columns))
    if kind.startswith("int"):
        return (x * 3).astype(kind)
    if nasty and x.size:
        for value in (np.nan, np.inf, -np.inf, -0.0, 1e30):
            x[rng.integers(rows), rng.integers(columns)] = value
    return x.astype(kind)


def check(compiled, name, inputs, rtol, **how):
    for x in inputs:
        got = np.asarray(compiled(x))
        with np.errstate(all="ignore"):
            expected = oracle(name, x, **how).astype(got.dtype)
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol, err_msg=f"{x.shape}")


@pytest.mark.parametrize("name", SCANS)
@pytest.mark.parametrize("kind", ["float32", "float64", "int32", "int64"])
def test_rows_of_any_length(name, kind):
    rtol = {"float32": 1e-6, "float64": 1e-13}.get(kind, 0)
    compiled = sw.lower(lambda v: SCANS[name](v, axis=1), sw.Spec(("n", "m"), kind))
    check(compiled, name, [given(3, size, kind) for size in SIZES], rtol)
    if kind.startswith("float"):
        check(compiled, name, [given(3, size, kind, nasty=True) for size in SIZES], rtol)


@pytest.mark.usefixtures("laid_out_for_avx512")
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_backwards_and_exclusive(reverse, exclusive):
    compiled = sw.lower(
        lambda v: sw.cumulative_sum(v, axis=1, reverse=reverse, exclusive=exclusive), sw.Spec(("n", "m"), "float32")
    )
    how = {"reverse": reverse, "exclusive": exclusive}
    check(compiled, "sum", [given(3, size) for size in SIZES], 1e-6, **how)


@pytest.mark.covering(1)
@pytest.mark.parametrize("name", SCANS)
def test_scans_laid_out_for_avx512_on_each_machine(laid_out_for_avx512, as_each_machine, name):
    """Vectors are wider than registers if the machine has no AVX-512."""
    compiled = sw.lower(lambda v: SCANS[name](v, axis=1, reverse=True), sw.Spec(("n", "m"), "float32"))
    check(compiled, name, [given(3, size) for size in SIZES], 1e-6, reverse=True)
    if name == "sum":
        assert "sw_scan_add_f64x8" in compiled.source()


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_a_prefetch_beyond_the_last_row_reads_nothing():
    """The last row prefetches a row that does not exist."""
    compiled = sw.lower(lambda v: sw.cumulative_sum(v, axis=1, reverse=True), sw.Spec(("n", "m"), "float32"))
    assert "__builtin_prefetch" in compiled.source()
    check(compiled, "sum", [given(1, 64), given(5, 100)], 1e-6, reverse=True)


def test_a_product_with_zeros_and_large_factors_stays_zero():
    x = np.array([[0.0, *[3e38] * 15, 2.0]], np.float32)
    compiled = sw.lower(lambda v: sw.cumulative_prod(v, axis=1), sw.Spec(("n", "m"), "float32"))
    np.testing.assert_array_equal(compiled(x), np.zeros_like(x))


def test_sums_are_carried_in_double_precision():
    """Within a vector too: pairwise sums of lanes would overflow where running sums do not."""
    compiled = sw.lower(lambda v: sw.cumulative_sum(v, axis=1), sw.Spec(("n", "m"), "float32"))
    for x in (np.full((1, 100_000), 0.1, np.float32), np.array([[-3e38, 3e38, 3e38, -3e38, *[1e38] * 3]], np.float32)):
        np.testing.assert_array_equal(np.asarray(compiled(x)), np.cumsum(x, axis=1, dtype=np.float64).astype(np.float32))


def test_a_scan_of_a_scan():
    """The second scan adds the carries of the first one, also in outer lanes."""

    def both(v):
        sums = sw.cumulative_sum(v, axis=1)
        return sw.cumulative_sum(sums, axis=1), sw.cumulative_prod(sums, axis=1)

    compiled = sw.lower(both, sw.Spec(("n", "m"), "float64"))
    for size in SIZES:
        x = given(3, size, "float64")
        first, second = compiled(x)
        np.testing.assert_allclose(first, x.cumsum(1).cumsum(1), rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(second, x.cumsum(1).cumprod(1), rtol=1e-12, atol=1e-9)


def test_several_scans_in_one_loop_with_what_follows():
    def both(v):
        total = sw.cumulative_sum(v * 2, axis=1)
        return total + v, sw.cummax(v, axis=1) * 3

    compiled = sw.lower(both, sw.Spec(("n", "m"), "float32"))
    for size in SIZES:
        x = given(4, size)
        first, second = compiled(x)
        np.testing.assert_allclose(first, (oracle("sum", 2 * x) + x).astype(np.float32), rtol=2e-6, atol=1e-6)
        np.testing.assert_allclose(second, 3 * oracle("max", x), rtol=1e-6)


@pytest.mark.parametrize("kind", ["f32", "f64", "i32", "i64"])
def test_vector_loops_that_look_at_what_they_carry(kind):
    """One program has loops with all accumulators."""
    functions = ("add", "mul", "max", "min")
    buffer, number = memref(f"n * {LANES}", kind), "1.0" if kind.startswith("f") else "1"
    bounds = f"<(d0) -> (d0 * {LANES}, d0 * {LANES} + {LANES})>"
    body = "".join(
        over_rows(f"""
        %start = loop.constant {number} : {kind}
        %s = loop.for "vector" [%i : index] {bounds} step 1 carry(%start : {kind}) -> {kind} {{
        ^bb1(%l: index, %acc: {kind}):
          %v = loop.load %x[%l] <(d0) -> (d0)> : ({buffer}, index) -> {kind}
          %w = loop.compute "{function}"(%acc, %v) : ({kind}, {kind}) -> {kind}
          loop.store %acc into %before_{function}[%l] <(d0) -> (d0)> : {kind}, {buffer}, index
          loop.store %w into %after_{function}[%l] <(d0) -> (d0)> : {kind}, {buffer}, index
          loop.yield %w : {kind}
        }}""")
        for function in functions
    )
    written = [f"{side}_{function}" for function in functions for side in ("before", "after")]
    text = program(body, dict.fromkeys(["x", *written], buffer))
    element = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}[kind]
    x = (np.random.default_rng(0).normal(size=3 * LANES) * 3).astype(element)
    outputs = [np.zeros_like(x) for _ in written]
    expected = results(text, [x], outputs, 3)
    for level, arrays in results_below(text, [x], outputs, 3).items():
        for got, want in zip(arrays, expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-5, err_msg=level)


@pytest.mark.parametrize("use", ["alone", "stored", "twice", "before"])
@pytest.mark.parametrize("function", ["add", "max"])
def test_what_one_vector_hands_on_to_the_next(use, function):
    """The start value is a scalar, a loop may have no iterations, and the total is stored to a buffer of its own."""
    buffer, totals = memref("n * 16", "f64"), memref("n", "f64")
    stored = {"stored": "loop.store %t into %sums[%i] <(d0) -> (d0)> : f64, " + totals + ", index"}.get(use, "")
    seen = "acc" if use == "before" else "w"
    second = ", %start" if use == "twice" else ""
    kinds, names = ("f64, f64", "%s, %r") if use == "twice" else ("f64", "%s")
    arguments, yielded = (", %other: f64", "%t, %t") if use == "twice" else ("", "%t")
    body = over_rows(f"""
        %start = loop.constant 1.0 : f64
        loop.for "parallel" <() -> (0, 16)> step 1 {{
        ^bb4(%k: index):
          loop.store %start into %y[%i, %k] <(d0, d1) -> (d0 * 16 + d1)> : f64, {buffer}, index, index
          loop.yield
        }}
        {names} = loop.for "sequential" [%i : index] <(d0) -> (0, d0 * 8)> step 8 carry(%start{second} : {kinds}) -> {kinds} {{
        ^bb1(%j: index, %before: f64{arguments}):
          %t = loop.for "vector" <() -> (0, 8)> step 1 carry(%before : f64) -> f64 {{
          ^bb2(%l: index, %acc: f64):
            %v = loop.load %x[%i, %j, %l] <(d0, d1, d2) -> (d0 * 16 + d1 + d2)> : ({buffer}, index, index, index) -> f64
            %w = loop.compute "{function}"(%acc, %v) : (f64, f64) -> f64
            loop.store %{seen} into %y[%i, %j, %l] <(d0, d1, d2) -> (d0 * 16 + d1 + d2)> : f64, {buffer}, index, index, index
            loop.yield %w : f64
          }}
          {stored}
          loop.yield {yielded} : {kinds}
        }}
        loop.store %s into %sums[%i] <(d0) -> (d0)> : f64, {totals}, index""")
    text = program(body, {"x": buffer, "y": buffer, "sums": totals})
    x = np.random.default_rng(0).normal(size=3 * 16)
    outputs = [np.zeros(3 * 16), np.zeros(3)]
    expected = results(text, [x], outputs, 3)
    for level, arrays in results_below(text, [x], outputs, 3).items():
        for got, want in zip(arrays, expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12, err_msg=level)


def test_a_vector_loop_in_a_loop_of_another_one_is_refused():
    buffer = memref("n * 8", "f64")
    body = over_rows(f"""
        loop.for "vector" <() -> (0, 8)> step 1 {{
        ^bb1(%o: index):
          %start = loop.constant 0.0 : f64
          %s = loop.for "sequential" <() -> (0, 8)> step 8 carry(%start : f64) -> f64 {{
          ^bb2(%j: index, %before: f64):
            %t = loop.for "vector" <() -> (0, 8)> step 1 carry(%before : f64) -> f64 {{
            ^bb3(%l: index, %acc: f64):
              %v = loop.load %x[%i, %l] <(d0, d1) -> (d0 * 8 + d1)> : ({buffer}, index, index) -> f64
              %w = loop.compute "add"(%acc, %v) : (f64, f64) -> f64
              loop.store %w into %y[%i, %l] <(d0, d1) -> (d0 * 8 + d1)> : f64, {buffer}, index, index
              loop.yield %w : f64
            }}
            loop.yield %t : f64
          }}
          loop.yield
        }}""")
    with pytest.raises(LegalityError, match="vector loops must not be nested"):
        results_below(program(body, {"x": buffer, "y": buffer}), [np.zeros(24)], [np.zeros(24)], 3)
