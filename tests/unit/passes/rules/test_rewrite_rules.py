"""Rewrite rules from the user's side: declaring, refusing, switching, counting."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.passes.rules.checks import costs
from stepwell.passes.rules.rule import Rule, rule
from stepwell.passes.rules.settings import Addition, current
from stepwell.passes.rules.shipped import SHIPPED
from stepwell.tools.stepwell import main

ROOT = Path(__file__).resolve().parents[4]
X = np.linspace(-2, 2, 5, dtype="float32")


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda each: each.name)
def test_shipped_rules_lower_the_cost(shipped: Rule):
    before, after = costs(shipped, SHIPPED)
    assert after < before
    assert not after.weak or shipped.tag == "exact", "a replacement with a weak spot"


def test_names_are_told_apart():
    names = [each.name for each in SHIPPED]
    assert len(set(names)) == len(names)


def test_the_page_of_rules_is_up_to_date(tmp_path: Path):
    assert main(["rules", "--markdown", "--out", str(tmp_path / "rules.md")]) == 0
    assert (tmp_path / "rules.md").read_text() == (ROOT / "docs" / "rules.md").read_text()


def test_the_command_lists_rules(capsys: pytest.CaptureFixture[str]):
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(SHIPPED)
    found = next(line for line in lines if line.startswith("divide-by-itself"))
    assert found.split() == [
        "divide-by-itself",
        "exact",
        "x",
        "/",
        "x",
        "->",
        "1",
        "where",
        "x",
        "is",
        "finite",
        "and",
        "not",
        "zero",
    ]


def test_a_rule_as_functions_of_placeholders():
    @sw.jit
    def product(x):
        return sw.exp(x) * sw.exp(2 * x)

    before = product(X)

    @sw.rewrite_rule("product-of-exponentials", tag="stabilising")
    def product_of_exponentials(x, y):
        return sw.exp(x) * sw.exp(y), sw.exp(x + y)

    try:
        assert [each.name for each in sw.rewrite_rules()][-1] == "product-of-exponentials"
        low = sw.lower(product, X)
        assert low.rewrites == {"product-of-exponentials": 1}
        assert low.ir("uop").count('"exp"') == 1
        np.testing.assert_allclose(product(X), before, rtol=1e-6)
        assert product.stats().compiles == 2
    finally:
        product_of_exponentials.remove()
    product_of_exponentials.remove()
    assert not sw.lower(product, X).rewrites


def test_a_rule_with_reductions_conditions_and_a_device():
    rows = np.arange(6, dtype="float32").reshape(2, 3)

    def sums(x):
        return sw.sum(sw.log(x + 1), axis=1, keepdims=True), sw.sum(-sw.square(x), axis=0), sw.sum(-x, axis=0)

    with sw.rewrites(only=()):
        expected = sw.jit(sums)(rows)

    def is_square(x):
        return x.function == "square"

    with sw.rewrite_rule("negated-sum", lambda x: sw.sum(-x), lambda x: -sw.sum(x), tag="stabilising", where={"x": is_square}):
        low = sw.lower(sums, rows)
        assert low.rewrites == {"negated-sum": 1, "log1p": 1}
        for found, wanted in zip(low(rows), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
        assert "negated-sum" in sw.lower(sums, rows, target="cuda").rewrites
        assert not sw.lower(sums, rows, target="interpret").rewrites
    with sw.rewrite_rule("twice", "x + x -> exp2(x)", tag="stabilising", device="cuda"):
        low = sw.lower(lambda x: x + x, rows)
        assert not low.rewrites
        assert sw.lower(lambda x: x + x, rows, target="cuda").rewrites == {"twice": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exp(x) -> exp(x)", "does not lower the cost: the pattern has 1 weak spots and 11 additions, the replacement 1 weak"),
        ("log1p(x) -> log(1 + x)", "does not lower the cost"),
        ("exp(x) -> y", "the pattern has no 'y' \\(its variables are x\\)"),
        ("foo(x) -> x", "unknown function 'foo': did you mean 'floor'"),
        ("exp(x, x) -> x", "'exp' takes 1 operands, got 2"),
        ("x -> x", "expected a pattern with a function, got 'x'"),
        ("exp(x)", "expected 'pattern -> replacement'"),
        ("exp(x -> x", "was never closed"),
        ("exp(x) if x else x -> x", "expected functions, operators, numbers and variables"),
        ("sum(x) -> x", "pattern and replacement have different axes"),
        ("exp(x) -> sum(x)", "over axes that the pattern does not have"),
        ("sum(sum(x)) -> sum(x)", "reduction of a value that is already reduced"),
        ("exp(x) -> x < 1", "expected functions, operators"),
        ("exp(x) -> isnan(x)", "different dtypes"),
    ],
)
def test_wrong_rules_are_refused(text: str, message: str):
    before = sw.rewrite_rules()
    with pytest.raises(sw.RuleError, match=message):
        sw.rewrite_rule("wrong", text, tag="stabilising")
    assert sw.rewrite_rules() == before


def test_a_number_that_the_dtype_does_not_hold_is_in_no_constant():
    """As an int8, 258 would be 2."""
    with sw.rewrite_rule("wrapping", "(x * 258) ^ x -> x", tag="exact", kinds=("int",)):
        assert not sw.lower(lambda x: (x * 2) ^ x, sw.Spec("n", "int8")).rewrites
        assert sw.lower(lambda x: (x * 258) ^ x, sw.Spec("n", "int16")).rewrites == {"wrapping": 1}


def test_the_logarithm_of_a_power_needs_a_finite_exponent():
    for exponent, fired in ((math.inf, {}), (math.nan, {}), (0.5, {"log-of-power": 1})):
        found = sw.lower(lambda x, exponent=exponent: sw.log(sw.abs(x) ** exponent), sw.Spec("n"))
        assert found.rewrites == fired


def test_what_a_condition_raises_names_the_rule_and_the_variable():
    def is_half(c: Any) -> bool:
        return 1 / (c.constant - 2) < 1

    with sw.rewrite_rule("halves", "tan(x * C) -> tan(x)", tag="exact", where={"C": is_half}):
        assert sw.lower(lambda x: sw.tan(x * 8), sw.Spec("n")).rewrites == {"halves": 1}
        with pytest.raises(sw.RuleError, match="rule 'halves': the condition on 'C' raised ZeroDivisionError") as error:
            sw.lower(lambda x: sw.tan(x * 2), sw.Spec("n"))
    assert f"test_rewrite_rules.py:{is_half.__code__.co_firstlineno}" in error.value.render()


def test_an_exact_rule_has_to_save_work():
    with pytest.raises(sw.RuleError, match="the pattern has 0 weak spots and 4 additions, the replacement 0 weak spots and 4"):
        sw.rewrite_rule("distribute", "x + y - z -> x - z + y", tag="exact")


def test_a_rule_may_not_undo_another():
    with sw.rewrite_rule("there", "sinh(x) -> cosh(x)", tag="stabilising"):
        with pytest.raises(sw.RuleError, match="rule 'back' does not lower the cost"):
            sw.rewrite_rule("back", "cosh(x) -> sinh(x)", tag="stabilising")
    with pytest.raises(sw.RuleError, match="there is a rule of that name"):
        sw.rewrite_rule("log1p", "tan(x) -> x", tag="stabilising")
    with pytest.raises(sw.RuleError, match="expected one of the tags exact, stabilising, got 'fast'"):
        rule("new", "tan(x) -> x", "fast")
    with pytest.raises(sw.CompileError, match="unknown target 'cup'"):
        sw.rewrite_rule("new", "tan(x) -> x", tag="exact", device="cup")
    with pytest.raises(sw.CompileError, match="target 'triton-interpret' has no rewrite rules of its own"):
        sw.rewrite_rule("new", "tan(x) -> x", tag="exact", device="triton-interpret")


def test_what_terms_cannot_say_is_refused():
    with pytest.raises(sw.RuleError, match=r"numbers, reductions and broadcasting, got 'uop.reindex'"):
        sw.rewrite_rule("flipped", lambda x: sw.exp(sw.flip(x)), lambda x: sw.flip(sw.exp(x)), tag="exact")
    with pytest.raises(sw.RuleError, match="expected the pattern and the replacement, got 1 tensors"):
        sw.rewrite_rule("half", tag="exact")(lambda x: sw.exp(x))


def test_rules_without_an_end_are_stopped():
    """Each firing lowers the cost of the code that it replaces, but forms the pattern anew with the surrounding code."""
    with sw.rewrite_rule("grow", "sinh(cosh(x)) -> cosh(cosh(sinh(sinh(x))))", tag="stabilising"):
        assert sw.lower(lambda x: sw.sinh(sw.cosh(x)), X).rewrites == {"grow": 1}
        with pytest.raises(sw.RuleError, match=r"do not terminate: after \d+ firings still 'grow'"):
            sw.lower(lambda x: sw.sinh(sw.sinh(sw.cosh(x))), X)


def test_the_switch():
    @sw.jit
    def function(x):
        return sw.log(1 + x)

    small = np.array([1e-10], "float32")
    for _ in range(2):
        assert function(small) == small
        with sw.rewrites(False):
            assert function(small) == 0
        with sw.rewrites(without=("log1p",)):
            assert function(small) == 0
        with sw.rewrites(only=("log1p",)):
            assert function(small) == small
    assert function.stats() == (4, 4)
    with pytest.raises(sw.CompileError, match="no rewrite rule is called 'log2p': did you mean 'log1p'"):
        sw.rewrites(only=("log2p",)).__enter__()
    with pytest.raises(sw.CompileError, match="no rewrite rule is called 'x'"):
        sw.compile("builtin.module {func.func @f() {func.return}}", pipeline="rewrite-rules{only=x}")


def test_the_switch_holds_where_it_is_thrown_and_for_repeated_calls():
    @sw.jit
    def function(x):
        return sw.log(1 + x)

    small, inside = np.array([1e-10], "float32"), threading.Event()
    found = []

    def elsewhere():
        found.extend(function(small) for _ in range(40))
        inside.set()

    with sw.rewrites(False):
        assert all(function(small) == 0 for _ in range(40))
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert all(function(small) == 0 for _ in range(40))
    assert all(each == small for each in found)
    assert len(found) == 40


def test_a_rule_that_is_added_during_a_call_is_on_from_the_next():
    added: list[Any] = []

    @sw.jit
    def function(x):
        if not added:
            added.append(sw.rewrite_rule("meanwhile", "tan(x) -> x", tag="exact"))
        return sw.tan(x)

    before = function(X)
    np.testing.assert_array_equal(function(X), X)
    added[0].remove()
    np.testing.assert_array_equal(function(X), before)
    np.testing.assert_allclose(before, np.tan(X), rtol=1e-6)
    assert function.stats() == (2, 1)


def test_what_is_removed_leaves_nothing_behind():
    function = sw.jit(lambda x: sw.tan(x), target="interpret")
    function(X)
    gone: list[weakref.ref[Any]] = []

    def call_with(addition: Addition) -> None:
        with addition:
            function(X)
            gone.extend([weakref.ref(addition.added), weakref.ref(current())])

    for _ in range(5):
        call_with(sw.rewrite_rule("short", "tan(x) -> x", tag="exact"))
    call_with(sw.on_finalize("cpu", lambda module: None))
    with sw.rewrites(False):
        function(X)
    gc.collect()
    assert not any(each() for each in gone)
    assert function.stats().compiles == 8
    function(X)
    assert function.stats().compiles == 8, "code under the earlier settings is still cached"


def test_lazy_tensors_follow_the_switch():
    def value():
        return sw.log(1 + sw.Tensor(np.array([1e-10], "float32"))).item()

    assert value() != 0
    with sw.rewrites(False):
        assert value() == 0
