"""`stepwell coverage`: runs every micro-op, scalar function and graph operation on every dtype and target.

Cases of one dtype are compiled together, as one program with a result for each; only if that fails or differs, each case runs
alone. Dtypes that a case does not take must be refused with a CompileError. Gradients have a table of their own
(`gradients.py`). docs/coverage.md is the output of

    stepwell coverage --out docs/coverage.md

`--update docs/coverage.md` runs the cases that the file lacks, and adds their rows. `--quick` leaves out all dtypes except
float32, float64, int32 and bool.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...dialects import make_context
from ...frontend.calls.traced import trace
from ...frontend.jit import Jitted
from ...ir.diagnostics import CompileError, decoded, did_you_mean
from ...ir.files import write_text
from ...ir.functions.entry import entry_function
from ...ir.text.parser import parse_module
from ...ir.types.dtypes import dtype
from ...runtime.executable import compile_module
from ...runtime.interpret.uop import run_uop
from . import functions as coverage_functions
from . import gradients as coverage_gradients
from . import micro_ops as coverage_micro_ops
from .functions import Case, inputs, scalar_cases, widened

QUICK = ("float32", "float64", "int32", "bool")
# The letter of each target in a cell of the table.
LETTERS: Mapping[str, str] = MappingProxyType({"cpu": "C", "triton-interpret": "T"})
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "micro-ops": "Micro-ops",
        "scalars": "Scalar functions and casts",
        "functions": "Graph operations, by the functions that make them",
    }
)
# The relative error allowed for a result of a dtype; sums are carried in wider floats.
ROUNDING: Mapping[str, float] = MappingProxyType({"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-6, "float64": 1e-12})
BATCH = 40
# The rows of existing tables, by title and case.
Rows = Mapping[str, Mapping[str, str]]
NO_ROWS: Rows = MappingProxyType({})
ABSENT = "n.a."
OK = "ok"


class Cell(NamedTuple):
    """A case on one dtype and target, and its outcome: OK, ABSENT, or a description of the error."""

    topic: str
    case: str
    dtype: str
    target: str
    outcome: str


class Topic(Protocol):
    """A list of cases that run the same way."""

    def cases(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the cases with the dtypes that each takes."""
        ...

    def run(self, names: Sequence[str], element: str, target: str) -> list[tuple[Any, Any]]:
        """Run the cases as one program. Returns the result and the expected result of each. Raises the program's errors."""
        ...


class MicroOps:
    """Programs of micro-ops, held against their interpreter in float64."""

    def cases(self) -> Mapping[str, tuple[str, ...]]:
        return {name: dtypes for name, (dtypes, _) in coverage_micro_ops.CASES.items()}

    def run(self, names: Sequence[str], element: str, target: str) -> list[tuple[Any, Any]]:
        text = coverage_micro_ops.program(names, element)
        module = parse_module(text, make_context())
        compiled = compile_module(module, target=target)
        given = coverage_micro_ops.arguments(element, (3, 4), seed=len(names))
        expected = run_uop(entry_function(module), given, {"n": 3, "m": 4}, precise=True)
        return list(zip(compiled.run(given, {}), expected, strict=True))


class Functions:
    """Functions of traced tensors, held against NumPy."""

    def __init__(self, cases: Sequence[Case]):
        self._cases = {case.name: case for case in cases}

    def cases(self) -> Mapping[str, tuple[str, ...]]:
        return {name: case.dtypes for name, case in self._cases.items()}

    def run(self, names: Sequence[str], element: str, target: str) -> list[tuple[Any, Any]]:
        chosen = [self._cases[name] for name in names]
        arrays = inputs(element)
        wide = widened(arrays)
        found = Jitted(_together(chosen), target)(arrays)
        with np.errstate(all="ignore"):
            return [(got, np.asarray(case.expected(wide))) for case, got in zip(chosen, found, strict=True)]


