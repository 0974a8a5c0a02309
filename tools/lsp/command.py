"""`stepwell lsp`: the language server for programs as text, on standard input and output. Needs the extra `lsp`."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from ...ir.diagnostics import CompileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tcp", type=int, metavar="PORT", help="serve on a port of this machine instead, for one client")
    parser.add_argument("--stdio", action="store_true", help="serve on standard input and output (default)")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client ends."""
    if find_spec("pygls") is None:
        raise CompileError("the language server needs the package pygls: install stepwell[lsp]")
    # Local import: the package is optional.
    from .server import make_server

    server = make_server()
    if arguments.tcp is not None:
        server.start_tcp("127.0.0.1", arguments.tcp)
    else:
        # The server closes its streams: Python does not flush these at exit.
        with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as given, os.fdopen(os.dup(sys.stdout.fileno()), "wb") as taken:
            server.start_io(given, taken)
    return 0
