"""Random legal pipelines: loop passes in any order and number, with random options.

Each pass must accept the output of any other, so that any sequence between the lowering to loops and the lowering to C is
legal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

Choices = Mapping[str, tuple[int, ...]]

# For each pass the values of its options: small ones, so that programs of few elements reach all of its code.
PASSES: Mapping[str, Choices] = MappingProxyType(
    {
        "cse": {},
        "dce": {},
        "loop-inline": {
            **{"recompute": (0, 1, 4, 100), "indices": (0, 100), "sliding": (0, 100)},
            **{"epilogues": (0, 1), "affine_tiles": (0, 1), "gathered": (0, 5), "expanded": (0, 100)},
        },
        "loop-simplify": {},
        "loop-fuse": {
            **{"window": (1, 2, 32), "statements": (4, 30, 400)},
            **{"atomics": (0, 1), "columns": (0, 1), "epilogues": (0, 1), "vectors": (0, 1)},
        },
        "loop-alias-donated": {},
        "loop-scalar-replacement": {},
        "loop-contract-buffers": {},
        "loop-tile-and-fuse": {"rows": (1, 2, 3, 64), "columns": (1, 3, 64)},
        "loop-outline-similar": {"statements": (1, 16)},
        "loop-outline": {"statements": (1, 16)},
        "loop-collapse": {},
        "loop-split-reduction": {
            **{"parts": (2, 3, 64), "grain": (1, 2, 8192), "columns": (0, 5, 16), "joined": (1, 3, 7)},
            "checks": (0, 1),
        },
        "loop-pad": {},
        "loop-permute": {"window": (0, 64), "cache": (1, 1000, 1 << 19)},
        "loop-tile-contractions": {
            "rows": (2, 3, 8), "vectors": (1, 2), "bytes": (4, 16, 64), "depth": (1, 2, 256), "left_panels": (1, 2, 256),
            "right_panels": (1, 2, 64), "left_group": (1, 2, 16), "right_group": (1, 4), "least": (1, 4), "fused": (0, 1),
            "pack_left": (0, 1), "ahead": (0, 64, 262144), "into": (1, 2),
        },
        "loop-invariant-code-motion": {},
        "loop-scan-invariant-code-motion": {},
        "loop-index-set-split": {"statements": (10, 100, 1000)},
        "loop-unroll-by-divisor": {"copies": (2, 3, 6), "statements": (10, 100, 1000)},
        "loop-delinearize": {"least": (1, 2, 8), "splits": (0, 1, 4)},
        "loop-interchange": {
            **{"block": (2, 3, 2048), "steps": (1, 2, 16), "narrow": (1, 4, 64)},
            **{"window": (0, 64), "stages": (1, 4), "updated": (1, 2, 256), "cores": (1, 2, 8)},
            **{"parts": (1, 2, 64), "grain": (1, 2, 256)},
        },
        "loop-vectorize-scans": {"bytes": (16, 32, 64)},
        "loop-unroll-and-jam": {
            **{"rows": (1, 2, 3, 8), "streams": (1, 2, 4), "costly": (1, 3)},
            **{"length": (1, 256), "groups": (1, 16), "little": (0, 4, 12)},
        },
        "loop-online-softmax": {"elements": (1, 2, 3, 4096)},
        "loop-one-pass-variance": {"elements": (1, 2, 3, 1024), "beyond": (0, 64, 1 << 25)},
        "loop-unroll-and-jam-windows": {"rows": (1, 2, 3, 4), "steps": (9, 128), "window": (2, 8)},
        "loop-fma-contraction": {"fused": (0, 1)},
        "loop-unroll-windows": {"steps": (5, 128)},
        "loop-tile-convolutions": {
            "rows": (2, 3, 8), "vectors": (1, 2), "bytes": (4, 16, 64), "group": (1, 4), "window": (2, 8), "least": (1, 4),
            "fused": (0, 1),
        },
        "loop-prefetch": {
            "rows": (1, 2, 5), "within": (0, 64, 49152), "ahead": (0, 64, 4096), "into": (1, 2), "nearer": (1, 4),
            "beyond": (0, 64, 1 << 25), "by-lines": (0, 1),
        },
        "loop-tile-transposes": {"bytes": (8, 16, 64), "tiles": (1, 2, 4), "ahead": (0, 2)},
        "loop-stream-rows": {"beyond": (4, 64), "elements": (2, 16), "warps": (4, 8)},
        "loop-fuse-attention": {"rows": (16, 128), "keys": (16, 128), "wide": (1, 64), "warps": (4, 8), "stages": (1, 2)},
        "loop-recompute-weights": {
            "rows": (16, 64), "keys": (16, 64), "single": (16, 32), "wide": (1, 64), "warps": (4, 8), "stages": (1, 2),
        },
        "loop-split-nested-reduction": {
            "programs": (1, 4, 512), "along": (1, 4, 4096), "down": (1, 2, 64), "parts": (1, 3, 1024),
        },
        "loop-split-product": {"programs": (1, 4, 132), "least-steps": (1, 96), "least-float-steps": (1, 96), "parts": (2, 64)},
        "loop-split-scan": {"programs": (1, 4, 512), "along": (1, 4, 4096), "parts": (1, 3, 1024)},
        "loop-distribute": {},
        "loop-pack-channels": {"window": (2, 4), "channels": (1, 2)},
        "loop-drop-unit-axes": {},
        "loop-map-to-tiles": {},
        "loop-vectorize": {"bytes": (8, 16, 64), "accumulators": (1, 2, 4), "chunk": (1, 2, 16)},
    }
)  # fmt: skip
BELOW: Mapping[str, Choices] = MappingProxyType(
    {
        "cloop-transpose": {},
        "cloop-plan-memory": {},
        "cloop-nontemporal-stores": {},
        "cloop-outline": {"statements": (1, 40)},
        "cloop-outline-tiles": {"levels": (1, 2, 3)},
        "cloop-invariant-code-motion": {},
    }
)
# The passes after the other passes on loops, each of which may be left out, and the lowering.
LAST: Mapping[str, Choices] = MappingProxyType({"loop-defer-unrolling": {}, "loop-parallelize": {"threads_from": (1, 32768)}})
LOWERING: Choices = MappingProxyType({"vector_bits": (128, 256, 512)})
LONGEST = 14


@dataclass(frozen=True)
class Pipeline:
    """A pipeline from micro-ops to C: the dtype of sums, the passes on loops, the lowering, and the passes below it."""

    first: str
    passes: tuple[str, ...]
    last: tuple[str, ...]

    @property
    def to_loops(self) -> str:
        """The part that stays on the level of loops."""
        return ",".join((self.first, *self.passes))

    def __str__(self) -> str:
        return ",".join((self.first, *self.passes, *self.last))

    def shrink(self, shows: Callable[[Pipeline], bool]) -> Pipeline:
        """The pipeline without the passes that a fault does not need."""
        current, position = self, 0
        while position < len(current.passes):
            passes = current.passes[:position] + current.passes[position + 1 :]
            shorter = Pipeline(current.first, passes, current.last)
            if shows(shorter):
                current = shorter
            else:
                position += 1
        return current


def random_pipeline(seed: int, parallel: bool = False) -> Pipeline:
    """The pipeline of a seed; with `parallel` loops run on threads however short they are."""
    choose = random.Random(seed)
    names = [choose.choice(tuple(PASSES)) for _ in range(choose.randint(1, LONGEST))]
    passes = tuple(_with_options(choose, name, PASSES[name]) for name in names)
    below = tuple(_with_options(choose, name, BELOW[name]) for name in BELOW if choose.random() < 0.5)
    first = f"lower-uop-to-loop{{accumulate={choose.choice(('float32', 'float64'))}}}"
    ends = tuple(_with_options(choose, name, LAST[name]) for name in LAST if choose.random() < 0.5)
    if parallel:
        ends = ("loop-parallelize{threads-from=1}",)
    lowering = _with_options(choose, "lower-loop-to-cloop", LOWERING)
    return Pipeline(first, passes, (*ends, lowering, *below))


def _with_options(choose: random.Random, name: str, choices: Choices) -> str:
    chosen = {option: choose.choice(values) for option, values in choices.items() if choose.random() < 0.5}
    text = " ".join(f"{option.replace('_', '-')}={value}" for option, value in chosen.items())
    return f"{name}{{{text}}}" if text else name
