"""The statements and scalar expressions of the C level: blocks, loops, branches, variables, loads, stores, checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op, int_attr
from ...ir.types.shapes import MapAttr
from ..loop.structure import CHECKS
from ..scalar_ops import (
    INDEX,
    CastBase,
    ComputeBase,
    ConstantBase,
    IndexBase,
    IndexedOp,
    TestBase,
    constant_trips,
    lanes_of,
    map_attr,
    verify_locality,
    with_lanes,
)
from .base import ElementOp, MayFail, PointerType, is_value_type, pointed_to

# The number of timers that a program has.
MOST_TIMERS = 4096

# The largest factor of GCC's `#pragma GCC unroll`.
MOST_UNROLLED = 65534


@irdl_op_definition
class BlockOp(Op):
    """A block of statements in braces."""

    name = "cloop.block"
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    assembly_format = "attr-dict-with-keyword $body"

    def __init__(self):
        super().__init__(regions=[Region(Block())])


@irdl_op_definition
class ForOp(IndexedOp):
    """`for (int64_t i = lower; i < upper; i += step)`, as in `cloop.for [%n : index] <(d0) -> (0, d0)> step 1 threads <(d0) ->
    (d0 - 4096)> collapse 2 { ^bb0(%i: index): ... }`.

    - `threads`: an OpenMP loop where this expression is >= 0. Each thread runs one contiguous part of the iterations.
    - `collapse`: threads share the iterations of this number of perfectly nested loops, this one included.
    - `dynamic`: each thread runs the next iteration that none has begun.
    - `unroll`: the C compiler unrolls the loop fully; its trip count is constant.
    - `timer`: the time that the loop takes is added to the timer of this number.
    """

    name = "cloop.for"
    at = var_operand_def()
    map = prop_def(MapAttr)
    step = prop_def(IntegerAttr[i64])
    threads = opt_prop_def(MapAttr)
    collapse = opt_prop_def(IntegerAttr[i64])
    dynamic = opt_prop_def(UnitAttr)
    unroll = opt_prop_def(UnitAttr)
    timer = opt_prop_def(IntegerAttr[i64])
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    assembly_format = (
        "(`[` $at^ `:` type($at) `]`)? $map `step` $step "
        "(`threads` $threads^)? (`collapse` $collapse^)? (`dynamic` $dynamic^)? "
        "(`unroll` $unroll^)? (`timer` $timer^)? attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        bounds: Sequence[Index],
        at: Sequence[SSAValue],
        step: int,
        threads: Index | None = None,
        collapse: int = 1,
        dynamic: bool = False,
        unroll: bool = False,
    ):
        super().__init__(
            operands=[at],
            properties={
                "map": map_attr(at, bounds),
                "step": int_attr(step),
                "threads": map_attr(at, [threads]) if threads is not None else None,
                "collapse": int_attr(collapse) if collapse > 1 else None,
                "dynamic": UnitAttr() if dynamic else None,
                "unroll": UnitAttr() if unroll else None,
            },
            regions=[Region(Block(arg_types=[INDEX]))],
        )

    @property
    def induction(self) -> SSAValue:
        return self.body.block.args[0]

    @property
    def trips(self) -> int | None:
        """The trip count, if it is constant."""
        lower, upper = self.index_map.results
        return constant_trips(lower, upper, self.step.value.data)

    @property
    def collapsed(self) -> int:
        """The number of loops that threads share."""
        return self.collapse.value.data if self.collapse is not None else 1

    @property
    def shared_blocks(self) -> list[Block]:
        """The bodies of the loops that threads share, outermost first."""
        blocks = [self.body.block]
        while len(blocks) < self.collapsed:
            inner = _only_loop(blocks[-1])
            assert inner is not None, "the verifier says so"
            blocks.append(inner.body.block)
        return blocks

    def verify_(self) -> None:
        self.verify_map(2)
        if self.step.value.data < 1:
            raise VerifyException(f"step must be at least 1, got {self.step.value.data}")
        if [arg.type for arg in self.body.block.args] != [INDEX]:
            raise VerifyException("the body's argument must be the index")
        if self.unroll is not None and (self.trips is None or self.trips > MOST_UNROLLED or self.threads is not None):
            raise VerifyException(
                f"an unrolled loop must have no threads, and a constant trip count of at most {MOST_UNROLLED}"
            )
        if self.timer is not None and not 0 <= self.timer.value.data < MOST_TIMERS:
            raise VerifyException(f"timer must be from 0 to {MOST_TIMERS - 1}, got {self.timer.value.data}")
        if self.dynamic is not None and self.threads is None:
            raise VerifyException("dynamic must come with threads")
        self._verify_collapse()

    def _verify_collapse(self) -> None:
        if self.collapse is not None and (self.threads is None or self.collapsed < 2):
            raise VerifyException(f"collapse must come with threads and be at least 2, got {self.collapsed}")
        blocks = [self.body.block]
        while len(blocks) < self.collapsed:
            inner = _only_loop(blocks[-1])
            if inner is None or inner.unroll is not None or any(each.owner in blocks for each in inner.at):
                raise VerifyException(
                    "a collapsed loop must contain only a loop, not unrolled, whose bounds do not depend on it"
                )
            blocks.append(inner.body.block)


def _only_loop(body: Block) -> ForOp | None:
    """The loop that is a body's only operation, None if there is none."""
    inner = body.first_op
    return inner if isinstance(inner, ForOp) and inner is body.last_op else None


