"""Rewrite rules: a pattern, a replacement and conditions, with the cost that every rule must lower.

The cost of a program is a pair, compared lexicographically: the number of weak spots, which are matches of the patterns of
stabilising rules, and the work, the prices of its operations in additions. A rule that does not lower the cost of the code that
it replaces is rejected, so that rewriting terminates.
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
    """The tensor bound to a variable, as conditions see it."""

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
        """The value of a splat constant; None if the elements differ or are unknown."""
        owner = self.value.owner
        if isinstance(owner, uop.ConstantOp) and not isinstance(owner.value, DenseIntOrFPElementsAttr):
            return value_of(owner.value)
        return None

    @property
    def range(self) -> Range:
        """The known range of the elements."""
        return range_of(self.value)

    @property
    def function(self) -> str | None:
        """The scalar function that defines the tensor; None if no scalar function does."""
        owner = self.value.owner
        return owner.function.data if isinstance(owner, uop.MapOp) else None

    @property
    def operands(self) -> tuple[Argument, ...]:
        """The operands of the operation that defines the tensor; empty for an argument of the program."""
        return tuple(map(Argument, self.value.owner.operands)) if isinstance(self.value.owner, Operation) else ()

    @property
    def is_repeated(self) -> bool:
        """Whether the elements are elements of another tensor, read through an index map."""
        return isinstance(self.value.owner, uop.ReindexOp)


Condition = Callable[..., bool]


@dataclass(frozen=True, eq=False)
class Rule:
    """A pattern and its replacement.

    `where` maps variables, `"x"` or `"x, C"`, to a condition on them. `device` is the one target that the rule is for, None for
    all. `kinds` are the kinds of dtypes that the variables may have. An exact rule gives the same bits; a stabilising one is
    equal in real numbers and more accurate in floats.
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
        """The height of the pattern, in operations."""
        return depth_of(self.pattern)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The variables used as conditions: these are bools, whatever the dtype of the other variables."""
        return conditions_of(self.pattern)

    def admits(self, arguments: Mapping[str, SSAValue]) -> bool:
        """Whether tensors for the variables meet the conditions. Raises RuleError if a condition raises."""
        found = {name: Argument(value) for name, value in arguments.items()}
        if not all(each.dtype.kind in self.kinds for name, each in found.items() if name not in self.conditions):
            return False
        return all(self._holds(names, [found[name] for name in _names(names)]) for names in self.where)

    def _holds(self, names: str, arguments: Sequence[Argument]) -> bool:
        """Whether the condition on some variables holds. Raises RuleError if the condition raises."""
        condition = self.where[names]
        try:
            return bool(condition(*arguments))
        except CompileError:
            raise
        except Exception as error:
            # The function is the user's: name the rule and the condition, whatever it raises.
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
    """The cost of a program: weak spots first, then work."""

    weak: int
    work: int

    def __str__(self) -> str:
        return f"{self.weak} weak spots and {self.work} additions"


def work_of(op: Operation) -> int:
    """The price of an operation in additions: its scalar function, plus one for the traversal of the data or registers.
    Constants and index maps are free, as they fold into their readers."""
    match op:
        case uop.MapOp():
            return 1 + scalar(op.function.data).cost
        case uop.ConstantOp() | uop.ReindexOp():
            return 0
        case uop.ReduceOp() if op.accumulator.data not in ARG_REDUCTIONS:
            return 1 + scalar(op.accumulator.data).cost
    return 1


def root_of(term: Call | Reduction) -> tuple[str, str]:
    """The key of a pattern's root operation."""
    return ("map", term.function) if isinstance(term, Call) else ("reduce", term.accumulator)


def root_key(op: Operation) -> tuple[str, str] | None:
    """The same key of an operation; None for one at which no pattern is rooted."""
    if isinstance(op, uop.MapOp):
        return "map", op.function.data
    return ("reduce", op.accumulator.data) if isinstance(op, uop.ReduceOp) else None


def by_root(rules: Sequence[Rule]) -> dict[tuple[str, str], list[Rule]]:
    """Rules by their root keys, each list in the order given."""
    found: dict[tuple[str, str], list[Rule]] = {}
    for each in rules:
        assert isinstance(each.pattern, Call | Reduction), "a pattern has a function"
        found.setdefault(root_of(each.pattern), []).append(each)
    return found


def _names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]
