"""`$STEPWELL_LINE_DIRECTIVES`: compiled code whose debug information names the user's lines. Code without it is shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.lowered.function import Lowered
from stepwell.runtime.cpu.program import CpuProgram


def first(x: Any) -> Any:
    return sw.tanh(x) * 3


def second(x: Any) -> Any:
    return sw.tanh(x) * 3


def library(low: Lowered) -> Path:
    program = low.executable().program
    assert isinstance(program, CpuProgram)
    return program.library.path


def test_functions_with_the_same_code_share_an_object_without_directives():
    one, other = (sw.lower(function, sw.Spec("n")) for function in (first, second))
    assert one.trace.source_map() != other.trace.source_map() and "#line" not in one.source()
    assert library(one) == library(other)


def test_debug_information_names_the_users_file(monkeypatch: pytest.MonkeyPatch):
    plain = sw.lower(first, sw.Spec("n"))
    assert Path(__file__).name.encode() not in library(plain).read_bytes()
    monkeypatch.setenv("STEPWELL_LINE_DIRECTIVES", "1")
    named = sw.lower(first, sw.Spec("n"))
    assert Path(__file__).name.encode() in library(named).read_bytes()
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(named(x), plain(x))


def test_jitted_code_has_directives_too_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    x = np.arange(4, dtype=np.float32)
    before = sw.jit(first)(x)
    monkeypatch.setenv("STEPWELL_LINE_DIRECTIVES", "1")
    np.testing.assert_array_equal(sw.jit(first)(x), before)


def test_lines_without_a_source_are_those_of_the_emitted_code():
    text = sw.lower(first, sw.Spec("n")).source(line_directives=True).splitlines()
    own = [(int(line.split()[1]), number) for number, line in enumerate(text) if line.endswith('"kernel.c"')]
    plain = sw.lower(first, sw.Spec("n")).source().splitlines()
    assert own and all(text[number + 1] == plain[wanted - 1] for wanted, number in own)
