"""The search for the best tiles of products on a GPU: coordinate descent, one product and one number at a time.

A candidate is compiled for the card that is there, its results are held against those of the program without tuned tiles, and
it is timed in turn with the best tiles so far and the program as it is, by the card's own clock. Where it is faster than both
by more than `GAIN`, twice, it takes their place, and is kept at once. Tiles for which a multiprocessor has too little memory
are passed over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.types.dtypes import DType
from ...lowering import all_passes
from ...lowering.driver import lower
from ...lowering.emit_triton.emit_triton import emit_triton
from ...lowering.emit_triton.launch_plan import launch_plan
from ...lowering.machine import gpu_options
from ...passes.analysis.kernel_cost import Gpu
from ...passes.analysis.loop_nests import lowered_blocks
from ...passes.loop.contraction.tuned_sizes import tuned_entry
from ...passes.loop.kernels.loop_map_to_tiles import LoopMapToTiles
from ...passes.loop.kernels.patterns import outer_nest
from ...passes.loop.kernels.product_tiles import key_of, product_roles
from ...passes.manager.instruments import Instrument, PassRun
from ...passes.manager.pass_manager import PassManager
from ...passes.rules.settings import current
from ...runtime.boundary.signature import Signature
from ...runtime.cache.disk import Cache
from ...runtime.toolchain.host import with_tuned_tiles
from ...runtime.toolchain.tuned_sizes import Finding, findings_of, keep_finding
from ...runtime.triton.program import CudaProgram
from ..progress import Progress
from .search import GAIN, is_near

Tile = Mapping[str, int]
Array = Any
# Each of two candidates runs this often in turn.
ROUNDS, CALLS = 5, 10
# What is tried for a product, by what it changes: rows, columns and warps of a tile first.
TILES = (
    *((64, 64, 4), (64, 128, 4), (128, 64, 4), (128, 128, 4), (128, 128, 8)),
    *((64, 256, 4), (64, 256, 8), (256, 64, 8), (128, 256, 8), (256, 128, 8)),
)
ALTERNATIVES: tuple[tuple[str, tuple[Tile, ...]], ...] = (
    ("tile", tuple({"m": m, "n": n, "warps": warps} for m, n, warps in TILES)),
    ("steps", tuple({"k": k} for k in (32, 64, 128))),
    ("stages", tuple({"stages": stages} for stages in (2, 3, 4, 5))),
    ("group", tuple({"group": group} for group in (1, 4, 8, 16))),
)


class Keys(Instrument):
    """Which products there are when they get their tiles."""

    def __init__(self):
        self.found: dict[str, None] = {}

    def before(self, run: PassRun) -> None:
        if not isinstance(run.pass_, LoopMapToTiles):
            return
        for block in lowered_blocks(run.module):
            roles = product_roles(block, outer_nest(block)) if block.warps is None else None
            if roles is not None:
                self.found[key_of(roles, tf32=bool(run.pass_.tf32))] = None


class GpuTuner:
    """Tunes the products of one program on a card, on these arrays and values of the signature's parameters, until `deadline`
    by `time.monotonic`. Raises CompileError where there is no card."""

    def __init__(
        self,
        module: ModuleOp,
        signature: Signature,
        arrays: Sequence[Array],
        values: Sequence[int],
        gpu: Gpu,
        cache: Cache,
        deadline: float,
    ):
        self.module, self.signature, self.values = module, signature, values
        self.gpu, self.cache, self.deadline = gpu, cache, deadline
        self.keys = Keys()
        self.arrays = self._on_card(arrays)
        self.untuned = self._compile({})
        self.expected = self._run(self.untuned)
        known = findings_of(cache, gpu)
        self.best: dict[str, Tile] = {key: known[key].sizes for key in self.keys.found if key in known}
        self.tried = 0

    def run(self, progress: Progress) -> None:
        """Try what there is to try, as far as time allows."""
        best = self._compile(self.best) if self.best else self.untuned
        for key in self.keys.found:
            for name, tile in self._alternatives(key):
                if time.monotonic() > self.deadline:
                    return
                progress.note(f"{key} {name}")
                best = self._try(key, tile, best) or best
                progress.advance()

    def _alternatives(self, key: str) -> Iterator[tuple[str, Tile]]:
        """Tiles that differ from the best so far in one respect, with what that is."""
        for name, choices in ALTERNATIVES:
            for choice in choices:
                current = self.best.get(key, {})
                if any(current.get(each) != value for each, value in choice.items()):
                    yield name, {**current, **choice}

    def _try(self, key: str, tile: Tile, best: CudaProgram) -> CudaProgram | None:
        """The program with a tile, when it is right and the fastest so far; the tile is kept."""
        self.tried += 1
        candidate = self._compile({**self.best, key: tile})
        found = self._run(candidate)
        if found is None or self.expected is None or not all(map(is_near, found, self.expected)):
            return None
        untuned = tuned = 0.0
        for _ in range(2):
            before, untuned, tuned = self._times(best, self.untuned, candidate)
            if tuned > min(before, untuned) * (1 - GAIN):
                return None
        self.best[key] = tile
        keep_finding(self.cache, self.gpu, key, Finding(tile, untuned, tuned))
        return candidate

    def _compile(self, tiles: Mapping[str, Tile]) -> CudaProgram:
        ctx, module = make_context(), self.module.clone()

        def manager(passes: str) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), verify_each=False, instruments=[self.keys])

        entries = tuple(tuned_entry(key, each) for key, each in tiles.items())
        options = with_tuned_tiles(gpu_options(self.gpu, current().choice.precision), entries)
        for _ in lower(module, ctx, "cuda", manager=manager, options=options):
            pass
        program = CudaProgram(emit_triton(module), launch_plan(module), self.signature)
        if not program.checks:
            program.use_graphs()  # else the host may take longer than a kernel
        return program

    def _on_card(self, arrays: Sequence[Array]) -> list[Array]:
        """The arrays as tensors on the card."""
        import torch

        if not torch.cuda.is_available():
            raise CompileError(
                "stepwell tune --target cuda needs a GPU that torch can use, and finds none; see `stepwell doctor`"
            )
        bits = [each.view("int16") if each.dtype.name == "bfloat16" else each for each in arrays]
        kinds = [getattr(torch, each.dtype.name) for each in arrays]
        return [torch.from_numpy(each).view(kind).cuda() for each, kind in zip(bits, kinds, strict=True)]

    def _run(self, program: CudaProgram) -> list[Array] | None:
        """The results, as arrays; None where a multiprocessor has too little memory for a tile. What is wrong with the arrays
        is a CompileError: it is the message of the command."""
        from triton.runtime.errors import OutOfResources

        try:
            results = program.run([each.clone() for each in self.arrays], self.values)
            return [_as_array(each, to.dtype) for each, to in zip(results, self.signature.outputs, strict=True)]
        except OutOfResources:
            return None
        except (IndexError, ZeroDivisionError) as error:
            raise CompileError(str(error)) from error

    def _times(self, *programs: CudaProgram) -> list[float]:
        """The least seconds that a call of each program takes on the card, in turn with the others."""
        times = [[self._seconds(program) for program in programs] for _ in range(ROUNDS)]
        return [min(column) for column in zip(*times, strict=True)]

    def _seconds(self, program: CudaProgram) -> float:
        import torch

        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(CALLS):
            program.run(self.arrays, self.values)
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1e3 / CALLS


def _as_array(tensor: Any, element: DType) -> Array:
    """A tensor's elements in NumPy, which has bfloat16 from another package."""
    import torch

    bits = tensor.view(torch.int16) if element.name == "bfloat16" else tensor
    return bits.cpu().numpy().view(element.numpy)
