"""`python -m benchmarks.torch_models`: whole networks under `torch.compile(backend="stepwell")`, against eager and Inductor:
results, gradients, the first call, and times of inference and of training steps.

The results of inference, the results, gradients and buffers of a training step, and the parameters and buffers after five steps
of gradient descent are compared. Differences are relative to the largest number of the same tensor: float32 is compared with
eager in float64, bfloat16 with eager in float32, with the same weights and arguments. The table has eager's own differences
too: the largest one of its run and of runs with weights a few roundings away, since a rounding next to a kink of an activation
changes a gradient by more than the rounding. A backend is wrong if any tensor differs by more than twice as much as eager's,
and by more than a tolerance: 2e-3 in float32, 2e-2 in bfloat16. *graphs* counts the graphs of inference and of training,
forward and backward.
"""

from __future__ import annotations

import argparse
import json
import math
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
# The dtype in which eager counts as exact, by the dtype of the network.
EXACT = MappingProxyType({"float32": "float64", "bfloat16": "float32"})
STEPS, RATE = 5, 0.01
# The number of runs of eager with perturbed weights, and the perturbation in units in the last place: in float32 as much as
# sums of hundreds of products, in bfloat16, whose sums are in float32, one.
NUDGED = 3
NUDGES = MappingProxyType({"float32": 4, "bfloat16": 1})


class Differences(NamedTuple):
    """The largest relative difference of a backend (`error`) and of eager in the same dtype (`rounding`), and the largest
    amount by which the difference of a tensor exceeds twice that of eager (`excess`)."""

    error: float
    rounding: float
    excess: float

    def is_right(self, dtype: str) -> bool:
        """Whether no tensor differs by more than the tolerance."""
        return self.excess < TOLERANCES[dtype]


class Measured(NamedTuple):
    """One network with one backend. Times are in milliseconds, the first calls in seconds; `inferring` and `learning` are the
    numbers of graphs in inference and in training, `left` is the number of operations left to eager."""

    name: str
    dtype: str
    backend: str
    first_inference: float
    inference: float
    first_training: float
    training: float
    error: float
    rounding: float
    excess: float
    inferring: int
    learning: int
    left: int

    @property
    def is_right(self) -> bool:
        """Whether no tensor differs by more than the tolerance."""
        return Differences(self.error, self.rounding, self.excess).is_right(self.dtype)


class Wanted(NamedTuple):
    """The results of a network in eager, and the rounding error of each tensor."""

    tensors: list[Any]
    roundings: list[float]

    @staticmethod
    def of(name: str, small: bool, dtype: str) -> Wanted:
        """Run a network in eager, exactly, rounded, and with weights a few roundings away."""
        from .torch_networks import network

        exact = network(name, small, dtype, EXACT[dtype])
        wanted = _all_results(exact.module, exact)
        roundings = [0.0] * len(wanted)
        for number in range(1 + NUDGED):
            eager = network(name, small, dtype)
            if number:
                _nudge(eager.module, NUDGES[dtype], number)
            found = map(_relative, _all_results(eager.module, eager), wanted)
            roundings = list(map(max, roundings, found))
        return Wanted(wanted, roundings)

    def differences(self, found: Sequence[Any]) -> Differences:
        """Compare other results with these."""
        errors = [_relative(a, b) for a, b in zip(found, self.tensors, strict=True)]
        excess = max(error - 2 * rounding for error, rounding in zip(errors, self.roundings, strict=True))
        return Differences(max(errors), max(self.roundings), excess)


def _nudge(module: Any, units: int, seed: int) -> None:
    """Change each parameter by the given number of units in the last place, up or down."""
    import torch

    torch.manual_seed(seed)
    with torch.no_grad():
        for each in module.parameters():
            each.mul_(1 + units * torch.finfo(each.dtype).eps * (2 * torch.randint(2, each.shape) - 1))


def differences(name: str, backend: Any, dtype: str = "float32", small: bool = True, **options: Any) -> Differences:
    """Compare a network with a backend with the network in eager."""
    from .torch_networks import network

    wanted, given = Wanted.of(name, small, dtype), network(name, small, dtype)
    return wanted.differences(_all_results(torch_compile(given.module, backend, **options), given))


