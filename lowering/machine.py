"""Models of the machines that code is generated for, and the pass options derived from them.

`Machine` describes a processor, and MODELS has named ones; GPUS has graphics processors. Only `pass_options` and `gpu_options`
turn machine parameters into schedule sizes: passes do not know the machine, and their defaults are the options for AVX512 and
the H100. Formulas assume float32 elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType

from ..ir.diagnostics import CompileError, did_you_mean
from ..passes.analysis.cycles import ARITHMETIC, LOAD, STORE
from ..passes.analysis.execution_cost import MemoryLevel, Processor
from ..passes.analysis.kernel_cost import FLOAT_SHARE, LAUNCH, MATRIX_SHARE, Gpu
from ..passes.loop.kernels.product_tiles import HALF_TILES

FLOAT = 4  # bytes
# A call of a compiled function from Python, and starting and joining threads.
_CALL_CYCLES, _THREAD_CYCLES = 3000.0, 20_000.0

PassOptions = Mapping[str, int | tuple[str, ...]]
Options = Mapping[str, PassOptions]


@dataclass(frozen=True)
class Machine:
    """Parameters of a processor. On the host, caches and cores are queried; the other fields come from the nearest model.

    | field         | unit         | meaning                                                                  | found by       |
    |---------------|--------------|--------------------------------------------------------------------------|----------------|
    | `l1`, `l2`    | bytes        | data caches of one core                                                  | /sys           |
    | `l3`          | bytes        | last-level cache, shared by cores; 0 if there is none                    | /sys           |
    | `line`        | bytes        | cache line                                                               | /sys           |
    | `vector_bits` | bits         | width of a vector register                                               | compiler macro |
    | `registers`   | count        | vector registers of a core                                               | compiler macro |
    | `fma_units`   | count        | fused multiply-add units of a core; 0 if the processor has no FMA        | compiler macro |
    | `cores`       | count        | cores that programs run on                                               | CPU affinity   |
    | `pairs`       | flag         | adds two products of bfloat16 at once (AVX512-BF16)                      | compiler macro |
    | `streams`     | rows         | rows that a row reduction reads concurrently                             | benchmark      |
    | `steps`       | rows         | rows that a column reduction reads concurrently                          | benchmark      |
    | `by_lines`    | flag         | column reductions prefetch line after line, not row beside row           | benchmark      |
    | `tiles`       | tiles        | adjacent tiles that a transpose handles together                         | benchmark      |
    | `into`        | cache level  | prefetch target of access streams: 1 or 2                                | benchmark      |
    | `nearer`      | divisor      | of the prefetch distance (a page) in loops with little computation       | benchmark      |
    | `kept`        | bytes        | buffer size up to which column reductions do not prefetch: it is in `l3` | benchmark      |
    | `part`        | elements     | block of a row in one-pass variance                                      | benchmark      |
    | `clock`       | GHz          | clock rate                                                               | benchmark      |
    | `l2_rate`     | bytes/cycle  | that the second-level cache delivers to a core                           | benchmark      |
    | `l3_rate`     | bytes/cycle  | that the last-level cache delivers to a core                             | benchmark      |
    | `memory_rate` | bytes/cycle  | that main memory delivers to a core; two cores exhaust its rate        | benchmark      |
    """

    l1: int
    l2: int
    l3: int
    line: int
    vector_bits: int
    registers: int
    fma_units: int
    cores: int
    pairs: bool = False
    streams: int = 4
    steps: int = 8
    by_lines: bool = False
    tiles: int = 2
    into: int = 2
    nearer: int = 1
    kept: int = 32 << 20
    part: int = 1024
    clock: float = 3.4
    l2_rate: float = 24.0
    l3_rate: float = 12.0
    memory_rate: float = 5.0

    @property
    def vector(self) -> int:
        """The size of a vector register in bytes."""
        return self.vector_bits // 8

    @property
    def last_cache(self) -> int:
        """The size of the last-level cache in bytes."""
        return self.l3 or self.l2


# AVX512 is close to Intel's Ice Lake; later Intel servers have larger caches (`_has_wide_tiles`). AVX2 is an older desktop.
# streams: Zen 4 and Zen 5 read one row at a time fastest (measured on 64 MiB), Intel several.
# steps: rows whose length is a multiple of a page map to the same sets of L1, which has 8 or 12 ways; hence 8 rows on Zen, the
#   fastest down columns of 4096 x 4096. 16 was measured on a Sapphire Rapids.
# kept: on a Zen 4, prefetching pays for column sums of 16 MiB and more, and slows those of 8 to 12 MiB down.
# into, nearer, by_lines: see `passes/loop/memory/loop_prefetch.py`.
AVX512 = Machine(48 << 10, 1 << 20, 32 << 20, 64, vector_bits=512, registers=32, fma_units=2, cores=8, steps=16)
ZEN4 = replace(AVX512, l1=32 << 10, pairs=True, streams=1, steps=8, nearer=4, kept=12 << 20)
ZEN5 = replace(ZEN4, l1=48 << 10, by_lines=True, tiles=4, into=1, nearer=1, kept=32 << 20, part=4096)
AVX2 = Machine(32 << 10, 512 << 10, 16 << 20, 64, vector_bits=256, registers=16, fma_units=2, cores=8)
X86_64 = Machine(32 << 10, 256 << 10, 8 << 20, 64, vector_bits=128, registers=16, fma_units=0, cores=4)
AARCH64 = Machine(64 << 10, 1 << 20, 32 << 20, 64, vector_bits=128, registers=32, fma_units=2, cores=8)

MODELS: Mapping[str, Machine] = MappingProxyType(
    {"avx512": AVX512, "zen4": ZEN4, "zen5": ZEN5, "avx2": AVX2, "x86-64": X86_64, "aarch64": AARCH64}
)


def model(name: str) -> Machine:
    """The named model. Raises CompileError for an unknown name."""
    if name not in MODELS:
        raise CompileError(f"unknown machine '{name}'{did_you_mean(name, MODELS)} (the models are {', '.join(MODELS)})")
    return MODELS[name]


def pass_options(machine: Machine) -> dict[str, dict[str, int]]:
    """The options of each machine-dependent pass, by pass name."""
    tile = _register_tile(machine)
    return {
        "loop-tile-and-fuse": {"rows": _row_block(machine, tile["rows"])},
        "loop-tile-convolutions": tile,
        # `ahead`: both operands of the next product fit into half of L2.
        "loop-tile-contractions": {**tile, **_blocks(machine, tile), "ahead": machine.l2 // 4, "into": machine.into},
        "loop-permute": {"cache": machine.l2 // 2},
        # A row of float64 accumulators takes at most half of L1 and a row of float32 a quarter; the remainder is for the rows
        # that are read. A single core need not share blocks with others, and gains from longer contiguous accesses.
        "loop-interchange": {
            "block": _power_of_two(machine.l1 // 2 // 8) * (2 if machine.cores == 1 else 1),
            "steps": machine.steps,
            "cores": machine.cores,
        },
        # A step of a scan waits four cycles for the previous one: independent rows fill these cycles, in two units.
        # `little`: the cycles in which memory delivers a line, as a number of additions: one a cycle on all elements of the
        # line, if a vector is as long as a line. Shorter vectors compute for longer; whether more additions pay was measured on
        # AVX-512 only.
        "loop-unroll-and-jam": {
            "rows": 4 * max(machine.fma_units, 2),
            "streams": machine.streams,
            "little": int(machine.line / machine.memory_rate),
        },
        # Measured, with products of a vector and a matrix of 200,000 rows: AVX-512 loads rows of four and more columns under a
        # mask, which takes 0.8 of the time for five columns; elsewhere single loads of up to seven columns are faster.
        "loop-split-reduction": {"joined": 3 if machine.vector_bits == 512 else 7},
        # Square tiles whose rows and columns are one cache line.
        "loop-tile-transposes": {"bytes": machine.line, "tiles": machine.tiles},
        # One register a vector: wider vectors would move elements across registers where neighbouring accesses overlap.
        "loop-vectorize": {"bytes": machine.vector},
        "loop-vectorize-scans": {"bytes": machine.vector},
        # `within`: prefetched rows must not be evicted before they are used.
        "loop-prefetch": {
            "within": machine.l1,
            "into": machine.into,
            "nearer": machine.nearer,
            "beyond": min(_held(machine), machine.kept),
            "by_lines": int(machine.by_lines),
        },
        "loop-one-pass-variance": {"elements": machine.part, "beyond": _held(machine)},
        "loop-fma-contraction": {"fused": min(machine.fma_units, 1)},
        # Starting threads takes microseconds, in which a core processes about 2048 vectors.
        "loop-parallelize": {"threads_from": 2048 * machine.vector // FLOAT},
        "lower-loop-to-cloop": {"vector_bits": machine.vector_bits},
        # A result of up to a quarter of the last-level cache may still be there when the caller reads it, but of at most 8 MiB:
        # dozens of cores share larger caches.
        "cloop-nontemporal-stores": {"from_bytes": min(machine.last_cache // 4, 8 << 20)},
    }


def processor(machine: Machine) -> Processor:
    """The numbers that the cost of loop nests is predicted from (`passes/analysis/execution_cost.py`)."""
    levels = [
        MemoryLevel("L1", machine.l1, 2.0 * machine.vector, machine.cores),
        MemoryLevel("L2", machine.l2, machine.l2_rate, machine.cores),
    ]
    if machine.l3:
        levels.append(MemoryLevel("L3", machine.l3, machine.l3_rate, machine.cores))
    levels.append(MemoryLevel("memory", 0, machine.memory_rate, min(2, machine.cores)))
    return Processor(
        tuple(levels), machine.vector, machine.clock * 1e9, call=_CALL_CYCLES, threads=_THREAD_CYCLES, cores=machine.cores
    )


def _held(machine: Machine) -> int:
    """The bytes of last-level cache available to a program: at most 32 MiB, since dozens of cores share larger ones."""
    return min(machine.last_cache, 32 << 20)


def _register_tile(machine: Machine) -> dict[str, int]:
    """The register tile of contractions, with as many rows as the registers allow: they hold the accumulators, a row of the
    right operand, an element of the left one, and a spare.

    Eight rows suffice: 16 independent accumulators are twice what two FMA units with a latency of four cycles need.
    """
    vectors = 4 if _has_wide_tiles(machine) else 2
    rows = min(8, (machine.registers - vectors - 2) // vectors)
    tile = {"rows": rows, "vectors": vectors, "bytes": machine.vector, "fused": min(machine.fma_units, 1)}
    # `least` rows: for each vector of columns and each summed index, a tile multiplies and adds for all of its rows, used or
    # not. A loop along the columns instead loads an operand, and loads and stores the sums, for each row that there is.
    tile["least"] = ceil(rows * ARITHMETIC / max(2 * LOAD, STORE))
    return {**tile, "pairs": int(machine.pairs)}


# The rows of an unpacked operand lie in one page each, and Intel's first-level data TLB has 96 entries. Small groups also
# balance threads better. Measured with 512^3 and 1024^3 on a Sapphire Rapids.
PAGED_ROWS = 48


def _has_wide_tiles(machine: Machine) -> bool:
    """Whether register tiles are four vectors wide, with several blocks in L2: a 6 x 4 tile needs ten loads for 24 FMAs, an
    8 x 2 tile ten loads for 16. True for Intel servers from Sapphire Rapids on, which need it (`make bench`) and have
    the L2; Zen 4 and Zen 5 run near their peak with the 8 x 2 tile."""
    return machine.registers == 32 and machine.vector_bits == 512 and machine.l2 >= 2 << 20


def _blocks(machine: Machine, tile: Mapping[str, int]) -> dict[str, int]:
    """The cache block sizes of contractions: a panel of the right operand fits into L1, and a thread's group of panels of one
    operand into an eighth of L2. A block, which threads share, fits into a sixteenth of the last-level cache, and is at most
    twice L2.

    The depth is 256 wherever L1 allows it, so that partial sums are split at the same indices on all those machines. Half of L2
    holds several blocks of the right operand for one group's columns: tiles read the blocks one after the other, while their
    partial sums stay in L2 too. This is faster than one block of more columns (measured with 2048^3 on a Sapphire Rapids and a
    Zen 4).
    """
    width = tile["vectors"] * tile["bytes"]
    depth = min(256, _power_of_two(machine.l1 // width))
    left, right = tile["rows"] * depth * FLOAT, width * depth
    shared = min(machine.last_cache // 16, 2 * machine.l2)
    left_group, right_group = (max(1, machine.l2 // 8 // panel) for panel in (left, right))
    if _has_wide_tiles(machine):
        left_group = min(left_group, PAGED_ROWS // tile["rows"])
    return {
        "depth": depth,
        "blocks": max(1, machine.l2 // 2 // (right * right_group)),
        "left_panels": max(1, shared // (left * left_group)) * left_group,
        "right_panels": max(1, shared // (right * right_group)) * right_group,
        "left_group": left_group,
        "right_group": right_group,
    }


def _row_block(machine: Machine, rows: int) -> int:
    """The rows of a block between two contractions: a multiple of the tile's rows. 4096 columns of the block fit into L2, and
    it has at most 64 rows, which suffice to read the right operand from the cache."""
    fitting = min(64, machine.l2 // FLOAT // 4096)
    return max(1, fitting // rows) * rows


def _power_of_two(number: int) -> int:
    """The greatest power of two not above `number`."""
    return 1 << max(number, 1).bit_length() - 1


# The machine-dependent passes.
MACHINE_PASSES = frozenset(pass_options(AVX512))


def _matrix(halves: float, tf32: float, bytes: float, fp8: bool) -> Mapping[str, float]:
    rates = {"bfloat16": halves, "float16": halves, "tf32": tf32, "int8": bytes}
    # Without matrix units for floats of 8 bits, these are multiplied as float16.
    float8_rate = bytes if fp8 else halves
    return MappingProxyType(rates | {"float8_e4m3fn": float8_rate, "float8_e5m2": float8_rate})


H100 = Gpu("H100", 90, 132, 50 << 20, 10e12, 3.35e12, 67e12, _matrix(989e12, 495e12, 1979e12, True), 227 << 10)
A100 = Gpu("A100", 80, 108, 40 << 20, 7.2e12, 2.04e12, 19.5e12, _matrix(312e12, 156e12, 624e12, False), 163 << 10)
L4 = Gpu("L4", 89, 58, 48 << 20, 2.5e12, 0.3e12, 30.3e12, _matrix(121e12, 60e12, 242e12, True), 99 << 10, threads=1536)
RTX4090 = Gpu(
    "RTX 4090", 89, 128, 72 << 20, 5e12, 1.01e12, 82.6e12, _matrix(165e12, 83e12, 330e12, True), 99 << 10, threads=1536
)
_MI300_RATES = _matrix(1307e12, 654e12, 2615e12, True)
MI300X = Gpu("MI300X", "gfx942", 304, 4 << 20, 17e12, 5.3e12, 163e12, _MI300_RATES, 64 << 10, registers=131072, warp=64)
# From the data sheets; rates of matrix units are without sparsity, with sums in float32. Rates of second-level caches are their
# bytes per cycle times the clock rate.
GPUS: Mapping[str, Gpu] = MappingProxyType(
    {
        "h100": H100,
        "h200": replace(H100, name="H200", memory_rate=4.8e12),
        "a100": A100,
        "l4": L4,
        "rtx4090": RTX4090,
        "mi300x": MI300X,
    }
)


def gpu_model(name: str) -> Gpu:
    """The named GPU. Raises CompileError for an unknown name."""
    if name not in GPUS:
        raise CompileError(f"unknown GPU '{name}'{did_you_mean(name, GPUS)} (the models are {', '.join(GPUS)})")
    return GPUS[name]


def gpu_options(gpu: Gpu, precision: str = "highest") -> dict[str, dict[str, int]]:
    """The options of each pass of GPUs that depends on the card, or on the precision of products of float32, by pass name."""
    tf32 = int(precision == "high" and "tf32" in gpu.matrix_rates)
    return {
        # Four programs for each multiprocessor hide the latency of memory.
        "loop-split-nested-reduction": {"programs": _power_of_two(4 * gpu.multiprocessors)},
        # Keys and values that fit into the second-level cache are read from it by the rows of all heads.
        "loop-fuse-attention": {"cache_mib": gpu.l2 >> 20},
        "loop-recompute-weights": {"cache_mib": gpu.l2 >> 20},
        # A wave of tiles of products keeps all multiprocessors busy.
        "loop-map-to-tiles": {"programs": gpu.multiprocessors, "tf32": tf32},
        # The parts of a product must save more time than their launch costs.
        "loop-split-product": {
            "programs": gpu.multiprocessors,
            "least_steps": LAUNCHES_PER_SPLIT * _steps_of_a_launch(gpu, gpu.matrix_rates["bfloat16"] * MATRIX_SHARE),
            "least_float_steps": LAUNCHES_PER_SPLIT * _steps_of_a_launch(gpu, gpu.float_rate * FLOAT_SHARE),
            "tf32": tf32,
        },
    }


# A product is split into parts if it computes as long as this many kernels take to start: parts cost a launch and the sums of
# their results, and save at most the time of the product.
LAUNCHES_PER_SPLIT = 3


def _steps_of_a_launch(gpu: Gpu, rate: float) -> int:
    """The steps of K that a program with the smallest tile computes while a kernel starts, as a power of two; at least half as
    many as fill the program's pipeline."""
    tile = HALF_TILES[-1]
    operations = 2 * tile.m * tile.n  # operations of a step: a multiplication and an addition for each element
    return max(tile.k * tile.stages // 2, _power_of_two(round(LAUNCH * rate / gpu.multiprocessors / operations)))


# The passes that depend on the card.
GPU_PASSES = frozenset(gpu_options(H100))
