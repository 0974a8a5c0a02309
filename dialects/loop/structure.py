"""The structure of the loop level: blocks, loops, branches, scalar computation, allocation, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, MemRefType, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, MemoryWriteEffect, NoMemoryEffect, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, index
from ...ir.op import Op, int_attr, string_attr
from ...ir.types.shapes import MapAttr, element_of, shape_of
from ..scalar_ops import (
    INDEX,
    CastBase,
    ComputeBase,
    ConstantBase,
    IndexBase,
    IndexedOp,
    TestBase,
    constant_trips,
    guard_attr,
    map_attr,
)
from .call import CallOp
from .iterate import IterateOp

KINDS = ("parallel", "reduction", "sequential", "vector", "unroll")
MAX_LANES = 64
# The axes of tiles: rows, columns, and the summed axis of matrix products.
AXES = 3
SPACES = ("thread", "register")
# The number of expressions of each kind of check.
CHECKS: Mapping[str, int] = MappingProxyType({"index": 2, "divisor": 1})

# The operations that call another function.
RunOp: TypeAlias = IterateOp | CallOp


def lanes_in(size: int, bits: int) -> int:
    """The number of lanes of a vector of `size` bytes for elements of `bits` bits, between 2 and MAX_LANES."""
    return min(max(size * 8 // bits, 2), MAX_LANES)


@irdl_op_definition
class YieldOp(Op):
    """Terminates a loop's body with the next carried values: `loop.yield %acc : f32`."""

    name = "loop.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), NoMemoryEffect())
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class BlockOp(Op):
    """One loop nest with its statements; blocks communicate only through buffers.

    A block that is a GPU kernel has a schedule (`loop-map-to-tiles`): `warps` of a program, `stages` of its software pipeline,
    and the `group`: the number of neighbouring tiles along axis 0 whose programs run one after another, so that they share
    operands in the cache. `fast` arithmetic may fuse multiplications with additions and approximate exponentials and quotients:
    it is for results that are rounded to half precision. `tf32` products of float32 round their factors. A `joined` block is
    not a kernel of its own: the last program of the previous block runs it.
    """

    name = "loop.block"
    warps = opt_prop_def(IntegerAttr[i64])
    stages = opt_prop_def(IntegerAttr[i64])
    group = opt_prop_def(IntegerAttr[i64])
    fast = opt_prop_def(UnitAttr)
    tf32 = opt_prop_def(UnitAttr)
    joined = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    assembly_format = (
        "(`warps` $warps^)? (`stages` $stages^)? (`group` $group^)? (`fast` $fast^)? (`tf32` $tf32^)? (`joined` $joined^)? "
        "attr-dict-with-keyword $body"
    )

    def __init__(self, body: Block | None = None):
        super().__init__(regions=[Region(body or Block())])

    def verify_(self) -> None:
        for name, least in (("warps", 1), ("stages", 1), ("group", 1)):
            value = getattr(self, name)
            if value is not None and value.value.data < least:
                raise VerifyException(f"{name}: expected at least {least}, got {value.value.data}")
        if self.warps is not None and self.warps.value.data & (self.warps.value.data - 1):
            raise VerifyException(f"warps: expected a power of two, got {self.warps.value.data}")
        before = self.prev_op
        if self.joined is not None and (not isinstance(before, BlockOp) or before.warps is None or before.joined is not None):
            raise VerifyException("joined: expected a kernel before it, which joins no other")


