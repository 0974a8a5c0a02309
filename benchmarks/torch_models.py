"""`python -m benchmarks.torch_models`: whole networks under `torch.compile(backend="stepwell")`, against eager and Inductor:
results, gradients, the first call, and times of inference and of training steps."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

BACKENDS = ("eager", "stepwell", "inductor")
# Differences relative to the largest number of a result or gradient.
TOLERANCE = 2e-3


class Measured(NamedTuple):
    """One network with one backend. Times are in milliseconds, the first calls in seconds; `error` is the largest difference
    from eager, relative to the largest number of the same result or gradient."""

    name: str
    backend: str
    first_inference: float
    inference: float
    first_training: float
    training: float
    error: float
    graphs: int
    eager: int


def differences(name: str, backend: Any, small: bool = False, dynamic: bool | None = None, **options: Any) -> float:
    """The largest relative difference from eager of the results, the gradients and the buffers after a training step."""
    from .torch_networks import network

    first, second = network(name, small), network(name, small)
    compiled = torch_compile(second.module, backend, dynamic, **options)
    found = _largest(_inferred(compiled, second), _inferred(first.module, first))
    first.module.train(), second.module.train()
    return max(found, _largest(_trained(compiled, second), _trained(first.module, first)))


def torch_compile(module: Any, backend: Any, dynamic: bool | None = None, **options: Any) -> Callable[..., Any]:
    """A module with a backend; as it is for eager."""
    import torch

    torch._dynamo.reset()
    return module if backend == "eager" else torch.compile(module, backend=backend, dynamic=dynamic, options=options or None)


def _inferred(call: Callable[..., Any], given: Any) -> list[Any]:
    import torch

    if given.module.training:
        given.module.eval()
    with torch.no_grad():
        return torch.utils._pytree.tree_leaves(call(*given.inputs))


def _trained(call: Callable[..., Any], given: Any) -> list[Any]:
    """The results, gradients and buffers of a training step."""
    import torch

    from .torch_networks import loss_of

    given.module.zero_grad()
    found = call(*given.inputs)
    loss_of(found).backward()
    grads = [each.grad for each in given.module.parameters() if each.grad is not None]
    return [*torch.utils._pytree.tree_leaves(found), *grads, *(each for each in given.module.buffers())]


def _relative(ours: Any, theirs: Any) -> float:
    a, b = ours.detach().double(), theirs.detach().double()
    scale = float(b.abs().max()) if b.numel() else 0.0
    return float((a - b).abs().max()) / max(scale, 1e-3) if b.numel() else 0.0


def measure(name: str, backend: str, small: bool, repeats: int) -> Measured:
    """Measure one network with one backend, in this process."""
    import stepwell.torch
    import torch
    from stepwell.frontend.torch.report import reporting

    from .torch_networks import network

    assert stepwell.torch.stepwell is not None
    torch._dynamo.config.allow_rnn = True  # torch leaves recurrent layers to eager otherwise
    given, eager = network(name, small), network(name, small)
    call = torch_compile(given.module, backend)
    with reporting() as report:
        first_inference, inferred = _timed(lambda: _inferred(call, given))
        error = _largest(inferred, _inferred(eager.module, eager))
        inference = _median(lambda: _inferred(call, given), repeats)
        given.module.train(), eager.module.train()
        first_training, trained = _timed(lambda: _trained(call, given))
        error = max(error, _largest(trained, _trained(eager.module, eager)))
        training = _median(lambda: _trained(call, given), repeats)
    graphs, left = len(report.graphs), report.eager_count
    return Measured(name, backend, first_inference, inference, first_training, training, error, graphs, left)


def _timed(step: Callable[[], list[Any]]) -> tuple[float, list[Any]]:
    """The time of a call in seconds, and its result."""
    start = time.perf_counter()
    found = step()
    return time.perf_counter() - start, found


def _median(step: Callable[[], list[Any]], repeats: int) -> float:
    """The median time of calls, in milliseconds."""
    return 1000 * median(_timed(step)[0] for _ in range(repeats))


def _largest(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    return max(_relative(a, b) for a, b in zip(ours, theirs, strict=True))


def in_process(name: str, backend: str, options: argparse.Namespace) -> Measured | None:
    """Measure in a new process; None where that fails."""
    command = [sys.executable, "-m", "benchmarks.torch_models", "--worker", name, backend, "--repeats", str(options.repeats)]
    command += ["--threads", str(options.threads), *(["--small"] if options.small else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        print(f"{name}, {backend}: no result in {options.timeout} s", file=sys.stderr)
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode or not lines:
        print(f"{name}, {backend}: {done.stderr[-2000:]}", file=sys.stderr)
        return None
    return Measured(*json.loads(lines[-1]))


def markdown(rows: Sequence[Measured], about: str) -> str:
    """The table of the results."""
    columns = "network, backend, first inference (s), inference (ms), first training step (s), step (ms), difference, eager"
    head = f"| {' | '.join(columns.split(', '))} |"
    lines = ["# Networks of torch", "", about, "", head, "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        error = "" if row.backend == "eager" else f"{row.error:.1e}" + ("" if row.error < TOLERANCE else " **wrong**")
        times = f"{row.first_inference:.1f} | {row.inference:.1f} | {row.first_training:.1f} | {row.training:.1f}"
        lines.append(f"| {row.name} | {row.backend} | {times} | {error} | {row.eager if row.backend == 'stepwell' else ''} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_models", description=__doc__)
    add = parser.add_argument
    add("--only", help="networks, separated by commas")
    add("--backends", default=",".join(BACKENDS), help=f"of {', '.join(BACKENDS)}")
    add("--small", action="store_true", help="the small sizes of the tests")
    add("--repeats", type=int, default=5, help="timings of each (5)")
    add("--threads", type=int, default=1, help="threads (1)")
    add("--timeout", type=int, default=900, help="seconds for one network and backend (900)")
    add("--out", type=Path, help="a file for the table (it is printed otherwise)")
    add("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _work(*options.worker, options)
        return
    from .torch_networks import NETWORKS

    names = options.only.split(",") if options.only else list(NETWORKS)
    found: list[Measured] = []
    about = f"`python -m benchmarks.torch_models`: float32, {options.threads} thread(s), medians of {options.repeats} calls."
    for name in names:
        found += [each for backend in options.backends.split(",") if (each := in_process(name, backend, options)) is not None]
        if options.out:
            options.out.write_text(markdown(found, about))  # also of a run that is interrupted
    if not options.out:
        print(markdown(found, about))


def _work(name: str, backend: str, options: argparse.Namespace) -> None:
    import stepwell as sw
    import torch

    torch.set_num_threads(options.threads)
    sw.set_num_threads(options.threads)
    print(json.dumps(list(measure(name, backend, options.small, options.repeats))))


if __name__ == "__main__":
    main()
