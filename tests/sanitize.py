"""`python -m tests.sanitize`: the tests of the extension module, compiled with the C compiler's sanitizers.

    python -m tests.sanitize                       # all tests of repeated calls, some minutes
    python -m tests.sanitize --sanitizers thread
    python -m tests.sanitize -k nested             # other options are pytest's

The module and compiled programs are both instrumented. The exit status is 2 if the compiler lacks a sanitizer's runtime.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from stepwell.tools.fuzz.sanitizers import RUNTIMES, environment_for, runtime_of

ROOT = Path(__file__).resolve().parents[1]
# The program of many arrays in this test keeps the C compiler busy for minutes under sanitizers.
LEFT_OUT = "tests/unit/runtime/test_warm_calls_nested.py::test_many_arrays"
TESTS = ("tests/unit/runtime/test_warm_calls.py", "tests/unit/runtime/test_warm_calls_nested.py")


def missing(sanitizers: Sequence[str]) -> list[str]:
    """The runtime libraries that the C compiler lacks."""
    return [RUNTIMES[name] for name in sanitizers if runtime_of(name) is None]


def run(sanitizers: Sequence[str], command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments under sanitizers, with compiled code in `folder`. All of its output is in `stdout`."""
    environment = environment_for(sanitizers, [str(runtime_of(name)) for name in sanitizers], folder)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, text=True, check=False, **pipes)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sanitize", description="test the extension module under sanitizers")
    parser.add_argument(
        "--sanitizers", default="address,undefined", help=f"of {', '.join(RUNTIMES)} (default address,undefined)"
    )
    arguments, options = parser.parse_known_args()
    wanted = arguments.sanitizers.split(",")
    if set(wanted) - set(RUNTIMES):
        parser.error(f"unknown sanitizer: choose among {', '.join(RUNTIMES)}")
    if missing(wanted):
        sys.stderr.write(f"the C compiler has no {missing(wanted)[0]}\n")
        return 2
    command = ["-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "--deselect", LEFT_OUT, *options, *TESTS]
    with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
        done = run(wanted, command, Path(folder))
    sys.stdout.write(done.stdout)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
