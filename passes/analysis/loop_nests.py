"""Loop nests as trees, with their accesses as comparable index expressions.

Operations of the loop level write their addresses over their own operands. A `Frame` gives every loop index and every scalar of
a function one number. Every address then is an expression over these numbers, so that the addresses of any two accesses can be
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import loop
from ...dialects.scalar_ops import map_attr
from ...ir.debug_counters import may_rewrite
from ...ir.functions.entry import lowered_functions
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, dim, index
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.scalars.attributes import number
from ...ir.types.shapes import IndexMap

AccessOp = loop.LoadOp | loop.StoreOp | loop.UpdateOp


@dataclass(eq=False)
class Access:
    """One load, store or update: the buffer and the address, over the numbers of a frame."""

    op: AccessOp
    buffer: SSAValue
    exprs: tuple[Index, ...]

    @staticmethod
    def of(op: AccessOp, frame: Frame) -> Access:
        """The access of an operation."""
        return Access(op, op.buffer, frame.exprs(op))

    @property
    def writes(self) -> bool:
        return not isinstance(self.op, loop.LoadOp)

    @property
    def dims(self) -> frozenset[int]:
        """The numbers of the loops and scalars that the address depends on."""
        return frozenset().union(*(expr.dims() for expr in self.exprs))


@dataclass(eq=False)
class Node:
    """A block, a loop or a statement, with the nodes inside it and all accesses inside it by buffer."""

    op: Operation
    items: list[Node] = field(default_factory=list)
    accesses: dict[SSAValue, list[Access]] = field(default_factory=dict)
    written: set[SSAValue] = field(default_factory=set)
    size: int = 1

    @property
    def loops(self) -> list[Node]:
        return [item for item in self.items if isinstance(item.op, loop.ForOp)]

    def note(self, accesses: Mapping[SSAValue, Sequence[Access]]) -> None:
        """Add accesses of nested operations."""
        for buffer, each in accesses.items():
            self.accesses.setdefault(buffer, []).extend(each)
            if any(access.writes for access in each):
                self.written.add(buffer)

    def absorb(self, other: Node) -> None:
        """Add the accesses of another node, whose content was moved into this one."""
        self.note(other.accesses)
        self.size += other.size

    def conflicts(self, other: Node) -> bool:
        """Whether one node writes a buffer that the other accesses."""
        # Views of keys iterate over the shorter side; building sets would iterate over all keys of a mapping.
        return not (other.accesses.keys().isdisjoint(self.written) and self.accesses.keys().isdisjoint(other.written))

    def walk(self) -> Iterator[Node]:
        yield self
        for item in self.items:
            yield from item.walk()


class Frame:
    """Numbers the loop indices and scalars of a function, and records the ranges of the loops."""

    def __init__(self):
        self._numbers: dict[SSAValue, int] = {}
        self._values: list[SSAValue] = []
        self._bounds: dict[int, tuple[Index, Index]] = {}

    def number(self, value: SSAValue) -> int:
        found = self._numbers.setdefault(value, len(self._values))
        if found == len(self._values):
            self._values.append(value)
        return found

    def index(self, value: SSAValue) -> Index:
        """A loop index or scalar as an expression."""
        return dim(self.number(value))

    def same(self, value: SSAValue, other: SSAValue) -> None:
        """Give a new value the number of the one that it replaces."""
        self._numbers[value] = self.number(other)
        self._values[self._numbers[value]] = value

    def exprs(self, op: loop.IndexedOp, index_map: IndexMap | None = None) -> tuple[Index, ...]:
        """The numbers of the loops on which data in the expressions, such as elements of index tensors, depends."""
        chosen = index_map if index_map is not None else op.index_map
        return chosen.apply([dim(self.number(value)) for value in op.operands_at])

    def guards(self, op: loop.IndexedOp) -> tuple[Index, ...]:
        guards = op.guard_exprs
        return self.exprs(op, IndexMap.of(op.index_map.dims, guards)) if guards else ()

    def loops_of_data(self, exprs: Iterable[IndexLike]) -> set[int]:
        """The numbers of the loops that the data in expressions, such as elements of index tensors, is computed with."""
        values = {self._values[number] for expr in exprs for number in index(expr).dims()}
        pending = [value for value in values if not isinstance(value, BlockArgument)]
        seen, found = set[SSAValue](pending), set[int]()
        while pending:
            owner = pending.pop().owner
            for value in () if isinstance(owner, Block) else (each for op in owner.walk() for each in op.operands):
                if isinstance(value, BlockArgument) and value in self._numbers:
                    found.add(self._numbers[value])
                elif value not in seen:
                    seen.add(value)
                    pending.append(value)
        return found

    def local(self, exprs: Sequence[IndexLike]) -> tuple[tuple[Index, ...], tuple[SSAValue, ...]]:
        """Convert expressions over the frame's numbers to an operation's form: expressions over the operands that they use."""
        used = sorted({number for expr in exprs for number in index(expr).dims()})
        renamed: dict[Atom, IndexLike] = {Dim(number): dim(k) for k, number in enumerate(used)}
        return tuple(index(expr).substitute(renamed) for expr in exprs), tuple(self._values[number] for number in used)

    def write(self, op: loop.IndexedOp, exprs: Sequence[IndexLike], guards: Sequence[Index] = ()) -> None:
        """Set an operation's expressions, given over the frame's numbers."""
        local, at = self.local((*exprs, *guards))
        op.set_operands_at(at)
        op.properties["map"] = map_attr(at, local[: len(exprs)])
        if guards:
            op.properties["guards"] = map_attr(at, local[len(exprs) :])
        else:
            op.properties.pop("guards", None)
            op.properties.pop("fill", None)

    def adapt(self, op: loop.IndexedOp, places: Mapping[Atom, IndexLike], guards: Sequence[Index] = ()) -> None:
        """Substitute expressions for numbers in an operation; accesses and checks also get further guards."""
        exprs = [expr.substitute(places) for expr in self.exprs(op)]
        own = [guard.substitute(places) for guard in self.guards(op)]
        added = [guard for guard in guards if guard not in own] if isinstance(op, AccessOp | loop.CheckOp) else []
        self.write(op, exprs, [*own, *added])
        if isinstance(op, loop.LoadOp) and added and op.fill is None:
            op.properties["fill"] = number(0, op.result.type)

    def enter(self, level: loop.ForOp) -> None:
        """Record the range of a loop's index, unless it depends on other loops."""
        lower, upper = self.exprs(level)
        number = self.number(level.induction)
        if lower.dims() or upper.dims():
            self._bounds.pop(number, None)
        else:
            self._bounds[number] = (lower, upper - 1)

    def ranges(self, numbers: Iterable[int]) -> Ranges:
        """The known ranges of these loop indices; loops whose bounds depend on other loops have none."""
        return Ranges.of_loops({number: self._bounds[number] for number in numbers if number in self._bounds})

    def tree(self, op: Operation) -> Node:
        """The tree of a block, a loop or a statement."""
        node = Node(op)
        if isinstance(op, loop.ForOp):
            self.enter(op)
        if isinstance(op, AccessOp):
            node.note({op.buffer: [Access.of(op, self)]})
        for region in op.regions:
            for item in self.trees(region.block):
                node.items.append(item)
                node.absorb(item)
        return node

    def trees(self, block: Block) -> list[Node]:
        """The trees of a body, without its yield."""
        return [self.tree(op) for op in block.ops if not isinstance(op, loop.YieldOp)]


