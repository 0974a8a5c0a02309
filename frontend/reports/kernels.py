"""The resources that the kernels of a program use on a GPU, and the predicted cost of a call, by source line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...ir.diagnostics import CompileError
from ...ir.locations import Frame
from ...lowering.machine import GPUS, gpu_model
from ...passes.analysis.kernel_cost import Gpu, KernelCost, kernel_costs
from ...runtime.toolchain.gpus import target_gpu

if TYPE_CHECKING:
    from ...runtime.triton.resources import KernelResources

LineOf = Callable[[Operation], Frame | None]


def kernel_resources(
    program: Any, module: ModuleOp, sizes: Mapping[str, int] | None, gpu: str | int | None, line_of: LineOf
) -> list[KernelResources]:
    """The resources of each kernel of a Triton program, whose `module` is on the tile level. If `sizes` are known, kernels that
    a call launches have costs. Raises CompileError for an unknown GPU, and for one that is not NVIDIA's."""
    chosen = chosen_gpu(gpu)
    costs = kernel_costs(module, sizes, chosen) if sizes is not None else {}
    return [
        replace(each, cost=costs[each.kernel], lines=_lines(costs[each.kernel], line_of)) if each.kernel in costs else each
        for each in program.resources(chosen)
        if each.kernel in costs or sizes is None
    ]


def chosen_gpu(gpu: str | int | None) -> Gpu:
    """The model of a name or a compute capability, by default that of the card or `$STEPWELL_GPU`. Raises CompileError for an
    unknown model."""
    if gpu is None:
        return target_gpu()
    if isinstance(gpu, str):
        return gpu_model(gpu)
    found = next((model for model in GPUS.values() if model.architecture == gpu), None)
    if found is None:
        known = ", ".join(sorted({str(each.architecture) for each in GPUS.values() if isinstance(each.architecture, int)}))
        raise CompileError(f"no GPU of compute capability {gpu} is known, only {known}")
    return found


def _lines(cost: KernelCost, line_of: LineOf) -> Mapping[tuple[str, int], float]:
    """The shares of source lines in the resource that bounds a kernel, the largest first."""
    found: dict[tuple[str, int], float] = {}
    for op, share in cost.shares.items():
        frame = line_of(op)
        if frame is not None:
            key = (frame.file, frame.line)
            found[key] = found.get(key, 0.0) + share
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: -item[1])))
