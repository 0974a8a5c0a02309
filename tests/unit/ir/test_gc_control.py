"""The collector pauses while programs are lowered, and runs while compilers run."""

from __future__ import annotations

import gc
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.gc_control import collection_paused, collection_resumed
from stepwell.runtime.toolchain import compiler as toolchain


class Node:
    """An object that the collector has to traverse."""

    def __init__(self) -> None:
        self.itself = self


class Compilers(subprocess.Popen[Any]):
    """Starts compilers and keeps their processes."""

    started: ClassVar[list[Compilers]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.started.append(self)

    @classmethod
    def at_work(cls) -> bool:
        """Whether something is being compiled now, not only linked."""
        sources = [each for each in cls.started if any(str(word).endswith(".c") for word in list(each.args))]
        return any(each.poll() is None for each in sources)


class Seen(NamedTuple):
    """A generation that was collected, whether it was collected by request, and whether a compiler ran."""

    generation: int
    was_asked: bool
    compiling: bool


@contextmanager
def collections() -> Iterator[list[Seen]]:
    """Record the collections inside the block."""
    seen: list[Seen] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(Seen(info["generation"], not gc.isenabled(), Compilers.at_work()))

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


@pytest.fixture(autouse=True)
def compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compilers that this test started."""
    monkeypatch.setattr(Compilers, "started", [], raising=False)


@pytest.fixture(autouse=True)
def collector_enabled() -> Iterator[None]:
    """Enable the collector with Python's own thresholds, with nothing left to collect; restore the settings afterwards."""
    enabled, threshold = gc.isenabled(), gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.enable()
    gc.collect()
    yield
    gc.set_threshold(*threshold)
    (gc.enable if enabled else gc.disable)()


def some_nodes() -> list[Node]:
    return [Node() for _ in range(2 * gc.get_threshold()[0])]


def wait() -> None:
    with collection_resumed():
        pass


def test_in_a_pause_nothing_is_collected_until_others_are_waited_for():
    with collections() as seen, collection_paused(), collection_paused():
        kept = some_nodes()
        assert not seen
        with collection_resumed():
            assert gc.isenabled()
        assert not gc.isenabled()
        assert [each.generation for each in seen] == [0]
        wait()
        assert len(seen) == 1, "there was nothing new"
    assert gc.isenabled()
    assert kept


def test_who_waits_outside_of_a_pause_does_not_collect():
    with collections() as seen:
        wait()
        gc.disable()
        kept = some_nodes()
        with collection_resumed():
            assert not gc.isenabled(), "the user stopped it"
        with collection_paused():
            wait()
        assert not gc.isenabled()
    assert not seen
    assert kept


def test_without_a_threshold_there_is_nothing_that_a_pause_puts_off():
    gc.set_threshold(0)
    with collections() as seen, collection_paused():
        kept = [Node() for _ in range(2000)]
        wait()
    assert not seen
    assert kept


def test_a_pause_is_that_of_its_thread():
    with collections() as seen, collection_paused():
        kept = some_nodes()
        other = threading.Thread(target=wait)
        other.start()
        other.join()
        assert not seen
        assert not gc.isenabled()
    assert kept


def test_an_error_ends_a_pause():
    with pytest.raises(ValueError, match="inside"), collection_paused(), collection_resumed():
        raise ValueError("inside")
    assert gc.isenabled()


@pytest.mark.parametrize("layers", [0, 3], ids=["one unit", "several units"])
def test_what_a_pause_puts_off_is_done_while_compilers_run(tmp_path, monkeypatch: pytest.MonkeyPatch, layers: int):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    toolchain.find_compiler()  # the compilation would wait for its answer too
    monkeypatch.setattr(subprocess, "Popen", Compilers)

    def program(x):
        for _ in range(layers):
            x = sw.maximum(x @ x, 0.0)
        return sw.softmax(x, axis=1)

    with collections() as seen:
        sw.jit(program)(np.ones((8, 8), np.float32))
    assert [each for each in seen if each.was_asked] == [Seen(0, was_asked=True, compiling=True)]
    assert gc.isenabled()
