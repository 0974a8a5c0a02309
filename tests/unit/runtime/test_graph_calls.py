"""Calls that replay a graph, with a simulated driver: graphs call the recorded launches."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.triton import graph_calls
from stepwell.tests.unit.runtime.fake_driver import RecordedGraph

torch = pytest.importorskip("torch")
pytest.importorskip("triton")


@pytest.fixture(autouse=True)
def _graphs(launches: list[Any]) -> None:
    RecordedGraph.made.clear()


def test_the_second_call_of_a_kind_records_and_replays():
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    results = []
    for k in range(5):
        a, b = torch.full((8,), float(k)), torch.ones(8)
        results.append(add(a, b))
    assert [each[0].item() for each in results] == [1, 2, 3, 4, 5]
    assert len({each.data_ptr() for each in results}) == 5
    (graph,) = RecordedGraph.made
    assert graph.replays == 4 and add.stats() == (1, 4)


def test_other_sizes_have_graphs_of_their_own():
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    for size in (4, 6, 4, 6, 4, 6):
        assert torch.equal(add(torch.arange(float(size)), torch.ones(size)), torch.arange(float(size)) + 1)
    assert [graph.replays for graph in RecordedGraph.made] == [2, 2]


def test_strided_and_nested_arguments():
    add = sw.jit(lambda pair: {"sum": pair[0] + pair[1]}, target="cuda", graph=True)
    for _ in range(4):
        assert torch.equal(add((torch.arange(16.0)[::2], torch.ones(8)))["sum"], torch.arange(16.0)[::2] + 1)
    assert RecordedGraph.made[0].replays == 3


def test_donated_arguments_are_recorded_at_their_addresses():
    """A step whose state keeps its address has one graph; a state at another address gets a second one."""
    add = sw.jit(lambda state, step: state + step, target="cuda", graph=True, donate_argnums=0)
    state, step = torch.zeros(8), torch.ones(8)
    for _ in range(5):
        result = add(state, step)
        assert result.data_ptr() == state.data_ptr()
    assert torch.equal(state, torch.full((8,), 5.0)) and len(RecordedGraph.made) == 1
    other = torch.full((8,), 10.0)
    add(other, step)
    assert torch.equal(other, torch.full((8,), 11.0)) and torch.equal(state, torch.full((8,), 5.0))
    assert len(RecordedGraph.made) == 2


def test_donated_arguments_that_share_memory_are_copied_first():
    add = sw.jit(lambda state, step: state + step, target="cuda", graph=True, donate_argnums=0)
    both = torch.ones(8)
    for _ in range(4):
        result = add(both, both)
        assert torch.equal(result, torch.full((8,), 2.0)) and torch.equal(both, torch.ones(8))
    assert not RecordedGraph.made


def test_threads_do_not_see_the_arguments_of_others():
    """Threads share torch's default stream, and so the memory of a graph."""
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    size, wrong = 65_536, list[float]()
    for _ in range(3):
        add(torch.zeros(size), torch.zeros(size))

    def call(number: int) -> None:
        a, b = torch.full((size,), float(number)), torch.ones(size)
        for _ in range(100):
            found = add(a, b)
            if not bool((found == number + 1).all()):
                wrong.append(found[0].item())

    threads = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(RecordedGraph.made) == 1


def test_arguments_go_that_are_copied():
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    for _ in range(4):
        a, b = torch.ones(8), torch.ones(8)
        add(a, b)
        kept = [weakref.ref(a), weakref.ref(b)]
        del a, b
        assert [each() for each in kept] == [None, None]


def test_numbers_and_arrays_of_the_host_are_copied():
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    x = torch.arange(8.0)
    add(x, 2.0)  # a constant of the code, until another number comes
    for rate in (3.0, 4.0, 5.0, 5.0):
        assert torch.equal(add(x, rate), x + rate)
    assert len(RecordedGraph.made) == 1 and RecordedGraph.made[0].replays == 3
    for k in range(4):
        assert torch.equal(add(x, np.full(8, k, "float32")), x + k)
    assert [graph.replays for graph in RecordedGraph.made] == [3, 3]


def test_donated_arrays_of_the_host_are_copied_first():
    add = sw.jit(lambda state, step: state + step, target="cuda", graph=True, donate_argnums=0)
    for _ in range(3):
        assert np.allclose(add(np.ones(8, "float32"), torch.ones(8)), 2)
    assert not RecordedGraph.made


def test_kinds_that_did_not_come_for_long_are_forgotten(monkeypatch):
    monkeypatch.setattr(graph_calls, "MOST_KINDS", 2)
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    for size in (4, 5, 4, 6, 4, 5, 4):  # 6 replaces 5, and 5 replaces 6
        assert torch.equal(add(torch.arange(float(size)), torch.ones(size)), torch.arange(float(size)) + 1)
    (graph,) = RecordedGraph.made
    assert graph.replays == 3


def test_what_has_no_graph():
    with pytest.raises(ValueError, match=r"sw.jit\(graph=True\): expected target 'cuda', got 'cpu'"):
        sw.jit(lambda a: a, graph=True)
    add = sw.jit(lambda a, b: a + b, target="cuda", graph=True)
    with pytest.raises(TypeError, match=r"argument 'a': expected a tensor on a GPU, got one on the host"):
        add(np.ones(3, "float32"), np.ones(3, "float32"))
    take = sw.jit(lambda a, i: sw.take(a, i, axis=0), target="cuda", graph=True)
    with pytest.raises(sw.CompileError, match="has run-time checks"):
        take(torch.ones(4), torch.tensor([1]))


def test_donation_without_a_graph():
    """Direct calls write to the donated argument, too."""
    add = sw.jit(lambda state, step: state + step, target="cuda", donate_argnums=0)
    state, step = torch.zeros(8), torch.ones(8)
    for _ in range(3):
        assert add(state, step) is state
    assert torch.equal(state, torch.full((8,), 3.0)) and next(iter(add._compiled.values())).direct.hits == 2
    both = torch.ones(8)
    assert torch.equal(add(both, both), torch.full((8,), 2.0)) and torch.equal(both, torch.ones(8))
