"""The predicted cost of GPU kernels for given sizes: arithmetic, bytes moved, and time, from the tile level alone.

**Work.** Programs run the statements of their kernel as often as the enclosing loops iterate; where bounds depend on the
program, some programs represent all. A tile that is loaded or stored counts with all its lanes, masked ones included.

**Memory.** The bytes of loads and stores pass through the second-level cache. From memory, each byte of a buffer that the
kernel touches is moved once: at most the buffer's size.

**Time** of a kernel is that of its busiest resource: a launch, computation, the second-level cache, or memory. Arithmetic and
matrix units wait for each other, as where scores become weights. Multiprocessors take programs in order, as they become free:
computation ends with the last program, later than the mean if programs are few, or differ as rows of causal attention do. Rates
are those of the data sheet, times the share that good kernels reach.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import tile
from ...dialects.tile.base import element_dtype, lanes
from ...ir.functions.entry import entry_function
from ...ir.functions.versions import version_for
from ...ir.index.expressions import Atom, Dim, Index, Param
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, shape_of


@dataclass(frozen=True)
class Gpu:
    """Numbers of a GPU.

    | field             | unit      | meaning                                                                  |
    |-------------------|-----------|--------------------------------------------------------------------------|
    | `architecture`    | -         | compute capability of NVIDIA's, such as 90, or AMD's name                |
    | `multiprocessors` | count     | multiprocessors, or compute units                                        |
    | `warp`            | threads   | threads that run in lockstep                                                     |
    | `registers`       | count     | registers of 32 bits of a multiprocessor                                 |
    | `threads`         | count     | threads that a multiprocessor runs at once                               |
    | `shared`          | bytes     | shared memory of a multiprocessor that programs can have                 |
    | `l2`              | bytes     | second-level cache                                                       |
    | `l2_rate`         | bytes/s   | that the second-level cache delivers                                     |
    | `memory_rate`     | bytes/s   | that memory delivers                                                     |
    | `float_rate`      | 1/s       | float32 operations, a multiplication with an addition counted twice      |
    | `matrix_rates`    | 1/s       | operations of matrix units, without sparsity, by the type of the factors |
    """

    name: str
    architecture: int | str
    multiprocessors: int
    l2: int
    l2_rate: float
    memory_rate: float
    float_rate: float
    matrix_rates: Mapping[str, float]
    shared: int
    registers: int = 65536
    threads: int = 2048
    warp: int = 32


@dataclass(frozen=True)
class KernelCost:
    """The cost of all launches of a kernel in a call: scalar operations and those of matrix units, bytes by level, `seconds`
    predicted, and what bounds them: "launch", "arithmetic", "matrix units", "L2" or "memory". `shares` has each statement's
    fraction of the resource that bounds the kernel."""

    kernel: str
    programs: int
    flops: float
    matrix_flops: float
    bytes: Mapping[str, float]
    seconds: float
    bound: str
    shares: Mapping[Operation, float]


# Shares of the data sheet's rates that kernels reach: copies and products of matrices on an H100 (benchmarks/results/gpu.md).
MEMORY_SHARE, MATRIX_SHARE, FLOAT_SHARE = 0.9, 0.78, 0.68
# Starting a kernel behind another one, in seconds.
LAUNCH = 2e-6
# A multiprocessor uses up to a few times its share of the memory's rate, if others leave it unused.
_ALONE = 3.0
# The programs that represent all where loops depend on the program, and the programs whose order is simulated.
_SAMPLES, _IN_ORDER = 32, 256
# The most programs that are simulated on multiprocessors: with more of them, the last ones make no difference.
_FOLLOWED = 1 << 14
# Programs whose lengths differ by at most this share count as equally long.
_ALIKE = 0.01
_GOLDEN = 0.6180339887498949
# The quantity by which statements are compared, for each bound; bytes for other bounds.
_RESOURCES = MappingProxyType({"arithmetic": "arithmetic", "matrix units": "matrix units"})


def kernel_costs(module: ModuleOp, sizes: Mapping[str, int], gpu: Gpu) -> dict[str, KernelCost]:
    """The cost of each kernel that a call with these sizes launches, by name, in the order of the first launches."""
    function = version_for(entry_function(module), sizes)
    kernels = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}
    params: dict[Atom, int] = {Param(name): value for name, value in sizes.items()}
    found: dict[str, KernelCost] = {}
    for launch, times in _launches(function, params):
        if any(condition.evaluate(params) < 0 for condition in launch.conditions):
            continue
        name = launch.kernel.root_reference.data
        cost = _Kernel(kernels[name], max(0, launch.programs.evaluate(params)), params).cost(gpu, times)
        found[name] = cost if name not in found else _added(found[name], cost)
    return found


def _launches(function: FuncOp, params: Mapping[Atom, int]) -> Iterator[tuple[tile.LaunchOp, int]]:
    """The launches of a plan, and how often each runs."""
    for op in function.body.block.ops:
        if isinstance(op, tile.LaunchOp):
            yield op, 1
        elif isinstance(op, tile.IterateOp):
            length = op.length.evaluate(params)
            yield from ((launch, length * times) for launch, times in _launches(op.callee, params))


def _added(a: KernelCost, b: KernelCost) -> KernelCost:
    moved = MappingProxyType({level: a.bytes[level] + b.bytes[level] for level in a.bytes})
    larger = a if a.seconds >= b.seconds else b
    return KernelCost(
        a.kernel, a.programs + b.programs, a.flops + b.flops, a.matrix_flops + b.matrix_flops, moved, a.seconds + b.seconds,
        larger.bound, a.shares,
    )  # fmt: skip


@dataclass
class _Work:
    """The work of statements, in all programs."""

    flops: float = 0.0
    matrix: dict[str, float] = field(default_factory=dict)
    loaded: dict[SSAValue, float] = field(default_factory=dict)
    stored: dict[SSAValue, float] = field(default_factory=dict)
    shares: dict[str, dict[Operation, float]] = field(default_factory=dict)


class _Kernel:
    """Counts the work of one kernel."""

    def __init__(self, kernel: FuncOp, programs: int, params: Mapping[Atom, int]):
        self.kernel = kernel
        self.programs = programs
        self.params = params
        self.work = _Work()

    def cost(self, gpu: Gpu, times: int) -> KernelCost:
        samples = min(self.programs, _SAMPLES)
        for k in range(samples):
            # Sample at unequal distances: equal ones may coincide with the tiles of a row.
            program = int(k * _GOLDEN % 1.0 * self.programs)
            self._count(self.kernel.body.block, self.programs / samples, {}, program)
        work = self.work
        sizes: dict[SSAValue, float] = {arg: self._bytes(arg) for arg in self.kernel.body.block.args}
        cached = sum(work.loaded.values()) + sum(work.stored.values())
        memory = sum(min(moved, sizes[buffer]) for part in (work.loaded, work.stored) for buffer, moved in part.items())
        busy = min(1.0, self.programs / gpu.multiprocessors)
        tail = self._imbalance(gpu) if self.programs else 0.0
        arithmetic, matrix = _computing(work, gpu)
        seconds = {
            "memory": memory / (gpu.memory_rate * MEMORY_SHARE * min(1.0, _ALONE * busy)) if busy else 0.0,
            "L2": cached / (gpu.l2_rate * min(1.0, _ALONE * busy)) if busy else 0.0,
            "arithmetic": arithmetic * tail,
            "matrix units": matrix * tail,
            "launch": LAUNCH if self.programs else 0.0,
        }
        bound = max(seconds, key=seconds.__getitem__)
        computing = seconds["arithmetic"] + seconds["matrix units"]
        if computing > seconds[bound]:
            bound = max(("arithmetic", "matrix units"), key=seconds.__getitem__)
        longest = max(computing, seconds[bound])
        return KernelCost(
            self.kernel.sym_name.data,
            self.programs * times,
            work.flops * times,
            sum(work.matrix.values()) * times,
            MappingProxyType({"L2": cached * times, "memory": memory * times}),
            (longest + (seconds["launch"] if bound != "launch" else 0.0)) * times,
            bound,
            MappingProxyType(_fractions(work.shares.get(_RESOURCES.get(bound, "bytes"), {}))),
        )

    def _imbalance(self, gpu: Gpu) -> float:
        """How much later the last program ends than if all multiprocessors computed to the end."""
        count = min(self.programs, _IN_ORDER)
        lengths: list[float] = []
        for k in range(count):
            # One program from each of equally many ranges of programs.
            program = int((k + k * _GOLDEN % 1.0) * self.programs / count)
            one = _Kernel(self.kernel, self.programs, self.params)
            one._count(self.kernel.body.block, 1.0, {}, program)
            lengths.append(sum(_computing(one.work, gpu)))
            if k == _SAMPLES and _are_alike(lengths):
                break
        if _are_alike(lengths):
            return -(-self.programs // gpu.multiprocessors) * gpu.multiprocessors / self.programs
        ends, total = [0.0] * gpu.multiprocessors, 0.0
        followed = min(self.programs, _FOLLOWED)
        for program in range(followed):
            length = lengths[program * count // followed]
            heapq.heapreplace(ends, ends[0] + length)
            total += length
        return max(ends) * gpu.multiprocessors / total

    def _bytes(self, buffer: SSAValue) -> float:
        return prod(size.evaluate(self.params) for size in shape_of(buffer)) * dtype_of(element_of(buffer)).itemsize

    def _count(self, block: Block, runs: float, known: dict[SSAValue, int], program: int) -> None:
        for op in block.ops:
            if isinstance(op, tile.ProgramIdOp):
                known[op.result] = program
            elif isinstance(op, tile.IndexOp) and not lanes(op.result):
                value = self._evaluate(op.index_map.results[0], op.operands_at, known)
                if value is not None:
                    known[op.result] = value
            elif isinstance(op, tile.ForOp):
                self._count_loop(op, runs, known, program)
            elif isinstance(op, tile.FinishOp):
                self._count(op.body.block, runs / self.programs, known, program)
            else:
                self._count_statement(op, runs)

    def _count_loop(self, op: tile.ForOp, runs: float, known: dict[SSAValue, int], program: int) -> None:
        lower, upper = (self._evaluate(each, op.operands_at, known) for each in op.index_map.results)
        step = op.step.value.data
        # Bounds that depend on loaded integers count as one step.
        trips = 1 if lower is None or upper is None else max(0, -((lower - upper) // step))
        known[op.induction] = (lower or 0) + trips // 2 * step
        self._count(op.body.block, runs * trips, known, program)

    def _evaluate(self, expr: Index, at: Sequence[SSAValue], known: Mapping[SSAValue, int]) -> int | None:
        values: dict[Atom, int] = dict(self.params)
        for k, operand in enumerate(at):
            if k in expr.dims():
                if operand not in known:
                    return None
                values[Dim(k)] = known[operand]
        return expr.evaluate(values)

    def _count_statement(self, op: Operation, runs: float) -> None:
        work, resource, amount = self.work, "arithmetic", 0.0
        if isinstance(op, tile.LoadOp | tile.StoreOp | tile.AtomicOp):
            value = op.result if isinstance(op, tile.LoadOp) else op.value
            resource, amount = "bytes", runs * prod(lanes(value)) * element_dtype(value).itemsize
            assert isinstance(op.buffer, BlockArgument), "kernels access their arguments"
            part = work.loaded if isinstance(op, tile.LoadOp) else work.stored
            part[op.buffer] = part.get(op.buffer, 0.0) + amount
        elif isinstance(op, tile.DotOp):
            (m, k), n = lanes(op.a), lanes(op.b)[1]
            resource, amount = "matrix units", runs * 2 * m * n * k
            kind = element_dtype(op.a).name
            work.matrix[kind] = work.matrix.get(kind, 0.0) + amount
        elif isinstance(op, tile.ComputeOp) and element_dtype(op.inputs[-1]).is_float:
            amount = runs * prod(lanes(op.result)) * scalar(op.function.data).cost
            work.flops += amount
        elif isinstance(op, tile.ReduceOp | tile.ScanOp):
            amount = runs * prod(lanes(op.input))
            work.flops += amount
        if amount:
            shares = work.shares.setdefault(resource, {})
            shares[op] = shares.get(op, 0.0) + amount


def _are_alike(lengths: Sequence[float]) -> bool:
    """Whether programs take equally long, up to the share `_ALIKE`."""
    return max(lengths) - min(lengths) <= _ALIKE * max(lengths)


def _computing(work: _Work, gpu: Gpu) -> tuple[float, float]:
    """The seconds that all multiprocessors take for arithmetic and for products of matrices."""
    matrix = sum(
        count / (gpu.matrix_rates[kind] * MATRIX_SHARE if kind in gpu.matrix_rates else gpu.float_rate * FLOAT_SHARE)
        for kind, count in work.matrix.items()
    )
    # Half of the rate: additions are not fused with multiplications.
    return work.flops / (gpu.float_rate / 2), matrix


def _fractions(amounts: Mapping[Operation, float]) -> dict[Operation, float]:
    total = sum(amounts.values())
    return {op: amount / total for op, amount in amounts.items()}
