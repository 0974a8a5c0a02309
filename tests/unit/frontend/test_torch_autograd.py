"""Jitted functions called with tensors of torch that require gradients."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell as sw

torch = pytest.importorskip("torch")


def attend(x, w, *, parts):
    scores = sw.softmax(x @ w, axis=-1)
    return {"scores": scores, "best": sw.argmax(scores, axis=-1), "norm": sw.sum(scores * parts["weights"])}


def torch_attend(x, w, parts):
    scores = torch.softmax(x @ w, -1)
    return {"scores": scores, "norm": (scores * parts["weights"]).sum()}


def test_gradients_are_those_of_torch():
    random = torch.Generator().manual_seed(1)
    x, w, weights = (torch.rand(shape, generator=random, dtype=torch.float64) for shape in ((3, 4), (4, 5), (3, 5)))
    compiled = sw.jit(attend)
    grads = []
    for function in (
        lambda x, w: compiled(x, w, parts={"weights": weights}),
        lambda x, w: torch_attend(x, w, {"weights": weights}),
    ):
        a, b = (each.clone().requires_grad_() for each in (x, w))
        for _ in range(2):
            found = function(a * 2, b)
            (found["norm"] + (found["scores"] ** 2).sum()).backward()
        grads.append((a.grad, b.grad))
    for ours, theirs in zip(*grads, strict=True):
        torch.testing.assert_close(ours, theirs)
    assert not compiled(x.requires_grad_(), w, parts={"weights": weights})["best"].requires_grad


def test_training_goes_on():
    """torch's gradient descent on a loss of Stepwell reaches the same values as on torch's loss."""
    x = torch.linspace(-1, 1, 20)
    y = 3 * x + 1
    loss = sw.jit(lambda p, x, y: sw.mean((p[0] * x + p[1] - y) ** 2))
    parameters = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([parameters], lr=0.3)
    for _ in range(100):
        optimizer.zero_grad()
        loss(parameters, x, y).backward()
        optimizer.step()
    np.testing.assert_allclose(parameters.detach().numpy(), [3, 1], atol=1e-3)
    assert loss.stats().compiles == 1


def test_without_gradients_nothing_is_recorded():
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        assert not sw.jit(lambda x: x * 2)(x).requires_grad
    assert not sw.jit(lambda x: x * 2)(x.detach()).requires_grad


def test_what_changes_before_the_backward_pass_is_an_error():
    x, weights = torch.ones(3, requires_grad=True), torch.ones(3)
    found = sw.jit(lambda x, w: sw.sum(x * w))(x, weights)
    weights.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        found.backward()


def test_donated_arguments_have_no_gradients():
    x = torch.ones(3, requires_grad=True)
    donating = sw.jit(lambda x: x * 2, donate_argnums=(0,))
    with pytest.raises(TypeError, match=r"donated arguments has no gradient for torch: call it under torch\.no_grad"):
        donating(x)
    with pytest.raises(TypeError, match=r"torch\.func .* cannot transform a function with donated arguments"):
        torch.func.vmap(donating)(torch.ones(3, 2))


def test_functionalize_is_named():
    with pytest.raises(TypeError, match=r"torch\.func\.functionalize, which Stepwell does not support"):
        torch.func.functionalize(sw.jit(lambda x: x * 2))(torch.ones(3))


def test_where_the_gradient_would_be_lost_it_is_an_error():
    x = torch.ones(3, requires_grad=True)
    low = sw.lower(lambda x: x * 2, sw.Spec(3))
    with pytest.raises(TypeError, match=r"argument 'x' requires a gradient, which only functions of sw\.jit compute"):
        low(x)
    captured = sw.jit(lambda y: y * x)
    with pytest.raises(sw.CompileError, match="a tensor that the function captures requires a gradient"):
        captured(np.ones(3, "float32"))
    with torch.no_grad():
        assert float(low(x)[0]) == 2


def test_gradients_are_differentiated_too():
    """A penalty on the norm of a gradient, and torch's own comparison with differences."""
    a = torch.linspace(-1, 2, 12, dtype=torch.float64, requires_grad=True)
    loss = sw.to_torch(lambda t: sw.sum(t**3))(a)
    (gradient,) = torch.autograd.grad(loss, a, create_graph=True)
    (loss + gradient.square().sum()).backward()
    torch.testing.assert_close(a.grad, (3 * a**2 + 36 * a**3).detach())
    f = sw.jit(lambda x, w: sw.tanh(x @ w) * sw.sum(x))
    x, w = (torch.linspace(-1, 1, 8, dtype=torch.float64).reshape(shape).requires_grad_() for shape in ((2, 4), (4, 2)))
    assert torch.autograd.gradgradcheck(f, (x, w))
    assert not torch.autograd.grad(f(x, w).sum(), x)[0].requires_grad
