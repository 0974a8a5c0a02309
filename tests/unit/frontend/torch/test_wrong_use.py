"""Unsupported dtypes and devices, graph breaks, changes of leaves, a missing compiler: one clear message each, and eager goes
on where it can."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
from stepwell.frontend.torch import report as report_module  # noqa: E402
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import EagerWarning, explain  # noqa: E402

X = torch.linspace(-2, 2, 12).reshape(3, 4)


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """torch forgets compiled graphs, and Stepwell the warnings that it has given."""
    monkeypatch.setattr(report_module, "_WARNED", report_module._Warned())
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(function: Any, target: str = "interpret") -> Any:
    return torch.compile(function, backend="stepwell", options={"target": target})


def said(function: Any, *given: Any) -> tuple[Any, list[str]]:
    """The result of a compiled function, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = compiled(function)(*given)
    return result, [str(each.message) for each in caught if issubclass(each.category, EagerWarning)]


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "float8_e5m2fnuz"])
def test_an_unsupported_dtype_is_named_once_and_the_rest_is_compiled(dtype: str):
    def function(x: Any) -> Any:
        return ((x.abs() * 2).to(getattr(torch, dtype)).to(torch.float32) + 1).sqrt()

    found, messages = said(function, X)
    torch.testing.assert_close(found, function(X))
    (message,) = messages
    assert message.startswith(f"'aten._to_copy.default' is left to eager: unsupported dtype '{dtype}'")
    report = explain(function, X)
    assert report.partitions == 2 and report.eager_count == 2
    assert said(function, X)[1] == [], "it is said once"


def test_a_graph_break_makes_two_graphs_and_no_noise():
    def function(x: Any) -> Any:
        scale = (x * 2).sum()
        torch._dynamo.graph_break()
        return x * scale + 1

    with reporting() as report:
        found, messages = said(function, X)
    torch.testing.assert_close(found, function(X))
    assert messages == [] and len(report.graphs) == 2 and not report.eager


def test_a_graph_that_replaces_the_memory_of_a_tensor_is_left_to_eager():
    def function(x: Any) -> Any:
        x.data = x.data * 2
        return x + 1

    given = [torch.ones(2), torch.nn.Parameter(torch.ones(2))]
    found, messages = said(function, given[0])
    assert found.tolist() == [3, 3] and given[0].tolist() == [2, 2]
    (message,) = messages
    assert message.startswith("'Tensor.set_' is left to eager: it replaces the memory of a tensor")
    with reporting() as report:
        assert compiled(function)(given[1]).tolist() == [3, 3]
    assert report.eager_count and not report.partitions


def test_a_branch_on_data_is_taken_as_in_eager():
    def function(x: Any) -> Any:
        return x * 2 if x.sum() > 0 else x * 3

    call = compiled(function)
    for x in (X + 1, X - 1):
        torch.testing.assert_close(call(x), function(x))


def test_a_leaf_that_is_changed_in_place_is_the_error_of_torch():
    with pytest.raises(Exception, match="a leaf Variable that requires grad is being used in an in-place operation"):
        compiled(lambda x: x.mul_(2) + 1)(torch.ones(3, requires_grad=True))


def test_memory_that_elements_share_cannot_be_changed():
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        compiled(lambda x: x.add_(1))(torch.ones(1).expand(3))


def test_another_device_is_left_to_eager():
    found, messages = said(lambda x: x * 2 + 1, torch.ones(3, device="meta"))
    assert found.device.type == "meta" and found.shape == (3,)
    assert messages == [
        f"'aten.{name}.Tensor' is left to eager: it is on the device 'meta', the target 'interpret' computes on the CPU"
        for name in ("mul", "add")
    ]


def test_tensors_on_two_devices_are_the_error_of_torch():
    with pytest.raises(Exception, match=r"Expected all tensors to be on the same device|device mismatch"):
        compiled(lambda x, y: x * 2 + y)(torch.ones(3), torch.ones(3, device="meta"))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_an_error():
    with pytest.raises(sw.CompileError, match="target 'cuda' needs a GPU that torch can use, and there is none"):
        compiled(lambda x: x * 2, "cuda")(X)


def test_a_missing_compiler_is_said_once_for_all_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", "/no/compiler/for/any/program")
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in (2, 3):
            torch.testing.assert_close(compiled(lambda x, n=number: x * n + 1, "cpu")(X), X * number + 1)
    (message,) = (str(each.message) for each in caught if issubclass(each.category, EagerWarning))
    assert "and so are others, because it could not be compiled: $CC is '/no/compiler/for/any/program'" in message
    assert message.endswith('no compiler: torch.compile(model, backend="stepwell", options={"target": "interpret"})')


def test_an_index_out_of_range_names_the_line():
    with pytest.raises(IndexError, match=r"test_wrong_use.py:\d+.* index 9 is out of range for an axis of size 3"):
        compiled(lambda x, at: x[at] * 2)(X, torch.tensor([0, 9]))


@pytest.mark.parametrize(
    ("pick", "at"),
    [
        (lambda x, at: torch.nn.functional.embedding(at, x), [0, -1]),
        (lambda x, at: x.index_select(1, at), [0, -1]),
        (lambda x, at: x.gather(1, at), [[0, -1]]),
        (lambda x, at: x.scatter(1, at, 1.0), [[0, -1]]),
        (lambda x, at: x.scatter_add(1, at, torch.ones(1, 2)), [[0, -1]]),
        (lambda x, at: x.scatter_reduce(1, at, torch.ones(1, 2), "amax"), [[0, -1]]),
        (lambda x, at: x.index_add(1, at, torch.ones(len(x), 2)), [0, -1]),
        (lambda x, at: x.index_copy(1, at, torch.ones(len(x), 2)), [0, -1]),
    ],
)
def test_a_negative_index_is_named_as_it_was_given(pick, at):
    with pytest.raises(IndexError, match="index -1 is out of range for an axis of size"):
        compiled(pick)(X, torch.tensor(at))


