"""`python -m benchmarks.explorer`: how long clicks in the explorer take in Chromium, on a program of some 5,000 operations.

Lines are clicked in a headless browser with a screen of 1600 by 1000: the first lines of every level, and random ones. The
times are those until the frame with the marked lines is painted, and until all columns are painted. The worst clicks are
listed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import stepwell as sw

from .environment import machine
from .report import table

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MEBIBYTE = 1 << 20
_WORST = 8


def program(layers: int) -> sw.Lowered:
    """A program of different layers, with a trace."""

    def chain(x: Any) -> Any:
        for k in range(layers):
            x = sw.tanh(x * (0.5 + k)) + sw.sum(x, axis=1, keepdims=True) * (1 / (k + 2))
            if k % 3 == 0:
                x = sw.cumsum(x, axis=0)
        return x

    return sw.lower(chain, sw.Spec(("n", "m"), "float32"))


class Server(ThreadingHTTPServer):
    """Serves a page, and receives the measurements of its script."""

    def __init__(self, page: bytes):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page = page
        self.results: list[dict[str, Any]] = []
        self.finished = threading.Event()


class Handler(BaseHTTPRequestHandler):
    """The page for every address; results end the measurement."""

    server: Server

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.page)

    def do_POST(self) -> None:
        self.server.results = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.finished.set()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def measured(page: str, clicks: int, seed: int, seconds: float) -> list[dict[str, Any]]:
    """The times of clicks on a page. Raises RuntimeError without a browser, and if the browser has not ended after some
    seconds."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise RuntimeError(f"no browser found: expected one of {', '.join(BROWSERS)}")
    script = (Path(__file__).parent / "explorer.js").read_text(encoding="utf-8")
    settings = json.dumps({"clicks": clicks, "seed": seed})
    page = page.replace("default-src 'none'", "default-src 'none'; connect-src 'self'")
    server = Server(f"{page}<script>const CLICKS = {settings};\n{script}</script>".encode())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1600,1000",
            "--remote-debugging-port=0",
        ]
        command += [f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not server.finished.wait(seconds):
                raise RuntimeError(f"the browser has not ended after {seconds:.0f} s")
        finally:
            process.terminate()
            process.wait()
            server.shutdown()
    return server.results


def report(low: sw.Lowered, page: str, found: list[dict[str, Any]]) -> str:
    """The size of the page, the median and the worst times, and the worst clicks."""
    states = low.trace.passes.levels
    most = max(len(state.ops) for state in states)
    lines = [f"Machine: {machine()}. {most} operations, {len(states)} states, a page of {len(page) / MEBIBYTE:.1f} MiB."]
    for name, what in (("first", "the marks"), ("all", "all columns"), ("history", "the list of passes, on its own")):
        times = [click[name] for click in found]
        lines.append(f"{len(times)} clicks, until {what}: median {median(times):.0f} ms, worst {max(times):.0f} ms.")
    worst = sorted(found, key=lambda click: -click["first"])[:_WORST]
    cells = [
        [str(click[key]) for key in ("column", "line")] + [f"{click[key]:.0f}" for key in ("first", "all", "history")]
        for click in worst
    ]
    return "\n".join([*lines, "", *table(["column", "line", "marks, ms", "all columns, ms", "passes, ms"], cells)])


def main() -> int:
    """Measure, and print the report; 1 when a click takes longer than the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explorer", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--layers", type=int, default=40, help="how many layers the program has (default 40)")
    parser.add_argument("--clicks", type=int, default=60, help="how many lines are clicked (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random lines (default 1)")
    parser.add_argument(
        "--limit", type=float, default=100, help="the most milliseconds until the marks are painted (default 100)"
    )
    parser.add_argument("--seconds", type=float, default=300, help="how long the browser may take (default 300)")
    arguments = parser.parse_args()
    low = program(arguments.layers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.html"
        low.explore(path)
        page = path.read_text(encoding="utf-8")
    found = measured(page, arguments.clicks, arguments.seed, arguments.seconds)
    print(report(low, page, found))
    return int(max(click["first"] for click in found) > arguments.limit)


if __name__ == "__main__":
    sys.exit(main())
