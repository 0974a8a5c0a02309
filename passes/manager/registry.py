"""Passes by name: ours, from the tables of packages, and xDSL's own.

A pass is imported when a pipeline first names it. A name of ours hides the same name of xDSL's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...ir.diagnostics import did_you_mean
from ...ir.lazy_import import load
from ...ir.plugins import installed
from .. import RENAMED

# Names of passes, each with its class as "module:Class", the module relative to the package.
Table = Sequence[tuple[str, str]]


class OperationPass(ModulePass):
    """A pass that reads and changes one operation and its regions only: it can be anchored, as in `func.func(cse)`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.apply_to(ctx, op)

    def apply_to(self, ctx: Context, op: Operation) -> None:
        """Rewrite the regions of `op`."""
        raise NotImplementedError


def illegal_after(pass_: ModulePass) -> tuple[str, ...]:
    """The dialects or operations that a lowering leaves none of (its `illegal`); empty for other passes."""
    return getattr(pass_, "illegal", ())


class Registry:
    """The passes that a pipeline can name.

    `tables` has a table for each package; `extra` classes come first, for passes that a user defines. A name that is not among
    them is looked up in the plugins of installed packages, then among xDSL's passes.
    """

    def __init__(self, tables: Mapping[str, Table], extra: Iterable[type[ModulePass]] = ()):
        self._loaders: dict[str, Callable[[], type[ModulePass]]] = {}
        for each in extra:
            self._loaders[each.name] = _constant(each)
        for package, table in tables.items():
            for name, place in table:
                self._loaders.setdefault(name, partial(load, place, package))

    def names(self) -> list[str]:
        """Our own passes, in the order of the tables."""
        return list(self._loaders)

    def foreign_names(self) -> list[str]:
        """xDSL's passes that no pass of ours hides."""
        return sorted(set(_xdsl_passes()) - set(self._loaders))

    def plugin_names(self) -> Mapping[str, Sequence[str]]:
        """The passes of each plugin that has some, without those that ours hide. Raises PipelineError for a broken plugin."""
        found = {plugin.name: [each.name for each in plugin.passes if each.name not in self._loaders] for plugin in installed()}
        return {name: passes for name, passes in found.items() if passes}

    def find(self, name: str) -> type[ModulePass] | None:
        """The class of a pass, None when there is none of that name."""
        loader = self._loaders.get(name) or _plugin_passes().get(name) or _xdsl_passes().get(name)
        return loader() if loader is not None else None

    def suggestion(self, name: str) -> str:
        """`: did you mean 'x'?` for a name that is not known, `: it is now 'x'` for a former name of a pass."""
        if name in RENAMED:
            return f": it is now '{RENAMED[name]}'"
        return did_you_mean(name, [*self.names(), *_plugin_passes(), *self.foreign_names()])


def is_foreign(pass_: ModulePass) -> bool:
    """Whether a pass is xDSL's, and so creates operations without deriving their sources."""
    return type(pass_).__module__.startswith("xdsl.")


def _constant(pass_: type[ModulePass]) -> Callable[[], type[ModulePass]]:
    return lambda: pass_


def _plugin_passes() -> Mapping[str, Callable[[], type[ModulePass]]]:
    return {each.name: _constant(each) for plugin in installed() for each in plugin.passes}


def _xdsl_passes() -> Mapping[str, Callable[[], type[ModulePass]]]:
    # Import on demand: most pipelines name only passes of ours.
    from xdsl.transforms import get_all_passes

    return get_all_passes()
