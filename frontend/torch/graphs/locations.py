"""The source locations of operations in torch's graphs: lines of the user's model, with the path of the module as the
function."""

from __future__ import annotations

import functools
import re
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ....ir.locations import UNKNOWN, file_location, frames, function_location, fuse

_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
# Lines of torch itself, between the user's call of a module and the operation.
_TORCH = re.compile(r"/(site|dist)-packages/torch/")
_ROOT = re.compile(r"^L\[['\"]\w+['\"]\]\.?|^L__\w+?___?|^_modules\.?")


def location_of(node: Any) -> LocationAttr:
    """The lines that an operation of a graph comes from, from the innermost one out. Each line is in a function called
    `module.path.forward`, or by its own name if no module is known. If torch kept no lines, as for a model that is a module of
    torch's own, the location is the definition of the module's `forward`; unknown without a module.
    """
    trace = _trace_of(node)
    return _location(trace, module_of(node)) if trace else _definition(_modules_of(node))


def module_of(node: Any) -> str:
    """The path of the module that an operation belongs to, as `layers.0.linear`; empty without a module, and for the outermost
    one."""
    modules = _modules_of(node)
    return _clean(modules[-1][0]) if modules else ""


def _modules_of(node: Any) -> tuple[Any, ...]:
    """The modules that an operation belongs to, from the outermost one in: paths and classes."""
    return tuple((node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}).values())


def _definition(modules: tuple[Any, ...]) -> LocationAttr:
    forward: Any = getattr(modules[-1][1], "forward", None) if modules else None
    found = function_location(forward)
    place = next(iter(frames(found)), None) if found is not None else None
    return UNKNOWN if place is None else file_location(*place[:3], _named(place.function, _clean(modules[-1][0])))


def _trace_of(node: Any) -> str:
    return node.meta.get("stack_trace") or node.meta.get("fwd_stack_trace") or ""


def _clean(path: str) -> str:
    """A module's path without the names that Dynamo has for the root, and with dots for subscripts."""
    path = re.sub(r"\[['\"]?(\w+)['\"]?\]", r".\1", _ROOT.sub("", str(path)))
    return path.replace("_modules.", "").strip(".")


@functools.lru_cache(maxsize=4096)
def _location(trace: str, module: str) -> LocationAttr:
    found = [(file, int(line), function) for file, line, function in _FRAME.findall(trace)]
    kept = [frame for frame in found if not _TORCH.search(frame[0])] or found
    # Fused, not chained: messages name the outermost call of the first source, and the module tells where it is called.
    return fuse([file_location(file, line, 1, _named(function, module)) for file, line, function in reversed(kept)])


def _named(function: str, module: str) -> str:
    return f"{module}.{function}" if module else function


def place_of(node: Any) -> str:
    """`file:line:column` of the innermost line that an operation comes from; empty if torch kept no lines."""
    return str(next(iter(frames(location_of(node))), ""))
