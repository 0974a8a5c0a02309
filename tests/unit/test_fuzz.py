"""Random programs on all targets: 200 in the test run, and the fuzzer itself finds and cuts down what is wrong."""

from __future__ import annotations

import os

import numpy as np
import pytest
from stepwell.ir.functions import entry_function
from stepwell.tools import fuzz
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
