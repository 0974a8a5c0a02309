"""The line on the terminal while a compile takes long: it is only written to terminals, and erased at the end."""

from __future__ import annotations

import io
import time
from contextlib import redirect_stderr

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime import compile_notice
from stepwell.runtime.compile_notice import compile_notice as notice


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal, and a line that appears at once."""
    monkeypatch.setattr(compile_notice, "FIRST", 0.0)
    monkeypatch.setattr(compile_notice, "EVERY", 0.001)
    return Terminal()


def wait_for(stream: Terminal, text: str) -> None:
    """Wait until a text was written."""
    for _ in range(10_000):
        if text in stream.getvalue():
            return
        time.sleep(0.001)
    raise AssertionError(stream.getvalue())


def test_the_line_names_the_program_and_the_level_and_is_erased(terminal: Terminal):
    with redirect_stderr(terminal), notice("layer") as note:
        wait_for(terminal, "stepwell: compiling layer: lowering")
        note("level loop")
        wait_for(terminal, "stepwell: compiling layer: level loop")
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_compiles_are_shown(terminal: Terminal):
    x = np.ones(3, np.float32)
    with redirect_stderr(terminal):
        result = sw.jit(lambda x: sw.exp(x) * 3.25 - 17)(x)
    np.testing.assert_allclose(result, np.exp(x) * 3.25 - 17, rtol=1e-5)
    assert "stepwell: compiling" in terminal.getvalue()


def test_nothing_is_written_where_nobody_looks_on(monkeypatch: pytest.MonkeyPatch, terminal: Terminal):
    monkeypatch.setenv("STEPWELL_PROGRESS", "0")
    with redirect_stderr(terminal), notice("layer") as note:
        note("level loop")
    assert terminal.getvalue() == ""
    stream = io.StringIO()
    monkeypatch.delenv("STEPWELL_PROGRESS")
    with redirect_stderr(stream), notice("layer") as note:
        note("level loop")
        time.sleep(0.01)
    assert stream.getvalue() == ""


def test_a_short_compile_writes_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compile_notice, "FIRST", 3600.0)
    with redirect_stderr(terminal), notice("layer"):
        pass
    assert terminal.getvalue() == ""
