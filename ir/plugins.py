"""Plugins: dialects, passes, scalar functions and targets of other packages.

A package announces a module, or any object, in the entry point group `stepwell.plugins`, under the name of the plugin:

    [project.entry-points."stepwell.plugins"]
    saturate = "my_package.saturate"

The module has `DIALECTS`, a tuple of xDSL dialects, or `PASSES`, a tuple of passes (frozen dataclasses derived from
`ModulePass`), or both. Its dialects parse wherever text does, its passes run in every pipeline. A package may also have
`SCALARS`, a tuple of rows like those of `ir/scalars/`, whose functions `uop.map` takes. `TARGETS` and `LANGUAGES` are mappings
from names to rows like those of `lowering/pipelines.py`, whose `program` and `emitter` are functions. A plugin is imported when
a name comes up that Stepwell does not have, or when everything is listed.

A Python file of that form can be loaded too, except for its scalar functions, which need a package.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute
from xdsl.passes import ModulePass

from .diagnostics import PipelineError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "stepwell.plugins"
# The members of a plugin's module, each with its form.
_MEMBERS = MappingProxyType(
    {
        "PASSES": (tuple, "a tuple of passes"),
        "DIALECTS": (tuple, "a tuple of xDSL dialects"),
        "SCALARS": (tuple, "a tuple of scalar functions"),
        "TARGETS": (Mapping, "a mapping from names to targets"),
        "LANGUAGES": (Mapping, "a mapping from names to languages"),
    }
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Plugin(NamedTuple):
    """The rows that a plugin adds. `name` is the name of its entry point, or the path of its file."""

    name: str
    passes: tuple[type[ModulePass], ...] = ()
    dialects: tuple[Dialect, ...] = ()
    scalars: tuple[Any, ...] = ()
    targets: Mapping[str, Any] = _NOTHING
    languages: Mapping[str, Any] = _NOTHING


class _Files:
    """The plugins in files that this process has loaded, by their paths."""

    def __init__(self):
        self.plugins: dict[str, Plugin] = {}


_FILES = _Files()


def plugin_of(name: str, source: Any) -> Plugin:
    """The plugin in a module. Raises PipelineError, which names the member, for a malformed plugin."""
    if not any(hasattr(source, member) for member in _MEMBERS):
        raise PipelineError(f"plugin '{name}': it has none of {', '.join(_MEMBERS)}")
    found: dict[str, Any] = {}
    for member, (kind, expected) in _MEMBERS.items():
        found[member] = getattr(source, member, kind() if kind is tuple else _NOTHING)
        if not isinstance(found[member], kind):
            raise PipelineError(f"plugin '{name}': {member}: expected {expected}, got {type(found[member]).__name__}")
    for each in found["PASSES"]:
        _check_pass(name, each)
    for each in found["DIALECTS"]:
        if not isinstance(each, Dialect):
            raise PipelineError(f"plugin '{name}': DIALECTS: expected xDSL dialects, got {each!r}")
    for member, function in (("TARGETS", "program"), ("LANGUAGES", "emitter")):
        for key, row in found[member].items():
            if not callable(getattr(row, function, None)):
                expected = f"expected a row whose '{function}' is a function"
                raise PipelineError(f"plugin '{name}': {member}: '{key}': {expected}, got {row!r}")
    return Plugin(name, **{member.lower(): value for member, value in found.items()})


def from_file(path: str) -> Plugin:
    """The plugin in a Python file, which is run once; afterwards its targets and languages are known. Raises PipelineError if
    there is none."""
    if path not in _FILES.plugins:
        _FILES.plugins[path] = _loaded(path)
    return _FILES.plugins[path]


def _loaded(path: str) -> Plugin:
    # Local import: few programs have plugins.
    import importlib.util

    stem = Path(path).stem
    spec = importlib.util.spec_from_file_location(stem if stem != "__init__" else Path(path).resolve().parent.name, path)
    if spec is None or spec.loader is None or not Path(path).is_file():
        raise PipelineError(f"cannot load passes from '{path}': expected a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up their module by name while they are created.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # code of someone else's
        raise PipelineError(f"cannot load passes from '{path}': {_first_line(error)}") from error
    return plugin_of(path, module)


@functools.cache
def installed() -> tuple[Plugin, ...]:
    """The plugins of installed packages, imported at the first call. Raises PipelineError for one that cannot be imported."""
    # Local import: few names are looked up in plugins, and the import takes 40 ms.
    from importlib.metadata import entry_points

    return tuple(_imported(entry) for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def known() -> tuple[Plugin, ...]:
    """The plugins in files that were loaded, then those of installed packages. Raises the errors of `installed`."""
    return (*_FILES.plugins.values(), *installed())


def home_of(kind: type) -> str | None:
    """The top-level module of a pass or operation of a plugin; None for those of Stepwell and xDSL."""
    package = kind.__module__.partition(".")[0]
    return None if package in ("stepwell", "xdsl") else package


class PluginContext(Context):
    """A context that looks for an unknown dialect in plugins."""

    def clone(self) -> PluginContext:
        return PluginContext(**vars(super().clone()))

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        self._find(name)
        return super().get_optional_op(name, dialect_stack=dialect_stack)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        self._find(name)
        return super().get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        self._find(name)
        return super().get_optional_attr(name)

    def _find(self, name: str) -> None:
        """Register the dialect that a name begins with, if a plugin has it."""
        dialect, dot, _ = name.partition(".")
        if not dot or dialect in self._registered_dialects:
            return
        for found in _dialects():
            if found.name == dialect:
                self.register_dialect(dialect, partial(_itself, found))
                return


def _itself(dialect: Dialect) -> Dialect:
    return dialect


def _dialects() -> Iterator[Dialect]:
    for plugin in installed():
        yield from plugin.dialects


def _imported(entry: EntryPoint) -> Plugin:
    try:
        source = entry.load()
    except (Exception, SystemExit) as error:  # code of someone else's
        raise PipelineError(f"plugin '{entry.name}' ({entry.value}) cannot be imported: {_first_line(error)}") from error
    return plugin_of(entry.name, source)


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _check_pass(plugin: str, each: Any) -> None:
    """Raise PipelineError, with the missing part, for an object that is not a pass."""
    if not (isinstance(each, type) and issubclass(each, ModulePass)):
        raise PipelineError(f"plugin '{plugin}': PASSES: expected classes derived from xdsl.passes.ModulePass, got {each!r}")
    if not (isinstance(each.__dict__.get("name"), str) and each.name):
        raise PipelineError(f"plugin '{plugin}': pass {each.__name__}: expected a name, as in `name = \"my-pass\"`")
    if not re.fullmatch(r"\w[\w.-]*", each.name):
        expected = "expected a name of letters, digits, '_', '.' and '-'"
        raise PipelineError(f"plugin '{plugin}': pass {each.__name__}: {expected}, got '{each.name}'")
    if "__dataclass_fields__" not in each.__dict__:
        raise PipelineError(f"plugin '{plugin}': pass '{each.name}': expected a dataclass, by @dataclass(frozen=True)")
    if each.apply is ModulePass.apply:
        raise PipelineError(f"plugin '{plugin}': pass '{each.name}': expected a method `apply` or `apply_to`")
