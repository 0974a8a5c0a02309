"""`stepwell doctor`: reports the compiler, processor, GPU, versions and cache state, and what is missing.

stepwell doctor --kernels model.py:layer --spec n,64 --size n=4096 --gpu a100
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import NamedTuple

from .. import __version__
from ..ir.diagnostics import CompileError
from ..lowering.machine import GPUS
from ..runtime.cache.disk import default_cache
from ..runtime.cpu.warm_calls import native_call
from ..runtime.toolchain.compiler import CompilerError, CompilerNotFound, cpu_features, find_compiler
from ..runtime.toolchain.host import target_machine

# The macros that tell which vectors and matrix instructions the C compiler can use.
NOTABLE_FEATURES = (
    *("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "amx_tile"),
    *("asimd", "fphp", "bf16", "sve", "sve2", "sme"),
)
REQUIRED_PACKAGES = ("xdsl", "numpy", "ml_dtypes", "platformdirs")
OPTIONAL_PACKAGES = ("torch", "triton")


class Finding(NamedTuple):
    """One line of the report; `ok` is false if something is missing or unusable."""

    item: str
    value: str
    ok: bool = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kernels", metavar="PROGRAM", help="FILE.mlir or FILE.py:FUNCTION: the resources of its kernels on a GPU"
    )
    parser.add_argument("--spec", action="append", default=[], metavar="SIZES:DTYPE", help="an argument, such as n,64:float32")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=VALUE", help="the value of an unknown size")
    parser.add_argument("--gpu", help=f"{', '.join(GPUS)}; by default the card of this machine, or $STEPWELL_GPU")


def run(arguments: argparse.Namespace) -> int:
    """Print the report. Returns 1 if something that target "cpu" needs is missing."""
    if arguments.kernels is not None:
        print("\n".join(kernels(arguments.kernels, arguments.spec, arguments.size, arguments.gpu)))
        return 0
    findings = report()
    # For a terminal, a table; otherwise a line for each finding, which programs can read.
    pretty = sys.stdout.isatty() and importlib.util.find_spec("rich") is not None
    show = _show_table if pretty else _show_plain
    show(findings)
    return 0 if all(finding.ok for finding in findings) else 1


def report() -> list[Finding]:
    """The findings of all checks. Imports torch, if it is installed, to ask it for GPUs."""
    return [*_versions(), *_compiler(), *_processor(), *_gpus(), *_cache()]


def kernels(program: str, specs: Sequence[str], sizes: Sequence[str], gpu: str | None) -> list[str]:
    """The kernels of a program, a paragraph each: the resources that they use on a GPU and, if sizes are known, the predicted
    cost of a call, by source line. Raises CompileError for an invalid program or size, and for a GPU that is not NVIDIA's."""
    from .programs import lowered

    given: dict[str, int] = {}
    for text in sizes:
        name, _, value = text.partition("=")
        if not name or not value.isdigit():
            raise CompileError(f"--size {text}: expected a name and a whole number, as in n=4096")
        given[name] = int(value)
    low = lowered(program, specs, "cuda")
    try:
        found = low.resources(gpu, **given)
    except TypeError as error:
        raise CompileError(f"--size: {error}") from error
    lines = [f"{len(found)} kernels on {found[0].gpu.name}" if found else "no kernels"]
    for each in found:
        lines += ["", str(each), f"    occupancy {each.occupancy:.0%}, stages {each.stages}"]
        lines += [f"    {share:4.0%}  {file}:{line}" for (file, line), share in each.lines.items()]
    return lines


def _versions() -> list[Finding]:
    findings = [Finding("stepwell", __version__), Finding("python", platform.python_version())]
    for name in (*REQUIRED_PACKAGES, *OPTIONAL_PACKAGES):
        version = _version(name)
        findings.append(Finding(name, version or "not installed", version is not None or name in OPTIONAL_PACKAGES))
    return findings


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _compiler() -> list[Finding]:
    try:
        compiler = find_compiler()
    except (CompilerNotFound, CompilerError) as error:
        return [Finding("compiler", str(error), ok=False)]
    problem = native_call().problem
    return [
        Finding("compiler", f"{compiler.path}: {compiler.version}"),
        Finding("flags", " ".join(compiler.flags)),
        Finding("openmp", "yes" if "-fopenmp" in compiler.flags else "no: programs run on one thread"),
        Finding("short calls", f"no, each call takes 10 microseconds more: {problem}" if problem else "yes"),
    ]


def _processor() -> list[Finding]:
    features = [name for name in NOTABLE_FEATURES if name in cpu_features()]
    # The affinity mask, which a container may narrow, if the system has one.
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    configured = os.environ.get("OMP_NUM_THREADS")
    threads = f"{usable} processors" + (f", OMP_NUM_THREADS={configured}" if configured else "")
    cpu = f"{platform.machine()}: {' '.join(features) or 'baseline'}"
    return [Finding("cpu", cpu), Finding("threads", threads), _machine()]


def _machine() -> Finding:
    """The machine that code is laid out for."""
    try:
        machine = target_machine()
    except CompileError as error:
        return Finding("machine", error.message, ok=False)
    caches = "/".join(f"{size >> 10}" for size in (machine.l1, machine.l2, machine.l3))
    found = f"{machine.registers} registers of {machine.vector_bits} bits, caches of {caches} KiB"
    return Finding("machine", f"{found}, read at once: {machine.streams} along rows, {machine.steps} down columns")


def _gpus() -> list[Finding]:
    if importlib.util.find_spec("torch") is None:
        return [Finding("gpu", "not looked for: torch is not installed")]
    import torch

    if not torch.cuda.is_available():
        return [Finding("gpu", "none")]
    findings: list[Finding] = []
    for index in range(torch.cuda.device_count()):
        device = torch.cuda.get_device_properties(index)
        text = f"{device.name}, {device.total_memory / 2**30:.0f} GiB, compute capability {device.major}.{device.minor}"
        findings.append(Finding(f"gpu {index}", text))
    return findings


def _cache() -> list[Finding]:
    info = default_cache().info()
    size = f"{info.entries} entries, {info.bytes / 2**20:.1f} MiB of {info.limit / 2**20:.0f} MiB"
    state = size if info.problem is None else f"not used: {info.problem}"
    return [Finding("cache", str(info.root)), Finding("cache state", state, info.problem is None)]


def _show_plain(findings: list[Finding]) -> None:
    for item, value, ok in findings:
        print(f"{'ok ' if ok else 'BAD'}  {item:<13} {value}")


def _show_table(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None)
    for item, value, ok in findings:
        table.add_row(Text("ok" if ok else "BAD", style="green" if ok else "bold red"), item, Text(value))
    Console(soft_wrap=True).print(table)
