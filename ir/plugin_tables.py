"""Tables to which plugins add rows. Looking up one of our own names imports no plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .plugins import Plugin

RowT = TypeVar("RowT")


class PluginTable(Mapping[str, RowT]):
    """A mapping from names to rows, our own and those of plugins. `member` gives the rows of a plugin. Plugins are imported
    when a name is not among our own, and when names are listed; those in files are known once they are loaded."""

    def __init__(self, own: Mapping[str, RowT], member: Callable[[Plugin], Mapping[str, RowT]]):
        self.own = MappingProxyType(dict(own))
        self._member = member

    def __getitem__(self, name: str) -> RowT:
        if name in self.own:
            return self.own[name]
        for plugin in _plugins():
            if name in self._member(plugin):
                return self._member(plugin)[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self.own or any(name in self._member(plugin) for plugin in _plugins())

    def __iter__(self) -> Iterator[str]:
        names = (name for plugin in _plugins() for name in self._member(plugin))
        return iter(dict.fromkeys((*self.own, *names)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _plugins() -> tuple[Plugin, ...]:
    # Local import: tables are needed where xDSL, which plugins need, is not imported yet.
    from .plugins import known

    return known()
