"""The system's C compiler: discovery, supported flags, and invocation.

The compiler is `$CC`, else the first of `cc`, `gcc`, `clang`, else the `ziglang` package. Its answer to `--version`, the
optional flags that it accepts, and the macros that it defines under these are determined once. The cache keeps them under the
compiler's path, size and modification time, so that a warm start runs no subprocess. `ask_early` starts this in the background.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib.util
import itertools
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...ir.gc_control import collection_resumed
from ..cache.disk import Cache, content_key, default_cache

NAMES = ("cc", "gcc", "clang")
SOURCE = "kernel.c"
OBJECT = "kernel.so"
COMPILE_SECONDS = 300.0
SHOWN_LINES = 12

# No -ffast-math and no contraction: results follow IEEE 754 and are the same on every machine; FMA only where the IR
# says fma. -fno-math-errno and -fno-trapping-math change no result and let loops with sqrt or comparisons vectorise.
# -O2 suffices, since emitted loops are vectorised already: -O3 made none of the workloads of `python -m benchmarks` faster
# (Sapphire Rapids, gcc 12.2), and took up to twice as long to compile. Before gcc 12, -O2 vectorises helpers that go lane by
# lane only with a flag.
REQUIRED_FLAGS = (
    *("-O2", "-ftree-vectorize", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"),
    *("-std=gnu11", "-w", "-fPIC", "-shared"),
)
# The compiler's flags: of each group the first one that it accepts. `--wrap` is for the emitted `__wrap_GOMP_parallel`; with
# `-pipe` the assembler starts together with the compiler.
OPTIONAL_FLAGS = (("-march=native", "-mcpu=native"), ("-fopenmp",), ("-Wl,--wrap=GOMP_parallel",), ("-pipe",))
PREFERRED_FLAGS = (*REQUIRED_FLAGS, *(group[0] for group in OPTIONAL_FLAGS))
# The loop vectorizer of gcc 12.2 loads elements under a condition in the wrong order if they are not in memory order; later
# versions do not (PR tree-optimization/114375). Loops without if-conversion have no such loads. The code of no workload of
# `python -m benchmarks` changes by the flag (gcc 12.2, Zen 5), so that it is used for all versions.
SAFE_FLAGS = ("-fno-tree-loop-if-convert",)
# Passes of gcc without which no workload is slower (docs/performance.md, "First calls"). Without points-to analysis gcc makes
# less of `restrict`, but the code that gcc could then move has been moved by Stepwell's passes, and loops are vectorised.
QUICK_FLAGS = ("-fno-tree-dominator-opts", "-fno-tree-bit-ccp", "-fno-dse", "-fno-tree-slp-vectorize", "-fno-tree-pta")
# The library is not linked with libc, which its process provides: reading libc takes a linker longer than everything else (10
# of 22 ms).
NO_LIBC = "-nodefaultlibs"
BEST_FLAGS = (*PREFERRED_FLAGS, *SAFE_FLAGS, *QUICK_FLAGS, NO_LIBC)
# The macros by which compilers describe the target machine.
MACROS = (
    *("__AVX512F__", "__AVX512BF16__", "__AVX2__", "__AVXVNNI__", "__x86_64__", "__aarch64__"),
    *(f"__znver{number}__" for number in range(3, 7)),
)
TOLD = "stepwell macros:"
_WITHOUT = 'use target="interpret", which needs no compiler'
_CORRECT_IT = f"Correct or unset it, or {_WITHOUT}"
# The probe includes no headers: reading them takes a sixth of the time.
_FEATURES = """\
double floor(double);
__attribute__((weak)) void __real_GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void __wrap_GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags) {
  __real_GOMP_parallel(run, data, threads, flags);
}
long sw_probe(double x, double *y) {
  #pragma omp parallel for
  for (long k = 0; k < 8; k++) y[k] = x;
  return (long)floor(x);
}
"""
_MACROS_TOLD = "".join(f'#ifdef {name}\n" {name}"\n#endif\n' for name in MACROS)
PROBE_SOURCE = f"""{_FEATURES}
__attribute__((used, visibility("default"))) const char sw_macros[] = "{TOLD}"
{_MACROS_TOLD};
"""


class CompilerNotFound(RuntimeError):
    """No C compiler was found on this machine."""


class CompilerWarning(UserWarning):
    """The C compiler has to be called in a way that is not the fastest."""


class CompilerError(RuntimeError):
    """The C compiler failed. `source` is the path at which the text that it did not compile was kept, if there was one."""

    def __init__(self, message: str, source: Path | None = None) -> None:
        super().__init__(message)
        self.source = source


@dataclass(frozen=True)
class Command:
    """The command that calls a compiler, and what identifies its version without running it."""

    argv: tuple[str, ...]
    path: str
    identity: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Compiler:
    """A C compiler that works. `flags` has the default flags that it accepts, then those of `$STEPWELL_CFLAGS`; `macros` has
    those of MACROS that it defines under these flags."""

    argv: tuple[str, ...]
    path: str
    version: str
    kind: str
    flags: tuple[str, ...]
    macros: frozenset[str]
    identity: tuple[tuple[str, int, int], ...]

    def compile(self, source: Path, output: Path, flags: Sequence[str] = ()) -> None:
        """Compile the file `source` into the shared object `output`; CompilerError if that fails."""
        _compile(self.argv, [*self.flags, *flags], source, output)


def find_command() -> Command:
    """The first compiler of the search order; CompilerNotFound if there is none."""
    configured = os.environ.get("CC", "").strip()
    if configured:
        return _configured_command(configured)
    for name in NAMES:
        if (path := shutil.which(name)) is not None:
            return _command((path,))
    if (zig := _zig()) is not None:
        return _command((zig, "cc"))
    raise CompilerNotFound(
        "no C compiler was found: $CC is not set, none of cc, gcc, clang is on PATH, and the package ziglang is not "
        f"installed. Install one of them, or {_WITHOUT}"
    )


class Trial:
    """A compilation of the probe with flags, in a child process that ends with this object, or when this process exits. Raises
    OSError if the child cannot be started."""

    def __init__(self, argv: Sequence[str], flags: Sequence[str]) -> None:
        self._argv = argv
        self.folder = Path(tempfile.mkdtemp(prefix="stepwell-"))
        source, self._output = self.folder / "probe.c", self.folder / "probe.so"
        try:
            source.write_text(PROBE_SOURCE, encoding="utf-8")
            self._process = start_compiler(_linking(argv, flags, source, self._output), str(self.folder))
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self.drop = weakref.finalize(self, _drop, self._process, self.folder, os.getpid())

    def macros(self) -> list[str] | None:
        """The macros that the compiler defines under these flags; None if it does not accept the flags, or if the compiled code
        does not load. Raises CompilerError on a timeout."""
        try:
            taken = self._process.wait(COMPILE_SECONDS) == 0 and self._output.exists() and not _lacks_symbols(self._output)
            told = re.search(TOLD.encode() + rb"([ \w]*)", self._output.read_bytes()) if taken else None
        except subprocess.TimeoutExpired:
            raise _too_slow(self._argv) from None
        finally:
            self.drop()
        return told.group(1).decode().split() if told is not None else None


def _drop(process: subprocess.Popen[bytes], folder: Path, owner: int) -> None:
    """End a compiler and remove its folder, but not in a forked child: both are the parent's."""
    if os.getpid() == owner:
        stop_compiler(process)
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _early_trials(_process: int) -> dict[str, Trial]:
    """The trials that have not been waited for yet, by the key of the probe. A fork must not inherit them."""
    return {}


