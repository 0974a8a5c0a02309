"""`python -m benchmarks.torch_first_calls`: first calls of whole networks, with an empty cache on disk and a full one.

Each row is a network in inference or in a training step (forward and backward), in new processes. Times are seconds of
processor time of the first call, without those of a second call, so that they mean the same on a busy machine. *torch* is the
capture of the graphs, measured with a backend that leaves each operation to torch. *cold* and *warm* are Stepwell's additional
times with an empty cache and with a full one. *compilers* is the time of the C compilers, which run concurrently: on two idle
processors a cold first call takes about torch + cold, if the compilers take less. 0 means less than the variation of torch's
part. torch's part of recurrent layers has their steps one by one, which Stepwell's graphs do not have.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .environment import machine
from .processes import run_worker

NETWORKS = ("resnet18", "gpt2", "mobilenet_v2", "convnext_tiny", "vit_tiny", "llama", "unet", "lstm", "gru")
STEPS = ("inference", "training")


class Spent(NamedTuple):
    """Seconds of processor time: of the process, and of the compilers that it ran."""

    process: float
    compilers: float


class FirstCall(NamedTuple):
    """The first calls of a network: torch's part, and a backend's additional times with an empty cache and a full one."""

    name: str
    step: str
    torch: float
    cold: float
    compilers: float
    warm: float
    programs: int


def first_call(name: str, step: str, timeout: int) -> FirstCall | None:
    """Measure in new processes; None if one fails."""
    with tempfile.TemporaryDirectory(prefix="stepwell-first-calls-") as folder:
        runs = [_in_process(name, step, backend, Path(folder), timeout) for backend in ("torch", "stepwell", "stepwell")]
    if None in runs:
        return None
    alone, cold, warm = (each for each in runs if each is not None)
    beside = [max(each["process"] - alone["process"], 0.0) for each in (cold, warm)]
    return FirstCall(name, step, alone["process"], beside[0], cold["compilers"], beside[1], int(cold["programs"]))


def _in_process(name: str, step: str, backend: str, cache: Path, timeout: int) -> dict[str, float] | None:
    environment = {**os.environ, "STEPWELL_CACHE_DIR": str(cache), "STEPWELL_PROGRESS": "0"}
    return run_worker("torch_first_calls", (name, step, backend), (), timeout, environment)


def spent(call: Callable[[], Any]) -> Spent:
    """The processor time of a call."""
    before = os.times()
    call()
    after = os.times()
    process = after.user + after.system - before.user - before.system
    children = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(process, children)


def _work(name: str, step: str, backend: str) -> dict[str, float]:
    """Measure in this process, on one thread: waiting threads would take processor time too."""
    import stepwell as sw
    import torch
    from stepwell.frontend.torch.report import reporting
    from stepwell.torch import stepwell

    from .torch_networks import loss_of, network

    torch.set_num_threads(1)
    sw.set_num_threads(1)
    torch._dynamo.config.allow_rnn = True
    torch.compile(lambda x: x + 1, backend=_plain_backend())(torch.ones(2))  # loads what torch needs
    given = network(name)
    given.module.train(step == "training")
    compiled = torch.compile(given.module, backend=stepwell if backend == "stepwell" else _plain_backend())

    def call() -> None:
        with torch.set_grad_enabled(step == "training"):
            found = compiled(*given.inputs)
        if step == "training":
            loss_of(found).backward()

    with reporting() as report:
        first, second = spent(call), spent(call)
    return {"process": first.process - second.process, "compilers": first.compilers, "programs": report.partitions}


def _plain_backend() -> Any:
    """A backend with Stepwell's decompositions and torch's partitioner, which leaves each operation to torch."""
    from stepwell.frontend.torch.decompositions import decompositions
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch._aot_autograd.utils import make_boxed_func
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    return aot_autograd(
        fw_compiler=lambda graph, _: make_boxed_func(graph.forward),
        decompositions=dict(decompositions()),
        partition_fn=min_cut_rematerialization_partition,
    )


def markdown(rows: Sequence[FirstCall]) -> str:
    """The table."""
    about = (__doc__ or "").partition("\n\n")[2].strip()
    head = ["| network | step | programs | torch | cold | compilers | warm |", "|---|---|---|---|---|---|---|"]
    times = [(row.torch, row.cold, row.compilers, row.warm) for row in rows]
    cells = [" | ".join(f"{each:.1f}" for each in row) for row in times]
    lines = [f"| {row.name} | {row.step} | {row.programs} | {cell} |" for row, cell in zip(rows, cells, strict=True)]
    command = "`python -m benchmarks.torch_first_calls`"
    return "\n".join(["# First calls of networks", "", f"{command}, {machine()}.", "", about, "", *head, *lines]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_first_calls", description=__doc__)
    add = parser.add_argument
    add("--only", default=",".join(NETWORKS), help="networks, separated by commas")
    add("--steps", default=",".join(STEPS), help=f"of {', '.join(STEPS)}")
    add("--timeout", type=int, default=600, help="seconds for one process (600)")
    add("--out", type=Path, help="a file for the table (it is printed otherwise)")
    add("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(_work(*options.worker)))
        return
    rows: list[FirstCall] = []
    for name in options.only.split(","):
        for step in options.steps.split(","):
            row = first_call(name, step, options.timeout)
            if row is not None:
                rows.append(row)
                print(*row, file=sys.stderr, flush=True)
        if options.out:
            options.out.write_text(markdown(rows), encoding="utf-8")
    if not options.out:
        print(markdown(rows))


if __name__ == "__main__":
    main()
