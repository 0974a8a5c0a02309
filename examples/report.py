"""How the demo prints: with rich on a terminal, as plain text everywhere else."""

import importlib.util
import sys

WIDTH = 118


def make_report():
    """The report for standard output."""
    pretty = sys.stdout.isatty() and importlib.util.find_spec("rich") is not None
    return RichReport() if pretty else PlainReport()


def shortened(text, lines):
    """The first lines of a text, cut to the width of the report; the last line tells how many are missing."""
    found = text.rstrip().splitlines()
    head = [line if len(line) <= WIDTH else line[: WIDTH - 4] + " ..." for line in found[:lines]]
    return "\n".join(head + ([f"... {len(found) - lines} more lines"] if len(found) > lines else []))


def columns(rows):
    """Rows of text with their columns aligned, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]))
    return lines


class PlainReport:
    """Headings are underlined, code is indented."""

    def heading(self, text):
        self.line(f"\n{text}\n{'=' * len(text)}")

    def line(self, text):
        print(text, flush=True)

    def code(self, title, text, language):
        self.line(f"\n{title}")
        self.line("\n".join(f"    {line}" for line in text.splitlines()))

    def table(self, header, rows):
        self.line("")
        self.line("\n".join(f"    {line}" for line in columns([header, *rows])))


class RichReport(PlainReport):
    """The report with rules, colours and frames."""

    def __init__(self):
        from rich.console import Console

        self.console = Console()

    def heading(self, text):
        self.console.print()
        self.console.rule(text, align="left")

    def line(self, text):
        self.console.print(text, markup=False, highlight=False)

    def code(self, title, text, language):
        from rich.syntax import Syntax

        self.line(f"\n{title}")
        self.console.print(Syntax(text, language, background_color="default", padding=(0, 4)))

    def table(self, header, rows):
        from rich.table import Table

        table = Table(*header)
        for row in rows:
            table.add_row(*row)
        self.console.print(table)