def _together(cases: Sequence[Case]) -> Callable[[Mapping[str, Any]], list[Any]]:
    return lambda arrays: [case.apply(SimpleNamespace(**arrays)) for case in cases]


def topics() -> dict[str, Topic]:
    """All topics to cover, in the order of the tables."""
    return {
        "micro-ops": MicroOps(),
        "scalars": Functions(list(scalar_cases())),
        "functions": Functions(coverage_functions.CASES),
    }


def measure(dtypes: Sequence[str], targets: Sequence[str], known: Rows = NO_ROWS) -> Iterator[Cell]:
    """The outcome of every case without a known row, on the given dtypes and targets."""
    for title, topic in topics().items():
        cases = {name: taken for name, taken in topic.cases().items() if name not in known.get(TITLES[title], {})}
        for element in dtypes:
            taken = [name for name in cases if element in cases[name]]
            refused = {name: refusal(topic, name, element) for name in cases if name not in taken}
            for target in targets:
                outcomes = refused | outcomes_of(topic, taken, element, target)
                yield from (Cell(title, name, element, target, outcomes[name]) for name in cases)


def outcomes_of(topic: Topic, names: Sequence[str], element: str, target: str) -> dict[str, str]:
    """The outcome of each case: all are run together and, if that fails, one by one."""
    found: dict[str, str] = {}
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        together = outcome(topic, batch, element, target)
        alone = {} if together == OK else {name: outcome(topic, [name], element, target) for name in batch}
        if alone and all(result == OK for result in alone.values()):
            alone[batch[0]] = f"together with others: {together}"
        found |= alone or dict.fromkeys(batch, OK)
    return found


def outcome(topic: Topic, names: Sequence[str], element: str, target: str) -> str:
    """OK if all cases agree with the expected results, else a description of the error."""
    try:
        for name, (found, expected) in zip(names, topic.run(names, element, target), strict=True):
            try:
                assert_close(np.asarray(found), expected)
            except AssertionError as error:
                return f"{name}: {' '.join(str(error).split())[:300]}"
    except Exception as error:  # any error of the compiler on a valid program is a finding
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return OK


def refusal(topic: Topic, name: str, element: str) -> str:
    """ABSENT if a dtype is refused as it should be, else a description of what happened instead."""
    try:
        topic.run([name], element, "interpret")
    except CompileError:
        return ABSENT
    except Exception as error:  # any other exception is a refusal without a message for the user
        return f"refused with {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return f"takes {element}, which its row leaves out"


def assert_close(found: Any, expected: Any) -> None:
    """Raise AssertionError unless the arrays agree: integers exactly, floats up to the error of one or two roundings."""
    assert found.shape == expected.shape, f"shape {found.shape}, expected {expected.shape}"
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected.astype(found.dtype))
        return
    allowed = 8 * ROUNDING[str(found.dtype)]
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=allowed, atol=allowed)


def operations_used(cases: Sequence[Case]) -> dict[str, set[str]]:
    """For each case the graph operations that it makes, except those of scalar functions."""
    known = coverage_functions.graph_operations()
    return {case.name: known & _names(case) for case in cases}


def _names(case: Case) -> set[str]:
    arrays = inputs("int32" if "int32" in case.dtypes else "float32")
    return {op.name for op in _module(_together([case]), arrays).walk()}


def _module(function: Callable[..., Any], arrays: Mapping[str, Any]) -> Any:
    from ...frontend.tracing.sizes import SizeSolver
    from ...frontend.tracing.specs import Spec

    solver = SizeSolver()
    specs = {key: Spec.of(array, solver) for key, array in arrays.items()}
    return trace(function, [specs], sizes=solver, locations=False).module


