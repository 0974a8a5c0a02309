"""Sums over processes, through torch.distributed: each process sends its array to all others, and receives theirs by name."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import numpy as np

# How long a process waits for another one, in seconds.
PATIENCE = 20.0


def sum_of_others(array: Any) -> Any:
    """The sum of an array over the other processes of torch.distributed's default group, in float64 for floats, so that the
    array plus this sum is the same in all processes; zeros if there is one process, or no group.

    All processes call this in the same order, with arrays of one shape and dtype. Raises RuntimeError, with the number of the
    process, for one that has ended or does not answer within PATIENCE seconds.
    """
    wide = np.asarray(array, np.float64 if array.dtype.kind == "f" else array.dtype)
    torch = sys.modules.get("torch")
    if torch is None or not torch.distributed.is_available() or not torch.distributed.is_initialized():
        return np.zeros_like(wide)
    group = torch.distributed
    own, count = group.get_rank(), group.get_world_size()
    others = [rank for rank in range(count) if rank != own]
    mine = torch.from_numpy(np.ascontiguousarray(wide))
    received = {rank: torch.empty_like(mine) for rank in others}
    pending = []
    for rank in others:
        try:
            pending += [(rank, group.isend(mine, rank)), (rank, group.irecv(received[rank], rank))]
        except RuntimeError as error:
            raise _unanswered(rank, count, error) from error
    for rank, work in pending:
        try:
            work.wait(timedelta(seconds=PATIENCE))
        except RuntimeError as error:
            raise _unanswered(rank, count, error) from error
    total = np.zeros_like(wide)
    for rank in range(count):
        total += mine.numpy() if rank == own else received[rank].numpy()
    return total - wide


def _unanswered(rank: int, count: int, error: Exception) -> RuntimeError:
    return RuntimeError(f"process {rank} of {count} has ended, or did not answer within {PATIENCE:g} s: {error}")
