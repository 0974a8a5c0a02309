"""The search for the best tile and block sizes: coordinate descent, one contraction and one size at a time.

On an executor, all choices of one size are measured at a time, each by a worker against the same two programs; the choice with
the greatest gain becomes the best. Workers have to run on machines like this one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...ir.text.parser import parse_module
from ...ir.text.printer import print_module
from ...lowering import all_passes
from ...lowering.driver import lower
from ...lowering.machine import Machine, pass_options
from ...passes.analysis.contractions import contractions_in
from ...passes.analysis.loop_nests import Frame, lowered_blocks
from ...passes.loop.contraction.loop_tile_contractions import LoopTileContractions
from ...passes.loop.contraction.tuned_sizes import contraction_key, tuned_entry
from ...passes.manager.instruments import Instrument, PassRun
from ...passes.manager.pass_manager import PassManager
from ...runtime.boundary.signature import Signature
from ...runtime.cache.disk import Cache, default_cache
from ...runtime.cache.emitted_code import Code
from ...runtime.cpu.program import BoundCall, CpuProgram
from ...runtime.toolchain.host import target_machine, with_tuned
from ...runtime.toolchain.tuned_sizes import Finding
from ..executors import results_of
from ..progress import Progress
from .descent import Descent, Sizes

Array = Any

# Each of two candidates runs this often in turn, each time for this many seconds.
ROUNDS, SECONDS = 7, 0.01
# The allowed difference from results without tuned sizes, relative to the greatest of them, by the digits of their dtype.
TOLERANCE = 64.0


class Contractions(Instrument):
    """Records the contractions of a program when they are tiled."""

    def __init__(self):
        self.found: dict[str, None] = {}

    def before(self, run: PassRun) -> None:
        if not isinstance(run.pass_, LoopTileContractions):
            return
        for block in lowered_blocks(run.module):
            frame = Frame()
            frame.tree(block)
            for found, _ in contractions_in(block.body.block, frame):
                if not run.pass_.is_small(found):
                    self.found[contraction_key(found)] = None


class Tuner(Descent[CpuProgram]):
    """Tunes the contractions of one program, on contiguous arrays and under these values of its signature's parameters, until
    `deadline` by `time.monotonic`."""

    def __init__(
        self,
        module: ModuleOp,
        signature: Signature,
        arrays: Sequence[Array],
        values: Sequence[int],
        machine: Machine,
        cache: Cache,
        deadline: float,
    ):
        super().__init__(machine, cache, deadline)
        self.machine = machine
        self.module = module
        self.signature = signature
        self.arrays = arrays
        self.values = values
        self.options = pass_options(machine)
        self.usual = self.options[LoopTileContractions.name]
        self.contractions = Contractions()
        self.start(self._compile({}))
        self.expected = self._run(self.untuned)

    @property
    def keys(self) -> Mapping[str, object]:
        """The contractions that can be tuned."""
        return self.contractions.found

    def run(self, progress: Progress, executor: Executor | None = None) -> None:
        """Try all alternatives, as far as time allows. Raises CompileError for workers on other machines."""
        if executor is None:
            self.descend(progress)
        else:
            self._run_on(executor, progress)

    def _run_on(self, executor: Executor, progress: Progress) -> None:
        """Try all alternatives on the workers of an executor."""
        portable = Portable.of(self)
        for key in self.keys:
            groups: dict[str, None] = dict.fromkeys(name for name, _ in self._alternatives(key))
            for name in groups:
                if time.monotonic() > self.deadline:
                    return
                progress.note(f"{key} {name}")
                choices = [{**self.best, key: sizes} for each, sizes in self._alternatives(key) if each == name]
                tasks = [(portable, key, chosen, self.best) for chosen in choices]
                found = list(zip(results_of(executor, measured_by_worker, tasks, Finding | None), choices, strict=True))
                self.tried += len(choices)
                gains = [(each.after / each.before, each, chosen) for each, chosen in found if each is not None]
                if gains:
                    _, finding, chosen = min(gains, key=lambda gain: gain[0])
                    self._keep(key, chosen, finding)
                for _ in choices:
                    progress.advance()

    def _alternatives(self, key: str) -> Iterator[tuple[str, Sizes]]:
        """Sizes that differ from the best so far in one parameter, with a description of the difference."""
        usual = {**vars(LoopTileContractions()), **self.usual}
        for name, choices in alternatives(self.machine, self.usual).items():
            for choice in choices:
                current = {**usual, **self.best.get(key, {})}
                if any(current[each] != value for each, value in choice.items()):
                    yield name, {**self.best.get(key, {}), **choice}

    def _compile(self, sizes: Mapping[str, Sizes]) -> CpuProgram:
        ctx, module = make_context(), self.module.clone()

        def manager(passes: str) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), verify_each=False, instruments=[self.contractions])

        options = with_tuned(self.options, tuple(tuned_entry(key, each) for key, each in sizes.items()))
        for _ in lower(module, ctx, "cpu", manager=manager, options=options):
            pass
        return CpuProgram(Code.of(module), self.signature)

    def _run(self, program: CpuProgram) -> list[Array]:
        """The results. Errors in the arrays become a CompileError, the message of the command."""
        try:
            return program.run(self._copies(), self.values)
        except (IndexError, ZeroDivisionError) as error:
            raise CompileError(str(error)) from error

    def _copies(self) -> list[Array]:
        # A program may write its results into its arguments.
        return [each.copy() for each in self.arrays]

    def _is_right(self, program: CpuProgram) -> bool:
        return all(is_near(got, want) for got, want in zip(self._run(program), self.expected, strict=True))

    def _times(self, *programs: CpuProgram) -> list[float]:
        """The least seconds of a call of each program, timed in turn."""
        calls = [program.bound(self._copies(), self.values) for program in programs]
        often = max(1, int(SECONDS / max(seconds(calls[0], 2), 1e-9)))
        times = [[seconds(call, often) for call in calls] for _ in range(ROUNDS)]
        return [min(column) for column in zip(*times, strict=True)]


@dataclass(frozen=True)
class Portable:
    """A program and its arguments in the form that workers get, and the machine that findings are for."""

    text: str
    names: tuple[str, ...]
    arrays: Sequence[Array]
    values: Sequence[int]
    machine: Machine

    @staticmethod
    def of(tuner: Tuner) -> Portable:
        """The program of a tuner."""
        names = tuple(each.name for each in tuner.signature.inputs)
        return Portable(print_module(tuner.module), names, list(tuner.arrays), list(tuner.values), tuner.machine)


def measured_by_worker(portable: Portable, key: str, chosen: Mapping[str, Sizes], best: Mapping[str, Sizes]) -> Finding | None:
    """The gain of a candidate over the best sizes so far, measured on a worker. Raises CompileError for a worker on another
    machine."""
    machine = target_machine()
    for name, wanted in vars(portable.machine).items():
        if getattr(machine, name) != wanted:
            raise CompileError(
                f"--executor: the worker's machine has {name} = {getattr(machine, name)}, findings are for one with {wanted}"
            )
    module = parse_module(portable.text, make_context())
    signature = Signature.of(entry_function(module), portable.names)
    tuner = Tuner(module, signature, portable.arrays, portable.values, machine, default_cache(), math.inf)
    compiled = tuner._compile(best) if best else tuner.untuned
    return tuner.measured(key, chosen, tuner._compile(chosen), compiled)


def seconds(call: BoundCall, often: int) -> float:
    """The average seconds of some calls, each of which begins with the same values."""
    if not call.donated:
        return _elapsed(call, often) / often
    total = 0.0
    for _ in range(often):
        total += _elapsed(call, 1)
        call.restore()
    return total / often


def _elapsed(call: BoundCall, often: int) -> float:
    started = time.perf_counter()
    for _ in range(often):
        call()
    return time.perf_counter() - started


def alternatives(machine: Machine, options: Sizes) -> Mapping[str, Sequence[Sizes]]:
    """The candidates for a contraction, by the parameter that they change: tiles that fit into the registers, and blocks of
    other than the usual sizes."""
    tiles = [
        {"rows": rows, "vectors": vectors}
        for vectors in (1, 2, 3, 4)
        for rows in (4, 6, 8, 10, 12, 14)
        if machine.registers // 2 <= rows * vectors + vectors + 1 < machine.registers
    ]
    return {
        "tile": tiles,
        "depth": [{"depth": depth} for depth in (128, 192, 384, 512, 1024)],
        "blocks at once": [{"blocks": blocks} for blocks in (1, 2, 4, 8)],
        "copies": [{"pack_left": packed} for packed in (0, 1)],
        "group of rows": [{"left_group": max(1, options["left_group"] * n // 2)} for n in (1, 2, 4)],
        "group of columns": [{"right_group": max(1, options["right_group"] * n // 2)} for n in (1, 2, 4)],
        "block of rows": [{"left_panels": max(1, options["left_panels"] * n // 4)} for n in (1, 2, 8)],
        "block of columns": [{"right_panels": max(1, options["right_panels"] * n // 4)} for n in (1, 2, 8)],
    }


def is_near(got: Array, want: Array) -> bool:
    """Whether results agree: exactly if they are not floats, else within a tolerance of the greatest."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind in "iub" or want.size == 0:
        return bool(np.array_equal(got, want))
    wide, expected = got.astype(np.float64), want.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(wide[~finite], expected[~finite], equal_nan=True):
        return False
    import ml_dtypes

    epsilon = float(ml_dtypes.finfo(want.dtype).eps)
    greatest = np.max(np.abs(expected[finite]), initial=0.0)
    return bool(np.all(np.abs(wide[finite] - expected[finite]) <= TOLERANCE * epsilon * greatest))
