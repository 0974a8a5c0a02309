"""Shape rules of operations, written in the shape language (`ir/shape_rules/`), and their violations as errors of the verifier.

A rule names each axis, so that operations on axes by number have a rule for each rank: `a0 a1 a2` are the axes of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from ...ir.index.expressions import Index, IndexLike, index
from ...ir.shape_rules.quick import quick_rule
from ...ir.types.shapes import Shape

NOTHING: Mapping[str, Index] = MappingProxyType({})


def results(
    rule: str, shapes: Sequence[Shape], given: Mapping[str, Index] = NOTHING, broadcast: bool = False
) -> tuple[Shape, ...]:
    """The shapes of the results of a rule. `given` gives values to names of the rule. Raises SizeMismatch for sizes that are
    not known to be equal, with `broadcast` if it would suffice that one of them is 1, and VerifyException for all other
    violations.
    """
    quick = quick_rule(rule)
    found = quick.results(shapes, given)
    if found is not None:
        return found
    # Imported here: only errors need it.
    from .violations import error_of

    raise error_of(quick.grammar, shapes, given, broadcast)


def result(rule: str, shapes: Sequence[Shape], given: Mapping[str, Index] = NOTHING, broadcast: bool = False) -> Shape:
    """The shape of the only result of a rule. Raises as `results`."""
    return results(rule, shapes, given, broadcast)[0]


def numbered(prefix: str, values: Iterable[IndexLike]) -> dict[str, Index]:
    """Values for the names `prefix0`, `prefix1`, ..."""
    return {f"{prefix}{number}": index(value) for number, value in enumerate(values)}


@lru_cache(maxsize=1 << 10)
def axis_names(prefix: str, count: int) -> tuple[str, ...]:
    """The names of axes."""
    return tuple(f"{prefix}{number}" for number in range(count))


def array(name: str, subscripts: Iterable[str]) -> str:
    """An array of a rule: `name[a0 a1]`."""
    return f"{name}[{' '.join(subscripts)}]"


def broadcasting(count: int) -> str:
    """The rule of `count` arrays that broadcast."""
    return _BROADCASTING[count] if count < len(_BROADCASTING) else f"{'[...] ' * count}-> [...]"


_BROADCASTING = tuple(f"{'[...] ' * count}-> [...]" for count in range(5))
