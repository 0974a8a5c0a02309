"""Mutants of programs as text: `stepwell-opt` has to read, verify and print each, or report its error in one message.

    python -m tests.text_mutants --count 200000 --seed 0

A mutant is a part of a lit test or an example with one to four changes to its bytes or to its tokens. A mutant is a failure if
the command raises an exception, reports an internal error, takes more than a second of processor time, or ends its process.
Mutants run in a separate process, which is restarted if a mutant ends it. `--only N` runs only the mutant with number N, and
prints its text. The exit status is 1 if there were failures.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import io
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from stepwell.tools.opt.main import main as stepwell_opt
from stepwell.tools.progress import progress

ROOT = Path(__file__).resolve().parents[1]
# Longer parts take most of the time and exercise no more of the parser.
LONGEST = 3000
SECONDS, STUCK = 1.0, 60.0
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[%^@#!]?[A-Za-z_][\w.$-]*|[%^@#!]?\d[\w.]*|->|::|\s+|.', re.DOTALL)
# Bytes and tokens that parsers stumble over.
BYTES = b'\x00\xff\xc3\x80\n\r\t"\\{}()<>[]%^@#!:=,-+0129eEx_. '
TOKENS = (
    b'"', b'"\\', b"^0", b"^bb0", b"%0", b"%0:2", b"%0#1", b"#", b"!", b"@", b"@\"\\0a\"", b"loc(", b"loc(unknown)", b"dense<",
    b"dense<\"0x", b"affine_map<(d0) -> (d0)>", b"0x", b"1e999", b"-1", b"99999999999999999999999999", b"i0", b"i16777216",
    b"index", b"f32", b"vector<", b"tensor<?x", b"tensor<*xf32>", b"none", b"unit", b"true", b"{", b"}", b"}}", b"(", b")",
    b"<", b">", b"->", b"=", b",", b"::", b"{-#", b"#-}", b"//", b"builtin.module", b"func.func", b"private", b"attributes",
    b"\xef\xbb\xbf", b"\r\n", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80",
)  # fmt: skip
OPTIONS = MappingProxyType(
    {
        "plain": (),
        "generic": ("--mlir-print-op-generic", "--mlir-print-debuginfo"),
        "roundtrip": ("--verify-roundtrip",),
        "parts": ("--split-input-file", "--allow-unregistered-dialect"),
    }
)


class Failure(NamedTuple):
    """A mutant, by its number, and its failure."""

    number: int
    message: str


@cache
def parts() -> tuple[bytes, ...]:
    """The texts that are changed."""
    files = sorted([*(ROOT / "tests/lit").rglob("*.mlir"), *(ROOT / "examples").rglob("*.mlir")])
    found = [part.strip() + b"\n" for file in files for part in re.split(rb"(?m)^// -----$", file.read_bytes())]
    return tuple(part for part in found if 20 < len(part) <= LONGEST)


def mutant(seed: int, number: int) -> bytes:
    """The text of a number."""
    choose = random.Random(f"{seed}/{number}")
    text = choose.choice(parts())
    for _ in range(choose.randint(1, 4)):
        text = choose.choice((_change_bytes, _change_tokens))(text, choose)
    return text


def _change_bytes(text: bytes, choose: random.Random) -> bytes:
    start = choose.randrange(len(text) + 1)
    end = min(len(text), start + choose.choice((1, 1, 2, 5, 40)))
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: b"",
        lambda: bytes([choose.choice(BYTES)]),
        lambda: bytes([choose.choice(BYTES)]) + text[start:end],
        lambda: text[start:end] * 2,
        lambda: bytes(byte ^ 1 << choose.randrange(8) for byte in text[start:end]),
        lambda: text[start:end][::-1],
    )
    return text[:start] + choose.choice(changes)() + text[end:]


def _change_tokens(text: bytes, choose: random.Random) -> bytes:
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    at, other = choose.randrange(len(tokens)), choose.randrange(len(tokens))
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: b"",
        lambda: choose.choice(TOKENS),
        lambda: tokens[at] + b" " + choose.choice(TOKENS),
        lambda: tokens[at] * 2,
        lambda: tokens[other],
    )
    tokens[at] = choose.choice(changes)()
    return b"".join(tokens)


def options_of(number: int) -> Sequence[str]:
    return tuple(OPTIONS.values())[number % len(OPTIONS)]


def fault(text: bytes, options: Sequence[str], path: Path) -> str | None:
    """The failure of `stepwell-opt` on a text; None if there is none."""
    path.write_bytes(text)
    errors = io.StringIO()
    start = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            status = stepwell_opt([str(path), *options])
    except BaseException as error:  # a command ends with a status on any input
        return f"{type(error).__name__}: {error}"
    taken = time.process_time() - start
    if status not in (0, 1) or (status == 1 and "error" not in errors.getvalue()):
        return f"exit status {status}: {errors.getvalue().strip().splitlines()[-1:]}"
    return f"took {taken:.1f} s" if taken > SECONDS else None


def _work(seed: int, first: int, last: int) -> None:
    """Run mutants, in a process of their own: one line of JSON for each that begins, and for each failure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mutant.mlir")
        fault(b"", (), path)  # the imports are not the first mutant's time
        for number in range(first, last):
            print(json.dumps([number, None]), flush=True)
            faulthandler.dump_traceback_later(STUCK, exit=True)
            message = fault(mutant(seed, number), options_of(number), path)
            if message is not None:
                print(json.dumps([number, message]), flush=True)
        faulthandler.cancel_dump_traceback_later()


def run(seed: int, first: int, count: int) -> list[Failure]:
    """The failures among mutants."""
    found: list[Failure] = []
    number, last = first, first + count
    with progress("mutants", count) as shown:
        while number < last:
            command = [sys.executable, "-m", "tests.text_mutants", "--work", f"{seed},{number},{last}"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    number, message = json.loads(line)
                    if message is None:
                        shown.advance()
                    else:
                        found.append(Failure(number, message))
                        shown.say(f"mutant {number}: {message}")
            if process.returncode:
                found.append(Failure(number, f"ended its process: {process.returncode}"))
                shown.say(f"mutant {number}: ended its process: {process.returncode}")
            number += 1
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.text_mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=200_000, help="how many mutants (default 200000)")
    parser.add_argument("--seed", type=int, default=0, help="which mutants (default 0)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (default 0)")
    parser.add_argument("--only", type=int, metavar="N", help="print the mutant of this number, and what is wrong with it")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.work is not None:
        _work(*map(int, arguments.work.split(",")))
        return 0
    if arguments.only is not None:
        text = mutant(arguments.seed, arguments.only)
        sys.stdout.buffer.write(text)
        with tempfile.TemporaryDirectory() as folder:
            print(fault(text, options_of(arguments.only), Path(folder, "mutant.mlir")))
        return 0
    found = run(arguments.seed, arguments.first, arguments.count)
    print(f"{arguments.count} mutants from {arguments.first}, seed {arguments.seed}: {len(found)} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
