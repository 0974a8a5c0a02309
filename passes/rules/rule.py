"""Rewrite rules: what they are, and when one may be declared.

The cost of a program is a pair, compared from the left: how many weak spots it has, which are the places where the pattern of a
stabilising rule matches, and its work, the prices of its operations in additions. Every rule lowers the cost of what it
replaces, or it is refused; so rules come to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from ...dialects import uop
from ...dialects.uop.folds import ARG_REDUCTIONS
from ...ir.diagnostics import CompileError
from ...ir.locations import function_location
from ...ir.scalars.attributes import value_of
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import Shape, element_of, shape_of
from ..analysis.value_ranges import Range, range_of
from .terms import (
    Call,
    Reduction,
    RuleError,
    Term,
    conditions_of,
    depth_of,
    fits_anywhere,
    is_reduced,
    parse_term,
    parts,
    variables_of,
)

EXACT = "exact"
STABILISING = "stabilising"
TAGS = (EXACT, STABILISING)
KINDS = ("float", "int", "uint", "bool")
NUMBERS = ("float", "int", "uint")


@dataclass(frozen=True)
class Argument:
    """What a condition sees of the tensor that a variable stands for."""

    value: SSAValue

    @property
    def dtype(self) -> DType:
        return dtype_of(element_of(self.value))

    @property
    def shape(self) -> Shape:
        """The sizes, as index expressions."""
        return shape_of(self.value)

    @property
    def constant(self) -> Any:
        """The number that all elements are; None where they differ or are not known."""
        owner = self.value.owner
        if isinstance(owner, uop.ConstantOp) and not isinstance(owner.value, DenseIntOrFPElementsAttr):
            return value_of(owner.value)
        return None

    @property
    def range(self) -> Range:
        """What is known of the elements."""
        return range_of(self.value)

    @property
    def function(self) -> str | None:
        """The scalar function that gives the tensor; None where it is no such result."""
        owner = self.value.owner
        return owner.function.data if isinstance(owner, uop.MapOp) else None

    @property
    def operands(self) -> tuple[Argument, ...]:
        """What the operation that gives the tensor takes; nothing for an argument of the program."""
        return tuple(map(Argument, self.value.owner.operands)) if isinstance(self.value.owner, Operation) else ()

    @property
    def is_repeated(self) -> bool:
        """Whether the elements are those of another tensor, read at other indices."""
        return isinstance(self.value.owner, uop.ReindexOp)


Condition = Callable[..., bool]


@dataclass(frozen=True, eq=False)
class Rule:
    """A pattern, and what takes its place.

    `where` has conditions by the names of the variables that they look at, `"x"` or `"x, C"`. `device` is the one target that
    the rule is for, None for all. `kinds` are the kinds of dtypes that the variables may have. An exact rule gives the same
    bits; a stabilising one is equal in real numbers and closer to them in floats.
    """

    name: str
    pattern: Term
    replacement: Term
    tag: str
    where: Mapping[str, Condition] = field(default_factory=dict[str, Condition])
    device: str | None = None
    kinds: tuple[str, ...] = ("float",)
    text: str = ""

    def __post_init__(self):
        if self.tag not in TAGS:
            raise RuleError(f"rule '{self.name}': expected one of the tags {', '.join(TAGS)}, got '{self.tag}'")
        if not self.kinds or not set(self.kinds) <= set(KINDS):
            raise RuleError(f"rule '{self.name}': expected kinds among {', '.join(KINDS)}, got {self.kinds}")
        if not isinstance(self.pattern, Call | Reduction):
            raise RuleError(f"rule '{self.name}': expected a pattern with a function, got '{self.pattern}'")
        known = variables_of(self.pattern)
        asked = [name for names in self.where for name in _names(names)]
        for name in (*variables_of(self.replacement), *asked):
            if name not in known:
                raise RuleError(f"rule '{self.name}': the pattern has no '{name}' (its variables are {', '.join(known)})")
        reductions = any(isinstance(each, Reduction) for each in parts(self.pattern))
        if any(isinstance(each, Reduction) for each in parts(self.replacement)) and not reductions:
            raise RuleError(f"rule '{self.name}': the replacement reduces, over axes that the pattern does not have")
        if not fits_anywhere(self.replacement) and is_reduced(self.replacement) != is_reduced(self.pattern):
            raise RuleError(f"rule '{self.name}': pattern and replacement have different axes")

    @cached_property
    def depth(self) -> int:
        """How many operations of the pattern lie above each other."""
        return depth_of(self.pattern)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The variables that are bools, whatever the others are."""
        return conditions_of(self.pattern)

    def admits(self, arguments: Mapping[str, SSAValue]) -> bool:
        """Whether tensors for the variables meet the conditions. Raises RuleError where one of these raises."""
        found = {name: Argument(value) for name, value in arguments.items()}
        if not all(each.dtype.kind in self.kinds for name, each in found.items() if name not in self.conditions):
            return False
        return all(self._holds(names, [found[name] for name in _names(names)]) for names in self.where)

    def _holds(self, names: str, arguments: Sequence[Argument]) -> bool:
        """Whether the condition on some variables holds. Raises RuleError for what it raises."""
        condition = self.where[names]
        try:
            return bool(condition(*arguments))
        except CompileError:
            raise
        except Exception as error:
            # The function is the user's: whatever it raises, the user is told which one it was.
            message = f"rule '{self.name}': the condition on '{names}' raised {type(error).__name__}: {error}"
            raise RuleError(message, function_location(condition)) from error

    def is_for(self, device: str | None) -> bool:
        return self.device is None or self.device == device

    def __str__(self) -> str:
        return self.text or f"{self.pattern} -> {self.replacement}"


