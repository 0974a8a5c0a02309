"""Shared by the training examples: options, the loop with its checkpoints and progress, and the picture of the losses.

One step is one compiled function: forward, backward and update, which writes into the memory of the parameters. Batch and
random numbers of a step depend only on the seed and the number of the step, so that a killed run continues with the same
results.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import stepwell as sw


@dataclass(frozen=True)
class Options:
    """The values of the command line."""

    name: str
    steps: int
    seed: int
    every: int
    resume: bool
    out: Path

    @property
    def checkpoint(self) -> Path:
        """Where parameters, the optimizer's state and the losses so far are kept."""
        return self.out / f"{self.name}.safetensors"

    @staticmethod
    def parse(name: str, description: str, steps: int, arguments: list[str] | None = None) -> Options:
        """The options of a script."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--steps", type=int, default=steps, help="updates in all (%(default)s)")
        parser.add_argument("--seed", type=int, default=0, help="of parameters, batches and dropout (%(default)s)")
        parser.add_argument("--every", type=int, default=100, help="updates between checkpoints (%(default)s)")
        parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint, if there is one")
        parser.add_argument("--out", type=Path, default=Path("out"), help="where checkpoint and picture go (%(default)s)")
        given = parser.parse_args(arguments)
        return Options(name, given.steps, given.seed, given.every, given.resume, given.out)


@dataclass(frozen=True)
class Outcome:
    """Trained parameters, the loss of each step, the seconds of a usual step and of the first, and the number of compiles."""

    params: Any
    losses: Any
    seconds: float
    first: float
    compiles: int


# The loss of (params, x, y, key), and the batch (x, y) of a step.
Loss = Callable[[Any, Any, Any, Any], Any]
Batches = Callable[[int], tuple[Any, Any]]


def train(options: Options, params: Any, optimizer: Any, loss: Loss, batches: Batches) -> Outcome:
    """Do the remaining steps, and print a summary."""
    state, losses = optimizer.init(params), np.zeros(0, np.float32)
    if options.resume and options.checkpoint.exists():
        losses = sw.load(options.checkpoint)["losses"]
        found = sw.load(options.checkpoint, like={"params": params, "state": state, "losses": losses})
        params, state = found["params"], found["state"]
        print(f"going on from step {len(losses)}")

    @sw.jit(donate_argnums=(0, 1))
    def step(params: Any, state: Any, x: Any, y: Any, key: Any) -> Any:
        value, grads = sw.value_and_grad(lambda inner: loss(inner, x, y, key))(params)
        return *optimizer.update(params, grads, state), value

    curve, times = list(losses), []
    for number in progress(len(curve), options.steps):
        before = time.perf_counter()
        params, state, value = step(params, state, *batches(number), sw.nn.fold_in(options.seed, number))
        times.append(time.perf_counter() - before)
        curve.append(value)
        if (number + 1) % options.every == 0 or number + 1 == options.steps:
            sw.save(options.checkpoint, {"params": params, "state": state, "losses": np.array(curve, np.float32)})
    usual = float(np.median(times[1:])) if len(times) > 1 else 0.0
    return Outcome(params, np.array(curve, np.float32), usual, times[0] if times else 0.0, step.stats().compiles)


class Examples(NamedTuple):
    """Inputs, and the class that each belongs to."""

    x: Any
    y: Any


def train_classifier(options: Options, model: Any, optimizer: Any, known: Examples, size: int) -> Outcome:
    """Train a model to classify, in shuffled batches of `size` examples, by the cross entropy."""
    numbers = shuffled(len(known.y), size, options.seed)

    def loss(params: Any, x: Any, y: Any, key: Any) -> Any:
        return sw.nn.cross_entropy(model(params, x, key=key), y)

    def batch(step: int) -> tuple[Any, Any]:
        chosen = numbers(step)
        return known.x[chosen], known.y[chosen]

    return train(options, model.init(options.seed), optimizer, loss, batch)


def accuracy(model: Any, params: Any, unseen: Examples) -> float:
    """The share of examples that a model classifies correctly."""
    found = sw.jit(lambda params, x: sw.argmax(model(params, x), axis=-1))(params, unseen.x)
    return float(np.mean(found == unseen.y))


def progress(start: int, end: int) -> Iterator[int]:
    """The numbers from start to end, with a bar on standard error where that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(range(start, end), "training", console=console, disable=not console.is_terminal, transient=True)


def shuffled(count: int, size: int, seed: int) -> Callable[[int], Any]:
    """For each step the numbers of the examples in its batch: all in a new order each epoch, the last batch may be smaller."""
    per_epoch = -(-count // size)

    def numbers(step: int) -> Any:
        epoch, place = divmod(step, per_epoch)
        return np.random.default_rng([seed, epoch]).permutation(count)[place * size : (place + 1) * size]

    return numbers


def report(options: Options, outcome: Outcome) -> None:
    """Print a summary, and draw the losses."""
    print(f"seed {options.seed}, {len(outcome.losses)} steps, compiled {outcome.compiles} time(s)")
    print(f"first step {outcome.first:.2f} s, then {outcome.seconds * 1e3:.2f} ms a step")
    if len(outcome.losses):
        print(f"loss {outcome.losses[0]:.4f} -> {outcome.losses[-20:].mean():.4f}")
        print(f"losses drawn in {draw(options, outcome.losses)}")


def draw(options: Options, losses: Any) -> Path:
    """A plot of the losses over the steps."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(losses, linewidth=0.8)
    axes.set(xlabel="step", ylabel="loss", title=f"{options.name}, seed {options.seed}")
    path = options.out / f"{options.name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    return path
