"""`python -m tests.flags`: the options of mlir-opt that stepwell-opt has, and the lit tests that use each, as a table.

The options are those that users of mlir-opt rely on. The command fails if one has no test.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

LIT = Path(__file__).parent / "lit"
_RUN = re.compile(r"^// RUN: (.*?)(?<!\\)$", re.MULTILINE | re.DOTALL)

FLAGS = (
    "--pass-pipeline",
    "--list-passes",
    "--show-dialects",
    "--dump-pass-pipeline",
    "--list-targets",
    "--help",
    "--mlir-print-ir-before",
    "--mlir-print-ir-after",
    "--mlir-print-ir-before-all",
    "--mlir-print-ir-after-all",
    "--mlir-print-ir-after-change",
    "--mlir-print-ir-after-failure",
    "--mlir-print-ir-module-scope",
    "--mlir-print-local-scope",
    "--mlir-print-ir-tree-dir",
    "--mlir-print-debuginfo",
    "--mlir-pretty-debuginfo",
    "--mlir-use-nameloc-as-prefix",
    "--mlir-print-op-generic",
    "--mlir-print-value-users",
    "--mlir-print-skip-regions",
    "--mlir-print-unique-ssa-ids",
    "--mlir-elide-elementsattrs-if-larger",
    "--mlir-timing",
    "--mlir-timing-display",
    "--mlir-output-format",
    "--mlir-pass-statistics",
    "--mlir-pass-statistics-display",
    "--mlir-pass-pipeline-crash-reproducer",
    "--mlir-pass-pipeline-local-reproducer",
    "--mlir-generate-reproducer",
    "--run-reproducer",
    "--split-input-file",
    "--output-split-marker",
    "--verify-diagnostics",
    "--verify-each",
    "--verify-roundtrip",
    "--allow-unregistered-dialect",
    "--no-implicit-module",
    "--mlir-print-op-on-diagnostic",
    "--mlir-print-stacktrace-on-diagnostic",
    "--mlir-diagnostic-verbosity-level",
    "--mlir-debug-counter",
    "--debug-only",
    "--load-pass-plugin",
    "--irdl-file",
    "-o",
    "--version",
)


def uses() -> Iterator[tuple[str, str]]:
    """Each option with a lit test whose command has it, as the file's path below the folder of lit tests."""
    for path in sorted(LIT.rglob("*.mlir")):
        words = {word for command in _RUN.findall(path.read_text(encoding="utf-8")) for word in re.findall(r"-[\w-]+", command)}
        for flag in FLAGS:
            if flag in words:
                yield flag, str(path.relative_to(LIT))


def main(argv: Sequence[str]) -> int:
    """Print the table; 1 when an option has no test."""
    if argv:
        sys.stderr.write(f"python -m tests.flags takes no arguments, got '{argv[0]}'\n")
        return 2
    found: dict[str, list[str]] = {flag: [] for flag in FLAGS}
    for flag, test in uses():
        found[flag].append(test)
    for flag, tests in found.items():
        more = f" and {len(tests) - 2} more" if len(tests) > 2 else ""
        print(f"{flag:40} {', '.join(tests[:2]) + more if tests else 'NO TEST'}")
    missing = sum(not tests for tests in found.values())
    print(f"{len(found)} options, {missing} without a test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
