"""Finding the C compiler, compiling, loading, and the failures of each."""

import ctypes
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cache.disk import Cache, CacheWarning
from stepwell.runtime.cpu import library as library_module
from stepwell.runtime.cpu.library import Library, LibraryError, Loader
from stepwell.runtime.toolchain.compiler import (
    OBJECT,
    CompilerError,
    CompilerNotFound,
    CompilerWarning,
    available_processors,
    cpu_features,
    find_command,
    find_compiler,
)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch):
    """The machine's compiler, without settings from the caller's environment."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("STEPWELL_CFLAGS", raising=False)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def loader(cache: Cache) -> Loader:
    return Loader(cache)


def source(constant: int) -> str:
    return f"""#include <stdint.h>
int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {{
    float *result = buffers[0];
    for (int64_t i = 0; i < parameters[0]; i++) result[i] += {constant}.0f;
    *error = 7;
    return parameters[0];
}}
"""


def call(library: Library, size: int = 3) -> tuple[list[float], int, int]:
    data = (ctypes.c_float * size)()
    buffers = (ctypes.c_void_p * 1)(ctypes.addressof(data))
    parameters = (ctypes.c_int64 * 1)(size)
    error = ctypes.c_int64(0)
    returned = library.entry(buffers, parameters, ctypes.byref(error))
    return list(data), returned, error.value


def write_program(path: Path, text: str) -> Path:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def test_a_source_becomes_a_function(loader: Loader):
    library = loader.build(source(5))
    assert call(library) == ([5.0, 5.0, 5.0], 3, 7)
    assert library.source == source(5) and library.path.is_relative_to(loader.cache.root)
    assert not library.from_cache


def test_a_source_is_compiled_once(loader: Loader):
    assert loader.build(source(1)) is loader.build(source(1))
    assert (loader.compiles, loader.hits) == (1, 1)
    warm = Loader(loader.cache)
    assert warm.build(source(1)).from_cache
    assert (warm.compiles, warm.hits) == (0, 1)


def test_flags_are_part_of_the_key(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    text = source(1).replace("1.0f", "STEP")
    assert call(loader.build(text, ["-DSTEP=2"]))[0] == [2.0] * 3
    assert call(loader.build(text, ["-DSTEP=3"]))[0] == [3.0] * 3
    monkeypatch.setenv("STEPWELL_CFLAGS", "-DSTEP=4")
    assert call(loader.build(text))[0] == [4.0] * 3
    assert loader.compiles == 3


def test_processor_and_version_are_part_of_the_key(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    """Machines that share a home folder must not load each other's code."""
    loader.build(source(1))
    monkeypatch.setattr(library_module, "cpu_features", lambda: ("other",))
    loader.build(source(1))
    monkeypatch.setattr(library_module, "__version__", "0.0.0")
    loader.build(source(1))
    assert loader.compiles == 3


def test_gcc_gets_all_flags(cache: Cache):
    compiler = find_compiler(cache)
    if compiler.kind != "gcc":
        pytest.skip("another compiler may refuse some")
    assert {"-O2", "-march=native", "-fopenmp", "-ffp-contract=off"} <= set(compiler.flags)
    assert not [flag for flag in compiler.flags if "fast" in flag]


GUARDED = """\
#include <stdint.h>
int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {
  const float *x = buffers[0];
  float *restrict y = buffers[1];
  for (int64_t i = 0; i < parameters[0]; i += 1) {
    const _Bool inside = i - 1 >= 0;
    const float first = inside ? x[i * 2 + 1] : 9.0f, second = inside ? x[i * 2] : 9.0f;
    y[i * 2] = first;
    y[i * 2 + 1] = second;
  }
  return error[0];
}
"""


