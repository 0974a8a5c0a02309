"""Random programs on all targets: 200 in the test run, and the fuzzer itself finds and cuts down what is wrong."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions import entry_function
from stepwell.ir.parsing import parse_module
from stepwell.ir.printing import print_module
from stepwell.lowering import all_passes
from stepwell.passes.manager import PassManager
from stepwell.tools import fuzz, fuzz_shrink
from stepwell.tools.stepwell import main

SEED = int(os.environ.get("STEPWELL_FUZZ_SEED", "0"))
# A chunk is a test, so that two workers share the work.
CHUNK = 20


@pytest.mark.parametrize("chunk", range(5))
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_random_programs_agree_on_the_cpu_and_on_every_level(level, chunk):
    targets = ["cpu", "cloop"] if level == "graph" else ["cpu", "loop", "cloop"]
    for seed in range(SEED + chunk * CHUNK, SEED + (chunk + 1) * CHUNK):
        failures = fuzz.differences(seed, targets, level)
        assert not failures, f"{level} seed {seed}: {failures[0].target}: {failures[0].message}"


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_random_programs_agree_in_tritons_interpreter(level):
    for seed in range(SEED + 500, SEED + 500 + CHUNK):
        failures = fuzz.differences(seed, ["triton-interpret"], level)
        assert not failures, f"{level} seed {seed}: {failures[0].message}"


def wrong_negation(program):
    """A target that computes `neg` as the identity."""
    module = program.module.clone()
    for op in list(module.walk()):
        if op.name == "uop.map" and op.function.data == "neg":
            op.results[0].replace_all_uses_with(op.inputs[0])
    return fuzz.compile_module(module, target="interpret").run(program.arguments, {})


def test_a_wrong_target_is_found_and_the_program_cut_down(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(fuzz, "TARGETS", {**fuzz.TARGETS, "wrong": wrong_negation})
    assert main(["fuzz", "--programs", "40", "--targets", "wrong", "--out", str(tmp_path)]) == 1
    files = sorted(tmp_path.glob("*.mlir"))
    assert files, "no difference was found"
    assert "differences" in capsys.readouterr().out
    for path in files:
        text = path.read_text()
        assert text.startswith("// wrong differs with n = ")
        assert "neg" in text


def test_a_fault_of_one_operation_is_cut_down_to_it(monkeypatch, tmp_path):
    """Programs of twelve operations, of which a negation is wrong: nothing else is left of them."""
    monkeypatch.setattr(fuzz, "TARGETS", {**fuzz.TARGETS, "wrong": wrong_negation})
    assert main(["fuzz", "--programs", "40", "--targets", "wrong", "--out", str(tmp_path)]) == 1
    for path in tmp_path.glob("*.mlir"):
        module = parse_module(path.read_text(), make_context())
        function = entry_function(module)
        assert [op.name for op in function.body.block.ops] == ["uop.map", "func.return"], path.read_text()
        assert len(function.args) == 1


def wrong_pair(program):
    """A target that is wrong about programs with both a scan and a reduction, of which results come."""
    results = fuzz.compile_module(program.module, target="interpret").run(program.arguments, {})
    module = program.module.clone()
    PassManager.parse("dce", make_context(), all_passes()).run(module)
    names = {op.name for op in module.walk()}
    return [~result for result in results] if {"uop.scan", "uop.reduce"} <= names else results


def test_a_fault_of_two_operations_keeps_both(monkeypatch):
    monkeypatch.setattr(fuzz, "TARGETS", {"wrong": wrong_pair})
    # The results of other dtypes cannot be inverted, which is a TypeError and so a failure as well.
    failures = [failure for seed in range(30) for failure in fuzz.differences(seed, ["wrong"], "uop")]
    assert failures
    for failure in failures:
        names = [op.name for op in failure.program.module.walk()]
        assert "uop.scan" in names and "uop.reduce" in names
        assert fuzz_shrink.size(failure.program) <= 4, print_module(failure.program.module)


def test_a_crash_stays_the_same_crash(monkeypatch):
    """What another exception would end is not taken for a smaller program of the same fault."""

    def crash(program):
        raise (RuntimeError if fuzz_shrink.size(program) > 3 else KeyError)("out of luck")

    monkeypatch.setattr(fuzz, "TARGETS", {"crash": crash})
    (failure,) = fuzz.differences(2, ["crash"], "uop")
    assert failure.message == "RuntimeError: out of luck" and fuzz_shrink.size(failure.program) == 4


def test_programs_on_the_graph_level_are_cut_down(monkeypatch):
    def wrong(program):
        if any(op.name == "graph.reduce" for op in program.module.walk()):
            raise RuntimeError("a reduction")
        return fuzz.oracle(program)

    monkeypatch.setattr(fuzz, "TARGETS", {"wrong": wrong})
    failures = [failure for seed in range(10) for failure in fuzz.differences(seed, ["wrong"], "graph")]
    assert failures
    for failure in failures:
        assert fuzz_shrink.size(failure.program) == 1, print_module(failure.program.module)


def test_progress_is_for_people(capsys, monkeypatch):
    pytest.importorskip("rich")
    assert main(["fuzz", "--programs", "2", "--targets", "interpret"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["fuzz", "--programs", "2", "--targets", "interpret"]) == 0
    streams = capsys.readouterr()
    assert "fuzz" in streams.err and "2/2" in streams.err
    assert streams.out == "2 programs, seeds 0 to 1, uop level, interpret: 0 differences\n"


def test_a_crash_is_a_difference(monkeypatch):
    def crash(program):
        raise RuntimeError("out of luck")

    monkeypatch.setattr(fuzz, "TARGETS", {**fuzz.TARGETS, "crash": crash})
    (failure,) = fuzz.differences(0, ["crash"], "uop")
    assert failure.message == "RuntimeError: out of luck"


def test_the_same_seed_gives_the_same_program():
    first, second = fuzz.Generator(7).make(), fuzz.Generator(7).make()
    assert str(first.module) == str(second.module)
    for a, b in zip(first.arguments, second.arguments, strict=True):
        np.testing.assert_array_equal(a, b)
    assert entry_function(first.module).sym_name.data == "random"


def test_an_unknown_target_is_wrong_usage(capsys):
    assert main(["fuzz", "--targets", "gpu"]) == 2
    assert "unknown target 'gpu'" in capsys.readouterr().err
