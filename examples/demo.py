"""The demo, `make demo`: two programs on real images, compiled, checked and timed, with every level shown.

1. The forward pass of a perceptron that scikit-learn trained on its handwritten digits, against scikit-learn.
2. Convolution, relu, max-pooling and softmax on the same images, against torch.

Everything is written in full to out/demo/. Exit status 1 when a result differs by more than TOLERANCE.
"""

import importlib.util
import os
import platform
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from types import MappingProxyType

from report import make_report, shortened

OUT = Path(__file__).resolve().parents[1] / "out" / "demo"
TOLERANCE = 1e-5
IR_LINES, KERNEL_LINES = 9, 48
ROUNDS = 15
# Triton's interpreter runs a kernel's programs one after the other in Python, a millisecond each.
SLOW = "triton-interpret"
# Variables that would limit NumPy, torch or the compiled code to fewer threads or another instruction set than they choose.
LIMITS = ("OPENBLAS_", "OMP_", "MKL_", "GOTO_", "BLIS_", "VECLIB_", "NUMEXPR_")
FILES = MappingProxyType({"c": "kernel.c", "triton": "kernel.py"})
LANGUAGES = MappingProxyType({"c": "c", "triton": "python"})


def main():
    started = time.perf_counter()
    report = make_report()
    cleared = clear_limits(os.environ)
    report.heading("Stepwell: two programs down all the levels")
    report.line(f"Machine: {machine()}")
    report.line(f"Cleared from the environment: {', '.join(cleared) or 'nothing'} (of {', '.join(f'{p}*' for p in LIMITS)})")
    targets = available_targets(report)

    # Imported here, because NumPy and torch read the environment when they are loaded.
    import digits
    import programs

    pixels, labels = digits.images()
    classifier = digits.trained_classifier(pixels, labels)
    weights = digits.weights(classifier)
    accuracy = classifier.score(pixels, labels)
    report.line(f"Images: {len(pixels)} of {pixels.shape[1]} pixels; accuracy of scikit-learn's classifier {accuracy:.3f}")
    peer = Peer("scikit-learn", classifier.predict_proba)
    passed, times = show(report, targets, programs.perceptron, [pixels, *weights], [peer, *torch_perceptron(weights)])

    squares = pixels.reshape(-1, 1, 8, 8)
    peers = torch_convolution(programs.FILTERS)
    if not peers:
        report.line("\nWithout torch the second program is left out: there is nothing to compare it with.")
    also_passed, more = show(report, targets, programs.convolution, [squares], peers) if peers else (True, [])

    write_times(times + more, cleared)
    report.line(f"\nIn full: {OUT}. It took {time.perf_counter() - started:.0f} s.")
    return 0 if passed and also_passed else 1


class Peer:
    """Another library's version of a program, as a function of the images."""

    def __init__(self, name, run):
        self.name, self.run = name, run


def machine():
    """The machine that the times depend on, and its load."""
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.machine()}, {os.cpu_count()} processors{load}, Python {platform.python_version()}"


def clear_limits(environment):
    """Remove the variables that would limit one side of the comparison. Returns their names."""
    names = sorted(name for name in environment if name.startswith(LIMITS))
    for name in names:
        del environment[name]
    return names


def available_targets(report):
    """The targets for which this machine has everything; the report says what is missing for the others."""
    from stepwell.runtime.toolchain.compiler import CompilerNotFound, find_command

    targets = []
    try:
        find_command()
        targets.append("cpu")
    except CompilerNotFound as error:
        report.line(f"Target cpu is left out: {error}.")
    missing = [name for name in ("torch", "triton") if importlib.util.find_spec(name) is None]
    if missing:
        report.line(f"Target {SLOW} is left out: not installed: {', '.join(missing)}.")
    else:
        targets.append(SLOW)
    return [*targets, "interpret"]


def torch_perceptron(weights):
    if importlib.util.find_spec("torch") is None:
        return []
    import torch

    w1, b1, w2, b2 = map(torch.from_numpy, weights)

    def run(images):
        return torch.softmax(torch.relu(torch.from_numpy(images) @ w1 + b1) @ w2 + b2, dim=1).numpy()

    return [Peer("torch", run)]


def torch_convolution(filters):
    if importlib.util.find_spec("torch") is None:
        return []
    import torch
    from torch.nn import functional

    weight = torch.from_numpy(filters)

    def run(images):
        features = torch.relu(functional.conv2d(torch.from_numpy(images), weight, padding=1))
        return torch.softmax(functional.max_pool2d(features, 2), dim=1).numpy()

    return [Peer("torch", run)]


