"""Flattening of nested tuples, lists and dicts of arguments and results into leaves, and back.

Dicts are of the class dict or OrderedDict, which is kept. None is a tree without leaves.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

# The dict classes that are determined by their items; other classes have more state, such as a default for missing keys.
DICTS: tuple[type[dict[Any, Any]], ...] = (dict, OrderedDict)


class Node:
    """A class whose instances are trees of their parts, and are constructed from the parts by keyword."""

    __slots__ = ()

    def parts(self) -> dict[str, Any]:
        """The parts, by the names of the arguments that they are made with."""
        raise NotImplementedError


@dataclass(frozen=True)
class Tree:
    """The nesting of leaves. `kind` is tuple, list, one of DICTS or a class of Nodes (with `keys`), a named tuple's class or
    NoneType; None for a leaf.

    Trees whose keys are equal but not identical, as 1 and True, differ: results get the keys of their own call.
    """

    kind: type | None = None
    children: tuple[Tree, ...] = ()
    keys: tuple[Any, ...] = field(default=(), compare=False)
    _exact_keys: tuple[Hashable, ...] = field(init=False, repr=False)
    # Whether the tree contains Nodes.
    has_nodes: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_exact_keys", tuple(map(exact, self.keys)))
        has_nodes = _is_node(self.kind) or any(child.has_nodes for child in self.children)
        object.__setattr__(self, "has_nodes", has_nodes)

    @property
    def count(self) -> int:
        """The number of leaves."""
        return 1 if self.kind is None else sum(child.count for child in self.children)

    def __str__(self) -> str:
        """The nesting as Python writes it, with `*` for each leaf."""
        if self.kind is None:
            return "*"
        if self.kind is NoneType:
            return "None"
        if self.kind in DICTS:
            inside = ", ".join(f"{key!r}: {child}" for key, child in zip(self.keys, self.children, strict=True))
            return f"{{{inside}}}" if self.kind is dict else f"{self.kind.__name__}({{{inside}}})"
        if _is_node(self.kind):
            return f"{self.kind.__name__}({', '.join(map(str, self.children))})"
        inside = ", ".join(map(str, self.children))
        return f"[{inside}]" if self.kind is list else f"({inside}{',' if len(self.children) == 1 else ''})"

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        """The nested value with these leaves, in order."""
        pending = iter(leaves)
        value = self._build(pending)
        assert next(pending, pending) is pending, "more leaves than the tree has"
        return value

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self.kind is None:
            return next(leaves)
        if self.kind is NoneType:
            return None
        values = [child._build(leaves) for child in self.children]
        if self.kind in DICTS:
            return self.kind(zip(self.keys, values, strict=True))
        if _is_node(self.kind):
            return self.kind(**dict(zip(self.keys, values, strict=True)))
        return self.kind(*values) if hasattr(self.kind, "_fields") else self.kind(values)


def _is_node(kind: type | None) -> bool:
    return kind is not None and issubclass(kind, Node)


def exact(value: Any) -> Hashable:
    """A key that distinguishes constants that compare equal, as 1, True and 1.0. Floats are compared as text: 0.0 and -0.0
    differ, and NaN equals itself."""
    if isinstance(value, tuple):
        return type(value), *map(exact, value)
    return type(value), value.hex() if isinstance(value, float) else value


LEAF = Tree()
NOTHING = Tree(NoneType)


def is_hashable(value: Any) -> bool:
    """Whether a value can be part of a key: for some types only hashing tells."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def flatten(value: Any) -> tuple[list[Any], Tree]:
    """The leaves of a nested value, in order, and their nesting. Raises TypeError for a dict that is not of DICTS."""
    leaves: list[Any] = []
    return leaves, _flatten(value, leaves.append)


def ordered(value: Any, like: Tree) -> Any:
    """A nested value whose dicts get the key order and the class of those in `like`, as far as the nesting agrees."""
    if type(value) in DICTS and like.kind in DICTS and value.keys() == set(like.keys):
        return like.kind((key, ordered(value[key], child)) for key, child in zip(like.keys, like.children, strict=True))
    if type(value) is like.kind and isinstance(value, tuple | list) and len(value) == len(like.children):
        made = [ordered(child, below) for child, below in zip(value, like.children, strict=True)]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    return value