@irdl_op_definition
class ForOp(IndexedOp):
    """A counted loop `lower <= i < upper` with a kind, and values carried between iterations.

    `%s = loop.for "reduction" [%i : index] <(d0) -> (d0, n)> step 1 carry(%zero : f32) -> f32 { ... }`

    `upper` must not be less than `lower`, so that passes can split the range into vectors and a remainder. Lowered programs
    check sizes first.

    Three schedules are attributes. `threads` of a parallel loop is an expression: threads share the iterations where it is
    non-negative, together with those of the next `collapse - 1` perfectly nested loops (`loop-parallelize`). Each thread runs
    one contiguous part of them, or with `dynamic` the next one that no thread has begun. `pragma` leaves
    the unrolling of an "unroll" loop to the C compiler (`loop-defer-unrolling`). `axis 0 lanes 128` maps the iterations to
    lanes along an axis of a GPU kernel's tiles, 128 at a time (`loop-map-to-tiles`): programs share those of the outermost
    parallel loops, other loops run through their lanes in steps. Axis 2 is the summed axis of matrix products. `whole` says
    that the lanes divide the number of iterations.
    """

    name = "loop.for"
    kind = prop_def(StringAttr)
    at = var_operand_def()
    carried = var_operand_def()
    map = prop_def(MapAttr)
    step = prop_def(IntegerAttr[i64])
    threads = opt_prop_def(MapAttr)
    collapse = opt_prop_def(IntegerAttr[i64])
    dynamic = opt_prop_def(UnitAttr)
    pragma = opt_prop_def(UnitAttr)
    axis = opt_prop_def(IntegerAttr[i64])
    lanes = opt_prop_def(IntegerAttr[i64])
    whole = opt_prop_def(UnitAttr)
    results_ = var_result_def()
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = (
        "$kind (`[` $at^ `:` type($at) `]`)? $map `step` $step "
        "(`threads` $threads^)? (`collapse` $collapse^)? (`dynamic` $dynamic^)? (`pragma` $pragma^)? "
        "(`axis` $axis^)? (`lanes` $lanes^)? (`whole` $whole^)? "
        "(`carry` `(` $carried^ `:` type($carried) `)` `->` type($results_))? attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        kind: str,
        lower: Index | int,
        upper: Index | int,
        *,
        at: Sequence[SSAValue] = (),
        carried: Sequence[SSAValue] = (),
        step: int = 1,
        hint: str = "i",
        body: Region | None = None,
    ):
        if body is None:
            body = Region(Block(arg_types=[INDEX, *(value.type for value in carried)]))
            body.block.args[0].name_hint = hint
        super().__init__(
            operands=[at, carried],
            properties={
                "kind": string_attr(kind),
                "map": map_attr(at, (lower, upper)),
                "step": int_attr(step),
            },
            result_types=[[value.type for value in carried]],
            regions=[body],
        )

    @property
    def induction(self) -> SSAValue:
        block = self.regions[0].first_block  # a hot path of all passes: xDSL's accessors need ten calls
        assert block is not None, "a loop has a body"
        return block.args[0]

    @property
    def carried_args(self) -> tuple[SSAValue, ...]:
        return tuple(self.body.block.args[1:])

    @property
    def lower(self) -> Index:
        return self.index_map.results[0]

    @property
    def upper(self) -> Index:
        return self.index_map.results[1]

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "a loop body ends with loop.yield"
        return tuple(last.values)

    @property
    def trips(self) -> int | None:
        """The trip count, if it is constant."""
        return constant_trips(self.lower, self.upper, self.step.value.data)

    @property
    def tile_axis(self) -> int | None:
        """The axis of tiles along which the iterations are lanes, if they are."""
        return self.axis.value.data if self.axis is not None else None

    def spread(self, axis: int, lanes: int) -> None:
        """Map the iterations to lanes along an axis of tiles, `lanes` at a time."""
        self.axis, self.lanes = int_attr(axis), int_attr(lanes)

    def mark_whole(self) -> None:
        """Promise that the lanes divide the number of iterations."""
        self.whole = UnitAttr()

    @property
    def collapsed(self) -> int:
        """The number of loops that threads share, this one included."""
        return self.collapse.value.data if self.collapse is not None else 1

    def share(self, condition: Index, collapsed: int = 1, *, dynamic: bool = False) -> None:
        """Make threads share this loop, and those collapsed into it, where `condition`, over the operands of its bounds, is
        non-negative."""
        self.threads = map_attr(self.at, [condition])
        self.collapse = int_attr(collapsed) if collapsed > 1 else None
        self.dynamic = UnitAttr() if dynamic else None

    def verify_(self) -> None:
        self.verify_map(2)
        if self.kind.data not in KINDS:
            raise VerifyException(f"kind must be one of {', '.join(KINDS)}, got '{self.kind.data}'")
        if self.step.value.data < 1:
            raise VerifyException(f"step must be at least 1, got {self.step.value.data}")
        self._verify_schedule()
        self._verify_threads()
        self._verify_lanes()
        types = [value.type for value in self.carried]
        if [arg.type for arg in self.body.block.args] != [INDEX, *types]:
            raise VerifyException("the body's arguments must be the index and the carried values")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException("the body must end with loop.yield")
        if [value.type for value in last.values] != types:
            found = ", ".join(str(value.type) for value in last.values)
            raise VerifyException(f"loop.yield: expected ({', '.join(map(str, types))}), got ({found})")
        if [result.type for result in self.results] != types:
            raise VerifyException("results must have the types of the carried values")

    def _verify_schedule(self) -> None:
        if self.kind.data not in ("unroll", "vector"):
            return
        trips = self.trips
        if trips is None:
            raise VerifyException(f"kind '{self.kind.data}' needs a constant trip count, got {self.upper - self.lower}")
        if self.kind.data == "vector" and (trips not in range(2, MAX_LANES + 1) or trips & (trips - 1)):
            raise VerifyException(f"expected a power of two from 2 to {MAX_LANES} as the number of lanes, got {trips}")

    def _verify_lanes(self) -> None:
        if (self.axis is None) != (self.lanes is None):
            raise VerifyException("expected both axis and lanes, or neither")
        if self.whole is not None and self.lanes is None:
            raise VerifyException("whole: expected lanes as well")
        if self.axis is None or self.lanes is None:
            return
        if self.axis.value.data not in range(AXES):
            raise VerifyException(f"axis: expected 0 to {AXES - 1}, got {self.axis.value.data}")
        count = self.lanes.value.data
        if count < 1 or count & (count - 1):
            raise VerifyException(f"lanes: expected a power of two, got {count}")
        if self.axis.value.data == AXES - 1 and self.kind.data != "reduction":
            raise VerifyException(f"axis {AXES - 1}: expected a reduction, got kind '{self.kind.data}'")

    def _verify_threads(self) -> None:
        if self.pragma is not None and self.kind.data != "unroll":
            raise VerifyException(f"pragma: expected kind 'unroll', got '{self.kind.data}'")
        if self.threads is None:
            if self.collapse is not None or self.dynamic is not None:
                name = "collapse" if self.collapse is not None else "dynamic"
                raise VerifyException(f"{name}: expected threads as well")
            return
        if self.kind.data != "parallel" or self.carried:
            raise VerifyException(f"threads: expected a parallel loop without carried values, got kind '{self.kind.data}'")
        condition = self.threads.data
        if len(condition.results) != 1 or condition.dims != len(self.at):
            raise VerifyException(f"threads: expected one expression over {len(self.at)} operands, got {condition}")
        outer = self.parent_op()
        while isinstance(outer, ForOp | IfOp):
            if isinstance(outer, ForOp) and outer.threads is not None:
                raise VerifyException("threads: expected no threads on enclosing loops")
            outer = outer.parent_op()
        inner = self
        for _ in range(self.collapsed - 1):
            only = inner.body.block.first_op
            if not isinstance(only, ForOp) or only.kind.data != "parallel" or only.next_op is not inner.body.block.last_op:
                raise VerifyException(f"collapse: expected {self.collapsed} perfectly nested parallel loops")
            inner = only


