"""Violations of a shape rule, and the error that lists all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..diagnostics import Place, ShapeError
from ..index.expressions import Index
from .grammar import BROADCAST, ArrayPattern, Grammar
from .sizes import shape_text
from .terms import Value


class Report(str):
    """One violation, as text. `symbol` is the name or `~` concerned, None for ranks and counts. `expected` and `got` are texts
    of sizes. `arguments` has the numbers of the arguments that do not fit; `suggestion` says which ones would."""

    symbol: str | None
    expected: str
    got: str
    arguments: tuple[int, ...]
    suggestion: str

    @staticmethod
    def of(violation: Violation, suggestion: str) -> Report:
        made = Report(violation.message + (f": {suggestion}" if suggestion else ""))
        made.symbol, made.expected, made.got = violation.symbol, violation.expected, violation.got
        made.arguments, made.suggestion = tuple(violation.arguments), suggestion
        return made


@dataclass
class Violation:
    """One violation. `left` and `right` are the two sizes that should be equal, if it is about two sizes."""

    message: str
    symbol: str | None = None
    expected: str = ""
    got: str = ""
    arguments: list[int] = field(default_factory=list[int])
    suggestion: str = ""
    left: Index | None = None
    right: Index | None = None

    @property
    def broadcasts(self) -> bool:
        """Whether it would suffice that one of the two sizes is 1."""
        return self.symbol == BROADCAST


class Violations(Exception):
    """All violations of a rule by some shapes, with the shapes that the rule expects and predicts."""

    def __init__(
        self,
        grammar: Grammar,
        shapes: Sequence[Sequence[Index]],
        found: Sequence[Violation],
        expected: Sequence[Sequence[Index | None] | None],
        outputs: Sequence[Sequence[Index | None] | None],
    ):
        super().__init__("the shapes do not fit the rule")
        self.grammar, self.shapes, self.found, self.expected, self.outputs = grammar, shapes, found, expected, outputs

    def reports(self) -> list[Report]:
        """One report a violation, with a suggestion for each argument concerned."""
        return [Report.of(each, self._suggestion(each)) for each in self.found]

    def error(self, location: Place = None, what: str = "") -> ShapeError:
        """The error for a user: the rule, the inputs, the predicted outputs, and all violations."""
        reports = self.reports()
        names = [name_of(self.grammar.inputs, k, "argument") for k in range(len(self.shapes))]
        inputs = [f"{name} {shape_text(shape)}" for name, shape in zip(names, self.shapes, strict=True)]
        outputs = [
            f"{name_of(self.grammar.outputs, k, 'result')} {'(...)' if shape is None else shape_text(shape)}"
            for k, shape in enumerate(self.outputs)
        ]
        lines = [
            f"{what}: the shapes do not fit the rule" if what else "the shapes do not fit the rule",
            f"  rule: {self.grammar}",
            f"  inputs: {', '.join(inputs) or 'none'}",
            f"  predicted outputs: {', '.join(outputs) or 'none'}",
            *(f"  {number}. {report}" for number, report in enumerate(reports, start=1)),
        ]
        return ShapeError("\n".join(lines), location, reports=reports)

    def _suggestion(self, violation: Violation) -> str:
        if violation.suggestion:
            return violation.suggestion
        wanted = [
            f"{name_of(self.grammar.inputs, k, 'argument')} of shape {shape_text(shape)}"
            for k in violation.arguments
            if k < len(self.expected) and (shape := self.expected[k]) is not None
        ]
        return f"expected {' and '.join(wanted)}" if wanted else ""


def name_of(arrays: Sequence[ArrayPattern], number: int, what: str) -> str:
    """The name of an array in a message; `argument 1` for one without a name."""
    name = arrays[number].name if number < len(arrays) else None
    return name if name is not None else f"{what} {number + 1}"


def value_text(value: Value) -> str:
    """The text of the value of a name."""
    return shape_text(value) if isinstance(value, tuple) else shape_text((value,))[1:-2]
