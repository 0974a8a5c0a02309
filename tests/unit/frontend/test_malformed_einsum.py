"""Malformed and inconsistent uses of einsum, rows and elementwise modes: one case for each kind, with what its error says, all
violations, and the user's line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw

A, V, IDS = np.ones((3, 4)), np.ones(3), np.arange(3)


class Case(NamedTuple):
    """A call on one line; parts of the error's text; how many violations it reports."""

    call: Callable[..., Any]
    parts: tuple[str, ...]
    reports: int = 0


def spec(text: str, *operands: Any, **options: Any) -> Callable[[Any], Any]:
    return lambda x: sw.einsum(text, x, *operands, **options)


CASES = {
    "a character": Case(spec("i$ => i"), ("'i$ => i', column 2: expected an axis", "got '$'")),
    "no comma": Case(spec("ab, c d => ab"), ("column 7: expected ',', got 'd'",)),
    "two variables": Case(spec("..v....w.. => 0"), ("column 6: expected one row variable in a row",)),
    "a factor of 0": Case(spec("0*i => i"), ("column 3: expected an axis", "with positive factors")),
    "a factor alone": Case(spec("2* => 0"), ("expected an axis",)),
    "a sum without end": Case(spec("i+ => i"), ("expected an axis",)),
    "one term beside =+": Case(spec("i+k=+l => i"), ("column 4: expected one term on each side of '=+'",)),
    "a label twice in parts": Case(spec("a^a => a"), ("column 3: expected another label, got 'a'",)),
    "no number in brackets": Case(spec("[x] => "), ("column 2: expected the number of an operand and ']', got 'x'",)),
    "too few operands": Case(spec("i; j => ij"), ("'i; j => ij' has 2 operands, got 1",)),
    "too many operands": Case(spec("ij => ij", V), ("'ij => ij' has 1 operand, got 2",)),
    "a comma between operands": Case(
        spec("ij,jk => ik", V), ("'ij,jk => ik' has 1 operand, got 2 (with '=>' a ';' separates operands)",)
    ),
    "into of another size": Case(spec("ij => i", into=np.ones(4)), ("axis 0 of `into` has size 4, expected 3",)),
    "into of parts of another size": Case(
        spec("ij; ik => i j^k", A, into=np.ones((3, 1))), ("axis 1 of `into` has size 1, expected 8",)
    ),
    "a size of nothing": Case(spec("row j => row", sizes={"rows": 3}), ("`sizes` has 'rows', which is no label",)),
    "a label of nothing": Case(
        spec("row, col => row, coll"), ("label 'coll' of the result does not occur in an operand: did you mean 'col'?",)
    ),
    "a variable of nothing": Case(spec("ij => ..v.."), ("the row variable '..v..' of the result occurs in no operand",)),
    "a window of the result": Case(spec("ij => i+j"), ("expected labels, numbers or '_' in the result, got a window",)),
    "too many axes": Case(spec("...ijk => i"), ("the output row of operand 0 names 3 axes, the tensor has 2",)),
    "sizes that differ": Case(spec("ii => i"), ("label 'i' has sizes 3 and 4, the latter in operand 0",), 1),
    "all sizes that differ": Case(
        spec("ij; ji; i9 => i", A, A),
        ("'i' has sizes 3 and 4", "'j' has sizes 4 and 3", "index 9 is out of range for an axis of size 4 of operand 2"),
        3,
    ),
    "an index beyond the axis": Case(spec("i9 => i"), ("index 9 is out of range for an axis of size 4 of operand 0",), 1),
    "a window that does not fit": Case(spec("o+k j; k => o", np.ones(5)), ("a window does not fit into an axis of size 3",)),
    "unknown sizes of a window": Case(spec("i, 2*o+k => o"), ("give the size of one of the labels o, k in `sizes`",)),
    "unknown sizes of a padded window": Case(spec("i, 2*o=+k => o"), ("give the size of one of the labels o, k",)),
    "unknown parts": Case(spec("i, a^b => a"), ("give the size of one of the labels a, b",)),
    "parts that do not add up": Case(spec("i, a^b => a", sizes={"b": 9}), ("the parts of a^b do not add up to 4",)),
    "both parts used": Case(spec("i, a^b => a, b", sizes={"b": 2}), ("expected one label of 'a^b' elsewhere, got a and b",)),
    "a block of nothing": Case(spec("ia; ib => a^b^c", A), ("the size of label 'c' is not known: give it in `sizes`",)),
    "no such operand": Case(spec("[2] j; i => i", IDS), ("there is no operand 2 for '[2]': they are counted from 0",)),
    "indices that are floats": Case(spec("[1] j; i => i", V), ("expected integers in operand 1", "got float64")),
    "indices with windows": Case(spec("[1] j; 2*i => i", IDS), ("expected plain labels of operand 1",)),
    "a scatter without a size": Case(spec("i j; i => [1]", IDS), ("give the size of '[1]' in `sizes`, or give `into`",)),
    "indices alone": Case(
        lambda x: sw.einsum("i; j => [0] [1]", IDS, IDS), ("all operands are indices: there is nothing to accumulate",)
    ),
    "an accumulator": Case(spec("ij => i", accum="maxx"), ("expected accum to be one of add, mul", "did you mean 'max'?")),
    "a function": Case(spec("ij => i", op="mull"), ("expected op to be a function or one of", "did you mean 'mul'?")),
    "options of NumPy's notation": Case(spec("ij->i", accum="max"), ("op, accum, into and sizes need",)),
    "operands of a logic": Case(spec("@"), ("the logic '@' takes 2 operands, got 1",)),
    "rows beyond the axes": Case(lambda x: sw.rows(x, batch=1, input=2), ("rows: expected batch and input axes among 2",)),
    "units that differ": Case(
        lambda x: sw.einsum("ij; ij => i", sw.rows(x, units={0: "m"}), sw.rows(x, units={0: "s"})),
        ("label 'i' has the unit 'm' in operand 0, 's' in operand 1",),
    ),
    "composed sizes": Case(
        lambda x: sw.compose(sw.rows(x, input=1), V),
        ("compose: w of shape (3, 4) takes input axes (4,); x of shape (3,) has output axes (3,)",),
    ),
    "no input axes": Case(lambda x: sw.compose(x, V), ("w of shape (3, 4) has no input axes", "sw.rows(w, input=1)")),
    "an unmarked batch": Case(
        lambda x: sw.compose(sw.rows(x, input=1), np.ones((5, 4))), ("has output axes (5, 4)", "sw.rows(x, batch=1)")
    ),
    "units of nothing": Case(lambda x: sw.rows(x, units=["m"]), ("expected units by axis, as in {0: 'm'}, got ['m']",)),
    "rows in NumPy's notation": Case(spec("i;j", V), ("expected letters, ',', '...' and '->', got ';'", "'=>'")),
    "a logic of floats": Case(spec("ij => i", accum="or"), ("accum='or' takes integers and bools, got float64",)),
    "a function that is not elementwise": Case(
        spec("ij; ij => ij", A, op=lambda a, b: sw.sum(a)), ("op: expected an elementwise function", "(3, 4), got shape ()")
    ),
    "a value that is not an elementwise function": Case(
        lambda x: sw.elemwise(lambda a: sw.sum(a), x), ("expected an elementwise function", "got output 0 of shape ()")
    ),
    "an elementwise function by name": Case(lambda x: sw.elemwise("add", x, x), ("expected a function of tensors, got 'add'",)),
    "one mode": Case(lambda x: sw.elemwise(sw.exp, x, modes=("accumulate", "add")), ("write modes=(('accumulate', 'add'),)",)),
    "an order": Case(lambda x: sw.elemwise(sw.add, x, x, order="a"), ("expected the order 'c' or 'f', got 'a'",)),
    "a mode": Case(lambda x: sw.elemwise(sw.add, x, x, modes=["sum"]), ("expected the mode 'broadcast' or", "got 'sum'")),
    "modes and outputs": Case(lambda x: sw.elemwise(sw.add, x, x, modes=["broadcast"] * 2), ("got 1 outputs and 2 modes",)),
    "no inputs": Case(lambda x: sw.elemwise(sw.add) + x, ("expected at least one input",)),
    "shapes in order c": Case(
        lambda x: sw.elemwise(sw.add, x, np.ones(4), order="c"), ("shapes (3, 4), (4,) do not broadcast in order 'c'",), 1
    ),
}


@pytest.mark.feature("E9")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_name_what_is_wrong_and_where(case: Case):
    with pytest.raises(sw.ShapeError) as caught:
        sw.lower(case.call, sw.Spec((3, 4), "float64"))
    message = str(caught.value)
    for part in case.parts:
        assert part in message, message
    assert len(caught.value.reports) == case.reports, caught.value.reports
    assert f"{Path(__file__).name}:" in message, message
