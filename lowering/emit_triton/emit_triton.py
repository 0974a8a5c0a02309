"""Triton emitter: prints the kernels of the tile level as Python, one line for each operation.

The emitted file has the helpers that are used and one `@triton.jit` function for each kernel. A kernel takes pointers to its
buffers, then its integers, and, if it has run-time checks, a pointer to three 64-bit integers: the number of the check that
failed first (0 for none), the value and the limit. In memory a bool is an int8.

Every identifier is `sw_<number>` with a hint of letters and digits: no text of the user's reaches the compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatchmethod

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects import tile
from ...dialects.tile.base import common_shape, element_dtype, lanes
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import Apply, Index
from ...ir.scalars.attributes import value_of
from ...ir.types.dtypes import BOOL, FLOAT32, DType, dtype_of
from ..emission.base import Emitter
from ..emission.source_text import SourceText
from .functions import TRITON_PREAMBLE, held_constant, triton_call, triton_cast, triton_full, triton_helpers
from .helpers import float8_dot, tile_helper


def emit_triton(module: ModuleOp) -> SourceText:
    """The Python source of the kernels of a module on the tile level."""
    emitter = TritonEmitter()
    for kernel in kernels(module):
        emitter.emit(kernel)
    return emitter.assemble()


def kernels(module: ModuleOp) -> list[FuncOp]:
    """The kernels of a module, in order."""
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and "sw.kernel" in op.attributes]


def kernel_params(kernel: FuncOp) -> tuple[str, ...]:
    """The names of a kernel's integer parameters."""
    params = kernel.attributes["sw.params"]
    assert isinstance(params, ArrayAttr), "sw.params is an array of names"
    return tuple(param.data for param in params if isinstance(param, StringAttr))


def has_checks(kernel: FuncOp) -> bool:
    """Whether a kernel has run-time checks, and so takes a pointer to the error record."""
    return any(isinstance(op, tile.CheckOp) for op in kernel.walk())