def ask_early() -> bool:
    """Whether the cache has the answers for `find_compiler`. If not, start to compile the probe, for which `find_compiler` then
    waits; it also raises any error."""
    with contextlib.suppress(CompilerNotFound, CompilerError, OSError):
        command, own = find_command(), own_flags()
        key = _probe_key(command, own)
        if default_cache().holds(key):
            return True
        early = _early_trials(os.getpid())
        for other in [other for other in list(early) if other != key]:
            if (unwanted := early.pop(other, None)) is not None:
                unwanted.drop()
        if key not in early:
            trial = Trial(command.argv, [*BEST_FLAGS, *own])
            if early.setdefault(key, trial) is not trial:  # another thread was faster
                trial.drop()
    return False


def find_compiler(cache: Cache | None = None) -> Compiler:
    """The compiler with its version, flags and macros, which are determined once and then kept in `cache`.

    Raises CompilerNotFound if there is none, CompilerError if it can't compile the probe.
    """
    command, own = find_command(), own_flags()
    key = _probe_key(command, own)
    early = _early_trials(os.getpid()).pop(key, None)
    cache = default_cache() if cache is None else cache
    try:
        entry = cache.fetch(key, functools.partial(_write_probe, command, own, early))
    finally:
        if early is not None:
            early.drop()
    probe = json.loads((entry.path / "probe.json").read_bytes())
    flags, macros = (*probe["flags"], *own), frozenset(probe["macros"])
    return Compiler(command.argv, command.path, probe["version"], probe["kind"], flags, macros, command.identity)


