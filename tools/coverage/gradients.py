"""The gradients of all cases in the coverage table: once and twice, against differences in float64, and in float32 on targets.

Cases are programs like those of the fuzzer (`tools/fuzz/gradients.py`), whose results are weighted with cotangents. A gradient
is a program again, so that its own gradient is checked the same way. Cases whose results are not floats, or do not vary, have
no gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ...dialects import make_context
from ...frontend.calls.traced import trace
from ...frontend.tracing.sizes import SizeSolver
from ...frontend.tracing.specs import Spec
from ...ir.functions.entry import entry_function
from ...ir.text.parser import parse_module
from ...ir.types.dtypes import dtype
from ...runtime.boundary.signature import Signature
from ...runtime.executable import compile_module
from ..fuzz.gradients import directions, with_gradients, wrong_direction
from ..fuzz.oracle import oracle
from ..fuzz.random_programs import RandomProgram
from . import functions as coverage_functions
from . import micro_ops as coverage_micro_ops
from .functions import Case, inputs, scalar_cases

TITLE = "Gradients"
OK, NONE = "ok", "none"
ONCE, TWICE = "once", "twice"
# Casts to these dtypes round, which appears as steps in differences.
ROUNDED = ("cast to f16", "cast to bf16", "cast to f32", "cast to float32")
BATCH = 10

# A function that makes a program of cases on a dtype, with a result for each.
Make = Callable[[Sequence[str], str], RandomProgram]


class Gradient(NamedTuple):
    """A case and the outcome of its gradient by ONCE, TWICE and the name of each target: OK, NONE, or a description of the
    error."""

    topic: str
    case: str
    outcomes: Mapping[str, str]


def measure(targets: Sequence[str], known: Container[str] = ()) -> Iterator[Gradient]:
    """Measure all cases that take float64, except known ones."""
    for topic, (cases, make) in topics().items():
        names = [name for name in cases if name not in known]
        orders = {name: both_orders(lambda name=name, make=make: make([name], "float64"), name) for name in names}
        active = [name for name in names if orders[name][ONCE] != NONE]
        found = {target: on_target(active, make, target) for target in targets}
        for name in names:
            yield Gradient(topic, name, orders[name] | {target: found[target].get(name, NONE) for target in targets})


def failures(found: Sequence[Gradient]) -> list[str]:
    """The failures, a line each."""
    return [
        f"gradient of {each.case}, {what}: {outcome}"
        for each in found
        for what, outcome in each.outcomes.items()
        if outcome not in (OK, NONE)
    ]


def render(found: Sequence[Gradient], letters: Mapping[str, str], known: Mapping[str, str]) -> str:
    """The table in Markdown. Cases that were not measured keep their rows of the previous table, `known`."""
    legend = ", ".join(f"{letter} = {target} in float32" for target, letter in letters.items())
    lines = [
        "",
        f"## {TITLE}",
        "",
        "Once: the gradient agrees with differences in float64; twice: so does the gradient of that gradient.",
        f"{legend}; none = it gives no floats that vary.",
        "",
        f"| case | {ONCE} | {TWICE} | targets |",
        "| --- | --- | --- | --- |",
    ]
    measured = {(each.topic, each.case): row(each, letters) for each in found}
    keys = [(topic, name) for topic, (names, _) in topics().items() for name in names]
    return "\n".join([*lines, *(measured.get(key) or known[key[1]] for key in keys)]) + "\n"


def row(found: Gradient, letters: Mapping[str, str]) -> str:
    """The row of a case."""
    cells = [_shown(found.outcomes[order]) for order in (ONCE, TWICE)]
    last = [_on(letters[target], found.outcomes[target]) for target in letters if target in found.outcomes]
    return f"| `{found.case}` | {' | '.join(cells)} | {' '.join(filter(None, last)) or NONE} |"


def _shown(outcome: str) -> str:
    return outcome if outcome in (OK, NONE) else "fails"


def _on(letter: str, outcome: str) -> str:
    return letter if outcome == OK else "" if outcome == NONE else f"{letter} fails"


def topics() -> dict[str, tuple[list[str], Make]]:
    """The cases of each topic, with the function that makes programs of them."""
    scalars, functions = ({case.name: case for case in cases} for cases in (scalar_cases(), coverage_functions.CASES))
    return {
        "micro-ops": ([name for name, (dtypes, _) in coverage_micro_ops.CASES.items() if "float64" in dtypes], _micro_ops),
        "scalars": ([name for name, case in scalars.items() if "float64" in case.dtypes], programs(scalars)),
        "functions": ([name for name, case in functions.items() if "float64" in case.dtypes], programs(functions)),
    }


def both_orders(make: Callable[[], RandomProgram], name: str) -> dict[str, str]:
    """The outcome of comparing the gradient of a program, and the gradient of that, with differences."""
    program = make()
    first = with_gradients(program)
    if first is None or not any(first.bounds):
        return {ONCE: NONE, TWICE: NONE}
    if name in ROUNDED:
        return {ONCE: OK if _is_cotangent(first) else "the gradient is not the cotangent", TWICE: NONE}
    second = with_gradients(first)
    assert second is not None, "gradients are floats"
    return {ONCE: _agreement(program, first), TWICE: _agreement(first, second)}


def _agreement(program: RandomProgram, differentiated: RandomProgram) -> str:
    found = list(directions(program, differentiated))
    if not found or not all(each.is_smooth for each in found):
        return "not smooth where it is differentiated"
    return wrong_direction(found) or OK


def _is_cotangent(differentiated: RandomProgram) -> bool:
    """Whether the gradient by the first argument is the cotangent of the only result, which is the last argument."""
    return np.array_equal(oracle(differentiated)[0], differentiated.arguments[-1])


def on_target(names: Sequence[str], make: Make, target: str) -> dict[str, str]:
    """The outcome of comparing gradients in float32 with those in float64: cases together, and one by one if these disagree."""
    found: dict[str, str] = {}
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        together = _outcome(make(batch, "float32"), target)
        found |= {name: OK if together == OK else _outcome(make([name], "float32"), target) for name in batch}
        if together != OK and all(found[name] == OK for name in batch):
            found[batch[0]] = f"together with others: {together}"
    return found


def _outcome(program: RandomProgram, target: str) -> str:
    differentiated = with_gradients(program)
    assert differentiated is not None, "a case with a gradient has one"
    try:
        found = compile_module(differentiated.module, target=target).run(differentiated.arguments, {})
    except Exception as error:  # any error of a compiler on a valid program is a finding
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    for got, expected, bound in zip(found, oracle(differentiated), differentiated.bounds, strict=True):
        error = float(np.max(np.abs(got - expected), initial=0))
        if not error <= 1e-5 * max(1.0, bound):
            return f"the gradient is wrong by {error}, and {bound} at most"
    return OK


def arguments(element: str) -> dict[str, Any]:
    """Numbers inside the functions' domains, none of which is near another one or near a border."""
    generator = np.random.default_rng(3)
    return {
        name: generator.uniform(0.1, 0.9, array.shape).astype(array.dtype) if dtype(array.dtype).is_float else array
        for name, array in inputs(element).items()
    }


def _micro_ops(names: Sequence[str], element: str) -> RandomProgram:
    module = parse_module(coverage_micro_ops.program(names, element), make_context())
    generator, (*floats, at) = np.random.default_rng(3), coverage_micro_ops.arguments(element, (3, 4), seed=0)
    given = [generator.uniform(0.1, 0.9, each.shape).astype(each.dtype) for each in floats]
    return RandomProgram(module, {"n": 3, "m": 4}, [*given, at], [1.0] * len(names))


def programs(cases: Mapping[str, Case]) -> Make:
    """A function that makes programs of some cases."""

    def make(names: Sequence[str], element: str) -> RandomProgram:
        given = arguments(element)
        solver = SizeSolver()
        specs = [Spec.of(array, solver) for array in given.values()]

        def together(*tensors: Any) -> list[Any]:
            named = SimpleNamespace(**dict(zip(given, tensors, strict=True)))
            return [cases[name].apply(named) for name in names]

        module = trace(together, specs, sizes=solver, locations=False).module
        signature = Signature.of(entry_function(module))
        values = signature.bind([array.shape for array in given.values()])
        params = dict(zip(signature.params, values, strict=True))
        return RandomProgram(module, params, list(given.values()), [1.0] * len(names))

    return make
