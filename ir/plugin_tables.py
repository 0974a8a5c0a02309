"""Tables whose rows plugins add to. Nothing is imported for names that are our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .plugins import Plugin

RowT = TypeVar("RowT")


class PluginTable(Mapping[str, RowT]):
    """Rows by name: our own, and those of plugins, `member` of each, which are imported when a name is looked for that is none
    of ours, or when all names are."""

    def __init__(self, own: Mapping[str, RowT], member: Callable[[Plugin], Mapping[str, RowT]]):
        self.own = MappingProxyType(dict(own))
        self._member = member

    def __getitem__(self, name: str) -> RowT:
        if name in self.own:
            return self.own[name]
        for plugin in self._with(name):
            return self._member(plugin)[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self.own or any(True for _ in self._with(name))

    def __iter__(self) -> Iterator[str]:
        names = (name for plugin in _installed() for name in self._member(plugin))
        return iter(dict.fromkeys((*self.own, *names)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _with(self, name: object) -> Iterator[Plugin]:
        return (plugin for plugin in _installed() if name in self._member(plugin))


def _installed() -> tuple[Plugin, ...]:
    # Local import: tables are needed where xDSL, which plugins need, is not imported yet.
    from .plugins import installed

    return installed()