@irdl_op_definition
class IfOp(IndexedOp):
    """A branch on the conjunction of `index expression >= 0`, with an optional else branch.

    `loop.if [%i : index] <(d0) -> (d0 - 1)> { ... } else { ... }`
    """

    name = "loop.if"
    at = var_operand_def()
    map = prop_def(MapAttr)
    body = region_def("single_block")
    otherwise = opt_region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    assembly_format = "(`[` $at^ `:` type($at) `]`)? $map attr-dict-with-keyword $body (`else` $otherwise^)?"

    def __init__(
        self,
        conditions: Sequence[Index],
        at: Sequence[SSAValue],
        body: Block | None = None,
        otherwise: Block | None = None,
    ):
        super().__init__(
            operands=[at],
            properties={"map": map_attr(at, conditions)},
            regions=[Region(body or Block()), *([Region(otherwise)] if otherwise is not None else [])],
        )

    @property
    def branches(self) -> tuple[Block, ...]:
        return (self.body.block, self.otherwise.block) if self.otherwise is not None else (self.body.block,)

    def verify_(self) -> None:
        self.verify_map(None)


@irdl_op_definition
class ConstantOp(ConstantBase):
    """A scalar: `%0 = loop.constant 1.0 : f32`."""

    name = "loop.constant"


