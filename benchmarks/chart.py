"""The results as a chart: for each workload that has a limit the times of all libraries over it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from .measure import Row
from .peers import LIMITS, OURS

# The highest bar shown in full; peers beyond it are cut off.
TALLEST = 20.0


def write_chart(rows: Sequence[Row], path: Path) -> bool:
    """Write an SVG file, a panel for each number of threads; false without matplotlib, or with nothing to draw."""
    rows = [row for row in rows if row.limit]
    if not rows or find_spec("matplotlib") is None:
        return False
    import matplotlib

    matplotlib.use("svg")
    from matplotlib.figure import Figure

    counts = sorted({row.threads for row in rows})
    figure = Figure(figsize=(14, 4 * len(counts)), layout="constrained")
    panels = figure.subplots(len(counts), 1, squeeze=False)[:, 0]
    for panel, threads in zip(panels, counts, strict=True):
        draw(panel, [row for row in rows if row.threads == threads])
        panel.set_title(f"{threads} thread{'s' if threads > 1 else ''}: time over the roofline, lower is better")
    # The salt and the missing date keep the file the same for the same results.
    with matplotlib.rc_context({"svg.hashsalt": "stepwell"}):
        figure.savefig(path, metadata={"Date": None})
    return True


def draw(panel, rows: Sequence[Row]) -> None:
    """The bars of one panel, Stepwell's in front."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row.timings) if name not in LIMITS]
    width = 0.8 / max(1, len(names))
    for k, name in enumerate(names):
        heights = [min(TALLEST, relative(row, name)) for row in rows]
        places = [place + (k - (len(names) - 1) / 2) * width for place in range(len(rows))]
        panel.bar(places, heights, width, label=name, color="black" if name == OURS else f"C{k}")
    panel.axhline(1, color="grey", linewidth=0.8)
    panel.set_yscale("log")
    panel.set_ylim(0.5, TALLEST)
    panel.set_xticks(range(len(rows)), [row.workload.name for row in rows], rotation=45)
    panel.legend(ncols=len(names), fontsize="small")


def relative(row: Row, name: str) -> float:
    """The time of a library over the limit; 0 when it has none."""
    timing = row.timings.get(name)
    assert row.limit is not None, "rows of the chart have a limit"
    return timing.median / row.limit if timing and timing.seconds and not timing.error else 0.0
