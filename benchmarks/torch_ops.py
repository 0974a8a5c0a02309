"""`python -m benchmarks.torch_ops`: torch's own samples of its operators (`op_db`), and with `--what` of its modules and
optimizers, compiled with `backend="stepwell"` and compared with eager: how many are right, right with calls of torch's kernels
or of libraries, left to eager, wrong, or end in an error. With `--gradients`, the gradients for random cotangents of the
results are compared too."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Timer
from types import MappingProxyType
from typing import Any, NamedTuple

from .torch_samples import SOURCES, Entry, Sample

DTYPES = ("float32", "float64", "int64", "bool")
# "kernel": right, and compiled to programs that call kernels of torch or libraries for some operations.
OUTCOMES = ("right", "kernel", "eager", "wrong", "crash")
# Operators whose results are not determined: only shapes and dtypes are compared.
UNDETERMINED = (
    "empty",
    "rand",
    "dropout",
    "bernoulli",
    "multinomial",
    "normal",
    "uniform",
    "exponential",
    "geometric",
    "cauchy",
    "rrelu",
    "RReLU",
    "Dropout",
)
# Decompositions are determined up to signs and rotations of vectors, and so are their gradients.
UNDETERMINED_GRADIENTS = ("svd", "eig", "qr", "lobpcg", "pca_lowrank")
# Allowed differences relative to the largest number of a tensor, by dtype: gradients and modules sum up many products.
CLOSENESS = MappingProxyType({"float16": 4e-3, "bfloat16": 4e-2, "float32": 2e-5, "float64": 1e-9, "complex128": 1e-9})
# Operators with results that depend on the order of equal elements, which torch leaves open: only the first is compared.
OF_ORDER = ("topk", "kthvalue", "median", "nanmedian", "mode")
TIMEOUT = 120
# At most this many of the first samples of an entry are taken, evenly spaced.
MOST_SAMPLES = 200


class Outcome(NamedTuple):
    """The outcome of one operator's samples in one dtype. `detail` has the operations left to eager, or the error."""

    name: str
    dtype: str
    outcome: str
    detail: str