def own_flags() -> list[str]:
    """The user's flags. Raises CompilerError."""
    try:
        return shlex.split(os.environ.get("STEPWELL_CFLAGS", ""))
    except ValueError as error:
        raise CompilerError(f"$STEPWELL_CFLAGS can't be read as flags: {error}: {os.environ['STEPWELL_CFLAGS']!r}") from None


def _probe_key(command: Command, own: Sequence[str]) -> str:
    """The key of a compiler's answers. It includes `LD_PRELOAD`: libraries that the process has loaded may define symbols that
    compiled code needs."""
    asked = {"source": PROBE_SOURCE, "flags": [BEST_FLAGS, OPTIONAL_FLAGS, own], "loaded": os.environ.get("LD_PRELOAD", "")}
    return content_key({"probe": asked, "argv": command.argv, "identity": command.identity, "cpu": cpu_features()})


@functools.cache
def cpu_features() -> tuple[str, ...]:
    """The features of the processor, sorted: code built with -march=native runs only on processors with all of them."""
    features: set[str] = set()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            # All processors are taken to be like the first: later ones are not read.
            flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
        features.update(flags.partition(":")[2].split())
    return tuple(sorted(features | {platform.system().lower(), platform.machine().lower()}))


def available_processors() -> int:
    """The number of processors that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _configured_command(configured: str) -> Command:
    try:
        words = shlex.split(configured)
    except ValueError as error:
        raise CompilerNotFound(f"$CC can't be read as a command: {error}: {configured!r}. {_CORRECT_IT}") from None
    path = shutil.which(words[0])
    if path is None:
        raise CompilerNotFound(f"$CC is {configured!r}, but there is no program {words[0]!r}. {_CORRECT_IT}")
    return _command((path, *words[1:]))


def _command(argv: tuple[str, ...]) -> Command:
    """`argv` with its identity: wrappers such as `ccache gcc` name a second program, which counts as well."""
    identity: list[tuple[str, int, int]] = []
    for word in argv:
        if (path := shutil.which(word)) is not None:
            real = os.path.realpath(path)
            status = os.stat(real)
            identity.append((real, status.st_size, status.st_mtime_ns))
    return Command(argv, argv[0], tuple(identity))


def _zig() -> str | None:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    return shutil.which("zig", path=os.pathsep.join(spec.submodule_search_locations))


def _write_probe(command: Command, own: Sequence[str], early: Trial | None, folder: Path) -> None:
    """Determine the version of `command` and the flags that it accepts in addition to `own`, and write both to `probe.json` in
    `folder`."""
    version = _version(command)
    flags, macros = _accepted_flags(command.argv, own, early)
    kind = "zig" if command.argv[-1] == "cc" and Path(command.path).stem == "zig" else _kind(version)
    answers = {"version": version.partition("\n")[0], "kind": kind, "flags": flags, "macros": macros}
    (folder / "probe.json").write_text(json.dumps(answers), encoding="utf-8")


def _version(command: Command) -> str:
    """The output of `--version`; a compiler that does not know the option is not an error."""
    finished = run_compiler([*command.argv, "--version"])
    return finished.stdout.strip() if finished.returncode == 0 else "unknown version"


def _kind(version: str) -> str:
    if "clang" in version:
        return "clang"
    return "gcc" if "Free Software Foundation" in version else "unknown"


def _accepted_flags(argv: Sequence[str], own: Sequence[str], early: Trial | None) -> tuple[list[str], list[str]]:
    """The required flags, and those optional flags with which code loads; and the macros that are defined under all of them.
    Raises CompilerError if the required flags alone do not compile.
    """

    def macros(flags: Sequence[str]) -> list[str] | None:
        return Trial(argv, [*flags, *own]).macros()

    # The early trial is repeated: it may have failed for another reason, such as an emptied folder.
    if early is not None and (found := early.macros()) is not None:
        return list(BEST_FLAGS), found
    # gcc accepts all groups, clang neither the safe nor the quick flags.
    for libc, of_gcc in itertools.product(((NO_LIBC,), ()), ((*SAFE_FLAGS, *QUICK_FLAGS), SAFE_FLAGS, ())):
        flags = [*PREFERRED_FLAGS, *of_gcc, *libc]
        if (found := macros(flags)) is not None:
            return flags, found
    # Few compilers get here: their libraries are linked as usual, which takes longer.
    flags = list(REQUIRED_FLAGS)
    _expect_probe(argv, flags, own)
    for group in (*OPTIONAL_FLAGS, SAFE_FLAGS):
        flags += [flag for flag in group if macros([*REQUIRED_FLAGS, flag]) is not None][:1]
    # A compiler that accepts flags one by one but not together gives no macros: code is laid out for the least machine of its
    # kind.
    return flags, macros(flags) or []


def _expect_probe(argv: Sequence[str], flags: Sequence[str], own: Sequence[str]) -> None:
    """Raise CompilerError with the compiler's messages if it does not compile the probe."""
    with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
        source = Path(folder, "probe.c")
        source.write_text(PROBE_SOURCE, encoding="utf-8")
        try:
            _compile(argv, [*flags, *own], source, Path(folder, "probe.so"), keep_source=False)
        except CompilerError as error:
            given = f"\nwith $STEPWELL_CFLAGS: {shlex.join(own)}" if own else ""
            raise CompilerError(f"{error}{given}") from None


