"""The source locations of operations in torch's graphs: lines of the user's model, with the path of the module as the
function."""

from __future__ import annotations

import functools
import re
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ...ir.locations import file_location, frames, fuse

_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
# Lines of torch itself, between the user's call of a module and the operation.
_TORCH = re.compile(r"/(site|dist)-packages/torch/")
_ROOT = re.compile(r"^L\[['\"]\w+['\"]\]\.?|^L__\w+?___?|^_modules\.?")


def location_of(node: Any) -> LocationAttr:
    """The lines that an operation of a graph comes from, from the innermost one out; unknown if torch kept none. Each line is
    in a function called `module.path.forward`, or as it is called where no module is known."""
    return _location(_trace_of(node), module_of(node))


def module_of(node: Any) -> str:
    """The path of the module that an operation belongs to, as `layers.0.linear`; empty for none, and for the outermost."""
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
    paths = [entry[0] for entry in stack.values()]
    return _clean(paths[-1]) if paths else ""


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
    """`file:line:column` of the innermost line that an operation comes from; empty where torch kept none."""
    return str(next(iter(frames(location_of(node))), ""))
