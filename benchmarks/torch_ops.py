"""`python -m benchmarks.torch_ops`: torch's own samples of its operators (`op_db`), compiled with `backend="stepwell"` and
compared with eager: how many are right, right with calls of torch's kernels or of libraries, left to eager, wrong, or end in an
error."""

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
from itertools import islice
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

DTYPES = ("float32", "float64", "int64", "bool")
# "kernel": right, and in programs of ours, which call kernels of torch, or libraries, for some.
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
)
# Operators with results that depend on the order of equal elements, which torch leaves open: only the first is compared.
OF_ORDER = ("topk", "kthvalue", "median", "nanmedian", "mode")
TIMEOUT = 120


class Outcome(NamedTuple):
    """What became of one operator's samples in one dtype. `detail` has the operations left to eager, or the error."""

    name: str
    dtype: str
    outcome: str
    detail: str


def cases(limit: int | None) -> list[Any]:
    """The entries of op_db, or `limit` of them, evenly spaced."""
    from torch.testing._internal.common_methods_invocations import op_db

    entries = list(op_db)
    if limit is None or limit >= len(entries):
        return entries
    return [entries[k * len(entries) // limit] for k in range(limit)]


class Mode(NamedTuple):
    """How samples are run: for which target, with symbolic sizes, with gradients by their arguments."""

    target: str
    dynamic: bool = False
    gradients: bool = False


def name_of(entry: Any) -> str:
    return f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name


def outcome_of(entry: Any, dtype: str, samples: int, mode: Mode) -> Outcome:
    """Run an operator's samples in one dtype, compiled and in eager."""
    import torch
    from stepwell.frontend.torch.report import reporting

    torch.manual_seed(0)
    eager: dict[str, str] = {}
    kernels: set[str] = set()
    for sample in islice(entry.sample_inputs("cpu", getattr(torch, dtype), requires_grad=mode.gradients), samples):
        with reporting() as report:
            try:
                problem = _problem(entry, sample, mode)
            except Exception as error:  # whatever an entry raises is a crash of that entry
                return Outcome(name_of(entry), dtype, "crash", f"{type(error).__name__}: {error}"[:300])
        if problem is not None:
            return Outcome(name_of(entry), dtype, "wrong", problem[:300])
        eager.update(report.eager)
        kernels.update(report.kernels)
    if eager:
        detail = "; ".join(f"{name}: {reason}" for name, reason in eager.items())[:300]
        return Outcome(name_of(entry), dtype, "eager", detail)
    return Outcome(name_of(entry), dtype, "kernel" if kernels else "right", ", ".join(sorted(kernels))[:300])


def _problem(entry: Any, sample: Any, mode: Mode) -> str | None:
    """What is wrong with a sample's results; None where they are right, or eager raises an error too."""
    import torch
    from stepwell.torch import stepwell

    def run(value: Any, *args: Any, **kwargs: Any) -> Any:
        return entry.op(value, *args, **kwargs)

    torch._dynamo.reset()
    compiled = torch.compile(run, backend=stepwell, options={"target": mode.target}, dynamic=mode.dynamic)
    results = []
    for function in (run, compiled):
        given = torch.utils._pytree.tree_map(_copied, (sample.input, sample.args, sample.kwargs))
        torch.manual_seed(1)
        try:
            found = function(given[0], *given[1], **given[2])
            results.append((found, _gradients(found, given)) if mode.gradients else found)
        except Exception:
            if function is run:
                return None
            raise
    if entry.name in OF_ORDER and not mode.gradients:
        results = [each if isinstance(each, torch.Tensor) else each[0] for each in results]
    return _difference(results[1], results[0], any(word in entry.name for word in UNDETERMINED))


def _copied(value: Any) -> Any:
    """A tensor in memory of its own, with the same strides where that is possible."""
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.requires_grad)


def _gradients(results: Any, given: Any) -> list[Any]:
    """The gradients, by those arguments that require any, of the sum of all results, each of whose elements has a weight."""
    import torch

    tensors = [each for each in torch.utils._pytree.tree_leaves(results) if isinstance(each, torch.Tensor)]
    wanted = [each for each in tensors if each.requires_grad and each.layout == torch.strided]
    if wanted:
        parts = [torch.view_as_real(each) if each.is_complex() else each for each in wanted]
        weights = [torch.linspace(0.5, 1.5, each.numel(), dtype=each.dtype).reshape(each.shape) for each in parts]
        torch.autograd.backward(parts, weights)
    leaves = [each for each in torch.utils._pytree.tree_leaves(given) if isinstance(each, torch.Tensor)]
    return [each.grad for each in leaves if each.grad is not None]


def _difference(ours: Any, theirs: Any, loosely: bool) -> str | None:
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
                closeness = {"rtol": 2e-5, "atol": 2e-5} if b.dtype == torch.float32 else {}
                torch.testing.assert_close(a, b, equal_nan=True, **closeness)
            except AssertionError as error:
                return str(error).replace("\n", " ")
    return None


def work(names: Sequence[tuple[str, str]], samples: int, mode: Mode) -> None:
    """Run operators in this process, and print an outcome a line."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    entries = {name_of(entry): entry for entry in cases(None)}
    for name, dtype in names:
        print(json.dumps(["begin", name, dtype]), flush=True)
        print(json.dumps(["end", *outcome_of(entries[name], dtype, samples, mode)]), flush=True)


class Journal:
    """The outcomes so far, also in a file if there is one, from which an interrupted run goes on."""

    def __init__(self, file: Path | None):
        self.file = file
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        self.found = [Outcome(*json.loads(line)) for line in lines]

    def append(self, outcome: Outcome) -> None:
        self.found.append(outcome)
        if self.file is not None:
            with self.file.open("a") as out:
                out.write(json.dumps(list(outcome)) + "\n")


def run_all(names: Sequence[tuple[str, str]], samples: int, mode: Mode, workers: int, found: Journal) -> None:
    """Find all outcomes that are not known yet, in processes that are replaced where one ends early."""
    known = {(each.name, each.dtype) for each in found.found}
    names = [pair for pair in names if pair not in known]
    with ThreadPoolExecutor(workers) as pool:
        parts = [list(names[k::workers]) for k in range(workers)]
        list(pool.map(lambda part: _run_part(part, samples, mode, found), parts))


def _run_part(pending: list[tuple[str, str]], samples: int, mode: Mode, found: Journal) -> None:
    while pending:
        pending = pending[_one_process(pending, samples, mode, found) :]


def _one_process(pending: Sequence[tuple[str, str]], samples: int, mode: Mode, found: Journal) -> int:
    """Run operators in one process until it ends; the number of those that are done."""
    command = [sys.executable, "-m", "benchmarks.torch_ops", "--worker", "--samples", str(samples), "--target", mode.target]
    command += [option for option, given in (("--dynamic", mode.dynamic), ("--gradients", mode.gradients)) if given]
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


def pairs_of(entries: Sequence[Any], dtypes: Sequence[str]) -> list[tuple[str, str]]:
    """The operators with each of these dtypes that they support."""
    import torch

    return [
        (name_of(entry), dtype)
        for entry in entries
        for dtype in dtypes
        if getattr(torch, dtype) in entry.supported_dtypes("cpu")
    ]


def markdown(outcomes: Sequence[Outcome], about: str) -> str:
    """The tables of the results."""
    counts = {dtype: Counter(each.outcome for each in outcomes if each.dtype == dtype) for dtype in DTYPES}
    lines = ["# torch's operators", "", about, "", f"| dtype | {' | '.join(OUTCOMES)} | all |", "|---|---|---|---|---|---|---|"]
    for dtype in [each for each in DTYPES if counts[each]]:
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
    add("--limit", type=int, help="this many operators only, evenly spaced")
    add("--only", help="the operators whose names contain one of these, separated by commas")
    add("--dtypes", default=",".join(DTYPES), help=f"of {', '.join(DTYPES)}")
    add("--samples", type=int, default=3, help="samples of each operator and dtype (3)")
    add("--target", default="cpu", help="the target (cpu)")
    add("--dynamic", action="store_true", help="with symbolic sizes")
    add("--gradients", action="store_true", help="with the gradients by the arguments")
    add("--workers", type=int, default=2, help="processes at a time (2)")
    add("--journal", type=Path, help="a file of outcomes, from which an interrupted run goes on")
    add("--out", type=Path, help="a file for the tables (they are printed otherwise)")
    add("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    mode = Mode(options.target, options.dynamic, options.gradients)
    if options.worker:
        work([tuple(each) for each in json.loads(sys.stdin.read())], options.samples, mode)
        return
    entries = cases(options.limit)
    if options.only:
        entries = [entry for entry in entries if any(part in name_of(entry) for part in options.only.split(","))]
    names = pairs_of(entries, options.dtypes.split(","))
    journal = Journal(options.journal)
    run_all(names, options.samples, mode, options.workers, journal)
    outcomes = [each for each in journal.found if (each.name, each.dtype) in set(names)]
    import torch

    about = (
        f"`python -m benchmarks.torch_ops`: {options.samples} samples of each of {len(entries)} entries of torch "
        f"{torch.__version__}'s `op_db`, compiled for the target `{options.target}`"
        f"{', with symbolic sizes' * mode.dynamic}{', with gradients' * mode.gradients}, and compared with eager."
    )
    text = markdown(outcomes, about)
    if options.out:
        options.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
