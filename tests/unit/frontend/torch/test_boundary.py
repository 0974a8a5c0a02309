"""The boundary between tensors and compiled code: arrays of parameters are kept, and those of tensors that changed are not."""

import gc
import weakref

import pytest

torch = pytest.importorskip("torch")

from stepwell.frontend.torch.boundary import giving, taking  # noqa: E402
from stepwell.frontend.torch.layouts import layout_of  # noqa: E402


def test_the_array_of_a_parameter_is_kept():
    parameter = torch.nn.Parameter(torch.arange(3.0))
    take = taking(parameter, layout_of(parameter), "cpu")
    first = take(parameter)
    assert take(parameter) is first
    with torch.no_grad():
        parameter.add_(1)
    assert take(parameter).tolist() == [1, 2, 3]


def test_an_array_is_that_of_the_parameters_memory():
    """Of another parameter, and of one whose memory is another now, as after `module.to`, it is a new one."""
    parameter = torch.nn.Parameter(torch.zeros(3))
    take = taking(parameter, layout_of(parameter), "cpu")
    take(parameter)
    parameter.data = torch.ones(3)
    assert take(parameter).tolist() == [1, 1, 1]
    assert take(torch.nn.Parameter(torch.full((3,), 2.0))).tolist() == [2, 2, 2]
    assert take(parameter).tolist() == [1, 1, 1]


def test_the_array_of_a_parameter_that_is_gone_is_freed():
    parameter = torch.nn.Parameter(torch.zeros(3))
    take = taking(parameter, layout_of(parameter), "cpu")
    array = weakref.ref(take(parameter))
    assert array() is not None
    del parameter
    gc.collect()
    assert array() is None


def test_arrays_of_other_tensors_are_not_kept():
    tensor = torch.zeros(3)
    take = taking(tensor, layout_of(tensor), "cpu")
    array = weakref.ref(take(tensor))
    gc.collect()
    assert array() is None


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "bool", "complex64"])
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
