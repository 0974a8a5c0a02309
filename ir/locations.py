"""Source locations: building, fusing and reading xDSL's location attributes.

A location has the source lines that an operation derives from. Fusion keeps order, flattens nested fused locations and drops
duplicates and unknowns, so that a merged operation lists each source once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute

# A line of a file, without the column and the function that a frame has.
Line = tuple[str, int]

UNKNOWN = UnknownLoc()
_GRADIENT = "gradient"
_COMMENT = "# "
LONGEST_LABEL = 32


class Frame(NamedTuple):
    """One position in a source file; `function` is the name of the enclosing function, if known."""

    file: str
    line: int
    column: int
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def in_file(self) -> Line:
        """The file and the line."""
        return self.file, self.line

    def is_at(self, file: str, line: int) -> bool:
        """Whether the position is on a line of `file`, which is a path or the end of one."""
        here, asked = self.file.replace("\\", "/"), file.replace("\\", "/")
        return self.line == line and (here == asked or here.endswith(f"/{asked}"))


def file_location(file: str, line: int, column: int, function: str = "") -> LocationAttr:
    """The location of a position in a file, wrapped in a NameLoc when the function's name is known."""
    position = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
    return NameLoc(StringAttr(function), position) if function else position


def function_location(function: Callable[..., Any]) -> LocationAttr | None:
    """The location of a user's function; None for one that is not written in Python."""
    code = getattr(function, "__code__", None)
    return file_location(code.co_filename, code.co_firstlineno, 1, code.co_name) if code is not None else None


def call_site(callee: LocationAttr, caller: LocationAttr) -> LocationAttr:
    """`callee`, called at `caller`."""
    if isinstance(callee, UnknownLoc):
        return caller
    if isinstance(caller, UnknownLoc) or callee == caller:
        return callee
    return CallSiteLoc(callee, caller)


def commented(path: Sequence[str], location: LocationAttr) -> LocationAttr:
    """The location inside of block comments, given from outside in."""
    return NameLoc(StringAttr(_COMMENT + " / ".join(path)), location)


def plain_comment(text: str) -> str:
    """A text with "_" for line breaks and other characters that could end a comment of emitted code."""
    return re.sub(r"[^ -~]|[\\?]", "_", text)


def comments(location: LocationAttr) -> tuple[str, ...]:
    """The block comments that the sources of a location are in, each once, nested ones as `outer / inner`."""
    return _comments_of(_Same(location))


def comment_suffix(*locations: LocationAttr) -> str:
    """The suffix of the name of a function or kernel with these sources: their innermost block comments as `_a_b`, of at most
    LONGEST_LABEL characters; empty without comments."""
    innermost = dict.fromkeys(text.rpartition(" / ")[2] for each in locations for text in comments(each))
    label = re.sub(r"\W+", "_", "_".join(innermost), flags=re.ASCII)[:LONGEST_LABEL].strip("_")
    return f"_{label}" if label else ""


def gradient_of(location: LocationAttr) -> LocationAttr:
    """The same sources, with each function named "gradient of" its name."""
    match location:
        case NameLoc() if location.desc.data.startswith(_COMMENT):
            return NameLoc(location.desc, gradient_of(cast("LocationAttr", location.location)))
        case NameLoc():
            return NameLoc(StringAttr(f"{_GRADIENT} of {location.desc.data}"), location.location)
        case FileLineColLoc():
            return NameLoc(StringAttr(_GRADIENT), location)
        case CallSiteLoc():
            return call_site(*(gradient_of(cast("LocationAttr", each)) for each in (location.callee, location.caller)))
        case FusedLoc():
            return fuse(gradient_of(child) for child in _leaves(location))
        case _:
            return location


def is_gradient(frame: Frame) -> bool:
    """Whether a position is that of an operation's gradient."""
    return frame.function == _GRADIENT or frame.function.startswith(f"{_GRADIENT} of ")


def pretty_location(location: Attribute) -> str:
    """A location as MLIR's `--mlir-pretty-debuginfo` shows it: `model.py:3:4`, `"name"(model.py:3:4)`, `[a.py:1:1, b.py:2:1]`,
    `callee at caller`, `[unknown]`."""
    match location:
        case FileLineColLoc():
            return f"{location.filename.data}:{location.line.data}:{location.column.data}"
        case NameLoc():
            return f'"{location.desc.data}"({pretty_location(location.location)})'
        case CallSiteLoc():
            return f"{pretty_location(location.callee)} at {pretty_location(location.caller)}"
        case FusedLoc():
            return f"[{', '.join(map(pretty_location, cast('ArrayAttr[LocationAttr]', location.locations)))}]"
        case _:
            return "[unknown]"


def is_known(location: LocationAttr) -> bool:
    """Whether the location has at least one source."""
    return next(_leaves(location), None) is not None


