"""Variables: arrays that procedures change, with their gradients."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ...ir.types.dtypes import dtype
from .source import is_users
from .tensor import default_float

Array = Any


class Variable:
    """An array that procedures change, with its gradient: `value`, and `grad`, zeros at first.

    `origin` is the place where it was made, and its number among the variables made there: the same in all processes of one
    program.
    """

    def __init__(self, value: Any):
        """Copy an array, a nested list or a number: floats keep their dtype, int64 becomes float64, other integers and bool
        float32. Raises TypeError for anything else."""
        try:
            found = np.array(value, copy=True)
            element = default_float(dtype(found.dtype))
        except (TypeError, ValueError) as error:
            raise TypeError(f"sw.Variable: expected an array of numbers, got {value!r}") from error
        self.value: Array = found.astype(element.numpy, copy=False)
        self.grad: Array = np.zeros_like(self.value)
        self.origin = _ORIGINS.of(sys._getframe(1))

    def __repr__(self) -> str:
        return f"Variable({self.value!r})"


class _Origins:
    """Counts the variables made at each place, which is a chain of the user's calls."""

    def __init__(self):
        self._made: Counter[str] = Counter()

    def of(self, frame: FrameType | None) -> str:
        lines: list[str] = []
        while frame is not None:
            if is_users(frame.f_code):
                lines.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
            frame = frame.f_back
        place = " from ".join(lines)
        self._made[place] += 1
        return f"{place} (number {self._made[place]})"


_ORIGINS = _Origins()
