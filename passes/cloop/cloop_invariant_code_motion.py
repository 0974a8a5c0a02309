"""cloop-invariant-code-motion: hoist loop-invariant index arithmetic.

    for (i = ...)                               for (i = ...) {
      for (j = ...)                               k = i / 3;
        x[(i / 3) * n + j]             ->         for (j = ...)
                                                    x[k * n + j]

Hoist every quotient, remainder, minimum and maximum in an address or a bound to the definition of the last of its operands,
once for all users in that block. C compilers do not hoist divisions, since the loop may not run and the divisor may be zero; in
index expressions, division by zero gives zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.scalar_ops import IndexedOp, map_attr, only_used
from ...ir.functions.entry import c_functions
from ...ir.index.expressions import Apply, Atom, Dim, Index, IndexLike, apply, dim, of_atom
from ...ir.rewrite import Builder, absorb, count
from ...ir.types.shapes import MapAttr

SAFE = MappingProxyType({"div": "floordiv", "rem": "mod"})


@dataclass(frozen=True)
class CloopInvariantCodeMotion(ModulePass):
    name = "cloop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            Hoisting(function).run()


class Hoisting:
    """Hoists in one function; `depths` is the nesting depth of each block of statements, `made` the expressions already hoisted
    to a block, `shared` the innermost block of collapsed parallel loops for each of the outer ones."""

    def __init__(self, function: FuncOp):
        self.body = function.body.block
        self.depths: dict[Block, int] = {self.body: 0}
        self.made: dict[tuple[Block, Index, tuple[SSAValue, ...]], cloop.IndexOp] = {}
        self.shared: dict[Block, Block] = {}

    def run(self) -> None:
        self._block(self.body)

    def _block(self, block: Block) -> None:
        for op in list(block.ops):
            if isinstance(op, IndexedOp) and self.depths[block] > 0:
                self._indexed(op, block)
            if isinstance(op, cloop.ForOp):
                self.shared |= dict.fromkeys(op.shared_blocks[:-1], op.shared_blocks[-1])
            for region in op.regions:
                self.depths[region.block] = self.depths[block] + 1
                self._block(region.block)

    def _indexed(self, op: IndexedOp, block: Block) -> None:
        """Replace hoistable subexpressions in all of the operation's maps by new operands."""
        at = list(op.operands_at)
        maps = {name: each.data for name, each in op.properties.items() if isinstance(each, MapAttr)}
        changed = {name: [self._outside(expr, at, op, block) for expr in each.results] for name, each in maps.items()}
        if all(list(maps[name].results) == exprs for name, exprs in changed.items()):
            return
        used = sorted({position for exprs in changed.values() for expr in exprs for position in expr.dims()})
        places: dict[Atom, IndexLike] = {Dim(position): dim(k) for k, position in enumerate(used)}
        values = [at[position] for position in used]
        op.set_operands_at(values)
        for name, exprs in changed.items():
            op.properties[name] = map_attr(values, [expr.substitute(places) for expr in exprs])

    def _outside(self, expr: Index, at: list[SSAValue], op: Operation, block: Block) -> Index:
        """The expression with its hoistable atoms replaced by operands, which are appended to `at`."""
        # Skip polynomials, which most expressions are.
        return expr if expr.is_polynomial else expr.with_applications(lambda atom: self._applied(atom, at, op, block))

    def _applied(self, atom: Apply, at: list[SSAValue], op: Operation, block: Block) -> Index:
        target = self._deepest([at[position] for position in of_atom(atom).dims()])
        if self.depths[target] >= self.depths[block]:
            return apply(atom.op, self._outside(atom.lhs, at, op, block), self._outside(atom.rhs, at, op, block))
        value = self._make(atom, at, op, target)
        if value not in at:
            at.append(value)
        return dim(at.index(value))

    def _deepest(self, values: Sequence[SSAValue]) -> Block:
        """The innermost block that defines one of the values; collapsed parallel loops count as one."""
        block = max((_block_of(value) for value in values), key=self.depths.__getitem__, default=self.body)
        return self.shared.get(block, block)

    def _make(self, atom: Apply, at: list[SSAValue], op: Operation, target: Block) -> SSAValue:
        expr = _safe(apply(atom.op, *(self._outside(each, at, op, target) for each in (atom.lhs, atom.rhs))))
        (local,), values = only_used([expr], at)
        key = (target, local, values)
        made = self.made.get(key)
        if made is None:
            builder = Builder(_after_last(values, target), op)
            made = self.made[key] = builder.add(cloop.IndexOp(local, values))
            count("indices-hoisted", "Number of index expressions hoisted out of loops")
        else:
            absorb(made, op)
        return made.result


def _safe(expr: Index) -> Index:
    """The expression in a form that may be evaluated where its loop does not run: its divisions by 0 give 0."""

    def safe(atom: Apply) -> Index:
        rhs = _safe(atom.rhs)
        return apply(atom.op if rhs.constant else SAFE.get(atom.op, atom.op), _safe(atom.lhs), rhs)

    return expr if expr.is_polynomial else expr.with_applications(safe)


def _block_of(value: SSAValue) -> Block:
    """The block that defines a value."""
    block = value.owner.parent if isinstance(value.owner, Operation) else value.owner
    assert block is not None, "an operand has a parent block"
    return block


def _after_last(values: Sequence[SSAValue], target: Block) -> InsertPoint:
    """The insertion point in a block after the definition of the last of the values."""
    inside = {value.owner for value in values if isinstance(value.owner, Operation)}
    last = next((op for op in reversed(list(target.ops)) if op in inside), None)
    return InsertPoint.after(last) if last is not None else InsertPoint.at_start(target)
