"""Checks of the settings, parameters and states of optimizers, with errors that name the argument."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..frontend.tracing.tensor import Tensor
from ..frontend.tracing.trees import map_leaves
from ..ir.types.dtypes import dtype
from .module import Params


def expect_setting(owner: str, name: str, value: Any, below: float = math.inf) -> None:
    """Raise TypeError for a setting that is not a number, ValueError unless it is non-negative and less than `below`.

    A tensor passes: its value is known only at run time.
    """
    if isinstance(value, Tensor):
        return
    expected = f"{owner}: expected {name} of at least 0{'' if below == math.inf else f' and below {below:g}'}, got {value!r}"
    if isinstance(value, bool) or not isinstance(value, int | float | np.number | np.ndarray) or np.ndim(value):
        raise TypeError(expected.replace(" of at", " as a number of at", 1))
    if not 0 <= value < below:
        raise ValueError(expected)


def expect_settings(owner: str, **values: Any) -> None:
    """Check several settings by `expect_setting`."""
    for name, value in values.items():
        expect_setting(owner, name, value)


def expect_betas(owner: str, betas: Any) -> None:
    """Raise TypeError unless there are two numbers, ValueError unless both are at least 0 and below 1."""
    if not isinstance(betas, tuple | list) or len(betas) != 2:
        raise TypeError(f"{owner}: expected betas as a pair of numbers, got {betas!r}")
    for number, beta in enumerate(betas):
        expect_setting(owner, f"betas[{number}]", beta, below=1.0)


def expect_floats(owner: str, params: Params) -> None:
    """Raise TypeError, with its key, for a leaf of nested parameters or gradients that is not a tensor of floats."""
    for name, leaf in _named(params, ""):
        if isinstance(leaf, float):
            continue
        found = str(leaf.dtype) if hasattr(leaf, "dtype") else type(leaf).__name__
        if not hasattr(leaf, "dtype") or not _is_float(leaf):
            expected = f"'{name}' as a tensor of floats" if name else "tensors of floats nested in dicts"
            raise TypeError(f"{owner}: expected {expected}, got {found}")


def expect_state(owner: str, state: Any, keys: Sequence[str]) -> None:
    """Raise TypeError for a state that is not a dict, ValueError for one that lacks a key."""
    expected = f"{owner}.update: expected the state from {owner}.init, a dict with the keys {', '.join(keys)}"
    if not isinstance(state, dict):
        raise TypeError(f"{expected}, got {type(state).__name__}")
    if any(key not in state for key in keys):
        raise ValueError(f"{expected}, got the keys {', '.join(map(str, state)) or '(none)'}")


def expect_alike(owner: str, params: Params, grads: Params) -> None:
    """Raise ValueError unless gradients have the nesting and the shapes of their parameters: axes of size 1 must not
    broadcast."""
    pairs: list[tuple[Any, Any]] = []
    try:
        map_leaves(lambda param, grad: pairs.append((param, grad)), params, grads)
    except ValueError as error:
        raise ValueError(f"{owner}.update: grads are not nested as params: {error}") from error
    for (name, _), (param, grad) in zip(_named(params, ""), pairs, strict=True):
        shape, found = (tuple(getattr(each, "shape", ())) for each in (param, grad))
        if found != shape:
            raise ValueError(f"{owner}.update: expected a gradient of '{name}' of its shape {shape}, got {found}")


def _is_float(leaf: Any) -> bool:
    """Whether a tensor is of a supported float dtype; complex dtypes are not."""
    try:
        return dtype(leaf.dtype).is_float
    except TypeError:
        return False


def _named(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The leaves of nested parameters, each with its keys joined by dots."""
    if value is None:
        return
    if not isinstance(value, dict | tuple | list):
        yield name, value
        return
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in parts:
        yield from _named(child, f"{name}.{key}" if name else str(key))
