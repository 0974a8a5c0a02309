"""libdevice for Triton's interpreter: the same function names, computed by the scalar oracles.

Emitted kernels import this module instead of libdevice when `TRITON_INTERPRET` is set. It is the only file that knows how the
interpreter represents a tile (a handle that holds a NumPy array).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import triton.language as tl
from triton.runtime.interpreter import TensorHandle

from ...ir.scalars.table import SCALARS


def __getattr__(name: str) -> Callable[..., Any]:
    """The libdevice function `name` on tiles, computed by its oracle."""
    if name == "fmod":
        return _on_tiles(_fmod)
    known = {"rint": "round", "div_rn": "div", "sqrt_rn": "sqrt"}
    function = SCALARS.get(known.get(name, name))
    if function is None:
        raise AttributeError(f"no libdevice function '{name}' in Triton's interpreter")
    return _on_tiles(function.numpy)


def _fmod(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.fmod(a, b)


def _on_tiles(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*operands: Any) -> Any:
        tiles = [operand for operand in operands if isinstance(operand, tl.tensor)]
        element = tiles[0].dtype
        arrays = [
            operand.handle.data if isinstance(operand, tl.tensor) else np.asarray(operand, tiles[0].handle.data.dtype)
            for operand in operands
        ]
        result = function(*np.broadcast_arrays(*arrays))
        block = any(isinstance(tile.type, tl.block_type) for tile in tiles)
        return tl.tensor(TensorHandle(result, element), tl.block_type(element, list(result.shape)) if block else element)

    return call
