"""The shape language: inference, aliases, symbolic sizes, and reports of all violations."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import stepwell as sw
from stepwell.ir.index.expressions import Index, index, param
from stepwell.ir.shape_rules.inference import solve
from stepwell.ir.shape_rules.quick import quick_rule
from stepwell.ir.shape_rules.reports import Violations
from stepwell.ir.shape_rules.sizes import Rigid
from stepwell.tests.shape_rules import check_random, random_case

Shapes = Sequence[Sequence[Any]]


def outputs(rule: str, *shapes: Sequence[Any], **bindings: Any) -> list[tuple[Any, ...]]:
    return sw.shape_rule(rule).infer(*shapes, **bindings).outputs


def reports(rule: str, *shapes: Sequence[Any], **bindings: Any) -> list[Any]:
    with pytest.raises(sw.ShapeError) as found:
        sw.shape_rule(rule).infer(*shapes, **bindings)
    return found.value.reports


@pytest.mark.feature("S1")
@pytest.mark.parametrize(
    ("rule", "shapes", "expected"),
    [
        ("[~ i] -> [~]", [(2, 3)], [(2,)]),
        ("A[i]B[j]->[j i]", [(2,), (3,)], [(3, 2)]),
        ("A[i] -> [k m] where k = 1 m = i + 1", [(2,)], [(1, 3)]),
        ("A[i] -> [k m] where k = 1, m = i + 1", [(2,)], [(1, 3)]),
        ("A[ i  j ]\n  -> B[] C[i]", [(2, 3)], [(), (2,)]),
        ("-> A[i] where i = 3", [], [(3,)]),
        ("A[i 2] -> [2 i]", [(5, 2)], [(2, 5)]),
        ("A[i] ->", [(5,)], []),
    ],
)
def test_grammar(rule: str, shapes: Shapes, expected: list[tuple[int, ...]]):
    assert outputs(rule, *shapes) == expected


@pytest.mark.feature("S2")
def test_the_first_argument_determines_and_the_others_are_checked():
    found = sw.shape_rule("A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]").infer((2, 3, 4), (2, 4, 9), (2, 9, 3))
    assert found.outputs == [(2, 9, 3)]
    assert found.bindings == {"~": (2,), "i": 3, "j": 4, "k": 9}
    (only,) = reports("A[i] B[i] C[i] -> [i]", (3,), (4,), (5,))
    assert only.symbol == "i" and "determined as 3 by A, but got 4 for B, and 5 for C" in only
    assert only.expected == "3" and only.got == "4" and only.arguments == (1, 2)


@pytest.mark.feature("S2")
def test_a_name_that_nothing_determines_is_an_error():
    (only,) = reports("A[i] -> [i k]", (3,))
    assert only.symbol == "k" and "'k' cannot be determined" in only and "k=..." in only.suggestion
    assert outputs("A[i] -> [i k]", (3,), k=2) == [(3, 2)]
    assert [each.symbol for each in reports("A[i] -> [k] where k = i + z", (3,))] == ["z"]


@pytest.mark.feature("S3")
def test_leading_sizes():
    assert outputs("A[~ i] B[~ i] -> [~]", (2, 3, 4), (2, 3, 4)) == [(2, 3)]
    assert outputs("A[~ i] -> [~]", (4,)) == [()]
    # Where no result has them, those of different arguments may differ.
    assert outputs("A[~ i] B[~ i] -> [i]", (2, 3, 4), (7, 4)) == [(4,)]
    for other in ((7, 4), (2, 4, 4)):
        (only,) = reports("A[~ i] B[~ i] -> [~]", (2, 3, 4), other)
        assert only.symbol == "~" and "determined as (2, 3) by A" in only and only.suggestion == "expected B of shape (2, 3, 4)"
    with pytest.raises(sw.ShapeError, match="'~' stands in a result, and no argument has it"):
        sw.shape_rule("A[i] -> [~ i]")


@pytest.mark.feature("S3")
def test_leading_sizes_that_broadcast():
    assert outputs("A[... i] B[... i] -> [...]", (2, 1, 4), (3, 4)) == [(2, 3)]
    assert outputs("A[...] B[...] C[...] -> [...]", (5, 1), (), ("n",)) == [(5, "n")]
    (only,) = reports("A[...] B[...] -> [...]", (2, 3), (4,))
    assert only.symbol == "..." and "sizes 3 and 4 differ" in only


@pytest.mark.feature("S4")
@pytest.mark.parametrize(
    ("rule", "shape", "wanted"),
    [
        ("A[i j] -> [i]", (1, 2, 3), "expected 2 axes for A[i j], got 3"),
        ("A[i j] -> [i]", (1,), "expected 2 axes for A[i j], got 1"),
        ("A[~ i j] -> [i]", (1,), "expected at least 2 axes for A[~ i j], got 1"),
        ("A[] -> []", (1,), "expected 0 axes for A[], got 1"),
    ],
)
def test_ranks(rule: str, shape: tuple[int, ...], wanted: str):
    (only,) = reports(rule, shape)
    assert wanted in only and only.symbol is None and only.arguments == (0,)


@pytest.mark.feature("S5")
def test_lists_flatten():
    assert outputs("A[b] -> [b]", (1, 2), b=(1, 2)) == [(1, 2)]
    assert outputs("A[x] -> [x out] where out = (10, 10, 10)", (3,)) == [(3, 10, 10, 10)]
    assert outputs("A[i j] -> [all] where all = (i, (j, i), 7)", (2, 3)) == [(2, 3, 2, 7)]
    # A list over names that a later argument determines.
    assert outputs("A[pair] B[i] -> [i] where pair = (i, i)", (2, 2), (2,)) == [(2,)]
    (only,) = reports("A[b] -> [b]", (1, 3), b=(1, 2))
    assert only.symbol == "b" and "should be 2, but determined as 3" in only
    assert "expected 2 axes" in reports("A[b] -> [b]", (1,), b=(1, 2))[0]


@pytest.mark.feature("S6")
@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("2 * i + 1", 7), ("i - 5", -2), ("-i + 4", 1), ("i // 2", 1), ("-i // 2", -2), ("-i % 2", 1), ("i % -2", -1),
        ("max(i, 5, 2)", 5), ("min(i, 5)", 3), ("max((i, 9))", 9), ("(i + 1) * (i - 1)", 8), ("2 - 1 - 1", 0),
    ],
)  # fmt: skip
def test_arithmetic(term: str, value: int):
    assert sw.shape_rule(f"A[i] -> [] where v = {term}").infer((3,)).bindings["v"] == value


@pytest.mark.feature("S6")
def test_arithmetic_of_lists_is_that_of_each_entry():
    rule = "X[n space] -> [n out] where out = (space - kernel) // stride + 1"
    assert outputs(rule, (2, 9, 7), space=(9, 7), kernel=(3, 3), stride=2) == [(2, 4, 3)]
    (only,) = reports("A[] -> [c] where c = a + b", (), a=(1, 2), b=(1, 2, 3))
    assert "'+' of lists of 2 and 3 entries" in only


@pytest.mark.feature("S6")
def test_values_that_contradict_what_is_seen():
    (only,) = reports("A[j] W[k] -> [k] where k = 2 * j + 1", (3,), (5,))
    assert only == "'k' should be 7, but determined as 5 by W: expected W of shape (7,)"
    assert "'i' should be 3, but determined as 4 by A" in reports("A[i] -> [i]", (4,), i=3)[0]
    assert "'i' should be 1, but determined as 4" in reports("A[i] -> [i] where i = 1", (1,), i=4)[0]
    assert "'~' should be (2,), but determined as (3,) for A" in reports("A[~ i] -> [~]", (3, 1), **{"~": (2,)})[0]
    assert "by 0" in reports("A[i] -> [k] where k = 4 // i", (0,))[0]
    assert "'k' is -2, and result 1 cannot have a negative size" in reports("A[i] -> [k] where k = i - 5", (3,))[0]


@pytest.mark.feature("S7")
def test_symbolic_sizes():
    assert outputs("A[i j] -> [j i]", ("n", "2 * m")) == [("m * 2", "n")]
    assert outputs("A[i] B[i] -> [i]", ("n",), (4,)) == [(4,)]
    assert outputs("A[i] B[i] -> [i]", (4,), ("n",)) == [(4,)]
    # The number stands for the name everywhere.
    assert outputs("A[i j] B[i k] -> [i j k]", ("n", "n"), (4, 5)) == [(4, 4, 5)]
    assert outputs("A[i j] B[i k] -> [i j k]", ("n", 7), (4, "n")) == [(4, 7, 4)]
    (only,) = reports("A[i] B[i] -> [i]", ("n",), ("m",))
    assert only.symbol == "i" and only.expected == "n" and only.got == "m"
    assert [each.symbol for each in reports("A[i j] B[i j] -> []", ("n", "n"), (4, 5))] == ["j"]


@pytest.mark.feature("S7")
def test_expressions_of_symbolic_sizes():
    assert outputs("A[i] -> [k] where k = (i - 1) // 2", ("2 * n + 3",)) == [("n + 1",)]
    assert outputs("A[i] B[i] -> [i]", ("2 * n + 1",), (7,)) == [(7,)]
    assert reports("A[i] B[i] -> [i]", ("2 * n",), (7,))[0].symbol == "i"
    found = outputs("A[i j] -> [k] where k = max(i // j, 1) % 5", ("n", "m"))
    assert outputs("A[i] -> [i]", found[0]) == found  # results are valid arguments


@pytest.mark.feature("S8")
def test_all_violations_are_reported():
    with pytest.raises(sw.ShapeError) as found:
        sw.shape_rule("A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]").infer((2, 3, 4), (2, 4, 9), (999, 999, 999))
    error = found.value
    assert sorted(each.symbol for each in error.reports) == ["i", "k", "~"]
    assert all(each.suggestion == "expected C of shape (2, 9, 3)" for each in error.reports)
    text = str(error)
    assert "rule: A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]" in text
    assert "inputs: A (2, 3, 4), B (2, 4, 9), C (999, 999, 999)" in text
    assert "predicted outputs: C (2, 9, 3)" in text
    assert error.frame is not None and error.frame.file == __file__


@pytest.mark.feature("S8")
def test_violations_do_not_cascade():
    assert len(reports("A[i j] B[j k] -> [i k]", (1, 2, 3), (2, 4))) == 1
    assert len(reports("A[i j] B[j k] -> [i k]", (1, 2))) == 1
    assert len(reports("A[i] -> [k m] where k = i // 0 m = k + 1", (4,))) == 1


@pytest.mark.feature("S9")
def test_aliases():
    assert sw.shape_rule("A[~ i j] -> A[~ j i]").infer((2, 3)).aliases == [0]
    assert sw.shape_rule("A[i] B[i] -> B[i] C[i] [i]").infer((2,), (2,)).aliases == [1, None, None]
    assert sw.shape_rule("[i] -> [i]").infer((2,)).aliases == [None]


@pytest.mark.feature("S10")
def test_reversed():
    rule = sw.shape_rule("A[~ i j] B[~ j k] -> C[~ i k] where q = j + 1")
    back = rule.reversed()
    assert str(back) == "C[~ i k] -> A[~ i j] B[~ j k] where q = j + 1"
    forward = rule.infer((2, 3, 4), (2, 4, 9))
    assert back.infer(*forward.outputs, **forward.bindings).outputs == [(2, 3, 4), (2, 4, 9)]
    assert back.reversed() == rule and hash(back.reversed()) == hash(rule)
    assert rule.reversed() != rule
    # Names that only arguments have are given.
    with pytest.raises(sw.ShapeError, match="'j' cannot be determined"):
        back.infer((2, 3, 9))


def test_text_is_kept():
    text = "A[~ i 2] [] -> B[out] where out = (i, 2 * i)"
    assert str(sw.shape_rule(text)) == text
    assert repr(sw.shape_rule("[i]->[i]")) == "shape_rule('[i] -> [i]')"


@pytest.mark.parametrize(
    ("shape", "kind", "message"),
    [
        (("n +",), sw.ShapeError, r"A, axis 0: expected a size such as 4, 'n' or '2 \* n', got 'n \+'"),
        ((-1,), sw.ShapeError, "A, axis 0: expected a size of at least 0, got -1"),
        ((1.5,), TypeError, "A, axis 0: expected a size"),
        (3, TypeError, "A: expected a shape such as"),
        ("n", TypeError, "A: expected a shape such as"),
    ],
)
def test_sizes_that_are_none(shape: Any, kind: type[Exception], message: str):
    with pytest.raises(kind, match=message):
        sw.shape_rule("A[i] -> [i]").infer(shape)


@pytest.mark.parametrize("given", [{"jj": 1}, {"z": 2}])
def test_unknown_names(given: Mapping[str, int]):
    with pytest.raises(sw.ShapeError, match="the rule has no name"):
        sw.shape_rule("A[i j] -> [j]").infer((1, 2), **given)


@pytest.mark.feature("S2")
@pytest.mark.feature("S3")
@pytest.mark.feature("S4")
@pytest.mark.feature("S5")
@pytest.mark.feature("S6")
@pytest.mark.feature("S7")
def test_random_rules_against_a_naive_solver():
    """`python -m tests.shape_rules` checks 5,000 and more."""
    fitting, failing = check_random(400, seed=11)
    assert fitting > 60 and failing > 60


@pytest.mark.feature("S8")
def test_quick_rules_are_the_same_rules():
    """The compiler uses quick rules for its own operations, where names stand for single sizes."""
    rng, fitting = random.Random(5), 0
    for _ in range(400):
        case = random_case(rng)
        text = case.text + " " + " ".join(f"[{name}]" for name, _ in case.given)
        if "(" in text or "b" in text or "~" in text:
            continue
        shapes = [tuple(map(as_index, shape)) for shape in case.shapes]
        given = {name: as_index(value) for name, value in case.given}
        rule = quick_rule(case.text)
        try:
            wanted = solve(rule.grammar, shapes, given, Rigid()).outputs
        except Violations as violations:
            assert rule.results(shapes, given) is None and violations.reports()
            continue
        assert rule.results(shapes, given) == wanted
        fitting += 1
    assert fitting > 20


@pytest.mark.parametrize("rule", ["[~ i] [~ i] -> [~]", "[... i] [... i] -> [... i]", "[...] [...] [...] -> [...]"])
def test_quick_rules_with_leading_sizes(rule: str):
    sizes = [(), (1,), (2,), (2, 1), (1, 2), (2, 2), ("n",), ("n", 2), ("m", 1)]
    count = rule.count("[") - 1
    for chosen in itertools.product(sizes, repeat=count):
        shapes = [tuple(map(as_index, shape)) for shape in chosen]
        try:
            wanted = solve(quick_rule(rule).grammar, shapes, {}, Rigid()).outputs
        except Violations:
            assert quick_rule(rule).results(shapes, {}) is None
            continue
        assert quick_rule(rule).results(shapes, {}) == wanted


def as_index(size: Any) -> Index:
    return param(size) if isinstance(size, str) else index(size)


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ("(" * 3000 + "i" + ")" * 3000, "brackets are nested too deeply: at most 30 levels"),
        ("+".join(["i"] * 5000), "the rule is too long: at most 1000 tokens"),
    ],
)
def test_rules_beyond_the_stack(term: str, message: str):
    with pytest.raises(sw.ShapeError, match=message):
        sw.shape_rule(f"A[i] -> [k] where k = {term}")
    assert sw.shape_rule(f"A[i] -> [k] where k = {'+'.join(['i'] * 490)}").infer((2,)).outputs == [(980,)]