def test_jitted_functions_name_the_device_and_the_dtype():
    with pytest.raises(TypeError, match="device 'meta', which holds no data: pass a tensor on the CPU or a GPU"):
        sw.jit(lambda x: x * 2)(torch.ones(3, device="meta"))
    with pytest.raises(TypeError, match="argument 'x': unsupported dtype 'uint16'"):
        sw.jit(lambda x: x * 2)(torch.ones(3, dtype=torch.uint16))


@pytest.mark.parametrize(
    "function",
    [
        lambda at, x: torch.nn.functional.embedding(at, x[:, None]),
        lambda at, x: x.gather(0, at),
        lambda at, x: x.index_select(0, at),
        lambda at, x: x.scatter(0, at, torch.ones(1)),
        lambda at, x: torch.nn.functional.cross_entropy(x[None], at),
        lambda at, x: torch.nn.functional.nll_loss(x[None], at),
        lambda at, x: torch.nn.functional.embedding_bag(at, x[:, None], torch.tensor([0])),
        lambda at, x: torch.nn.functional.max_unpool1d(x[None, None, :1], at[None, None], 3),
        lambda at, x: x.scatter_add(0, at, torch.ones(1)),
        lambda at, x: x.index_add(0, at, torch.ones(1)),
        lambda at, x: x.index_copy(0, at, torch.ones(1)),
    ],
)
def test_negative_indices_that_torch_does_not_count_from_the_end(function):
    with pytest.raises(IndexError, match="out of range"):
        torch.compile(function, backend="stepwell")(torch.tensor([-1]), torch.ones(3))


@pytest.mark.parametrize(
    ("function", "at"),
    [(lambda at, x: x.index_fill(0, at, 1.0), -5), (lambda at, x: x.index_put((at,), torch.ones(1)), -4)],
)
def test_the_index_that_is_out_of_range_is_named(function, at):
    with pytest.raises(IndexError, match=f"index {at} is out of range for an axis of size 3"):
        torch.compile(function, backend="stepwell")(torch.tensor([at]), torch.ones(3))


@pytest.mark.parametrize("offsets", [[1, 2], [0, 2, 1]])
def test_offsets_of_bags_ascend_from_the_first_index(offsets):
    call = torch.compile(torch.nn.functional.embedding_bag, backend="stepwell")
    with pytest.raises(IndexError, match="out of range"):
        call(torch.tensor([0, 1, 2]), torch.ones(3, 2), torch.tensor(offsets))


@pytest.mark.parametrize("function", [torch.mm, lambda a, b: torch.addmm(torch.ones(2, 2), a, b)])
def test_factors_of_different_dtypes(function):
    compiled = torch.compile(function, backend="stepwell")
    with pytest.warns(EagerWarning, match="factors of float32 and float64"), pytest.raises(RuntimeError, match="same dtype"):
        compiled(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64))


def test_parts_of_memory_that_as_strided_reads():
    """The memory of a view before and behind its elements, of an argument and of a result."""
    base = torch.arange(10.0)

    def of_argument(x: Any) -> Any:
        return x.as_strided((2,), (1,), 0) * 2, x.as_strided((6,), (1,)) + 1

    def of_result(x: Any) -> Any:
        return (x * 2)[2:][1:].as_strided((3,), (2,), 0) + 1

    for function, given in ((of_argument, base[2:6]), (of_result, base)):
        found, messages = said(function, given)
        torch.testing.assert_close(found, function(given))
        assert any("as_strided" in each for each in messages)


class Marked(torch.Tensor):
    """A class of tensors with elements of its own."""


class Wrapped(torch.Tensor):
    """A class of tensors that stand for others."""

    @staticmethod
    def __new__(cls, inner: Any) -> Any:
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError(func)


def test_classes_of_tensors():
    given = X.as_subclass(Marked)
    found, messages = said(lambda x: x * 2 + 1, given)
    assert type(found) is Marked and messages == []
    torch.testing.assert_close(found.as_subclass(torch.Tensor), X * 2 + 1)
    for tensor, message in (
        (Wrapped(X), "an argument is a Wrapped, which has no elements of its own"),
        (X.to_sparse(), r"an argument has the layout torch.sparse_coo: .* as to_dense\(\) gives"),
        (torch.nested.nested_tensor([X, X]), "an argument is a nested tensor"),
    ):
        with pytest.raises(TypeError, match=message):
            sw.jit(lambda x: x * 2)(tensor)


def test_a_graph_that_aotautograd_refuses_is_left_to_eager():
    """A view is saved for the backward pass, and its base changes afterwards: the backward pass raises eager's error."""
    w = torch.ones(3, 2, requires_grad=True)

    def function(x: Any, w: Any) -> Any:
        found = x @ w
        x.add_(1)
        return found

    found, messages = said(lambda x, w: function(x.t(), w), torch.ones(3, 4), w)
    assert found.shape == (4, 2)
    (message,) = messages
    assert message.startswith("'graph' is left to eager: torch's AOTAutograd refuses it: RuntimeError: one of the variables")
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        found.sum().backward()


def test_numbers_that_the_trace_needs_as_constants():
    """A rotation by a varying, negative amount: operations that do not compile are left to eager."""
    call = compiled(lambda x, shift: (torch.roll(x, shift), x[shift:], x * shift))
    x = torch.arange(12.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EagerWarning)
        for shift in (-3, -4, -5, 4, 5):
            torch.testing.assert_close(call(x, shift), (torch.roll(x, shift), x[shift:], x * shift))
