"""`stepwell fuzz --speed`: its programs, and its output for a slow one. No test measures time."""

import re

import numpy as np
import pytest
from stepwell.tools.fuzz import speed
from stepwell.tools.fuzz.everyday_programs import MOST, EverydayProgram, Generator, Step
from stepwell.tools.fuzz.speed import OURS, STEPS, Slow, is_slow, reduced
from stepwell.tools.stepwell import main

CHAIN = EverydayProgram(
    {"x0": (4, 6), "x1": (6,)},
    {},
    (
        Step("v0", ("x0",), "x0 * 2", (4, 6)),
        Step("v1", ("v0", "x1"), "v0 @ x1", (4,)),
        Step("v2", ("x1",), "xp.exp(x1)", (6,)),
    ),
    ("v1", "v2"),
)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_have_the_shapes_that_they_say(seed):
    program = Generator(seed).make()
    values = program.arrays()
    for step, function in program.functions():
        values[step.name] = function(np, *(values[name] for name in step.reads))
        assert np.shape(values[step.name]) == step.shape and np.size(values[step.name]) <= MOST
    assert Generator(seed).make().text == program.text


def test_parts_of_programs():
    assert CHAIN.only(["v1"]).text == (
        "def f(xp, x0, x1):\n    v0 = x0 * 2  # [4, 6]\n    v1 = v0 @ x1  # [4]\n    return v1\n"
    )
    assert CHAIN.only(["v2"]).inputs == {"x1": (6,)}
    cut = CHAIN.from_step("v0")
    assert cut.inputs == {"x1": (6,), "v0": (4, 6)} and [step.name for step in cut.steps] == ["v1", "v2"]


def test_all_contenders_compute_the_same():
    found = speed.timed(CHAIN)
    assert {OURS, STEPS, "numpy"} <= found.seconds.keys() and min(found.seconds.values()) > 0


def test_gradients_of_all_contenders_are_the_same():
    indexed = EverydayProgram(
        {"x0": (5, 3), "k1": (4,)}, {"k1": 5}, (Step("v0", ("x0", "k1"), "xp.take(x0, k1, axis=0)", (4, 3)),), ("v0",)
    )
    for program in (CHAIN, indexed):
        found = speed.timed(program, gradients=True)
        assert OURS in found.seconds and found.gradients
        assert (STEPS in found.seconds) == (program is CHAIN)


def test_equal_steps_have_one_function():
    (_, double), *_ = CHAIN.functions()
    program = EverydayProgram({"y": (5, 7)}, {}, (Step("v0", ("y",), "y * 2", (5, 7)),), ("v0",))
    assert program.functions()[0][1] is double and double(np, np.ones(2)).tolist() == [2, 2]


def slow(program, ours, others=1e-3):
    return Slow(program, {"numpy": others, OURS: ours})


def test_differences_of_calls_are_none_of_loops():
    assert is_slow(slow(CHAIN, 2e-3)) and not is_slow(slow(CHAIN, 1.1e-3))
    assert not is_slow(slow(CHAIN, 15e-6, 5e-6))


def test_a_slow_program_is_cut_down_and_kept(monkeypatch, tmp_path, capsys):
    """Each program with a product is slow; no other is."""
    monkeypatch.setattr(speed, "timed", lambda program, **_: slow(program, 3e-3 if " @ " in program.text else 1e-3))
    monkeypatch.setattr(speed, "measured", lambda program, *_, **__: speed.timed(program))
    monkeypatch.setattr(speed, "Generator", lambda seed: type("Made", (), {"make": lambda self: CHAIN}))
    assert reduced(speed.timed(CHAIN)).program.text == "def f(xp, x1, v0):\n    v1 = v0 @ x1  # [4]\n    return v1\n"
    monkeypatch.setattr(Generator, "make", lambda self: CHAIN)
    monkeypatch.setattr(speed, "Generator", Generator)
    assert main(["fuzz", "--speed", "--programs", "1", "--out", str(tmp_path)]) == 1
    assert "1 programs: 1 over 1.2 times the fastest" in capsys.readouterr().out
    text = (tmp_path / "speed0.py").read_text()
    assert text.startswith("# 3.00 times numpy") and re.search(r"^#     v1 = v0 @ x1", text, re.MULTILINE)
    compile(text, "speed0.py", "exec")
