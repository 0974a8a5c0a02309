"""`torch.compile(model, backend="stepwell")`: results, gradients, strides, sizes, state, and the operations left to eager."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import EagerWarning, explain, stepwell  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """torch forgets compiled graphs, so that each test compiles its own."""
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(function: Any, target: str = "interpret", **options: Any) -> Any:
    return torch.compile(function, backend="stepwell", options={"target": target}, **options)


def agree(ours: Any, theirs: Any) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


def check(function: Any, *given: Any, **options: Any) -> None:
    """Compare a function without gradients with eager, strides of results included; nothing may be left to eager."""
    with reporting() as report, torch.no_grad():
        ours = compiled(function, **options)(*given)
    theirs = function(*given)
    agree(ours, theirs)
    for a, b in zip(torch.utils._pytree.tree_leaves(ours), torch.utils._pytree.tree_leaves(theirs), strict=True):
        assert a.stride() == b.stride()
    assert report.graphs and not report.eager


def test_torch_knows_the_backend():
    assert "stepwell" in torch._dynamo.list_backends()
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["torch_dynamo_backends"]
    module, name = points["stepwell"].split(":")
    assert getattr(import_module(module), name) is stepwell


def test_a_model_in_c_forward_and_backward():
    model = nn.Sequential(nn.Linear(5, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3))
    x, target = torch.randn(4, 5), torch.tensor([0, 2, 1, 2])
    grads = []
    with reporting() as report:
        for each in (compiled(model, "cpu"), model):
            model.zero_grad()
            given = x.clone().requires_grad_()
            loss = F.cross_entropy(each(given), target)
            loss.backward()
            grads.append([loss.detach(), given.grad, *(p.grad.clone() for p in model.parameters())])
    agree(*grads)
    assert (len(report.graphs), report.partitions, report.eager) == (2, 2, {})


def test_results_have_the_strides_of_eager():
    x = torch.randn(2, 3, 4)
    check(lambda x: ((x * 2).transpose(0, 2), (x + 1).expand(5, 2, 3, 4), (x * 3)[:, :, ::2], x.sum(1)), x)
    images = torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last)
    check(lambda x: F.relu(x) + 1, images)


def test_empty_results_have_the_strides_of_eager():
    for dynamic in (False, True):
        torch._dynamo.reset()
        function = lambda a, b: (a @ b, a * 2, a.sum(2, keepdim=True))  # noqa: E731 - a new one has no graphs yet
        check(function, torch.ones(0, 3, 2), torch.ones(0, 2, 4), dynamic=dynamic)


def test_arguments_may_have_any_strides():
    x = torch.randn(4, 6)
    check(lambda a, b, c, d: (a @ b, c + d), x.t(), x[:, ::2].contiguous()[:, :3], x[:, ::2], x.new_ones(1).expand(4, 3))


def test_views_of_arguments_share_their_memory():
    x = torch.zeros(2, 3)
    compiled(lambda x: (x.t(), x + 1))(x)[0][0, 0] = 5
    assert x[0, 0] == 5


@pytest.mark.parametrize("dynamic", [False, True])
def test_results_that_are_views_share_memory(dynamic: bool):
    """Views of arguments and of other results, at offsets that depend on sizes and numbers."""

    def function(x: Any, at: int) -> Any:
        y = x * 2
        return x[at:], x[:, x.shape[1] // 2 :].t(), y, y[1:], y[-1], x.view(-1)

    call = compiled(function, dynamic=dynamic)
    for rows, at in ((4, -3), (6, -2), (5, 2)):
        given = torch.arange(rows * 4.0).reshape(rows, 4)
        ours, theirs = call(given, at), function(given, at)
        agree(ours, theirs)
        for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            assert (a.stride(), a.storage_offset()) == (b.stride(), b.storage_offset()), place
        ours[3].zero_()
        assert not ours[2][1:].any() and ours[2][0].any() and not ours[4].any()
        ours[0].fill_(7)
        assert (given[at:] == 7).all()


def test_results_that_are_one_value_share_no_memory():
    def function(x: Any) -> Any:
        y = torch.linalg.inv(x)
        return y, y.clone(), x.clone()

    x = torch.eye(3) * 2
    ours = compiled(function, "cpu")(x)
    assert len({each.data_ptr() for each in (*ours, x)}) == 4


def test_buffers_and_arguments_are_updated():
    models = [nn.BatchNorm1d(3), nn.BatchNorm1d(3)]
    x = torch.randn(5, 3)
    for model, each in zip(models, (compiled(models[0]), models[1]), strict=True):
        each(x)
        assert model.num_batches_tracked == 1
    agree(models[0].running_var, models[1].running_var)

    def step(state: Any, x: Any) -> Any:
        state[1:3].mul_(2)
        state += x
        return state.sum()

    ours, theirs = torch.ones(4), torch.ones(4)
    agree(compiled(step)(ours, 1.0), step(theirs, 1.0))
    agree(ours, theirs)


def test_one_compile_serves_all_sizes():
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.norm = nn.Linear(4, 6), nn.BatchNorm1d(3)

        def forward(self, x: Any) -> Any:
            rows = x.shape[0]
            split = self.norm(self.inner(x).reshape(rows * 2, 3))
            return torch.cat([split, split[:rows] * rows]).sum(0) / rows + torch.arange(rows).sum()

    model = Model()
    with reporting() as report:
        call = compiled(model, dynamic=True)
        for rows in (5, 3, 8):
            x = torch.randn(rows, 4)
            grads = []
            for each in (call, model):
                model.zero_grad()
                (each(x) ** 2).sum().backward()
                grads.append([p.grad.clone() for p in model.parameters()])
            agree(*grads)
    assert not report.eager
    assert [runner.jitted.stats().compiles for graph in report.graphs for runner in graph.programs] == [1, 1]


def test_a_size_that_is_no_argument_is_passed():
    def rows(x: Any, count: int) -> Any:
        return torch.arange(count, dtype=x.dtype)[:, None] * x

    call = compiled(rows, dynamic=True)
    for count in (4, 7, 5):
        agree(call(torch.ones(3), count), rows(torch.ones(3), count))


def test_sizes_that_depend_on_data():
    def chosen(x: Any) -> Any:
        found = torch.nonzero(x * 2 > 0).squeeze(1)
        return x.exp()[found] * 2, found.shape[0]

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True), warnings.catch_warnings():
        warnings.simplefilter("ignore", EagerWarning)
        call = compiled(chosen)
        for x in (torch.tensor([1.0, -1.0, 2.0]), torch.tensor([-1.0, -2.0, -3.0])):
            agree(call(x), chosen(x))


def test_random_numbers_repeat_under_a_seed():
    model = nn.Dropout(0.5)
    call = compiled(lambda x: model(x * 1.0))
    x = torch.ones(200)
    torch.manual_seed(3)
    first = call(x)
    assert 50 < int((first == 0).sum()) < 150 and set(first.tolist()) == {0.0, 2.0}
    assert not torch.equal(call(x), first)
    torch.manual_seed(3)
    assert torch.equal(call(x), first)


def test_a_draw_does_not_divide_programs():
    model = nn.Sequential(nn.Linear(4, 6), nn.Dropout(0.5), nn.Tanh(), nn.Dropout(0.5), nn.Linear(6, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error", EagerWarning)
        report = explain(model, torch.randn(3, 4), backward=True)
    assert (len(report.graphs), report.partitions, report.eager_count) == (2, 2, 2)
    assert set(report.eager.values()) == {"torch draws random numbers"}


def test_the_smallest_part_is_left_to_eager():
    def rounded(x: Any) -> Any:
        return (x * 2 + 1).tanh().to(torch.float8_e4m3fnuz).float().sum() * 3

    matrix = torch.arange(4.0).reshape(2, 2)
    with pytest.warns(EagerWarning, match=r"'aten\._to_copy\.default' is left to eager"):
        report = explain(rounded, matrix)
    assert (len(report.graphs), report.partitions) == (1, 2)
    assert "unsupported dtype 'float8_e4m3fnuz'" in report.eager["aten._to_copy.default"]
    assert "1 graphs, 2 compiled programs" in str(report)
    with warnings.catch_warnings():
        warnings.simplefilter("error", EagerWarning)  # it warns once
        agree(compiled(rounded)(matrix), rounded(matrix))


def test_what_does_not_compile_is_left_to_eager(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CC", "/there/is/none")
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    with pytest.warns(EagerWarning, match=r"left to eager.* because it could not be compiled: \$CC is '/there/is/none'"):
        call = compiled(lambda x: x * 2 + 17, "cpu")
        assert call(torch.ones(2)).tolist() == [19, 19]
    assert call(torch.zeros(2)).tolist() == [17, 17]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"options": {"targte": "cpu"}}, r"no option 'targte' \(did you mean 'target'\?\)|no option 'targte'"),
        ({"options": {"target": "gpu"}}, "gpu"),
        ({"mode": "fastest"}, "fastest"),
    ],
)
def test_wrong_options_are_errors(options: Any, message: str):
    with pytest.raises(Exception, match=message):
        torch.compile(lambda x: x + 1, backend=stepwell, **options)(torch.ones(2))


def test_dtypes_are_those_of_torch():
    x, n, b = torch.randn(3), torch.tensor([1, 2, -3]), torch.tensor([True, False, True])
    half = torch.randn(3).to(torch.bfloat16)

    def mixed(x: Any, n: Any, b: Any, half: Any) -> Any:
        return x + n, n / 2, n * b, b + 1, n // 2, half * 2, half + x, n.sum(), b.sum(), n.float().mean(), x > n, b & b, -n

    check(mixed, x, n, b, half)
    with torch.autocast("cpu", torch.bfloat16):
        layer = nn.Linear(3, 2)
        ours, theirs = compiled(layer)(x), layer(x)
    assert ours.dtype == theirs.dtype == torch.bfloat16
    agree(ours, theirs)


def test_checkpoints_draw_the_same_numbers_again():
    """The gradient of a dropout that is computed again has the mask of the forward pass."""

    def function(x: Any) -> Any:
        return torch.utils.checkpoint.checkpoint(lambda y: F.dropout(torch.relu(y), 0.5) * 3, x, use_reentrant=False)

    x = torch.ones(64, 8, requires_grad=True)
    call = torch.compile(function, backend="stepwell", options={"target": "interpret"})
    for _ in range(2):
        x.grad = None
        found = call(x)
        found.sum().backward()
        assert torch.equal(found.detach(), x.grad) and {0.0, 6.0} == set(x.grad.flatten().tolist())


def test_steps_of_optimizers_are_whole_programs():
    parameter = torch.nn.Parameter(torch.linspace(-1, 1, 12))
    twin = torch.nn.Parameter(parameter.detach().clone())
    for each, step in ((parameter, compiled), (twin, lambda function: function)):
        optimizer = torch.optim.AdamW([each], lr=torch.tensor(0.1))
        call = step(optimizer.step)
        for _ in range(3):
            each.grad = each.detach() * 2
            with reporting() as report:
                call()
            assert not report.eager
    agree(parameter, twin)