@irdl_op_definition
class IfOp(Op):
    """`if (condition) { ... } else { ... }`; the else branch is optional."""

    name = "cloop.if"
    condition = operand_def(i1)
    body = region_def("single_block")
    otherwise = opt_region_def("single_block")
    traits = traits_def(NoTerminator())
    assembly_format = "$condition attr-dict-with-keyword $body (`else` $otherwise^)?"

    def __init__(self, condition: SSAValue, otherwise: bool = False):
        super().__init__(operands=[condition], regions=[Region(Block()) for _ in range(1 + otherwise)])


@irdl_op_definition
class ConstantOp(ConstantBase):
    """A literal: `%0 = cloop.constant 1.0 : f32`."""

    name = "cloop.constant"


@irdl_op_definition
class IndexOp(IndexBase):
    """An index expression: `%k = cloop.index [%i, %j] <(d0, d1) -> (d0 * 4 + d1)> : (index, index) -> i64`."""

    name = "cloop.index"


@irdl_op_definition
class TestOp(TestBase):
    """A conjunction of `expression >= 0`: `%c = cloop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1`."""

    name = "cloop.test"


@irdl_op_definition
class ComputeOp(ComputeBase):
    """A scalar function in C: `%2 = cloop.compute "add"(%0, %1) : (f32, f32) -> f32`; it is applied to vectors lane by lane."""

    name = "cloop.compute"
    VECTORS: ClassVar[bool] = True


@irdl_op_definition
class CastOp(CastBase):
    """A conversion: `%1 = cloop.cast %0 : i32 -> f32`."""

    name = "cloop.cast"
    VECTORS: ClassVar[bool] = True


@irdl_op_definition
class VariableOp(Op):
    """A mutable local with its initial value: `%s = cloop.variable %zero : f32 -> f32`."""

    name = "cloop.variable"
    start = operand_def()
    result = result_def()
    assembly_format = "$start attr-dict `:` type($start) `->` type($result)"

    def __init__(self, start: SSAValue):
        super().__init__(operands=[start], result_types=[start.type])

    def verify_(self) -> None:
        if not is_value_type(self.start.type):
            raise VerifyException(f"expected a scalar or a vector, got {self.start.type}")
        if self.result.type != self.start.type:
            raise VerifyException(f"expected a variable of {self.start.type}, got {self.result.type}")


@irdl_op_definition
class AssignOp(Op):
    """`variable = value;`: `cloop.assign %s, %v : f32, f32`."""

    name = "cloop.assign"
    variable = operand_def()
    value = operand_def()
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$variable `,` $value attr-dict `:` type(operands)"

    def __init__(self, variable: SSAValue, value: SSAValue):
        super().__init__(operands=[variable, value])

    def verify_(self) -> None:
        if not isinstance(self.variable.owner, VariableOp):
            raise VerifyException("expected a cloop.variable to assign to")
        if self.value.type != self.variable.type:
            raise VerifyException(f"expected a value of {self.variable.type}, got {self.value.type}")


