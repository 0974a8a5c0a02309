"""Compiler settings of the user: added rewrite rules, hooks and extensions, and the choice of enabled rules and backends.

Additions apply to the process from the next call on; a choice applies to a block of code, in its thread or task. `current()`
returns the settings as one object, which keeps its identity as long as nothing changes: compiled code is cached under it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...ir.diagnostics import CompileError, did_you_mean

if TYPE_CHECKING:
    from .rule import Rule

# The targets that have rewrite rules of their own, and those that have hooks of their own.
RULED = ("cpu", "cuda")
HOOKED = (*RULED, "interpret")
PRECISIONS = ("highest", "high")


@dataclass(frozen=True, eq=False)
class Hook:
    """A function that may change the module of a target on one of the target's levels."""

    name: str
    device: str
    level: str
    function: Callable[[Any], Any]


class Backends(NamedTuple):
    """The devices whose implementations of operations are used, by priority; with `exclusive`, no other devices are."""

    devices: tuple[str, ...]
    exclusive: bool = False


class Choice(NamedTuple):
    """The enabled rules: none, all except those `without`, or only those named; the backends, None for those of the target; the
    precision of products of float32."""

    enabled: bool = True
    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    backends: Backends | None = None
    precision: str = "highest"

    def admits(self, name: str) -> bool:
        return self.enabled and name not in self.without and (self.only is None or name in self.only)


@dataclass(frozen=True, eq=False)
class Settings:
    """Everything that compiled code depends on besides the program: the choice of rules, the users' rules, the hooks, and
    extensions of the frontend: implementations of operations and bypasses."""

    choice: Choice
    rules: tuple[Rule, ...]
    hooks: tuple[Hook, ...]
    extensions: tuple[object, ...] = ()


@dataclass
class _Current:
    """The settings under one choice, replaced when something is added or removed."""

    settings: Settings


_Key: TypeAlias = "tuple[Choice, tuple[Rule, ...], tuple[Hook, ...], tuple[object, ...]]"


class Additions:
    """The rules, hooks and extensions of users; one for the process."""

    def __init__(self):
        self._lock = threading.Lock()
        self._rules: tuple[Rule, ...] = ()
        self._hooks: tuple[Hook, ...] = ()
        self._extensions: tuple[object, ...] = ()
        self._current: dict[Choice, _Current] = {}
        # Removing an addition restores the earlier settings object, under which compiled code is still cached.
        self._made: dict[_Key, Settings] = {}

    def under(self, choice: Choice) -> _Current:
        """The settings under a choice: one object per choice, updated on every change."""
        with self._lock:
            if choice not in self._current:
                self._current[choice] = _Current(self._settings(choice))
            return self._current[choice]

    def change(
        self,
        rules: Callable[[tuple[Rule, ...]], tuple[Rule, ...]] = tuple,
        hooks: Callable[[tuple[Hook, ...]], tuple[Hook, ...]] = tuple,
        extensions: Callable[[tuple[object, ...]], tuple[object, ...]] = tuple,
    ) -> None:
        """Apply the functions to the rules, hooks and extensions. If one raises, nothing changes."""
        with self._lock:
            self._rules, self._hooks, self._extensions = rules(self._rules), hooks(self._hooks), extensions(self._extensions)
            # A rule, hook or extension that is removed never comes back (adding it again makes another object): drop settings
            # that contain it.
            left = {*self._rules, *self._hooks, *self._extensions}
            self._made = {
                key: each for key, each in self._made.items() if left.issuperset((*each.rules, *each.hooks, *each.extensions))
            }
            for choice, each in self._current.items():
                each.settings = self._settings(choice)

    def may_return(self, settings: Settings) -> bool:
        """Whether compiled code may still use these settings."""
        key = (settings.choice, settings.rules, settings.hooks, settings.extensions)
        return self._made.get(key) is settings

    def _settings(self, choice: Choice) -> Settings:
        key = (choice, self._rules, self._hooks, self._extensions)
        return self._made.setdefault(key, Settings(*key))


ADDITIONS = Additions()
# The settings without a choice: one object for all threads and tasks, since additions apply to all of them.
_UNCHOSEN = ADDITIONS.under(Choice())
_chosen: ContextVar[_Current] = ContextVar("chosen")


