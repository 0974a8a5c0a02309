"""`python -m tests.emulate`: code for another machine, compiled by its C compiler and run by an emulator.

    python -m tests.emulate --programs 200 examples/gallery/*.py

Random programs (those of `stepwell fuzz`) are compared with the oracle; scripts run, and fail, as on this machine. Code is laid
out for the model of `--machine`, with threads, and linked statically with a main function that reads the arguments from its
standard input. Debian has both programs in gcc-aarch64-linux-gnu and qemu-user.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import stepwell.runtime.cpu.program as cpu
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function
from stepwell.lowering.driver import lower
from stepwell.lowering.machine import model, pass_options
from stepwell.runtime.boundary.arrays import HostBoundary
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.cache.emitted_code import Code
from stepwell.runtime.executable import Executable
from stepwell.runtime.toolchain.compiler import REQUIRED_FLAGS
from stepwell.tools.fuzz.command import GENERATORS, wrong_results
from stepwell.tools.fuzz.random_programs import RandomProgram

THREADS = 2
FLAGS = (
    *(flag for flag in REQUIRED_FLAGS if flag not in ("-fPIC", "-shared")),
    "-fopenmp",
    "-Wl,--wrap=GOMP_parallel",
    "-static",
)
# Reads the number of buffers and of parameters, the sizes of buffers in bytes, the parameters, and the buffers; writes the
# status, the error record, and the buffers. Buffers are aligned as NumPy aligns them.
MAIN = """
#include <stdio.h>
static void sw_expect(int holds) { if (!holds) { fputs("the input ends too early\\n", stderr); exit(3); } }
int main(void) {
  int64_t counts[2], error[3] = {0};
  sw_expect(fread(counts, 8, 2, stdin) == 2);
  int64_t *bytes = malloc(8 * counts[0] + 8), *parameters = malloc(8 * counts[1] + 8);
  void **buffers = malloc(sizeof(void *) * counts[0] + 8);
  sw_expect(fread(bytes, 8, counts[0], stdin) == (size_t)counts[0]);
  sw_expect(fread(parameters, 8, counts[1], stdin) == (size_t)counts[1]);
  for (int64_t k = 0; k < counts[0]; ++k) {
    buffers[k] = malloc(bytes[k] + 16);
    sw_expect(fread(buffers[k], 1, bytes[k], stdin) == (size_t)bytes[k]);
  }
  const int64_t status = sw_main(buffers, parameters, error);
  fwrite(&status, 8, 1, stdout);
  fwrite(error, 8, 3, stdout);
  for (int64_t k = 0; k < counts[0]; ++k) fwrite(buffers[k], 1, bytes[k], stdout);
  return 0;
}
"""


@dataclass(frozen=True)
class Emulator:
    """Compiles and runs code for another machine; `folder` is for its files."""

    machine: str
    compiler: Sequence[str]
    run: Sequence[str]
    folder: Path

    def compile(self, code: Code) -> Path:
        """The executable of some code, with a main function. Raises RuntimeError with the compiler's messages."""
        number = sum(1 for _ in self.folder.iterdir())
        source, program = self.folder / f"kernel{number}.c", self.folder / f"kernel{number}"
        source.write_text(f"#include <stdint.h>\n#include <stdlib.h>\n{code.text}{MAIN}", encoding="utf-8")
        command = [*self.compiler, *FLAGS, str(source), "-o", str(program), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{shlex.join(command)}: {done.stderr}")
        return program

    def program(self, code: Code, signature: Signature, _begun: Any = None) -> EmulatedProgram:
        """The program of some code, in place of `CpuProgram`."""
        return EmulatedProgram(self, code, signature)

    def evaluate(self, program: RandomProgram) -> Sequence[Any]:
        """The results of a random program."""
        module = program.module.clone()
        signature = Signature.of(entry_function(module))
        for _ in lower(module, make_context(), "cpu", options=pass_options(model(self.machine))):
            pass
        code = Code.of(module)
        settled = replace(signature, sizes=code.sizes, requires=code.requires)
        return Executable(self.program(code, settled)).run(program.arguments, {})


class EmulatedProgram:
    """Compiled C of another machine."""

    boundary = HostBoundary()

    def __init__(self, emulator: Emulator, code: Code, signature: Signature):
        self.emulator, self.code, self.signature = emulator, code, signature
        self.path = emulator.compile(code)

    def run(self, arrays: Sequence[Any], values: Sequence[int]) -> list[Any]:
        """The results. Donated arrays are not written to. Raises the exception of a failed check."""
        shapes = self.signature.output_shapes(values)
        kinds = [output.dtype.numpy for output in self.signature.outputs]
        donated = self.signature.donated or [None] * len(shapes)
        results = [
            np.zeros(shape, kind) if source is None else arrays[source].copy()
            for shape, kind, source in zip(shapes, kinds, donated, strict=True)
        ]
        buffers = [np.ascontiguousarray(each) for each in (*arrays, *results)]
        parameters = [*values, THREADS]
        header = np.array([len(buffers), len(parameters), *(each.nbytes for each in buffers), *parameters], np.int64)
        given = b"".join([header.tobytes(), *(each.tobytes() for each in buffers)])
        answer = subprocess.run([*self.emulator.run, str(self.path)], input=given, capture_output=True, check=True).stdout
        status, *error = (int(each) for each in np.frombuffer(answer, np.int64, 4))
        if status:
            raise self.code.checks[status].failure(error[1], error[2])
        at = 32 + sum(each.nbytes for each in arrays)
        for result in results:
            result[...] = np.frombuffer(answer, result.dtype, result.size, at).reshape(result.shape)
            at += result.nbytes
        return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", default="aarch64", help="the model that code is laid out for (default: aarch64)")
    parser.add_argument("--compiler", default="aarch64-linux-gnu-gcc", help="the C compiler, with flags of its own")
    parser.add_argument("--run", default="qemu-aarch64", help="the emulator, empty for none")
    parser.add_argument("--programs", type=int, default=0, metavar="N", help="how many random programs (default: 0)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first program's seed (default: 0)")
    parser.add_argument("--level", default="uop", choices=tuple(GENERATORS), help="where programs are made")
    parser.add_argument("scripts", nargs="*", type=Path, help="Python scripts to run with emulated functions")
    given = parser.parse_args()
    os.environ["STEPWELL_MACHINE"] = given.machine
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
        emulator = Emulator(given.machine, shlex.split(given.compiler), shlex.split(given.run), Path(folder))
        for seed in range(given.seed, given.seed + given.programs):
            program = GENERATORS[given.level](seed).make()
            message = wrong_results(program, emulator.evaluate)
            if message is not None:
                wrong += 1
                print(f"seed {seed}: {message}", flush=True)
        cpu.CpuProgram = emulator.program  # pyright: ignore[reportAttributeAccessIssue] - the function that makes executables
        for script in given.scripts:
            wrong += not _runs(script)
    print(f"{given.machine}: {given.programs} random programs, {len(given.scripts)} scripts, {wrong} wrong")
    return 1 if wrong else 0


def _runs(script: Path) -> bool:
    """Whether a script runs to its end."""
    sys.path.insert(0, str(script.parent))
    sys.argv[:] = [str(script)]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        return not end.code
    except Exception:  # any error of a script is printed, and the others run
        print(f"{script}:")
        traceback.print_exc()
        return False
    finally:
        sys.path.remove(str(script.parent))
    return True


if __name__ == "__main__":
    sys.exit(main())