def lowered_blocks(module: ModuleOp) -> Iterator[loop.BlockOp]:
    """The blocks of all lowered functions. The caller may replace a block, or insert others before and after it, meanwhile."""
    for function in lowered_functions(module):
        for op in list(function.body.block.ops):
            if isinstance(op, loop.BlockOp) and may_rewrite(op):
                yield op


def loops_that_carry(module: ModuleOp) -> Iterator[tuple[Frame, list[loop.ForOp]]]:
    """The loops of each block that has loop-carried values, from outside in, and the frame that has numbered the block. Blocks
    without carried values are not numbered: that would take longer than testing for such values."""
    for block in lowered_blocks(module):
        levels = [op for op in operations(block) if isinstance(op, loop.ForOp)]
        if any(level.carried for level in levels):
            frame = Frame()
            frame.tree(block)
            yield frame, levels


def rewrite_loops(
    body: Block, frame: Frame, rewrite: Callable[[loop.ForOp, Sequence[int]], bool], around: Sequence[int] = ()
) -> None:
    """Call `rewrite` on the loops of a body from outside in, each with the numbers of the enclosing loops and its own.
    `rewrite` returns whether it has rewritten the loop; otherwise the loops inside are visited."""
    for op in list(body.ops):
        here = around
        if isinstance(op, loop.ForOp):
            frame.enter(op)
            here = (*around, frame.number(op.induction))
            if rewrite(op, here):
                continue
        for region in op.regions:
            rewrite_loops(region.block, frame, rewrite, here)


def substitute(accesses: Mapping[SSAValue, Sequence[Access]], replacements: Mapping[Atom, IndexLike]) -> None:
    """Substitute expressions for numbers in the addresses."""
    for each in accesses.values():
        for access in each:
            access.exprs = tuple(expr.substitute(replacements) for expr in access.exprs)