def rule(name: str, text: str, tag: str, **rest: Any) -> Rule:
    """The rule that `text` spells, as `log(1 + x) -> log1p(x)`. Raises RuleError."""
    pattern, arrow, replacement = text.partition("->")
    if not arrow:
        raise RuleError(f"rule '{name}': expected 'pattern -> replacement', got '{text}'")
    return Rule(name, parse_term(pattern.strip(), name), parse_term(replacement.strip(), name), tag, text=text, **rest)


class Cost(NamedTuple):
    """What a program costs, weak spots first."""

    weak: int
    work: int

    def __str__(self) -> str:
        return f"{self.weak} weak spots and {self.work} additions"


def work_of(op: Operation) -> int:
    """The price of an operation: what the scalar function costs and one for its pass over the data, or over registers.
    Constants and index maps disappear into what reads them."""
    match op:
        case uop.MapOp():
            return 1 + scalar(op.function.data).cost
        case uop.ConstantOp() | uop.ReindexOp():
            return 0
        case uop.ReduceOp() if op.accumulator.data not in ARG_REDUCTIONS:
            return 1 + scalar(op.accumulator.data).cost
    return 1


def root_of(term: Call | Reduction) -> tuple[str, str]:
    """What the operation at the root of a pattern is told by."""
    return ("map", term.function) if isinstance(term, Call) else ("reduce", term.accumulator)


def root_key(op: Operation) -> tuple[str, str] | None:
    """The same of an operation; None for one that no pattern starts with."""
    if isinstance(op, uop.MapOp):
        return "map", op.function.data
    return ("reduce", op.accumulator.data) if isinstance(op, uop.ReduceOp) else None


def by_root(rules: Sequence[Rule]) -> dict[tuple[str, str], list[Rule]]:
    """Rules by what their patterns start with, each list in the order given."""
    found: dict[tuple[str, str], list[Rule]] = {}
    for each in rules:
        assert isinstance(each.pattern, Call | Reduction), "a pattern has a function"
        found.setdefault(root_of(each.pattern), []).append(each)
    return found


def _names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]
