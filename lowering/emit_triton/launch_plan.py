"""Launch plans: the buffers of a call and the kernels to launch, in order, extracted from a module on the tile level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ...dialects import tile
from ...dialects.loop.iterate import carries_of_step
from ...ir.functions.entry import entry_function, function_params, input_count
from ...ir.functions.versions import condition_of, versions_of
from ...ir.index.expressions import Atom, Index, Param
from ...ir.scalars.attributes import elements_of
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import Shape, element_of, shape_of
from .emit_triton import has_checks, kernel_params, kernels


@dataclass(frozen=True)
class PlannedBuffer:
    """A buffer of the call. `role` is input, output, temporary, data, counter, or argument. Data and counters have `elements`,
    a NumPy array; kernels restore counters to their initial values. An argument is a slice of another buffer in each step of an
    iteration."""

    role: str
    shape: Shape
    dtype: DType
    elements: Any = None


@dataclass(frozen=True)
class Launch:
    """A launch of one kernel with `programs` programs, on the buffers and parameters at these positions of the plan, where all
    `conditions` are non-negative."""

    kernel: str
    programs: Index
    conditions: tuple[Index, ...]
    warps: int
    stages: int
    buffers: tuple[int, ...]
    params: tuple[int, ...]
    checks: bool
    fast: bool


@dataclass(frozen=True)
class Iteration:
    """The launches of a `tile.iterate`, repeated in each step, with the positions of the operation's buffers and of the
    arguments of a step."""

    length: Index
    reverse: bool
    init: tuple[int, ...]
    last: tuple[int, ...]
    spare: tuple[int, ...]
    stacked: tuple[int, ...]
    shared: tuple[int, ...]
    into: tuple[int, ...]
    arguments: tuple[int, ...]
    steps: Steps


Steps: TypeAlias = tuple[Launch | Iteration, ...]


@dataclass(frozen=True)
class Piece:
    """A slice of the buffer at a position of the plan: a number of elements from `start` on."""

    buffer: int
    start: int
    count: int


@dataclass(frozen=True)
class Call:
    """A launch for given values of the parameters: the slices of memory of its buffers, and the number of programs."""

    launch: Launch
    pieces: tuple[Piece, ...]
    programs: int


@dataclass(frozen=True)
class Sizes:
    """A plan for given values of the parameters: the shape of each buffer, and all kernel launches."""

    shapes: tuple[tuple[int, ...], ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class LaunchPlan:
    """The steps of a call, in order. `versions` has steps for known sizes: the first version whose conditions are all
    non-negative runs, or else `steps`. The first buffers are the inputs, followed by the outputs."""

    params: tuple[str, ...]
    buffers: tuple[PlannedBuffer, ...]
    steps: Steps
    versions: tuple[tuple[tuple[Index, ...], Steps], ...] = ()

    @property
    def launches(self) -> tuple[Launch, ...]:
        """All launches, each once."""
        return tuple(_launches((*(step for _, steps in self.versions for step in steps), *self.steps)))

    @property
    def checks(self) -> bool:
        """Whether some kernel has run-time checks."""
        return any(launch.checks for launch in self.launches)

    def positions(self, role: str) -> list[int]:
        return [k for k, buffer in enumerate(self.buffers) if buffer.role == role]

    def sizes(self, values: Sequence[int]) -> Sizes:
        """The plan for these values of the parameters."""
        known: dict[Atom, int] = {Param(name): value for name, value in zip(self.params, values, strict=True)}
        shapes = tuple(tuple(size.evaluate(known) for size in buffer.shape) for buffer in self.buffers)
        pieces = {k: Piece(k, 0, prod(shape)) for k, shape in enumerate(shapes)}
        fitting = (steps for conditions, steps in self.versions if _all_hold(conditions, known))
        return Sizes(shapes, tuple(_calls(next(fitting, self.steps), pieces, known)))


def _launches(steps: Steps) -> Iterator[Launch]:
    for each in steps:
        if isinstance(each, Launch):
            yield each
        else:
            yield from _launches(each.steps)


def _calls(steps: Steps, pieces: dict[int, Piece], known: Mapping[Atom, int]) -> Iterator[Call]:
    """The launches in order. `pieces` maps each buffer to its slice of memory; the arguments of steps are added to it."""
    for each in steps:
        if isinstance(each, Launch):
            if _all_hold(each.conditions, known):
                yield Call(each, tuple(pieces[k] for k in each.buffers), each.programs.evaluate(known))
            continue
        length = each.length.evaluate(known)
        for step in range(length):
            pieces.update(zip(each.arguments, _arguments(each, step, length, pieces), strict=True))
            yield from _calls(each.steps, pieces, known)


def _all_hold(conditions: Sequence[Index], known: Mapping[Atom, int]) -> bool:
    return all(condition.evaluate(known) >= 0 for condition in conditions)


def _arguments(iteration: Iteration, step: int, length: int, pieces: Mapping[int, Piece]) -> list[Piece]:
    """The slices of memory that are the arguments of a step."""
    before, after = carries_of_step(iteration.init, iteration.last, iteration.spare, step, length)
    at = length - 1 - step if iteration.reverse else step
    entries, results = ([_entry(pieces[k], at, length) for k in part] for part in (iteration.stacked, iteration.into))
    return [
        *(pieces[k] for k in before), *entries, *(pieces[k] for k in iteration.shared), *(pieces[k] for k in after), *results,
    ]  # fmt: skip


def _entry(whole: Piece, at: int, length: int) -> Piece:
    """One entry of a buffer along its first axis."""
    count = whole.count // length
    return Piece(whole.buffer, whole.start + at * count, count)


def launch_plan(module: ModuleOp) -> LaunchPlan:
    """The plan of the one public function of a module on the tile level."""
    function = entry_function(module)
    inputs = input_count(function)
    assert inputs is not None, "sw.inputs counts the inputs"
    planner = _Planner(module, function_params(function))
    for k, arg in enumerate(function.args):
        planner.add(arg, "input" if k < inputs else "output")
    versions: list[tuple[tuple[Index, ...], Steps]] = []
    for version in versions_of(function):
        planner.position |= dict(zip(version.args, range(len(version.args)), strict=True))
        versions.append((condition_of(version) or (), planner.steps(version)))
    steps = planner.steps(function)
    return LaunchPlan(planner.params, tuple(planner.buffers), steps, tuple(versions))


class _Planner:
    """Collects the buffers of a plan; `position` maps each value to the position of its buffer."""

    def __init__(self, module: ModuleOp, params: tuple[str, ...]):
        self.declared = {kernel.sym_name.data: kernel for kernel in kernels(module)}
        self.params = params
        self.buffers: list[PlannedBuffer] = []
        self.position: dict[SSAValue, int] = {}

    def add(self, value: SSAValue, role: str, elements: Any = None) -> int:
        self.position[value] = len(self.buffers)
        self.buffers.append(PlannedBuffer(role, shape_of(value), dtype_of(element_of(value)), elements))
        return self.position[value]

    def steps(self, function: FuncOp) -> Steps:
        """The launches of a function; its temporaries become buffers of the plan."""
        found: list[Launch | Iteration] = []
        for op in function.body.block.ops:
            match op:
                case tile.AllocOp():
                    self.add(op.result, "temporary")
                case tile.DataOp():
                    self.add(op.result, "data", elements_of(op.value))
                case tile.CounterOp():
                    self.add(op.result, "counter", np.zeros(1, np.int32))
                case tile.LaunchOp():
                    found.append(self._launch(op))
                case tile.IterateOp():
                    found.append(self._iteration(op))
                case _:
                    assert isinstance(op, ReturnOp), f"'{op.name}' is not part of a launch plan"
        return tuple(found)

    def _launch(self, op: tile.LaunchOp) -> Launch:
        kernel = self.declared[op.kernel.root_reference.data]
        params = tuple(self.params.index(name) for name in kernel_params(kernel))
        name, warps, stages = kernel.sym_name.data, op.warps.value.data, op.stages.value.data
        buffers = self._positions(op.buffers)
        return Launch(
            name, op.programs, op.conditions, warps, stages, buffers, params, has_checks(kernel), "sw.fast" in kernel.attributes
        )

    def _iteration(self, op: tile.IterateOp) -> Iteration:
        callee = op.callee
        arguments = tuple(self.add(arg, "argument") for arg in callee.args)
        init, last, spare, stacked, shared, into = map(self._positions, op.parts)
        steps = self.steps(callee)
        return Iteration(op.length, op.backwards, init, last, spare, stacked, shared, into, arguments, steps)

    def _positions(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        return tuple(self.position[value] for value in values)
