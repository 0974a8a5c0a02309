"""Functions of Stepwell under the transformations of `torch.func`, and in torch's forward mode."""

from __future__ import annotations

from typing import Any

import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
from torch.autograd import forward_ad  # noqa: E402

X = torch.linspace(-1, 1, 6, dtype=torch.float64)
ROWS = torch.linspace(-2, 1, 12, dtype=torch.float64).reshape(3, 4)


def ours(x: Any) -> Any:
    return sw.sum(sw.tanh(x) ** 2)


def theirs(x: Any) -> Any:
    return (torch.tanh(x) ** 2).sum()


TRANSFORMATIONS = {
    "grad": lambda f: torch.func.grad(f)(X),
    "grad_and_value": lambda f: torch.func.grad_and_value(f)(X),
    "vjp": lambda f: torch.func.vjp(f, X)[1](torch.tensor(2.0, dtype=torch.float64)),
    "vmap": lambda f: torch.vmap(f)(ROWS),
    "vmap over columns": lambda f: torch.vmap(f, in_dims=1)(ROWS),
    "gradients of samples": lambda f: torch.vmap(torch.func.grad(f))(ROWS),
    "gradient of a batch": lambda f: torch.func.grad(lambda x: torch.vmap(f)(x).sum())(ROWS),
    "jvp": lambda f: torch.func.jvp(f, (X,), (X + 1,)),
    "jacrev": lambda f: torch.func.jacrev(lambda x: f(x) * x)(X),
    "jacfwd": lambda f: torch.func.jacfwd(lambda x: f(x) * x)(X),
    "hessian": lambda f: torch.func.hessian(f)(X),
    "third derivative": lambda f: torch.func.grad(lambda x: torch.func.hessian(f)(x).sum())(X),
    "vmap of vmap": lambda f: torch.vmap(torch.vmap(f))(torch.stack([ROWS, ROWS + 1])),
}


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_transformations_of_torch_are_those_of_its_own_functions(name: str):
    transform = TRANSFORMATIONS[name]
    for function in (sw.to_torch(ours, target="interpret"), sw.jit(ours, target="interpret")):
        torch.testing.assert_close(transform(function), transform(theirs))


def test_arguments_that_are_not_mapped_and_results_that_are_no_floats():
    @sw.jit(target="interpret")
    def function(x: Any, given: dict[str, Any], power: int) -> dict[str, Any]:
        return {"sum": sw.sum(x**power * given["w"]), "best": sw.argmax(x), "w": given["w"]}

    w = torch.tensor([1.0, -1.0, 2.0, 0.5], dtype=torch.float64)
    found = torch.vmap(lambda x: function(x, {"w": w}, 3))(ROWS)
    torch.testing.assert_close(found["sum"], (ROWS**3 * w).sum(1))
    assert found["best"].tolist() == ROWS.argmax(1).tolist() and torch.equal(found["w"], w.expand(3, 4))
    grads = torch.func.grad(lambda w: torch.vmap(lambda x: function(x, {"w": w}, 3)["sum"])(ROWS).sum())(w)
    torch.testing.assert_close(grads, (ROWS**3).sum(0))


def test_tangents_of_forward_mode():
    function = sw.jit(lambda x: sw.sin(x) * 2, target="interpret")
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(function(forward_ad.make_dual(X, X + 1)))
    torch.testing.assert_close(found.primal, torch.sin(X) * 2)
    torch.testing.assert_close(found.tangent, torch.cos(X) * 2 * (X + 1))


@pytest.mark.parametrize("transform", [torch.func.grad, torch.vmap])
def test_what_takes_no_transformed_tensors_says_so(transform: Any):
    low = sw.lower(ours, sw.Spec("n", "float64"))
    calls = [lambda x: low(x)[0], lambda x: (sw.Tensor(x) * 2).numpy(), lambda x: sw.grad(ours)(x)[0]]
    for call in calls[:2]:
        with pytest.raises(TypeError, match=r"a transformation of torch\.func, such as grad or vmap, and holds no data"):
            transform(call)(X)
    with pytest.raises(sw.CompileError, match=r"the function captures is a tensor of a transformation of torch\.func"):
        transform(lambda x: sw.jit(lambda y: y * x)(X))(X)
