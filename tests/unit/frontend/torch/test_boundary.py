"""The boundary between tensors and compiled code: arguments are read from their current memory, results are not copied."""

import pytest
import stepwell as sw

torch = pytest.importorskip("torch")

from stepwell.frontend.torch.boundary import giving, taking  # noqa: E402
from stepwell.frontend.torch.graphs.layouts import layout_of  # noqa: E402
from stepwell.frontend.torch.threads import FOLLOWED  # noqa: E402
from stepwell.runtime.cpu.program import THREADS  # noqa: E402


def test_parameters_are_read_where_they_are_now():
    """After changes in place, changes through `.data`, changes of views that have to be copied, and
    `torch.utils.swap_tensors`."""

    class Scale(torch.nn.Module):
        def __init__(self, values):
            super().__init__()
            self.p = torch.nn.Parameter(values)

        def forward(self, x):
            return self.p * x + 1

    made = torch.arange(8.0).to(torch.complex64) * (1 + 2j)
    for values in (torch.arange(8.0), made.conj(), made.conj().imag):
        model = Scale(values)
        compiled = torch.compile(model, backend="stepwell")
        x = torch.linspace(-1, 1, 8)
        for change in (
            lambda p: None,
            lambda p: p.data.mul_(3),
            lambda p: setattr(p, "data", p.data.clone() - 2),
            lambda p: torch.utils.swap_tensors(p, torch.nn.Parameter(p.detach() * 5)),
        ):
            change(model.p)
            torch.testing.assert_close(compiled(x), model(x))


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float8_e4m3fn", "float8_e5m2", "bool", "complex64"])
def test_results_share_their_memory(kind: str):
    tensor = torch.ones(2, 3).to(getattr(torch, kind))
    array = taking(tensor, layout_of(tensor), "cpu")(tensor)
    found = giving(tensor, "cpu")(array)
    assert found.dtype == tensor.dtype and found.data_ptr() == tensor.data_ptr()


def test_a_result_that_cannot_be_written_to_is_copied():
    tensor = torch.ones(3)
    array = tensor.numpy()
    array.flags.writeable = False
    found = giving(tensor, "cpu")(array)
    assert found.tolist() == [1, 1, 1] and found.data_ptr() != tensor.data_ptr()


def test_graphs_compute_on_as_many_threads_as_torch(monkeypatch):
    before, of_torch = THREADS.count, torch.get_num_threads()
    monkeypatch.setattr(THREADS, "is_chosen", False)
    monkeypatch.setattr(FOLLOWED, "taken", None)
    call = torch.compile(lambda x: x * 2, backend="stepwell", options={"target": "interpret"})
    counts = []
    try:
        for number in (1, 2, 1):
            torch.set_num_threads(number)
            call(torch.ones(3))
            counts.append(THREADS.count)
        sw.set_num_threads(2)
        call(torch.ones(3))
        assert [*counts, THREADS.count] == [1, 2, 1, 2], "ours stays until torch's changes"
        monkeypatch.setattr(FOLLOWED, "taken", None)
        call(torch.ones(3))
        assert THREADS.count == 2, "what has been chosen stays"
    finally:
        torch.set_num_threads(of_torch)
        THREADS.count = before
