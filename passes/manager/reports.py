"""Timing and statistics of passes, in MLIR's formats."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp

from .instruments import Instrument, PassRun
from .pipeline import Nest

_RULE = "===" + "-" * 73 + "==="


@dataclass
class _Node:
    """A line of a report: one pass or nested pipeline, with its children.

    A child's key has its position and its name: several pipelines may run one after another.
    """

    name: str
    seconds: float = 0.0
    counters: dict[tuple[str, str], int] = field(default_factory=dict)
    children: dict[object, _Node] = field(default_factory=dict)

    def child(self, key: object, name: str) -> _Node:
        return self.children.setdefault(key, _Node(name))


class Timing(Instrument):
    """Wall time of each pass and of other named phases."""

    def __init__(self) -> None:
        self._root = _Node("root")
        self._open = [self._root]
        self._started = [time.perf_counter()]

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time the statements of a `with` block under `name`."""
        self._push(name, name)
        try:
            yield
        finally:
            self._pop()

    def enter(self, nest: Nest, indices: tuple[int, ...]) -> None:
        self._push((indices, nest.anchor), f"'{nest.anchor}' Pipeline")

    def leave(self, nest: Nest) -> None:
        self._pop()

    def before(self, run: PassRun) -> None:
        self._push((run.indices, run.pass_.name), type(run.pass_).__name__)

    def after(self, run: PassRun) -> None:
        self._pop()

    def failed(self, run: PassRun) -> None:
        self._pop()

    def report(self, stream: TextIO, style: str = "tree", as_json: bool = False) -> None:
        """Write the report; `style` is "tree", or "list" for one line a name, longest first."""
        total = time.perf_counter() - self._started[0]
        if as_json:
            stream.write(_timing_json(self._root, total))
            return
        rows = _tree_rows(self._root, 0) if style == "tree" else _list_rows(self._root, total)
        rest = total - sum(child.seconds for child in self._root.children.values())
        stream.write(_heading("... Execution time report ..."))
        stream.write(f"  Total Execution Time: {total:.4f} seconds\n\n  ----Wall Time----  ----Name----\n")
        for name, seconds in (*rows, ("Rest", rest), ("Total", total)):
            stream.write(f"  {seconds:8.4f} ({_percent(seconds, total):5.1f}%)  {name}\n")

    def _push(self, key: object, name: str) -> None:
        self._open.append(self._open[-1].child(key, name))
        self._started.append(time.perf_counter())

    def _pop(self) -> None:
        self._open.pop().seconds += time.perf_counter() - self._started.pop()


class Statistics(Instrument):
    """Counts the operations that each pass creates, erases and merges, and has the pass's own statistics."""

    needs_recorder = True

    def __init__(self) -> None:
        self._root = _Node("root")
        self._open = [self._root]

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        self._open = [self._root]

    def enter(self, nest: Nest, indices: tuple[int, ...]) -> None:
        self._open.append(self._open[-1].child((indices, nest.anchor), f"'{nest.anchor}' Pipeline"))

    def leave(self, nest: Nest) -> None:
        self._open.pop()

    def after(self, run: PassRun) -> None:
        assert run.recorder is not None, "statistics need a recorder"
        node = self._open[-1].child((run.indices, run.pass_.name), type(run.pass_).__name__)
        made = [op for op in run.recorder.origins if op not in run.recorder.erased and op.parent is not None]
        counts = {
            ("num-ops-derived", "Number of operations created or changed"): len(made),
            ("num-ops-erased", "Number of operations erased"): len(run.recorder.erased),
            ("num-ops-merged", "Number of operations merged into others"): run.recorder.merged,
            **run.recorder.counters,
        }
        for key, value in counts.items():
            node.counters[key] = node.counters.get(key, 0) + value

    def report(self, stream: TextIO, style: str = "pipeline") -> None:
        """Write the report; `style` is "pipeline", or "list" for one entry a pass."""
        stream.write(_heading("... Pass statistics report ..."))
        if style == "list":
            for node in sorted(_merged_by_name(self._root), key=lambda node: node.name):
                _write_statistics(stream, node, "  ")
            return
        for node in self._root.children.values():
            _write_statistics(stream, node, "")


def _heading(title: str) -> str:
    return f"{_RULE}\n{' ' * ((80 - len(title)) // 2)}{title}\n{_RULE}\n"


def _write_statistics(stream: TextIO, node: _Node, indent: str) -> None:
    stream.write(f"{indent}{node.name}\n")
    width = max((len(str(value)) for value in node.counters.values()), default=0)
    longest = max((len(name) for name, _ in node.counters), default=0)
    for (name, description), value in node.counters.items():
        stream.write(f"{indent}  (S) {value:>{width}} {name:<{longest}} - {description}\n")
    for child in node.children.values():
        _write_statistics(stream, child, indent + "  ")


def _merged_by_name(root: _Node) -> list[_Node]:
    merged: dict[str, _Node] = {}
    for node in _leaves(root):
        into = merged.setdefault(node.name, _Node(node.name))
        into.seconds += node.seconds
        for key, value in node.counters.items():
            into.counters[key] = into.counters.get(key, 0) + value
    return list(merged.values())


def _leaves(node: _Node) -> Iterator[_Node]:
    for child in node.children.values():
        if child.children:
            yield from _leaves(child)
        else:
            yield child


def _tree_rows(node: _Node, depth: int) -> Iterator[tuple[str, float]]:
    for child in node.children.values():
        yield "  " * depth + child.name, child.seconds
        yield from _tree_rows(child, depth + 1)


def _list_rows(root: _Node, total: float) -> list[tuple[str, float]]:
    rows = [(node.name, node.seconds) for node in _merged_by_name(root)]
    return [("root", total), *sorted(rows, key=lambda row: -row[1])]


def _timing_json(root: _Node, total: float) -> str:
    def entry(node: _Node) -> dict[str, object]:
        below = [entry(child) for child in node.children.values()]
        return {**_wall(node.name, node.seconds, total), "passes": [*below, {}]}

    rest = total - sum(child.seconds for child in root.children.values())
    rows = [entry(child) for child in root.children.values()]
    return json.dumps([*rows, _wall("Rest", rest, total), _wall("Total", total, total)], indent=2) + "\n"


def _wall(name: str, seconds: float, total: float) -> dict[str, object]:
    return {"wall": {"duration": round(seconds, 6), "percentage": round(_percent(seconds, total), 1)}, "name": name}


def _percent(part: float, total: float) -> float:
    return 100 * part / total if total else 0.0
