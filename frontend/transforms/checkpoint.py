"""Gradient checkpointing: `sw.checkpoint` recomputes a function in the backward pass instead of keeping its intermediate
values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, SSAValue

from ...dialects import autodiff
from ..tracing.tensor import Tensor, tensor_of
from ..tracing.tracer import current_tracer
from ..tracing.trees import flatten
from .derived import everywhere


def checkpoint(function: Callable[..., Any], /) -> Callable[..., Any]:
    """The same function, except that its gradient keeps only the arguments, the results and captured values (Chen et al.,
    2016). The backward pass recomputes all other values that it needs. This takes the function's time once more, and saves the
    memory of its intermediate values. Without `checkpoint`, the compiler recomputes cheap elementwise values and keeps all
    others.
    """

    def called(*args: Any, **kwargs: Any) -> Any:
        tracer = current_tracer()
        leaves, tree = flatten((args, kwargs))
        tensors = [tensor_of(leaf, tracer) for leaf in leaves if hasattr(leaf, "dtype")]
        values = [tracer.current(each.value) for each in tensors]
        with tracer.region([each.type for each in values]) as body:
            pending = iter([Tensor(tracer, arg, each.weak) for arg, each in zip(body.args, tensors, strict=True)])
            inner_args, inner_kwargs = tree.unflatten([next(pending) if hasattr(leaf, "dtype") else leaf for leaf in leaves])
            results, out_tree = flatten(function(*inner_args, **inner_kwargs))
            given = [tensor_of(each, tracer) for each in results]
            tracer.add(autodiff.YieldOp(*(tracer.current(each.value) for each in given)))
        made = tracer.emit_all(autodiff.CheckpointOp, [*values, *_lift(body)], body)
        return out_tree.unflatten([Tensor(tracer, new.value, old.weak) for new, old in zip(made, given, strict=True)])

    return everywhere(called, function)


def _lift(body: Block) -> list[SSAValue]:
    """Add arguments to a body for the values that it captures. Returns these values."""
    taken = autodiff.taken_from_around(body)
    arguments = {value: body.insert_arg(value.type, len(body.args)) for value in taken}
    for op in body.walk():
        op.operands = [arguments.get(operand, operand) for operand in op.operands]
    return taken
