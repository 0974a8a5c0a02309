"""The resources that a kernel uses on a GPU: registers, memory, and the kinds of its instructions, from Triton's output.

Needs no GPU: `ptxas` and `cuobjdump` come with Triton.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...ir.index.expressions import Index
from ...lowering.emit_triton.launch_plan import Launch
from ...passes.analysis.kernel_cost import Gpu, KernelCost

# Kinds of instructions in machine code: a name, and the prefixes of their opcodes.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "wgmma": r"[HQI]GMMA",
        "mma": r"[HQI]MMA",
        "load 16 bytes": r"LDG\S*\.128",
        "load": r"LDG",
        "copy to shared 16 bytes": r"LDGSTS\S*\.128",
        "copy to shared": r"LDGSTS",
        "tma": r"UTMA",
        "store 16 bytes": r"STG\S*\.128",
        "store": r"STG",
        "atomic": r"(RED|ATOMG)",
        "spill": r"(LDL|STL)",
        "shared": r"(LDS|STS|LDSM|STSM)",
        "shuffle": r"SHFL",
        "barrier": r"BAR",
        "fma": r"FFMA",
        "special": r"MUFU",
        "call": r"CALL",
    }
)
_OPCODE = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\d+\s+)?([A-Z][A-Z0-9_.]*)", re.MULTILINE)


@dataclass(frozen=True)
class KernelResources:
    """The resources of one kernel on one GPU.

    `programs` is the number of programs of a launch, over the sizes; the launch runs where all `conditions` are non-negative.
    `registers` are those of a thread, `stack` the spilled bytes of a thread, and `shared` the shared memory of a program in
    bytes. `instructions` counts the instructions of the machine code by kind; a kind may contain another. `cost` is the
    predicted cost of a call with known sizes, and `lines` has the shares of source lines in it, as (file, line).
    """

    gpu: Gpu
    kernel: str
    programs: Index
    conditions: tuple[Index, ...]
    warps: int
    stages: int
    registers: int
    stack: int
    shared: int
    instructions: Mapping[str, int]
    cost: KernelCost | None = None
    lines: Mapping[tuple[str, int], float] = field(default_factory=dict)

    @property
    def occupancy(self) -> float:
        """The share of a multiprocessor's threads that run at once, as far as registers and shared memory allow."""
        threads = self.gpu.warp * self.warps
        programs = min(self.gpu.registers // (max(self.registers, 1) * threads), self.gpu.shared // max(self.shared, 1))
        return min(1.0, programs * threads / self.gpu.threads)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.instructions.items() if kind != "all")
        memory = f"{self.registers} registers, {self.stack} bytes of stack, {self.shared} of shared memory"
        taken = "" if self.cost is None else f"; {_predicted(self.cost)}"
        return f"{self.kernel}: {self.warps} warps, {memory}; {self.instructions['all']} instructions: {kinds}{taken}"


def _predicted(cost: KernelCost) -> str:
    moved = f"{cost.bytes['memory'] / 1e6:.4g} MB of memory, {cost.bytes['L2'] / 1e6:.4g} through L2"
    work = f"{(cost.flops + cost.matrix_flops) / 1e6:.4g} Mflop"
    return f"{cost.programs} programs, {moved}, {work}: {cost.seconds * 1e6:.3g} us predicted, bound by {cost.bound}"


def resources_of(launch: Launch, usage: str, machine_code: str, shared: int, gpu: Gpu) -> KernelResources:
    """The resources of a launch's kernel, from the output of `cuobjdump` for its cubin with -res-usage and with -sass."""
    numbers = {name: int(value) for name, value in re.findall(r"(REG|STACK):(\d+)", usage)}
    return KernelResources(
        gpu=gpu,
        kernel=launch.kernel,
        programs=launch.programs,
        conditions=launch.conditions,
        warps=launch.warps,
        stages=launch.stages,
        registers=numbers["REG"],
        stack=numbers["STACK"],
        shared=shared,
        instructions=MappingProxyType(dict(_counted(machine_code))),
    )


def _counted(machine_code: str) -> Iterator[tuple[str, int]]:
    opcodes = Counter(_OPCODE.findall(machine_code))
    yield "all", opcodes.total()
    for kind, pattern in KINDS.items():
        count = sum(number for opcode, number in opcodes.items() if re.match(pattern, opcode))
        # A copy to shared memory does not count as a load into registers.
        if kind.startswith("load"):
            count -= sum(number for opcode, number in opcodes.items() if re.match(pattern, opcode) and "LDGSTS" in opcode)
        if count:
            yield kind, count