class Way(NamedTuple):
    """How samples are compiled and compared."""

    what: str = "operators"
    gradients: bool = False
    dynamic: bool = False
    target: str = "cpu"
    samples: int = 3

    def entries(self, limit: int | None = None) -> list[Entry]:
        """All entries, or `limit` of them, evenly spaced."""
        entries = SOURCES[self.what](self.gradients)
        if limit is None or limit >= len(entries):
            return entries
        return [entries[k * len(entries) // limit] for k in range(limit)]


def outcome_of(entry: Entry, dtype: str, way: Way) -> Outcome:
    """Run samples of an entry in one dtype, compiled and in eager."""
    import torch
    from stepwell.frontend.torch.report import reporting

    torch.manual_seed(0)
    eager: dict[str, str] = {}
    kernels: set[str] = set()
    found = list(islice(entry.samples(dtype), MOST_SAMPLES))
    for sample in found[:: max(1, len(found) // way.samples)][: way.samples]:
        with reporting() as report:
            try:
                problem = _problem(entry.name, sample, way)
            except Exception as error:  # any exception of an entry is a crash of that entry
                return Outcome(entry.name, dtype, "crash", f"{type(error).__name__}: {error}"[:300])
        if problem is not None:
            return Outcome(entry.name, dtype, "wrong", problem[:300])
        eager.update(report.eager)
        kernels.update(report.kernels)
    if eager:
        detail = "; ".join(f"{name}: {reason}" for name, reason in eager.items())[:300]
        return Outcome(entry.name, dtype, "eager", detail)
    return Outcome(entry.name, dtype, "kernel" if kernels else "right", ", ".join(sorted(kernels))[:300])


def _problem(name: str, sample: Sample, way: Way) -> str | None:
    """The fault of a sample's results; None if they are right, or if eager raises an error too."""
    import torch
    from stepwell.torch import stepwell

    try:
        theirs = sample(lambda function: function)
    except Exception:  # an error of eager's: there is nothing to compare
        return None
    torch._dynamo.reset()
    ours = sample(partial(torch.compile, backend=stepwell, options={"target": way.target}, dynamic=way.dynamic))
    if name in OF_ORDER:
        ours[0], theirs[0] = (each if isinstance(each, torch.Tensor) else each[0] for each in (ours[0], theirs[0]))
    loosely = any(word in name for word in (*UNDETERMINED, *(UNDETERMINED_GRADIENTS if way.gradients else ())))
    return _difference(ours, theirs, loosely, way.gradients or way.what != "operators")


def _difference(ours: Any, theirs: Any, loosely: bool, scaled: bool = False) -> str | None:
    import torch

    pairs = [torch.utils._pytree.tree_leaves(each) for each in (ours, theirs)]
    if len(pairs[0]) != len(pairs[1]):
        return f"{len(pairs[0])} results instead of {len(pairs[1])}"
    for a, b in zip(*pairs, strict=True):
        if not isinstance(b, torch.Tensor):
            if a != b and not (a != a and b != b) and not loosely:
                return f"{a!r} instead of {b!r}"
            continue
        if a.layout != torch.strided or b.layout != torch.strided:
            continue
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"{a.dtype} {tuple(a.shape)} instead of {b.dtype} {tuple(b.shape)}"
        if b.numel() and a.stride() != b.stride() and b.is_contiguous() != a.is_contiguous():
            return f"strides {a.stride()} instead of {b.stride()}"
        if not loosely:
            try:
                torch.testing.assert_close(a, b, equal_nan=True, **_closeness(b, scaled))
            except AssertionError as error:
                return str(error).replace("\n", " ")
    return None


def _closeness(tensor: Any, scaled: bool) -> Mapping[str, float]:
    """The tolerances for a tensor of eager, relative to its largest element if `scaled`; integers must be equal."""
    tolerance = CLOSENESS.get(str(tensor.dtype).removeprefix("torch."), CLOSENESS["float32"])
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return {"rtol": 0.0, "atol": 0.0}
    finite = tensor[tensor.isfinite()].abs()
    largest = finite.max().item() if scaled and finite.numel() else 0.0
    return {"rtol": tolerance, "atol": tolerance * max(1.0, largest)}


def work(names: Sequence[tuple[str, str]], way: Way) -> None:
    """Run entries in this process, and print an outcome a line."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    entries = {entry.name: entry for entry in way.entries()}
    for name, dtype in names:
        print(json.dumps(["begin", name, dtype]), flush=True)
        print(json.dumps(["end", *outcome_of(entries[name], dtype, way)]), flush=True)


class Journal:
    """The outcomes so far; also in a file, if there is one, from which an interrupted run continues."""

    def __init__(self, file: Path | None):
        self.file = file
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        self.found = [Outcome(*json.loads(line)) for line in lines]

    def append(self, outcome: Outcome) -> None:
        self.found.append(outcome)
        if self.file is not None:
            with self.file.open("a") as out:
                out.write(json.dumps(list(outcome)) + "\n")


def run_all(names: Sequence[tuple[str, str]], way: Way, workers: int, found: Journal) -> None:
    """Find all outcomes that are not known yet, in processes that are replaced if one ends early."""
    known = {(each.name, each.dtype) for each in found.found}
    names = [pair for pair in names if pair not in known]
    with ThreadPoolExecutor(workers) as pool:
        parts = [list(names[k::workers]) for k in range(workers)]
        list(pool.map(lambda part: _run_part(part, way, found), parts))


def _run_part(pending: list[tuple[str, str]], way: Way, found: Journal) -> None:
    while pending:
        pending = pending[_one_process(pending, way, found) :]


def _one_process(pending: Sequence[tuple[str, str]], way: Way, found: Journal) -> int:
    """Run entries in one process until it ends. Returns the number of finished entries."""
    command = [sys.executable, "-m", "benchmarks.torch_ops", "--worker", json.dumps(way)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(list(pending)))
    process.stdin.close()
    done, running = 0, None
    timer = Timer(TIMEOUT, process.kill)
    for line in process.stdout:
        if not line.startswith("["):
            continue
        kind, *rest = json.loads(line)
        timer.cancel()
        if kind == "begin":
            running = rest
            timer = Timer(TIMEOUT, process.kill)
            timer.start()
        else:
            found.append(Outcome(*rest))
            done, running = done + 1, None
    timer.cancel()
    process.wait()
    if running is not None:
        found.append(Outcome(running[0], running[1], "crash", f"the process ended with status {process.returncode}"))
        return done + 1
    return done if done else len(pending)


def pairs_of(entries: Sequence[Entry], dtypes: Sequence[str]) -> list[tuple[str, str]]:
    """The names of entries with each of these dtypes that they support."""
    return [(entry.name, dtype) for entry in entries for dtype in dtypes if dtype in entry.dtypes]


def markdown(outcomes: Sequence[Outcome], about: str, what: str = "operators") -> str:
    """The tables of the results."""
    dtypes = list(dict.fromkeys(each.dtype for each in outcomes))
    counts = {dtype: Counter(each.outcome for each in outcomes if each.dtype == dtype) for dtype in dtypes}
    lines = [f"# torch's {what}", "", about, "", f"| dtype | {' | '.join(OUTCOMES)} | all |", "|---|---|---|---|---|---|---|"]
    for dtype in dtypes:
        cells = [str(counts[dtype][outcome]) for outcome in OUTCOMES]
        lines.append(f"| {dtype} | {' | '.join(cells)} | {sum(counts[dtype].values())} |")
    totals = Counter(each.outcome for each in outcomes)
    lines.append(f"| all | {' | '.join(str(totals[outcome]) for outcome in OUTCOMES)} | {len(outcomes)} |")
    for outcome, title in (
        ("wrong", "Wrong"),
        ("crash", "Errors"),
        ("eager", "Left to eager"),
        ("kernel", "By kernels of torch or libraries"),
    ):
        lines += ["", f"## {title}", ""]
        lines += [f"- {name}: {detail}" for name, detail in _merged(outcomes, outcome).items()] or ["None."]
    return "\n".join(lines) + "\n"


def _merged(outcomes: Sequence[Outcome], outcome: str) -> Mapping[str, str]:
    found: dict[str, tuple[list[str], str]] = {}
    for each in sorted(outcomes):
        if each.outcome == outcome:
            found.setdefault(each.name, ([], each.detail.replace("|", "/")))[0].append(each.dtype)
    return {f"{name} ({', '.join(dtypes)})": detail for name, (dtypes, detail) in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torch_ops", description=__doc__)
    add = parser.add_argument
    add("--what", choices=SOURCES, default="operators", help="whose samples (operators)")
    add("--gradients", action="store_true", help="compare gradients too, of the entries that have them")
    add("--dynamic", action="store_true", help="compile for symbolic sizes")
    add("--limit", type=int, help="this many entries only, evenly spaced")
    add("--only", help="the entries whose names contain one of these, separated by commas")
    add("--dtypes", default=",".join(DTYPES), help=f"torch's names of dtypes ({','.join(DTYPES)})")
    add("--samples", type=int, default=3, help="samples of each entry and dtype, evenly spaced (3)")
    add("--target", default="cpu", help="the target (cpu)")
    add("--workers", type=int, default=2, help="processes at a time (2)")
    add("--journal", type=Path, help="a file of outcomes, from which an interrupted run goes on")
    add("--out", type=Path, help="a file for the tables (they are printed otherwise)")
    add("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work([tuple(each) for each in json.loads(sys.stdin.read())], Way(*json.loads(options.worker)))
        return
    way = Way(options.what, options.gradients, options.dynamic, options.target, options.samples)
    entries = way.entries(options.limit)
    if options.only:
        entries = [entry for entry in entries if any(part in entry.name for part in options.only.split(","))]
    names = pairs_of(entries, options.dtypes.split(","))
    journal = Journal(options.journal)
    run_all(names, way, options.workers, journal)
    outcomes = [each for each in journal.found if (each.name, each.dtype) in set(names)]
    import torch

    command = f"--what {way.what} --target {way.target} --samples {way.samples} --dtypes {options.dtypes}"
    command += f"{' --gradients' * way.gradients}{' --dynamic' * way.dynamic}"
    about = (
        f"`python -m benchmarks.torch_ops {command}`: {way.samples} samples of each of {len(entries)} entries of torch "
        f"{torch.__version__}, compared with eager{', gradients too' if way.gradients else ''}."
    )
    text = markdown(outcomes, about, way.what)
    if options.out:
        options.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
