"""Tables to which plugins add rows. Looking up one of Stepwell's own names imports no plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .plugins import Plugin

RowT = TypeVar("RowT")


class PluginTable(Mapping[str, RowT]):
    """A mapping from names to rows, Stepwell's own and those of plugins. `member` gives the rows of a plugin. Plugins of
    packages are imported when a name is not among the own ones, and when names are listed; plugins in files are known after
    they are loaded."""

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
    # Local import: plugins need xDSL, and tables are used before xDSL is imported.
    from .plugins import known

    return known()
