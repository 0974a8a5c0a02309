"""Coordinate descent: the sizes of one contraction at a time, one parameter at a time.

A candidate is compiled, its results are compared with those of the program without tuned sizes, and it is timed in turn with
the best sizes so far and the untuned program. If it is faster than both by more than `GAIN`, twice, it becomes the best, and is
stored at once: an interrupted search keeps its findings.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from ...lowering.machine import Machine
from ...passes.analysis.kernel_cost import Gpu
from ...runtime.cache.disk import Cache
from ...runtime.toolchain.tuned_sizes import Finding, findings_of, keep_finding
from ..progress import Progress

Sizes = Mapping[str, int]
Program = TypeVar("Program")

# A candidate has to be faster by this much, so that noise does not decide.
GAIN = 0.03


class Descent(ABC, Generic[Program]):
    """Tunes the contractions in `keys`, until `deadline` by `time.monotonic`. `best` has the best sizes so far, at first those
    found on this machine before; `tried` is the number of compiled candidates."""

    def __init__(self, processor: Machine | Gpu, cache: Cache, deadline: float):
        self.processor, self.cache, self.deadline = processor, cache, deadline
        self.best: dict[str, Sizes] = {}
        self.tried = 0

    def start(self, untuned: Program) -> None:
        """Begin with a program without tuned sizes, and the earlier findings for its contractions."""
        self.untuned = untuned
        found = findings_of(self.cache, self.processor)
        self.best = {key: found[key].sizes for key in self.keys if key in found}

    @property
    @abstractmethod
    def keys(self) -> Mapping[str, object]:
        """The keys of the contractions in the program that can be tuned."""

    @abstractmethod
    def _alternatives(self, key: str) -> Iterator[tuple[str, Sizes]]:
        """Sizes that differ from the best so far in one parameter, with a description of the difference."""

    @abstractmethod
    def _compile(self, sizes: Mapping[str, Sizes]) -> Program:
        """The program with these sizes."""

    @abstractmethod
    def _is_right(self, program: Program) -> bool:
        """Whether a program gives the results of the one without tuned sizes."""

    @abstractmethod
    def _times(self, *programs: Program) -> list[float]:
        """The least seconds of a call of each program, timed in turn."""

    def descend(self, progress: Progress) -> None:
        """Try all alternatives, as far as time allows."""
        best = self._compile(self.best) if self.best else self.untuned
        for key in self.keys:
            for name, sizes in self._alternatives(key):
                if time.monotonic() > self.deadline:
                    return
                progress.note(f"{key} {name}")
                best = self._try(key, {**self.best, key: sizes}, best) or best
                progress.advance()

    def _try(self, key: str, chosen: Mapping[str, Sizes], best: Program) -> Program | None:
        """The program with the sizes `chosen`, if it is right and the fastest so far; its sizes are then stored."""
        self.tried += 1
        candidate = self._compile(chosen)
        finding = self.measured(key, chosen, candidate, best)
        if finding is None:
            return None
        self._keep(key, chosen, finding)
        return candidate

    def measured(self, key: str, chosen: Mapping[str, Sizes], candidate: Program, best: Program) -> Finding | None:
        """The gain of a candidate, if it is right and the fastest of the three programs."""
        if not self._is_right(candidate):
            return None
        untuned = tuned = 0.0
        for _ in range(2):  # a single measurement may be noise
            before, untuned, tuned = self._times(best, self.untuned, candidate)
            if tuned > min(before, untuned) * (1 - GAIN):
                return None
        return Finding(chosen[key], untuned, tuned)

    def _keep(self, key: str, chosen: Mapping[str, Sizes], finding: Finding) -> None:
        self.best = dict(chosen)
        keep_finding(self.cache, self.processor, key, finding)
