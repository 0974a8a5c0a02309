"""`sw.rewrite_rule`, `sw.on_finalize`: extensions of the compiler by users.

A rule is given as text, or as functions of placeholders. These are traced, and both sides become micro-ops, then terms. The
trace is in float64, to keep all digits of numbers; a rule fires on all dtypes of its kinds.
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
from ..lowering.pipelines import MICRO_OPS, TARGETS
from ..passes.manager.pass_manager import PassManager
from ..passes.rules.rule import Condition, Rule, rule
from ..passes.rules.settings import HOOKED, RULED, Addition, Hook, add_hook, add_rule, all_rules
from ..passes.rules.terms import Call, Number, Reduction, RuleError, Term, Variable, is_reduced
from ..runtime.executable import check_target
from .calls.traced import trace
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
    """Add a rewrite rule for all later compiles: as text, as two functions, or as a decorator of a function that returns both
    sides.

        sw.rewrite_rule("log1p", "log(1 + x) -> log1p(x)", tag="stabilising")

        @sw.rewrite_rule("log1p", tag="stabilising")
        def log1p(x):
            return sw.log(1 + x), sw.log1p(x)

    Variables in capital letters match constants only. `where` maps names of variables (`"x"`, or `"x, C"`) to conditions, which
    are called with these variables' matches: objects with `dtype`, `shape`, `constant`, `range`, `function` and `operands`.
    `device` limits the rule to one target, "cpu" or "cuda" (which includes "triton-interpret"); `kinds` limits it to dtypes of
    these kinds, among float, int, uint and bool. `tag` says whether the rule preserves all bits ("exact"), or is equal in real
    numbers and rounds less ("stabilising").

    Returns an object with `remove()`, which is also a context manager. Raises RuleError for a rule that does not lower the
    cost, a name that is taken, and anything that a rule cannot express; CompileError for a target without rewrite rules.
    """
    if not isinstance(name, str) or not name:
        raise RuleError(f"expected a name for the rule, got {name!r}")
    if device not in (None, *RULED):
        check_target(device)
        raise CompileError(f"target '{device}' has no rewrite rules of its own (targets with rules are {', '.join(RULED)})")

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
    """All rewrite rules, built in and added, with `name`, `tag` and their text."""
    return all_rules()


@overload
def on_finalize(device: str, function: None = None, *, level: str | None = None) -> Callable[[Side], Addition]: ...
@overload
def on_finalize(device: str, function: Side, *, level: str | None = None) -> Addition: ...
def on_finalize(device: str, function: Side | None = None, *, level: str | None = None) -> Any:
    """Register a function that modifies every program for a target before code is emitted; also as a decorator,
    `@sw.on_finalize("cpu")`.

    It is called with the module, of forward and backward passes, on a level of the target, by default the last one, and
    modifies it in place. Hooks run in the order of registration. Compiled functions are recompiled. Hooks for "cuda" also run
    for "triton-interpret".

    Returns an object with `remove()`, which is also a context manager. Raises ValueError for an unknown target or level,
    TypeError unless `function` is callable.
    """
    if device not in HOOKED:
        raise ValueError(
            f"no target '{device}' has hooks{did_you_mean(device, HOOKED)} (targets with hooks are {', '.join(HOOKED)})"
        )
    levels = [stage.level for stage in TARGETS[device].stages[1:]]
    where = level if level is not None else levels[-1]
    if where not in levels:
        raise ValueError(f"target '{device}' has no level '{where}'{did_you_mean(where, levels)} (expected one of {levels})")

    def declare(found: Side) -> Addition:
        if not callable(found):
            raise TypeError(f"on_finalize: expected a function of the module, got {found!r}")
        return add_hook(Hook(getattr(found, "__name__", type(found).__name__), device, where, found))

    return declare if function is None else declare(function)


def _traced(name: str, side: Side, count: int) -> list[Term]:
    """The terms returned by a function of placeholders. Raises RuleError unless there are `count`."""
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
    """Translates micro-ops on arrays of one axis to terms. A reduction reduces this axis; `keepdims` and broadcasting need no
    term."""

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
        expected = "elementwise functions, numbers, reductions and broadcasting"
        raise RuleError(f"rule '{self.name}': expected {expected}, got '{op.name}'{file}", op.location)

    def _only_spreads(self, op: uop.ReindexOp) -> bool:
        """Whether a reindex only broadcasts along the axis, or removes an axis of size 1."""
        term = self.terms[op.source]
        return is_reduced(term) or isinstance(term, Number) or len(shape_of(op.source)) == 0


def _shortest(value: float | int | bool) -> float | int | bool:
    """A number in its shortest text: integers without a point, but not -0.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and str(value) != "-0.0" else value