@irdl_op_definition
class LoadOp(ElementOp):
    """`pointer[offset]`, or `condition ? pointer[offset] : fill`; a vector is loaded from consecutive elements."""

    name = "cloop.load"
    pointer = operand_def(PointerType)
    at = var_operand_def()
    condition = opt_operand_def(i1)
    fill = opt_operand_def()
    map = prop_def(MapAttr)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$pointer (`[` $at^ `:` type($at) `]`)? $map (`if` $condition^ `:` type($condition))? "
        "(`else` $fill^ `:` type($fill))? attr-dict `:` type($pointer) `->` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        offset: Index,
        at: Sequence[SSAValue],
        condition: SSAValue | None = None,
        fill: SSAValue | None = None,
        lanes: int | None = None,
    ):
        super().__init__(
            operands=[pointer, at, condition, fill],
            properties={"map": map_attr(at, [offset])},
            result_types=[with_lanes(pointed_to(pointer), lanes)],
        )

    def verify_(self) -> None:
        self.verify_element(self.result.type)
        if (self.condition is None) != (self.fill is None):
            raise VerifyException("a load must have both a condition and a fill value, or neither")
        if self.fill is not None and self.fill.type != self.result.type:
            raise VerifyException(f"fill: expected a value of {self.result.type}, got {self.fill.type}")


@irdl_op_definition
class StoreOp(ElementOp):
    """`pointer[offset] = value;`; a vector is stored to consecutive elements, by non-temporal stores where `streaming` is >= 0.

    `cloop.store %v into %y[%i] <(d0) -> (d0)> streaming <(d0) -> (n - 9)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index`
    """

    name = "cloop.store"
    value = operand_def()
    pointer = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    streaming = opt_prop_def(MapAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `into` $pointer `[` $at `]` $map (`streaming` $streaming^)? attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, pointer: SSAValue, offset: Index, at: Sequence[SSAValue]):
        super().__init__(operands=[value, pointer, at], properties={"map": map_attr(at, [offset])})

    def verify_(self) -> None:
        self.verify_element(self.value.type)
        if self.streaming is None:
            return
        if lanes_of(self.value.type) is None:
            raise VerifyException(f"streaming: expected a vector, got {self.value.type}")
        if self.streaming.data.dims != len(self.operands_at) or len(self.streaming.data.results) != 1:
            raise VerifyException(f"streaming: expected one expression over {len(self.operands_at)} dimensions")


@irdl_op_definition
class PrefetchOp(ElementOp):
    """`__builtin_prefetch(p + k, 0, 2)`: `cloop.prefetch %p[%i] <(d0) -> (d0 + 4)> locality 2 : !cloop.ptr<f32, "">, index`."""

    name = "cloop.prefetch"
    pointer = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    locality = opt_prop_def(IntegerAttr[i64])
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$pointer `[` $at `]` $map (`locality` $locality^)? attr-dict `:` type(operands)"

    def __init__(self, pointer: SSAValue, offset: Index, at: Sequence[SSAValue], locality: IntegerAttr | None = None):
        super().__init__(operands=[pointer, at], properties={"map": map_attr(at, [offset]), "locality": locality})

    def verify_(self) -> None:
        self.verify_map(1)
        verify_locality(self.locality)


@irdl_op_definition
class CheckOp(IndexedOp):
    """`if (!(check)) sw_fail(error, id, value, limit);`; id is the number of the check in the function, from 1."""

    name = "cloop.check"
    kind = prop_def(StringAttr)
    number = prop_def(IntegerAttr[i64])
    at = var_operand_def()
    map = prop_def(MapAttr)
    traits = traits_def(MemoryWriteEffect(), MayFail())
    assembly_format = "$kind $number (`[` $at^ `:` type($at) `]`)? $map attr-dict"

    def __init__(self, kind: str, number: int, exprs: Sequence[Index], at: Sequence[SSAValue]):
        super().__init__(
            operands=[at],
            properties={"kind": StringAttr(kind), "number": IntegerAttr(number, i64), "map": map_attr(at, exprs)},
        )

    def verify_(self) -> None:
        if self.kind.data not in CHECKS:
            raise VerifyException(f"kind must be one of {', '.join(CHECKS)}, got '{self.kind.data}'")
        self.verify_map(CHECKS[self.kind.data])
