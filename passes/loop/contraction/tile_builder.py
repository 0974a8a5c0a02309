"""Tile builder: the register tile and epilogue that all schedules of contractions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Generic, NamedTuple, Self, TypeVar

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, index, minimum, product
from ....ir.rewrite import Builder
from ....ir.scalars.attributes import number
from ....ir.scalars.table import scalar
from ....ir.types.dtypes import dtype_of
from ...analysis.contractions import Axis, Contraction, extent, is_of_bfloat16
from ...analysis.loop_nests import Frame
from ...analysis.strides import loads_in_vectors
from ...manager.options import limited
from ..builder import Writer

# Registers are named individually, and C compilers unroll the loops over them: much larger tiles than any machine has registers
# for would compile for a minute.
MOST_ROWS, MOST_VECTORS = 32, 8
# The smallest vector register of the supported processors.
LEAST_VECTOR = 16
# Narrow tiles need so many rows for their accumulations to hide the latency of addition.
NARROW_ROWS = 12
# A single row or column is not tiled: it reuses no load.
LEAST_NARROW = 2
# A sum of fewer products than this does not pay for a partial tile.
SHORT_SUM = 8


@dataclass(frozen=True)
class Tiles:
    """A tile has `rows` rows and `vectors` vectors of `bytes` bytes. Contractions known to have fewer than `least` rows or
    columns stay loops, unless tiles as narrow as their columns fit: narrow tiles need two rows and two columns, and whole
    vectors if the sums are short. `fused` contracts to FMA, `pairs` adds two products of bfloat16 numbers at once. Up to
    `unrolled` statements after a sum, with long functions counted as several, are unrolled for each vector of a tile (a bias
    and an activation, or a step of descent with momentum, are within that); longer epilogues, and those that run lane by lane,
    are a loop over the tile in memory, to bound the code size."""

    rows: int = limited(8, most=MOST_ROWS)
    vectors: int = limited(2, most=MOST_VECTORS)
    bytes: int = limited(64, most=256, power_of_two=True)
    least: int = limited(4, least=0)
    fused: int = limited(1, least=0, most=1)
    pairs: int = limited(0, least=0, most=1)
    unrolled: int = limited(12, least=0)

    def fitting(self, found: Contraction) -> Self | None:
        """Tiles for a contraction, as narrow as its columns if it is known to have fewer than a tile; None if loops are better.

        Narrow tiles use the remaining registers for more rows. A partial tile goes through memory for its epilogue, which does
        not pay for short sums.
        """
        narrow = self._narrow(found)
        if narrow is None:
            return None if self.is_small(found) else self
        total, columns = extent(found.reduced).constant, extent(found.columns[-1:])
        is_ragged = columns % loop.lanes_in(narrow.bytes, dtype_of(found.element).bits) != 0
        is_short = total is not None and total <= SHORT_SUM
        return None if narrow.is_small(found) or (is_short and is_ragged) else narrow

    def _narrow(self, found: Contraction) -> Self | None:
        """Tiles as wide as the columns, or slightly wider. None unless they are narrower than the usual tiles."""
        columns, rows = found.columns[-1].upper.constant, found.rows[-1].upper.constant
        taken = 0 if columns is None else columns * dtype_of(found.element).itemsize
        vectors, size = -(-taken // self.bytes), min(self.bytes, max(LEAST_VECTOR, 1 << (taken - 1).bit_length()))
        if not taken or vectors * size >= self.vectors * self.bytes:
            return None
        most = min(NARROW_ROWS, self.rows * self.vectors // vectors)
        tiles = -(-rows // most) if rows else 0
        high = -(-rows // tiles) if rows else most  # tiles as even as rows allow
        return replace(self, rows=high, vectors=vectors, bytes=size, least=min(self.least, LEAST_NARROW))

    def is_small(self, found: Contraction) -> bool:
        """Whether a contraction is known to have too few rows or columns, or nothing to sum."""
        return extent(found.reduced).constant == 0 or self.is_few(extent(found.rows)) or self.is_few(extent(found.columns))

    def is_few(self, size: Index) -> bool:
        """Whether a number of rows or columns is known to be too small for tiles."""
        return size.constant is not None and size.constant < self.least


class Border(Enum):
    """How rows or columns beyond the last one of a partial tile are read; their sums are not stored."""

    NONE = "there are none"
    GUARDED = "zeros"
    LAST = "the last one again"


class Summed(NamedTuple):
    """The summed indices of an operand's element, and an expression that is non-negative where they are in bounds."""

    places: Mapping[Atom, IndexLike]
    guards: Sequence[Index] = ()


