"""The launch plan of a module on the tile level, as data: the buffers of a call, and the kernels to launch in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ..dialects import tile
from ..ir.dtypes import DType, dtype_of
from ..ir.functions import entry_function, function_params, input_count
from ..ir.index import Atom, Index, Param
from ..ir.shapes import Shape, element_of, shape_of
from ..ir.values import elements_of
from .emit_triton import has_checks, kernel_params, kernels


@dataclass(frozen=True)
class PlannedBuffer:
    """A buffer of the call. `role` is input, output, temporary or data, and data has its `elements`, a NumPy array."""

    role: str
    shape: Shape
    dtype: DType
    elements: Any = None


@dataclass(frozen=True)
class Launch:
    """One kernel, on the buffers and parameters at these positions of the plan, run by `programs` programs."""

    kernel: str
    programs: Index
    warps: int
    buffers: tuple[int, ...]
    params: tuple[int, ...]
    checks: bool


@dataclass(frozen=True)
class Sizes:
    """A plan under given values of the parameters: each buffer's shape, and each launch's number of programs."""

    shapes: tuple[tuple[int, ...], ...]
    programs: tuple[int, ...]


@dataclass(frozen=True)
class LaunchPlan:
    """What a call does, in order. The first buffers are the inputs, then come the outputs."""

    params: tuple[str, ...]
    buffers: tuple[PlannedBuffer, ...]
    launches: tuple[Launch, ...]

    @property
    def checks(self) -> bool:
        """Whether anything is checked while it runs."""
        return any(launch.checks for launch in self.launches)

    def positions(self, role: str) -> list[int]:
        return [k for k, buffer in enumerate(self.buffers) if buffer.role == role]

    def sizes(self, values: Sequence[int]) -> Sizes:
        """The plan's sizes for these values of the parameters."""
        known: dict[Atom, int] = {Param(name): value for name, value in zip(self.params, values, strict=True)}
        return Sizes(
            tuple(tuple(size.evaluate(known) for size in buffer.shape) for buffer in self.buffers),
            tuple(launch.programs.evaluate(known) for launch in self.launches),
        )


def launch_plan(module: ModuleOp) -> LaunchPlan:
    """The plan of the one public function of a module on the tile level."""
    function = entry_function(module)
    params = function_params(function)
    declared = {kernel.sym_name.data: kernel for kernel in kernels(module)}
    inputs = input_count(function)
    assert inputs is not None, "sw.inputs counts the inputs"
    buffers: list[PlannedBuffer] = []
    position: dict[SSAValue, int] = {}
    launches: list[Launch] = []

    def add(value: SSAValue, role: str, elements: Any = None) -> None:
        position[value] = len(buffers)
        buffers.append(PlannedBuffer(role, shape_of(value), dtype_of(element_of(value)), elements))

    for k, arg in enumerate(function.args):
        add(arg, "input" if k < inputs else "output")
    for op in function.body.block.ops:
        if isinstance(op, tile.AllocOp):
            add(op.result, "temporary")
        elif isinstance(op, tile.DataOp):
            add(op.result, "data", elements_of(op.value))
        elif isinstance(op, tile.LaunchOp):
            kernel = declared[op.kernel.root_reference.data]
            launches.append(
                Launch(
                    kernel.sym_name.data,
                    op.programs,
                    op.warps.value.data,
                    tuple(position[buffer] for buffer in op.buffers),
                    tuple(params.index(name) for name in kernel_params(kernel)),
                    has_checks(kernel),
                )
            )
    return LaunchPlan(params, tuple(buffers), tuple(launches))