class Addition:
    """An added rule, hook or extension. `remove()`, or leaving a `with` block, removes it."""

    def __init__(self, added: object):
        self.added = added

    def remove(self) -> None:
        """Remove the addition, from the next call on. Removing it again does nothing."""
        ADDITIONS.change(
            lambda rules: tuple(each for each in rules if each is not self.added),
            lambda hooks: tuple(each for each in hooks if each is not self.added),
            lambda extensions: tuple(each for each in extensions if each is not self.added),
        )

    def __enter__(self) -> Addition:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def current() -> Settings:
    """The settings of this thread or task."""
    return _chosen.get(_UNCHOSEN).settings


@contextmanager
def held(settings: Settings) -> Iterator[None]:
    """Fix the settings for a `with` block, whatever is added or removed meanwhile."""
    token = _chosen.set(_Current(settings))
    try:
        yield
    finally:
        _chosen.reset(token)


def add_rule(rule: Rule) -> Addition:
    """Add a rule, from the next compilation on. Raises RuleError if its name is taken or it would not lower the cost."""
    # Import on demand: calls of compiled code look up the settings and need no rules.
    from .checks import expect_falling_cost
    from .shipped import SHIPPED

    def extended(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        expect_falling_cost(rule, (*SHIPPED, *rules))
        return (*rules, rule)

    ADDITIONS.change(extended)
    return Addition(rule)


def add_hook(hook: Hook) -> Addition:
    """Add a hook, from the next compilation on, after the existing ones."""
    ADDITIONS.change(hooks=lambda hooks: (*hooks, hook))
    return Addition(hook)


def add_extension(extension: object) -> Addition:
    """Add an extension of the frontend, from the next trace on, after the existing ones."""
    ADDITIONS.change(extensions=lambda extensions: (*extensions, extension))
    return Addition(extension)


def all_rules() -> tuple[Rule, ...]:
    """The rules of the compiler and of users, enabled or not."""
    from .shipped import SHIPPED

    return (*SHIPPED, *current().rules)


def active_rules(device: str | None, only: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """The enabled rules of a target, users' rules first. Raises CompileError for a name in `only` that no rule has."""
    known = all_rules()
    for name in only:
        _expect_known(name, known)
    chosen = current().choice
    mine = (*current().rules, *(each for each in known if each not in current().rules))
    return tuple(each for each in mine if each.is_for(device) and chosen.admits(each.name) and (not only or each.name in only))


@contextmanager
def rewrites(enabled: bool = True, *, only: tuple[str, ...] | None = None, without: tuple[str, ...] = ()) -> Iterator[None]:
    """Choose the rewrite rules enabled inside a `with` block: none with `rewrites(False)`, those named with `only`, all except
    those named with `without`. Inside, functions are compiled under this choice; code compiled before is reused afterwards.

    Raises CompileError for a name that no rule has.
    """
    for name in (*(only or ()), *without):
        _expect_known(name, all_rules())
    chosen = None if only is None else tuple(only)
    with _choosing(current().choice._replace(enabled=enabled, only=chosen, without=tuple(without))):
        yield


@contextmanager
def precision(value: str) -> Iterator[None]:
    """Choose the precision of products of float32 matrices on GPUs inside a `with` block, with the meaning of
    `torch.set_float32_matmul_precision`: "highest" multiplies in float32; "high" rounds the factors to tf32, which has the
    range of float32 and 10 bits of mantissa. Sums are float32. Inside, functions are compiled under this choice. CPUs always
    multiply float32.

    Raises ValueError for another value.
    """
    if value not in PRECISIONS:
        raise ValueError(
            f"precision: expected one of {', '.join(PRECISIONS)}, got {value!r}{did_you_mean(str(value), PRECISIONS)}"
        )
    with _choosing(current().choice._replace(precision=value)):
        yield


@contextmanager
def choosing_backends(backends: Backends | None) -> Iterator[None]:
    """Choose the backends inside a `with` block: functions are compiled under this choice. None chooses those of the target."""
    with _choosing(current().choice._replace(backends=backends)):
        yield


@contextmanager
def _choosing(choice: Choice) -> Iterator[None]:
    token = _chosen.set(ADDITIONS.under(choice))
    try:
        yield
    finally:
        _chosen.reset(token)


def _expect_known(name: str, rules: tuple[Rule, ...]) -> None:
    names = [each.name for each in rules]
    if name not in names:
        raise CompileError(f"no rewrite rule is called '{name}'{did_you_mean(name, names)}")
