"""`stepwell-opt --show-dialects` and `--list-passes`: the dialects, and the passes with their options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import MISSING, fields

from xdsl.passes import ModulePass

from ...dialects import DIALECTS, SHARED_DIALECTS
from ...ir.plugins import known
from ...lowering.pipelines import TARGETS, Target
from ...passes.manager.options import limits_of
from ...passes.manager.registry import Registry


def list_dialects() -> str:
    """Print the names of the dialects, in one line as by `mlir-opt`."""
    plugins = [dialect.name for plugin in known() for dialect in plugin.dialects]
    names = ",".join(sorted([*(name for name, _ in DIALECTS + SHARED_DIALECTS), *plugins]))
    return f"Available Dialects: {names}\n"


def list_passes(registry: Registry) -> str:
    """Print each pass of Stepwell and of plugins, with its description and its options with defaults and limits; then the names
    of xDSL's passes."""
    lines = ["Passes:"]
    for name in sorted(registry.names()):
        found = registry.find(name)
        assert found is not None, "the name is one of the registry's"
        lines += _lines(found)
    for plugin, names in registry.plugin_names().items():
        lines += ["", f"Passes of plugin '{plugin}':"]
        for name in sorted(names):
            found = registry.find(name)
            assert found is not None, "the name is one of a plugin's"
            lines += _lines(found)
    lines += ["", "Passes of xDSL:", *(f"  {name}" for name in registry.foreign_names())]
    return "\n".join(lines) + "\n"


def list_targets() -> str:
    """Print each target with its levels, and the language that it emits."""
    names = sorted(TARGETS)
    rows = (f"  {name}: {_levels(TARGETS[name])}" for name in names)
    return "\n".join(["Targets:", *rows]) + "\n"


def _levels(target: Target) -> str:
    levels = [stage.level for stage in target.stages]
    return " -> ".join([*levels, target.language] if target.language else levels)


def describe_pass(found: type[ModulePass]) -> str:
    """Print the full description of a pass, and its options as in the list of passes."""
    first, *options = _lines(found)
    text = inspect.getdoc(inspect.getmodule(found)) or ""
    _, _, rest = text.partition("\n") if text.startswith(f"{found.name}:") else ("", "", "")
    return "\n".join(filter(None, [first.strip(), rest.rstrip(), "\nOptions:" if options else "", *options])) + "\n"


def _lines(found: type[ModulePass]) -> Iterator[str]:
    summary, *_ = (inspect.getdoc(inspect.getmodule(found)) or "").splitlines() or [""]
    if not summary.startswith(f"{found.name}:"):  # several passes in one file
        summary = f"{found.name}: {(inspect.getdoc(found) or '').partition(chr(10))[0]}"
    yield f"  {summary}"
    limits = limits_of(found)
    for each in fields(found):
        if each.init and each.name != "name":
            default = "" if each.default in (MISSING, None, ()) else f"={_text(each.default)}"
            allowed = f"  ({limits[each.name]})" if each.name in limits else ""
            yield f"      {each.name.replace('_', '-')}{default}{allowed}"


def _text(default: object) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default).lower()
