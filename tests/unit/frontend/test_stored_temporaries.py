"""Temporaries that are stored, with the reasons; all others are computed where they are read."""

import pytest
import stepwell as sw

ROWS, IMAGES = sw.Spec(("n", "m")), sw.Spec(("n", "c", "h", "w"))


def reasons(function, *specs):
    return [each.reason for each in sw.lower(function, *specs, trace=False).stored()]


@pytest.mark.feature("E17")
def test_cheap_work_is_repeated_and_costly_work_is_stored():
    """The limit is in additions per element: `loop-inline{recompute=4}`."""

    def of(function):
        def program(x):
            value = function(x)
            return value @ value, value[::-1]

        return program

    assert reasons(of(lambda x: x + 1), sw.Spec(("n", "n"))) == []
    (reason,) = reasons(of(sw.exp), sw.Spec(("n", "n")))
    assert reason == "3 statements read, and each read would repeat the work of 10 additions; the limit is 4"


@pytest.mark.feature("E17")
@pytest.mark.parametrize(
    ("function", "specs", "reason"),
    [
        (lambda x: sw.sum(x, axis=0)[::-1], [ROWS], "a reduction computes it"),
        (lambda x: sw.cumsum(x, axis=0)[::-1], [ROWS], "a scan computes it"),
        (lambda x, i: sw.scatter(x, i, x, axis=0, op="add")[::-1], [ROWS, sw.Spec("n", "int64")], "a scatter computes it"),
        (lambda x, w: sw.conv2d(sw.exp(x), w), [IMAGES, sw.Spec(("o", "c", 3, 3))], "a loop reads in overlapping windows"),
        (lambda x, i: sw.take(sw.tanh(x), i), [sw.Spec("n"), sw.Spec("k", "int64")], "a loop reads repeatedly"),
    ],
)
def test_reasons(function, specs, reason):
    found = reasons(function, *specs)
    assert any(each.startswith(reason) for each in found), found


@pytest.mark.feature("E17")
def test_a_line_for_each_temporary():
    def program(x):
        exponentials = sw.exp(x)
        return exponentials / sw.sum(exponentials, axis=0)

    low = sw.lower(program, ROWS)
    found = low.stored()
    assert len(found) == low.structure().temporaries + len(low.structure().private)
    line = program.__code__.co_firstlineno + 1
    first = next(each for each in found if each.shape == ("n", "m"))
    assert first.frame.line == line
    assert f"test_stored_temporaries.py:{line}: float32[n, m] is stored: 2 statements read" in str(found)
    assert str(sw.lower(sw.exp, ROWS).stored()) == "no temporary is stored"
    with pytest.raises(sw.CompileError, match="has no loops"):
        sw.lower(program, ROWS, target="interpret").stored()
