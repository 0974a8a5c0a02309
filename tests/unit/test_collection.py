"""The collector waits while programs are lowered, and does its part while compilers run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.collection import collect_meanwhile, collection_paused
from stepwell.runtime import toolchain


class Node:
    """An object that the collector has to look at."""

    def __init__(self) -> None:
        self.itself = self


class Seen(NamedTuple):
    """A generation that was looked at, and whether the collector would not have come by itself."""

    generation: int
    paused: bool


@contextmanager
def collections() -> Iterator[list[Seen]]:
    """What is looked at inside."""
    seen: list[Seen] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(Seen(info["generation"], not gc.isenabled()))

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


@pytest.fixture(autouse=True)
def running() -> Iterator[None]:
    gc.enable()
    gc.collect()
    yield
    gc.enable()


def some_nodes() -> list[Node]:
    return [Node() for _ in range(2 * gc.get_threshold()[0])]


def test_in_a_pause_nothing_is_collected_before_it_is_asked_for():
    with collections() as seen, collection_paused(), collection_paused():
        kept = some_nodes()
        assert not seen
        collect_meanwhile()
        assert seen == [Seen(0, paused=True)]
        collect_meanwhile()
        assert len(seen) == 1, "there was nothing new"
    assert gc.isenabled()
    assert kept


def test_outside_of_a_pause_and_where_the_user_stopped_the_collector_it_is_left_alone():
    gc.disable()
    kept = some_nodes()
    with collections() as seen:
        collect_meanwhile()
        with collection_paused():
            collect_meanwhile()
    assert not seen
    assert not gc.isenabled()
    assert kept


@pytest.mark.parametrize("layers", [0, 3], ids=["one unit", "several units"])
def test_what_a_pause_puts_off_is_done_while_compilers_run(tmp_path, monkeypatch: pytest.MonkeyPatch, layers: int):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    toolchain.find_compiler()  # whose answer would be waited for, too

    def program(x):
        for _ in range(layers):
            x = sw.maximum(x @ x, 0.0)
        return sw.softmax(x, axis=1)

    with collections() as seen:
        sw.jit(program)(np.ones((8, 8), np.float32))
    assert [each for each in seen if each.paused] == [Seen(0, paused=True)]
    assert gc.isenabled()
