"""Builder of loop nests over the buffers of tensors, used by the rules that lower micro-ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop, uop
from ...ir.index.expressions import Index, dim
from ...ir.rewrite import Builder
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, memref_type, shape_of

AXES = "ijklmnpqrstuvw"


@dataclass
class Carry:
    """A loop nest with carried values under construction: its indices, the carried values, the value that each iteration
    stores, and the buffers of the final carried values."""

    indices: list[SSAValue]
    values: tuple[SSAValue, ...]
    stored: SSAValue | None = None
    last: Sequence[SSAValue | None] = ()


class NestWriter:
    """Writes blocks of loops at the end of a function; `buffers` maps each tensor to the buffer that holds it."""

    builder: Builder

    def __init__(self) -> None:
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.outputs: dict[SSAValue, SSAValue] = {}
        self.block: loop.BlockOp | None = None

    # Accesses

    def _load(self, tensor: SSAValue, at: Sequence[SSAValue]) -> SSAValue:
        return self._add(loop.LoadOp(self.buffers[tensor], [dim(k) for k in range(len(at))], at))

    def _store(self, op: uop.MicroOp, value: SSAValue, at: Sequence[SSAValue]) -> None:
        self.builder.add(loop.StoreOp(value, self._result(op), [dim(k) for k in range(len(at))], at))

    def _copy(self, source: SSAValue, target: SSAValue) -> None:
        with self._block(), self._loops(shape_of(target)) as at:
            access = [dim(k) for k in range(len(at))]
            self.builder.add(loop.StoreOp(self._add(loop.LoadOp(source, access, at)), target, access, at))

    def _result(self, op: uop.MicroOp) -> SSAValue:
        """The buffer of an operation's result."""
        return self._buffer(op.results[0])

    def _buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor: its output buffer, or else a new temporary, allocated before the current block."""
        if value not in self.buffers:
            self.buffers[value] = self.outputs[value] if value in self.outputs else self._allocate(value)
        return self.buffers[value]

    def _allocate(self, value: SSAValue) -> SSAValue:
        with self.builder.at(InsertPoint.before(self.block) if self.block is not None else self.builder.point):
            buffer = self._add(loop.AllocOp(memref_type(shape_of(value), element_of(value))))
        buffer.name_hint = value.name_hint
        return buffer

    # Scalars

    def _add(self, op: Operation) -> SSAValue:
        return self.builder.add(op).results[0]

    def _cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        return value if value.type == element else self._add(loop.CastOp(value, element))

    def _compute(self, function: str, operands: Sequence[SSAValue]) -> SSAValue:
        """Write a scalar function, computed in the dtype of arithmetic and rounded once to the operands' dtype."""
        element = operands[-1].type
        compute = dtype_of(element).compute.type
        wide = [value if value.type == i1 else self._cast(value, compute) for value in operands]
        result = self._add(loop.ComputeOp(function, *wide))
        return self._cast(result, element) if result.type == compute else result

    # Loops

    @contextmanager
    def _block(self) -> Iterator[None]:
        """Open a new block at the end of the function; the operations of the `with` body go into it."""
        self.block = self.builder.add(loop.BlockOp())
        with self.builder.at(self.block.body.block):
            yield
        self.block = None

    @contextmanager
    def _loops(self, shape: Sequence[Index], kinds: Sequence[str] | str = "parallel") -> Iterator[list[SSAValue]]:
        """Open a loop nest over `shape`; the operations of the `with` body go into the innermost loop. Yields the loop
        indices."""
        each = [kinds] * len(shape) if isinstance(kinds, str) else kinds
        nest = [
            loop.ForOp(kind, 0, size, hint=AXES[k % len(AXES)]) for k, (kind, size) in enumerate(zip(each, shape, strict=True))
        ]
        with ExitStack() as stack:
            for level in nest:
                self.builder.add(level)
                stack.enter_context(self.builder.at(level.body.block))
            yield [level.induction for level in nest]
            for level in reversed(nest):
                with self.builder.at(level.body.block):
                    self.builder.add(loop.YieldOp())

    @contextmanager
    def _carrying(self, kind: str, shape: Sequence[Index], start: Sequence[SSAValue], outer: int) -> Iterator[Carry]:
        """Like `_loops`, with carried scalars: the `with` body sets `carry.values`, which become the results of the nest."""
        nest: list[loop.ForOp] = []
        values = tuple(start)
        with ExitStack() as stack:
            for k, size in enumerate(shape):
                level = self.builder.add(loop.ForOp(kind, 0, size, carried=values, hint=AXES[(outer + k) % len(AXES)]))
                values = level.carried_args
                nest.append(level)
                stack.enter_context(self.builder.at(level.body.block))
            carry = Carry([level.induction for level in nest], values)
            yield carry
            for level in reversed(nest):
                with self.builder.at(level.body.block):
                    self.builder.add(loop.YieldOp(*carry.values))
                carry.values = tuple(level.results)