def _all_results(call: Callable[..., Any], given: Any) -> list[Any]:
    """The results of a network in inference and in a training step, and its state after some steps."""
    inferred = _copies(_inferred(call, given))
    given.module.train()
    return [*inferred, *_learned(call, given, _copies(_trained(call, given)))]


def _learned(call: Callable[..., Any], given: Any, first: list[Any]) -> list[Any]:
    """The results of the first training step, and the state after all steps, of which it is the first."""
    import torch

    descent = torch.optim.SGD(given.module.parameters(), RATE)
    for step in range(STEPS):
        if step:
            _trained(call, given)
        descent.step()
    return [*first, *_copies([*given.module.parameters(), *given.module.buffers()])]


def _copies(tensors: Sequence[Any]) -> list[Any]:
    return [each.detach().clone() for each in tensors]


def torch_compile(module: Any, backend: Any, **options: Any) -> Callable[..., Any]:
    """A module compiled with a backend; for eager the module itself."""
    import torch

    torch._dynamo.reset()
    return module if backend == "eager" else torch.compile(module, backend=backend, options=options or None)


def _inferred(call: Callable[..., Any], given: Any) -> list[Any]:
    import torch

    if given.module.training:
        given.module.eval()
    with torch.no_grad():
        return torch.utils._pytree.tree_leaves([call(*each) for each in given.calls or (given.inputs,)])


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
    """The largest difference, relative to the largest number; infinity where one of them alone is NaN."""
    a, b = ours.detach().double(), theirs.detach().double()
    if a.shape != b.shape or bool((a.isnan() != b.isnan()).any()):
        return math.inf
    a, b = a[~a.isnan()], b[~b.isnan()]
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
    wanted, given = Wanted.of(name, small, dtype), network(name, small, dtype)
    call = torch_compile(given.module, backend)
    with reporting() as report:
        first_inference, inferred = _timed(lambda: _inferred(call, given))
        inferred = _copies(inferred)
        inference = _median(lambda: _inferred(call, given), repeats)
        inferring = len(report.graphs)
        given.module.train()
        first_training, trained = _timed(lambda: _trained(call, given))
        found = wanted.differences([*inferred, *_learned(call, given, _copies(trained))])
        training = _median(lambda: _trained(call, given), repeats)
    times = first_inference, inference, first_training, training
    return Measured(name, dtype, backend, *times, *found, inferring, len(report.graphs) - inferring, report.eager_count)


def _timed(step: Callable[[], list[Any]]) -> tuple[float, list[Any]]:
    """The time of a call in seconds, and its result."""
    start = time.perf_counter()
    found = step()
    return time.perf_counter() - start, found


def _median(step: Callable[[], list[Any]], repeats: int) -> float:
    """The median time of calls, in milliseconds."""
    return 1000 * median(_timed(step)[0] for _ in range(repeats))


def in_process(name: str, dtype: str, backend: str, options: argparse.Namespace) -> Measured | None:
    """Measure in a new process; None if that fails."""
    given = ["--repeats", str(options.repeats), "--threads", str(options.threads), *(["--small"] if options.small else [])]
    found = run_worker("torch_models", (name, dtype, backend), given, options.timeout)
    return None if found is None else Measured(*found)


_COLUMNS = (
    *("network", "dtype", "backend", "first inference (s)", "inference (ms)", "first training step (s)", "step (ms)"),
    *("difference", "eager's", "graphs", "operations left to eager"),
)


def markdown(rows: Sequence[Measured], about: str) -> str:
    """The table of the results."""
    lines = ["# Networks of torch", "", about, "", f"| {' | '.join(_COLUMNS)} |", "|" + "---|" * len(_COLUMNS)]
    for row in rows:
        error = f"{row.error:.1e}" + ("" if row.is_right else " **wrong**")
        times = f"{row.first_inference:.1f} | {row.inference:.1f} | {row.first_training:.1f} | {row.training:.1f}"
        graphs = f"{row.inferring} + {row.learning} | {row.left}" if row.backend == "stepwell" else " | "
        lines.append(f"| {row.name} | {row.dtype} | {row.backend} | {times} | {error} | {row.rounding:.1e} | {graphs} |")
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
            options.out.write_text(markdown(found, about))  # an interrupted run has a table too
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
