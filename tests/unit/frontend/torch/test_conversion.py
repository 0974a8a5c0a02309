"""`sw.from_torch` and `sw.to_torch`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402


def model() -> Any:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(12, 2)).eval()


def test_a_module_is_a_function_of_its_parameters():
    module = model()
    function, parameters = sw.from_torch(module)
    assert parameters["0"]["weight"].shape == (3, 2, 3, 3)
    assert "num_batches_tracked" not in parameters["1"]
    compiled = sw.jit(function, target="interpret")
    for batch in (4, 3):
        x = np.random.default_rng(batch).normal(size=(batch, 2, 4, 4)).astype("float32")
        np.testing.assert_allclose(compiled(parameters, x), module(torch.tensor(x)).detach().numpy(), rtol=1e-4, atol=1e-5)
    assert compiled.stats().compiles == 1
    grads = sw.jit(sw.grad(lambda parameters, x: sw.sum(function(parameters, x) ** 2)), target="interpret")(parameters, x)
    (module(torch.tensor(x)) ** 2).sum().backward()
    np.testing.assert_allclose(grads["4"]["weight"], module[4].weight.grad.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(grads["0"]["bias"], module[0].bias.grad.numpy(), rtol=1e-3, atol=1e-4)


def test_shared_parameters_and_nested_results():
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.head = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
            self.head.weight = self.embedding.weight
            self.register_buffer("offset", torch.tensor([1, 2]))

        def forward(self, at: Any, scale: float) -> Any:
            x = self.embedding(at + self.offset)
            return {"logits": self.head(x) * scale, "same": at}

    module = Tied()
    function, parameters = sw.from_torch(module)
    assert list(parameters) == ["embedding"]
    found = sw.jit(function, target="interpret")(parameters, np.array([0, 1]), 2.0)
    expected = module(torch.tensor([0, 1]), 2.0)
    np.testing.assert_allclose(found["logits"], expected["logits"].detach().numpy(), rtol=1e-5, atol=1e-6)
    assert found["same"].tolist() == [0, 1]


def test_what_cannot_be_converted():
    with pytest.raises(TypeError, match=r"expected a torch\.nn\.Module, got function"):
        sw.from_torch(lambda x: x)
    function, parameters = sw.from_torch(nn.Dropout(0.5))
    with pytest.raises(sw.CompileError, match=r"cannot be compiled: torch draws random numbers; call `module\.eval\(\)`"):
        sw.jit(function)(parameters, np.ones(3, "float32"))
    function, parameters = sw.from_torch(nn.Linear(2, 2))
    with pytest.raises(sw.CompileError, match="expected a parameter 'bias', got weight"):
        sw.jit(function)({"weight": parameters["weight"]}, np.ones((1, 2), "float32"))


def test_a_function_on_tensors_of_torch():
    squashed = sw.to_torch(lambda x, scale: {"out": sw.tanh(x) * scale}, target="interpret")
    x = torch.tensor([0.5, -1.0], requires_grad=True)
    squashed(x, 3.0)["out"].sum().backward()
    torch.testing.assert_close(x.grad, 3 * (1 - torch.tanh(x.detach()) ** 2))
    assert isinstance(squashed(x.detach(), 3.0)["out"], torch.Tensor)


def test_modules_that_torch_compiles_are_what_they_wrap():
    function, parameters = sw.from_torch(torch.compile(nn.Linear(2, 2), backend="stepwell"))
    assert sorted(parameters) == ["bias", "weight"]
    assert sw.jit(function, target="interpret")(parameters, np.ones((1, 2), "float32")).shape == (1, 2)


def test_what_torch_does_not_export_is_one_message():
    class Chosen(nn.Module):
        def forward(self, x: Any) -> Any:
            return x[x > 0]

    function, parameters = sw.from_torch(Chosen())
    with pytest.raises(sw.CompileError, match=r"from_torch: .*(depend on data|known only at run time)"):
        sw.jit(function)(parameters, np.ones(3, "float32"))
    function, parameters = sw.from_torch(torch.jit.script(nn.Linear(2, 2)))
    with pytest.raises(sw.CompileError, match=r"from_torch: torch\.export fails for the module: .*ScriptModule"):
        sw.jit(function)(parameters, np.ones((1, 2), "float32"))
    with pytest.raises(TypeError, match="'weight' is complex"):
        sw.from_torch(nn.Linear(2, 2, dtype=torch.complex64))
    with pytest.raises(RuntimeError, match=r"runs inside of sw\.jit, .* by torch\.func\.functional_call"):
        torch.func.grad(lambda x: function(parameters, x).sum())(torch.ones(1, 2))