def show(report, targets, function, arguments, peers):
    """Print a program's levels, check it on every target and time it. Returns whether all results agree, and rows of times."""
    import inspect

    report.heading(f"{function.__name__}: {function.__doc__}")
    report.code("The program", inspect.getsource(function), "python")
    folder = OUT / function.__name__
    folder.mkdir(parents=True, exist_ok=True)
    for target in ("cpu", *([SLOW] if SLOW in targets else [])):
        show_levels(report, folder, function, arguments, target)
    return check_and_time(report, targets, function, arguments, peers)


def show_levels(report, folder, function, arguments, target):
    """Print every level of a target, shortened, and write it in full with its source map."""
    import stepwell as sw

    low = sw.lower(function, *arguments, target=target)
    # The levels above the tile level are the same for both targets, except for the dtype of sums.
    for level in low.levels[:-1] if target == "cpu" else ("tile",):
        (folder / f"{level}.mlir").write_text(low.ir(level), encoding="utf-8")
        report.code(f"Level {level}", shortened(low.ir(level), IR_LINES), "text")
    emitted = low.levels[-1]
    (folder / FILES[emitted]).write_text(low.source(), encoding="utf-8")
    (folder / f"{FILES[emitted]}.map.json").write_text(low.trace.source_map(), encoding="utf-8")
    title = f"The {emitted} code; on the left the lines of {Path(function.__code__.co_filename).name} that it comes from"
    report.code(title, shortened(annotated(low, function), KERNEL_LINES), LANGUAGES[emitted])


def annotated(low, function):
    """The emitted source from its first traced line on, each line with the lines of the function that it comes from."""
    file = function.__code__.co_filename
    lines = []
    for number, text in enumerate(low.source().splitlines(), 1):
        places = sorted({frame.line for frame in low.trace.sources(number) if frame.file == file})
        if places or lines:
            lines.append(f"{','.join(map(str, places)):>9} | {text}")
    return "\n".join(lines)


def check_and_time(report, targets, function, arguments, peers):
    """Compare each target with the first peer, and time all but Triton's interpreter, which is only there for checks."""
    import stepwell as sw

    jitted = {target: sw.jit(function, target=target) for target in targets}
    report.line("")
    agreements = [check(report, target, run, arguments, peers[0]) for target, run in jitted.items()]
    runs = {peer.name: partial(peer.run, arguments[0]) for peer in peers}
    runs |= {f"stepwell {target}": partial(run, *arguments) for target, run in jitted.items() if target != SLOW}
    medians = measure(runs)
    fastest = next(target for target in targets if target != SLOW)
    ours = medians[f"stepwell {fastest}"]
    rows = [[function.__name__, name, f"{1000 * seconds:.3f}", f"{seconds / ours:.2f}"] for name, seconds in medians.items()]
    report.table(times_header(fastest), rows)
    return all(agreements), [times_header(fastest), *rows]


def check(report, target, run, arguments, peer):
    """Whether a target's result on the images equals the peer's."""
    import numpy as np

    if target == SLOW:
        report.line("Running in Triton's interpreter, which takes a while ...")
    difference = float(np.max(np.abs(run(*arguments) - peer.run(arguments[0]))))
    # Written so that a NaN fails.
    agrees = difference <= TOLERANCE
    verdict = "ok" if agrees else f"FAILED: more than {TOLERANCE}"
    report.line(f"{target:<17} max abs difference from {peer.name} {difference:.1e} on {len(arguments[0])} images  {verdict}")
    return agrees


def times_header(target):
    return ["program", "run by", "median ms", f"relative to stepwell {target}"]


def measure(runs):
    """The median seconds of each contender: they take turns, so that disturbances affect all alike; slow ones run only once."""
    seconds = {name: [] for name in runs}
    for turn in range(ROUNDS):
        for name, run in runs.items():
            if turn and seconds[name][0] > 0.5:
                continue
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in seconds.items()}


def write_times(rows, cleared):
    """The tables of times, with the machine that they were measured on."""
    header, *rest = rows
    lines = [
        f"Medians of {ROUNDS} calls in turns (of 1 above 0.5 s) on {machine()}.",
        f"Cleared from the environment: {', '.join(cleared) or 'nothing'}.",
        "",
        f"| {' | '.join(header)} |",
        "|---|---|---:|---:|",
        *(f"| {' | '.join(row)} |" for row in rest if row != header),
    ]
    (OUT / "times.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
