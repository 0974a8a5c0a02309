"""`python -m benchmarks.torch_speed`: blocks of networks with eager, Stepwell and Inductor; whole ones with `--networks`.

Each row is a block in inference, or in a training step: forward, and backward from a given gradient of the results. It has one
process: the three take turns of an untimed call and then about 5 ms of calls, so that each meets the same load. Times are
medians of the turns' means, in milliseconds; the ratio is Stepwell's time over the better time of the two others. With `--cold`
each row has empty caches on disk, and the table has the first calls, in seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from .environment import machine
from .processes import run_worker

BACKENDS = ("eager", "stepwell", "inductor")
STEPS = ("inference", "training")
LIMIT = 1.1
# The seconds of a turn, in which short calls are repeated.
TURN = 0.005


class Row(NamedTuple):
    """A block in inference or training: times of calls in milliseconds and of first calls in seconds, by backend."""

    name: str
    step: str
    calls: dict[str, float]
    firsts: dict[str, float]

    @property
    def ratio(self) -> float:
        return self.calls["stepwell"] / min(self.calls["eager"], self.calls["inductor"])


def measured(name: str, step: str, repeats: int) -> Row:
    """Measure a block in this process."""
    import torch
    from stepwell.torch import stepwell

    module, inputs = _made(name)
    module.train(step == "training")
    torch._dynamo.config.allow_rnn = True
    backends = {"stepwell": stepwell, "inductor": "inductor"}
    calls = {
        each: module if each == "eager" else torch.compile(module, backend=backends[each], dynamic=False) for each in BACKENDS
    }
    steps = {each: _step(call, module, inputs, step == "training") for each, call in calls.items()}
    firsts = {each: _seconds(steps[each]) for each in BACKENDS}
    times: dict[str, list[float]] = {each: [] for each in BACKENDS}
    for _ in range(repeats):
        for each in BACKENDS:
            # An untimed call: afterwards the caches hold this backend's data, which matters most for short calls.
            count = max(1, round(TURN / _seconds(steps[each])))
            times[each].append(1000 * fmean(_seconds(steps[each]) for _ in range(count)))
    return Row(name, step, {each: median(found) for each, found in times.items()}, firsts)


def _made(name: str) -> tuple[Any, tuple[Any, ...]]:
    """The module and the arguments of a block or of a network."""
    import torch

    from .torch_blocks import BLOCKS
    from .torch_networks import network

    torch.manual_seed(0)
    if name in BLOCKS:
        return BLOCKS[name].module(), BLOCKS[name].inputs()
    return network(name)[:2]


def _step(call: Callable[..., Any], module: Any, inputs: Sequence[Any], trains: bool) -> Callable[[], Any]:
    import torch

    given = [each.requires_grad_(trains and each.is_floating_point()) for each in inputs]
    cotangents: list[Any] = []

    def step() -> None:
        with torch.set_grad_enabled(trains):
            found = [each for each in torch.utils._pytree.tree_leaves(call(*given)) if each.requires_grad or not trains]
        if trains:
            cotangents[:] = cotangents or [torch.randn_like(each) for each in found]
            torch.autograd.backward(found, cotangents)
            for each in (*module.parameters(), *given):
                each.grad = None

    return step


def _seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def in_process(name: str, step: str, options: argparse.Namespace) -> Row | None:
    """Measure in a new process; None if that fails."""
    given = ["--repeats", str(options.repeats), "--threads", str(options.threads)]
    with tempfile.TemporaryDirectory(prefix="stepwell-torch-speed-") as folder:
        caches = {"STEPWELL_CACHE_DIR": f"{folder}/stepwell", "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor"}
        environment = {**os.environ, **(caches if options.cold else {})}
        found = run_worker("torch_speed", (name, step), given, options.timeout, environment)
    return None if found is None else Row(*found)


def markdown(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The table, with geometric means."""
    about = (__doc__ or "").partition("\n\n")[2].strip()
    taken = f"`python -m benchmarks.torch_speed`, {machine()}, {options.threads} thread(s). {options.note}".strip()
    firsts = BACKENDS[1:] if options.cold else ()
    head = ["block", "step", *BACKENDS, "ratio", *(f"first call, {each}" for each in firsts)]
    lines = ["# Blocks of networks in torch", "", taken, "", about, ""]
    if rows:
        lines += [f"{_summary(rows, options.cold)}.", ""]
    lines += [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for row in rows:
        calls = [f"{row.calls[each]:.3g}" for each in BACKENDS]
        ratio = f"**{row.ratio:.2f}**" if row.ratio > LIMIT else f"{row.ratio:.2f}"
        cells = [row.name, row.step, *calls, ratio, *(f"{row.firsts[each]:.1f}" for each in firsts)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _summary(rows: Sequence[Row], cold: bool) -> str:
    means = [_mean([row.calls["stepwell"] / row.calls[each] for row in rows]) for each in ("eager", "inductor")]
    over = sum(row.ratio > LIMIT for row in rows)
    found = f"{len(rows)} rows: the geometric mean of the time is {means[0]:.2f} of eager, {means[1]:.2f} of Inductor"
    if cold:
        found += f", of first calls {_mean([row.firsts['stepwell'] / row.firsts['inductor'] for row in rows]):.2f} of Inductor"
    return f"{found}; {over} rows take over {LIMIT} of the better one"


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(fmean(log(each) for each in ratios))


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_speed", description=__doc__)
    add = parser.add_argument
    add("--only", help="blocks or networks, separated by semicolons")
    add("--networks", action="store_true", help="the networks of benchmarks.torch_models in place of the blocks")
    add("--steps", default=",".join(STEPS), help=f"of {', '.join(STEPS)}")
    add("--cold", action="store_true", help="empty caches on disk for each row, and its first calls in the table")
    add("--every", type=int, default=1, help="every n-th row alone (1)")
    add("--minutes", type=float, default=60, help="begin no row after this time (60)")
    add("--repeats", type=int, default=11, help="turns of each (11)")
    add("--threads", type=int, default=1, help="threads (1)")
    add("--timeout", type=int, default=600, help="seconds for one row (600)")
    add("--note", default="", help="a sentence for the table, as about the machine's load")
    add("--rows", type=Path, help="a JSON file: its rows stay in the table, and the rows of this run are added to it")
    add("--out", type=Path, help="a file for the table (it is printed otherwise)")
    add("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _work(*options.worker, options)
        return
    from .torch_blocks import BLOCKS
    from .torch_networks import NETWORKS

    names = options.only.split(";") if options.only else list(NETWORKS if options.networks else BLOCKS)
    earlier = json.loads(options.rows.read_text()) if options.rows and options.rows.exists() else []
    rows = {(row.name, row.step): row for row in [Row(*each) for each in earlier]}
    runs = [(name, step) for name in names for step in options.steps.split(",")][:: options.every]
    end = time.monotonic() + 60 * options.minutes
    for name, step in runs:
        if time.monotonic() > end:
            break
        if (row := in_process(name, step, options)) is not None:
            rows[name, step] = row
            print(f"{name}, {step}: {row.ratio:.2f}", file=sys.stderr, flush=True)
        _write(list(rows.values()), options)
    if not options.out:
        print(markdown(list(rows.values()), options))


def _write(rows: Sequence[Row], options: argparse.Namespace) -> None:
    if options.rows:
        options.rows.write_text(json.dumps(rows), encoding="utf-8")
    if options.out:
        options.out.write_text(markdown(rows, options), encoding="utf-8")


def _work(name: str, step: str, options: argparse.Namespace) -> None:
    import stepwell as sw
    import torch

    torch.set_num_threads(options.threads)
    sw.set_num_threads(options.threads)
    print(json.dumps(list(measured(name, step, options.repeats))))


if __name__ == "__main__":
    main()
