"""The choice of decompositions: operations with a row stay whole; torch decomposes the others where it can."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from .rows.table import row_of

# Without the decomposition of `detach`, and with those of `alias` and `lift`, constants of the model reach views that torch
# cannot trace. Those of `complex` and `polar` write into views of dtypes that Stepwell lacks.
_ALWAYS = frozenset({"aten.detach.default"})
_NEVER = frozenset(f"aten.{name}.default" for name in ("alias", "lift", "lift_fresh", "complex", "polar"))
# `_foreach_abs` and the others, which optimizers call, compute an operation for each tensor of lists. Most are named after it.
_FOREACH = (
    *("abs", "acos", "add", "addcdiv", "addcmul", "asin", "atan", "ceil", "clamp_max", "clamp_min", "clone", "copy", "cos"),
    *("cosh", "div", "erf", "erfc", "exp", "expm1", "floor", "frac", "lerp", "lgamma", "log", "log10", "log1p", "log2"),
    *("max", "maximum", "minimum", "mm", "mul", "neg", "norm", "pow", "reciprocal", "round", "rsqrt", "sigmoid", "sign"),
    *("sin", "sinh", "sqrt", "sub", "tan", "tanh", "trunc", "zero"),
)
_OF_EACH = MappingProxyType(
    {"maximum": "clamp_min", "minimum": "clamp_max", "norm": "linalg_vector_norm", "zero": "zeros_like"}
)


@functools.cache
def decompositions() -> Mapping[Any, Any]:
    """torch's decompositions to core ATen operations, and of further operations, for all operations without a row."""
    from torch._decomp import core_aten_decompositions, global_decomposition_table

    found = {**global_decomposition_table["post_autograd"], **core_aten_decompositions(), **dict(_foreach_decompositions())}
    return {key: each for key, each in found.items() if _is_chosen(key)}


def _foreach_decompositions() -> Iterator[tuple[Any, Callable[..., Any]]]:
    import torch

    for name in _FOREACH:
        packet = getattr(torch.ops.aten, f"_foreach_{name}", None)  # older versions of torch lack some
        for overload in packet.overloads() if packet is not None else ():
            if "out" not in overload:
                yield getattr(packet, overload), functools.partial(_for_each, _OF_EACH.get(name, name))


def _for_each(name: str, *args: Any, **kwargs: Any) -> list[Any]:
    """The operation `name` of ATen for each element of the lists among the arguments; other arguments are shared."""
    import torch

    operation = getattr(torch.ops.aten, name)
    if name in ("addcdiv", "addcmul") and len(args) == 4:
        kwargs["value"], args = args[3], args[:3]
    count = next(len(each) for each in args if isinstance(each, list | tuple))

    def of(value: Any, number: int) -> Any:
        return value[number] if isinstance(value, list | tuple) else value

    return [
        operation(*(of(each, number) for each in args), **{key: of(each, number) for key, each in kwargs.items()})
        for number in range(count)
    ]


def _is_chosen(operation: Any) -> bool:
    name = str(operation)
    return name in _ALWAYS or (name not in _NEVER and row_of(operation) is None)
