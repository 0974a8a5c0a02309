"""The machine that C is made for, as numbers, and the options of passes that follow from them.

`Machine` describes a processor, MODELS has some to name. `pass_options` is the one place where sizes of the machine become
sizes of a schedule; passes know nothing of machines, and their defaults are the options for AVX512. Formulas count elements as
float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ..ir.diagnostics import CompileError, did_you_mean

FLOAT = 4  # bytes

PassOptions = Mapping[str, int | tuple[str, ...]]
Options = Mapping[str, PassOptions]


@dataclass(frozen=True)
class Machine:
    """Caches in bytes, of one core and, for `l3`, of those that share it (0 where there is none); `line` is what they move at
    once. A core reads memory best from `streams` places at once along rows, and down columns from `steps` rows, for which it
    is asked line after line if `by_lines`; of what is transposed it does `tiles` squares side by side. Walks along memory are
    prefetched into the first or second cache (`into`), a page ahead, by loops that compute little a page divided by `nearer`.
    Sums down columns of at most `kept` bytes ask for no rows ahead, which come from the last cache. Squares of distances from
    means are summed `part` elements of a row at a time. A core has `registers` registers of `vector_bits` bits, and
    `fma_units` units that multiply and add them at once, 0 where it takes two operations. Programs run on `cores` cores."""

    l1: int
    l2: int
    l3: int
    line: int
    vector_bits: int
    registers: int
    fma_units: int
    cores: int
    streams: int = 4
    steps: int = 8
    by_lines: bool = False
    tiles: int = 2
    into: int = 2
    nearer: int = 1
    kept: int = 32 << 20
    part: int = 1024

    @property
    def vector(self) -> int:
        """The bytes of a register."""
        return self.vector_bits // 8

    @property
    def last_cache(self) -> int:
        """The bytes of the cache before memory."""
        return self.l3 or self.l2


# Intel's Ice Lake is near the first; later servers of Intel's have larger caches (`_has_wide_tiles`). Of 64 MiB a Zen 4 sums
# one row after the other in 0.75 of the time of four at once, a Zen 5 in 0.5. Rows whose length is a multiple of a page share
# the ways of the first cache, 8 or 12: down columns of 4096 x 4096 both take 0.71 to 0.80 of the time of sixteen rows with
# eight, and longer with four. Sixteen rows were chosen on a Sapphire Rapids. What is prefetched how is said in
# `passes/loop/memory/loop_prefetch.py`; sums down columns of 16 to 32 MiB take 0.6 to 0.9 of the time where they ask for rows
# ahead (Zen 4), of 8 to 12 MiB 1.0 to 1.2. AVX2 is a desktop of the years before.
AVX512 = Machine(48 << 10, 1 << 20, 32 << 20, 64, vector_bits=512, registers=32, fma_units=2, cores=8, steps=16)
ZEN4 = replace(AVX512, l1=32 << 10, streams=1, steps=8, nearer=4, kept=12 << 20)
ZEN5 = replace(ZEN4, l1=48 << 10, by_lines=True, tiles=4, into=1, nearer=1, kept=32 << 20, part=4096)
AVX2 = Machine(32 << 10, 512 << 10, 16 << 20, 64, vector_bits=256, registers=16, fma_units=2, cores=8)
X86_64 = Machine(32 << 10, 256 << 10, 8 << 20, 64, vector_bits=128, registers=16, fma_units=0, cores=4)
AARCH64 = Machine(64 << 10, 1 << 20, 32 << 20, 64, vector_bits=128, registers=32, fma_units=2, cores=8)

MODELS: Mapping[str, Machine] = MappingProxyType(
    {"avx512": AVX512, "zen4": ZEN4, "zen5": ZEN5, "avx2": AVX2, "x86-64": X86_64, "aarch64": AARCH64}
)


def model(name: str) -> Machine:
    """The model of a name. Raises CompileError for one that there is not."""
    if name not in MODELS:
        raise CompileError(f"unknown machine '{name}'{did_you_mean(name, MODELS)} (the models are {', '.join(MODELS)})")
    return MODELS[name]


def pass_options(machine: Machine) -> dict[str, dict[str, int]]:
    """For each pass whose options depend on the machine, these options."""
    tile = _register_tile(machine)
    return {
        "loop-tile-and-fuse": {"rows": _strip(machine, tile["rows"])},
        "loop-tile-convolutions": tile,
        # Two operands of the next product take half of the second cache.
        "loop-tile-contractions": {**tile, **_blocks(machine, tile), "ahead": machine.l2 // 4, "into": machine.into},
        # A row of float64 takes at most half of the first cache. A row of float32 beside it takes a quarter; the rest is for
        # what is added to them. A core by itself gains more by longer walks through memory (on a Zen 4 sums down columns of
        # 4096 x 4096 take 0.9 of the time), and has no other one to leave a block to.
        "loop-interchange": {
            "block": _power_of_two(machine.l1 // 2 // 8) * (2 if machine.cores == 1 else 1),
            "steps": machine.steps,
        },
        # A step of a scan waits four cycles for the one before: other rows fill them, in each of two units.
        "loop-unroll-and-jam": {"rows": 4 * max(machine.fma_units, 2), "streams": machine.streams},
        # A square of elements whose rows, read or written, are lines of the cache.
        "loop-tile-transposes": {"bytes": machine.line, "tiles": machine.tiles},
        # A vector is a register: vectors of several move elements across registers wherever neighbours overlap.
        "loop-vectorize": {"bytes": machine.vector},
        "loop-vectorize-scans": {"bytes": machine.vector},
        # Rows that are prefetched are still there when their turn comes.
        "loop-prefetch": {
            "within": machine.l1,
            "into": machine.into,
            "nearer": machine.nearer,
            "beyond": min(_held(machine), machine.kept),
            "by_lines": int(machine.by_lines),
        },
        "loop-one-pass-variance": {"elements": machine.part, "beyond": _held(machine)},
        "loop-fma-contraction": {"fused": min(machine.fma_units, 1)},
        # To start threads takes some microseconds, in which a core does about two thousand vectors.
        "loop-parallelize": {"threads_from": 2048 * machine.vector // FLOAT},
        "lower-loop-to-cloop": {"vector_bits": machine.vector_bits},
        # Less than a quarter of the last cache is still there when the caller reads it; of one of more than 32 MiB, which
        # servers share among dozens of cores, not even that.
        "cloop-nontemporal-stores": {"from_bytes": min(machine.last_cache // 4, 8 << 20)},
    }


def _held(machine: Machine) -> int:
    """How many bytes a last cache holds for a program: one of more than 32 MiB is shared by dozens of cores, which leave each
    other no more of it."""
    return min(machine.last_cache, 32 << 20)


def _register_tile(machine: Machine) -> dict[str, int]:
    """As many rows as registers allow: they hold the tile, a row of the right operand, an element of the left one, and a spare.

    More than eight rows gain nothing: sixteen sums keep two units with a latency of four cycles busy twice over.
    """
    vectors = 4 if _has_wide_tiles(machine) else 2
    rows = min(8, (machine.registers - vectors - 2) // vectors)
    return {"rows": rows, "vectors": vectors, "bytes": machine.vector, "fused": min(machine.fma_units, 1)}


# Rows that are read where they are lie in as many pages, and Intel's first TLB has 96 entries. More and smaller groups are also
# shared more evenly by threads. Against groups of an eighth of the second cache 512^3 takes 0.63 of the time on two threads,
# 1024^3 0.93 on one (Sapphire Rapids).
PAGED_ROWS = 48


def _has_wide_tiles(machine: Machine) -> bool:
    """Whether tiles are four vectors wide, and the second cache holds several blocks: six rows of four need ten loads for 24
    multiply-adds, eight rows of two need ten for 16. On Intel's servers from Sapphire Rapids on, which have that much
    second cache, products take 6 to 20 % less time so (`make bench`); Zen 4 and 5, with less, run near their peak from the
    first."""
    return machine.registers == 32 and machine.vector_bits == 512 and machine.l2 >= 2 << 20


def _blocks(machine: Machine, tile: Mapping[str, int]) -> dict[str, int]:
    """The sizes of blocks: a panel of columns fits into the cache that it is read from, a thread's group of panels of one
    operand into an eighth of the second, and a block of them, which threads share, into a sixteenth of the last cache or twice
    the second.

    The depth is 256 wherever the first cache allows it, so that blocks are added up in the same places on those machines. Half
    of the second cache holds several blocks of the right operand, for one group's columns: tiles go through them one after the
    other, and their sums stay in that cache too. Against one block of more columns 2048^3 takes 0.86 of the time so on one
    thread of a Sapphire Rapids and 0.95 on one of a Zen 4, 0.92 and 0.94 on two.
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


def _strip(machine: Machine, rows: int) -> int:
    """The rows of a strip: 4096 columns of them fit into the second cache, in whole tiles, and not more than 64, which are
    enough to read the right operand of a contraction from the cache."""
    fitting = min(64, machine.l2 // FLOAT // 4096)
    return max(1, fitting // rows) * rows


def _power_of_two(number: int) -> int:
    """The greatest power of two that is not greater."""
    return 1 << max(number, 1).bit_length() - 1


# The passes that have options for the machine.
MACHINE_PASSES = frozenset(pass_options(AVX512))
