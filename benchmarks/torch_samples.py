"""torch's own samples of its operators (`op_db`), modules (`module_db`) and optimizers (`optim_db`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

# A sample runs under a way of compiling, which maps a function or module to another one. It returns the values to compare:
# results, gradients if they are requested, and changed tensors.
Compile = Callable[[Any], Any]
Sample = Callable[[Compile], list[Any]]

STEPS = 4


class Entry(NamedTuple):
    """An operator, module or optimizer with the dtypes that it supports, and its samples in one of them."""

    name: str
    dtypes: frozenset[str]
    samples: Callable[[str], Iterator[Sample]]


def operators(gradients: bool) -> list[Entry]:
    """The entries of `op_db`; with gradients, only those that have one."""
    from torch.testing._internal.common_methods_invocations import op_db

    entries = [op for op in op_db if op.supports_autograd or not gradients]
    return [
        Entry(_name_of(op), _names(op.supported_dtypes("cpu")), partial(_operator_samples, op, gradients)) for op in entries
    ]


def modules(gradients: bool) -> list[Entry]:
    """The entries of `module_db`, each in training and in evaluation."""
    from torch.testing._internal.common_modules import module_db

    return [Entry(each.name, _names(each.dtypes), partial(_module_samples, each, gradients)) for each in module_db]


def optimizers(gradients: bool) -> list[Entry]:
    """The entries of `optim_db`, whose steps are compiled."""
    from torch.testing._internal.common_optimizers import optim_db

    dtypes = frozenset(("float32", "float64"))
    entries = [each for each in optim_db if not each.step_requires_closure and not gradients]
    return [Entry(each.optim_cls.__name__, dtypes, partial(_optimizer_samples, each)) for each in entries]


SOURCES: Mapping[str, Callable[[bool], list[Entry]]] = MappingProxyType(
    {"operators": operators, "modules": modules, "optimizers": optimizers}
)


def _name_of(op: Any) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def _names(dtypes: Any) -> frozenset[str]:
    return frozenset(str(dtype).removeprefix("torch.") for dtype in dtypes)


def _operator_samples(op: Any, gradients: bool, dtype: str) -> Iterator[Sample]:
    import torch

    def run(sample: Any, compiled: Compile) -> list[Any]:
        def called(value: Any, *args: Any, **kwargs: Any) -> Any:
            return op.op(value, *args, **kwargs)

        given = _copies((sample.input, sample.args, sample.kwargs))
        torch.manual_seed(1)
        results = compiled(called)(given[0], *given[1], **given[2])
        return [results, *(_gradients(results, given) if gradients else ())]

    for sample in op.sample_inputs("cpu", getattr(torch, dtype), requires_grad=gradients):
        yield partial(run, sample)


def _module_samples(info: Any, gradients: bool, dtype: str) -> Iterator[Sample]:
    import torch

    def run(inputs: Any, training: bool, compiled: Compile) -> list[Any]:
        torch.manual_seed(0)
        module = info.module_cls(*inputs.constructor_input.args, **inputs.constructor_input.kwargs)
        module = module.to(getattr(torch, dtype)).train(training)
        args, kwargs = _copies((inputs.forward_input.args, inputs.forward_input.kwargs))
        torch.manual_seed(1)
        results = compiled(module)(*args, **kwargs)
        found = _gradients(results, (list(module.parameters()), args, kwargs)) if gradients else ()
        return [results, *found, *module.buffers()]

    for training in (True, False):
        given = {"device": "cpu", "dtype": getattr(torch, dtype), "requires_grad": gradients, "training": training}
        for inputs in info.module_inputs_func(info, **given):
            if inputs.forward_input is not None:
                yield partial(run, inputs, training)


def _optimizer_samples(info: Any, dtype: str) -> Iterator[Sample]:
    import torch

    def run(kwargs: Mapping[str, Any], compiled: Compile) -> list[Any]:
        torch.manual_seed(0)
        shapes = ((3, 4), (5,), (2, 3, 2))
        parameters = [torch.randn(shape, dtype=getattr(torch, dtype)).requires_grad_() for shape in shapes]
        optimizer = info.optim_cls(parameters, **kwargs)
        step = compiled(optimizer.step)
        for _ in range(STEPS):
            for number, parameter in enumerate(parameters):
                parameter.grad = torch.randn_like(parameter) * (1 + number)
            step()
        state = [value for values in optimizer.state.values() for value in values.values()]
        return [parameter.detach() for parameter in parameters] + [each for each in state if isinstance(each, torch.Tensor)]

    for inputs in info.optim_inputs_func(device="cpu", dtype=getattr(torch, dtype)):
        for kind in info.supported_impls:
            yield partial(run, {**inputs.kwargs, **({} if kind == "for-loop" else {kind: True})})


def _copies(value: Any) -> Any:
    """Tensors in memory of their own, as leaves."""
    import torch

    def copied(leaf: Any) -> Any:
        return leaf.detach().clone().requires_grad_(leaf.requires_grad) if isinstance(leaf, torch.Tensor) else leaf

    return torch.utils._pytree.tree_map(copied, value)


def _gradients(results: Any, given: Any) -> list[Any]:
    """Gradients of the inputs for random cotangents; zeros for inputs without a gradient."""
    import torch

    leaves = torch.utils._pytree.tree_leaves
    differentiable = [each for each in leaves(results) if isinstance(each, torch.Tensor) and each.requires_grad]
    wanted = [each for each in leaves(given) if isinstance(each, torch.Tensor) and each.requires_grad]
    if not differentiable or not wanted:
        return []
    torch.manual_seed(2)
    cotangents = [torch.randn_like(each) for each in differentiable]
    return list(torch.autograd.grad(differentiable, wanted, cotangents, allow_unused=True, materialize_grads=True))
