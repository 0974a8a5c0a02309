"""`stepwell fuzz --sanitize`: the fuzzer in processes whose compiled code and arrays run under the C compiler's sanitizers.

1. A process runs some programs with the sanitizer's runtime loaded first, so that the runtime handles allocations, and with the
   sanitizer's flags for compiled code, which has a cache of its own.
2. If a process ends with a report, its programs run again one by one, to find which one caused it.

AddressSanitizer reports accesses outside of arrays and of the arena, not from one temporary in the arena into the next.
ThreadSanitizer does not know how libgomp's threads wait for each other, and would report all shared data as races. So libgomp
is replaced, the only suppression: regions run on threads that are started and joined, which ThreadSanitizer knows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from ...runtime.toolchain.compiler import find_command
from ..progress import progress

TOGETHER = 25
RUNTIMES = MappingProxyType({"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so"})
OPTIONS = MappingProxyType(
    {
        # Python keeps memory until it ends: such memory is not a leak of compiled code.
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "TSAN_OPTIONS": "halt_on_error=1:report_signal_unsafe=0",
        "PYTHONMALLOC": "malloc",
        # The oracle's products: NumPy's own threads are not the compiled code's.
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
)
# The functions that compilers call for `#pragma omp parallel` and loops in it. The first unit of a program provides them for
# all units. Of a dynamic loop each thread gets one contiguous part.
THREADS = """\
#include <pthread.h>
#define SW_FIRST __attribute__((weak, visibility("hidden")))
struct sw_member { void (*region)(void *); void *data; int number, count; long first, last; };
static __thread int sw_number, sw_count = 1;
static __thread long sw_first, sw_last;
SW_FIRST int omp_get_thread_num(void) { return sw_number; }
SW_FIRST int omp_get_num_threads(void) { return sw_count; }
static inline void *sw_run(void *given) {
  struct sw_member *member = given;
  sw_number = member->number, sw_count = member->count, sw_first = member->first, sw_last = member->last;
  member->region(member->data);
  return 0;
}
static inline long sw_part(long start, long end, long step, long number, long count) {
  return number == count ? end : start + (start < end ? (end - start + step - 1) / step : 0) * number / count * step;
}
SW_FIRST void GOMP_parallel_loop_nonmonotonic_dynamic(
    void (*region)(void *), void *data, unsigned count, long start, long end, long step, long chunk, unsigned flags) {
  if (count < 1 || sw_count > 1 || count > 64) count = 1;
  struct sw_member members[64], before = {region, data, sw_number, sw_count, sw_first, sw_last};
  pthread_t threads[64];
  for (unsigned k = 0; k < count; ++k) {
    long first = sw_part(start, end, step, k, count), last = sw_part(start, end, step, k + 1, count);
    members[k] = (struct sw_member){region, data, (int)k, (int)count, first, last};
  }
  for (unsigned k = 1; k < count; ++k) pthread_create(&threads[k], 0, sw_run, &members[k]);
  sw_run(&members[0]);
  for (unsigned k = 1; k < count; ++k) pthread_join(threads[k], 0);
  sw_number = before.number, sw_count = before.count, sw_first = before.first, sw_last = before.last;
}
SW_FIRST void GOMP_parallel(void (*region)(void *), void *data, unsigned count, unsigned flags) {
  GOMP_parallel_loop_nonmonotonic_dynamic(region, data, count, 0, 0, 1, 1, flags);
}
SW_FIRST _Bool GOMP_loop_nonmonotonic_dynamic_next(long *first, long *last) {
  *first = sw_first, *last = sw_last, sw_first = sw_last;
  return *first < *last;
}
SW_FIRST _Bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long step, long chunk, long *first, long *last) {
  sw_first = sw_part(start, end, step, sw_number, sw_count), sw_last = sw_part(start, end, step, sw_number + 1, sw_count);
  return GOMP_loop_nonmonotonic_dynamic_next(first, last);
}
SW_FIRST void GOMP_loop_end_nowait(void) {}
"""


def sanitize(arguments: argparse.Namespace) -> int:
    """Run the fuzzer of `arguments` under its sanitizers; exit status 1 for differences and reports, 2 if the compiler lacks a
    sanitizer."""
    wanted = arguments.sanitize.split(",")
    unknown = [name for name in wanted if name not in RUNTIMES]
    if unknown:
        sys.stderr.write(f"unknown sanitizer '{unknown[0]}': choose among {', '.join(RUNTIMES)}\n")
        return 2
    libraries = {name: runtime_of(name) for name in wanted}
    missing = [RUNTIMES[name] for name, path in libraries.items() if path is None]
    if missing:
        sys.stderr.write(f"the C compiler has no {missing[0]}\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
        environment = environment_for(wanted, [str(path) for path in libraries.values()], Path(folder))
        bad = _all(arguments, environment)
    last = arguments.seed + arguments.programs - 1
    what = f"{arguments.programs} programs, seeds {arguments.seed} to {last}, {arguments.level} level, {arguments.sanitize}"
    sys.stdout.write(f"{what}: {bad} programs with reports or differences\n")
    return 1 if bad else 0


def runtime_of(name: str) -> Path | None:
    """The path of a sanitizer's runtime in the compiler; None if it has none."""
    command = [*find_command().argv, f"-print-file-name={RUNTIMES[name]}"]
    found = Path(subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip())
    return found if found.is_absolute() and found.exists() else None


