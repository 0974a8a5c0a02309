"""Instruction counts, dumps, and the times of loop nests and operations."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.reports.profiles import Nest, Profile, Run
from stepwell.ir.locations import Frame
from stepwell.runtime.cpu.program import THREADS

X = np.random.default_rng(0).random((64, 48)).astype(np.float32)


def model(x: Any) -> Any:
    scores = sw.tanh(x @ x.T)
    return sw.softmax(scores, axis=1), sw.cumsum(x, axis=0)


@pytest.mark.parametrize(
    ("calls", "error", "message"),
    [
        (0, ValueError, "profile: calls: expected at least 1, got 0"),
        (-1, ValueError, "profile: calls: expected at least 1, got -1"),
        (2.5, TypeError, "profile: calls: expected an int, got 2.5"),
        (True, TypeError, "profile: calls: expected an int, got True"),
    ],
)
def test_numbers_of_calls_that_make_no_profile(calls: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=f"^{message}$"):
        sw.profile(model, calls=calls)
    with pytest.raises(error, match=f"^{message}$"):
        sw.lower(model, X).profile(X, calls=calls)


def test_a_profile_says_which_call_and_how_many_threads_it_is_of():
    quiet = Profile(2e-6, 3e-6, 7, 1, [], {})
    assert str(quiet).splitlines() == [
        "2.0 us a call, the fastest of 7; mean 3.0 us; 1 thread",
        "        us  share  line",
        "       2.0 100.0%  outside of loops: arguments, results and the call itself",
    ]
    busy = Profile(2e-6, 9e-6, 7, 2, [], {})
    assert str(busy).splitlines()[:2] == [
        "2.0 us a call, the fastest of 7; mean 9.0 us; 2 threads",
        "the mean is 4.5 times the fastest: the machine is busy, or fewer threads help (sw.set_num_threads)",
    ]
    busy.threads = 1
    assert str(busy).splitlines()[1] == "the mean is 4.5 times the fastest: the machine is busy"


def test_the_times_are_those_of_the_fastest_call():
    waits = iter([0.0, 0.2, 0.0, 0.1])
    run = Run(lambda: time.sleep(next(waits)), (), {})
    profile = run.profile({}, {}, 3, sw.lower(model, X))
    assert profile.calls == 3 and profile.total < 0.1 <= profile.mean


LINES = tuple(model.__code__.co_firstlineno + k for k in (1, 2))


@pytest.mark.feature("N9")
def test_counts_of_operations_at_each_level():
    low = sw.lower(model, X)
    assert low.counts("graph")["graph.matmul"] == 1 and low.counts("graph")["func.call"] == 1
    assert low.counts("uop")["uop.reduce"] >= 2 and "graph.matmul" not in low.counts("uop")
    counts = list(low.counts("loop").values())
    assert counts == sorted(counts, reverse=True) and low.counts("loop")["loop.block"] >= 1
    for level in ("graph", "uop", "loop", "scheduled", "cloop"):
        assert sum(low.counts(level).values()) > 3
    with pytest.raises(sw.CompileError, match="source text"):
        low.counts("c")
    with pytest.raises(sw.CompileError, match="did you mean 'graph'"):
        low.counts("grap")


@pytest.mark.feature("N9")
def test_a_dump_has_the_whole_program_at_each_level():
    low = sw.lower(model, X)
    text = low.dump()
    for level in low.levels:
        assert f"== {level}: " in text and low.ir(level) in text
    assert f"== uop: {sum(low.counts('uop').values())} operations: " in text


@pytest.mark.feature("N9")
def test_a_profile_attributes_time_to_operations_and_lines():
    profile = sw.profile(model, calls=3)(X)
    rows = profile.rows()
    assert profile.calls == 3 and 0 < profile.total <= profile.mean and profile.threads == THREADS.count
    assert {"matmul", "tanh", "softmax", "scan add"} <= {row.operation for row in rows}
    assert {row.frame.line for row in rows if row.frame is not None} == set(LINES)
    assert sum(nest.seconds for nest in profile.nests) <= profile.total
    assert sum(row.seconds for row in rows) == pytest.approx(sum(nest.seconds for nest in profile.nests))
    assert [row.seconds for row in rows] == sorted((row.seconds for row in rows), reverse=True)
    assert sum(profile.by_line().values()) == pytest.approx(sum(row.seconds for row in rows))
    assert {line for _, line in profile.by_line()} == set(LINES)


@pytest.mark.feature("N9")
def test_shares_follow_the_work_at_the_sizes_of_the_call():
    """A product of depth 1 or 400 is fused with its exponential: the product takes a small share of the time, or most of it."""

    def function(x, w):
        h = x @ w
        return sw.exp(h)

    def share(depth: int) -> float:
        x, w = np.ones((64, depth), np.float32), np.zeros((depth, 64), np.float32)
        seconds = {row.operation: row.seconds for row in sw.profile(sw.jit(function), calls=2)(x, w).rows()}
        return seconds["matmul"] / (seconds["matmul"] + seconds["exp"])

    assert share(1) < 0.5 < 0.8 < share(400)


@pytest.mark.feature("N9")
def test_the_costly_line_of_an_outlined_function_has_its_time():
    """A layer that is used twice is compiled as a function of its own, whose operations keep their lines."""

    def normalise(x):
        centred = x - sw.mean(x, axis=1, keepdims=True)
        return centred / sw.sqrt(sw.mean(centred * centred, axis=1, keepdims=True) + 1)

    def layers(x, w):
        scaled = sw.softmax(normalise(normalise(x) @ w), axis=1)
        distances = sw.sum(sw.abs(scaled[:, :, None] - scaled[:, None, :]), axis=2)
        return sw.exp(distances)

    costly = (__file__, layers.__code__.co_firstlineno + 2)
    x, w = np.ones((16, 32), np.float32), np.ones((32, 256), np.float32)
    low = sw.lower(layers, x, w)
    assert "loop.call" in low.ir("loop")
    sizes = dict(zip(low.signature.params, (16, 32, 256), strict=False))
    measured, predicted = low.profile(x, w, calls=2).by_line(), low.cost(**sizes).by_line()
    assert next(iter(measured)) == costly and next(iter(predicted)) == costly
    assert sum(measured.values()) < 2 * measured[costly]


@pytest.mark.feature("N9")
def test_programs_with_host_functions_have_an_explorer_and_a_profile(tmp_path):
    ordered = sw.define_op("ordered", "A[n] -> [n]")
    ordered.impl_host("cpu")(np.sort)
    low = sw.lower(lambda x: ordered(sw.exp(x)) * 2, sw.Spec("n"))
    low.profile(np.ones(9, np.float32), calls=1).explore(tmp_path / "page.html")
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()


@pytest.mark.feature("N9")
def test_the_table_has_the_most_expensive_operations():
    profile = sw.profile(model, calls=1)(X)
    lines = profile.top(1).splitlines()
    by_line = profile.by_line()
    assert len(lines) == 5 and lines[-2].endswith(f"{len(by_line) - 1} more")
    assert lines[-1].endswith("outside of loops: arguments, results and the call itself")
    assert sum(row.seconds for row in profile.rows()) + profile.outside == pytest.approx(profile.total)
    _, number = next(iter(by_line))
    operations = [row.operation for row in profile.rows() if row.frame is not None and row.frame.line == number]
    assert f"test_profiles.py:{number}" in lines[2] and operations[0] in lines[2]
    assert ("scores = sw.tanh" in lines[2]) or ("return sw.softmax" in lines[2])
    assert "outside of loops" in profile._repr_html_()
    assert str(profile) == profile.top(10)


@pytest.mark.feature("N9")
def test_lines_of_files_with_the_same_name_are_told_apart():
    frames = Frame("a/model.py", 3, 1), Frame("b/model.py", 3, 1)
    nests = [Nest(k, 1e-6 * (k + 1), {frame: 1.0}) for k, frame in enumerate(frames)]
    names = {(frame.file, frame.line, frame.column): name for frame, name in zip(frames, ("exp", "sin"), strict=True)}
    lines = str(Profile(4e-6, 4e-6, 1, 1, nests, names)).splitlines()
    assert lines[2].split()[2:] == ["model.py:3", "sin"] and lines[3].split()[2:] == ["model.py:3", "exp"]


@pytest.mark.feature("N9")
def test_profiles_of_gradients_name_the_forward_operations():
    rows = sw.profile(sw.grad(lambda x: sw.sum(sw.tanh(x @ x.T))), calls=1)(X).rows()
    assert any(row.operation.startswith("gradient of ") for row in rows)


@pytest.mark.feature("N9")
def test_profiles_count_functions_of_the_host():
    op = sw.define_op("slow", "A[~] -> [~]")
    op.impl_host()(lambda a: np.sort(a, axis=None).reshape(a.shape))
    profile = sw.profile(lambda x: sw.exp(op(x * 2)), calls=2)(X)
    assert {"call slow@any", "exp", "mul"} <= {row.operation for row in profile.rows()}


def test_profiles_of_other_targets_are_errors():
    with pytest.raises(sw.CompileError, match="target 'interpret' has no profile, only 'cpu' has"):
        sw.lower(model, X, target="interpret").profile(X)


def test_a_profiled_function_computes_the_same():
    low = sw.lower(model, X)
    before = low(X)
    low.profile(X, calls=1)
    for found, wanted in zip(low(X), before, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert "timer" not in low.ir("cloop") and "sw_timers" not in low.source()


def test_a_trace_in_chromes_format_has_the_times_in_order(tmp_path):
    profile = sw.profile(model, calls=1)(X)
    profile.save_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    call, nests = slices[0], [event for event in slices if "nest" in event["args"]]
    assert call["name"] == "call" and call["dur"] == pytest.approx(profile.total * 1e6)
    assert [event["dur"] for event in nests] == pytest.approx([nest.seconds * 1e6 for nest in profile.nests])
    assert all(one["ts"] + one["dur"] <= other["ts"] + 1e-6 for one, other in pairwise(nests))
    estimated = [event for event in slices if event["cat"] == "estimated"]
    assert sum(event["dur"] for event in estimated) == pytest.approx(sum(event["dur"] for event in nests))
    assert {event["args"]["line"] for event in estimated} == {f"{__file__}:{line}" for line in LINES}