class TritonEmitter(Emitter):
    """Prints kernels."""

    INDENT, COMMENT = "    ", "#"

    def __init__(self):
        super().__init__()
        self.error = ""
        self.fast = False
        self.helpers: set[str] = set()
        self.tile_helpers: dict[str, str] = {}

    def assemble(self) -> SourceText:
        """The whole file."""
        preamble = [TRITON_PREAMBLE, triton_helpers(self.helpers)]
        preamble += [f"\n\n{self.tile_helpers[name]}" for name in sorted(self.tile_helpers)]
        lines: list[tuple[str, Operation | None]] = [(line, None) for line in "".join(preamble).splitlines()]
        return SourceText([*lines, *self.source.lines], self.source.checks)

    def emit(self, kernel: FuncOp) -> None:
        """Print one kernel."""
        self.op = kernel
        self.fast = "sw.fast" in kernel.attributes
        pointers = [self._declare(arg) for arg in kernel.args]
        self.params = {param: self.fresh.make(param) for param in kernel_params(kernel)}
        self.error = self.fresh.make("error") if has_checks(kernel) else ""
        integers = [f"{name}: tl.int64" for name in self.params.values()]
        signature = ", ".join([*pointers, *integers, *([self.error] if self.error else [])])
        self.source.lines += [("", None), ("", None), ("@triton.jit", kernel)]
        self.source.lines.append((f"def {kernel.sym_name.data}({signature}):", kernel))
        # The interpreter passes small integers in narrower types than declared.
        kind = "tl.int32" if "sw.narrow" in kernel.attributes else "tl.int64"
        for name in self.params.values():
            self._line(f"{name} = {name}.to({kind})")
        self._block(kernel.body.block)

    @singledispatchmethod
    def print(self, op: Operation) -> None:
        """Print one operation. Raises LegalityError for operations of other levels."""
        raise LegalityError(f"'{op.name}': expected operations of the tile level", op.location)

    @print.register
    def _(self, op: ReturnOp) -> None:
        self._line("return")

    @print.register
    def _(self, op: tile.ProgramIdOp) -> None:
        self._define(op.result, f"tl.program_id(0).to({dtype_of(op.result.type).triton})")

    @print.register
    def _(self, op: tile.ArangeOp) -> None:
        shape = lanes(op.result)
        place = ", ".join(":" if k == op.axis else "None" for k in range(len(shape)))
        spread = f"[{place}]" if len(shape) > 1 else ""
        self._define(op.result, f"tl.arange(0, {shape[op.axis]}){spread}.to({element_dtype(op.result).triton})")

    @print.register
    def _(self, op: tile.ConstantOp) -> None:
        kind = element_dtype(op.result)
        self._cast_into(op.result, triton_full(self._shape(op.result), value_of(op.value), kind), held_constant(kind))

    @print.register
    def _(self, op: tile.IndexOp) -> None:
        text = self._expr(op.index_map.results[0], self._operands(op.operands_at))
        found = common_shape([lanes(value) for value in op.operands_at])
        if found == lanes(op.result):
            self._define(op.result, text)
        elif found:
            self._define(op.result, f"tl.broadcast_to({text}, {self._shape(op.result)})")
        else:
            self._define(op.result, f"tl.full({self._shape(op.result)}, {text}, {element_dtype(op.result).triton})")

    @print.register
    def _(self, op: tile.TestOp) -> None:
        conditions = [self._condition(expr, op) for expr in op.index_map.results]
        text = " & ".join(f"({condition})" for condition in conditions) if len(conditions) != 1 else conditions[0]
        self._define(op.result, text or f"tl.full({self._shape(op.result)}, True, tl.int1)")

    @print.register
    def _(self, op: tile.ComputeOp) -> None:
        given = [self.names[value] for value in op.inputs]
        text, helpers = triton_call(op.function.data, element_dtype(op.inputs[-1]), given, self.fast)
        self.helpers |= helpers
        self._define(op.result, text)

    @print.register
    def _(self, op: tile.CastOp) -> None:
        self._cast_into(op.result, self.names[op.input], element_dtype(op.input))

    @print.register
    def _(self, op: tile.BroadcastOp) -> None:
        self._define(op.result, f"tl.broadcast_to({self.names[op.input]}, {self._shape(op.result)})")

    @print.register
    def _(self, op: tile.LoadOp) -> None:
        mask = f", mask={self.names[op.mask]}, other=0" if op.mask is not None else ""
        text = f"tl.load({self._pointer(op, op.result)}{mask})"
        self._define(op.result, f"{text} != 0" if element_dtype(op.result) is BOOL else text)

    @print.register
    def _(self, op: tile.StoreOp) -> None:
        mask = f", mask={self.names[op.mask]}" if op.mask is not None else ""
        value = self.names[op.value] + (".to(tl.int8)" if element_dtype(op.value) is BOOL else "")
        self._line(f"tl.store({self._pointer(op, op.value)}, {value}{mask})")

    @print.register
    def _(self, op: tile.AtomicOp) -> None:
        mask = f", mask={self.names[op.mask]}" if op.mask is not None else ""
        function = f"tl.atomic_{op.accumulator.data}"
        self._line(f'{function}({self._pointer(op, op.value)}, {self.names[op.value]}{mask}, sem="relaxed")')

    @print.register
    def _(self, op: tile.BarrierOp) -> None:
        self._line("tl.debug_barrier()")

    @print.register
    def _(self, op: tile.FinishOp) -> None:
        counter, number = self.names[op.counter], self.fresh.make("arrived")
        # All threads store before the one addition, which makes their stores visible to the last program.
        self._line("tl.debug_barrier()")
        self._line(f'{number} = tl.atomic_add({counter}, 1, sem="acq_rel")')
        with self._indented(f"if {number} == tl.num_programs(0) - 1:"):
            self._line(f"tl.store({counter}, 0)")
            self._block(op.body.block)

    @print.register
    def _(self, op: tile.ReduceOp) -> None:
        name = self._tile_helper("reduce", op.accumulator.data, op.input)
        self._define(op.result, f"{name}({self.names[op.input]}, {op.axis.value.data})")

    @print.register
    def _(self, op: tile.ScanOp) -> None:
        name = self._tile_helper("scan", op.accumulator.data, op.input)
        self._define(op.result, f"{name}({self.names[op.input]}, {op.axis.value.data})")

    @print.register
    def _(self, op: tile.DotOp) -> None:
        name = self._dot_helper(op)
        self._define(op.result, f"{name}({self.names[op.a]}, {self.names[op.b]}, {self.names[op.start]})")

    @print.register
    def _(self, op: tile.ForOp) -> None:
        for start, arg, result in zip(op.carried, op.carried_args, op.results, strict=True):
            # A single mutable variable is the initial value, the carried value and the result.
            self._line(f"{self._declare(arg)} = {self.names[start]}")
            self.names[result] = self.names[arg]
        operands = self._operands(op.operands_at)
        lower, upper = (self._expr(bound, operands) for bound in op.index_map.results)
        with self._indented(f"for {self._declare(op.induction)} in range({lower}, {upper}, {op.step.value.data}):"):
            self._block(op.body.block)

    @print.register
    def _(self, op: tile.YieldOp) -> None:
        level = op.parent_op()
        assert isinstance(level, tile.ForOp), "tile.yield ends a loop"
        pairs = [(self.names[arg], self.names[value]) for arg, value in zip(level.carried_args, op.values, strict=True)]
        changed = [(target, value) for target, value in pairs if target != value]
        if changed:
            self._line(f"{', '.join(target for target, _ in changed)} = {', '.join(value for _, value in changed)}")
        elif op.prev_op is None:
            self._line("pass")

    @print.register
    def _(self, op: tile.CheckOp) -> None:
        number = op.number.value.data
        self.source.checks[number] = op
        name = self._tile_helper("check", "", op.value)
        value, limit, failed = (self.names[operand] for operand in op.operands)
        self._line(f"{name}({self.error}, {number}, {value}, {limit}, {failed})")

    # Lines and names

    def _define(self, value: SSAValue, expr: str) -> None:
        self._line(f"{self._declare(value)} = {expr}")

    def _cast_into(self, value: SSAValue, expr: str, source: DType) -> None:
        text, helpers = triton_cast(source, element_dtype(value), expr)
        self.helpers |= helpers
        self._define(value, text)

    def _dot_helper(self, op: tile.DotOp) -> str:
        a, b = element_dtype(op.a), element_dtype(op.b)
        if a.is_stored_only:
            return self._keep_helper(*float8_dot(a, b))
        return self._tile_helper("dot", "tf32" if op.tf32 is not None else "ieee", op.a)

    def _tile_helper(self, kind: str, function: str, value: SSAValue) -> str:
        return self._keep_helper(*tile_helper(kind, function, element_dtype(value)))

    def _keep_helper(self, name: str, text: str, needed: set[str]) -> str:
        self.tile_helpers[name] = text
        self.helpers |= needed
        return name

    def _shape(self, value: SSAValue) -> str:
        return f"[{', '.join(map(str, lanes(value)))}]"

    # Expressions

    def _pointer(self, op: tile.LoadOp | tile.StoreOp | tile.AtomicOp, value: SSAValue) -> str:
        """A tile of pointers to the elements, one per lane of `value`."""
        text = self._expr(op.index_map.results[0], self._operands(op.operands_at))
        return f"{self.names[op.buffer]} + {self._tile_of(text, op.operands_at, value)}"

    def _tile_of(self, text: str, operands: Sequence[SSAValue], value: SSAValue) -> str:
        """The text of an expression over `operands` as a tile with the shape of `value`, parenthesised for use as an
        operand."""
        found = common_shape([lanes(operand) for operand in operands])
        if not found:
            return f"tl.full({self._shape(value)}, {text}, tl.int64)"
        if found != lanes(value):
            return f"tl.broadcast_to({text}, {self._shape(value)})"
        return _wrapped(text)

    def _operands(self, values: Sequence[SSAValue]) -> list[str]:
        return [self.names[value] for value in values]

    def _condition(self, expr: Index, op: tile.TestOp) -> str:
        """`expr >= 0` as a tile. In Triton's interpreter, comparisons of scalars give integers, even after broadcasting."""
        operands = self._operands(op.operands_at)
        if common_shape([lanes(op.operands_at[k]) for k in expr.dims()]):
            return self._comparison(expr, operands)
        return f"tl.full({self._shape(op.result)}, {self._expr(expr, operands)}, tl.int64) >= 0"

    def _comparison(self, expr: Index, operands: list[str]) -> str:
        """`expr >= 0`, with negative terms moved to the other side."""
        positive = Index([(monomial, factor) for monomial, factor in expr.terms if factor > 0])
        negative = positive - expr
        if negative.offset == 1 and negative != 1:
            return f"{self._expr(negative - 1, operands)} < {self._expr(positive, operands)}"
        if positive.constant is not None:
            # Triton recognises that the lanes below a multiple of 4 are masked 4 at a time, but not if they are compared with
            # the multiple minus 1.
            return f"{self._expr(negative, operands)} < {self._expr(positive + 1, operands)}"
        return f"{self._expr(positive, operands)} >= {self._expr(negative, operands)}"

    def _application(self, atom: Apply, lhs: str, rhs: str) -> str:
        if atom.op in ("div", "rem"):
            return f"({_wrapped(lhs)} {'//' if atom.op == 'div' else '%'} {_wrapped(rhs)})"
        if atom.op in ("min", "max"):
            return f"tl.{atom.op}imum({lhs}, {rhs})"
        name, text, _ = tile_helper(atom.op, "", FLOAT32)
        self.tile_helpers[name] = text
        return f"{name}({lhs}, {rhs})"


def _wrapped(text: str) -> str:
    """Parenthesise a text, unless it is a single name or number or parenthesised already."""
    return text if text.isidentifier() or text.isdigit() or _is_enclosed(text) else f"({text})"


def _is_enclosed(text: str) -> bool:
    """Whether the first and the last character are matching parentheses."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[0] == "(" and position == len(text) - 1
    return False
