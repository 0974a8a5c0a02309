"""Extreme texts and hostile names: `python -m tests.text_extremes [--names 2000] [--seed 0]`.

Twelve pathological files go through `stepwell-opt`, each in a process of its own with limited memory. For a malformed file the
command has to end within two seconds of processor time beyond the time to read it as text, with status 1 and one message. A
well-formed file may take time in proportion to its length. Closed pipes, full disks and unreadable files are errors without a
traceback.

Hostile names occur as names of functions, locations and files. C and Triton code must be the same for all names, except line
directives and comments, which may have harmless characters only. A part of the programs is compiled with directives and run.
The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from stepwell.dialects import make_context
from stepwell.frontend.lowered.function import Lowered
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.cpu.library import build
from stepwell.runtime.executable import compile_module
from stepwell.tools.progress import progress

GIB = 1 << 30
SECONDS = 2.0
# For well-formed text: a part of 10 bytes, such as a marker with its end of line, is compiled in 0.5 ms.
PER_BYTE = 50e-6
COMMAND = (sys.executable, "-m", "stepwell.tools.opt.main")
READ = (sys.executable, "-c", "import sys; open(sys.argv[1], 'rb').read().decode('utf-8', 'replace')")
ONE = "func.func @f(%a: i32) -> i32 {\n  func.return %a : i32\n}\n"
FILES: Mapping[str, Callable[[], bytes]] = MappingProxyType(
    {
        "unterminated string of 1 MB": lambda: b'"' + b"a" * (1 << 20),
        "a million attributes": lambda: (
            b"builtin.module attributes {" + b",".join(b"a%d" % k for k in range(1_000_000)) + b"} {}\n"
        ),
        "nesting of 100,000": lambda: b'"a.b"() {x = ' + b"[" * 100_000 + b"]" * 100_000 + b"} : () -> ()\n",
        "literal of 100,000 digits": lambda: b'"a.b"() {x = ' + b"9" * 100_000 + b" : i64} : () -> ()\n",
        "NUL bytes": lambda: ONE.encode().replace(b" ", b"\0"),
        "byte order mark": lambda: b"\xef\xbb\xbf" + ONE.encode(),
        "CRLF": lambda: ONE.replace("\n", "\r\n").encode(),
        "a lone surrogate": lambda: ONE.encode() + b"// \xed\xa0\x80\n",
        "cyclic aliases": lambda: b"#a = [#b]\n#b = [#a]\n" + b'"a.b"() {x = #a} : () -> ()\n',
        "duplicate names of values": lambda: ONE.replace("func.return", "%a = arith.addi %a, %a : i32\n  func.return").encode(),
        "100,000 markers": lambda: b"// -----\n" * 100_000,
        "1 GB of zeros": lambda: b"",  # made sparse
    }
)
NAMES = (
    *(
        "int",
        "while",
        "main",
        "sw_main",
        "printf",
        "system",
        "tanh",
        "exp",
        "I",
        "NULL",
        "errno",
        "linux",
        "unix",
        "asm",
        "__FILE__",
    ),
    *("restrict", "_Bool", "inline", "INFINITY", "def", "lambda", "None", "tl", "triton", "import", "__import__", "exec"),
    *(
        '*/ system("id"); /*',
        '"); system("id"); //',
        "\\",
        "\\\\",
        "a\\\nb",
        "??/",
        "??/\n",
        "\n#include </etc/passwd>\n",
        "'''",
        '"""',
    ),
    *(
        '"""\nimport os\n"""',
        "#define int long",
        "%s%s%n",
        "$(id)",
        "`id`",
        "; rm -rf /",
        "../../x",
        "..",
        "/etc/passwd",
        "a/b",
        "",
    ),
    *(
        "é",
        "日本",
        "\u202e",
        "\U0001f600",
        "\u2028",
        "a" * 10_000,
        "\t",
        "\x7f",
        "\x01",
        "<script>",
        "{x}",
        "{{",
        "$a",
        "@",
        "#",
        "%0",
    ),
)
PARTS = (
    "*/",
    "/*",
    '"',
    "'",
    "\\",
    "\n",
    "??/",
    "system(",
    "id",
    ");",
    "//",
    "#",
    "int ",
    "é",
    "\0",
    " ",
    "a",
    "0",
    "_",
    "..",
    "/",
    "{",
    "}",
)


def extreme_files(folder: Path) -> Iterator[str]:
    """The errors in reading the files."""
    path = folder / "extreme.mlir"
    path.write_bytes(b"")
    empty, _, _ = _run(COMMAND, path)
    for name, make in FILES.items():
        path.write_bytes(make())
        if name.startswith("1 GB"):
            os.truncate(path, 10**9)
        read, _, _ = _run(READ, path)
        taken, status, errors = _run(COMMAND, path)
        limit = empty + read + SECONDS + (0 if status else len(make()) * PER_BYTE)
        clean = status == 0 or (status == 1 and ": error: " in errors and len(errors) < 10_000)
        if not clean or "Traceback" in errors or taken > limit:
            yield f"{name}: status {status}, {taken:.1f} s, at most {limit:.1f} s expected: {errors.strip()[:200]}"