def map_nodes(function: Callable[[Any], Any], value: Any) -> Any:
    """A nested value with a function applied to each Node in it; the value itself if there is none."""
    if isinstance(value, Node):
        return function(value)
    if isinstance(value, dict) and type(value) in DICTS:
        return type(value)((key, map_nodes(function, child)) for key, child in value.items())
    if isinstance(value, tuple | list):
        made = [map_nodes(function, child) for child in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    return value


def leaves_like(value: Any, like: Tree) -> list[Any]:
    """The leaves of a value, aligned with those of `like`; None stands for None in all leaves below it.

    Raises ValueError for another nesting; keys of dicts may be in any order, and the dicts in any class of DICTS.
    """
    if value is None:
        return [None] * like.count
    if like == LEAF and not isinstance(value, dict | tuple | list):
        return [value]
    if isinstance(value, dict) and like.kind in DICTS and value.keys() == set(like.keys):
        parts = [value[key] for key in like.keys]
    elif isinstance(value, Node) and type(value) is like.kind:
        parts = list(value.parts().values())
    elif isinstance(value, tuple | list) and type(value) is like.kind and len(value) == len(like.children):
        parts = list(value)
    else:
        raise ValueError(f"expected a value nested as {like}, got {flatten(value)[1]}")
    return [leaf for part, child in zip(parts, like.children, strict=True) for leaf in leaves_like(part, child)]


def map_leaves(function: Callable[..., Any], value: Any, *others: Any) -> Any:
    """Apply a function to each leaf and the corresponding leaves of other values; the result nests as the first value.

    Raises ValueError when the values nest differently; dicts have the same keys, in any order.
    """
    if isinstance(value, dict):
        if any(not isinstance(other, dict) or other.keys() != value.keys() for other in others):
            raise ValueError(f"expected dicts with the keys {', '.join(map(str, value))} in each argument")
        kind = _dict_kind(value)
        return kind((key, map_leaves(function, child, *[other[key] for other in others])) for key, child in value.items())
    if isinstance(value, tuple | list):
        if any(type(other) is not type(value) or len(other) != len(value) for other in others):
            raise ValueError(f"expected a {type(value).__name__} of {len(value)} in each argument")
        made = [map_leaves(function, *children) for children in zip(value, *others, strict=True)]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    if isinstance(value, Node):
        if any(type(other) is not type(value) for other in others):
            raise ValueError(f"expected a {type(value).__name__} in each argument")
        own, *rest = (each.parts() for each in (value, *others))
        return type(value)(**{key: map_leaves(function, part, *[each[key] for each in rest]) for key, part in own.items()})
    if value is None:
        if any(other is not None for other in others):
            raise ValueError("expected None in each argument")
        return None
    if any(other is None or isinstance(other, dict | tuple | list) for other in others):
        raise ValueError("expected a leaf in each argument")
    return function(value, *others)


def paths(value: Any, prefix: str) -> list[str]:
    """A name for each leaf: `prefix`, with `_<key or index>` for each level."""
    if isinstance(value, dict):
        return [path for key, child in value.items() for path in paths(child, f"{prefix}_{key}")]
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", range(len(value)))
        return [path for key, child in zip(names, value, strict=True) for path in paths(child, f"{prefix}_{key}")]
    if isinstance(value, Node):
        return paths(value.parts(), prefix)
    return [] if value is None else [prefix]


def _dict_kind(value: dict[Any, Any]) -> type[dict[Any, Any]]:
    """The class of a dict. Raises TypeError for one that its items do not determine."""
    kind = type(value)
    if kind not in DICTS:
        keys = ", ".join(map(repr, value)) or "none"
        raise TypeError(f"expected dicts of the class dict or OrderedDict, got {kind.__name__} with the keys {keys}")
    return kind


def _flatten(value: Any, add: Callable[[Any], None]) -> Tree:
    if isinstance(value, dict):
        return Tree(_dict_kind(value), tuple(_flatten(child, add) for child in value.values()), tuple(value))
    if isinstance(value, tuple | list):
        return Tree(type(value), tuple(_flatten(child, add) for child in value))
    if value is None:
        return NOTHING
    if isinstance(value, Node):
        parts = value.parts()
        return Tree(type(value), tuple(_flatten(child, add) for child in parts.values()), tuple(parts))
    add(value)
    return LEAF