@dataclass(frozen=True)
class Tile:
    """The indices shared by all elements of a tile, and its start in the last row and column loop."""

    places: Mapping[Atom, IndexLike]
    row: Index
    column: Index


# The sizes that a writer of tiles uses: `Tiles`, or a subclass with further options.
Sizes = TypeVar("Sizes", bound=Tiles)
# A position in the loops over the summed indices.
Position = TypeVar("Position")


class TileWriter(Generic[Sizes]):
    """Writes tiles of one contraction, derived from the sum, except for the epilogue."""

    def __init__(self, found: Contraction, frame: Frame, sizes: Sizes):
        self.found = found
        self.frame = frame
        self.sizes = sizes
        self.lanes = loop.lanes_in(sizes.bytes, dtype_of(found.element).bits)
        self.width = sizes.vectors * self.lanes
        self.writer = Writer(frame, Builder(InsertPoint.before(found.nest), found.addition))
        # Whether an element of an operand is a pair of bfloat16 numbers: at an index of a summed loop, and half the loop's size
        # further on.
        self.paired = sizes.pairs == 1 and is_of_bfloat16(found, extent(found.reduced))

    def _atom(self, level: Axis) -> Atom:
        return Dim(self.frame.number(level.induction))

    def _panel(self, loops: Sequence[Axis], panel: Index, size: int) -> tuple[dict[Atom, IndexLike], Index]:
        """The indices of all loops but the last for a panel, and the panel's start in the last one."""
        across = ceildiv(loops[-1].upper, size)
        if len(loops) == 1:
            return {}, panel * size
        at = digits(panel // across, [level.upper for level in loops[:-1]])
        return {self._atom(level): each for level, each in zip(loops[:-1], at, strict=True)}, panel % across * size

    # Sums

    def _packed(self, values: Sequence[SSAValue]) -> SSAValue:
        """A value of an operand, or two of them as a pair."""
        return self.writer.compute("pack_bfloat16", *values) if self.paired else values[0]

    def _start_sums(self, registers: SSAValue) -> SSAValue:
        """Clear the registers of a tile. Returns registers for a row of the right operand."""
        zero = self.writer.constant(number(0, self.found.element))
        with self._elements() as at:
            self.writer.store(zero, registers, at)
        return self.writer.allocate((self.sizes.vectors, self.lanes), self.found.element, "register", "held")

    def _add_products(
        self,
        registers: SSAValue,
        held: SSAValue,
        left: Callable[[Index], SSAValue],
        right: Callable[[Index], SSAValue],
        vectors: int | None = None,
    ) -> None:
        """Add the product of a column of the left operand and a row of the right one to a tile, or to the first vectors of its
        rows, loading each element once."""
        with self._columns(vectors) as (vector, lane):
            self.writer.store(right(vector * self.lanes + lane), held, [vector, lane])
        with self.writer.loop("unroll", 0, self.sizes.rows, hint="row") as row:
            factor = left(row)
            with self._columns(vectors) as (vector, lane):
                before = self.writer.load(registers, [row, vector, lane])
                total = self._multiply_add(factor, self.writer.load(held, [vector, lane]), before)
                self.writer.store(total, registers, [row, vector, lane])

    def _multiply_add(self, a: SSAValue, b: SSAValue, total: SSAValue) -> SSAValue:
        if self.paired:
            return self.writer.compute("dot_bfloat16", a, b, total)
        if self.sizes.fused and dtype_of(self.found.element).kind == "float":
            return self.writer.compute("fma", a, b, total)
        return self.writer.compute("add", total, self.writer.compute("mul", a, b))

    def _sum_products(
        self,
        registers: SSAValue,
        tile: Tile,
        summed: Callable[[], AbstractContextManager[Position]],
        left: Callable[[Index, Position], SSAValue],
        right: Callable[[Border], Callable[[Index, Position], SSAValue]],
        *,
        packs_border: bool = False,
    ) -> None:
        """Sum the products of a tile in the loops that `summed` opens, with `left(row, position)` and `right(border)(column,
        position)`. The last tile may have few columns: then only half of its vectors are used. With `packs_border` a partial
        tile reads a packed copy of the right operand."""
        held = self._start_sums(registers)

        def write(vectors: int, border: Border) -> None:
            read = right(border)
            with summed() as at:
                self._add_products(registers, held, lambda row: left(row, at), lambda column: read(column, at), vectors)

        every, few = self.sizes.vectors, self.sizes.vectors // 2
        last = self._last_columns()
        # A partial tile that reads its own copy may have many columns, unless their number is known.
        is_few = few > 0 and (not packs_border if last is None else 0 < last <= few * self.lanes)
        if last == 0 or not (is_few or packs_border):
            write(every, Border.NONE)
            return
        taken = self.width if packs_border else few * self.lanes + 1
        with self.writer.either(self.found.columns[-1].upper - tile.column - taken) as (many, rest):
            with self.writer.inside(many):
                write(every, Border.NONE)
            with self.writer.inside(rest):
                write(few if is_few else every, Border.GUARDED)

    def _last_columns(self) -> int | None:
        """The number of columns of a partial last tile, 0 if it is whole; None if it is not known."""
        columns = self.found.columns[-1].upper.constant
        return None if columns is None else columns % self.width

    # Epilogue

    def _prefetch(self, tile: Tile) -> None:
        """Prefetch the rows that the epilogue reads and writes, before the products are added.

        A row that is not aligned to a cache line ends in a line in which none of its vectors starts.
        """
        accesses = [op for op in self.found.after if isinstance(op, loop.LoadOp | loop.StoreOp) and self._is_along_rows(op)]
        # Prefetch addresses that are read and then written once.
        rows = {(op.buffer, tuple(self.frame.exprs(op))): None for op in accesses}
        with self.writer.loop("parallel", 0, self.sizes.rows, hint="row") as row:
            with self.writer.loop("parallel", 0, self.width, step=self.lanes, hint="vector") as vector:
                self._prefetch_at(rows, self._places(tile, row, vector))
            self._prefetch_at(rows, self._places(tile, row, index(self.width - 1)))

    def _prefetch_at(self, rows: Iterable[tuple[SSAValue, tuple[Index, ...]]], places: Mapping[Atom, IndexLike]) -> None:
        for buffer, exprs in rows:
            self.writer.prefetch(buffer, [expr.substitute(places) for expr in exprs])

    def _reads_along_rows(self) -> bool:
        """Whether the epilogue loads another value for each element, contiguous along the rows of results."""
        return any(isinstance(op, loop.LoadOp) and self._is_along_rows(op) for op in self.found.after)

    def _is_along_rows(self, op: loop.LoadOp | loop.StoreOp) -> bool:
        rows, columns = self._atom(self.found.rows[-1]), self._atom(self.found.columns[-1])
        return rows in self._dims_of(op) and self.frame.exprs(op)[-1].coefficient(columns) == 1

    def _finish(self, registers: SSAValue, tile: Tile) -> None:
        """Write the epilogue for each element of a tile. An epilogue of many or long statements, with guards, or that runs lane
        by lane is written once, in loops that read the tile from memory: in registers it would be unrolled for each vector.
        """
        rows, columns, after = self.found.rows, self.found.columns, self.found.after
        in_vectors = loads_in_vectors(after, columns[-1].induction, self.lanes, self.frame)
        whole = [rows[-1].upper - tile.row - self.sizes.rows, columns[-1].upper - tile.column - self.width]
        with self.writer.builder.source(self.found.nest), self.writer.either(*whole) as (inside, border):
            with self.writer.inside(inside):
                if sum(map(_length, after)) > self.sizes.unrolled or not in_vectors:
                    self._finish_in_loops(registers, tile, self.sizes.rows, guarded=False)
                else:
                    with self._elements() as (row, vector, lane):
                        total = self.writer.load(registers, [row, vector, lane])
                        self._finish_element(total, tile, row, vector * self.lanes + lane, guarded=False)
            with self.writer.inside(border):
                height = minimum(self.sizes.rows, rows[-1].upper - tile.row)
                self._finish_in_loops(registers, tile, height, guarded=True)

    def _finish_in_loops(self, registers: SSAValue, tile: Tile, height: IndexLike, *, guarded: bool) -> None:
        finished = self.writer.allocate((self.sizes.rows, self.width), self.found.element, "thread", "finished")
        with self._elements() as (row, vector, lane):
            self.writer.store(self.writer.load(registers, [row, vector, lane]), finished, [row, vector * self.lanes + lane])
        with (
            self.writer.loop("parallel", 0, height, hint="row") as row,
            self.writer.loop("parallel", 0, self.width, step=self.lanes, hint="vector") as vector,
            self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            self._finish_element(self.writer.load(finished, [row, vector + lane]), tile, row, vector + lane, guarded=guarded)

    def _finish_element(self, total: SSAValue, tile: Tile, row: Index, column: Index, *, guarded: bool) -> None:
        """Write the epilogue for the element in a row and a column of a tile."""
        last = self.found.columns[-1]
        guards = {self._atom(last): [last.upper - 1 - tile.column - column]} if guarded else {}
        self._epilogue(total, self._places(tile, row, column), guards)

    def _places(self, tile: Tile, row: Index, column: Index) -> dict[Atom, IndexLike]:
        rows, columns = self._atom(self.found.rows[-1]), self._atom(self.found.columns[-1])
        return {**tile.places, rows: tile.row + row, columns: tile.column + column}

    def _epilogue(self, total: SSAValue, places: Mapping[Atom, IndexLike], guards: Mapping[Atom, Sequence[Index]]) -> None:
        """Write the epilogue for one element, at other indices and under the guards of each."""
        self._copy_statements((*self.found.before, *self.found.after), total, {}, places, guards)

    def _copy_statements(
        self,
        statements: Iterable[Operation],
        total: SSAValue,
        values: dict[SSAValue, SSAValue],
        places: Mapping[Atom, IndexLike],
        guards: Mapping[Atom, Sequence[Index]],
    ) -> None:
        """Copy statements of the epilogue for one element, at other indices and under the guards of each. `values` maps what
        is computed already, and gains the copies' results."""
        found, is_float = self.found, dtype_of(total.type).is_float
        for op in statements:
            # The type of the whole sum may be wider than the tile's: for floats its cast applies to the tile's value directly.
            # Sums of integers wrap around in the narrower type, and equal the whole sum only in that type.
            if isinstance(op, loop.CastOp) and op.input is found.result and (is_float or op.result.type == total.type):
                values[op.result] = self.writer.cast(total, op.result.type)
                continue
            if found.result in op.operands and found.result not in values:
                values[found.result] = self.writer.cast(total, found.result.type)
            # A load needs only the guards of its own indices: loads uniform across a vector stay so.
            own = self._dims_of(op) if isinstance(op, loop.LoadOp) else guards.keys()
            self.writer.copy(op, values, places, [each for atom in guards if atom in own for each in guards[atom]])

    def _dims_of(self, op: loop.LoadOp | loop.StoreOp) -> set[Atom]:
        return {Dim(number) for expr in self.frame.exprs(op) for number in expr.dims()}

    @contextmanager
    def _elements(self) -> Iterator[tuple[Index, Index, Index]]:
        """Loops over the registers of a tile: row, vector and lane."""
        with self.writer.loop("unroll", 0, self.sizes.rows, hint="row") as row, self._columns() as (vector, lane):
            yield row, vector, lane

    @contextmanager
    def _columns(self, vectors: int | None = None) -> Iterator[tuple[Index, Index]]:
        """Loops over the registers of a row, or the first ones: vector and lane."""
        with (
            self.writer.loop("unroll", 0, vectors or self.sizes.vectors, hint="vector") as vector,
            self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            yield vector, lane


def _length(statement: Operation) -> int:
    """The code size of a statement, in statements: an exponential counts three, a gelu seven. So an activation is unrolled for
    each vector, and a gelu with its derivative is not, to bound the compile time."""
    return 1 + scalar(statement.function.data).cost // 4 if isinstance(statement, loop.ComputeOp) else 1


def digits(number_: Index, sizes: Sequence[Index]) -> list[Index]:
    """Delinearise an index into the mixed radix of `sizes`, with the last digit fastest."""
    digits: list[Index] = []
    for k in range(len(sizes)):
        below = product(sizes[k + 1 :])
        digit = number_ // below if below != 1 else number_
        digits.append(digit if k == 0 else digit % sizes[k])
    return digits
