"""`stepwell explore`: one HTML file that shows a program on all levels and through all passes, its lines linked.

stepwell explore model.py:layer --spec n,64 --spec 64,10 --out layer.html
stepwell-opt program.mlir -p canonicalize,cse --trace=trace.json && stepwell explore trace.json --out program.html
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..frontend.explorer.contents import contents
from ..frontend.explorer.page import page
from ..ir.diagnostics import CompileError
from ..ir.files import write_text
from ..passes.trace.recording import Trace
from .programs import add_program_arguments, lowered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    parser.add_argument("--out", required=True, metavar="FILE.html", help="the page to write, which needs no server")
    parser.epilog = "PROGRAM may also be a trace in JSON, as `stepwell-opt --trace=FILE.json` writes it."


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    if arguments.program.endswith(".json"):
        write_text(arguments.out, page(_recorded(arguments.program)))
    else:
        lowered(arguments.program, arguments.spec, arguments.target).explore(arguments.out)
    return 0


def _recorded(path: str) -> dict[str, object]:
    """The contents of the page for a trace in a file."""
    try:
        trace = Trace.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
        return contents(Path(path).stem, trace)
    except ValueError as error:
        raise CompileError(f"'{path}' holds no trace: {error}") from error