def render(cells: Sequence[Cell], dtypes: Sequence[str], targets: Sequence[str], known: Rows = NO_ROWS) -> str:
    """The tables in Markdown, with the known rows of cases that have no cells."""
    legend = ", ".join(f"{LETTERS[target]} = {target}" for target in targets)
    lines = [
        "# What works on which dtype",
        "",
        "Written by `stepwell coverage --out docs/coverage.md`, which ran every cell and compared it with NumPy.",
        f"{legend}; n.a. = the dtype is refused with an error; anything else names what is wrong.",
    ]
    used = operations_used(coverage_functions.CASES)
    for topic, title in TITLES.items():
        extra = ["operations"] if topic == "functions" else []
        header = ["case", *(dtype(name).short for name in dtypes), *extra]
        lines += ["", f"## {title}", "", _row(header), _row(["---"] * len(header))]
        rows = _by_case(cell for cell in cells if cell.topic == topic)
        for case in topics()[topic].cases():
            if case not in rows:
                lines.append(known[title][case])
                continue
            outcomes = rows[case]
            last = [" ".join(sorted(used[case])) or "scalar functions"] if topic == "functions" else []
            lines.append(_row([f"`{case}`", *(_cell(outcomes, name, targets) for name in dtypes), *last]))
    return "\n".join(lines) + "\n"


def rows_of(text: str) -> Rows:
    """The rows of the tables of a file, by their titles and cases."""
    found: dict[str, dict[str, str]] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
        elif line.startswith("| `"):
            found.setdefault(title, {})[line.split("`")[1]] = line
    return found


def _by_case(cells: Iterator[Cell]) -> dict[str, dict[tuple[str, str], str]]:
    rows: dict[str, dict[tuple[str, str], str]] = {}
    for cell in cells:
        rows.setdefault(cell.case, {})[cell.dtype, cell.target] = cell.outcome
    return rows


def _cell(outcomes: Mapping[tuple[str, str], str], element: str, targets: Sequence[str]) -> str:
    found = {target: outcomes[element, target] for target in targets}
    if set(found.values()) == {ABSENT}:
        return ABSENT
    return " ".join(LETTERS[target] if each == OK else f"{LETTERS[target]} fails" for target, each in found.items())


def _row(entries: Sequence[str]) -> str:
    return f"| {' | '.join(entries)} |"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--targets", help=f"of {', '.join(LETTERS)} (default: those that can run here)")
    parser.add_argument("--out", metavar="FILE.md", help="where the tables go (default: standard output)")
    parser.add_argument(
        "--update", metavar="FILE.md", help="run only the cases that the tables of this file lack, and add them"
    )


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 when a case fails."""
    targets = arguments.targets.split(",") if arguments.targets else _available()
    for target in targets:
        if target not in LETTERS:
            raise CompileError(f"no table for target '{target}'{did_you_mean(target, LETTERS)} (of {', '.join(LETTERS)})")
    dtypes = QUICK if arguments.quick else coverage_micro_ops.ALL
    known = rows_of(decoded(Path(arguments.update).read_bytes(), arguments.update)) if arguments.update else NO_ROWS
    cells = list(measure(dtypes, targets, known))
    gradients = list(coverage_gradients.measure(targets, known.get(coverage_gradients.TITLE, {})))
    failures = [
        f"{cell.case} on {cell.dtype}, {cell.target}: {cell.outcome}" for cell in cells if cell.outcome not in (OK, ABSENT)
    ]
    failures += coverage_gradients.failures(gradients)
    for each in failures:
        sys.stderr.write(f"{each}\n")
    text = render(cells, dtypes, targets, known)
    letters = {target: LETTERS[target] for target in targets}
    text += coverage_gradients.render(gradients, letters, known.get(coverage_gradients.TITLE, {}))
    out = arguments.out or arguments.update
    if out:
        write_text(out, text)
        print(f"{len(cells)} cells, {len(gradients)} gradients, {len(failures)} failures; written to {out}")
    else:
        print(text, end="")
    return 1 if failures else 0


def _available() -> list[str]:
    has_triton = all(importlib.util.find_spec(name) for name in ("torch", "triton"))
    return ["cpu", *(["triton-interpret"] if has_triton else [])]
