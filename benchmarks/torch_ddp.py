"""`python -m benchmarks.torch_ddp`: a model compiled with `backend="stepwell"` under torch's DistributedDataParallel, on
several processes over loopback with gloo, beside one process on the whole batch. The losses are equal, also if training
continues from a checkpoint with another number of processes."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

STEPS, BATCH, SIZE = 5, 8, 6
# torch ends a process whose partner has ended after at most this time.
TIMEOUT = timedelta(seconds=30)


@dataclass(frozen=True)
class Training:
    """A run on some number of processes, up to a step, from the `checkpoint` if that file exists. It is written after each
    step. The process `killed` ends itself after the first step."""

    processes: int
    target: str
    killed: int | None = None
    checkpoint: Path | None = None
    until: int = STEPS


def losses_of(training: Training) -> list[float]:
    """The losses of the steps of a run. Raises RuntimeError, with torch's message, if a process fails."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch._dynamo", "stepwell.torch"])  # processes start with them
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workers = [context.Process(target=_reporting, args=(rank, folder, training)) for rank in range(training.processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        failed = [rank for rank, worker in enumerate(workers) if worker.exitcode and rank != training.killed]
        if failed:
            raise RuntimeError((folder / f"error{failed[0]}.txt").read_text())
        return json.loads((folder / "losses.json").read_text())


def _reporting(rank: int, folder: Path, training: Training) -> None:
    """Run a process; write its error to a file."""
    try:
        _work(rank, folder, training)
    except Exception:  # any exception that ends a process is reported by the process that started it
        (folder / f"error{rank}.txt").write_text(traceback.format_exc())
        sys.exit(1)


def _work(rank: int, folder: Path, training: Training) -> None:
    import torch
    import torch.distributed as dist
    from stepwell.torch import stepwell
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    processes = training.processes
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=processes, timeout=TIMEOUT)
    torch.manual_seed(0)
    model: Any = nn.Sequential(nn.Linear(SIZE, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3))
    inputs, labels = torch.randn(STEPS, BATCH, SIZE), torch.randint(3, (STEPS, BATCH))
    parallel = DistributedDataParallel(model)
    compiled = torch.compile(parallel, backend=stepwell, options={"target": training.target})
    optimizer = torch.optim.Adam(parallel.parameters(), lr=0.01)
    own = slice(rank * BATCH // processes, (rank + 1) * BATCH // processes)
    losses = []
    first = _loaded(training.checkpoint, model, optimizer)
    for step in range(first, training.until):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(compiled(inputs[step, own]), labels[step, own])
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        losses.append(float(total) / processes)
        if rank == 0 and training.checkpoint is not None:
            _save(training.checkpoint, model, optimizer, step + 1)
        dist.barrier()
        if rank == training.killed:
            os._exit(1)
    if rank == 0:
        (folder / "losses.json").write_text(json.dumps(losses))
    dist.destroy_process_group()


def _loaded(checkpoint: Path | None, model: Any, optimizer: Any) -> int:
    """Take the state of a checkpoint, if there is one. Returns the next step. Each process reads the checkpoint, which does not
    depend on the number of processes."""
    import torch

    if checkpoint is None or not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"]


def _save(checkpoint: Path, model: Any, optimizer: Any, step: int) -> None:
    """Write a checkpoint, which replaces the previous one atomically."""
    import torch

    unfinished = checkpoint.with_suffix(".unfinished")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, unfinished)
    unfinished.replace(checkpoint)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_ddp", description=__doc__)
    add = parser.add_argument
    add("--processes", type=int, default=4, help="the most processes, of 1, 2, 4, ... (4)")
    add("--target", default="cpu", help="the target (cpu)")
    options = parser.parse_args(arguments)
    count, alone = 1, []
    while count <= options.processes:
        losses = losses_of(Training(count, options.target))
        alone = alone or losses
        _print(f"{count} processes", losses, alone)
        count *= 2
    with tempfile.TemporaryDirectory() as name:
        found = resumed(Path(name) / "state.pt", options.target, ((2, 2), (options.processes, 4), (1, STEPS)))
    _print(f"2, {options.processes}, then 1 process, from checkpoints", found, alone)


def resumed(checkpoint: Path, target: str, runs: Sequence[tuple[int, int]]) -> list[float]:
    """The losses of runs that continue from each other's checkpoints: the number of processes of each, and its last step."""
    return [loss for count, until in runs for loss in losses_of(Training(count, target, None, checkpoint, until))]


def _print(what: str, losses: Sequence[float], alone: Sequence[float]) -> None:
    worst = max(abs(a - b) for a, b in zip(losses, alone, strict=True))
    print(f"{what}: losses {' '.join(f'{each:.6f}' for each in losses)}, largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
