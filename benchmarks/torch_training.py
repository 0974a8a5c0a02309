"""`python -m benchmarks.torch_training`: models trained with `torch.compile(backend="stepwell")` and in eager.

Both start with the same weights and take the same batches, every fourth of which is smaller: a ResNet and a DCGAN on digits, a
transformer on characters. Losses must follow those of eager, and each function must be compiled once for all sizes of batches.
Training amplifies rounding errors from step to step: the first losses are compared one by one, the last ones in the mean.
"""

from __future__ import annotations

import argparse
import ast
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from .torch_language import Gpt
from .torch_vision import ResNet, discriminator, generator

LENGTH, LATENT = 32, 16
# The largest relative differences of the first losses, and of the mean of the last quarter.
FIRST, LAST = 1e-3, 0.15
FIRST_STEPS = 2

Loss = Callable[..., torch.Tensor]


class Part(NamedTuple):
    """A function from a batch to a loss, and the optimizer of the parameters that it trains."""

    loss: Loss
    optimizer: torch.optim.Optimizer


class Trained(NamedTuple):
    """The losses of all steps, for each step in the order of the parts, and the number of compiles of each program."""

    losses: list[list[float]]
    compiles: list[int]
    left_to_eager: int


def _resnet() -> tuple[list[Part], Any, torch.Tensor]:
    model = ResNet(8, 1, 10)

    def loss(images: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(model(images.expand(-1, 3, -1, -1)), labels)

    images, labels = _digits()
    return [Part(loss, torch.optim.SGD(model.parameters(), 0.02))], images, labels


def _dcgan() -> tuple[list[Part], Any, torch.Tensor]:
    """The discriminator's loss and the generator's; a batch is images and noise."""
    makes, judges = generator(LATENT, 8), discriminator(8)

    def judged(x: torch.Tensor, is_real: float) -> torch.Tensor:
        found = judges(x)
        return F.binary_cross_entropy_with_logits(found, torch.full_like(found, is_real))

    def judging(images: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        return judged(images.expand(-1, 3, -1, -1), 1) + judged(makes(noise).detach(), 0)

    def making(images: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        return judged(makes(noise), 1)

    images, _ = _digits()
    noise = torch.randn(len(images), LATENT, 1, 1)
    adam = [torch.optim.Adam(each.parameters(), 2e-4, (0.5, 0.999)) for each in (judges, makes)]
    return [Part(judging, adam[0]), Part(making, adam[1])], images * 2 - 1, noise


def _transformer() -> tuple[list[Part], Any, torch.Tensor]:
    model = Gpt(32, 4, 2, 96, LENGTH)

    def loss(given: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(model(given).flatten(0, 1), following.flatten())

    rows = _characters()
    return [Part(loss, torch.optim.Adam(model.parameters(), 3e-3))], rows[:, :-1].contiguous(), rows[:, 1:].contiguous()


def _digits() -> tuple[torch.Tensor, torch.Tensor]:
    """scikit-learn's images of digits, in 16 x 16, and their digits."""
    from sklearn.datasets import load_digits

    pixels, labels = load_digits(return_X_y=True)
    images = torch.tensor(pixels / 16, dtype=torch.float32).reshape(-1, 1, 8, 8)
    return F.interpolate(images, scale_factor=2, mode="nearest"), torch.tensor(labels)


def _characters() -> torch.Tensor:
    """Rows of LENGTH + 1 characters of the docstrings of Python's standard library, as numbers below 96."""
    texts = [
        ast.get_docstring(ast.parse(path.read_bytes())) for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    ]
    codes = torch.tensor(list("".join(filter(None, texts)).encode("ascii", "replace"))).clamp(31, 126) - 31
    count = len(codes) // (LENGTH + 1)
    return codes[: count * (LENGTH + 1)].reshape(count, LENGTH + 1)


MODELS: MappingProxyType[str, Callable[[], tuple[list[Part], torch.Tensor, torch.Tensor]]] = MappingProxyType(
    {"resnet": _resnet, "dcgan": _dcgan, "transformer": _transformer}
)


def trained(name: str, backend: Any, steps: int, batch: int, **options: Any) -> Trained:
    """Train a model for some steps. Every fourth batch is smaller."""
    from stepwell.frontend.torch.report import reporting

    torch._dynamo.reset()
    torch.manual_seed(0)
    parts, first, second = MODELS[name]()
    calls = [each.loss if backend is None else _compiled(each.loss, backend, options) for each in parts]
    losses: list[list[float]] = []
    with reporting() as report:
        for rows in _batches(len(first), steps, batch):
            losses.append([])
            for part, call in zip(parts, calls, strict=True):
                part.optimizer.zero_grad()
                loss = call(first[rows], second[rows])
                loss.backward()
                part.optimizer.step()
                losses[-1].append(float(loss.detach()))
    compiles = [runner.jitted.stats().compiles for graph in report.graphs for runner in graph.programs]
    return Trained(losses, compiles, report.eager_count)


def _compiled(loss: Loss, backend: Any, options: Any) -> Loss:
    return torch.compile(loss, backend=backend, dynamic=True, fullgraph=True, options=options or None)


def _batches(rows: int, steps: int, batch: int) -> Iterator[torch.Tensor]:
    draws = torch.Generator().manual_seed(1)
    for step in range(steps):
        yield torch.randint(rows, (batch - batch // 3 if step % 4 == 3 else batch,), generator=draws)


def faults(ours: Trained, eager: Trained) -> list[str]:
    """The faults of a training, in words."""
    found: list[str] = []
    for k, pair in enumerate(zip(ours.losses[:FIRST_STEPS], eager.losses, strict=False)):
        if any(abs(a - b) > FIRST * abs(b) for a, b in zip(*pair, strict=True)):
            found.append(f"step {k}: expected the losses {pair[1]}, got {pair[0]}")
    for part in range(len(eager.losses[0])):
        a, b = (mean(each[part] for each in run.losses[-len(run.losses) // 4 :]) for run in (ours, eager))
        if abs(a - b) > LAST * abs(b):
            found.append(f"the last losses: expected {b:.4g} in the mean, got {a:.4g}")
    if set(ours.compiles) != {1}:
        found.append(f"expected each program to be compiled once, got {ours.compiles}")
    if ours.left_to_eager:
        found.append(f"{ours.left_to_eager} operations are left to eager")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, and print the losses; 1 if there is a fault."""
    from stepwell.torch import stepwell

    parser = argparse.ArgumentParser("python -m benchmarks.torch_training", description=__doc__)
    add = parser.add_argument
    add("--only", default=",".join(MODELS), help=f"of {', '.join(MODELS)}")
    add("--steps", type=int, default=120, help="steps (120)")
    add("--batch", type=int, default=48, help="the size of most batches (48)")
    options = parser.parse_args(arguments)
    wrong = False
    for name in options.only.split(","):
        eager = trained(name, None, options.steps, options.batch)
        ours = trained(name, stepwell, options.steps, options.batch)
        for kind, run in (("eager", eager), ("stepwell", ours)):
            ends = ["/".join(f"{each:.4f}" for each in run.losses[k]) for k in (0, len(run.losses) // 2, -1)]
            print(f"{name}, {kind}: losses {', '.join(ends)}; compiles {run.compiles}", flush=True)
        for fault in faults(ours, eager):
            print(f"WRONG: {name}: {fault}", flush=True)
            wrong = True
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
