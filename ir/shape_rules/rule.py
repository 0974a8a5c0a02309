"""A shape rule: parsed once, inferred for any shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..diagnostics import Place, ShapeError, did_you_mean
from .grammar import BROADCAST, EQUAL, Grammar
from .inference import solve
from .parser import parse_rule
from .reports import Violations
from .sizes import Unification, shape_from, value_from, value_to
from .terms import Value, names_in


def nowhere() -> Place:
    """The location of errors in rules that do not belong to the user."""
    return None


class Inference(NamedTuple):
    """The result of inference for some shapes. `outputs` has the shape of each result, with sizes as integers, or as text if
    they are unknown. `aliases` has for each result the number of the argument whose memory it shares, or None. `bindings` has
    the values of all names, with the sizes that `~` stands for as a tuple.
    """

    outputs: list[tuple[int | str, ...]]
    aliases: list[int | None]
    bindings: dict[str, Any]


class ShapeRule:
    """The rule of an operation's shapes, such as `A[~ i j] B[~ j k] -> C[~ i k]`."""

    def __init__(self, grammar: Grammar, locate: Callable[[], Place] = nowhere):
        """`locate` gives the location of errors: the line of the user's program."""
        self.grammar, self.locate = grammar, locate
        self.names = frozenset({*grammar.symbols(), *(name.name for each in grammar.bindings for name in names_in(each.term))})
        self.aliases = tuple(self._alias(each.name) for each in grammar.outputs)

    @staticmethod
    def parse(text: str, locate: Callable[[], Place] = nowhere) -> ShapeRule:
        """Raises ShapeError, with the column of the offending token, for malformed text."""
        try:
            return ShapeRule(parse_rule(text), locate)
        except ShapeError as error:
            raise ShapeError(error.message, locate(), reports=error.reports) from None

    def infer(self, *shapes: Sequence[Any], **bindings: Any) -> Inference:
        """The shapes of the results for arguments of these shapes.

        Sizes are integers, or text such as "n" or "2 * n" if they are unknown. A number and a name are made equal: the number
        stands for the name from then on. Two different names are different sizes. `bindings` gives values to names of the rule:
        integers, text, or lists of these. Raises ShapeError with all violations in `reports`, TypeError for arguments that are
        not shapes.
        """
        try:
            names = [each.name or f"argument {number + 1}" for number, each in enumerate(self.grammar.inputs)]
            names += [f"argument {number + 1}" for number in range(len(names), len(shapes))]
            sizes = [shape_from(shape, name) for shape, name in zip(shapes, names, strict=False)]
            given = {name: self._given(name, value) for name, value in bindings.items()}
        except ShapeError as error:
            raise ShapeError(error.message, self.locate(), reports=error.reports or [error.message]) from None
        return self._inferred(sizes, given)

    def _inferred(self, sizes: Sequence[tuple[Any, ...]], given: dict[str, Value]) -> Inference:
        try:
            solved = solve(self.grammar, sizes, given, Unification())
        except Violations as violations:
            raise violations.error(self.locate()) from None
        outputs = [value_to(shape) for shape in solved.outputs]
        return Inference(outputs, list(self.aliases), {name: value_to(value) for name, value in solved.values.items()})

    def reversed(self) -> ShapeRule:
        """The rule of the backward pass, from the results to the arguments.

        Names that only arguments have are not determined by it: give it the forward rule's `bindings`.
        """
        return ShapeRule(Grammar(self.grammar.outputs, self.grammar.inputs, self.grammar.bindings), self.locate)

    def __str__(self) -> str:
        return str(self.grammar)

    def __repr__(self) -> str:
        return f"shape_rule({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeRule) and self.grammar == other.grammar

    def __hash__(self) -> int:
        return hash(self.grammar)

    def _alias(self, name: str | None) -> int | None:
        numbers = [number for number, each in enumerate(self.grammar.inputs) if each.name == name and name is not None]
        return numbers[0] if numbers else None

    def _given(self, name: str, value: Any) -> Value:
        if name not in (*self.names, EQUAL, BROADCAST):
            raise ShapeError(f"the rule has no name '{name}'{did_you_mean(name, self.names)}\n  rule: {self.grammar}")
        return value_from(value, f"'{name}'")
