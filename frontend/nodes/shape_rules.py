"""`sw.shape_rule`: the shape language for users."""

from __future__ import annotations

from ...ir.shape_rules.rule import ShapeRule
from ..tracing.source import SourceLocator


def shape_rule(text: str) -> ShapeRule:
    """Parse the rule of an operation's shapes.

        rule = sw.shape_rule("A[~ i j] B[~ j k] -> C[~ i k]")
        rule.infer((2, 3, 4), (2, 4, 9)).outputs       # [(2, 3, 9)]

    `ir/shape_rules/__init__.py` has the grammar, docs/shapes.md explains it. `rule.infer(*shapes, **bindings)` gives `outputs`,
    `aliases` and `bindings`; `rule.reversed()` is the rule of the backward pass. Raises ShapeError with the column of the
    offending token for malformed text; `infer` raises it with all violations in `reports`.
    """
    return ShapeRule.parse(text, SourceLocator().innermost)
