"""The compiled code of a jitted function: variants by the assumptions on the sizes of their arguments."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...passes.rules.settings import Settings
from ...runtime.cpu.warm_calls import WarmCalls
from ...runtime.executable import Executable
from ...runtime.triton.direct_calls import DirectCalls
from ..tracing.sizes import Constraint, size_prefix
from ..tracing.trees import Tree
from .varying_numbers import NumberArguments


class Variant(NamedTuple):
    """Compiled code for arguments of one structure, dtypes and ranks, with its assumptions about their sizes, and the window
    sizes that are constants in it."""

    executable: Executable
    constraints: list[Constraint]
    windows: list[Constraint]
    out_tree: Tree
    captured: list[Any]

    def fits(self, sizes: Sequence[int], params: Mapping[str, int]) -> bool:
        """Whether the sizes of a call's arguments, axis by axis, and its `$params` meet the assumptions."""
        if not self.constraints and not self.windows:
            return True
        return self.broken(sizes, params) is None and _first_broken(self.windows, sizes, params) is None

    def broken(self, sizes: Sequence[int], params: Mapping[str, int]) -> Constraint | None:
        """The first assumption, other than on windows, that a call breaks."""
        return _first_broken(self.constraints, sizes, params)


def _first_broken(constraints: Sequence[Constraint], sizes: Sequence[int], params: Mapping[str, int]) -> Constraint | None:
    prefix = size_prefix(params) if params else "s"
    values = {**{f"{prefix}{number}": size for number, size in enumerate(sizes)}, **params}
    return next((constraint for constraint in constraints if not constraint.holds(values)), None)


class Fit(NamedTuple):
    """The sizes and `$params` of a call, and the code that ran it."""

    sizes: Sequence[int]
    params: Mapping[str, int]
    variant: Variant


@dataclass(frozen=True)
class Compiled:
    """The code of a function under one group of settings, the variant that ran the last call of each kind, and the calls that a
    native fast path repeats."""

    settings: Settings
    variants: dict[Hashable, list[Variant]] = field(default_factory=dict[Hashable, list[Variant]])
    last: dict[Hashable, Fit] = field(default_factory=dict[Hashable, Fit])
    warm: WarmCalls = field(default_factory=WarmCalls)
    numbers: NumberArguments = field(default_factory=NumberArguments)
    direct: DirectCalls = field(default_factory=DirectCalls)

    def fitting(self, key: Hashable, sizes: Sequence[int], params: Mapping[str, int]) -> Variant | None:
        """The code for a call of these sizes; None if there is none."""
        last = self.last.get(key)
        if last is not None and last.sizes == sizes and last.params == params:
            return last.variant  # a training step has many sizes, which are the same in each call
        found = next((variant for variant in self.variants.get(key, ()) if variant.fits(sizes, params)), None)
        if found is not None:
            self.last[key] = Fit(sizes, params, found)
        return found
