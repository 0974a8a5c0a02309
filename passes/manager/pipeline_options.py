"""The options of a pass in the text of a pipeline: `{depth=4 names=a,"b c" fast=true}`.

xDSL reads the values; this parser finds each option, so that an error names the option and its position.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from ...ir.diagnostics import did_you_mean
from .options import first_violation

# The name of an option type in error messages, singular and plural.
KINDS: Mapping[Any, tuple[str, str]] = MappingProxyType(
    {
        int: ("a whole number", "whole numbers"),
        float: ("a number", "numbers"),
        bool: ("true or false", "true or false"),
        str: ("a word", "words"),
    }
)

_OPTION = re.compile(r'([\w-]+)(=((?:"(?:[^"\\]|\\.)*"|[^\s"])*))?(?=\s|$)')
_SPACE = re.compile(r"\s*")


class OptionError(Exception):
    """An invalid option, and its offset in the text of the options."""

    def __init__(self, message: str, at: int):
        super().__init__(message)
        self.message = message
        self.at = at


class Given(NamedTuple):
    """An option in the text: its name in Python, its value as spelled (None without one), and its offset."""

    name: str
    value: str | None
    at: int

    def wrong(self, problem: str) -> OptionError:
        return OptionError(f"option '{self.name.replace('_', '-')}': {problem}", self.at)


def read_options(text: str, found: type[ModulePass]) -> ModulePass:
    """The pass with the options in a text, given without braces. Raises OptionError."""
    # Each compile reads the same few texts; one immutable pass serves all of them.
    return _read_once(text, found) if _is_frozen(found) else _read(text, found)


def _is_frozen(found: type[ModulePass]) -> bool:
    # The class's own dataclass parameters: a class without the decorator inherits those of xDSL's class, and may be mutable.
    own = vars(found).get("__dataclass_params__")
    return own is not None and own.frozen


@functools.lru_cache(maxsize=1024)
def _read_once(text: str, found: type[ModulePass]) -> ModulePass:
    return _read(text, found)


def _read(text: str, found: type[ModulePass]) -> ModulePass:
    types = get_type_hints(found)
    known = [each.name for each in dataclasses.fields(found) if each.name != "name" and each.init]
    given: dict[str, Given] = {}
    values: dict[str, ParameterListType] = {}
    for option in _options(text):
        if option.name not in known:
            raise OptionError(_unknown(option.name, known), option.at)
        if option.name in given:
            raise option.wrong("it is given twice")
        given[option.name] = option
        # As in MLIR, a switch without a value is on.
        is_on = option.value is None and types[option.name] is bool
        values[option.name] = (True,) if is_on else _values(option, types[option.name])
    missing = sorted(found.required_fields() - set(given))
    if missing:
        raise OptionError(f"option '{missing[0].replace('_', '-')}': required", 0)
    return _made(found, values, given)


def _options(text: str) -> Iterator[Given]:
    at = _end_of_space(text, 0)
    while at < len(text):
        match = _OPTION.match(text, at)
        if match is None:
            raise OptionError(f"expected an option, as name=value, got '{text[at:].split()[0]}'", at)
        yield Given(match[1].replace("-", "_"), match[3], at)
        at = _end_of_space(text, match.end())


def _end_of_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


def _unknown(name: str, known: list[str]) -> str:
    spelled = [each.replace("_", "-") for each in known]
    has = f": the pass has {', '.join(spelled) or 'none'}"
    name = name.replace("_", "-")
    return f"unknown option '{name}'{did_you_mean(name, spelled) or has}"


def _values(option: Given, wanted: Any) -> ParameterListType:
    """The values of an option of type `wanted`: one of KINDS, one or None, or several."""
    kind, has_several = _kind(wanted)
    expected = "values" if kind is None else f"{KINDS[kind][1]}, separated by commas" if has_several else KINDS[kind][0]
    problem = f"expected {expected}, got " + (f"'{option.value}'" if option.value else "nothing")
    try:
        values = parse_spec(f"x{{{'x' if option.value is None else f'x={_on_one_line(option.value)}'}}}").parameters["x"]
    except ArgSpecParseError as error:
        raise option.wrong(problem) from error
    is_none = option.value is None and type(None) in get_args(wanted)
    fits = values and (has_several or len(values) == 1) and all(type(value) is kind for value in values)
    if kind is not None and not fits and not is_none:
        raise option.wrong(problem)
    return values


def _kind(wanted: Any) -> tuple[Any, bool]:
    """The element type of an option and whether it is a list; None for types outside KINDS, which some of xDSL's passes
    have."""
    several = get_origin(wanted) is tuple
    inner = [each for each in get_args(wanted) if each not in (type(None), ...)] or [wanted]
    return (inner[0] if len(inner) == 1 and inner[0] in KINDS else None), several


def _on_one_line(value: str) -> str:
    return " ".join(value.splitlines())


def _made(found: type[ModulePass], values: dict[str, ParameterListType], given: Mapping[str, Given]) -> ModulePass:
    try:
        made = found.from_spec(ArgSpec(found.name, values))
    except ValueError as error:  # of a type that `_kind` does not know
        raise OptionError(str(error), min((each.at for each in given.values()), default=0)) from error
    wrong = first_violation(made)
    if wrong is not None:
        name, problem = wrong
        raise given.get(name, Given(name, None, 0)).wrong(problem)
    return made
