"""Gradients of random programs: against differences, on the CPU and in Triton's interpreter; and injected faults are found."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from stepwell.dialects import make_context, uop
from stepwell.ir.text.parser import parse_module
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tools.fuzz import command as fuzz
from stepwell.tools.fuzz.command import DIFFERENCES, SMOOTH
from stepwell.tools.fuzz.gradients import TOLERANCE, directions, with_gradients
from stepwell.tools.fuzz.random_programs import RandomProgram
from stepwell.tools.stepwell import main
from xdsl.dialects.builtin import StringAttr

SEED = int(os.environ.get("STEPWELL_FUZZ_SEED", "0"))
CHUNK = 10


def expect_none(seeds: Sequence[int], targets: list[str], level: str) -> None:
    for seed in seeds:
        failures = fuzz.differences(seed, targets, level, gradients=True)
        assert not failures, f"{level} seed {seed}: {failures[0].target}: {failures[0].message}"


@pytest.mark.parametrize("chunk", range(3))
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_gradients_of_random_programs_are_what_differences_say(level: str, chunk: int, some_of: Callable[..., Sequence[int]]):
    seeds = some_of(range(SEED + chunk * CHUNK, SEED + (chunk + 1) * CHUNK), 5, chunk)
    expect_none(seeds, [DIFFERENCES], level)
    expect_none(seeds[::2], ["cpu"], level)


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_gradients_of_random_programs_in_kernels(level: str, some_of: Callable[..., Sequence[int]]):
    expect_none(some_of(range(SEED + 100, SEED + 105), 2), [TRITON], level)


@pytest.mark.parametrize("level", ["uop", "graph"])
def test_most_programs_say_something(level: str):
    """Few programs have nothing to differentiate, a gradient of zeros, or a kink at their arguments."""
    telling = 0
    for seed in range(SEED, SEED + 10):
        program = SMOOTH[level](seed).make()
        differentiated = with_gradients(program)
        found = list(directions(program, differentiated)) if differentiated else []
        telling += any(each.given and each.error < TOLERANCE for each in found)
    assert telling >= 6


def program_of(body: str, *arguments: list[float]) -> RandomProgram:
    kind = "tensor<?xf64, #sw.shape<[n]>>"
    named = ", ".join(f"%{name}: {kind}" for name in "xy"[: len(arguments)])
    text = f"func.func @f({named}) -> {kind} {{\n{body.replace('T', kind)}\nfunc.return %r : {kind}\n}}"
    module = parse_module(text, make_context())
    return RandomProgram(module, {"n": len(arguments[0])}, [np.array(each) for each in arguments], [1.0])


@pytest.mark.parametrize(
    ("body", "at", "is_smooth"),
    [
        ('%r = uop.map "abs"(%x) : (T) -> T', [1.0, -2.0], True),
        ('%r = uop.map "abs"(%x) : (T) -> T', [1.0, 0.0], False),
        ('%r = uop.map "sign"(%x) : (T) -> T', [1.0, 0.0], False),
        ('%r = uop.map "exp"(%x) : (T) -> T', [9.0, 0.0], True),
    ],
)
def test_kinks_and_jumps_are_told(body: str, at: list[float], is_smooth: bool):
    program = program_of(body, at)
    differentiated = with_gradients(program)
    assert differentiated is not None
    found = list(directions(program, differentiated))
    assert found and all(each.is_smooth == is_smooth for each in found)


def test_a_wrong_gradient_is_found_and_the_program_cut_down(monkeypatch, tmp_path, capsys):
    """cos is differentiated as if it were sin: only it is left of the programs, or an operation with cos in its body."""

    def wrong(program: RandomProgram) -> RandomProgram | None:
        made = with_gradients(program)
        for op in made.module.walk() if made else ():
            if isinstance(op, uop.MapOp) and op.function.data == "cos":
                op.function = StringAttr("sin")
        return made

    monkeypatch.setattr(fuzz, "with_gradients", wrong)
    where = ["--seed", "48", "--programs", "12", "--targets", DIFFERENCES, "--out", str(tmp_path)]
    assert main(["fuzz", "--gradients", *where]) == 1
    texts = [path.read_text() for path in tmp_path.glob("*.mlir")]
    assert all("by differences" in text and '"cos"' in text for text in texts)
    assert {text.count(" = uop.") for text in texts if "uop.yield" not in text} == {1}
    checked = sum(with_gradients(SMOOTH["uop"](seed).make()) is not None for seed in range(48, 60))
    line = f"gradients of 12 programs, seeds 48 to 59, uop level, {checked} of them with any, {DIFFERENCES}: {len(texts)} "
    assert line in capsys.readouterr().out


def test_a_wrong_target_is_found(monkeypatch):
    def wrong(program: RandomProgram) -> list[np.ndarray]:
        return [2 * result for result in fuzz.oracle(program)]

    monkeypatch.setattr(fuzz, "LEVELS", {"wrong": wrong})
    (failure,) = fuzz.differences(0, ["wrong"], "uop", gradients=True)
    assert failure.message.startswith("result 0: Not equal to tolerance")


def test_gradients_have_no_pipelines(capsys):
    assert main(["fuzz", "--gradients", "--pipelines", "2"]) == 2
    assert "gradients go down the default pipeline" in capsys.readouterr().err
