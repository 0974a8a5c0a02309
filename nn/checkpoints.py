"""Checkpoints: parameters and states in files, in the format of the package safetensors.

Nested dicts are flattened: the name of an array joins its keys by dots, as torch names parameters. Keys may contain dots
themselves, as those of `f.params()`; only `load(path, like=...)` restores these.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..frontend.lazy import LazyTensor
from ..frontend.tracing.complex_tensors import Complex, is_complex
from ..ir.diagnostics import CompileError
from ..ir.types.dtypes import dtype
from ..runtime.boundary.arrays import to_numpy
from .module import Params

# The supported dtypes, by their names in the format.
_DTYPES = MappingProxyType(
    {
        "F16": "float16",
        "BF16": "bfloat16",
        "F32": "float32",
        "F64": "float64",
        "I8": "int8",
        "I16": "int16",
        "I32": "int32",
        "I64": "int64",
        "U8": "uint8",
        "BOOL": "bool",
        "F8_E4M3": "float8_e4m3fn",
        "F8_E5M2": "float8_e5m2",
    }
)
# The name that the format reserves.
_METADATA = "__metadata__"


class CheckpointError(ValueError):
    """A file that is not a checkpoint, or whose contents are not as expected."""


def save(path: str | os.PathLike[str], params: Params) -> None:
    """Write nested dicts of arrays to a file. The write is atomic: a temporary file in the same folder is written and renamed.
    Missing folders are created. Raises TypeError for a key that is not a string or is reserved by the format (`__metadata__`),
    and for keys with dots that give two arrays one name. It also raises TypeError for a leaf that is not an array of a
    supported dtype.
    """
    arrays: dict[str, Any] = {}
    above: dict[str, str] = {}  # the first array below each name of a dict
    for name, array in _flattened(params, ()):
        parents = [name[:at] for at, letter in enumerate(name) if letter == "."]
        clash = above.get(name) or next((each for each in (name, *parents) if each in arrays), None)
        if clash is not None:
            raise TypeError(f"checkpoint: expected keys that tell arrays apart, got '{clash}' and '{name}'")
        arrays[name] = array
        above |= dict.fromkeys(parents, name)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    content = _safetensors().numpy.save(arrays)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def load(path: str | os.PathLike[str], like: Params | None = None) -> Params:
    """Read nested dicts of arrays from a file, in the order of their names; with `like`, in its nesting and order.

    Empty dicts and keys with dots are not stored: only `like` restores them. Raises CheckpointError for a file that is not a
    checkpoint, for one in which a name is both an array and a dict, and for names, shapes or dtypes that differ from those of
    `like`; OSError for a file that cannot be read.
    """
    safetensors = _safetensors()
    content = Path(path).read_bytes()
    try:
        found = safetensors.deserialize(content)
    except safetensors.SafetensorError as error:
        raise CheckpointError(f"{path}: expected a safetensors file: {error}") from error
    arrays = {name: _array(path, name, described) for name, described in sorted(found, key=itemgetter(0))}
    if like is None:
        return _nested(path, arrays)
    wanted = dict(_flattened(like, ()))
    _check(path, arrays, wanted)
    return _nested_like(like, arrays, ())


def _array(path: str | os.PathLike[str], name: str, described: dict[str, Any]) -> Any:
    """A writable copy of an array."""
    kind = _DTYPES.get(described["dtype"])
    if kind is None:
        raise CheckpointError(f"{path}: '{name}': expected one of {', '.join(_DTYPES)}, got {described['dtype']}")
    return np.frombuffer(described["data"], dtype(kind).numpy).reshape(described["shape"]).copy()


def _flattened(value: Any, keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    name = ".".join(keys)
    if isinstance(value, dict):
        for key, child in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{name or 'checkpoint'}: expected keys that are strings, got {key!r}")
            if not keys and key == _METADATA and not isinstance(child, dict):
                raise TypeError(f"checkpoint: expected other keys than {key!r}, which the format reserves")
            yield from _flattened(child, (*keys, key))
        return
    if not isinstance(value, np.ndarray | np.generic | LazyTensor | Complex) and not hasattr(value, "detach"):
        raise TypeError(f"{name or 'checkpoint'}: expected an array, got {type(value).__name__}")
    if is_complex(value):
        parts = "save the parts, z.real and z.imag"
        raise TypeError(f"{name or 'checkpoint'}: unsupported dtype '{value.dtype}': {parts}")
    array = value.numpy() if isinstance(value, LazyTensor) else to_numpy(value)
    try:
        dtype(array.dtype)
    except TypeError as error:
        raise TypeError(f"{name or 'checkpoint'}: {error}") from error
    yield name, np.ascontiguousarray(array).reshape(array.shape)


def _nested(path: str | os.PathLike[str], arrays: dict[str, Any]) -> Params:
    result: Params = {}
    for name, array in arrays.items():
        *outer, last = keys = name.split(".")
        clash = next((parent for k in range(1, len(keys)) if (parent := ".".join(keys[:k])) in arrays), None)
        if clash is not None:
            raise CheckpointError(f"{path}: '{clash}' is an array, and also contains '{name}': expected one of the two")
        place = result
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = array
    return result


def _nested_like(like: Any, arrays: dict[str, Any], keys: tuple[str, ...]) -> Any:
    if not isinstance(like, dict):
        return arrays[".".join(keys)]
    return {key: _nested_like(child, arrays, (*keys, key)) for key, child in like.items()}


def _check(path: str | os.PathLike[str], arrays: dict[str, Any], wanted: dict[str, Any]) -> None:
    missing, unknown = wanted.keys() - arrays.keys(), arrays.keys() - wanted.keys()
    if missing:
        raise CheckpointError(f"{path}: '{min(missing)}' is missing")
    if unknown:
        raise CheckpointError(f"{path}: '{min(unknown)}' is not expected")
    for name, array in arrays.items():
        expected = wanted[name]
        if (array.shape, array.dtype) != (expected.shape, expected.dtype):
            described = f"{expected.dtype} of shape {expected.shape}, got {array.dtype} of shape {array.shape}"
            raise CheckpointError(f"{path}: '{name}': expected {described}")


def _safetensors() -> Any:
    """The package safetensors. Raises CompileError if it is not installed."""
    try:
        # Imported here: it is an optional dependency.
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise CompileError("checkpoints need the package safetensors: pip install 'stepwell[train]'") from error
    return safetensors