def test_loads_under_a_condition_keep_their_order(loader: Loader, as_each_machine: str):
    """By default gcc 12.2 leaves neighbours unswapped here (`SAFE_FLAGS`)."""
    x, y = (ctypes.c_float * 64)(*range(64)), (ctypes.c_float * 64)()
    buffers = (ctypes.c_void_p * 2)(ctypes.addressof(x), ctypes.addressof(y))
    loader.build(GUARDED).entry(buffers, (ctypes.c_int64 * 1)(32), (ctypes.c_int64 * 1)())
    assert list(y) == [9.0, 9.0, *(float(k ^ 1) for k in range(2, 64))]


def test_threads_compile_each_source_once(loader: Loader):
    results: list[float] = []

    def build_all() -> None:
        results.extend(call(loader.build(source(n)))[0][0] for n in range(3))

    threads = [threading.Thread(target=build_all) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0.0] * 6 + [1.0] * 6 + [2.0] * 6
    assert loader.compiles == 3


def test_a_damaged_object_is_compiled_again(loader: Loader):
    path = loader.build(source(8)).path
    beginning = path.read_bytes()[:100]
    path.unlink()  # The loaded file itself must stay whole: this process has it mapped.
    path.write_bytes(beginning)
    again = Loader(loader.cache)
    assert call(again.build(source(8)))[0] == [8.0] * 3
    assert again.compiles == 1


def test_a_program_runs_when_the_cache_can_not_be_used():
    loader = Loader(Cache("/dev/null/cache"))
    with pytest.warns(CacheWarning):
        assert call(loader.build(source(9)))[0] == [9.0] * 3


def test_code_on_a_noexec_file_system_is_loaded_from_elsewhere():
    folder = next((path for path in map(Path, ("/dev/shm", "/run", "/run/shm")) if is_noexec(path)), None)
    if folder is None:
        pytest.skip("no writable folder here is mounted noexec")
    root = folder / f"stepwell-test-{os.getpid()}"
    cache = Cache(root)
    try:
        with pytest.warns(CacheWarning, match="can't be loaded"):
            assert call(Loader(cache).build(source(10)))[0] == [10.0] * 3
    finally:
        subprocess.run(["rm", "-rf", str(root)], check=True)


def is_noexec(path: Path) -> bool:
    return path.is_dir() and os.access(path, os.W_OK) and bool(os.statvfs(path).f_flag & os.ST_NOEXEC)


def test_what_can_not_be_loaded_is_an_error_not_a_crash(loader: Loader):
    with pytest.raises(LibraryError, match="defines no sw_main"):
        loader.build("int nothing;\n")
    with pytest.warns(CacheWarning, match="can't be loaded"), pytest.raises(LibraryError, match="sw_missing"):
        loader.build("int sw_missing(void);\nint sw_main(void) { return sw_missing(); }\n")


