"""`python -m benchmarks.torch_ddp`: a model compiled with `backend="stepwell"` under torch's DistributedDataParallel, several
processes on loopback with gloo, beside one process on the whole batch: the losses are equal."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

STEPS, BATCH, SIZE = 5, 8, 6
# torch ends a process whose partner is gone after this time at the latest.
TIMEOUT = timedelta(seconds=30)


def losses_of(processes: int, target: str, killed: int | None = None) -> list[float]:
    """The losses of training steps on so many processes. With `killed`, this process ends itself after the first step. Raises
    RuntimeError, with torch's message, if a process fails."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch._dynamo", "stepwell.torch"])  # processes start with them
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = (folder, processes, target, killed)
        workers = [context.Process(target=_reporting, args=(rank, *given)) for rank in range(processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        failed = [rank for rank, worker in enumerate(workers) if worker.exitcode and rank != killed]
        if failed:
            raise RuntimeError((folder / f"error{failed[0]}.txt").read_text())
        return json.loads((folder / "losses.json").read_text())


def _reporting(rank: int, folder: Path, *options: Any) -> None:
    """Run a process; write its error to a file."""
    try:
        _work(rank, folder, *options)
    except Exception:  # whatever ends a process is reported by the one that started it
        (folder / f"error{rank}.txt").write_text(traceback.format_exc())
        sys.exit(1)


def _work(rank: int, folder: Path, processes: int, target: str, killed: int | None) -> None:
    import torch
    import torch.distributed as dist
    from stepwell.torch import stepwell
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=processes, timeout=TIMEOUT)
    torch.manual_seed(0)
    model: Any = nn.Sequential(nn.Linear(SIZE, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3))
    inputs, labels = torch.randn(STEPS, BATCH, SIZE), torch.randint(3, (STEPS, BATCH))
    parallel = DistributedDataParallel(model)
    compiled = torch.compile(parallel, backend=stepwell, options={"target": target})
    optimizer = torch.optim.Adam(parallel.parameters(), lr=0.01)
    own = slice(rank * BATCH // processes, (rank + 1) * BATCH // processes)
    losses = []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(compiled(inputs[step, own]), labels[step, own])
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        losses.append(float(total) / processes)
        if rank == killed:
            os._exit(1)
    if rank == 0:
        (folder / "losses.json").write_text(json.dumps(losses))
    dist.destroy_process_group()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_ddp", description=__doc__)
    add = parser.add_argument
    add("--processes", type=int, default=4, help="the most processes, of 1, 2, 4, ... (4)")
    add("--target", default="cpu", help="the target (cpu)")
    options = parser.parse_args(arguments)
    count, alone = 1, []
    while count <= options.processes:
        losses = losses_of(count, options.target)
        alone = alone or losses
        worst = max(abs(a - b) for a, b in zip(losses, alone, strict=True))
        print(f"{count} processes: losses {' '.join(f'{each:.6f}' for each in losses)}, largest difference {worst:.1e}")
        count *= 2


if __name__ == "__main__":
    main()
