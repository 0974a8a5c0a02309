"""`stepwell-opt --show-dialects` and `--list-passes`: the dialects, and the passes with their options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import MISSING, fields

from xdsl.passes import ModulePass

from ...dialects import DIALECTS, SHARED_DIALECTS
from ...lowering import all_passes
from ...passes.manager.options import limits_of


def list_dialects() -> str:
    """The names of the dialects, in a line as `mlir-opt` has it."""
    names = ",".join(sorted(name for name, _ in DIALECTS + SHARED_DIALECTS))
    return f"Available Dialects: {names}\n"


def list_passes() -> str:
    """Each pass of ours with what it does and its options, each with its default and limits; then the names of xDSL's."""
    registry = all_passes()
    lines = ["Passes:"]
    for name in sorted(registry.names()):
        found = registry.find(name)
        assert found is not None, "the name is one of the registry's"
        lines += _lines(found)
    lines += ["", "Passes of xDSL:", *(f"  {name}" for name in registry.foreign_names())]
    return "\n".join(lines) + "\n"


def _lines(found: type[ModulePass]) -> Iterator[str]:
    summary, *_ = (inspect.getdoc(inspect.getmodule(found)) or found.name).splitlines()
    yield f"  {summary}"
    limits = limits_of(found)
    for each in fields(found):
        if each.init and each.name != "name":
            default = "" if each.default in (MISSING, None, ()) else f"={_text(each.default)}"
            allowed = f"  ({limits[each.name]})" if each.name in limits else ""
            yield f"      {each.name.replace('_', '-')}{default}{allowed}"


def _text(default: object) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default).lower()
