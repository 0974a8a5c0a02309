"""`stepwell reference passes|dialects|api`: the pages of all passes, operations and public functions, from their docstrings.

stepwell reference passes --out docs/passes.md
stepwell reference dialects --out docs/dialects.md
stepwell reference api --out docs/api.md
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from importlib import import_module
from typing import Any

from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass

from ..dialects import DIALECTS, make_context
from ..ir.files import write_text
from ..lowering import TABLES
from ..lowering.pipelines import TARGETS
from ..passes.manager.options import limits_of
from ..passes.manager.registry import OperationPass, Registry
from .api_reference import public_api
from .docstring_markdown import markdown

PAGES = ("passes", "dialects", "api")
_REASON = re.compile(r'^\s+"([\w-]+)(?:\{[^"]*\})?",  # (.*)$', re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", choices=PAGES, help="which page")
    parser.add_argument("--out", metavar="FILE.md", help="where it goes (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the page."""
    text = page(arguments.page)
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        write_text(arguments.out, text)
    return 0


def page(name: str) -> str:
    """The Markdown of a page."""
    lines = {"passes": _passes, "dialects": _dialects, "api": public_api}[name]()
    return "\n".join(lines).rstrip() + "\n"


def _passes() -> Iterator[str]:
    registry = Registry(TABLES)
    yield from (
        "# Passes",
        "",
        "Every pass of Stepwell, in the order of the folders that hold them. Options are written in braces, as in",
        "`loop-unroll-and-jam{factor=4}`. Printed by `stepwell reference passes`.",
    )
    reasons = _reasons()
    folders: dict[str, list[type[ModulePass]]] = {}
    for name in registry.names():
        found = registry.find(name)
        assert found is not None, "the name is one of the registry's"
        folders.setdefault(found.__module__.removeprefix("stepwell.").rpartition(".")[0].replace(".", "/"), []).append(found)
    for folder, passes in folders.items():
        yield from ("", f"## {folder}")
        for found in passes:
            yield from _pass(found, reasons)


def _pass(found: type[ModulePass], reasons: Mapping[str, list[str]]) -> Iterator[str]:
    yield from ("", f"### {found.name}", "")
    module = inspect.getmodule(found)
    text = (inspect.getdoc(module) if module is not None else None) or inspect.getdoc(found) or ""
    text = text.removeprefix(f"{found.name}: ")
    yield from markdown(text[:1].upper() + text[1:])
    options = [each for each in fields(found) if each.init and each.name != "name"]
    if options:
        limits = limits_of(found)
        yield from ("", "| Option | Default | Values |", "|---|---|---|")
        for each in options:
            values = str(limits[each.name]) if each.name in limits else _kind(each)
            yield f"| `{each.name.replace('_', '-')}` | {_default(each)} | {values} |"
    facts = [f"Runs for {_targets(found.name)}." if _targets(found.name) else "In no target's pipeline."]
    illegal: tuple[str, ...] = getattr(found, "illegal", ())
    if illegal:
        facts.append(f"Leaves nothing of {', '.join(f'`{name}`' for name in illegal)}.")
    if issubclass(found, OperationPass):
        facts.append("Can be anchored, as in `func.func(...)`.")
    yield from ("", " ".join(facts))
    if found.name in reasons:
        yield ""
    for reason in reasons.get(found.name, ()):
        yield f"- {reason}"


def _reasons() -> Mapping[str, list[str]]:
    """The reason for each pass's position, from `lowering/pipelines.py`."""
    found: dict[str, dict[str, None]] = {}
    for name, reason in _REASON.findall(inspect.getsource(import_module("..lowering.pipelines", __package__))):
        if not reason.startswith(("as on the CPU", "likewise")):
            found.setdefault(name, {})[reason] = None
    return {name: list(each) for name, each in found.items()}


def _targets(name: str) -> str:
    """The levels that a pass helps to reach, with their targets."""
    found: dict[str, list[str]] = {}
    for target, row in TARGETS.items():
        for stage in row.stages:
            if any(each.partition("{")[0] == name for each in stage.passes):
                found.setdefault(stage.level, []).append(target)
    return "; ".join(f"level {level} ({', '.join(targets)})" for level, targets in found.items())


def _kind(option: Field[Any]) -> str:
    kind = str(option.type).removesuffix(" | None")
    return {"int": "a number", "bool": "true or false", "str": "a word"}.get(kind, "words, separated by commas")


def _default(option: Field[Any]) -> str:
    if option.default in (MISSING, None, ()):
        return ""
    text = ",".join(map(str, option.default)) if isinstance(option.default, tuple) else str(option.default)
    return f"`{text.lower() if isinstance(option.default, bool) else text}`"


def _dialects() -> Iterator[str]:
    yield from (
        "# Dialects",
        "",
        "The operations of each level, from the top down. Printed by `stepwell reference dialects`.",
    )
    context = make_context()
    for name, place in DIALECTS:
        dialect = context.get_dialect(name)
        yield from ("", f"## {name}", "")
        module = import_module(place.partition(":")[0], f"{__package__.rpartition('.')[0]}.dialects" if __package__ else None)
        yield from markdown(inspect.getdoc(module) or "")
        yield from _attributes(dialect)
        alike: dict[object, list[type[Operation]]] = {}
        for kind in sorted(dialect.operations, key=lambda kind: kind.name):
            alike.setdefault(_form(kind), []).append(kind)
        for kinds in alike.values():
            yield from _operation(kinds)


def _attributes(dialect: Dialect) -> Iterator[str]:
    for kind in sorted(dialect.attributes, key=lambda kind: kind.name):
        summary = (inspect.getdoc(kind) if kind.__doc__ else "") or ""
        yield from ("", f"### `{kind.name}`", "", *markdown(summary))


def _form(kind: type[Operation]) -> object:
    """The common form of operations that differ only in the name of their scalar function."""
    short = kind.name.partition(".")[2]
    text = (inspect.getdoc(kind) if kind.__doc__ else "") or ""
    return text.replace(f"`{short}`", "`...`") if f"`{short}` of each element" in text else kind


def _operation(kinds: Sequence[type[Operation]]) -> Iterator[str]:
    """The entry of one operation, or of several that differ in their scalar function."""
    kind, text = kinds[0], (inspect.getdoc(kinds[0]) if kinds[0].__doc__ else "") or ""
    yield from ("", f"### {kind.name}" if len(kinds) == 1 else f"### {kind.name.partition('.')[0]}: scalar functions", "")
    if len(kinds) > 1:
        text = text.replace(f"`{kind.name.partition('.')[2]}`", "of that name")
        yield from (", ".join(f"`{each.name}`" for each in kinds), "")
    yield from markdown(text)
    if not issubclass(kind, IRDLOperation):
        return
    definition = kind.get_irdl_definition()
    rows = (
        ("operands", [name for name, _ in definition.operands]),
        ("results", [name for name, _ in definition.results]),
        ("regions", [name for name, _ in definition.regions]),
        ("attributes", sorted({*definition.properties, *definition.attributes})),
    )
    found = [f"{what}: {', '.join(f'`{name}`' for name in names)}" for what, names in rows if names]
    if found:
        yield from ("", "; ".join(found))
    if definition.assembly_format:
        yield from ("", "```", f"{kind.name} {' '.join(definition.assembly_format.split())}", "```")
