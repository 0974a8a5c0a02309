"""Calls with tensors on a GPU of shapes that came before, with a simulated driver: kernels run on the CPU."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
pytest.importorskip("triton")


def test_a_second_call_goes_to_the_kernel_at_once(launches: list[Any]):
    add = sw.jit(lambda a, b: a + b, target="cuda")
    a, b = torch.arange(8.0), torch.ones(8)
    first, second = add(a, b), add(a, b)
    assert torch.equal(first, a + b) and torch.equal(second, a + b) and first.data_ptr() != second.data_ptr()
    # Triton finds the kernel at the first launch; later launches go to the compiled kernel, on a given stream.
    assert "num_warps" in launches[0] and launches[1] == {"stream": 0}
    assert add.stats() == (1, 1)


def test_few_python_functions_run_in_a_third_call(launches: list[Any]):
    """The second call finds out whether later ones can run in native code, which requires a driver."""
    add = sw.jit(lambda a, b: a + b, target="cuda")
    a, b = torch.arange(8.0), torch.ones(8)
    for _ in range(2):
        add(a, b)
    called: list[str] = []
    sys.setprofile(lambda frame, event, _argument: called.append(frame.f_code.co_name) if event == "call" else None)
    try:
        add(a, b)
    finally:
        sys.setprofile(None)
    assert len(called) <= 24, " ".join(called)


def test_other_arguments_go_through_the_whole_path(launches: list[Any]):
    """Other shapes and strides, tensors that require gradients, and arguments that are not tensors."""
    add = sw.jit(lambda a, b: a + b, target="cuda")
    a, b = torch.arange(8.0), torch.ones(8)
    add(a, b)
    direct = next(iter(add._compiled.values())).direct
    assert torch.equal(add(torch.arange(5.0), torch.ones(5)), torch.arange(5.0) + 1)
    assert torch.equal(add(torch.arange(16.0)[::2], b), torch.arange(16.0)[::2] + 1)
    assert direct.hits == 0 and len(direct.known) == 2
    add(a.numpy(), b.numpy())
    assert torch.equal(add(torch.arange(5.0), torch.ones(5)), torch.arange(5.0) + 1) and direct.hits == 1
    add(a.requires_grad_(), b)
    assert direct.hits == 1


def test_results_keep_their_structure(launches: list[Any]):
    both = sw.jit(lambda a, b: {"sum": (a + b,)}, target="cuda")
    a, b = torch.arange(8.0), torch.ones(8)
    both(a, b)
    assert torch.equal(both(a, b)["sum"][0], a + b) and next(iter(both._compiled.values())).direct.hits == 1