def fuse(locations: Iterable[LocationAttr]) -> LocationAttr:
    """All given sources, flattened, in order, each once; unknown if there are none."""
    known = list({id(location): location for location in locations if type(location) is not UnknownLoc}.values())
    if len(known) == 1 and type(known[0]) is not FusedLoc:
        return known[0]
    return _fused(*map(_Same, known))


class _Same:
    """A location compared by identity: comparing locations by value reads all of their contents."""

    __slots__ = ("location",)

    def __init__(self, location: LocationAttr):
        self.location = location

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.location is other.location

    def __hash__(self) -> int:
        return id(self.location)


@lru_cache(maxsize=1 << 10)  # passes fuse the locations of the same operations repeatedly
def _fused(*known: _Same) -> LocationAttr:
    if len(known) == 1 and _is_flat(known[0].location):
        return known[0].location
    leaves = tuple(dict.fromkeys(leaf for each in known for leaf in _leaves(each.location)))
    if not leaves:
        return UNKNOWN
    return leaves[0] if len(leaves) == 1 else FusedLoc(leaves, NoneAttr())


def frames(location: LocationAttr) -> tuple[Frame, ...]:
    """The flat, ordered, duplicate-free source positions of a location, call sites included (callee first)."""
    return tuple(dict.fromkeys(_frames(location, "")))


def outermost_frame(location: LocationAttr) -> Frame | None:
    """The outermost call of the first source of a location; further sources were fused with it later."""
    first = next(_leaves(location), None)
    return frames(first)[-1] if first is not None else None


class Sources:
    """The frames and lines of locations, each location read once.

    Locations are keyed by id, since hashing one takes as long as reading it; they are kept alive, so that their ids stay
    unique.
    """

    def __init__(self) -> None:
        self._found: dict[int, tuple[LocationAttr, tuple[Frame, ...], frozenset[Line]]] = {}
        # Equal sets of lines are one object, so that they can be compared by identity.
        self._lines: dict[frozenset[Line], frozenset[Line]] = {}

    def frames(self, location: LocationAttr) -> tuple[Frame, ...]:
        """The frames of the location, as the function `frames`."""
        return self._of(location)[1]

    def lines(self, location: LocationAttr) -> frozenset[Line]:
        """The lines of the location's frames."""
        return self._of(location)[2]

    def _of(self, location: LocationAttr) -> tuple[LocationAttr, tuple[Frame, ...], frozenset[Line]]:
        found = self._found.get(id(location))
        if found is None:
            positions = frames(location)
            lines = frozenset(frame.in_file for frame in positions)
            found = self._found[id(location)] = location, positions, self._lines.setdefault(lines, lines)
        return found


def _is_flat(location: LocationAttr) -> bool:
    """Whether a location is a single source, or a flat fused one as `fuse` builds."""
    if type(location) is not FusedLoc:
        return True
    children = cast("ArrayAttr[Attribute]", location.locations).data
    return len(children) > 1 and not any(type(child) in (FusedLoc, UnknownLoc, NoneAttr) for child in children)


def _leaves(location: Attribute) -> Iterator[LocationAttr]:
    if type(location) in (UnknownLoc, NoneAttr):
        return
    if type(location) is not FusedLoc:
        yield cast("LocationAttr", location)
        return
    for child in cast("ArrayAttr[Attribute]", location.locations):
        yield from _leaves(child)


def _frames(location: Attribute, function: str) -> Iterator[Frame]:
    # Classes are compared, as everywhere here: `isinstance` and patterns with xDSL's classes are calls of Python.
    kind = type(location)
    if kind is FileLineColLoc:
        place = cast("FileLineColLoc", location)
        yield Frame(place.filename.data, place.line.data, place.column.data, function)
    elif kind is NameLoc:
        named = cast("NameLoc", location)
        name = named.desc.data
        yield from _frames(named.location, function if name.startswith(_COMMENT) else name)
    elif kind is CallSiteLoc:
        call = cast("CallSiteLoc", location)
        yield from _frames(call.callee, function)
        yield from _frames(call.caller, function)
    elif kind is FusedLoc:
        for child in cast("ArrayAttr[Attribute]", cast("FusedLoc", location).locations):
            yield from _frames(child, function)


@lru_cache(maxsize=1 << 12)  # each print asks for the comments of the same operations
def _comments_of(same: _Same) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_comments(same.location)))


def _comments(location: Attribute) -> Iterator[str]:
    match location:
        case NameLoc():
            if location.desc.data.startswith(_COMMENT):
                # The text of a module may have any characters here.
                yield plain_comment(location.desc.data.removeprefix(_COMMENT))
            yield from _comments(location.location)
        case CallSiteLoc():
            yield from _comments(location.callee)
            yield from _comments(location.caller)
        case FusedLoc():
            for child in cast("ArrayAttr[Attribute]", location.locations):
                yield from _comments(child)
        case _:
            return
