"""The probe of a C compiler before its first use: once, for all flags, in the background."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cache.disk import default_cache
from stepwell.runtime.toolchain import compiler as toolchain
from stepwell.runtime.toolchain.compiler import (
    NO_LIBC,
    QUICK_FLAGS,
    CompilerError,
    Trial,
    ask_early,
    find_command,
    find_compiler,
)

REFUSES = """#!/bin/sh
case "$*" in *{flag}*) echo "unknown option" >&2; exit 1;; esac
exec {real} "$@"
"""


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """An empty cache, and the machine's compiler, without settings from the caller's environment."""
    for name in ("STEPWELL_MACHINE", "STEPWELL_CFLAGS", "CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    toolchain._early_trials.cache_clear()
    yield
    assert not early_trials(), "somebody waits for each answer"


def early_trials() -> dict[str, Trial]:
    return toolchain._early_trials(os.getpid())


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


def compiler(text: str, folder: Path) -> str:
    program = folder / "compiler"
    program.write_text(text)
    program.chmod(0o755)
    return str(program)


def refusing(flag: str, folder: Path) -> str:
    return compiler(REFUSES.format(flag=flag, real=find_command().path), folder)


def test_gcc_is_asked_once_for_all_flags(trials: list[list[str]]):
    if find_compiler().kind != "gcc":
        pytest.skip("another compiler may lack some flags")
    assert len(trials) == 1 and {"-march=native", "-fopenmp", *QUICK_FLAGS, NO_LIBC} <= set(trials[0])


def test_who_asks_early_is_waited_for(trials: list[list[str]]):
    assert not ask_early() and not ask_early() and len(trials) == 1
    found = find_compiler()
    if found.kind == "gcc":
        assert len(trials) == 1
    assert ask_early() and find_compiler() == found


def test_a_first_call_asks_before_it_traces(trials: list[list[str]]):
    asked: list[int] = []

    def traced(x):
        asked.append(len(trials))
        return x + 1

    np.testing.assert_array_equal(sw.jit(traced)(np.ones(3)), 2 * np.ones(3))
    assert asked == [1]


def test_a_question_that_was_lost_is_asked_again(trials: list[list[str]]):
    ask_early()
    for trial in early_trials().values():
        trial.drop()
    assert "-fopenmp" in find_compiler().flags and len(trials) >= 2


def sleeping(folder: Path) -> str:
    """A compiler that never ends, and reports its process."""
    return compiler(f"#!/bin/sh\necho $$ > {folder}/new && mv {folder}/new {folder}/began; exec sleep 1000\n", folder)


def sleeps(folder: Path) -> bool:
    """Whether the process has begun and still runs: an entry in the process table is not enough."""
    began = folder / "began"
    status = Path(f"/proc/{began.read_text().strip()}/status") if began.exists() else began
    return status.exists() and "State:\tZ" not in status.read_text()


def wait_for_sleep(folder: Path) -> None:
    end = time.monotonic() + 30
    while not sleeps(folder) and time.monotonic() < end:
        time.sleep(0.01)
    assert sleeps(folder)


def test_a_question_to_another_compiler_is_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", sleeping(tmp_path))
    ask_early()
    folders = [trial.folder for trial in early_trials().values()]
    wait_for_sleep(tmp_path)
    monkeypatch.delenv("CC")
    ask_early()
    assert not sleeps(tmp_path) and [folder for folder in folders if folder.exists()] == []
    assert len(early_trials()) == 1
    find_compiler()


def test_a_question_ends_with_its_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    program = """
import os, sys, time
from stepwell.runtime.toolchain import compiler as toolchain
toolchain.ask_early()
while not os.path.exists(sys.argv[1] + "/began"):
    time.sleep(0.01)
if os.fork() == 0:
    sys.exit(0)
os.wait()
(trial,) = toolchain._early_trials(os.getpid()).values()
print(trial.folder, trial.folder.exists())
"""
    monkeypatch.setenv("CC", sleeping(tmp_path))
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    folder, was_there = done.stdout.split()
    assert was_there == "True", "a forked child leaves it alone"
    assert not Path(folder).exists() and not sleeps(tmp_path)


def test_a_compiler_that_never_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", sleeping(tmp_path))
    monkeypatch.setattr(toolchain, "COMPILE_SECONDS", 1.0)
    with pytest.raises(CompilerError, match="did not finish within"):
        find_compiler()
    monkeypatch.setattr(toolchain, "_version", lambda _command: "sleeping")
    with pytest.raises(CompilerError, match="did not finish within"):
        find_compiler()
    assert not sleeps(tmp_path)


def test_what_is_loaded_before_counts(monkeypatch: pytest.MonkeyPatch, trials: list[list[str]]):
    find_compiler()
    asked = len(trials)
    monkeypatch.setenv("LD_PRELOAD", "libm.so.6")
    find_compiler()
    assert len(trials) > asked


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


@pytest.mark.parametrize("libc", [(NO_LIBC,), ()], ids=["without libc", "with libc"])
def test_flags_that_save_the_compiler_time_are_left_out_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, libc: tuple[str, ...]
):
    """clang accepts none of them."""
    refused = QUICK_FLAGS[0] if libc else f"{QUICK_FLAGS[0]}*|*{NO_LIBC}"
    if find_compiler().kind != "gcc":
        pytest.skip("another compiler takes none of them, and has nothing to refuse")
    taken = find_compiler().flags
    assert set(QUICK_FLAGS) <= set(taken)
    wanted = tuple(flag for flag in taken if flag not in (*QUICK_FLAGS, *(() if libc else (NO_LIBC,))))
    monkeypatch.setenv("CC", refusing(refused, tmp_path))
    assert find_compiler().flags == wanted


def test_optional_flags_that_the_compiler_refuses_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", refusing("-fopenmp", tmp_path))
    found = find_compiler()
    assert "-fopenmp" not in found.flags and {"-O2", "-march=native"} <= set(found.flags) and found.macros
    np.testing.assert_array_equal(sw.jit(lambda x: x + 1)(np.ones(3)), 2 * np.ones(3))


def test_sound_entries_are_held():
    find_compiler()
    cache = default_cache()
    key = next(path.name for path in cache._entries())
    assert cache.holds(key) and not cache.holds("0" * 64)
