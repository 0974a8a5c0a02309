"""What a C compiler is asked before it is used: once, for all flags, and while something else is done."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime import toolchain
from stepwell.runtime.cache import default_cache
from stepwell.runtime.toolchain import NO_LIBC, CompilerError, Trial, ask_early, find_command, find_compiler

REFUSES = """#!/bin/sh
case "$*" in *{flag}*) echo "unknown option" >&2; exit 1;; esac
exec {real} "$@"
"""


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """An empty cache, and the compiler of the machine, without what the caller's shell has configured."""
    for name in ("STEPWELL_MACHINE", "STEPWELL_CFLAGS", "CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    yield
    assert not toolchain._EARLY, "somebody waits for each answer"


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The flags of each probe."""
    tried: list[list[str]] = []

    class Counted(Trial):
        def __init__(self, argv, flags):
            tried.append(list(flags))
            super().__init__(argv, flags)

    monkeypatch.setattr(toolchain, "Trial", Counted)
    return tried


def refusing(flag: str, folder: Path) -> str:
    program = folder / "picky"
    program.write_text(REFUSES.format(flag=flag, real=find_command().path))
    program.chmod(0o755)
    return str(program)


def test_gcc_is_asked_once_for_all_flags(trials: list[list[str]]):
    if find_compiler().kind != "gcc":
        pytest.skip("another compiler may lack some flags")
    assert len(trials) == 1 and {"-march=native", "-fopenmp", NO_LIBC} <= set(trials[0])


def test_who_asks_early_is_waited_for(trials: list[list[str]]):
    assert not ask_early() and not ask_early() and len(trials) == 1
    compiler = find_compiler()
    if compiler.kind == "gcc":
        assert len(trials) == 1
    assert ask_early() and find_compiler() == compiler


def test_a_first_call_asks_before_it_traces(trials: list[list[str]]):
    asked: list[int] = []

    def traced(x):
        asked.append(len(trials))
        return x + 1

    np.testing.assert_array_equal(sw.jit(traced)(np.ones(3)), 2 * np.ones(3))
    assert asked == [1]


def test_a_question_that_was_lost_is_asked_again(trials: list[list[str]]):
    ask_early()
    for trial in toolchain._EARLY.values():
        trial.drop()
    assert "-fopenmp" in find_compiler().flags and len(trials) >= 2


def test_a_question_that_another_process_has_answered_is_dropped():
    ask_early()
    early = dict(toolchain._EARLY)
    toolchain._EARLY.clear()
    find_compiler()
    toolchain._EARLY.update(early)
    find_compiler()
    assert [trial._process.poll() is not None for trial in early.values()] == [True]


def test_what_goes_wrong_is_raised_where_the_compiler_is_needed(monkeypatch: pytest.MonkeyPatch):
    for command, message in (("no-such-compiler", "no program 'no-such-compiler'"), ("false", "exit status 1")):
        monkeypatch.setenv("CC", command)
        assert not ask_early()
        with pytest.raises((toolchain.CompilerNotFound, CompilerError), match=message):
            find_compiler()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="macros of another machine")
def test_macros_are_those_under_all_flags(monkeypatch: pytest.MonkeyPatch):
    assert "__x86_64__" in find_compiler().macros
    monkeypatch.setenv("STEPWELL_CFLAGS", "-march=znver3")
    assert {"__AVX2__", "__znver3__"} <= find_compiler().macros and "__AVX512F__" not in find_compiler().macros
    monkeypatch.setenv("STEPWELL_CFLAGS", "-march=x86-64")
    assert find_compiler().macros == {"__x86_64__"}


def test_flags_of_the_user_that_the_compiler_refuses(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CFLAGS", "-march=nonsense")
    with pytest.raises(CompilerError, match=r"nonsense(?s:.*)with \$STEPWELL_CFLAGS"):
        find_compiler()


def test_where_libc_must_be_linked_all_other_flags_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    flags = find_compiler().flags
    monkeypatch.setenv("CC", refusing(NO_LIBC, tmp_path))
    assert find_compiler().flags == tuple(flag for flag in flags if flag != NO_LIBC)
    np.testing.assert_array_equal(sw.jit(lambda x: x + 1)(np.ones(3)), 2 * np.ones(3))


def test_optional_flags_that_the_compiler_refuses_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", refusing("-fopenmp", tmp_path))
    compiler = find_compiler()
    assert "-fopenmp" not in compiler.flags and {"-O2", "-march=native"} <= set(compiler.flags) and compiler.macros
    np.testing.assert_array_equal(sw.jit(lambda x: x + 1)(np.ones(3)), 2 * np.ones(3))


def test_sound_entries_are_held():
    find_compiler()
    cache = default_cache()
    key = next(path.name for path in cache._entries())
    assert cache.holds(key) and not cache.holds("0" * 64)