def environment_for(wanted: Sequence[str], libraries: Sequence[str], folder: Path) -> dict[str, str]:
    """The environment of a process under sanitizers, with its files in `folder`."""
    flags = [f"-fsanitize={','.join(wanted)}", "-fno-sanitize-recover=all", "-g", "-O1"]
    if "thread" in wanted:
        threads = folder / "threads.h"
        threads.write_text(THREADS)
        flags += ["-include", str(threads)]
    own = {"LD_PRELOAD": ":".join(libraries), "STEPWELL_CFLAGS": " ".join(flags), "STEPWELL_CACHE_DIR": str(folder / "cache")}
    return {**os.environ, **OPTIONS, **own}


def _all(arguments: argparse.Namespace, environment: dict[str, str]) -> int:
    """The number of programs that end with a report or a difference; the report of each is written to a file."""
    bad = 0
    end = arguments.seed + arguments.programs
    with progress("fuzz", arguments.programs) as shown:
        for start in range(arguments.seed, end, TOGETHER):
            seeds = range(start, min(start + TOGETHER, end))
            alone = [] if _run(arguments, environment, seeds.start, len(seeds)).returncode == 0 else seeds
            for seed in alone:
                done = _run(arguments, environment, seed, 1)
                if done.returncode:
                    bad += 1
                    path = _write(Path(arguments.out), seed, arguments.sanitize, done)
                    shown.say(f"seed {seed}: {_headline(done)}; written to {path}")
            for _ in seeds:
                shown.advance()
    return bad


def _run(
    arguments: argparse.Namespace, environment: dict[str, str], seed: int, programs: int
) -> subprocess.CompletedProcess[str]:
    given = {
        "--programs": programs,
        "--seed": seed,
        "--pipelines": arguments.pipelines,
        "--threads": arguments.threads,
        "--level": arguments.level,
        "--targets": "cpu",
        "--out": arguments.out,
    }
    options = [str(word) for pair in given.items() for word in pair]
    parallel = ["--parallel"] if arguments.parallel else []
    command = [sys.executable, "-m", "stepwell.tools.stepwell", "fuzz", *options, *parallel]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)


def _headline(done: subprocess.CompletedProcess[str]) -> str:
    """The line of the output that summarises the findings."""
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    wanted = ("runtime error", "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer", "seed ")
    found = next((line for line in lines if any(word in line for word in wanted)), None)
    return found or f"exit status {done.returncode}"


def _write(folder: Path, seed: int, sanitizers: str, done: subprocess.CompletedProcess[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed{seed}-{sanitizers.replace(',', '-')}.txt"
    path.write_text(f"{done.stdout}\n{done.stderr}")
    return path
