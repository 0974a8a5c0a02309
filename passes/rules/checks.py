"""Admission of rewrite rules: a rule must lower the cost of the code that it replaces (`rule.py` defines the cost).

Build both sides of a rule as small functions of micro-ops on (n, m) arrays, with reductions over the second axis, and compare
their costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from xdsl.dialects.builtin import FunctionType, StringAttr, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import uop
from ...ir.index.expressions import dim, param
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import DType, dtype
from ...ir.types.shapes import IndexMap, tensor_type
from .matching import Match, Reduced, Writer, match_rule
from .rule import STABILISING, Cost, Rule, by_root, root_key, work_of
from .terms import RuleError, Variable, conditions_of, is_reduced, variables_of

_SHAPE = (param("n"), param("m"))
_AXES = (1,)
# The value of pattern constants: the cost of a side does not depend on it.
_CONSTANT = 2
_DTYPES: Mapping[str, str] = MappingProxyType({"float": "float32", "int": "int64", "uint": "uint8", "bool": "bool"})
_NONE_GIVEN: Mapping[str, Any] = MappingProxyType({})


def expect_falling_cost(rule: Rule, others: Sequence[Rule]) -> None:
    """Raise RuleError if the rule's name is taken, if the rule does not lower the cost, or if another rule no longer lowers the
    cost once this rule is added."""
    if any(each.name == rule.name for each in others):
        raise RuleError(f"rule '{rule.name}': there is a rule of that name")
    together = (*others, rule)
    before, after = costs(rule, together)
    if not after < before:
        raise RuleError(
            f"rule '{rule.name}' does not lower the cost: the pattern has {before}, the replacement {after} ({rule})"
        )
    for other in others if rule.tag == STABILISING else ():
        before, after = costs(other, together)
        if not after < before:
            raise RuleError(f"rule '{rule.name}' ({rule}) undoes rule '{other.name}' ({other})")


def costs(rule: Rule, rules: Sequence[Rule]) -> tuple[Cost, Cost]:
    """The costs of a rule's pattern and replacement; the stabilising rules among `rules` define the weak spots."""
    weak = by_root([each for each in rules if each.tag == STABILISING])
    before, after = (list(side.body.block.ops)[:-1] for side in sides(rule))
    # The rule matches its own pattern, whatever its conditions on arguments are.
    own = [before[-1]] if rule.tag == STABILISING and rule in rules else []
    return _cost(before, weak, own), _cost(after, weak, [])


def _cost(ops: Sequence[Operation], weak: Mapping[tuple[str, str], Sequence[Rule]], known: Sequence[Operation]) -> Cost:
    spots = [op for op in ops if op in known or any(match_rule(each, op) for each in weak.get(root_key(op) or ("", ""), ()))]
    return Cost(len(spots), sum(map(work_of, ops)))


def sides(rule: Rule, element: DType | None = None, constants: Mapping[str, Any] = _NONE_GIVEN) -> tuple[FuncOp, FuncOp]:
    """Pattern and replacement as functions of the variables, in order; constants are materialised, with the value 2 if none is
    given.

    `element` is the dtype, by default one that the rule is for. Raises RuleError if the two sides differ in type.
    """
    kind = (element or dtype(_DTYPES[rule.kinds[0]])).type
    first = _Side(rule, kind, constants)
    root = first.writer.value(rule.pattern)
    second = _Side(rule, kind, constants)
    second.writer.root = root
    value = second.writer.write(rule.replacement)
    if value is None:
        raise RuleError(f"rule '{rule.name}': pattern and replacement have different dtypes or axes ({rule})")
    return first.function("pattern", root), second.function("replacement", value)


class _Side:
    """One side of a rule as a function of micro-ops."""

    def __init__(self, rule: Rule, element: Attribute, constants: Mapping[str, Any]):
        names = variables_of(rule.pattern)
        conditions = conditions_of(rule.pattern)
        self.block = Block(arg_types=[_type(name, element, conditions) for name in names if not Variable(name).is_constant])
        free = iter(self.block.args)
        arguments = {
            name: self._constant(constants.get(name, _CONSTANT), element) if Variable(name).is_constant else next(free)
            for name in names
        }
        kept = [dim(axis) for axis in range(len(_SHAPE)) if axis not in _AXES]
        view = IndexMap.identity(len(kept)) if is_reduced(rule.pattern) else IndexMap.of(len(_SHAPE), kept)
        # Until there is a root, any value of the shape serves as one.
        stand_in = Block(arg_types=[tensor_type(_SHAPE, element)]).args[0]
        self.writer = Writer(Match(arguments, reduced=Reduced(_AXES, _SHAPE, view)), stand_in)

    def _constant(self, value: Any, element: Attribute) -> SSAValue:
        constant = uop.ConstantOp(number(value, element), tensor_type(_SHAPE, element))
        self.block.add_op(constant)
        return constant.result

    def function(self, name: str, value: SSAValue) -> FuncOp:
        for op in (*self.writer.ops, ReturnOp(value)):
            self.block.add_op(op)
        types = FunctionType.from_lists([arg.type for arg in self.block.args], [value.type])
        return FuncOp(name, types, Region(self.block), StringAttr("public"))


def _type(name: str, element: Attribute, conditions: Sequence[str]) -> Attribute:
    return tensor_type(_SHAPE, i1 if name in conditions else element)
