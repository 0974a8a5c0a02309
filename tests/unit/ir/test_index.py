"""Index expressions against plain integers: the normal form, the parser, and what ranges prove."""

from __future__ import annotations

import itertools
from functools import reduce
from operator import mul
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.ir.index.counterexamples import Points
from stepwell.ir.index.expressions import Apply, Dim, Index, Param, apply, ceildiv, dim, index, maximum, minimum, param
from stepwell.ir.index.parser import IndexSyntaxError, dims_or_params, parse_index
from stepwell.ir.index.simplify import Ranges
from stepwell.ir.types.shapes import IndexMap

D0, D1, N, M = dim(0), dim(1), param("n"), param("m")
SIZES = (3, 5)


def expressions():
    """Pairs of an expression over d0, d1, n and the function that it should compute."""
    leaves = st.sampled_from(
        [
            (D0, lambda i, j, n: i),
            (D1, lambda i, j, n: j),
            (N, lambda i, j, n: n),
            *[(index(k), lambda i, j, n, k=k: k) for k in (-3, -1, 0, 1, 2, 7)],
        ]
    )

    def combine(children):
        pairs = st.tuples(children, children)
        divisors = st.integers(1, 6)
        return st.one_of(
            pairs.map(lambda p: (p[0][0] + p[1][0], lambda i, j, n: p[0][1](i, j, n) + p[1][1](i, j, n))),
            pairs.map(lambda p: (p[0][0] - p[1][0], lambda i, j, n: p[0][1](i, j, n) - p[1][1](i, j, n))),
            pairs.map(lambda p: (p[0][0] * p[1][0], lambda i, j, n: p[0][1](i, j, n) * p[1][1](i, j, n))),
            pairs.map(lambda p: (minimum(p[0][0], p[1][0]), lambda i, j, n: min(p[0][1](i, j, n), p[1][1](i, j, n)))),
            pairs.map(lambda p: (maximum(p[0][0], p[1][0]), lambda i, j, n: max(p[0][1](i, j, n), p[1][1](i, j, n)))),
            st.tuples(children, divisors).map(lambda p: (p[0][0] // p[1], lambda i, j, n: p[0][1](i, j, n) // p[1])),
            st.tuples(children, divisors).map(lambda p: (p[0][0] % p[1], lambda i, j, n: p[0][1](i, j, n) % p[1])),
            st.tuples(children, divisors).map(lambda p: (ceildiv(p[0][0], p[1]), lambda i, j, n: -(-p[0][1](i, j, n) // p[1]))),
            # Divisors of which one is a multiple of the other.
            children.map(lambda p: (p[0] // N, lambda i, j, n: p[1](i, j, n) // n)),
            children.map(lambda p: (p[0] % N, lambda i, j, n: p[1](i, j, n) % n)),
            children.map(lambda p: (p[0] % (N * 6), lambda i, j, n: p[1](i, j, n) % (n * 6))),
            children.map(lambda p: (p[0] // (N + 1), lambda i, j, n: p[1](i, j, n) // (n + 1))),
            children.map(lambda p: (p[0] % (N * 2 + 3), lambda i, j, n: p[1](i, j, n) % (2 * n + 3))),
        )

    return st.recursive(leaves, combine, max_leaves=8)


def points(sizes=SIZES, params=(1, 2, 6)):
    """Every point of the domain of d0 and d1, for a few values of n."""
    return itertools.product(range(sizes[0]), range(sizes[1]), params)


def at(expr: Index, i: int, j: int, n: int) -> int:
    return expr.evaluate({Dim(0): i, Dim(1): j, Param("n"): n})


@settings(max_examples=400, deadline=None)
@given(expressions())
def test_the_normal_form_computes_the_same(pair):
    expr, meaning = pair
    for point in points():
        assert at(expr, *point) == meaning(*point)


@settings(max_examples=400, deadline=None)
@given(expressions())
def test_simplifying_with_ranges_keeps_the_value(pair):
    ranges = Ranges({0: (index(0), index(SIZES[0] - 1)), 1: (index(0), index(SIZES[1] - 1))}, {"n": 1})
    simplified = ranges.simplify(pair[0])
    for point in points():
        assert at(simplified, *point) == pair[1](*point)


@settings(max_examples=400, deadline=None)
@given(expressions())
def test_what_is_proven_holds_everywhere(pair):
    expr, meaning = pair
    ranges = Ranges({0: (index(0), index(SIZES[0] - 1)), 1: (index(0), N - 1)}, {"n": 1})
    inside = [(i, j, n) for i, j, n in points((SIZES[0], 6)) if j < n]
    if ranges.nonnegative(expr):
        assert all(meaning(*point) >= 0 for point in inside)
    bound = ranges.bound(expr, upper=True)
    if bound is not None:
        assert all(meaning(*point) <= at(bound, 0, 0, point[2]) for point in inside)


@settings(max_examples=400, deadline=None)
@given(expressions(), st.sampled_from([{}, {"n": 1}, {"n": 7}]))
def test_there_are_no_counterexamples_to_what_is_proven(pair, least):
    expr, _ = pair
    ranges = Ranges({0: (index(0), index(SIZES[0] - 1)), 1: (index(0), N - 1)}, least)
    points = Points(ranges.dims, least)
    if points.has_negative(expr):
        with patch.object(Points, "has_negative", return_value=False):
            assert not ranges._prove(expr, points)


def test_counterexamples_are_at_bounds_and_where_sizes_are_small_or_large() -> None:
    points = Points({0: (index(0), N - 1), 1: (M, N)}, {"n": 1})
    for negative in (M - 1, N - M, M - N, 7 - D0, D0 - 1, N - 2, -D0):
        assert points.has_negative(negative)
    # Sizes that are divisors are positive, such as the number of windows along an axis.
    for never in (N - 1, D0, N - 1 - D0, D0 % M, M - 1 - D0 % M, N - D1, N - M - D0 % (N - M + 1), D0 // (N - M + 1)):
        assert not points.has_negative(never)


@settings(max_examples=200, deadline=None)
@given(expressions())
def test_what_is_printed_parses_to_the_same(pair):
    assert parse_index(str(pair[0]), dims_or_params) == pair[0]


def test_long_division_goes_to_the_end():
    """A remainder that could be divided further would be printed as text that parses to another expression."""
    quotient = (dim(0) + N) * N * N // (N + 1)
    assert parse_index(str(quotient), dims_or_params) == quotient
    assert "floordiv" not in str((N * N * N * N * N + 1) // (N + 1))


@settings(max_examples=200, deadline=None)
@given(expressions(), expressions(), expressions())
def test_composition_of_maps_composes_values(outer, first, second):
    composed = IndexMap(2, (outer[0],)).apply([first[0], second[0]])[0]
    for i, j, n in points():
        assert at(composed, i, j, n) == outer[1](first[1](i, j, n), second[1](i, j, n), n)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((D1 * 4 + D0) // 4, D1),
        ((D1 * 4 + D0) % 4, D0),
        (minimum(D0, 9), D0),
        (maximum(D0 - 4, 0), index(0)),
        ((D0 // 2) * 2 + D0 % 2, D0),
        ((D1 * 12 + D0 * 3 + 2) // 12, D1),
    ],
)
def test_known_simplifications(given, expected):
    """With 0 <= d0 < 4 and 0 <= d1 < 5."""
    assert Ranges.of_shape([4, 5]).simplify(given) == expected


DIGITS = {
    # The given expression, the expected one, and a description.
    "nested": ((D0 // 10) // N * N * 10 + D0 % (N * 10), D0, lambda i, j, n, m: i),
    "constants": ((D0 // 10000) * 10000 + ((D0 // 10) % 1000) * 10 + D0 % 10, D0, lambda i, j, n, m: i),
    "sizes": ((D0 // (N * M)) * N * M + ((D0 % (N * M)) // M) * M + D0 % M, D0, lambda i, j, n, m: i),
    "lower": (((D0 // 10) % N) * 10 + D0 % 10, D0 % (N * 10), lambda i, j, n, m: i % (n * 10)),
    "of a remainder": ((D0 // 1000) * 10 + (D0 % 1000) // 100, D0 // 100, lambda i, j, n, m: i // 100),
    # D1 is too small to carry into the quotient of the remainder, which does not contain it.
    "carry": ((D0 // 100) * 1000 + (D0 * 10 + D1) % 1000, D0 * 10 + D1, lambda i, j, n, m: i * 10 + j),
}


@pytest.mark.parametrize("name", DIGITS)
def test_digits_are_put_together(name):
    given, expected, meaning = DIGITS[name]
    assert Ranges.of_shape([N * M * 10, 10]).simplify(given) == expected
    for n, m in itertools.product((1, 2, 3), (1, 4, 5)):
        for i, j in itertools.product((0, 1, 7, 99, 12345), range(10)):
            values = {Dim(0): i, Dim(1): j, Param("n"): n, Param("m"): m}
            assert given.evaluate(values) == expected.evaluate(values) == meaning(i, j, n, m)


def test_digits_of_what_is_not_known_to_be_positive_are_left_alone():
    """A size less a number may be negative, a remainder by a size of 0 is 0, and products of large numbers exceed 64 bits."""
    large = (D0 // (1 << 40) % (1 << 40)) * (1 << 40) + D0 % (1 << 40)
    less = ((D0 // (N - 5)) // 3) * 3 * (N - 5) + D0 % ((N - 5) * 3)
    for expr in (less, (D0 % N) * 10 + (D1 % (N * M)) % N, large):
        assert Ranges().simplify(expr) == expr
    expr = ((D0 // (N - 5)) // 3) * 3 + (D0 % ((N - 5) * 3)) // (N - 5)
    for n in (0, 1, 3, 7):
        values = {Dim(0): 17, Param("n"): n}
        assert Ranges().simplify(expr).evaluate(values) == expr.evaluate(values)


def test_flattening_and_unflattening_cancel_for_symbolic_sizes():
    ranges = Ranges.of_shape([N, M])
    flat = D0 * M + D1
    assert ranges.simplify(flat // M) == D0
    assert ranges.simplify(flat % M) == D1
    assert ranges.within(flat, N * M)


def test_the_length_of_a_last_part_is_bounded_by_the_others():
    first = dim(0) * N
    assert Ranges().bound(minimum(first + N, M) - first, upper=True) == N
    assert Ranges().bound(first - minimum(first + N, M), upper=False) == -N
    assert Ranges().bound(minimum(first + N, M), upper=True) == M


def test_a_strided_window_is_in_bounds():
    """Output size (n - 3) // 2 + 1 of a convolution: the last window ends inside."""
    assert Ranges.of_shape([(N - 3) // 2 + 1, 3]).within(D0 * 2 + D1, N)
    assert not Ranges.of_shape([(N - 3) // 2 + 2, 3]).within(D0 * 2 + D1, N)


def test_products_of_many_sizes_are_not_written_out():
    """Of 40 sizes they would be 2^40 terms."""
    sizes = [param(f"s{k}") for k in range(40)]
    everything, most = reduce(mul, sizes), reduce(mul, sizes[1:])
    ranges = Ranges().assuming(*(size - 1 for size in sizes))
    assert ranges.nonnegative(everything - 1)
    assert ranges.nonnegative(everything - most)
    assert not ranges.nonnegative(everything - 2)
    assert not ranges.nonnegative(most - everything)
    assert not ranges.nonnegative((everything - 2) % 4 - 1)


def test_what_cannot_be_known_is_not_proven():
    ranges = Ranges.of_shape([N])
    assert not ranges.within(D0 + 1, N)
    assert not ranges.less(M, N)


def test_a_parameter_assumed_nonzero_by_a_product_of_negatives_stays_unknown():
    """(n - 5) // 2 * (m - 5) // 2 >= 1 holds for n = m = 0 too, so nothing follows from it."""
    assert Ranges().assuming(((N - 5) // 2) * ((M - 5) // 2) - 1).least == {}


def test_division_rounds_down_and_an_empty_divisor_gives_zero():
    assert parse_index("-7 floordiv 2").constant == -4
    assert parse_index("-7 mod 2").constant == 1
    assert (N // M).evaluate({Param("n"): 5, Param("m"): 0}) == 0


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("n +", "expected an index expression, got the end", 3),
        ("(n", "expected ')', got the end", 2),
        ("n floordiv 0", "expected a positive divisor", 12),
        ("n ? 2", "unexpected character '?'", 1),
        ("n n", "expected the end, got 'n'", 2),
        ("min(n)", "expected ',', got ')'", 5),
    ],
)
def test_malformed_text_names_the_token_and_its_position(text, message, position):
    with pytest.raises(IndexSyntaxError, match=None) as caught:
        parse_index(text)
    assert message in str(caught.value)
    assert caught.value.position == position


def test_unknown_names_are_refused_by_a_resolver():
    with pytest.raises(IndexSyntaxError, match="unknown name 'q'"):
        parse_index("q + 1", lambda name: None)


def test_every_second_of_every_second_is_in_bounds():
    """Slicing with step 2 twice: the quotients n // 2 and n // 4 are related."""
    size = N // 2 + 1
    assert Ranges.of_shape([(size + 1) // 2]).within(D0 * 2, size)


def test_what_is_known_of_an_empty_domain_is_not_known_of_others() -> None:
    bounds = {0: (index(0), index(3))}
    assert Ranges(bounds, empty=True).nonnegative(dim(0) - 5)
    assert not Ranges(bounds).nonnegative(dim(0) - 5)
    assert not Ranges(bounds, {"n": 2}).nonnegative(param("n") - 3)
    assert Ranges(bounds, {"n": 3}).nonnegative(param("n") - 3)


def test_what_is_taken_away_is_made_up_for_by_products_inside_of_quotients() -> None:
    n, m = param("n"), param("m")
    known = Ranges(least={"n": 4})
    assert known.nonnegative(n * m // 4 - m) and not Ranges(least={"n": 3}).nonnegative(n * m // 4 - m)
    assert known.nonnegative(n * m - 4 * m) and not known.nonnegative(n * m - 5 * m)


def test_quotients_of_quotients_are_bounded_before_those_inside() -> None:
    """A size rounded up to whole blocks is no less than the size."""
    rows = (param("k") - 3) * M * ((N + 2) // 3)
    assert Ranges().nonnegative((rows + 3839) // 3840 * 3840 - rows)
    assert not Ranges().nonnegative((rows + 3838) // 3840 * 3840 - rows)


@given(expressions())
def test_what_is_applied_can_be_put_in_its_own_place(pair) -> None:
    expr, _ = pair
    assert expr.with_applications(lambda atom: apply(atom.op, atom.lhs, atom.rhs)) == expr


def test_what_is_applied_is_replaced_in_products_of_several() -> None:
    quotient, least = N // M, minimum(D0, N)

    def replace(atom: Apply) -> Index:
        return D0 + 1 if atom.op == "floordiv" else D0 - 1

    assert (quotient * least * M * 2 + M + D1).with_applications(replace) == 2 * M * D0 * D0 - M + D1


def test_answers_that_are_kept_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepwell.ir.index.least_values.MOST_ANSWERS", 8)
    ranges = Ranges({7: (index(0), index(3))}, {"n": 5})
    for k in range(50):
        assert ranges.nonnegative(dim(7) + k) and not ranges.nonnegative(-dim(7) - k)
        assert ranges.simplify((dim(7) + 4 * k) // 4) == index(k)
    for kept in (ranges._answers.simplified, ranges._answers.proven, ranges._of_parameters._answers):
        assert len(kept) <= 8


def test_extrema_are_proven_by_their_sides():
    ranges = Ranges()
    assert ranges.nonnegative(3 - minimum(1, N)) and ranges.nonnegative(maximum(N, M) - N)
    assert ranges.nonnegative(N - maximum(minimum(1, N), N - 1)) and ranges.simplify(minimum(1, N) // 4) == 0
    assert not ranges.nonnegative(N - maximum(1, N)) and not ranges.nonnegative(minimum(3, N) - 1)


def test_sums_of_many_extrema_are_not_proven_in_all_combinations():
    extrema = [minimum(param(f"a{k}"), param(f"b{k}")) for k in range(40)]
    assert not Ranges().nonnegative(5 - sum(extrema[1:], start=extrema[0]))


def test_quotients_by_what_may_be_negative_may_be_so_too():
    known = {0: (index(0), index(9))}
    assert Ranges(known | {1: (index(1), N)}).nonnegative(D0 // D1)
    assert not Ranges(known | {1: (index(-3), index(3))}).nonnegative(D0 // D1) and not Ranges(known).nonnegative(D0 // D1)
