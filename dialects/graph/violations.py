"""The errors of shape rules' violations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.shape_rules.grammar import Grammar, Shape
from ...ir.shape_rules.inference import solve
from ...ir.shape_rules.reports import Violations
from ...ir.shape_rules.sizes import Rigid
from ...ir.types.shapes import format_shape
from .mismatch import SizeMismatch


def error_of(grammar: Grammar, shapes: Sequence[Shape], given: Mapping[str, Index], broadcast: bool) -> VerifyException:
    """The error for shapes that do not fit a rule: SizeMismatch if all of its violations are sizes that differ."""
    try:
        solve(grammar, shapes, given, Rigid())
    except Violations as violations:
        return _error(violations, broadcast)
    raise AssertionError(f"the shapes fit the rule: {grammar}")


def _error(violations: Violations, broadcast: bool) -> VerifyException:
    reports = violations.reports()
    names = [each.name or f"argument {number + 1}" for number, each in enumerate(violations.grammar.inputs)]
    shapes = ", ".join(f"{name} {format_shape(shape)}" for name, shape in zip(names, violations.shapes, strict=False))
    message = f"{'; '.join(reports)} (rule: {violations.grammar}; inputs: {shapes})"
    pairs = [(each.left, each.right, broadcast or each.broadcasts) for each in violations.found]
    known = tuple((left, right, either) for left, right, either in pairs if left is not None and right is not None)
    if not known or len(known) < len(pairs):
        return VerifyException(message)
    error = SizeMismatch(message, *known[0])
    error.pairs, error.reports = known, tuple(reports)
    return error