@irdl_op_definition
class IndexOp(IndexBase):
    """An index expression as an integer: `%k = loop.index [%i, %j] <(d0, d1) -> (d0 * 4 + d1)> : (index, index) -> i64`."""

    name = "loop.index"


@irdl_op_definition
class TestOp(TestBase):
    """Whether all index expressions are non-negative: `%c = loop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1`."""

    name = "loop.test"


@irdl_op_definition
class ComputeOp(ComputeBase):
    """A scalar function: `%2 = loop.compute "add"(%0, %1) : (f32, f32) -> f32`."""

    name = "loop.compute"


@irdl_op_definition
class CastOp(CastBase):
    """A scalar conversion with the semantics of uop.cast: `%1 = loop.cast %0 : i32 -> f32`."""

    name = "loop.cast"


@irdl_op_definition
class CheckOp(IndexedOp):
    """A run-time check: if it fails, the program raises a Python exception with the source line; compiled code raises it at its
    end. Accesses that would be out of bounds after a failed check have guards of their own.

    `loop.check "index" [%e] <(d0) -> (d0, n)> : i64` requires 0 <= d0 < n, else IndexError; `loop.check "divisor" [%e] <(d0) ->
    (d0)> : i64` requires d0 != 0, else ZeroDivisionError.
    """

    name = "loop.check"
    kind = prop_def(StringAttr)
    at = var_operand_def()
    map = prop_def(MapAttr)
    guards = opt_prop_def(MapAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$kind `[` $at `]` $map (`guard` $guards^)? attr-dict `:` type(operands)"

    def __init__(self, kind: str, exprs: Sequence[Index | int], at: Sequence[SSAValue], guards: Sequence[Index] = ()):
        super().__init__(
            operands=[at],
            properties={"kind": StringAttr(kind), "map": map_attr(at, exprs), "guards": guard_attr(at, guards)},
        )

    def verify_(self) -> None:
        if self.kind.data not in CHECKS:
            raise VerifyException(f"kind must be one of {', '.join(CHECKS)}, got '{self.kind.data}'")
        self.verify_map(CHECKS[self.kind.data])


@irdl_op_definition
class AllocOp(Op):
    """A buffer: `%t = loop.alloc : memref<4xf32>` has the lifetime of the call. Inside of a block, `%p = loop.alloc "thread" :
    memref<?x16xf32, {shape = #sw.shape<[n, 16]>}>` is private memory of the thread, and `%r = loop.alloc "register" :
    memref<8x16xf32>` is a register array."""

    name = "loop.alloc"
    space = opt_prop_def(StringAttr)
    result = result_def(MemRefType)
    assembly_format = "($space^)? attr-dict `:` type($result)"

    def __init__(self, type: Attribute, space: str | None = None):
        super().__init__(properties={"space": StringAttr(space) if space else None}, result_types=[type])

    @property
    def in_registers(self) -> bool:
        return self.space is not None and self.space.data == "register"

    def verify_(self) -> None:
        inside = isinstance(self.parent_op(), BlockOp | ForOp | IfOp)
        if self.space is None:
            if inside:
                raise VerifyException(f"inside of a block, a buffer's space must be one of {', '.join(SPACES)}")
            return
        if self.space.data not in SPACES:
            raise VerifyException(f"space must be one of {', '.join(SPACES)}, got '{self.space.data}'")
        if not inside:
            raise VerifyException(f"a buffer of space '{self.space.data}' must be inside of a block")
        if self.in_registers and any(size.constant is None for size in shape_of(self.result)):
            raise VerifyException(f"expected a constant number of registers, got {self.result.type}")


@irdl_op_definition
class DataOp(Op):
    """A buffer of constant elements: `%c = loop.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>`."""

    name = "loop.data"
    value = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: DenseIntOrFPElementsAttr, type: Attribute):
        super().__init__(properties={"value": value}, result_types=[type])

    def verify_(self) -> None:
        if tuple(map(index, self.value.get_shape())) != shape_of(self.result):
            raise VerifyException("the shapes of data and buffer must be equal")
        if self.value.get_element_type() != element_of(self.result):
            raise VerifyException(f"expected a buffer of {self.value.get_element_type()}, got {self.result.type}")


@irdl_op_definition
class FenceOp(Op):
    """Separates the blocks before it from those after it, which must not be reordered or fused across it: `loop.fence`."""

    name = "loop.fence"
    assembly_format = "attr-dict"
