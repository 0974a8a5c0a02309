"""Malformed shape rules and inconsistent operations: one case for each kind, with what its error says, all violations, and the
user's line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw

X = np.ones((2, 3))
V = np.ones(3)


class Case(NamedTuple):
    """A call on one line; parts of the error's text; how many violations it reports, and whether it names the call's line."""

    call: Callable[[], Any]
    parts: tuple[str, ...]
    kind: type[Exception] = sw.ShapeError
    reports: int = 1
    has_line: bool = True


def infer(rule: str, *shapes: Any, **bindings: Any) -> Callable[[], Any]:
    parsed = sw.shape_rule(rule)
    return lambda: parsed.infer(*shapes, **bindings)


def op(rule: str, implementation: Callable[..., Any] | None = None, device: str | None = "cpu", **options: Any) -> Any:
    made = sw.define_op("node", rule, **options)
    if implementation is not None:
        made.impl(device)(implementation)
    return made


def host(rule: str, implementation: Callable[..., Any], **options: Any) -> Any:
    made = sw.define_op("node", rule, **options)
    made.impl_host()(implementation)
    return made


RULES = {
    "no arrow": Case(lambda: sw.shape_rule("A[i] B[i]"), ("column 10: expected '->' between", "got the end", "A[i] B[i]\n")),
    "two arrows": Case(lambda: sw.shape_rule("A[i] -> B[i] -> C[i]"), ("column 14:", "a rule has exactly one '->'")),
    "where first": Case(
        lambda: sw.shape_rule("where i = 3 A[i] -> [i]"), ("column 1: expected '->' and the results before 'where'",)
    ),
    "an open bracket": Case(lambda: sw.shape_rule("A[i -> [i]"), ("column 5: expected ']' for '[' at column 2, got '->'",)),
    "a closed bracket": Case(lambda: sw.shape_rule("A[i]] -> [i]"), ("column 5: expected '['", "got ']'")),
    "a nested bracket": Case(
        lambda: sw.shape_rule("A[i [j]] -> [i]"), ("column 5: expected ']' for '[' at column 2, got '['",)
    ),
    "no bracket": Case(lambda: sw.shape_rule("A i -> [i]"), ("column 3: expected '[' after 'A', got 'i'",)),
    "a character": Case(lambda: sw.shape_rule("A[i;j] -> [i]"), ("column 4: unexpected character ';'", "\n     ^")),
    "another arrow": Case(lambda: sw.shape_rule("A[i] => [i]"), ("column 7: unexpected character '>'", "did you mean '->'?")),
    "commas": Case(lambda: sw.shape_rule("A[i, j] -> [i]"), ("column 4:", "got ',': spaces separate subscripts")),
    "a sum in brackets": Case(
        lambda: sw.shape_rule("A[i] -> [i + 1]"), ("column 12:", "name the size, and say what it is after 'where'")
    ),
    "a number with a letter": Case(lambda: sw.shape_rule("A[2i] -> [i]"), ("column 3: expected a name or a number, got '2i'",)),
    "a word that is taken": Case(lambda: sw.shape_rule("A[max] -> [i]"), ("column 3: expected a name", "got 'max'")),
    "leading sizes twice": Case(lambda: sw.shape_rule("A[~ ~ i] -> [i]"), ("column 5: '~' repeats",)),
    "leading sizes last": Case(lambda: sw.shape_rule("A[i ~] -> [i]"), ("column 5: expected '~' first",)),
    "leading sizes of results alone": Case(lambda: sw.shape_rule("A[i] -> B[~ i]"), ("column 11: '~' stands in a result",)),
    "two kinds of leading sizes": Case(
        lambda: sw.shape_rule("A[~] B[...] -> [~]"), ("column 8: expected '~' as elsewhere", "got '...'")
    ),
    "nothing after where": Case(
        lambda: sw.shape_rule("A[i] -> [i] where"), ("column 18: expected 'name = expression', got the end",)
    ),
    "no value": Case(lambda: sw.shape_rule("A[i] -> [j] where j ="), ("column 22: expected a number, a name",)),
    "no equals sign": Case(lambda: sw.shape_rule("A[i] -> [j] where j i"), ("column 21: expected '=' after 'j', got 'i'",)),
    "an open parenthesis": Case(
        lambda: sw.shape_rule("A[i] -> [j] where j = (i"), ("column 25: expected ',' or ')' for '(' at column 23",)
    ),
    "bound twice": Case(lambda: sw.shape_rule("A[i] -> [j] where j = 1 j = 2"), ("column 25: 'j' is bound twice",)),
    "a circle": Case(
        lambda: sw.shape_rule("A[i] -> [j] where j = k k = j"), ("column 19: 'j' depends on itself: j -> k -> j",)
    ),
    "a name twice": Case(lambda: sw.shape_rule("A[i] A[j] -> [i]"), ("column 6: name 'A' repeats: each argument has its own",)),
    "an array as a size": Case(lambda: sw.shape_rule("A[i] -> [j] where j = A"), ("column 23: 'A' is an array",)),
    "no text": Case(
        lambda: sw.shape_rule(3), ("expected the text of a shape rule, such as 'A[i j] -> [j i]', got 3",), reports=0
    ),
}

SHAPES = {
    "two sizes": Case(
        infer("A[i] B[i] -> [i]", (3,), (4,)), ("'i' is determined as 3 by A, but got 4 for B: expected B of shape (3,)",)
    ),
    "all violations": Case(
        infer("A[~ i j] B[~ j k] C[k] -> [~ i]", (2, 3, 4), (5, 6, 7), (8,)),
        (
            "1. 'j' is determined as 4 by A, but got 6",
            "2. 'k' is determined as 7",
            "3. '~' is determined as (2,)",
            "predicted outputs:",
        ),
        reports=3,
    ),
    "a rank": Case(infer("A[i j] -> [i]", (3,)), ("A: expected 2 axes for A[i j], got 1 in (3,): expected A of shape (i, j)",)),
    "arguments": Case(infer("A[i] B[i] -> [i]", (3,)), ("expected 2 arguments (A[i], B[i]), got 1: give the missing ones",)),
    "too many arguments": Case(
        infer("A[i] -> [i]", (3,), (3,)), ("expected 1 argument (A[i]), got 2: leave out the last ones",)
    ),
    "an undetermined size": Case(infer("A[i] -> [k]", (3,)), ("'k' cannot be determined", "give it a value, as k=...")),
    "a contradiction": Case(
        infer("A[i] B[k] -> [] where k = 2 * i", (3,), (5,)), ("'k' should be 6, but determined as 5 by B",)
    ),
    "a division by zero": Case(infer("A[i] -> [k] where k = 4 // i", (0,)), ("'k = 4 // i' has no value: '//' by 0",)),
    "a negative size": Case(
        infer("A[i] -> [k] where k = i - 5", (3,)), ("'k' is -2, and result 1 cannot have a negative size",)
    ),
    "lists of different lengths": Case(
        infer("A[] -> [c] where c = a + b", (), a=(1, 2), b=(1,)), ("'+' of lists of 2 and 1 entries",)
    ),
    "two names": Case(infer("A[i] B[i] -> [i]", ("n",), ("m",)), ("'i' is determined as n by A, but got m for B",)),
    "broadcasting": Case(
        infer("A[...] B[...] -> [...]", (2, 3), (4,)), ("shapes (2, 3) and (4,) do not broadcast: sizes 3 and 4",)
    ),
    "an unknown name": Case(infer("A[rows] -> [rows]", (3,), row=3), ("the rule has no name 'row'", "did you mean 'rows'?")),
    "no size": Case(infer("A[i] -> [i]", ("n +",)), ("A, axis 0: expected a size such as 4, 'n' or '2 * n', got 'n +'",)),
}

DEFINITIONS = {
    "a rule of an operation": Case(
        lambda: sw.define_op("node", "A[i] -> "), ("'node': expected a rule with results",), reports=0
    ),
    "a malformed rule of an operation": Case(lambda: sw.define_op("node", "A[i -> [i]"), ("column 5: expected ']'",)),
    "no rule": Case(
        lambda: sw.define_op("node", None), ("'node': expected a rule such as 'A[~] -> [~]', got None",), TypeError
    ),
    "a name": Case(lambda: sw.define_op("", "A[i] -> [i]"), ("expected the name of the operation, got ''",), TypeError),
    "flags": Case(
        lambda: sw.define_op("node", "A[i] B[i] -> [i]", backward=lambda g, a, b: (g, g), save_for_backward=(True,)),
        ("'node': expected 2 flags in save_for_backward, one for each input, got (True,)",),
        ValueError,
    ),
    "flags without a backward pass": Case(
        lambda: sw.define_op("node", "A[i] -> [i]", save_for_backward=(True,)),
        ("save_for_backward needs a backward pass",),
        ValueError,
    ),
    "a device": Case(lambda: op("A[i] -> [i]").impl(3), ("'node': expected the name of a device, such as 'cpu'",), TypeError),
    "an implementation": Case(lambda: op("A[i] -> [i]").impl("cpu")(3), ("'node': expected a function, got 3",), TypeError),
    "a host function without a rule": Case(
        lambda: sw.compile_as(abs, "node").impl_host()(abs), ("'abs': a host function needs a shape rule",), TypeError
    ),
    "a kind": Case(lambda: sw.compile_as(abs, "nodes"), ("got 'nodes'", "did you mean 'node'?"), ValueError),
    "a bypassed name": Case(lambda: sw.bypass("cpu", "relux", abs), ("called 'relux'", "did you mean 'relu'?"), ValueError),
    "a replacement": Case(lambda: sw.bypass("cpu", "relu", 3), ("expected a function in place of 'relu', got 3",), TypeError),
    "no backends": Case(lambda: sw.backends().__enter__(), ("sw.backends: expected at least one device",), ValueError),
    "backends in a list": Case(
        lambda: sw.backends(["cpu"]).__enter__(), ("expected the names of devices", "got ['cpu']"), TypeError
    ),
}

CALLS = {
    "shapes": Case(
        lambda: sw.jit(lambda x: op("A[~ i j] B[~ j k] -> [~ i k]", lambda a, b: a @ b)(x, x))(X),
        ("'node': the shapes do not fit the rule", "inputs: A (2, 3), B (2, 3)", "expected B of shape (3, 3)"),
    ),
    "shapes outside of traces": Case(
        lambda: op("A[i] B[i] -> [i]", lambda a, b: a)(V, V[1:]), ("'i' is determined as 3 by A",)
    ),
    "several violations": Case(
        lambda: sw.jit(lambda x, v: op("A[i i] B[i] C[k] D[k] -> [i]", lambda *a: a[1])(x, v, v, v[1:]))(X, V),
        ("1. 'i' is determined as 2 by A, but got 3 for A, and 3 for B", "2. 'k' is determined as 3 by C"),
        reports=2,
    ),
    "no implementation": Case(
        lambda: sw.jit(lambda x: op("A[~] -> [~]", abs, "tpu")(x))(X),
        ("tried 'cpu': no implementation, any device: no implementation; it has implementations for 'tpu'",),
        sw.CompileError,
    ),
    "an unknown keyword": Case(
        lambda: op("A[~] -> [~]", lambda a, k=1: a)(X, kk=2), ("argument 'kk'", "did you mean 'k'?"), TypeError
    ),
    "another shape than the rule says": Case(
        lambda: sw.jit(lambda x: op("A[i j] -> [j i]", lambda a: a)(x))(X),
        ("its implementation for 'cpu' returned shape (2, 3) for result 0, the rule says (3, 2): A[i j] -> [j i]",),
        reports=0,
    ),
    "fewer results": Case(
        lambda: sw.jit(lambda x: op("A[~] -> [~] [~]", lambda a: a)(x))(X), ("returned 1 results, the rule has 2",), reports=0
    ),
    "fewer cotangents": Case(
        lambda: sw.grad(lambda x: sw.sum(op("A[~] B[~] -> [~]", lambda a, b: a, backward=lambda g, a, b: g)(x, x)))(X),
        ("'node': expected its backward pass to return 2 cotangents, one for each input, got 1",),
        reports=0,
    ),
    "the shape of a cotangent": Case(
        lambda: sw.grad(lambda x: op("A[n] -> []", lambda a: sw.sum(a), backward=lambda g, a: g)(x))(V),
        ("expected a cotangent of input 'A' of 'node' of shape", "got shape ()"),
        reports=0,
    ),
    "the cotangent of integers": Case(
        lambda: sw.grad(
            lambda x: sw.sum(op("A[n] K[n] -> [n]", lambda a, k: a, backward=lambda g, a, k: (g, g))(x, np.arange(3)))
        )(V),
        ("input 'K' is int64: expected None as its cotangent",),
        reports=0,
    ),
    "a host function's shape": Case(
        lambda: sw.jit(lambda x: host("A[n] -> [m] where m = n + 1", lambda a: a)(x))(V),
        ("result 0: expected shape (4,), as the rule says, got (3,)",),
        reports=0,
    ),
    "a host function's dtype": Case(
        lambda: sw.jit(lambda x: host("A[n] -> [n]", lambda a: a.astype("float32"))(x))(V),
        ("result 0: expected dtype float64, got float32",),
        reports=0,
    ),
    "a host function's results": Case(
        lambda: sw.jit(lambda x: host("A[n] -> [n] [n]", lambda a: a)(x))(V), ("expected 2 results, got 1",), reports=0
    ),
    "the gradient of a host function": Case(
        lambda: sw.grad(lambda x: sw.sum(host("A[n] -> [n]", lambda a: a)(x)))(V),
        ("has no gradient: give the operation a backward pass (sw.define_op, backward=)",),
        sw.CompileError,
    ),
    "a host function in a scan": Case(
        lambda: sw.jit(lambda x: sw.scan(lambda c, e: (host("A[] -> []", lambda a: a)(c), e), x[0], x))(V),
        ("cannot be called inside of a loop or fold ('uop.iterate'): call it outside",),
        sw.CompileError,
    ),
    "a mapped host function's shape": Case(
        lambda: sw.vmap(lambda x: host("A[n] -> [n]", lambda a: a[1:])(x))(X),
        ("result 0: expected shape (3,), as the rule says, got (2,)",),
        reports=0,
    ),
    "an operation of the library": Case(
        lambda: sw.jit(lambda x: x @ x)(X),
        ("'matmul': 'inner' is determined as s1 by lhs, but got s0 for rhs", "rule: lhs[... rows inner]", "s0 = 2, s1 = 3"),
    ),
    "several violations of an operation of the library": Case(
        lambda: sw.jit(lambda x, y: sw.concat([x, y], axis=1))(np.ones((2, 3, 4)), np.ones((5, 3, 6))),
        ("'a0' is determined as", "'a2' is determined as", "rule: operand0[a0 n0 a2] operand1[a0 n1 a2] -> [a0 total a2]"),
        reports=2,
    ),
    "a call without a backend": Case(
        lambda: alone("tpu", lambda: op("A[~] -> [~]", abs)(X)),
        ("tried 'tpu': no implementation; it has", "alone"),
        sw.CompileError,
    ),
}


def alone(device: str, call: Callable[[], Any]) -> Any:
    with sw.single_backend(device):
        return call()


ALL = {**RULES, **SHAPES, **DEFINITIONS, **CALLS}


@pytest.mark.feature("S1")
@pytest.mark.feature("S2")
@pytest.mark.feature("S6")
@pytest.mark.feature("S8")
@pytest.mark.feature("N1")
@pytest.mark.feature("N2")
@pytest.mark.feature("N4")
@pytest.mark.feature("N5")
@pytest.mark.feature("N7")
@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_errors_name_what_is_wrong_and_where(case: Case):
    with pytest.raises(case.kind) as found:
        case.call()
    error: Any = found.value
    text = error.render() if isinstance(error, sw.CompileError) else str(error)
    for part in case.parts:
        assert part in text
    if isinstance(error, sw.ShapeError):
        assert len(error.reports) == case.reports, error.reports
    if isinstance(error, sw.CompileError) and case.has_line:
        assert error.frame is not None and error.frame.file == __file__
        lines = Path(__file__).read_text().splitlines()
        assert lines[error.frame.line - 1].strip() in text, "the source line is shown"


def test_every_kind_is_there():
    assert len(ALL) == len(RULES) + len(SHAPES) + len(DEFINITIONS) + len(CALLS) >= 60
