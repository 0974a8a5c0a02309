"""`sw.rewrite_rule`, `sw.on_finalize`: what users add to the compiler.

A rule is written as text, or as functions of placeholders, which are traced: both sides become micro-ops, and these terms. The
trace is in float64, so that numbers keep their digits; a rule fires on all dtypes of its kinds.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects import make_context, uop
from ..dialects.uop.folds import ARG_REDUCTIONS
from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.functions.entry import entry_function
from ..ir.locations import frames
from ..ir.scalars.attributes import value_of
from ..ir.types.shapes import shape_of
from ..lowering import all_passes
from ..lowering.pipelines import MICRO_OPS, PIPELINES
from ..passes.manager.pass_manager import PassManager
from ..passes.rules.rule import Condition, Rule, rule
from ..passes.rules.settings import HOOKED, RULED, Addition, Hook, add_hook, add_rule, all_rules
from ..passes.rules.terms import Call, Number, Reduction, RuleError, Term, Variable, is_reduced
from ..runtime.executable import check_target
from .traced import trace
from .tracing.specs import Spec

Side = Callable[..., Any]


def rewrite_rule(
    name: str,
    pattern: str | Side | None = None,
    replacement: Side | None = None,
    *,
    tag: str,
    where: Mapping[str, Condition] | None = None,
    device: str | None = None,
    kinds: Sequence[str] = ("float",),
) -> Any:
    """Add a rewrite rule, from the next compile on: as text, as two functions, or as a decorator of one that gives both sides.

        sw.rewrite_rule("log1p", "log(1 + x) -> log1p(x)", tag="stabilising")

        @sw.rewrite_rule("log1p", tag="stabilising")
        def log1p(x):
            return sw.log(1 + x), sw.log1p(x)

    Variables in capital letters stand for constants. `where` has conditions by the names of the variables that they look at
    (`"x"`, or `"x, C"`), called with an argument's `dtype`, `shape`, `constant`, `range`, `function` and `operands`. `device`
    is the one target that the rule is for, "cpu" or "cuda", which stands for "triton-interpret" too. `kinds` are those of the
    dtypes that it is for, among float, int, uint and bool.
    `tag` says whether the rule gives the same bits ("exact") or is equal in real numbers and closer to them ("stabilising").

    Gives an object with `remove()`, which is a context manager as well. Raises RuleError for a rule that does not lower the
    cost, for a name that is taken, and for what a rule cannot express; CompileError for a target without rules of its own.
    """
    if not isinstance(name, str) or not name:
        raise RuleError(f"expected a name for the rule, got {name!r}")
    if device not in (None, *RULED):
        check_target(device)
        raise CompileError(f"target '{device}' has no rewrite rules of its own (those that have are {', '.join(RULED)})")

    def declare(left: str | Side, right: Side | None) -> Addition:
        rest: dict[str, Any] = {"where": dict(where or {}), "device": device, "kinds": tuple(kinds)}
        if isinstance(left, str):
            return add_rule(rule(name, left, tag, **rest))
        sides = _traced(name, left, 2 if right is None else 1)
        if right is not None:
            sides += _traced(name, right, 1)
        return add_rule(Rule(name, sides[0], sides[1], tag, **rest))

    if pattern is None:
        return lambda function: declare(function, None)
    return declare(pattern, replacement)


def rewrite_rules() -> tuple[Rule, ...]:
    """All rewrite rules, those of the compiler and those that were added; their `name`, `tag`, and as text what they do."""
    return all_rules()


@overload
def on_finalize(device: str, function: None = None, *, level: str | None = None) -> Callable[[Side], Addition]: ...
@overload
def on_finalize(device: str, function: Side, *, level: str | None = None) -> Addition: ...
def on_finalize(device: str, function: Side | None = None, *, level: str | None = None) -> Any:
    """Have a function change every program for a target before code is emitted; also as a decorator, `@sw.on_finalize("cpu")`.

    It is called with the module, forward and backward, as it is on a level of the target, by default on the last, and changes
    it in place. Hooks run in the order in which they were added. Compiled functions are compiled anew. Hooks for "cuda" run for
    "triton-interpret" too.

    Gives an object with `remove()`, which is a context manager as well. Raises ValueError for a target or a level that there is
    not, TypeError for what is no function.
    """
    if device not in HOOKED:
        raise ValueError(f"no target '{device}' has hooks{did_you_mean(device, HOOKED)} (those are {', '.join(HOOKED)})")
    levels = [stage.level for stage in PIPELINES[device][1:]]
    where = level if level is not None else levels[-1]
    if where not in levels:
        raise ValueError(f"target '{device}' has no level '{where}'{did_you_mean(where, levels)} (expected one of {levels})")

    def declare(found: Side) -> Addition:
        if not callable(found):
            raise TypeError(f"on_finalize: expected a function of the module, got {found!r}")
        return add_hook(Hook(getattr(found, "__name__", type(found).__name__), device, where, found))

    return declare if function is None else declare(function)


def _traced(name: str, side: Side, count: int) -> list[Term]:
    """The terms that a function of placeholders gives, of which there must be `count`."""
    names = list(inspect.signature(side).parameters)
    traced = trace(side, [Spec(("n",), "float64")] * len(names), {})
    context = make_context()
    PassManager.parse(",".join(MICRO_OPS), context, all_passes()).run(traced.module)
    block = entry_function(traced.module).body.block
    reader = _Reader(name, dict(zip(block.args, map(Variable, names), strict=True)))
    for op in block.ops:
        if isinstance(op, ReturnOp):
            return reader.results(op, count)
        reader.read(op)
    raise AssertionError("a traced function returns")


class _Reader:
    """From micro-ops on arrays of one axis to terms. A reduction takes the axis; `keepdims` and broadcasting need no term."""

    def __init__(self, name: str, terms: Mapping[SSAValue, Term]):
        self.name = name
        self.terms: dict[SSAValue, Term] = dict(terms)

    def read(self, op: Operation) -> None:
        self.terms[op.results[0]] = self.term(op)

    def results(self, end: ReturnOp, count: int) -> list[Term]:
        if len(end.operands) != count:
            wanted = "the pattern and the replacement" if count > 1 else "one tensor"
            raise RuleError(f"rule '{self.name}': expected {wanted}, got {len(end.operands)} tensors", end.location)
        return [self.terms[value] for value in end.operands]

    def term(self, op: Operation) -> Term:
        match op:
            case uop.ConstantOp() if not isinstance(op.value, DenseIntOrFPElementsAttr):
                return Number(_shortest(value_of(op.value)))
            case uop.MapOp():
                return Call(op.function.data, tuple(self.terms[value] for value in op.inputs))
            case uop.ReduceOp() if op.accumulator.data not in ARG_REDUCTIONS:
                return Reduction(op.accumulator.data, self.terms[op.input])
            case uop.ReindexOp() if op.fill is None and not op.indices and self._only_spreads(op):
                return self.terms[op.source]
        file = f" in {frames(op.location)[0].file}" if frames(op.location) else ""
        expected = "functions of elements, numbers, reductions and what broadcasting does"
        raise RuleError(f"rule '{self.name}': expected {expected}, got '{op.name}'{file}", op.location)

    def _only_spreads(self, op: uop.ReindexOp) -> bool:
        """Whether elements that lack the axis get it, or lose one of size 1."""
        term = self.terms[op.source]
        return is_reduced(term) or isinstance(term, Number) or len(shape_of(op.source)) == 0


def _shortest(value: float | int | bool) -> float | int | bool:
    """A whole number as it is in text; -0.0 is none."""
    return int(value) if isinstance(value, float) and value.is_integer() and str(value) != "-0.0" else value
