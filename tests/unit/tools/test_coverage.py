"""The coverage table: everything runs on the usual dtypes, and the committed table is complete."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from stepwell.dialects import uop
from stepwell.dialects.graph import Graph
from stepwell.frontend import functions
from stepwell.ir.scalars.table import SCALARS
from stepwell.ir.types.dtypes import DTYPES
from stepwell.tests.unit.on_gpu import TRITON, share
from stepwell.tools.coverage import command as coverage
from stepwell.tools.coverage import gradients as coverage_gradients
from stepwell.tools.coverage import micro_ops as coverage_micro_ops
from stepwell.tools.coverage.functions import CASES, Case, graph_operations

TABLE = Path(__file__).resolve().parents[3] / "docs" / "coverage.md"


def failures(name: str, target: str, left_out: coverage.Rows = coverage.NO_ROWS) -> list[str]:
    cells = coverage.measure((name,), [target], left_out)
    return [
        f"{cell.case} on {cell.dtype}: {cell.outcome}" for cell in cells if cell.outcome not in (coverage.OK, coverage.ABSENT)
    ]


def all_but(taken_of: Callable[[Sequence[str]], Sequence[str]]) -> coverage.Rows:
    """The rows of the cases that are not chosen."""
    left_out: dict[str, dict[str, str]] = {}
    for title, topic in coverage.topics().items():
        cases = list(topic.cases())
        left_out[coverage.TITLES[title]] = dict.fromkeys(set(cases) - set(taken_of(cases)), "")
    return left_out


@pytest.fixture
def quick_dtypes(some_of: Callable[..., Sequence[str]]) -> dict[str, set[str]]:
    """One of the quick dtypes that each case takes, the next one for the next case; with --whole all of them."""
    found: dict[str, set[str]] = {}
    for topic in coverage.topics().values():
        for number, (case, dtypes) in enumerate(topic.cases().items()):
            taken = [each for each in coverage.QUICK if each in dtypes]
            found[case] = set(some_of(taken, len(taken), number)) if taken else set()
    return found


@pytest.mark.parametrize("name", coverage.QUICK)
def test_everything_runs_in_c(name: str, quick_dtypes: dict[str, set[str]]):
    """Each case on one of the dtypes. Micro-ops are in `dialects/test_micro_ops.py`, on more."""
    left_out = all_but(lambda cases: [case for case in cases if name in quick_dtypes[case]])
    assert failures(name, "cpu", left_out) == []


def test_every_case_runs_in_c(quick_dtypes: dict[str, set[str]]):
    every_case = {case: dtypes for topic in coverage.topics().values() for case, dtypes in topic.cases().items()}
    assert [case for case, dtypes in every_case.items() if not quick_dtypes[case] and set(dtypes) & set(coverage.QUICK)] == []


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("name", coverage.QUICK)
def test_an_eighth_of_everything_runs_in_kernels_on_each_dtype(name: str):
    assert failures(name, TRITON, all_but(lambda cases: share(cases, coverage.QUICK.index(name)))) == []


def operations_of_functions() -> set[str]:
    """The graph operations that functions of the library make."""
    frontend = "".join(path.read_text() for path in (TABLE.parents[1] / "frontend").rglob("*.py"))
    return {op.name for op in Graph.operations if op.name in graph_operations() and op.__name__ in frontend}


def test_every_graph_operation_has_a_case():
    used = set().union(*coverage.operations_used(CASES).values())
    assert len(operations_of_functions()) > 20
    assert operations_of_functions() - used == set()


def test_every_micro_op_has_a_case():
    text = "\n".join(body for _, body in coverage_micro_ops.CASES.values())
    assert {op.name for op in uop.OPS} == set(re.findall(r"uop\.\w+", text))


def test_the_committed_table_lists_everything():
    text = TABLE.read_text()
    for topic in coverage.topics().values():
        for case in topic.cases():
            assert f"| `{case}` |" in text, f"{case} is missing: run `make pages`"
    assert set(SCALARS) <= set(re.findall(r"`(\w+)`", text))
    assert all(f"`{operation}`" in text or operation in text for operation in operations_of_functions())
    assert "fails" not in text
    gradients = text.partition("## Gradients")[2]
    for names, _ in coverage_gradients.topics().values():
        assert all(f"| `{name}` |" in gradients for name in names), "run `make pages`"
    header = next(line for line in text.splitlines() if line.startswith("| case |"))
    assert all(f" {element.short} " in header for element in DTYPES.values() if not element.is_stored_only)


def test_an_update_runs_only_the_cases_without_a_row():
    text = TABLE.read_text()
    known = coverage.rows_of(text.replace("| `asin` |", "| `old` |", 1))
    cells = list(coverage.measure(("float32", "int32"), ["cpu"], known))
    assert [(cell.case, cell.outcome) for cell in cells] == [("asin", coverage.OK), ("asin", coverage.ABSENT)]
    rows = coverage.render(cells, ("float32", "int32"), ["cpu"], known).splitlines()
    assert "| `asin` | C | n.a. |" in rows and not any("`old`" in row for row in rows)
    assert known["Scalar functions and casts"]["acos"] in rows


class Wrong:
    """A topic of two cases, one of which gives the wrong number and accepts a dtype that its row leaves out."""

    def cases(self):
        return {"right": ("float32", "int32"), "wrong": ("float32",)}

    def run(self, names, element, target):
        return [(np.float32(1), np.float32(1 if name == "right" else 2)) for name in names]


def test_what_is_wrong_is_found():
    found = coverage.outcomes_of(Wrong(), ["right", "wrong"], "float32", "cpu")
    assert found["right"] == coverage.OK and found["wrong"].startswith("wrong: ")
    assert coverage.refusal(Wrong(), "wrong", "int32") == "takes int32, which its row leaves out"


def test_a_dtype_that_is_refused_gets_an_error_of_the_compiler():
    shifts = coverage.Functions([Case("shift", ("int32",), lambda a: functions.bitwise_left_shift(a.x, a.y), lambda a: a.x)])
    assert coverage.refusal(shifts, "shift", "float32") == coverage.ABSENT


def test_a_gradient_that_is_wrong_is_found():
    """Zeros in place of cosines."""
    wrong = Case("wrong", ("float64",), lambda a: functions.sin(functions.stop_gradient(a.x)) + a.x, lambda a: a.x)
    make = coverage_gradients.programs({"wrong": wrong})
    found = coverage_gradients.both_orders(lambda: make(["wrong"], "float64"), "wrong")
    assert "by differences" in found["once"]
    found = coverage_gradients.Gradient("functions", "wrong", found)
    assert coverage_gradients.failures([found])[0].startswith("gradient of wrong, once: ")
    assert "| `wrong` | fails |" in coverage_gradients.row(found, {})
