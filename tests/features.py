"""`python -m tests.features`: the lines of the feature list and the tests that check them, as a table.

A test names its lines with `@pytest.mark.feature("S1")`. The command fails if a line has no test.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

TESTS = Path(__file__).parent / "unit"
_MARK = re.compile(r"@pytest\.mark\.feature\(([^)]*)\)")
_TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)

FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "S1": "shape rules: grammar and parse errors",
        "S2": "symbols are determined in order, then checked",
        "S3": "`~` stands for leading sizes",
        "S4": "ranks",
        "S5": "values that are lists flatten",
        "S6": "`where`: arithmetic over symbols",
        "S7": "symbolic sizes",
        "S8": "all violations are reported, with suggestions",
        "S9": "aliases",
        "S10": "the rule of the backward pass",
        "N1": "define_op: rule, backward, implementations",
        "N2": "dispatch by backends",
        "N3": "compiled once for each key",
        "N4": "saved inputs",
        "N5": "composites: modules, functions, compile_as",
        "N7": "bypasses",
        "N9": "counts, dumps, profiles",
        "N10": "views compose into one index map",
        "E1": "rows and row variables",
        "E2": "single letters, or labels with commas",
        "E3": "placeholders and fixed indices",
        "E4": "diagonals and embeddings",
        "E5": "windows, valid and padded",
        "E6": "concatenation, many operands, accumulators, gather and scatter",
        "E7": "logics and composition",
        "E8": "units",
        "E9": "inference ends, and names what does not fit",
        "E10": "parameters declared inline",
        "E11": "gradients only where they are needed",
        "E12": "assignments",
        "E13": "forward code once, `.grad`",
        "E14": "merge buffers",
        "E15": "comments and labels",
        "E16": "relu_gate, pointpow",
        "E17": "virtual tensors, and why others are stored",
        "B1": "order f and c",
        "B2": "accumulate",
        "B3": "outputs of different modes share a nest",
        "B4": "order is independent of storage",
        "B5": "operands of all kinds",
        "B6": "reductions over any axes",
        "U1": "micro-ops as text",
        "U2": "the grammar of indices",
        "U3": "reads out of range",
        "U4": "`$params` and sizes stay arguments",
        "U5": "export as C",
    }
)


def marked() -> Iterator[tuple[str, str]]:
    """Each line of the feature list with a test that names it, as "file::test"."""
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for mark in _MARK.finditer(text):
            test = _TEST.search(text, mark.end())
            assert test is not None, f"{path}: a mark without a test"
            for line in re.findall(r'"(\w+)"', mark[1]):
                yield line, f"{path.relative_to(TESTS)}::{test[1]}"


def table() -> tuple[list[str], list[str]]:
    """The lines of the table, and the features that have no test."""
    tests: dict[str, list[str]] = {name: [] for name in FEATURES}
    for name, test in marked():
        tests.setdefault(name, []).append(test)
    rows = ["| Line | Feature | Tests |", "|---|---|---|"]
    rows += [f"| {name} | {FEATURES.get(name, '')} | {', '.join(found) or 'none'} |" for name, found in tests.items()]
    return rows, [name for name, found in tests.items() if not found]


def main(argv: Sequence[str]) -> int:
    """Print the table; 1 if a line has no test."""
    rows, missing = table()
    print("\n".join(rows))
    if missing:
        print(f"no test: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
