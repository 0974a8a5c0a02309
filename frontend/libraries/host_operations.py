"""Operations that libraries of the host compute, in float32 or float64. Half precision is computed in float32, integers in
float64, as NumPy does."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ir.types.dtypes import FLOAT64, DType
from ..nodes.define import define_op
from ..nodes.operation import Operation


def host_operation(name: str, rule: str, function: Callable[..., Any]) -> Operation:
    """An operation that a function on NumPy arrays computes, without a derivative."""
    return _declared(define_op(name, rule), function)


def with_gradient(operation: Operation, backward: Callable[..., Any], documentation: str) -> Operation:
    """An operation with a derivative, in terms of operations that have none: derivatives of derivatives are errors."""
    (implementation,) = operation.implementations
    made = define_op(operation.name, operation.rule, backward=backward, documentation=documentation)  # pyright: ignore
    made.impl_host(dtype=_of_results)(implementation.function)
    return made


def _declared(operation: Operation, function: Callable[..., Any]) -> Operation:
    operation.impl_host(dtype=_of_results)(_in_library_dtype(function))
    return operation


def _of_results(first: DType, *others: DType) -> DType:
    """The dtype of results: that of the arguments if they are floats."""
    wide = max((first, *others), key=lambda each: (each.is_float, each.bits))
    return wide if wide.is_float else FLOAT64


def _in_library_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """A host function whose arguments are cast to a dtype of the library, and its results back."""

    @functools.wraps(function)
    def called(*arrays: Any, **options: Any) -> Any:
        own = [each.dtype for each in arrays if each.dtype.kind not in "iub"]
        back = max(own, key=lambda each: each.itemsize) if own else np.dtype(np.float64)
        wide = back if back in (np.float32, np.float64) else np.dtype(np.float32)
        found = function(*(each.astype(wide, copy=False) for each in arrays), **options)
        results = found if isinstance(found, tuple) else (found,)
        return tuple(np.asarray(each).astype(back, copy=False) for each in results)

    return called
