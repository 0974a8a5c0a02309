"""Calls of torch's kernels on the host by Stepwell's programs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....dialects import host
from ....ir.types.dtypes import dtype
from ....ir.types.shapes import tensor_type
from ....runtime.boundary.arrays import results_like, to_numpy
from ....runtime.host.registry import name_of
from ...tracing.complex_tensors import Complex, joined
from ...tracing.sizes import Size, other_index
from ...tracing.tensor import Tensor, tensor_of
from ...tracing.tracer import current_tracer
from ...tracing.trees import Tree, exact, flatten
from .row import Unsupported, computed_dtype, meta


@dataclass(frozen=True)
class _At:
    """Stands for an argument that is known when the program runs: its position, and whether it is then a Python number."""

    number: int
    is_number: bool

    def of(self, tensors: Sequence[Any]) -> Any:
        """The argument, from the tensors of a run."""
        return tensors[self.number].item() if self.is_number else tensors[self.number]


@dataclass(frozen=True)
class _Call:
    """A call of one of torch's operations: its arguments, with arrays represented by `_At`, and the numbers of the results that
    are wanted."""

    target: Any
    tree: Tree
    leaves: tuple[Any, ...] = field(compare=False)
    wanted: tuple[int, ...]
    key: Hashable

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        import torch

        tensors = results_like([each if each.flags.writeable else each.copy() for each in arrays], True)
        values = [each.of(tensors) if isinstance(each, _At) else each for each in self.leaves]
        args, kwargs = joined(self.tree.unflatten(values))
        with torch.no_grad():
            found = self.target(*args, **kwargs)
        results = found if isinstance(found, tuple | list) else (found,)
        parts = [part for number in self.wanted for part in _parts(results[number])]
        return tuple(to_numpy(part.contiguous()) for part in parts)


def _parts(tensor: Any) -> Sequence[Any]:
    """The parts of a complex tensor; a real tensor by itself."""
    import torch

    return torch.view_as_real(tensor.resolve_conj()).unbind(-1) if tensor.is_complex() else (tensor,)


def kernel(name: str) -> Callable[..., Any]:
    """The function of a row that calls torch's kernel of an operation, `name` or `name.overload`, on the CPU."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        return call_kernel(_operation(name), args, kwargs)

    return apply


def call_kernel(target: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """The results of one of torch's operations on traced tensors, by a call of the host, which takes and returns complex
    tensors in two parts."""
    operation, tracer = meta(), current_tracer()
    several = isinstance(operation.results, tuple | list)
    fakes = expect_on_host()
    wanted = tuple(number for number, fake in enumerate(fakes) if hasattr(fake, "dtype"))
    leaves, tree = flatten((tuple(args), dict(kwargs)))
    at_run_time = [each for each in leaves if isinstance(each, Tensor | Size)]
    inputs = [tensor_of(each, tracer) for each in at_run_time]
    numbers = iter(range(len(inputs)))
    described = tuple(
        _At(next(numbers), isinstance(each, Size)) if isinstance(each, Tensor | Size) else each for each in leaves
    )
    types = [
        tensor_type(
            [tracer.sizes.resolve(other_index(size)) for size in operation.shapes[number]],
            dtype(computed_dtype(fakes[number])).type,
        )
        for number in wanted
        for _ in range(2 if fakes[number].is_complex() else 1)
    ]
    name = name_of(str(target), _Call(target, tree, described, wanted, tuple(map(exact, described))), {})
    found = iter(tracer.emit_all(host.CallOp, name, inputs, types))
    results = [_next(found, fake) if number in wanted else None for number, fake in enumerate(fakes)]
    return tuple(results) if several else results[0]


def expect_on_host() -> list[Any]:
    """The results of the operation as torch describes them. Raises Unsupported if the host does not have them in its memory."""
    results = meta().results
    fakes = list(results) if isinstance(results, tuple | list) else [results]
    if any(hasattr(fake, "device") and fake.device.type != "cpu" for fake in fakes):
        raise Unsupported("it is computed by torch's kernel")
    return fakes


def _next(parts: Iterator[Tensor], fake: Any) -> Any:
    """The next result of a call."""
    first = next(parts)
    return Complex(first, next(parts)) if fake.is_complex() else first


def _operation(name: str) -> Any:
    import torch

    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")
