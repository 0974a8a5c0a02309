"""Rows of operations that create tensors from numbers and sizes. Uninitialised tensors hold zeros."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL, FLOAT64
from ... import functions as sw
from ...tracing.sizes import Size
from ...tracing.tensor import Tensor, cast, tensor_of
from ...tracing.tracer import current_tracer
from .row import Rows, meta, meta_dtype, own


def _target() -> Any:
    return meta_dtype()


def number_as(value: Any, target: Any) -> Any:
    """A number in a dtype: floats are truncated for integers. A symbolic size stays symbolic."""
    if isinstance(value, Size):
        return value
    if target == BOOL:
        return bool(value)
    return int(value) if target.kind in ("int", "uint") else float(value)


def _filled(sizes: Sequence[Any], value: Any) -> Tensor:
    target = _target()
    if isinstance(value, Size | Tensor):
        return sw.broadcast_to(cast(tensor_of(value, current_tracer()), target), tuple(sizes))
    return sw.full(tuple(sizes), number_as(value, target), target)


def _full(sizes: Sequence[Any], value: Any, **_: Any) -> Tensor:
    return _filled(sizes, value)


def _zeros(sizes: Sequence[Any], *_: Any, **__: Any) -> Tensor:
    return _filled(sizes, 0)


def _full_like(x: Tensor, value: Any, **_: Any) -> Tensor:
    return _filled(x.shape, value)


def _zeros_like(x: Tensor, **_: Any) -> Tensor:
    return _filled(x.shape, 0)


def _new_zeros(x: Tensor, sizes: Sequence[Any], *_: Any, **__: Any) -> Tensor:
    return _filled(sizes, 0)


def _new_full(x: Tensor, sizes: Sequence[Any], value: Any, **_: Any) -> Tensor:
    return _filled(sizes, value)


def _scalar(value: Any, **_: Any) -> Tensor:
    return _filled((), value)


def _arange(start: Any, end: Any, step: Any = 1, **_: Any) -> Tensor:
    target = _target()
    if target.is_float or any(isinstance(each, float) for each in (start, end, step)):
        count = meta().shape[0]
        positions = cast(sw.arange(int(count)), FLOAT64)
        return cast(positions * step + start, target)
    return sw.arange(start, end, step, dtype=target)


def _iota(length: Any, *, start: Any, step: Any, **_: Any) -> Tensor:
    return cast(sw.arange(length) * step + start, _target())


def _eye(rows: Any, columns: Any = None, **_: Any) -> Tensor:
    return sw.eye(rows, columns, dtype=_target())


def _linspace(start: Any, end: Any, steps: Any, **_: Any) -> Tensor:
    """Evenly spaced numbers, from both ends as torch does, so that they are symmetric."""
    target = _target()
    if steps < 2:
        return _filled((steps,), start)
    places = cast(sw.arange(steps), FLOAT64)
    step = (end - start) / (int(steps) - 1)
    found = sw.where(places < int(steps) // 2, places * step + start, (places - (int(steps) - 1)) * step + end)
    return cast(found, target)


CREATION: Rows = MappingProxyType(
    {
        "full.default": own(_full),
        "zeros.default": own(_zeros),
        "ones.default": own(lambda sizes, **_: _filled(sizes, 1)),
        "empty.memory_format": own(_zeros),
        "empty_strided.default": own(_zeros),
        "empty_permuted.default": own(_zeros),
        "full_like.default": own(_full_like),
        "zeros_like.default": own(_zeros_like),
        "ones_like.default": own(lambda x, **_: _filled(x.shape, 1)),
        "empty_like.default": own(_zeros_like),
        "new_zeros.default": own(_new_zeros),
        "new_ones.default": own(lambda x, sizes, **_: _filled(sizes, 1)),
        "new_empty.default": own(_new_zeros),
        "new_empty_strided.default": own(_new_zeros),
        "new_full.default": own(_new_full),
        "scalar_tensor.default": own(_scalar),
        "prims.scalar_tensor.default": own(_scalar),
        "_efficientzerotensor.default": own(_zeros),
        "arange.start_step": own(_arange),
        "arange.start": own(_arange),
        "arange.default": own(lambda end, **_: _arange(0, end)),
        "prims.iota.default": own(_iota),
        "eye.default": own(_eye),
        "eye.m": own(_eye),
        "linspace.default": own(_linspace),
    }
)
