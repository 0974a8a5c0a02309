"""The predicted cost of scheduled loop nests for given sizes: arithmetic, bytes moved on each level of the memory, and time.

**Memory.** Through a cache, a nest moves the lines of its footprint once if one iteration of its outermost loop fits into the
cache; otherwise it moves the sum of what single iterations move. Data that an inner loop does not reuse is thus moved again by
each iteration of the first enclosing loop whose iterations are too large (the model of tiles by Wolf and Lam, 1991). Lines that
are written count twice: they are read first.

**Arithmetic.** A vector loop runs on registers of `Processor.vector` bytes. Loads, stores and arithmetic each have their own
units. A loop takes as long as its busiest unit, or as the chain of results that wait for each other across iterations.

**Time** of a block is that of its busiest resource: arithmetic, or one level of the memory. With threads, the times of
arithmetic and of the cores' caches are divided by the number of threads, those of the last cache and memory by the number of
cores that they serve at full rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.functions.entry import entry_function
from ...ir.functions.versions import condition_of, versions_of
from ...ir.index.expressions import Param
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from .cycles import ARITHMETIC, CAST, ITERATION, LANE, LOAD, STORE, chain, is_register
from .footprints import LINE, Span, united_lines
from .sized_nests import Reader, SizedAccess, SizedNest, evaluated


class MemoryLevel(NamedTuple):
    """A level of the memory: the `bytes` that it holds (0 for unlimited), the bytes per cycle that it delivers to one core, and
    how many cores it serves at that rate."""

    name: str
    bytes: int
    rate: float
    cores: float


@dataclass(frozen=True)
class Processor:
    """The numbers of a processor from which times are computed.

    | field            | unit      | meaning                                                |
    |------------------|-----------|--------------------------------------------------------|
    | `levels`         | -         | the memory, from the first cache to main memory        |
    | `vector`         | bytes     | a vector register                                      |
    | `cycles`         | 1/second  | clock rate                                             |
    | `call`           | cycles    | a call of a compiled function from Python              |
    | `threads`        | cycles    | starting and joining threads                           |
    | `cores`          | count     | cores                                                  |
    """

    levels: tuple[MemoryLevel, ...]
    vector: int
    cycles: float
    call: float
    threads: float
    cores: int


@dataclass(frozen=True)
class Cost:
    """The cost of a block: scalar operations on floats, bytes moved from each level of the memory, `seconds` predicted, what
    bounds them ("arithmetic", or the name of a level), and how often each statement runs. `op` is the block."""

    op: Operation
    flops: float
    bytes: Mapping[str, float]
    seconds: float
    bound: str
    runs: Mapping[Operation, int]

    def times(self, calls: int) -> Cost:
        """The cost of so many executions of the block."""
        moved = {name: calls * each for name, each in self.bytes.items()}
        runs = {op: calls * each for op, each in self.runs.items()}
        return Cost(self.op, calls * self.flops, moved, calls * self.seconds, self.bound, runs)


@dataclass
class _Units:
    """The cycles for which each unit is busy."""

    arithmetic: float = 0.0
    loads: float = 0.0
    stores: float = 0.0
    waits: float = 0.0  # cycles that inner loops wait for chains
    flops: float = 0.0

    def add(self, other: _Units, times: float = 1) -> None:
        self.arithmetic += other.arithmetic * times
        self.loads += other.loads * times
        self.stores += other.stores * times
        self.waits += other.waits * times
        self.flops += other.flops * times

    @property
    def cycles(self) -> float:
        return max(self.arithmetic, self.loads, self.stores) + self.waits


class _Model:
    """The cost of one block."""

    def __init__(self, processor: Processor, reader: Reader):
        self._processor, self._reader = processor, reader
        self._capacity: dict[SSAValue, int] = {}

    def lines(self, accesses: Sequence[SizedAccess], nests: set[SizedNest]) -> dict[SSAValue, float]:
        """The lines of each buffer that accesses touch in the iterations of some loops."""
        spans: dict[SSAValue, set[Span]] = {}
        for each in accesses:
            if not is_register(each.buffer):
                spans.setdefault(each.buffer, set()).add(each.span(nests))
        return {buffer: min(united_lines(found), self._all_lines(buffer)) for buffer, found in spans.items()}

    def moved(self, nest: SizedNest, cache: int) -> dict[SSAValue, float]:
        """The lines of each buffer that a nest moves into a cache of `cache` bytes."""
        if nest.trips > 1 and sum(self.lines(nest.accesses, nest.inside).values()) * LINE <= cache:
            return self.lines(nest.accesses, nest.inside | {nest})
        total: dict[SSAValue, float] = {}
        whole = self.lines(nest.accesses, nest.inside)
        if sum(whole.values()) * LINE <= cache:
            total = dict(whole)
        else:
            direct = [item for item in nest.items if isinstance(item, SizedAccess)]
            for part in (
                self.lines(direct, set()),
                *(self.moved(item, cache) for item in nest.items if isinstance(item, SizedNest)),
            ):
                for buffer, lines in part.items():
                    total[buffer] = total.get(buffer, 0) + lines
        return {buffer: lines * nest.trips for buffer, lines in total.items()}

    def bytes_moved(self, nest: SizedNest, cache: int, touched: Mapping[SSAValue, float]) -> float:
        """The bytes that a block moves into a cache, none if all data that the program has touched fits; writes count twice."""
        if sum(touched.values()) * LINE <= cache:
            return 0.0
        written = {each.buffer for each in nest.accesses if not isinstance(each.op, loop.LoadOp)}
        moved = self.moved(nest, cache)
        return LINE * sum(lines * (2 if buffer in written else 1) for buffer, lines in moved.items())

    def _all_lines(self, buffer: SSAValue) -> int:
        if buffer not in self._capacity:
            size = self._reader.elements(buffer) * dtype_of(element_of(buffer)).itemsize
            self._capacity[buffer] = ceil(size / LINE)
        return self._capacity[buffer]

    def units(self, nest: SizedNest, lanes: int = 1, along: SizedNest | None = None) -> _Units:
        """The cycles of each unit for a nest; `lanes` and `along` are those of the vector loop around it."""
        if isinstance(nest.op, loop.ForOp) and nest.op.kind.data == "vector":
            lanes, along = lanes * nest.trips, nest
        body = _Units()
        for item in nest.items:
            match item:
                case SizedNest():
                    body.add(self.units(item, lanes, along))
                case SizedAccess():
                    body.add(self._access(item, lanes, along))
                case _:
                    body.add(self._statement(item, lanes))
        if not isinstance(nest.op, loop.ForOp):
            return body
        waits = chain(nest.op)
        if nest.op.kind.data == "vector":
            return _with_chain(body, waits * nest.trips)
        if nest.op.kind.data == "unroll":
            total = _Units()
            total.add(body, nest.trips)
            return total
        each = max(body.cycles + (ITERATION if lanes == 1 else 0.0), waits)
        return _Units(waits=nest.trips * each, flops=nest.trips * body.flops)

    def _access(self, access: SizedAccess, lanes: int, along: SizedNest | None) -> _Units:
        if is_register(access.buffer):
            return _Units()
        stride = next((stride for nest, stride in access.axes if nest is along), 0) if along is not None else 0
        registers = self._registers(lanes, access.size)
        is_load = isinstance(access.op, loop.LoadOp)
        if stride == 0:
            registers = 1
        elif abs(stride) != access.size:
            registers = lanes * LANE / (LOAD if is_load else STORE)
        found = _Units(loads=LOAD * registers) if is_load else _Units(stores=STORE * registers)
        if isinstance(access.op, loop.UpdateOp):
            found.add(_Units(loads=LOAD * registers, arithmetic=ARITHMETIC * registers, flops=lanes))
        return found

    def _statement(self, op: Operation, lanes: int) -> _Units:
        match op:
            case loop.ComputeOp():
                kind = dtype_of(op.operands[-1].type)
                cost = scalar(op.function.data).cost
                is_float = kind.kind == "float"
                flops = lanes * (2 if op.function.data == "fma" else 1) if is_float else 0
                return _Units(arithmetic=ARITHMETIC * cost * self._registers(lanes, kind.itemsize), flops=flops)
            case loop.CastOp():
                sizes = [dtype_of(each.type).itemsize for each in (op.operands[0], op.results[0])]
                return _Units(arithmetic=ARITHMETIC * CAST * self._registers(lanes, max(sizes)))
            case loop.TestOp() | loop.IndexOp():
                return _Units(arithmetic=ARITHMETIC * self._registers(lanes, 4))
            case _:
                return _Units()

    def _registers(self, lanes: int, size: int) -> float:
        return 1 if lanes == 1 else ceil(lanes * size / self._processor.vector)


def _with_chain(units: _Units, chain: float) -> _Units:
    """The cycles of the units, at least those of the chain of dependent results."""
    if chain > units.cycles:
        units.waits += chain - units.cycles
    return units


def block_costs(module: ModuleOp, sizes: Mapping[str, int], processor: Processor, threads: int = 1) -> list[Cost]:
    """The cost of each block of a scheduled module, in the order in which the program runs them, for given sizes.

    Blocks of functions that are called repeatedly count all calls. Data that fits into a cache is in that cache when the
    program starts, as in repeated calls.
    """
    entry = entry_function(module)

    def runs(version: FuncOp) -> bool:
        return all(evaluated(expr, sizes) >= 0 for expr in condition_of(version) or ())

    chosen = next(filter(runs, versions_of(entry)), entry)
    return list(_function_costs(chosen, sizes, processor, threads))


def _function_costs(function: FuncOp, sizes: Mapping[str, int], processor: Processor, threads: int) -> Iterator[Cost]:
    reader = Reader(sizes)
    model = _Model(processor, reader)
    read = [(op, reader.nest(op, op.body.block)) for op in function.body.block.ops if isinstance(op, loop.BlockOp)]
    nests = dict(read)
    touched: dict[SSAValue, float] = {}
    for nest in nests.values():
        for buffer, lines in model.lines(nest.accesses, nest.inside | {nest}).items():
            touched[buffer] = max(lines, touched.get(buffer, 0.0))
    for op in function.body.block.ops:
        match op:
            case loop.BlockOp():
                nest = nests[op]
                used = max((_threads(each, threads, processor, sizes) for each in nest.inside), default=1)
                yield _cost(op, nest, model, processor, used, touched)
            case loop.CallOp():
                inner = {atom.name: evaluated(size, sizes) for atom, size in op.places.items() if isinstance(atom, Param)}
                yield from _function_costs(op.callee, inner, processor, threads)
            case loop.IterateOp():
                steps = evaluated(op.length, sizes)
                yield from (cost.times(steps) for cost in _function_costs(op.callee, sizes, processor, threads))
            case _:
                pass


def _cost(
    op: Operation, nest: SizedNest, model: _Model, processor: Processor, threads: int, touched: Mapping[SSAValue, float]
) -> Cost:
    units = model.units(nest)
    cycles = {"arithmetic": units.cycles / threads}
    moved: dict[str, float] = {}
    held = 0
    for level in processor.levels:
        # Data that smaller caches do not hold comes from this level.
        moved[level.name] = model.bytes_moved(nest, held, touched) if held else 0.0
        cycles[level.name] = moved[level.name] / level.rate / min(threads, level.cores)
        held = level.bytes
    bound = max(cycles, key=lambda name: cycles[name])
    busiest = cycles[bound] + (processor.threads if threads > 1 else 0)
    return Cost(op, units.flops, moved, busiest / processor.cycles, bound, dict(_runs(nest, 1)))


def _threads(nest: SizedNest, threads: int, processor: Processor, sizes: Mapping[str, int]) -> int:
    """The threads that share the iterations of a loop."""
    op, iterations = nest.op, nest.trips
    if not isinstance(op, loop.ForOp) or op.threads is None or evaluated(op.threads.data.results[0], sizes, op.operands_at) < 0:
        return 1
    for _ in range(op.collapsed - 1):
        nest = next(item for item in nest.items if isinstance(item, SizedNest))
        iterations *= nest.trips
    return max(1, min(threads, processor.cores, iterations))


def _runs(nest: SizedNest, times: int) -> Iterator[tuple[Operation, int]]:
    """How often each statement of a nest runs, given that the nest runs `times` times."""
    for item in nest.items:
        if isinstance(item, SizedNest):
            yield from _runs(item, times * nest.trips)
        else:
            yield item.op if isinstance(item, SizedAccess) else item, times * nest.trips
