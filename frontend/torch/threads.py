"""Compiled graphs use torch's number of threads."""

from __future__ import annotations

import torch

from ...runtime.cpu.program import THREADS, set_num_threads


class _Followed:
    """torch's number of threads that was taken last; None before the first graph."""

    def __init__(self) -> None:
        self.taken: int | None = None

    def follow(self) -> None:
        """Use torch's number of threads if it has changed since the last call. The first call leaves a number that
        `sw.set_num_threads` has chosen."""
        count = torch.get_num_threads()
        if count == self.taken:
            return
        is_first, self.taken = self.taken is None, count
        if not (is_first and THREADS.is_chosen) and not (count > 1 and THREADS.is_bound_to_one):
            set_num_threads(count)


FOLLOWED = _Followed()