def _lacks_symbols(library: Path) -> bool:
    """Whether code can't be loaded because a library is missing: some compilers know OpenMP, but come without its runtime."""
    try:
        ctypes.CDLL(os.fspath(library))
    except OSError as error:
        return "symbol" in str(error)
    return False


def _compile(argv: Sequence[str], flags: Sequence[str], source: Path, output: Path, *, keep_source: bool = True) -> None:
    with tempfile.TemporaryDirectory(prefix="stepwell-") as temporary:
        finished = run_compiler(_linking(argv, flags, source, output), temporary)
    if finished.returncode == 0 and output.exists():
        return
    kept = _keep(source) if keep_source else None
    raise CompilerError(_failure(argv, finished, kept), kept)


def _linking(argv: Sequence[str], flags: Sequence[str], source: Path, output: Path) -> list[str]:
    """The command that compiles and links a source."""
    return [*argv, *flags, str(source), "-o", str(output), *linked_libraries(flags)]


def linked_libraries(command: Sequence[str]) -> tuple[str, ...]:
    """The libraries that a command with these words links after a source."""
    return ("-lgomp", "-lm", "-lgcc") if NO_LIBC in command else ("-lm",)


def start_compiler(command: Sequence[str], temporary: str) -> subprocess.Popen[bytes]:
    """Run a compiler in the background, without messages, with its temporary files in `temporary`."""
    quiet = subprocess.DEVNULL
    environment = _environment(temporary)
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment, process_group=0)


def stop_compiler(process: subprocess.Popen[bytes]) -> None:
    """End a compiler, which is several processes: the one that was started, and its children."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_compiler(argv: Sequence[str], temporary: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a compiler, with messages in English and its temporary files in `temporary`, which outlives a killed one."""
    try:
        # Like `subprocess.run`, but the garbage collector resumes after the compiler has started.
        with subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=_environment(temporary),
        ) as process:
            try:
                with collection_resumed():
                    written, complaints = process.communicate(timeout=COMPILE_SECONDS)
            except BaseException:
                process.kill()
                raise
            return subprocess.CompletedProcess(argv, process.returncode, written, complaints)
    except subprocess.TimeoutExpired:
        raise _too_slow(argv) from None
    except OSError as error:
        raise CompilerError(f"the C compiler {argv[0]} can't be run: {error.strerror}") from None


def _too_slow(argv: Sequence[str]) -> CompilerError:
    return CompilerError(f"the C compiler {argv[0]} did not finish within {COMPILE_SECONDS:.0f} s")


def _environment(temporary: str | None) -> dict[str, str]:
    environment = {**os.environ, "LC_ALL": "C"}
    if temporary is not None:
        environment["TMPDIR"] = temporary
    return environment


def _keep(source: Path) -> Path | None:
    """A copy of the source, since its folder is removed; None if there is no space for it."""
    folder: str | None = None
    try:
        folder = tempfile.mkdtemp(prefix="stepwell-failed-")
        return Path(shutil.copy(source, folder))
    except OSError:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        return None


def _failure(argv: Sequence[str], finished: subprocess.CompletedProcess[str], kept: Path | None) -> str:
    """The message of a failure: the exit status, the first lines of the compiler's output, and the path of the source."""
    code = finished.returncode
    if code < 0:
        ending = f"was stopped by signal {-code}"
    else:
        ending = f"failed with exit status {code}" if code else "wrote no output file"
    written = (finished.stderr or finished.stdout).strip().splitlines()
    lines = [f"the C compiler {shlex.join(argv)} {ending}", *written[:SHOWN_LINES]]
    if len(written) > SHOWN_LINES:
        lines.append(f"... and {len(written) - SHOWN_LINES} more lines")
    if any("'_Float16'" in line or "_Float16 is not supported" in line for line in written):
        lines.append("float16 needs gcc 12, clang 15 or later ones: choose another compiler by $CC")
    if kept is not None:
        lines.append(f"the source is kept in {kept}")
    return "\n".join(lines)
