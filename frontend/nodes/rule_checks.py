"""Shape rules in traces: inference over the trace's sizes, with errors in the numbers of the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.diagnostics import ShapeError
from ...ir.index.expressions import Index, index
from ...ir.shape_rules.inference import Solved, solve
from ...ir.shape_rules.reports import Violations
from ...ir.shape_rules.rule import ShapeRule
from ...ir.shape_rules.sizes import Unification, value_from
from ...ir.shape_rules.terms import Value
from ...ir.types.shapes import Shape
from ..tracing.sizes import Size, SizeSolver
from ..tracing.tracer import Tracer


class TracedSizes:
    """Sizes in a trace: two are equal if the trace's solver can make them equal."""

    def __init__(self, solver: SizeSolver):
        self.solver = solver

    def unify(self, left: Index, right: Index) -> bool:
        return self.solver.unify(left, right)

    def resolve(self, size: Index) -> Index:
        return self.solver.resolve(size)


def infer(rule: ShapeRule, name: str, shapes: Sequence[Shape], options: Mapping[str, Any], tracer: Tracer) -> Solved:
    """The inference of a rule for the arguments of a call. `options` gives values to names of the rule. Raises ShapeError with
    all violations, at the user's line, and with numbers for sizes that the first call has."""
    given = {name: _value(value, name, tracer) for name, value in options.items() if name in rule.names}
    try:
        return solve(rule.grammar, shapes, given, TracedSizes(tracer.sizes))
    except Violations as violations:
        raise _in_numbers(rule, shapes, given, tracer, violations).error(tracer.user_location(), f"'{name}'") from None


def _in_numbers(
    rule: ShapeRule, shapes: Sequence[Shape], given: Mapping[str, Value], tracer: Tracer, violations: Violations
) -> Violations:
    """The violations with the numbers of the first call, if there is one."""

    def number(size: Index) -> Index:
        hint = tracer.sizes.hint_of(tracer.sizes.resolve(size))
        return index(hint) if hint is not None else size

    known = {name: tuple(map(number, each)) if isinstance(each, tuple) else number(each) for name, each in given.items()}
    try:
        solve(rule.grammar, [tuple(map(number, shape)) for shape in shapes], known, Unification())
    except Violations as numbers:
        return numbers
    return violations


def _value(value: Any, name: str, tracer: Tracer) -> Value:
    def plain(each: Any) -> Any:
        return each.index if isinstance(each, Size) else each

    try:
        return value_from([plain(each) for each in value] if isinstance(value, list | tuple) else plain(value), f"'{name}'")
    except (ShapeError, TypeError) as error:
        message = error.message if isinstance(error, ShapeError) else str(error)
        raise tracer.error(message, reports=[message]) from None
