"""`python -m benchmarks.torch_models`: whole networks under `torch.compile(backend="stepwell")`, against eager and Inductor:
results, gradients, the first call, and times of inference and of training steps.

Differences are from eager in float32. In bfloat16 they are from eager in float32 with the same weights and arguments, which
bfloat16 holds: eager in bfloat16 differs from it too, so that a backend is wrong if it differs by more than twice as much, and
by more than rounding once does.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any, NamedTuple

from .processes import run_worker

BACKENDS = ("eager", "stepwell", "inductor")
# Differences relative to the largest number of a result or gradient, by dtype.
TOLERANCES = MappingProxyType({"float32": 2e-3, "bfloat16": 2e-2})


class Measured(NamedTuple):
    """One network with one backend. Times are in milliseconds, the first calls in seconds; `error` is the largest difference
    from eager in float32, relative to the largest number of the same result or gradient, and `rounding` that of eager."""

    name: str
    dtype: str
    backend: str
    first_inference: float
    inference: float
    first_training: float
    training: float
    error: float
    rounding: float
    graphs: int
    eager: int

    @property
    def is_right(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.error < TOLERANCES[self.dtype] + 2 * self.rounding


class Differences(NamedTuple):
    """The largest relative differences from eager in float32 of results, gradients and buffers after a training step: a
    backend's, and those of eager in the same dtype."""

    error: float
    rounding: float


def differences(name: str, backend: Any, dtype: str = "float32", small: bool = True, **options: Any) -> Differences:
    """Compare a network with a backend and in eager with the network in eager and float32."""
    from .torch_networks import network

    exact, eager, second = network(name, small, dtype, exact=True), network(name, small, dtype), network(name, small, dtype)
    wanted, rounded = _all_results(exact.module, exact), _all_results(eager.module, eager)
    found = _all_results(torch_compile(second.module, backend, **options), second)
    return Differences(_largest(found, wanted), _largest(rounded, wanted))


def _all_results(call: Callable[..., Any], given: Any) -> list[Any]:
    """What a network gives in inference and then in a training step."""
    inferred = _inferred(call, given)
    given.module.train()
    return [*inferred, *_trained(call, given)]


def torch_compile(module: Any, backend: Any, **options: Any) -> Callable[..., Any]:
    """A module with a backend; as it is for eager."""
    import torch

    torch._dynamo.reset()
    return module if backend == "eager" else torch.compile(module, backend=backend, options=options or None)


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


def measure(name: str, dtype: str, backend: str, small: bool, repeats: int) -> Measured:
    """Measure one network with one backend, in this process."""
    import stepwell.torch
    import torch
    from stepwell.frontend.torch.report import reporting

    from .torch_networks import network

    assert stepwell.torch.stepwell is not None
    torch._dynamo.config.allow_rnn = True  # torch leaves recurrent layers to eager otherwise
    exact, eager = network(name, small, dtype, exact=True), network(name, small, dtype)
    wanted = _all_results(exact.module, exact)
    rounding = 0.0 if dtype == "float32" else _largest(_all_results(eager.module, eager), wanted)
    del exact, eager
    given = network(name, small, dtype)
    call = torch_compile(given.module, backend)
    with reporting() as report:
        first_inference, inferred = _timed(lambda: _inferred(call, given))
        inferred = [each.clone() for each in inferred]
        inference = _median(lambda: _inferred(call, given), repeats)
        given.module.train()
        first_training, trained = _timed(lambda: _trained(call, given))
        error = _largest([*inferred, *trained], wanted)
        training = _median(lambda: _trained(call, given), repeats)
    times = first_inference, inference, first_training, training
    return Measured(name, dtype, backend, *times, error, rounding, len(report.graphs), report.eager_count)


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


def in_process(name: str, dtype: str, backend: str, options: argparse.Namespace) -> Measured | None:
    """Measure in a new process; None where that fails."""
    given = ["--repeats", str(options.repeats), "--threads", str(options.threads), *(["--small"] if options.small else [])]
    found = run_worker("torch_models", (name, dtype, backend), given, options.timeout)
    return None if found is None else Measured(*found)


_COLUMNS = (
    *("network", "dtype", "backend", "first inference (s)", "inference (ms)", "first training step (s)", "step (ms)"),
    *("difference", "eager's", "operations left to eager"),
)


def markdown(rows: Sequence[Measured], about: str) -> str:
    """The table of the results."""
    lines = ["# Networks of torch", "", about, "", f"| {' | '.join(_COLUMNS)} |", "|" + "---|" * len(_COLUMNS)]
    for row in rows:
        error = "" if row.backend == "eager" else f"{row.error:.1e}" + ("" if row.is_right else " **wrong**")
        rounding = f"{row.rounding:.1e}" if row.rounding else ""
        times = f"{row.first_inference:.1f} | {row.inference:.1f} | {row.first_training:.1f} | {row.training:.1f}"
        left = row.eager if row.backend == "stepwell" else ""
        lines.append(f"| {row.name} | {row.dtype} | {row.backend} | {times} | {error} | {rounding} | {left} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_models", description=__doc__)
    add = parser.add_argument
    add("--only", help="networks, separated by commas")
    add("--dtypes", default=",".join(TOLERANCES), help=f"of {', '.join(TOLERANCES)}")
    add("--backends", default=",".join(BACKENDS), help=f"of {', '.join(BACKENDS)}")
    add("--small", action="store_true", help="the small sizes of the tests")
    add("--repeats", type=int, default=5, help="timings of each (5)")
    add("--threads", type=int, default=1, help="threads (1)")
    add("--timeout", type=int, default=900, help="seconds for one network and backend (900)")
    add("--out", type=Path, help="a file for the table (it is printed otherwise)")
    add("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        name, dtype, backend = options.worker
        _work(name, dtype, backend, options)
        return
    from .torch_networks import NETWORKS

    names = options.only.split(",") if options.only else list(NETWORKS)
    found: list[Measured] = []
    sizes = "small sizes" if options.small else "full sizes"
    about = f"`python -m benchmarks.torch_models`: {sizes}, {options.threads} thread(s), medians of {options.repeats} calls."
    about += " " + (__doc__ or "").partition("\n\n")[2].strip()
    for name, dtype, backend in product(names, options.dtypes.split(","), options.backends.split(",")):
        if (row := in_process(name, dtype, backend, options)) is not None:
            found.append(row)
        if options.out:
            options.out.write_text(markdown(found, about))  # also of a run that is interrupted
    if not options.out:
        print(markdown(found, about))


def _work(name: str, dtype: str, backend: str, options: argparse.Namespace) -> None:
    import stepwell as sw
    import torch

    torch.set_num_threads(options.threads)
    sw.set_num_threads(options.threads)
    print(json.dumps(list(measure(name, dtype, backend, options.small, options.repeats))))


if __name__ == "__main__":
    main()
