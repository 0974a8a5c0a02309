"""The search for the best tiles of products on a GPU: coordinate descent, one product and one number at a time.

Candidates are compiled for the machine's card, and timed by its clock. Parameters that a candidate does not set keep the
program's values. Tiles that need more memory than a multiprocessor has are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from ...passes.loop.kernels.product_tiles import key_of, product_roles, usual_tile
from ...passes.manager.instruments import Instrument, PassRun
from ...passes.manager.pass_manager import PassManager
from ...passes.rules.settings import current
from ...runtime.boundary.signature import Signature
from ...runtime.cache.disk import Cache
from ...runtime.toolchain.host import with_tuned_tiles
from ...runtime.triton.program import CudaProgram
from .descent import Descent, Sizes
from .search import is_near

Array = Any
# Each of two candidates runs this often in turn.
ROUNDS, CALLS = 5, 10
# The alternatives for a product, by the parameter that they change: rows, columns and warps of a tile first.
TILES = (
    *((64, 64, 4), (64, 128, 4), (128, 64, 4), (128, 128, 4), (128, 128, 8)),
    *((64, 256, 4), (64, 256, 8), (256, 64, 8), (128, 256, 8), (256, 128, 8)),
)
ALTERNATIVES: tuple[tuple[str, tuple[Sizes, ...]], ...] = (
    ("tile", tuple({"m": m, "n": n, "warps": warps} for m, n, warps in TILES)),
    ("steps", tuple({"k": k} for k in (32, 64, 128))),
    ("stages", tuple({"stages": stages} for stages in (2, 3, 4, 5))),
    ("group", tuple({"group": group} for group in (1, 4, 8, 16))),
)


class Products(Instrument):
    """Records the products of a program when they get their tiles, and their untuned tiles."""

    def __init__(self):
        self.found: dict[str, Sizes] = {}

    def before(self, run: PassRun) -> None:
        if not isinstance(run.pass_, LoopMapToTiles):
            return
        for block in lowered_blocks(run.module):
            roles = product_roles(block, outer_nest(block)) if block.warps is None else None
            if roles is not None:
                tf32 = bool(run.pass_.tf32)
                self.found.setdefault(key_of(roles, tf32=tf32), usual_tile(roles, run.pass_.programs, tf32))


class GpuTuner(Descent[CudaProgram]):
    """Tunes the products of one program on a card, on these arrays and values of the signature's parameters, until `deadline`
    by `time.monotonic`. Raises CompileError if there is no card."""

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
        super().__init__(gpu, cache, deadline)
        self.module, self.signature, self.values, self.gpu = module, signature, values, gpu
        self.products = Products()
        self.arrays = self._on_card(arrays)
        self.start(self._compile({}))
        self.expected = self._run(self.untuned)

    @property
    def keys(self) -> Mapping[str, Sizes]:
        """The products that can be tuned, with their untuned tiles."""
        return self.products.found

    def _alternatives(self, key: str) -> Iterator[tuple[str, Sizes]]:
        """Tiles that differ from the best so far in one parameter, with a description of the difference."""
        for name, choices in ALTERNATIVES:
            for choice in choices:
                current = {**self.keys[key], **self.best.get(key, {})}
                if any(current[each] != value for each, value in choice.items()):
                    yield name, {**self.best.get(key, {}), **choice}

    def _is_right(self, program: CudaProgram) -> bool:
        found = self._run(program)
        return found is not None and self.expected is not None and all(map(is_near, found, self.expected))

    def _compile(self, sizes: Mapping[str, Sizes]) -> CudaProgram:
        ctx, module = make_context(), self.module.clone()

        def manager(passes: str) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), verify_each=False, instruments=[self.products])

        entries = tuple(tuned_entry(key, each) for key, each in sizes.items())
        options = with_tuned_tiles(gpu_options(self.gpu, current().choice.precision), entries)
        for _ in lower(module, ctx, "cuda", manager=manager, options=options):
            pass
        return CudaProgram(emit_triton(module), launch_plan(module), self.signature)

    def _on_card(self, arrays: Sequence[Array]) -> list[Array]:
        """The arrays as tensors on the card."""
        import torch

        if not torch.cuda.is_available():
            raise CompileError(
                "stepwell tune --target cuda needs a GPU that torch can use, and there is none; see `stepwell doctor`"
            )
        bits = [each.view("int16") if each.dtype.name == "bfloat16" else each for each in arrays]
        kinds = [getattr(torch, each.dtype.name) for each in arrays]
        return [torch.from_numpy(each).view(kind).cuda() for each, kind in zip(bits, kinds, strict=True)]

    def _run(self, program: CudaProgram) -> list[Array] | None:
        """The results, as arrays; None if a multiprocessor has too little memory for a tile. Errors in the arrays become a
        CompileError, the message of the command."""
        from triton.runtime.errors import OutOfResources

        try:
            results = program.run([each.clone() for each in self.arrays], self.values)
            return [_as_array(each, to.dtype) for each, to in zip(results, self.signature.outputs, strict=True)]
        except OutOfResources:
            return None
        except (IndexError, ZeroDivisionError) as error:
            raise CompileError(str(error)) from error

    def _times(self, *programs: CudaProgram) -> list[float]:
        """The least seconds of a call of each program on the card, timed in turn."""
        runs = [self._repeated(program) for program in programs]
        times = [[_seconds(run) for run in runs] for _ in range(ROUNDS)]
        return [min(column) for column in zip(*times, strict=True)]

    def _repeated(self, program: CudaProgram) -> Callable[[], Any]:
        """A function that runs the kernels of a program `CALLS` times on existing buffers, without copies of arguments. They
        run as a graph: if they were launched one by one, the host might take longer than a kernel."""
        from ...runtime.triton.kernels import Graph

        launch = program.on_buffers([each.clone() for each in self.arrays], self.values)

        def repeat() -> None:
            for _ in range(CALLS):
                launch()

        if program.checks:  # programs with checks wait for their outcome
            return repeat
        launch()
        return Graph(repeat, self.arrays[0].device).replay


def _seconds(run: Callable[[], Any]) -> float:
    """The seconds of one call, from a function that runs `CALLS` of them."""
    import torch

    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / CALLS


def _as_array(tensor: Any, element: DType) -> Array:
    """A tensor's elements in NumPy, which gets bfloat16 from another package."""
    import torch

    bits = tensor.view(torch.int16) if element.name == "bfloat16" else tensor
    return bits.cpu().numpy().view(element.numpy)
