"""Shape rules of operations, written in the shape language (`ir/shape_rules/`), and their violations as errors of the verifier.

A rule names each axis, so that operations on axes by number have one for each rank: `a0 a1 a2` are the axes of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, IndexLike, index
from ...ir.shape_rules.quick import quick_rule
from ...ir.shape_rules.reports import Violations
from ...ir.types.shapes import Shape

NOTHING: Mapping[str, Index] = MappingProxyType({})


class SizeMismatch(VerifyException):
    """Sizes that must be equal and are not known to be.

    The builder of the graph may know more about the sizes than their expressions do: it can make those of each pair equal and
    try again. With `broadcast`, it is also sufficient that one of them is 1. `reports` lists the violations of a shape rule.
    """

    def __init__(self, message: str, left: Index, right: Index, broadcast: bool = False):
        super().__init__(message)
        self.left, self.right, self.broadcast = left, right, broadcast
        self.pairs: tuple[tuple[Index, Index, bool], ...] = ((left, right, broadcast),)
        self.reports: tuple[str, ...] = ()


def results(
    rule: str, shapes: Sequence[Shape], given: Mapping[str, Index] = NOTHING, broadcast: bool = False
) -> tuple[Shape, ...]:
    """The shapes of the results of a rule. `given` gives names of it values.

    Raises SizeMismatch for sizes that are not known to be equal, with `broadcast` where it would be sufficient that one of them
    is 1, and VerifyException for all other violations.
    """
    try:
        return quick_rule(rule).outputs(shapes, given)
    except Violations as violations:
        raise _error(violations, broadcast) from None


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


def _error(violations: Violations, broadcast: bool) -> VerifyException:
    reports = violations.reports()
    names = [each.name or f"argument {number + 1}" for number, each in enumerate(violations.grammar.inputs)]
    shapes = ", ".join(f"{name} {_text(shape)}" for name, shape in zip(names, violations.shapes, strict=False))
    message = f"{'; '.join(reports)} (rule: {violations.grammar}; inputs: {shapes})"
    pairs = [(each.left, each.right, broadcast or each.broadcasts) for each in violations.found]
    known = tuple((left, right, either) for left, right, either in pairs if left is not None and right is not None)
    if not known or len(known) < len(pairs):
        return VerifyException(message)
    error = SizeMismatch(message, *known[0])
    error.pairs, error.reports = known, tuple(reports)
    return error


def _text(shape: Sequence[Index]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
