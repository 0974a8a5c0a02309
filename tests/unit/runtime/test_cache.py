"""The cache on disk: published entries stay whole, damaged ones are never loaded, and no fault stops a program."""

import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
from stepwell.runtime.cache.disk import META, STALE_SECONDS, Cache, CacheWarning, content_key, default_cache, find_fault

KEY = content_key({"kernel": 1})
OTHER = content_key({"kernel": 2})


def write_kernel(folder: Path) -> None:
    (folder / "kernel.c").write_text("int x;\n")
    (folder / "kernel.so").write_bytes(bytes(range(256)) * 16)


def must_not_build(folder: Path) -> None:
    raise AssertionError("built although there was an entry")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def test_an_entry_is_built_once_and_found_by_other_caches(cache: Cache):
    first = cache.fetch(KEY, write_kernel, {"flags": ["-O3"]})
    second = Cache(cache.root).fetch(KEY, must_not_build)
    assert (first.hit, second.hit) == (False, True)
    assert first.path == second.path == cache.root / KEY[:2] / KEY
    assert sorted(os.listdir(first.path)) == ["kernel.c", "kernel.so", META]
    assert json.loads((first.path / META).read_text())["details"] == {"flags": ["-O3"]}


def test_folders_and_files_are_private_whatever_the_umask(tmp_path: Path):
    old = os.umask(0)
    try:
        cache = Cache(tmp_path / "cache")
        entry = cache.fetch(KEY, write_kernel)
    finally:
        os.umask(old)
    for path in (cache.root, entry.path.parent, entry.path, *entry.path.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_failing_build_leaves_nothing(cache: Cache):
    def fail(folder: Path) -> None:
        write_kernel(folder)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.fetch(KEY, fail)
    assert list(cache.root.iterdir()) == []
    assert not cache.fetch(KEY, write_kernel).hit


def damages(size: int):
    """One change of each kind for a file of `size` bytes: bits at the ends and between, cuts, zeros, growth."""
    for position in sorted({0, 1, size // 2, size - 2, size - 1}):
        yield f"bit at {position}", lambda data, p=position: data[:p] + bytes([data[p] ^ 1]) + data[p + 1 :]
    for length in sorted({0, 1, size // 2, size - 1}):
        yield f"cut to {length}", lambda data, n=length: data[:n]
    yield "zeros", lambda data: bytes(len(data))
    yield "longer", lambda data: data + b"\n"
    yield "deep nest", lambda data: b"[" * 60_000
    yield "huge", lambda data: b"1" * 200_000


@pytest.mark.parametrize("name", [META, "kernel.c", "kernel.so"])
def test_every_class_of_damage_is_found_and_repaired(cache: Cache, name: str):
    file = cache.fetch(KEY, write_kernel).path / name
    good = file.read_bytes()
    for label, damage in damages(len(good)):
        file.write_bytes(damage(good))
        assert find_fault(file.parent) is not None, label
        assert not cache.fetch(KEY, write_kernel).hit, label
        assert file.read_bytes() == good, label
    file.unlink()
    assert not cache.fetch(KEY, write_kernel).hit


def test_meta_that_is_well_formed_but_changed_is_refused(cache: Cache):
    meta = cache.fetch(KEY, write_kernel, {"flags": ["-O3"]}).path / META
    meta.write_text(meta.read_text().replace("-O3", "-O2"))
    assert not cache.fetch(KEY, write_kernel).hit


def test_an_entry_under_the_key_of_another_is_refused(cache: Cache):
    stolen = cache.root / OTHER[:2] / OTHER
    shutil.copytree(cache.fetch(KEY, write_kernel).path, stolen)
    assert not cache.fetch(OTHER, write_kernel).hit


def plant_link(entry: Path) -> None:
    moved = entry.with_name("moved")
    entry.rename(moved)
    entry.symlink_to(moved)


def plant_file_link(entry: Path) -> None:
    (entry / "kernel.so").rename(entry / "moved.so")
    (entry / "kernel.so").symlink_to(entry / "moved.so")


def plant_pipe(entry: Path) -> None:
    (entry / "kernel.so").unlink()
    os.mkfifo(entry / "kernel.so", 0o600)


def plant_foreign_owner(entry: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(entry / "kernel.so", 12345, 12345)


def plant_file(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.write_text("not a folder")


@pytest.mark.parametrize(
    "plant",
    [
        plant_link,
        plant_file_link,
        plant_pipe,
        plant_foreign_owner,
        plant_file,
        lambda entry: entry.chmod(0o777),
        lambda entry: (entry / "kernel.so").chmod(0o666),
    ],
)
def test_hostile_entries_are_replaced(cache: Cache, plant):
    entry = cache.fetch(KEY, write_kernel).path
    plant(entry)
    assert not cache.fetch(KEY, write_kernel).hit
    assert find_fault(entry) is None


def test_a_private_folder_serves_when_the_root_can_not_be_trusted(tmp_path: Path):
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "file").write_text("")
    for name, reason in (("link", "symbolic link"), ("open", "others may write"), ("file", "not a folder")):
        assert_falls_back(Cache(tmp_path / name), reason)
    assert_falls_back(Cache("relative"), "no home folder")
    assert_falls_back(Cache(tmp_path / "file" / "cache"), "can't be created")


def test_a_root_of_another_user_is_refused(tmp_path: Path):
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(tmp_path, 12345, 12345)
    assert_falls_back(Cache(tmp_path), "belongs to another user")


def assert_falls_back(cache: Cache, reason: str) -> None:
    """Expect one warning for several entries, which are then served from the private folder, and no file in the root."""
    with pytest.warns(CacheWarning, match=reason) as caught:
        first = cache.fetch(KEY, write_kernel)
        cache.fetch(OTHER, write_kernel)
        again = cache.fetch(KEY, must_not_build)
    assert len(caught) == 1
    assert again.path == first.path and again.hit and find_private(first.path)
    assert cache.info().entries == cache.clear() == len(cache.verify()) == 0


def find_private(path: Path) -> bool:
    return (path / "kernel.so").exists() and path.parent.stat().st_mode & 0o077 == 0


def test_a_read_only_folder_still_serves_what_it_has(cache: Cache):
    if os.geteuid() == 0:
        pytest.skip("root may write to read-only folders")
    cache.fetch(KEY, write_kernel)
    cache.root.chmod(0o500)
    try:
        assert cache.fetch(KEY, must_not_build).hit
        with pytest.warns(CacheWarning, match="can't be written"):
            assert find_private(cache.fetch(OTHER, write_kernel).path)
    finally:
        cache.root.chmod(0o700)


def test_a_full_disk_costs_one_warning(cache: Cache):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill_disk_after_build(folder: Path) -> None:
        write_kernel(folder)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))

    try:
        with pytest.warns(CacheWarning, match="can't be written: .*[Ff]ile too large"):
            entry = cache.fetch(KEY, fill_disk_after_build)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert find_private(entry.path)
    assert list(cache.root.glob("tmp-*")) == []


def test_private_folders_are_gone_after_the_process(tmp_path: Path):
    program = (
        "import sys, pathlib; from stepwell.runtime.cache.disk import Cache\n"
        "cache = Cache(sys.argv[1]); build = lambda folder: (folder / 'kernel.so').write_bytes(b'x')\n"
        "print(cache.fetch('ab' * 32, build).path)"
    )
    done = run_python(program, "/dev/null/cache", TMPDIR=str(tmp_path))
    assert done.stdout.startswith(str(tmp_path)) and os.listdir(tmp_path) == []
    assert done.stderr.count("CacheWarning") == 1


@pytest.mark.parametrize("before", ["import threading", "sw.jit(lambda x: x + 1)(x)"])
def test_functions_compile_while_python_ends(tmp_path: Path, before: str):
    layers = "lambda x, v, w: sw.relu(sw.relu(x @ v) @ w)"  # the only function of the program is compiled ahead
    program = (
        "import atexit, numpy as np, stepwell as sw\n"
        "x, v, w = np.ones((3, 4), 'float32'), np.ones((4, 9), 'float32'), np.ones((9, 17), 'float32')\n"
        f"atexit.register(lambda: print(sw.jit({layers})(x, v, w)[2, 16]))\n{before}\n"
    )
    done = run_python(program, STEPWELL_CACHE_DIR=str(tmp_path))
    assert done.stdout == "36.0\n" and done.stderr == ""


def run_python(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, **environment},
    )


def test_threads_build_a_key_once(cache: Cache):
    built: list[str] = []
    keys = [content_key({"kernel": n}) for n in range(8)]

    def build(folder: Path) -> None:
        built.append(folder.name)
        time.sleep(0.002)
        write_kernel(folder)

    def fetch_all() -> None:
        for key in keys:
            cache.fetch(key, build)

    threads = [threading.Thread(target=fetch_all) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == len(keys) == cache.info().entries


def test_processes_race_for_cold_entries(tmp_path: Path):
    program = (
        "import sys; from stepwell.runtime.cache.disk import Cache, content_key, find_fault\n"
        "cache = Cache(sys.argv[1])\n"
        "def build(folder): (folder / 'kernel.so').write_bytes(b'x' * 100_000)\n"
        "for n in range(40):\n"
        "    path = cache.fetch(content_key({'n': n}), build).path\n"
        "    assert path.parent.parent == cache.root and find_fault(path) is None, path\n"
    )
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path / "cache")]
    racers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for racer in racers:
        _, errors = racer.communicate(timeout=120)
        assert racer.returncode == 0, errors
    cache = Cache(tmp_path / "cache")
    assert cache.info().entries == 40 and cache.verify() == []
    assert list(cache.root.glob("tmp-*")) == []


def test_a_killed_writer_leaves_no_entry(tmp_path: Path, cache: Cache):
    program = (
        "import sys, time; from stepwell.runtime.cache.disk import Cache\n"
        "def build(folder):\n"
        "    (folder / 'kernel.so').write_bytes(b'half'); print('building', flush=True); time.sleep(60)\n"
        "Cache(sys.argv[1]).fetch(sys.argv[2], build)"
    )
    command = [sys.executable, "-c", program, str(cache.root), KEY]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == "building\n"
        writer.kill()
    assert list(cache.root.iterdir()) == []
    assert not cache.fetch(KEY, write_kernel).hit


def set_age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_the_entries_used_longest_ago_are_evicted(cache: Cache):
    keys = [content_key({"kernel": n}) for n in range(10)]
    paths = [cache.fetch(key, write_kernel).path for key in keys]
    size = cache.info().bytes // len(paths)
    for age, path in enumerate(reversed(paths)):
        set_age(path / META, 100 * age + 100)
    assert cache.fetch(keys[0], must_not_build).hit, "the oldest is in use again"
    small = Cache(cache.root, limit=6 * size)
    assert small.evict() == 5
    assert [path.exists() for path in paths] == [True, *[False] * 5, *[True] * 4]
    assert small.evict() == 0


def test_a_publication_in_256_scans_for_eviction(tmp_path: Path):
    cache = Cache(tmp_path / "cache", limit=1)
    cache.fetch("ab" * 32, write_kernel)
    assert cache.info().entries == 1
    cache.fetch("00" * 32, write_kernel)
    assert cache.info().entries == 0


def test_what_killed_writers_left_is_removed_when_it_is_old(cache: Cache):
    old, young, file = (cache.root / name for name in ("tmp-1-a", "tmp-2-b", "tmp-3-c.json"))
    old.mkdir()
    young.mkdir()
    file.touch()
    for path in (old, file):
        set_age(path, STALE_SECONDS + 10)
    cache.verify()
    assert not old.exists() and young.exists() and not file.exists()


def test_verify_removes_damage_and_clear_removes_all(cache: Cache):
    damaged = cache.fetch(KEY, write_kernel).path
    sound = cache.fetch(OTHER, write_kernel).path
    (damaged / "kernel.so").write_bytes(b"")
    assert cache.verify() == [(damaged, "kernel.so is not what was written")]
    assert sound.exists() and not damaged.exists()
    assert cache.clear() == 1 and cache.info().entries == 0


def test_clear_leaves_files_alone_that_are_not_entries(cache: Cache):
    (cache.root / "ab").mkdir()
    (cache.root / "ab" / "notes.txt").write_text("mine")
    assert cache.clear() == 0
    assert (cache.root / "ab" / "notes.txt").exists()


def test_the_root_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "configured"))
    assert default_cache().root == tmp_path / "configured"
    assert default_cache() is default_cache()
    monkeypatch.delenv("STEPWELL_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache().root.is_relative_to(tmp_path) and default_cache().root.name == "v1"


def test_a_working_cache_does_not_warn(cache: Cache):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.fetch(KEY, write_kernel)
        cache.fetch(KEY, must_not_build)


def test_keys_depend_on_content_only():
    assert content_key({"a": 1, "b": ("x",)}) == content_key({"b": ["x"], "a": 1})
    assert content_key({"a": 1}) != content_key({"a": 2})