def _run(command: Sequence[str], path: Path) -> tuple[float, int, str]:
    """Seconds of processor time, exit status and errors."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 * GIB, 4 * GIB))

    options = ["--split-input-file", "--allow-unregistered-dialect"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, str(path), *options], capture_output=True, check=False, preexec_fn=limited)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, done.returncode, done.stderr.decode("utf-8", "replace")


def streams(folder: Path) -> Iterator[str]:
    """The errors if output or input cannot be used."""
    many = folder / "many.mlir"
    many.write_text("".join(ONE.replace("@f", f"@f{k}") for k in range(3000)))
    line = " ".join(COMMAND)
    cases = {
        "a reader that leaves": f"set -o pipefail; {line} {many} | true",
        "closed output": f"{line} {many} >&-",
        "a full disk": f"{line} {many} >/dev/full",
        "a full disk for a file": f"{line} {many} -o /dev/full",
        "a folder": f"{line} {folder}",
        "a missing file": f"{line} {folder}/none.mlir",
    }
    for name, command in cases.items():
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        if done.returncode == 0 or "Traceback" in done.stderr or "Exception ignored" in done.stderr:
            yield f"{name}: status {done.returncode}: {done.stderr.strip()[:200]}"


def hostile_names(count: int, seed: int) -> Iterator[str]:
    """Names, those of the list first."""
    yield from NAMES[:count]
    choose = random.Random(seed)
    for _ in range(count - len(NAMES)):
        yield "".join(choose.choice((*PARTS, *NAMES)) for _ in range(choose.randint(1, 8)))[:2000]


def program(name: str) -> str:
    """A program with a name as that of its function, and in its locations."""
    quoted = _quoted(name)
    where = f"loc({quoted}({quoted}:3:5))"
    shape = "tensor<?xf32, #sw.shape<[n]>>"
    body = f"  %0 = graph.exp %x : ({shape}) -> {shape} {where}\n  %1 = graph.tanh %0 : ({shape}) -> {shape} {where}\n"
    return f"func.func @{quoted}(%x: {shape}) -> {shape} {{\n{body}  func.return %1 : {shape} {where}\n}} {where}\n"


def _quoted(name: str) -> str:
    """A name as a string of MLIR."""
    plain = "".join(char if char.isalnum() and char.isascii() else f"\\{byte:02X}" for char in name for byte in _bytes(char))
    return f'"{plain}"'


def _bytes(char: str) -> Sequence[int]:
    return char.encode() if not (char.isalnum() and char.isascii()) else [0]


def lowered(name: str, target: str) -> Lowered:
    ctx = make_context()
    module = parse_module(program(name), ctx, "hostile.mlir")
    return Lowered(module, target, Signature.of(entry_function(module)), ctx=ctx)


def names(count: int, seed: int) -> Iterator[str]:
    """The errors in the code of programs with hostile names."""
    usual = {target: _code(lowered("usual", target).source()) for target in ("cpu", "cuda")}
    x = np.linspace(0, 1, 5, dtype=np.float32)
    expected = compile_module(program("usual"))(x)
    with progress("names", count) as shown:
        for number, name in enumerate(hostile_names(count, seed)):
            shown.advance()
            shape = json.dumps(name)[:60]
            for target, code in usual.items():
                if target == "cuda" and number % 4:
                    continue
                low = lowered(name, target)
                if _code(low.source()) != code:
                    yield f"{target}: other code for the name {shape}"
                yield from (f"comment {line!r} for the name {shape}" for line in _bad_comments(low.source()))
                if target == "cpu":
                    yield from (f"directive {line} for the name {shape}" for line in _bad_directives(low))
            if number % 20 == 0:
                build(lowered(name, "cpu").source(line_directives=True))
                if not np.array_equal(compile_module(program(name))(x), expected):
                    yield f"another result for the name {shape}"


def _code(text: str) -> str:
    """A text without its lines of comments."""
    return re.sub(r"(?m)^ *(?://|# ).*\n", "", text)


def _bad_comments(text: str) -> Iterator[str]:
    """The comments in C that may continue in the next line, as those with a backslash at the end do."""
    for line in re.findall(r"(?m)^ *//.*$", text):
        if not re.fullmatch(r" *//(?:[ ->@-\[\]-~]|\\[0-7]{3})*", line):
            yield line


def _bad_directives(low: Lowered) -> Iterator[str]:
    for line in low.source(line_directives=True).splitlines():
        if line.startswith("#line") and not re.fullmatch(r'#line \d+ "(?:[A-Za-z0-9_./ -]|\\[0-7]{3})*"', line):
            yield line


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.text_extremes", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--names", type=int, default=2000, help="how many hostile names (default 2000)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the names (default 0)")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        found = [*extreme_files(Path(folder)), *streams(Path(folder))]
        files = len(found)
        found += names(arguments.names, arguments.seed)
    print("\n".join(found[:50]))
    print(f"{len(FILES)} files, 6 streams: {files} faults")
    print(f"{arguments.names} names, seed {arguments.seed}: {len(found) - files} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
