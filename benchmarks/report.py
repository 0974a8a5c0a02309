"""The results as tables in Markdown, and in full as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .measure import Row, Timing
from .peers import LIMITS, OURS


@dataclass
class Results:
    """The results of a run. `cold` has the first calls of each peer, with empty and with filled caches."""

    machine: str
    cleared: list[str]
    versions: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    cold: dict[str, tuple[Timing, Timing]] = field(default_factory=dict)

    @property
    def faults(self) -> list[str]:
        """Errors of Stepwell: the run fails with them."""
        found = [(f"{row.workload.name}, {row.threads}T", row.timings[OURS].error) for row in self.rows if OURS in row.timings]
        return [f"{where}: {error}" for where, error in found if error]


def markdown(results: Results) -> str:
    """The report."""
    lines = ["# Stepwell beside other libraries", "", f"Machine: {results.machine}. float32, medians in milliseconds."]
    lines += [f"Cleared from the environment: {', '.join(results.cleared) or 'nothing'}.", ""]
    lines += ["Versions: " + ", ".join(f"{name} {text}" for name, text in results.versions.items()) + "."]
    lines += [f"Left out: {name} ({reason})." for name, reason in results.left_out.items()]
    lines += ["", *EXPLANATION]
    for threads in sorted({row.threads for row in results.rows}):
        lines += ["", f"## {threads} thread{'s' if threads > 1 else ''}", ""]
        lines += table_of_rows([row for row in results.rows if row.threads == threads])
    if results.cold:
        lines += ["", "## First call of softmax, seconds, imports not counted", "", *table_of_first_calls(results.cold)]
    return "\n".join(lines) + "\n"


EXPLANATION = (
    "The distance of the quartiles over the median is in brackets. *ratio* is Stepwell's time over the best peer's, *to reach*",
    "the goal for it. *limit* is the time of a copy of as many bytes as the workload reads and writes at the least, plain or",
    "with streaming stores, or of its multiply-adds alone, whichever is longer, measured in turn with the peers. *x limit* is",
    "Stepwell's time over it. The copy's buffers are warm; all libraries, Stepwell included, allocate their results in each",
    "call, unless a workload says that it is updated in place.",
)


def table_of_rows(rows: Sequence[Row]) -> list[str]:
    """A line for each workload."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row.timings) if name not in LIMITS]
    header = ["workload", *names, "best peer", "ratio", "to reach", "", "limit", "x limit"]
    return table(header, [row_cells(row, names) for row in rows])


def row_cells(row: Row, names: Iterable[str]) -> list[str]:
    """The cells of a line."""
    ratio, limit, ours = row.ratio, row.limit, row.ours
    verdict = "" if ratio is None else "yes" if ratio <= row.workload.reach else "no"
    return [
        f"{row.workload.name}: {row.workload.what}",
        *(timing_cell(row.timings.get(name), 1e3) for name in names),
        row.best or "",
        "" if ratio is None else f"{ratio:.2f}",
        f"{row.workload.reach:g}",
        verdict,
        "" if limit is None else significant(limit * 1e3),
        "" if limit is None or ours is None else f"{ours.median / limit:.2f}",
    ]


def table_of_first_calls(cold: Mapping[str, tuple[Timing, Timing]]) -> list[str]:
    """A line for each peer."""
    header = ["", "empty caches", "filled caches, new process"]
    return table(header, [[name, timing_cell(first, 1), timing_cell(second, 1)] for name, (first, second) in cold.items()])


def timing_cell(timing: Timing | None, factor: float) -> str:
    """A median with its spread, or the reason why there is none."""
    if timing is None:
        return "-"
    if timing.error:
        return "wrong" if timing.seconds else "failed"
    return f"{significant(timing.median * factor)} ({timing.spread:.0%})"


def significant(value: float) -> str:
    """Three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown, its columns aligned."""
    widths = [max(len(line[k]) for line in (header, *lines)) for k in range(len(header))]
    rule = ["-" * width for width in widths]
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in (header, rule, *lines)
    ]


def as_json(results: Results) -> dict[str, Any]:
    """Everything, each single timing included."""
    rows = [
        {
            "workload": row.workload.name,
            "threads": row.threads,
            "bytes": row.traffic,
            "flops": row.workload.flops,
            "to_reach": row.workload.reach,
            "timings": {name: asdict(timing) for name, timing in row.timings.items()},
        }
        for row in results.rows
    ]
    cold = {name: {"empty": asdict(first), "filled": asdict(second)} for name, (first, second) in results.cold.items()}
    parts = ("machine", "cleared", "versions", "left_out")
    return {**{part: getattr(results, part) for part in parts}, "rows": rows, "cold": cold}
