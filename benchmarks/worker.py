"""The process of one peer: `python -m benchmarks.worker PEER THREADS`, controlled by lines of JSON.

    {"do": "prepare", "workload": NAME, "traffic": BYTES, "result": FILE}
        compile and run, write the results to FILE -> {"first": SECONDS with compilation, "seconds": SECONDS of a later call}
    {"do": "time", "calls": N, "warm": BOOL}
        N calls, after one that is not counted if WARM -> {"seconds": average SECONDS of a call}

The answer is {"missing": true} if the peer does not implement the workload, {"error": MESSAGE} if something fails.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from .peers import load
from .peers.base import Call, Peer, Task
from .workloads import WORKLOADS

SETTLE_CALLS = 30
SETTLE_SECONDS = 1.0


class Worker:
    """A peer and the call that it times."""

    def __init__(self, peer: Peer):
        self.peer = peer
        self.call: Call | None = None

    def answer(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out the command."""
        if command["do"] == "time":
            assert self.call is not None, "nothing was prepared"
            return {"seconds": seconds_per_call(self.call, command["calls"], command["warm"])}
        return self.prepare(command["workload"], command["traffic"], command["result"])

    def prepare(self, name: str, traffic: int, path: str) -> dict[str, Any]:
        """Compile for a workload, and run it for the first time."""
        self.call = None
        gc.collect()
        workload = next(each for each in WORKLOADS if each.name == name)
        task = Task(workload.kernel, workload.inputs(), traffic, workload.flops, workload.state)
        start = time.perf_counter()
        self.call = self.peer.prepare(task)
        if self.call is None:
            return {"missing": True}
        result = self.call.function(*self.call.arguments)
        first = time.perf_counter() - start
        if path:
            np.savez(path, *self.peer.give(result))
        return {"first": first, "seconds": settled(self.call)}


def settled(call: Call) -> float:
    """The time of a call whose result gets memory without a request to the system; allocators need up to about 20 calls for
    that. Slow calls are cut short."""
    seconds: list[float] = []
    while len(seconds) < SETTLE_CALLS and sum(seconds) < SETTLE_SECONDS:
        seconds.append(seconds_per_call(call, 1, warm=False))
    return min(seconds)


def seconds_per_call(call: Call, calls: int, warm: bool) -> float:
    """The time of one call, on average over `calls` of them. An additional call before them, which is not counted, wakes the
    threads and warms the caches, which another process has used meanwhile."""
    function, arguments = call
    if warm:
        function(*arguments)
    gc.disable()
    start = time.perf_counter()
    for _ in itertools.repeat(None, calls):
        function(*arguments)
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds / calls


def main(name: str, threads: int) -> None:
    """Answer commands until there are no more."""
    # Output of libraries goes to standard error, so that the answers stay lines of JSON.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    worker = Worker(load(name, threads))
    print(json.dumps({"ready": name}), file=answers)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:  # Any exception of a library is reported, and the run continues.
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
