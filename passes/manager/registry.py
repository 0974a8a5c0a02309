"""Passes by name: Stepwell's, from the tables of packages, and xDSL's own.

A pass is imported when a pipeline first names it. A pass of Stepwell hides a pass of xDSL with the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...ir.diagnostics import PipelineError, did_you_mean
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
    """The dialects or operations of which a lowering leaves none (its `illegal`); empty for other passes."""
    return getattr(pass_, "illegal", ())


class Registry:
    """The passes that a pipeline can name.

    `tables` has a table for each package; `extra` are classes that a user defines. Other names are looked up in the plugins of
    installed packages, then among xDSL's passes. Raises PipelineError for a pass of a user or a plugin that has the name of a
    pass in the tables.
    """

    def __init__(self, tables: Mapping[str, Table], extra: Iterable[type[ModulePass]] = ()):
        self._loaders: dict[str, Callable[[], type[ModulePass]]] = {
            name: partial(load, place, package) for package, table in tables.items() for name, place in table
        }
        self._own = frozenset(self._loaders)
        for each in extra:
            self._check_name(each)
            self._loaders[each.name] = _constant(each)

    def names(self) -> list[str]:
        """Stepwell's own passes, in the order of the tables."""
        return list(self._loaders)

    def foreign_names(self) -> list[str]:
        """xDSL's passes that no pass of Stepwell hides, without the passes for xDSL's own tests."""
        return sorted(name for name in set(_xdsl_passes()) - set(self._loaders) if not name.startswith("test-"))

    def plugin_names(self) -> Mapping[str, Sequence[str]]:
        """The passes of each plugin that has any. Raises PipelineError for a broken plugin."""
        self._plugin_passes()
        return {plugin.name: [each.name for each in plugin.passes] for plugin in installed() if plugin.passes}

    def find(self, name: str) -> type[ModulePass] | None:
        """The class of a pass; None if no pass has that name."""
        loader = self._loaders.get(name) or self._plugin_passes().get(name) or _xdsl_passes().get(name)
        return loader() if loader is not None else None

    def suggestion(self, name: str) -> str:
        """`: did you mean 'x'?` for a name that is not known, `: it is now 'x'` for a former name of a pass."""
        if name in RENAMED:
            return f": it is now '{RENAMED[name]}'"
        return did_you_mean(name, [*self.names(), *self._plugin_passes(), *self.foreign_names()])

    def _plugin_passes(self) -> Mapping[str, Callable[[], type[ModulePass]]]:
        found = [each for plugin in installed() for each in plugin.passes]
        for each in found:
            self._check_name(each)
        return {each.name: _constant(each) for each in found}

    def _check_name(self, pass_: type[ModulePass]) -> None:
        if pass_.name in self._own:
            where = f"{pass_.__module__}.{pass_.__qualname__}"
            raise PipelineError(f"pass '{pass_.name}' of {where}: Stepwell has a pass of this name: expected another one")


def is_foreign(pass_: ModulePass) -> bool:
    """Whether a pass is xDSL's, and so creates operations without deriving their sources."""
    return type(pass_).__module__.startswith("xdsl.")


def _constant(pass_: type[ModulePass]) -> Callable[[], type[ModulePass]]:
    return lambda: pass_


def _xdsl_passes() -> Mapping[str, Callable[[], type[ModulePass]]]:
    # Import on demand: most pipelines name only passes of Stepwell.
    from xdsl.transforms import get_all_passes

    return get_all_passes()
