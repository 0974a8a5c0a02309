"""C statements: prints each operation of the C level as one line."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects import cloop
from ...dialects.cloop import registers as cloop_registers
from ...dialects.cloop import vectors as cloop_vectors
from ...dialects.cloop.base import pointed_to
from ...dialects.cloop.calls import may_fail
from ...dialects.scalar_ops import INDEX, IndexedOp, element_type, lanes_of
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import ZERO, Apply, Index
from ...ir.scalars.attributes import elements_of, value_of
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import IndexMap
from ..emission.base import Emitter
from .functions import c_call, c_cast, c_literal
from .overflow import beyond_room
from .vectors import c_type, c_vector, from_lane, into_lane, vector_call, vector_cast


class StatementEmitter(Emitter):
    """Prints the body of a function, and collects the scalar and runtime helpers that it needs.

    `callees` are the names of called functions, `streaming` the functions with non-temporal stores, of their own or in callees.
    """

    INDENT, COMMENT = "  ", "//"

    def __init__(self):
        super().__init__()
        self.function: FuncOp
        self.helpers: dict[str, None] = {}
        self.runtime: dict[str, None] = {}
        self.callees: dict[FuncOp, str] = {}
        self.allocated: list[str] = []
        self.arena: str | None = None
        self.streaming: set[FuncOp] = set()

    @singledispatchmethod
    def print(self, op: Operation) -> None:
        """Print one operation. Raises LegalityError for operations of other levels."""
        raise LegalityError(f"'{op.name}': expected operations of the C level", op.location)

    @print.register
    def _(self, op: ReturnOp) -> None:
        # Non-temporal stores are weakly ordered, so a fence is needed. The threads of a parallel loop end with an atomic
        # addition, which orders them; callees, perhaps in a loop, leave the fence to their caller.
        ends = self.function in self.streaming and self.function not in self.callees
        fence = ["__atomic_thread_fence(__ATOMIC_SEQ_CST);"] if ends else []
        for statement in [*fence, *self._release(), "return error[0];"]:
            self._line(statement)

    @print.register
    def _(self, op: cloop.AllocateOp) -> None:
        name, (count,) = self._declare(op.result), op.count.data.results
        size = f"({self._expr(count)}){' * sw_threads' if op.each_thread is not None else ''} * (int64_t)sizeof(*{name})"
        bytes_ = count * dtype_of(pointed_to(op.result)).itemsize
        self._check_room(*((bytes_, ZERO) if op.each_thread is None else (ZERO, bytes_)))
        self._line(f"{self._pointer(op.result)}{name} = aligned_alloc(64, ((size_t)({size}) + 64) / 64 * 64);")
        self._out_of_memory(name, size)
        self.allocated.append(name)

    @print.register
    def _(self, op: cloop.ArenaOp) -> None:
        self.runtime["sw_arena"] = None
        name = self._declare(op.result)
        shared, each_thread = map(self._expr, op.size.data.results)
        self._check_room(*op.size.data.results)
        self._line(f"const int64_t sw_bytes = ({shared}) + ({each_thread}) * sw_threads;")
        self._line(f"char *{name} = sw_arena_take(sw_bytes);")
        self._out_of_memory(name, "sw_bytes")
        self.arena = name

    @print.register
    def _(self, op: cloop.SliceOp) -> None:
        shared, each_thread = op.offset.data.results
        place = self._name(op.arena)
        if shared != 0:
            place += f" + ({self._expr(shared)})"
        if each_thread != 0:
            place += f" + ({self._expr(each_thread)}) * sw_threads"
        self._line(f"{self._pointer(op.result)}{self._declare(op.result)} = (void *)({place});")

    @print.register
    def _(self, op: cloop.PrefetchOp) -> None:
        locality = "" if op.locality is None else f", 0, {op.locality.value.data}"
        self._line(f"__builtin_prefetch({self._address(op.pointer, op)}{locality});")

    @print.register
    def _(self, op: cloop.ThreadOp) -> None:
        self.runtime["sw_thread"] = None
        self._define(op.result, "sw_thread()")

    @print.register
    def _(self, op: cloop.OffsetOp) -> None:
        self._line(f"{self._pointer(op.result)}{self._declare(op.result)} = {self._address(op.pointer, op)};")

    @print.register
    def _(self, op: cloop.MisalignmentOp) -> None:
        rest, itemsize = op.bytes.value.data - 1, dtype_of(pointed_to(op.pointer)).itemsize
        self._define(op.result, f"(int64_t)(((uintptr_t){self._name(op.pointer)} & {rest}) / {itemsize})")

    @print.register
    def _(self, op: cloop.PickOp) -> None:
        (condition,) = self._exprs(op.index_map, op.operands_at)
        first, second = self._name(op.first), self._name(op.second)
        self._line(f"{self._pointer(op.result)}{self._declare(op.result)} = {condition} >= 0 ? {first} : {second};")

    @print.register
    def _(self, op: cloop.CallOp) -> None:
        handed_on = op.sizes is None and not op.indices
        parameters = "parameters" if handed_on else "sw_parameters"
        call = f"{self.callees[op.callee]}((void *const *)sw_buffers, {parameters}, error)"
        if op.callee in self.streaming:
            self.streaming.add(self.function)
        with self._indented("{", "}"):
            self._line(f"const void *const sw_buffers[] = {{{', '.join(map(self._name, op.pointers))}}};")
            if not handed_on:
                sizes = self.params.values() if op.sizes is None else map(self._expr, op.sizes.data.results)
                given = [*sizes, *map(self._name, op.indices), "sw_threads"]
                self._line(f"const int64_t sw_parameters[] = {{{', '.join(given)}}};")
            if may_fail(op.callee):
                self._line(f"if ({call} != 0) {{ {' '.join([*self._release(), 'return error[0];'])} }}")
            else:
                self._line(f"{call};")

    @print.register
    def _(self, op: cloop.DataOp) -> None:
        element = dtype_of(op.value.get_element_type())
        elements = _elements(elements_of(op.value).reshape(-1), element)
        name = self._declare(op.result)
        self._line(f"static const {element.c} {name}[] = {{{', '.join(elements) or '0'}}};")

    @print.register
    def _(self, op: cloop.BlockOp) -> None:
        with self._indented("{", "}"):
            self._block(op.body.block)

    @print.register
    def _(self, op: cloop.ForOp) -> None:
        if op.timer is not None:
            self.runtime["sw_timers"] = None
            self._line(f"const int64_t sw_started_{op.timer.value.data} = sw_nanoseconds();")
        name = self._declare(op.induction)
        lower, upper = self._exprs(op.index_map, op.operands_at)
        if op.threads is not None:
            (work,) = self._exprs(op.threads.data, op.operands_at)
            self.runtime["sw_region"] = None
            collapse = f" collapse({op.collapsed})" if op.collapse is not None else ""
            schedule = f"schedule({'static' if op.dynamic is None else 'dynamic'})"
            self._line(f"#pragma omp parallel for {schedule} num_threads(sw_threads){collapse} if ({work} >= 0)")
        if op.unroll is not None:
            self.runtime["sw_unroll"] = None
            self._line(f"SW_UNROLL({op.trips})")
        with self._indented(f"for (int64_t {name} = {lower}; {name} < {upper}; {name} += {op.step.value.data}) {{", "}"):
            self._block(op.body.block)
        if op.timer is not None:
            number = op.timer.value.data
            self._line(f"sw_timers[{number}] += sw_nanoseconds() - sw_started_{number};")

    @print.register
    def _(self, op: cloop.IfOp) -> None:
        with self._indented(f"if ({self._name(op.condition)}) {{", "}"):
            self._block(op.body.block)
        if op.otherwise is not None:
            with self._indented("else {", "}"):
                self._block(op.otherwise.block)

    @print.register
    def _(self, op: cloop.ConstantOp) -> None:
        self._define(op.result, self._literal(op.value))

    @print.register
    def _(self, op: cloop.IndexOp) -> None:
        self._define(op.result, self._exprs(op.index_map, op.operands_at)[0])

    @print.register
    def _(self, op: cloop.TestOp) -> None:
        conditions = [f"{expr} >= 0" for expr in self._exprs(op.index_map, op.operands_at)]
        self._define(op.result, " && ".join(conditions) or "true")

    @print.register
    def _(self, op: cloop.ComputeOp) -> None:
        arguments = [self._name(value) for value in op.inputs]
        element, lanes = dtype_of(element_type(op.inputs[-1].type)), lanes_of(op.result.type)
        if lanes is not None:
            self._define(op.result, vector_call(op.function.data, element, lanes, arguments))
            return
        expr, helpers = c_call(op.function.data, element, arguments)
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        self._define(op.result, expr)

    @print.register
    def _(self, op: cloop.CastOp) -> None:
        source, target = (dtype_of(element_type(value.type)) for value in (op.input, op.result))
        lanes = lanes_of(op.result.type)
        if lanes is not None:
            self._define(op.result, vector_cast(source, target, lanes, self._name(op.input)))
            return
        expr, helpers = c_cast(source, target, self._name(op.input))
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        self._define(op.result, expr)

    @print.register
    def _(self, op: cloop.VariableOp) -> None:
        start = self._name(op.start)
        self._line(f"{c_type(op.result.type)} {self._declare(op.result)} = {start};")

    @print.register
    def _(self, op: cloop.AssignOp) -> None:
        self._line(f"{self._name(op.variable)} = {self._name(op.value)};")

    @print.register
    def _(self, op: cloop_registers.RegistersOp) -> None:
        self._line(f"{c_type(op.element)} {self._declare(op.result)}[{op.count}] = {{}};")

    @print.register
    def _(self, op: cloop_registers.GetOp) -> None:
        self._define(op.result, self._register(op.registers, op))

    @print.register
    def _(self, op: cloop_registers.SetOp) -> None:
        self._line(f"{self._register(op.registers, op)} = {self._name(op.value)};")

    @print.register
    def _(self, op: cloop.LoadOp) -> None:
        if lanes_of(op.result.type) is None:
            element = f"{self._name(op.pointer)}[{self._exprs(op.index_map, op.operands_at)[0]}]"
        else:
            element = f"sw_load_{c_vector(op.result.type)}({self._address(op.pointer, op)})"
        if op.condition is not None and op.fill is not None:
            element = f"{self._name(op.condition)} ? {element} : {self._name(op.fill)}"
        self._define(op.result, element)

    @print.register
    def _(self, op: cloop.StoreOp) -> None:
        if lanes_of(op.value.type) is None:
            (offset,) = self._exprs(op.index_map, op.operands_at)
            self._line(f"{self._name(op.pointer)}[{offset}] = {self._name(op.value)};")
        elif op.streaming is not None:
            self.streaming.add(self.function)
            (beyond,) = self._exprs(op.streaming.data, op.operands_at)
            arguments = f"{self._address(op.pointer, op)}, {self._name(op.value)}, {beyond} >= 0"
            self._line(f"sw_stream_{c_vector(op.value.type)}({arguments});")
        else:
            self._line(f"sw_store_{c_vector(op.value.type)}({self._address(op.pointer, op)}, {self._name(op.value)});")

    @print.register
    def _(self, op: cloop_vectors.PartialLoadOp) -> None:
        arguments = ", ".join([self._address(op.pointer, op), *self._exprs(op.index_map, op.operands_at)[1:]])
        self._define(op.result, f"sw_load_part_{c_vector(op.result.type)}({arguments}, {self._name(op.fill)})")

    @print.register
    def _(self, op: cloop_vectors.PartialStoreOp) -> None:
        arguments = ", ".join([self._address(op.pointer, op), *self._exprs(op.index_map, op.operands_at)[1:]])
        self._line(f"sw_store_part_{c_vector(op.value.type)}({arguments}, {self._name(op.value)});")

    @print.register
    def _(self, op: cloop_vectors.GatherOp) -> None:
        arguments = ", ".join(map(self._name, op.operands))
        self._define(op.result, f"sw_gather_{c_vector(op.result.type)}({arguments})")

    @print.register
    def _(self, op: cloop_vectors.TransposeOp) -> None:
        self.runtime["sw_unroll"] = None
        bits = dtype_of(pointed_to(op.pointer)).itemsize * 8
        self._line(f"sw_transpose_i{bits}x{op.lanes.value.data}((void *)({self._address(op.pointer, op)}));")

    @print.register
    def _(self, op: cloop_vectors.BroadcastOp) -> None:
        self._define(op.result, f"sw_splat_{c_vector(op.result.type)}({self._name(op.input)})")

    @print.register
    def _(self, op: cloop_vectors.HoldOp) -> None:
        self._define(op.result, f"sw_hold_{c_vector(op.result.type)}({self._name(op.vector)})")

    @print.register
    def _(self, op: cloop_vectors.ReducePrecisionOp) -> None:
        self._define(op.result, f"sw_reduce_precision_bf16_{c_vector(op.result.type)}({self._name(op.vector)})")

    @print.register
    def _(self, op: cloop_vectors.LanesOp) -> None:
        first, lanes = op.first.value.data, lanes_of(op.result.type) or 0
        self._define(op.result, f"({c_type(op.result.type)}){{{', '.join(map(str, range(first, first + lanes)))}}}")

    @print.register
    def _(self, op: cloop_vectors.FromElementsOp) -> None:
        element = dtype_of(element_type(op.result.type))
        elements = ", ".join(into_lane(element, self._name(value)) for value in op.elements)
        self._define(op.result, f"({c_type(op.result.type)}){{{elements}}}")

    @print.register
    def _(self, op: cloop_vectors.ExtractOp) -> None:
        lane = f"{self._name(op.vector)}[{op.lane.value.data}]"
        self._define(op.result, from_lane(dtype_of(op.result.type), lane))

    @print.register
    def _(self, op: cloop_vectors.ShuffleOp) -> None:
        first, *rest = (self._name(value) for value in op.vectors)
        lanes = ", ".join(map(str, op.chosen))
        self._define(op.result, f"__builtin_shufflevector({first}, {(rest or [first])[0]}, {lanes})")

    @print.register
    def _(self, op: cloop_vectors.FoldOp) -> None:
        helper = f"sw_fold_{op.function.data}_{c_vector(op.vector.type)}"
        self._define(op.result, f"{helper}({self._name(op.vector)})")

    @print.register
    def _(self, op: cloop_vectors.ScanOp) -> None:
        helper = f"sw_scan_{op.function.data}_{c_vector(op.vector.type)}"
        self._define(op.result, f"{helper}({self._name(op.vector)})")

    @print.register
    def _(self, op: cloop.CheckOp) -> None:
        self.runtime["sw_fail"] = None
        number = op.number.value.data
        self.source.checks[number] = op
        value, *rest = self._exprs(op.index_map, op.operands_at)
        limit = rest[0] if rest else "0"
        test = f"{value} >= 0 && {value} < {limit}" if op.kind.data == "index" else f"{value} != 0"
        self._line(f"if (!({test})) sw_fail(error, {number}, {value}, {limit});")

    # Lines and identifiers

    def _define(self, value: SSAValue, expr: str) -> None:
        self._line(f"const {c_type(value.type)} {self._declare(value)} = {expr};")

    def _name(self, value: SSAValue) -> str:
        return self.names[value]

    def _release(self) -> list[str]:
        """Statements that release all memory allocated so far."""
        given = [f"sw_arena_give({self.arena});"] if self.arena is not None else []
        return [*(f"free({name});" for name in reversed(self.allocated)), *given]

    def _out_of_memory(self, name: str, size: str) -> None:
        """Return from the program if the allocation `name` of `size` bytes failed."""
        self._return_if(f"{name} == NULL", size)

    def _check_room(self, shared: Index, each_thread: Index) -> None:
        """Return from the program if the shared bytes and those for each thread exceed any machine's memory."""
        condition = beyond_room(shared, each_thread, lambda atom: self._atom(atom, ()))
        if condition:
            self._return_if(condition, "-1")

    def _return_if(self, condition: str, size: str) -> None:
        statements = " ".join([*self._release(), f"error[1] = {size};", "return error[0] = -1;"])
        self._line(f"if ({condition}) {{ {statements} }}")

    def _pointer(self, value: SSAValue) -> str:
        kind = value.type
        assert isinstance(kind, cloop.PointerType), f"expected a pointer, got {kind}"
        element, qualifier = dtype_of(kind.element).c, kind.qualifier.data
        return f"const {element} *" if qualifier == "const" else f"{element} *{qualifier}{' ' if qualifier else ''}"

    # Expressions

    def _address(self, pointer: SSAValue, op: IndexedOp) -> str:
        """A pointer to the element whose offset is the operation's first index expression."""
        return f"{self._name(pointer)} + ({self._exprs(op.index_map, op.operands_at)[0]})"

    def _register(self, registers: SSAValue, op: IndexedOp) -> str:
        """The register of an array whose index is the operation's only index expression."""
        return f"{self._name(registers)}[{self._exprs(op.index_map, op.operands_at)[0]}]"

    def _literal(self, value: FloatAttr | IntegerAttr) -> str:
        kind = dtype_of(value.type)
        expr, helpers = c_cast(kind.compute, kind, c_literal(value_of(value), kind))
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        return expr

    def _exprs(self, index_map: IndexMap, operands: tuple[SSAValue, ...]) -> list[str]:
        operand_names = [self._operand(value) for value in operands]
        return [self._expr(result, operand_names) for result in index_map.results]

    def _operand(self, value: SSAValue) -> str:
        name = self._name(value)
        return name if value.type == INDEX or dtype_of(value.type).name == "int64" else f"(int64_t){name}"

    def _application(self, atom: Apply, lhs: str, rhs: str) -> str:
        divisor = atom.rhs.constant or 0
        # Shifts are arithmetic in every compiler, and cheaper to compile than the cases of a floor division.
        if divisor.bit_count() == 1 and atom.op not in ("min", "max"):
            quotient = atom.op in ("div", "floordiv")
            return f"(({lhs}) >> {divisor.bit_length() - 1})" if quotient else f"(({lhs}) & {divisor - 1})"
        if atom.op in ("div", "rem"):
            return f"(({lhs}) {'/' if atom.op == 'div' else '%'} ({rhs}))"
        self.runtime[f"sw_{atom.op}"] = None
        return f"sw_{atom.op}({lhs}, {rhs})"


def _elements(values: Any, kind: DType) -> list[str]:
    """Literals of a static array's elements. Elements of types that C lacks are stored as bits, since conversions are not
    constant expressions in C."""
    if kind.held_as is not None:
        return [str(bits) for bits in values.view(f"uint{kind.bits}").tolist()]
    return [c_literal(value, kind) for value in values.tolist()]
