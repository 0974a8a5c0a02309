"""Sums over processes, through torch.distributed: each process sends its array to all others, and receives theirs by name.

Before the transfer, processes exchange descriptions of their arrays: if these differ, all processes raise an error.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import numpy as np

# The seconds that a process waits for another one.
PATIENCE = 20.0


# The bytes of a description: a digest of its text, and as much of the text as fits.
DESCRIPTION = 512


def sum_of_others(array: Any, what: str) -> Any:
    """The sum of an array over the other processes of torch.distributed's default group, in float64 for floats, so that the
    array plus this sum is the same in all processes; zeros if there is one process, or no group.

    All processes call this in the same order, for the same arrays; `what` names the array. If processes differ in the name,
    shape or dtype of the array, RuntimeError is raised in all of them, with the descriptions of both arrays. It is also raised,
    with the number of the process, for a process that has ended or does not answer within PATIENCE seconds.
    """
    wide = np.asarray(array, np.float64 if array.dtype.kind == "f" else array.dtype)
    torch = sys.modules.get("torch")
    if torch is None or not torch.distributed.is_available() or not torch.distributed.is_initialized():
        return np.zeros_like(wide)
    own = torch.distributed.get_rank()
    _expect_same(f"{what}, of shape {array.shape} and dtype {array.dtype}", torch, own)
    received = _exchanged(np.ascontiguousarray(wide), torch, own)
    total = np.zeros_like(wide)
    for rank in sorted([own, *received]):
        total += wide if rank == own else received[rank]
    return total - wide


def _expect_same(text: str, torch: Any, own: int) -> None:
    """Raise RuntimeError if another process is about to sum another array."""
    data = text.encode()
    mine = (hashlib.sha256(data).digest() + data)[:DESCRIPTION].ljust(DESCRIPTION, b"\0")
    for rank, found in sorted(_exchanged(np.frombuffer(mine, np.uint8), torch, own).items()):
        if found.tobytes() != mine:
            theirs = found.tobytes()[32:].rstrip(b"\0").decode(errors="replace")
            raise RuntimeError(
                f"processes merge different arrays: process {own} {text}; process {rank} {theirs}; expected the same "
                "procedures in the same order, with arrays of one shape and dtype"
            )


def _exchanged(array: Any, torch: Any, own: int) -> Mapping[int, Any]:
    """The other processes' arrays, of this shape and dtype, by the numbers of the processes."""
    group = torch.distributed
    count = group.get_world_size()
    mine = torch.from_numpy(array.copy())
    received = {rank: torch.empty_like(mine) for rank in range(count) if rank != own}
    pending: list[tuple[int, Any]] = []
    for rank, empty in received.items():
        try:
            pending += [(rank, group.isend(mine, rank)), (rank, group.irecv(empty, rank))]
        except RuntimeError as error:
            raise _unanswered(rank, count, error) from error
    for rank, work in pending:
        try:
            work.wait(timedelta(seconds=PATIENCE))
        except RuntimeError as error:
            raise _unanswered(rank, count, error) from error
    return {rank: tensor.numpy() for rank, tensor in received.items()}


def _unanswered(rank: int, count: int, error: Exception) -> RuntimeError:
    return RuntimeError(f"process {rank} of {count} has ended, or did not answer within {PATIENCE:g} s: {error}")
