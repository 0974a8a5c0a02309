"""The pass pipelines of all targets: the levels of each, and the passes that lower to each level, in order.

A program can enter, be printed and be inspected at every level. Each line is a pass, with the reason for its position.
Machine-dependent options, such as block sizes, are in `machine.py`, by pass name. `driver.py` runs the pipelines. A target is a
row of `TARGETS`: the stages that lead to it, the language that its last level is emitted in, and the function that makes its
programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..ir.plugin_tables import PluginTable


class Stage(NamedTuple):
    """A level, and the passes that lower to it from the previous level."""

    level: str
    passes: tuple[str, ...]


# Shared by all targets.
MICRO_OPS = (
    "inline",  # composites such as softmax are calls until here
    "lower-graph-to-uop",  # each operation expands into a few micro-ops
    "cse",  # expansions repeat broadcasts and index arithmetic of their neighbours; rules match values with several uses
)
GRADIENTS = (
    "uop-grad",  # gradients become ordinary micro-ops: later passes see forward and backward as one program
    "cse",  # gradients recompute values of the forward program
)

CPU: tuple[Stage, ...] = (
    Stage("graph", ()),
    Stage(
        "uop",
        (
            *MICRO_OPS,
            "rewrite-rules{device=cpu}",  # replaces formulas that overflow or cancel, before they are differentiated
            *GRADIENTS,
            "rewrite-rules{device=cpu}",  # gradients bring formulas of their own
            "uop-narrow-reductions",  # gradients of sums repeat equal rows: contractions would be computed for each of them
            # elementwise operations behind a product of matrices then have its axes, and become its epilogue
            "uop-sink-reshapes",
            "uop-remove-dead-results",  # scans return all results that a gradient could use
            "dce",  # expansions compute more than is used, such as the mean beside a variance
        ),
    ),
    Stage(
        "loop",
        (
            "uop-bound-indices",  # generated code computes indices in 64 bits
            "specialize-sizes",  # known small extents are fully unrolled later, and unrolled copies share loads
            "uop-split-convolutions{apart=1}",  # grouped and strided contractions become plain ones, by the sizes of windows
            "dce",  # products of the contractions that were split
            "lower-uop-to-loop{accumulate=float64}",  # a nest for each micro-op; CPUs add doubles at the speed of float loads
            "loop-simplify",  # drops loops over axes of size 1, which would keep nests from matching
            "loop-inline{epilogues=1 affine_tiles=1 indices=0 gathered=5}",  # elementwise producers move into their readers
            "loop-simplify",  # composed index maps fold, and some of their guards are now proven
            "loop-alias-donated",  # before fusion, so that overwriting an argument is ordered after its last read
            "loop-fuse{columns=1 epilogues=1 vectors=1}",  # nests that share data share loops, for cache reuse
            "loop-scalar-replacement",  # forwards the stores of a fused loop to its own loads
            "loop-contract-buffers",  # temporaries that live within one iteration shrink to the size that one iteration needs
            "loop-tile-and-fuse",  # intermediates between two contractions stay in cache, one block of rows at a time
            "cse",  # fused nests compute the same values
            "dce",  # values that were stored only to temporaries that are now removed
            "loop-outline-similar",  # layers that differ only in sizes are scheduled and compiled once
            "loop-outline",  # the C compiler can start on one part of a long program while the rest is lowered
        ),
    ),
    Stage(
        "scheduled",
        (
            "loop-collapse",  # one long contiguous loop has one remainder, many short ones have many
            # full reductions have no parallel iterations for threads, reductions of few columns have few
            "loop-split-reduction",
            "loop-tile-convolutions",  # before packing: panels would hold an element once for each window it is in
            "loop-permute",  # before copies for windows, which are contiguous along the innermost loops
            "loop-pad",  # a padded copy replaces bounds checks on every element of a window
            "loop-tile-contractions",  # blocks operands for the caches and registers
            "loop-simplify",  # known sizes leave blocking loops of one iteration and branches never taken
            "loop-invariant-code-motion",  # before vectorization, which needs innermost loops without invariant statements
            "loop-unroll-by-divisor",  # removes the division of each index by which window gradients find their window
            "loop-delinearize",  # removes divisions of each index by run-time sizes, as in rolled and tiled arrays
            "loop-index-set-split",  # interior iterations then run without tests for padding
            "loop-interchange",  # column reductions then traverse rows
            "loop-vectorize-scans",  # one dependent step per vector instead of one per element
            "loop-unroll-and-jam",  # independent rows hide the latency of carried values
            "loop-online-softmax",  # one pass instead of two over rows that exceed the cache: maximum and exponentials
            "loop-one-pass-variance",  # likewise: mean and squared deviations
            "loop-unroll-and-jam-windows",  # neighbouring rows of windows share loads
            "loop-tile-transposes",  # both sides of a transpose then access whole cache lines
            "loop-vectorize",  # last of the structural passes: vectorizes innermost loops over contiguous memory
            "loop-fma-contraction",  # after vectorization, when window sums are fully vectorized
            "loop-unroll-windows",  # fully unrolled windows of neighbouring rows share loads
            "loop-invariant-code-motion",  # again: for values that vectors and unrolled windows share
            "loop-scan-invariant-code-motion",  # weights are packed once, not at each step of a scan
            "loop-prefetch",  # hardware prefetchers predict neither rows that are revisited nor many streams
            "loop-simplify",  # tiling and vectorization leave foldable index arithmetic and guards that always hold
            "cse",  # adjacent vectors load the same data
            "dce",  # originals of operations that were copied
            "loop-defer-unrolling",  # register tiles stay loops, which the C compiler unrolls: shorter text, faster to lower
            "loop-parallelize",  # last, when the number of innermost iterations is final
        ),
    ),
    Stage(
        "cloop",
        (
            "lower-loop-to-cloop",  # buffers become pointers, loops become C loops
            "cloop-transpose",  # transposes through shuffles; lane by lane they cost more than memory does
            "cloop-plan-memory",  # one arena a call: fresh memory costs page faults, disjoint lifetimes share addresses
            "cloop-nontemporal-stores",  # large results would evict data that is still to be read
            "cloop-outline",  # translation units of a long program compile concurrently
            "cloop-outline-tiles",  # the C compiler would analyse a tile again for each loop around it
            "cloop-invariant-code-motion",  # C compilers cannot speculate a division out of a loop that may run zero times
        ),
    ),
)

GPU: tuple[Stage, ...] = (
    Stage("graph", ()),
    Stage(
        "uop",
        (
            *MICRO_OPS,
            "rewrite-rules{device=cuda}",  # as on the CPU; a rule may be for one kind of device
            "uop-grad{one_hot=1}",  # as on the CPU; a scatter would be two more kernels
            "cse",  # as on the CPU
            "rewrite-rules{device=cuda}",  # as on the CPU
            "uop-narrow-reductions",  # as on the CPU
            "uop-split-convolutions",  # as on the CPU
            "uop-sink-reshapes",  # as on the CPU
            "uop-remove-dead-results",  # as on the CPU
            "dce",  # as on the CPU
        ),
    ),
    Stage(
        "loop",
        (
            "uop-bound-indices",  # as on the CPU
            "specialize-sizes",  # as on the CPU: windows of convolutions are known, and divisions by them cheap
            "lower-uop-to-loop{accumulate=float32}",  # for tensor cores and float32 units; GPUs are slow on doubles
            "loop-simplify",  # as on the CPU
            "loop-drop-unit-axes",  # attention with a batch of one then looks like attention without a batch
            # as on the CPU, sliding windows and masks of lengths too: each remaining block is a kernel
            "loop-inline{epilogues=1 sliding=4 expanded=4}",
            "loop-simplify",  # as on the CPU
            "loop-alias-donated",  # as on the CPU
            "loop-fuse{atomics=1}",  # nests that share data become one kernel, which reads it once
            "loop-scalar-replacement",  # as on the CPU
            "cse",  # as on the CPU
            "dce",  # as on the CPU
        ),
    ),
    Stage(
        "scheduled",
        (
            "loop-pack-channels",  # windows read images many times, and only along channels by loads of 16 bytes
            "loop-recompute-weights",  # gradients of attention would read scores and weights from memory
            "loop-fuse-attention",  # scores of attention stay in registers
            "loop-collapse",  # one long contiguous loop is distributed without divisions
            "loop-split-nested-reduction",  # few results of long reductions would keep few programs busy
            "loop-split-product",  # likewise for products of matrices: few tiles would run through all of K
            "loop-split-scan",  # likewise
            # a sum of results of reductions has no parallel loop for programs
            "loop-split-reduction{parts=1024 columns=0 checks=1}",
            "loop-distribute",  # a block is one kernel, but nests without a common loop need several
            "loop-stream-rows",  # rows that no tile holds are read fewer times
            "loop-map-to-tiles",  # last, when the loops are final: programs, lanes and steps
        ),
    ),
    Stage("tile", ("lower-loop-to-tile",)),  # a kernel for each block, a launch plan for the whole
)

INTERPRETED: tuple[Stage, ...] = (
    Stage("graph", ()),
    # The program as it was written, without rewrite rules: the oracle.
    Stage("uop", (*MICRO_OPS, *GRADIENTS, "uop-remove-dead-results", "dce")),
)


class Target(NamedTuple):
    """A target: its stages, the function that makes a program of its last level, and the language that this level is emitted
    in, if any.

    `program` is "module:function", relative to the package: a function `(module, target, signature, edit)` that returns a
    `Program` (`runtime/executable.py`). `edit`, if it is not None, takes the name of a file and the text that was emitted, and
    returns the text to run. In rows of plugins it is the function itself. `device` is the target whose hooks and rewrite rules
    apply to this one, by default the target itself.
    """

    stages: tuple[Stage, ...]
    program: str | Callable[..., Any]
    language: str = ""
    device: str = ""


class Language(NamedTuple):
    """A language of emitted source code. `emitter` is a function from a module on the last level to its `SourceText`, given as
    "module:function" relative to the package, in rows of plugins the function itself. `comment` begins a comment."""

    emitter: str | Callable[..., Any]
    comment: str


LANGUAGES: PluginTable[Language] = PluginTable(
    {
        "c": Language("lowering.emit_c.emit_c:emit_c", "//"),
        "triton": Language("lowering.emit_triton.emit_triton:emit_triton", "#"),
    },
    lambda plugin: plugin.languages,
)
TARGETS: PluginTable[Target] = PluginTable(
    {
        "cpu": Target(CPU, "runtime.cpu.program:cpu_program", "c"),
        "cuda": Target(GPU, "runtime.triton.program:triton_program", "triton"),
        "triton-interpret": Target(GPU, "runtime.triton.program:triton_program", "triton", device="cuda"),
        "interpret": Target(INTERPRETED, "runtime.interpret.program:interpreted_program"),
    },
    lambda plugin: plugin.targets,
)
# Names that users of other compilers may expect, for messages on unknown targets: name -> target.
ALIASES: Mapping[str, str] = MappingProxyType({"gpu": "cuda", "triton": "cuda", "c": "cpu", "numpy": "interpret"})


def _languages_of(targets: Mapping[str, Target]) -> Mapping[str, tuple[str, str]]:
    """The languages of targets as rows of EMITTED. A language is emitted for its first target."""
    return {row.language: (name, row.stages[-1].level) for name, row in reversed(list(targets.items())) if row.language}


# Outputs of `emit`: name -> (target whose pipeline is run, level to lower to).
EMITTED: PluginTable[tuple[str, str]] = PluginTable(
    {
        **{stage.level: ("cpu", stage.level) for stage in CPU},
        "tile": ("cuda", "tile"),
        **_languages_of(TARGETS.own),
    },
    lambda plugin: _languages_of(plugin.targets),
)