def test_what_can_not_be_loaded_is_not_kept(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    def leave_empty(compiler: Any, text: str, flags: Any, begun: Any, folder: Path) -> None:
        (folder / OBJECT).touch()

    monkeypatch.setenv("STEPWELL_CFLAGS", "-DODD=1")
    with monkeypatch.context() as broken, pytest.warns(CacheWarning, match="can't be loaded"):
        broken.setattr(library_module, "compile_program", leave_empty)
        with pytest.raises(LibraryError, match=r"compiled with \$STEPWELL_CFLAGS: -DODD=1;"):
            loader.build(source(12))
    assert call(loader.build(source(12)))[0] == [12.0] * 3
    assert not loader.build(source(12)).from_cache


def test_the_order_of_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("clang", "gcc", "cc"):
        path = write_program(tmp_path / name, "exit 0\n")
        assert find_command().path == str(path)
    monkeypatch.setenv("CC", f"'{tmp_path}/gcc' -m64")
    assert find_command().argv == (str(tmp_path / "gcc"), "-m64")


def test_a_missing_compiler_is_named_and_interpret_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(CompilerNotFound, match=r"no program 'no-such-compiler'.*target=\"interpret\""):
        find_compiler()
    monkeypatch.setenv("CC", "'unbalanced")
    with pytest.raises(CompilerNotFound, match="can't be read"):
        find_compiler()


def test_no_compiler_at_all(tmp_path: Path):
    """In a process of its own, in which ziglang cannot be imported even if it is installed."""
    program = (
        "import importlib.util; importlib.util.find_spec = lambda name: None\n"
        "from stepwell.runtime.cpu.library import build\n"
        "from stepwell.runtime.toolchain.compiler import CompilerNotFound\n"
        "try: build('int x;')\n"
        "except CompilerNotFound as error: print(error)\n"
    )
    environment = {**os.environ, "PATH": str(tmp_path), "STEPWELL_CACHE_DIR": str(tmp_path / "cache")}
    environment.pop("CC", None)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert "no C compiler was found" in done.stdout and 'target="interpret"' in done.stdout


def test_a_compiler_that_always_fails(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(CompilerError, match="false failed with exit status 1"):
        loader.build(source(1))
    monkeypatch.delenv("CC")
    assert call(loader.build(source(1)))[0] == [1.0] * 3, "the failure is not remembered"


def test_a_compiler_that_writes_nothing(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", "true")
    with pytest.raises(CompilerError, match="wrote no output file"):
        loader.build(source(1))


def test_a_compiler_that_is_killed(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", str(write_program(tmp_path / "killed", "kill -9 $$\n")))
    with pytest.raises(CompilerError, match="stopped by signal 9"):
        loader.build(source(1))


def test_a_program_that_can_not_run(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(CompilerError, match="can't be run"):
        loader.build(source(1))


def test_a_source_that_does_not_compile_is_shown_and_kept(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = "int sw_main(void) { return undeclared; }\n" + "also wrong;\n" * 40
    with pytest.raises(CompilerError) as caught:
        loader.build(text)
    message = str(caught.value).splitlines()
    assert any("undeclared" in line for line in message) and len(message) < 20
    assert caught.value.source is not None and caught.value.source.read_text() == text
    assert loader.cache.info().entries == 1, "the probe of the compiler alone"


IN_TWO_UNITS = """#include <stdint.h>
__attribute__((visibility("hidden"))) void add(float *result, int64_t count);
#ifdef SW_UNITS
#define SW_IN(unit) SW_UNIT_##unit
#else
#define SW_IN(unit) 1
#endif
#if SW_IN(1)
void add(float *result, int64_t count) { for (int64_t i = 0; i < count; i++) result[i] += 4.0f; }
#endif
#if SW_IN(0)
int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {
    add(buffers[0], parameters[0]);
    return 1;
}
#endif
"""


needs_processors = pytest.mark.skipif(
    available_processors() == 1, reason="units are compiled side by side on several processors"
)


@needs_processors
def test_units_are_compiled_side_by_side(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each unit waits for the other to be begun."""
    wait = f"""unit=; for word in "$@"; do case $word in -DSW_UNIT_*) unit=${{word#*T_}};; esac; done
if [ -n "$unit" ]; then
  touch {tmp_path}/begun$unit; tries=0
  while [ ! -e {tmp_path}/begun$((1 - unit)) ]; do sleep 0.05; tries=$((tries + 1)); [ $tries -lt 200 ] || exit 1; done
fi
"""
    monkeypatch.setenv("CC", str(write_program(tmp_path / "cc", f'{wait}exec {find_command().path} "$@"\n')))
    assert call(loader.build(IN_TWO_UNITS))[0] == [4.0] * 3
    assert (tmp_path / "begun0").exists() and (tmp_path / "begun1").exists() and loader.compiles == 1


def test_a_unit_that_does_not_compile_is_shown_and_the_source_kept(
    loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = IN_TWO_UNITS.replace("+= 4.0f", "+= undeclared")
    with pytest.raises(CompilerError, match="undeclared") as caught:
        loader.build(text)
    assert caught.value.source is not None and caught.value.source.read_text() == text
    assert len(list(tmp_path.glob("stepwell-failed-*"))) == 1


@needs_processors
@pytest.mark.parametrize("flag", ["-xc", "more.c"])
def test_flags_that_are_no_use_for_units(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str):
    (tmp_path / "more.c").write_text("int sw_more;\n")
    monkeypatch.chdir(tmp_path)
    with pytest.warns(CompilerWarning, match="as a whole"):
        assert call(loader.build(IN_TWO_UNITS, [flag]))[0] == [4.0] * 3


def test_a_source_that_there_is_no_room_for_is_not_kept(loader: Loader, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copy", full)
    with pytest.raises(CompilerError, match="undeclared") as caught:
        loader.build("int sw_main(void) { return undeclared; }\n")
    assert caught.value.source is None and "kept" not in str(caught.value)


@needs_processors
def test_no_compiler_runs_on_behind_one_that_failed(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    slow = f'case "$*" in *SW_UNIT_0*) sleep 60 & echo $! > {tmp_path}/pid; wait;; *SW_UNIT_1*) sleep 1; exit 1;; esac\n'
    monkeypatch.setenv("CC", str(write_program(tmp_path / "cc", f'{slow}exec {find_command().path} "$@"\n')))
    start = time.monotonic()
    with pytest.warns(CompilerWarning, match="as a whole"):
        assert call(loader.build(IN_TWO_UNITS))[0] == [4.0] * 3
    assert time.monotonic() - start < 50
    assert not _runs(int((tmp_path / "pid").read_text()))


def _runs(process: int) -> bool:
    """Whether a process runs: an entry in the process table is not enough."""
    status = Path(f"/proc/{process}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def test_a_warm_start_runs_no_subprocess(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    Loader(cache).build(source(3))
    monkeypatch.setattr("subprocess.Popen", None)
    assert call(Loader(Cache(cache.root)).build(source(3)))[0] == [3.0] * 3


def test_another_version_of_the_compiler_is_asked_again(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = find_command().path
    compiler = tmp_path / "mycc"
    monkeypatch.setenv("CC", str(compiler))
    for version in ("1.0", "2.0.1"):
        write_program(compiler, f'[ "$1" = --version ] && echo "mycc {version}" && exit\nexec {real} "$@"\n')
        assert find_compiler(cache).version == f"mycc {version}"


def test_numerics_follow_ieee_754(loader: Loader):
    """Neither contraction nor flushing of denormals, in the code or in the state of the process."""
    text = """#include <stdint.h>
int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {
    volatile double a = 1.1, b = 1.21; double *result = buffers[0];
    result[0] = a * a - b; result[1] = result[1] * 0.5;
    return 0;
}
"""
    data = (ctypes.c_double * 2)(0.0, 1e-308)
    loader.build(text).entry((ctypes.c_void_p * 1)(ctypes.addressof(data)), None, None)
    assert list(data) == [1.1 * 1.1 - 1.21, 5e-309]
    assert 5e-324 * 1.0 != 0.0


def test_cpu_features_are_sorted_and_name_the_machine():
    features = cpu_features()
    assert list(features) == sorted(set(features)) and os.uname().machine.lower() in features


def test_code_that_is_not_optimized(monkeypatch: pytest.MonkeyPatch):
    """Unoptimised conversions to wider vectors take another path: gcc 12 has none from 16 ints to doubles."""
    monkeypatch.setenv("STEPWELL_CFLAGS", "-O0")
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(sw.grad(lambda x: sw.sum(sw.max(x, axis=0)))(x), [[0, 0, 0], [1, 1, 1]])


def test_flags_that_are_no_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CFLAGS", "-O2 '")
    with pytest.raises(CompilerError, match=r"\$STEPWELL_CFLAGS can't be read as flags: No closing quotation"):
        find_compiler()
