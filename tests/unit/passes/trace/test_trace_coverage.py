"""Source locations over whole pipelines: for every example, every operation after every pass, and every line of the code."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.lowered.function import Lowered
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.driver import level_of
from stepwell.lowering.pipelines import TARGETS as ROWS
from stepwell.runtime.boundary.signature import Signature

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
TARGETS = ("cpu", "cuda")
CPU_LEVELS, GPU_LEVELS = ("graph", "uop", "loop", "scheduled", "cloop"), ("graph", "uop", "tile")
# Lines of emitted code without an operation: text that all files share, and braces of blocks.
FIXED = re.compile(r"\s*([{}]*|@triton\.jit|return|#.*|//.*)\s*")


def programs() -> Any:
    """The module with the demo's programs."""
    spec = importlib.util.spec_from_file_location("programs", EXAMPLES / "programs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROGRAMS = programs()


class Example(NamedTuple):
    """A program of the demo with descriptions of its arguments."""

    function: Callable[..., Any]
    specs: tuple[sw.Spec, ...]

    @functools.cache  # noqa: B019 - tests ask for the same few programs
    def lower(self, target: str, trace: bool = True) -> Lowered:
        return sw.lower(self.function, *self.specs, target=target, trace=trace)

    @property
    def lines(self) -> range:
        """The lines of the function in its file, from its def line on."""
        text, first = inspect.getsourcelines(self.function)
        return range(first, first + len(text))


PERCEPTRON = Example(
    PROGRAMS.perceptron,
    (sw.Spec(("n", "p")), sw.Spec(("p", "h")), sw.Spec("h"), sw.Spec(("h", "c")), sw.Spec("c")),
)
CONVOLUTION = Example(PROGRAMS.convolution, (sw.Spec(("n", 1, "h", "w")),))
DEMO = (PERCEPTRON, CONVOLUTION)
both_programs = pytest.mark.parametrize("example", DEMO, ids=lambda example: example.function.__name__)
both_targets = pytest.mark.parametrize("target", TARGETS)


def assert_located(low: Lowered) -> None:
    """Every operation on every level, from the input on and after each pass, has a source position."""
    levels = low.trace.passes.levels
    assert levels, "no pass has run"
    for snapshot in levels:
        lost = [op.name for op in snapshot.ops if not op.frames and op.name != "builtin.module"]
        assert not lost, f"after {snapshot.level}: {sorted(set(lost))}"


@both_targets
@both_programs
def test_no_pass_loses_a_location(example: Example, target: str):
    assert_located(example.lower(target))


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.mlir")), ids=lambda path: path.name)
@both_targets
def test_no_pass_loses_a_location_of_a_text(path: Path, target: str):
    ctx = make_context()
    module = parse_module(path.read_text(), ctx, str(path))
    # Texts of loops are the CPU's, which fuses and schedules them in ways that kernels do not.
    known = {"cpu": CPU_LEVELS, "cuda": GPU_LEVELS}[target]
    if level_of(module) not in known:
        pytest.skip(f"{target} has no such level")
    last = level_of(module) == ROWS[target].stages[-1].level
    low = Lowered(module, target, Signature.of(entry_function(module)), ctx=ctx)
    if not last:
        assert_located(low)
    code = low.levels[-1]
    sources = [low.trace.sources(number) for number in range(1, len(low.ir(code).splitlines()) + 1)]
    assert any(frame.file == str(path) for found in sources for frame in found)


@both_targets
@both_programs
def test_the_trace_never_changes_the_code(example: Example, target: str):
    assert example.lower(target).source() == example.lower(target, trace=False).source()


@both_targets
@both_programs
def test_every_line_of_the_code_leads_to_the_function_and_back(example: Example, target: str):
    low = example.lower(target)
    code, file = low.levels[-1], PROGRAMS.__file__
    text = low.source().splitlines()
    begun = False
    for number, line in enumerate(text, 1):
        sources = low.trace.sources(number)
        mine = {frame.line for frame in sources if frame.file == file}
        begun = begun or bool(mine)
        if not sources:
            continue
        assert mine and mine <= set(example.lines), f"{code}:{number}: {line}: {sources}"
        for found in mine:
            assert (code, number) in low.trace.products(f"{file}:{found}")
    assert begun


@both_targets
@both_programs
def test_no_statement_is_without_a_source(example: Example, target: str):
    """From the first traced line on; the helpers before it are the same for all programs."""
    low = example.lower(target)
    text = low.source().splitlines()
    traced = [number for number in range(1, len(text) + 1) if low.trace.sources(number)]
    untraced = [text[number - 1] for number in range(traced[0], traced[-1]) if number not in traced]
    assert not [line for line in untraced if not FIXED.fullmatch(line)]


@both_programs
def test_every_statement_of_the_function_became_code(example: Example):
    """Each line of the body except its docstring has products on every level of the pipeline."""
    low = example.lower("cpu")
    _, *rest = example.lines
    for line in rest[1:]:
        levels = {level for level, _ in low.trace.products(f"programs.py:{line}")}
        assert levels == set(low.levels), f"line {line}"


@both_targets
@both_programs
def test_every_level_marks_what_yields_the_output(example: Example, target: str):
    """Each line has at least one marked operation on every level; the last line and the function have the same one, which
    writes."""
    low = example.lower(target)
    first, *rest = example.lines
    for line in rest[1:]:
        outputs = low.trace.outputs(f"programs.py:{line}")
        assert set(outputs) <= set(low.trace.products(f"programs.py:{line}"))
        assert {level for level, _ in outputs} == set(low.levels), f"line {line}"
    whole = low.trace.outputs(f"programs.py:{first}")
    assert whole == low.trace.outputs(f"programs.py:{rest[-1]}")
    for number in [number for level, number in whole if level == low.levels[-1]]:
        assert "_out" in low.source().splitlines()[number - 1]
        assert first in {frame.line for frame in low.trace.yields(number)}


def test_nothing_is_marked_where_nothing_is_traced():
    low = PERCEPTRON.lower("cpu", trace=False)
    assert not low.trace.outputs(f"programs.py:{PERCEPTRON.lines[-1]}")


@both_targets
def test_the_source_map_says_the_same(target: str):
    low = PERCEPTRON.lower(target)
    document = json.loads(low.trace.source_map())
    assert document["level"] == low.levels[-1]
    for number, found in document["lines"].items():
        assert [tuple(frame) for frame in found] == [tuple(frame) for frame in low.trace.sources(int(number))]
