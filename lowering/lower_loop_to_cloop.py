"""lower-loop-to-cloop: loops over buffers become C constructs on pointers.

1. Buffers become pointers and accesses flat offsets in elements (row-major).
2. A loop that carries scalars becomes a loop that assigns to variables.
3. Guards become conditions; an update is a load, a computation and a store.
4. Divisions whose operands are proven non-negative become C's own.
5. The outermost parallel loop of a block runs on threads where the block's work reaches `threads-from` element steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import cloop, loop
from ..ir.diagnostics import LegalityError
from ..ir.dtypes import dtype_of
from ..ir.index import Index, index, product
from ..ir.rewrite import Builder, derive, erase
from ..ir.shapes import element_of, row_major, shape_of
from ..ir.simplify import Ranges
from .divisions import truncating


@dataclass(frozen=True)
class LowerLoopToCloop(ModulePass):
    """`threads-from` is the number of innermost steps from which a block is worth starting threads for."""

    name = "lower-loop-to-cloop"
    illegal: ClassVar[tuple[str, ...]] = ("loop",)

    threads_from: int = 32768

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [inner for inner in op.body.block.ops if isinstance(inner, FuncOp)]:
            if "sw.inputs" in function.attributes:
                FunctionLowering(function, self.threads_from).run()


class FunctionLowering:
    """Rewrites one function; `values` maps its buffers and scalars to pointers, constants and variables."""

    def __init__(self, function: FuncOp, threads_from: int):
        self.function = function
        self.threads_from = threads_from
        self.values: dict[SSAValue, SSAValue] = {}
        self.bounds: dict[SSAValue, tuple[Index, Index]] = {}
        self.ranges = Ranges()
        self.checks = 0

    def run(self) -> None:
        old = self.function
        inputs = cast("int", old.attributes["sw.inputs"].value.data)  # type: ignore[attr-defined] - an IntegerAttr
        types = [cloop.PointerType.of(element_of(arg), "const" if k < inputs else "restrict") for k, arg in enumerate(old.args)]
        body = Block(arg_types=types)
        new = FuncOp(old.sym_name.data, FunctionType.from_lists(types, []), Region(body), old.sym_visibility)
        new.attributes.update(old.attributes)
        # Pointers say nothing of sizes; whoever calls the function needs them.
        new.attributes["sw.types"] = ArrayAttr(arg.type for arg in old.args)
        self.builder = Builder(body, old)
        derive(new, (old,))
        for old_arg, arg in zip(old.args, body.args, strict=True):
            self._bind(old_arg, arg)
        self._body(old.body.block)
        assert old.parent is not None, "functions stand in a module"
        old.parent.insert_op_before(new, old)
        erase(old)

    def _body(self, block: Block) -> None:
        for op in block.ops:
            with self.builder.source(op):
                self.lower(op)

    @singledispatchmethod
    def lower(self, op: Operation) -> None:
        """Write one operation's constructs. Raises LegalityError for what is not of the loop level."""
        raise LegalityError(f"'{op.name}': expected loops below '{LowerLoopToCloop.name}'", op.location)

    @lower.register
    def _(self, op: ReturnOp) -> None:
        self.builder.add(ReturnOp())

    @lower.register
    def _(self, op: loop.AllocOp) -> None:
        pointer = cloop.PointerType.of(element_of(op.result), "restrict")
        self._bind(op.result, self._add(cloop.AllocateOp(product(shape_of(op.result)), pointer)))

    @lower.register
    def _(self, op: loop.DataOp) -> None:
        pointer = cloop.PointerType.of(element_of(op.result), "const")
        self._bind(op.result, self._add(cloop.DataOp(op.value, pointer)))

    @lower.register
    def _(self, op: loop.BlockOp) -> None:
        block = self.builder.add(cloop.BlockOp())
        with self.builder.at(block.body.block):
            self._body(op.body.block)

    @lower.register
    def _(self, op: loop.ForOp) -> None:
        variables = [self._add(cloop.VariableOp(self.values[value])) for value in op.carried]
        at = self._operands(op)
        bounds = [self._c_index(bound, op.operands_at) for bound in (op.lower, op.upper)]
        level = self.builder.add(cloop.ForOp(bounds, at, op.step.value.data, self._threads(op)))
        self._bind(op.induction, level.induction)
        for arg, result, variable in zip(op.carried_args, op.results, variables, strict=True):
            self._bind(arg, variable)
            self._bind(result, variable)
        outside = self.ranges
        self._enter(op)
        with self.builder.at(level.body.block):
            self._body(op.body.block)
        self.ranges = outside

    @lower.register
    def _(self, op: loop.YieldOp) -> None:
        parent = op.parent_op()
        assert isinstance(parent, loop.ForOp), "loop.yield ends a loop"
        variables = [self.values[arg] for arg in parent.carried_args]
        # A variable that another one takes over is read before anything is assigned.
        values = [
            self._add(cloop.VariableOp(value)) if value in variables and value is not variable else value
            for variable, value in zip(variables, (self.values[value] for value in op.values), strict=True)
        ]
        for variable, value in zip(variables, values, strict=True):
            if value is not variable:
                self.builder.add(cloop.AssignOp(variable, value))

    @lower.register
    def _(self, op: loop.ConstantOp) -> None:
        self._bind(op.result, self._add(cloop.ConstantOp(op.value)))

    @lower.register
    def _(self, op: loop.IndexOp) -> None:
        expr = self._c_index(op.index_map.results[0], op.operands_at)
        self._bind(op.result, self._add(cloop.IndexOp(expr, self._operands(op))))

    @lower.register
    def _(self, op: loop.TestOp) -> None:
        self._bind(op.result, self._condition(op.index_map.results, op))

    @lower.register
    def _(self, op: loop.ComputeOp) -> None:
        operands = [self.values[value] for value in op.inputs]
        self._bind(op.result, self._add(cloop.ComputeOp(op.function.data, *operands)))

    @lower.register
    def _(self, op: loop.CastOp) -> None:
        self._bind(op.result, self._add(cloop.CastOp(self.values[op.input], op.result.type)))

    @lower.register
    def _(self, op: loop.LoadOp) -> None:
        condition = fill = None
        if op.fill is not None:
            condition = self._condition(op.guard_exprs, op)
            fill = self._add(cloop.ConstantOp(op.fill))
        load = cloop.LoadOp(self.values[op.buffer], self._offset(op, op.buffer), self._operands(op), condition, fill)
        self._bind(op.result, self._add(load))

    @lower.register
    def _(self, op: loop.StoreOp) -> None:
        self._guarded(op, lambda: self._store(op, op.buffer, self.values[op.value]))

    @lower.register
    def _(self, op: loop.UpdateOp) -> None:
        self._guarded(op, lambda: self._update(op))

    @lower.register
    def _(self, op: loop.CheckOp) -> None:
        self.checks += 1
        exprs = [self._c_index(expr, op.operands_at) for expr in op.index_map.results]
        check = cloop.CheckOp(op.kind.data, self.checks, exprs, self._operands(op))
        self._guarded(op, lambda: self.builder.add(check))

    # Pieces

    def _bind(self, old: SSAValue, new: SSAValue) -> None:
        self.values[old] = new
        if new.name_hint is None:
            new.name_hint = old.name_hint

    def _add(self, op: Operation) -> SSAValue:
        return self.builder.add(op).results[0]

    def _operands(self, op: loop.IndexedOp) -> list[SSAValue]:
        return [self.values[value] for value in op.operands_at]

    def _enter(self, op: loop.ForOp) -> None:
        """Note the range of the loop's index, and that the loop runs at all."""
        self.bounds[op.induction] = (op.lower, op.upper - 1)
        if not op.lower.dims() and not op.upper.dims():
            self.ranges = self.ranges.assuming(op.upper - op.lower - 1)

    def _known(self, operands: Sequence[SSAValue]) -> Ranges:
        return self.ranges.with_dims(
            {
                k: self.bounds[value]
                for k, value in enumerate(operands)
                if value in self.bounds and not _has_dims(self.bounds[value])
            }
        )

    def _c_index(self, expr: Index, operands: Sequence[SSAValue]) -> Index:
        """The expression simplified, with C's divisions where they round as ours do."""
        ranges = self._known(operands)
        return truncating(ranges.simplify(expr), ranges)

    def _offset(self, op: loop.IndexedOp, buffer: SSAValue) -> Index:
        return self._c_index(row_major(shape_of(buffer), op.index_map.results), op.operands_at)

    def _condition(self, exprs: Sequence[Index], op: loop.IndexedOp) -> SSAValue:
        conditions = [self._c_index(expr, op.operands_at) for expr in exprs]
        return self._add(cloop.TestOp(conditions, self._operands(op)))

    def _guarded(self, op: loop.IndexedOp, write: Callable[[], object]) -> None:
        if not op.guard_exprs:
            write()
            return
        branch = self.builder.add(cloop.IfOp(self._condition(op.guard_exprs, op)))
        with self.builder.at(branch.body.block):
            write()

    def _store(self, op: loop.IndexedOp, buffer: SSAValue, value: SSAValue) -> None:
        self.builder.add(cloop.StoreOp(value, self.values[buffer], self._offset(op, buffer), self._operands(op)))

    def _update(self, op: loop.UpdateOp) -> None:
        element = op.value.type
        compute = dtype_of(element).compute.type
        load = cloop.LoadOp(self.values[op.buffer], self._offset(op, op.buffer), self._operands(op))
        operands = [self._cast(self._add(load), compute), self._cast(self.values[op.value], compute)]
        total = self._add(cloop.ComputeOp(op.accumulator.data, *operands))
        self._store(op, op.buffer, self._cast(total, element))

    def _cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        return value if value.type == element else self._add(cloop.CastOp(value, element))

    def _threads(self, op: loop.ForOp) -> Index | None:
        """`work - threads_from` for the outermost parallel loop of a block, None for every other loop."""
        if op.kind.data != "parallel" or not isinstance(op.parent_op(), loop.BlockOp):
            return None
        work = _work(op)
        if work is None or (work.constant is not None and work.constant < self.threads_from):
            return None
        return work - self.threads_from


def _work(op: loop.ForOp) -> Index | None:
    """The number of innermost steps of a nest, as an expression over parameters; None when it depends on an index."""
    if op.lower.dims() or op.upper.dims():
        return None
    inner = [_work(child) for child in op.body.block.ops if isinstance(child, loop.ForOp)]
    total = index(0)
    for steps in inner:
        if steps is None:
            return None
        total = total + steps
    return (op.upper - op.lower) * (total if inner else 1)


def _has_dims(bounds: tuple[Index, Index]) -> bool:
    return any(bound.dims() for bound in bounds)
