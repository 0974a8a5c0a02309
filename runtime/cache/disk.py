"""Compiled objects on disk, shared by all processes of one user.

An entry is a folder `<root>/<2 hex>/<sha256 key>/` with the files of one build and a `meta.json` that holds their SHA-256.

Invariants:

- An entry is written under a temporary name and published by one rename; it never changes afterwards. Of processes that
  race for a key, the first to rename wins and the others discard theirs.
- Everything is checked before it is loaded: owner, permissions, no links, content hashes. A damaged entry is removed and
  rebuilt.
- Only JSON and the built files are stored; nothing that is read back is executed unchecked.
- A folder that can't be used (read-only, full, owned by another user) never stops a program: there is one warning, and entries
  are in a private temporary folder until the process ends.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import threading
import time
import uuid
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

META = "meta.json"
SIZE_LIMIT = 1 << 30
META_LIMIT = 1 << 16
STALE_SECONDS = 3600.0
FILE_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z]+")
_DEFAULT_LOCK = threading.Lock()


class CacheWarning(UserWarning):
    """The cache folder can't be used as intended; programs run nevertheless."""


@dataclass(frozen=True)
class Entry:
    """The folder of one build. `hit` is false for the caller for whom it was built."""

    path: Path
    hit: bool


@dataclass(frozen=True)
class CacheInfo:
    """The state of a cache; `problem` says why its folder can't be used."""

    root: Path
    entries: int
    bytes: int
    limit: int
    problem: str | None


def content_key(fields: Mapping[str, object]) -> str:
    """The SHA-256 of `fields` as canonical JSON: equal in every process for equal fields."""
    return hashlib.sha256(_canonical(fields)).hexdigest()


def default_root() -> Path:
    """`$STEPWELL_CACHE_DIR`, or `v1` in the user's cache folder."""
    configured = os.environ.get("STEPWELL_CACHE_DIR")
    if configured:
        return Path(os.path.abspath(os.path.expanduser(configured)))
    import platformdirs

    return Path(platformdirs.user_cache_dir("stepwell"), "v1")


def default_cache() -> Cache:
    """The cache of this process at `default_root()`."""
    # functools.cache by itself may run its function twice when threads race, and a fork must not inherit held locks.
    with _DEFAULT_LOCK:
        return _cache_at(default_root(), os.getpid())


@functools.cache
def _cache_at(root: Path, _process: int) -> Cache:
    return Cache(root)


class Cache:
    """A folder of entries, of `limit` bytes; the least recently used entries are removed first."""

    def __init__(self, root: str | os.PathLike[str] | None = None, limit: int = SIZE_LIMIT) -> None:
        self.root = default_root() if root is None else Path(root)
        self.limit = limit
        self.problem = _prepare_root(self.root)
        self._lock = threading.Lock()
        self._key_locks: dict[str, threading.Lock] = {}
        self._private_entries: dict[str, Path] = {}
        self._private_root: Path | None = None
        self._warned = False

    def fetch(self, key: str, build: Callable[[Path], object], details: Mapping[str, object] | None = None) -> Entry:
        """The entry of `key`; if there is none, `build` is called once with an empty folder to fill. `details` go into
        `meta.json` for people to read. If `build` raises, nothing is stored.
        """
        with self._key_lock(key):
            found = self._private_entries.get(key) or self._lookup(key)
            if found is not None:
                return Entry(found, hit=True)
            workspace = self._new_private_folder()
            try:
                build(workspace)
                _seal(workspace, key, details or {})
                entry = Entry(self._publish(key, workspace), hit=False)
            finally:
                if self._private_entries.get(key) != workspace:
                    shutil.rmtree(workspace, ignore_errors=True)
        if key.endswith("00"):  # One new entry in 256 pays for the scan of the whole folder.
            self.evict()
        return entry

    def holds(self, key: str) -> bool:
        """Whether there is an intact entry of `key`."""
        return key in self._private_entries or self._lookup(key) is not None

    def keep_private(self, key: str, reason: str) -> Entry:
        """Copy the entry of `key` to the private folder, which then serves it until the process ends. For folders whose files
        can be read but not loaded (mounted noexec).
        """
        with self._key_lock(key):
            if key not in self._private_entries:
                self._warn(reason)
                folder = self._new_private_folder()
                shutil.copytree(self._path(key), folder, dirs_exist_ok=True)
                self._private_entries[key] = folder
            return Entry(self._private_entries[key], hit=True)

    def forget(self, key: str) -> None:
        """Remove the entry of `key`, if there is one. For entries that are intact but of no use."""
        with self._key_lock(key):
            if (private := self._private_entries.pop(key, None)) is not None:
                shutil.rmtree(private, ignore_errors=True)
            _discard(self._path(key))

    def info(self) -> CacheInfo:
        """Count the entries and their bytes."""
        sizes = [_folder_bytes(path) for path in self._entries()]
        return CacheInfo(self.root, len(sizes), sum(sizes), self.limit, self.problem)

    def clear(self) -> int:
        """Remove all entries. Returns how many there were."""
        removed = sum(_discard(path) for path in self._entries())
        self._remove_stale()
        return removed

    def verify(self) -> list[tuple[Path, str]]:
        """Check every entry, and remove the damaged ones. Returns these with their faults."""
        faults = [(path, fault) for path in self._entries() if (fault := find_fault(path)) is not None]
        for path, _ in faults:
            _discard(path)
        self._remove_stale()
        return faults

    def evict(self) -> int:
        """Remove the least recently used entries until the others fit into 90 % of the limit. Returns how many were removed."""
        self._remove_stale()
        by_age = sorted((_last_use(path), _folder_bytes(path), path) for path in self._entries())
        total = sum(size for _, size, _ in by_age)
        if total <= self.limit:
            return 0
        removed = 0
        for _, size, path in by_age:
            if total <= 0.9 * self.limit:
                break
            removed += _discard(path)
            total -= size
        return removed

    def _key_lock(self, key: str) -> threading.Lock:
        with self._lock:
            return self._key_locks.setdefault(key, threading.Lock())

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / key

    def _lookup(self, key: str) -> Path | None:
        if self.problem is not None:
            return None
        path = self._path(key)
        if not os.path.lexists(path):
            return None
        if find_fault(path) is not None:
            _discard(path)
            return None
        with contextlib.suppress(OSError):  # In a read-only folder the time of last use stays as it is.
            os.utime(path / META)
        return path

    def _publish(self, key: str, workspace: Path) -> Path:
        """Move a finished build into place. Returns the path to load it from."""
        if self.problem is not None:
            return self._fall_back(key, workspace, self.problem)
        target = self._path(key)
        # Copied, since the private folder may be on another file system; `build` itself never meets a full cache.
        staging = self.root / f"tmp-{os.getpid()}-{uuid.uuid4().hex}"
        try:
            shutil.copytree(workspace, staging)
            target.parent.mkdir(mode=0o700, exist_ok=True)
            staging.rename(target)
        except OSError as error:
            shutil.rmtree(staging, ignore_errors=True)
            if find_fault(target) is None:  # Another process was faster.
                return target
            return self._fall_back(key, workspace, f"an entry can't be written: {_first_error(error)}")
        return target

    def _fall_back(self, key: str, workspace: Path, reason: str) -> Path:
        self._warn(reason)
        self._private_entries[key] = workspace
        return workspace

    def _warn(self, reason: str) -> None:
        with self._lock:
            if self._warned:
                return
            self._warned = True
        message = f"the cache {self.root} is not used: {reason}; compiled code is kept until this process ends"
        warnings.warn(message, CacheWarning, stacklevel=4)

    def _new_private_folder(self) -> Path:
        with self._lock:
            if self._private_root is None or not self._private_root.is_dir():  # gone if Python is ending
                self._private_root = Path(tempfile.mkdtemp(prefix="stepwell-"))
                weakref.finalize(self, _remove_if_owner, self._private_root, os.getpid())
            return Path(tempfile.mkdtemp(dir=self._private_root))

    def _entries(self) -> Iterator[Path]:
        if self.problem is not None:
            return
        for path in sorted(self.root.glob("[0-9a-f][0-9a-f]/*")):
            if re.fullmatch("[0-9a-f]{64}", path.name):
                yield path

    def _remove_stale(self) -> None:
        """Remove files and folders that killed processes left; younger files may belong to a process at work."""
        if self.problem is not None:
            return
        for path in self.root.glob("tmp-*"):
            with contextlib.suppress(OSError):
                status = path.lstat()
                if status.st_mtime >= time.time() - STALE_SECONDS:
                    continue
                if stat.S_ISDIR(status.st_mode):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def find_fault(path: Path) -> str | None:
    """The reason why the entry at `path` can't be used; None if it can."""
    try:
        if (fault := _distrust(path.lstat(), stat.S_ISDIR)) is not None:
            return fault
        for name, digest in _read_meta(path).items():
            if hashlib.sha256(read_trusted(path / name)).hexdigest() != digest:
                return f"{name} is not what was written"
    except (OSError, ValueError) as error:
        return str(error)
    return None


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _prepare_root(root: Path) -> str | None:
    """Create `root` if it is missing. Returns the reason why it can't be used, None if it can."""
    if not root.is_absolute():
        return "there is no home folder"
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            root.mkdir(mode=0o700)
        return _distrust(root.lstat(), stat.S_ISDIR)
    except OSError as error:
        return f"it can't be created: {error.strerror}"


def _distrust(status: os.stat_result, is_kind: Callable[[int], bool]) -> str | None:
    """The reason why a file with this status must not be loaded, for example that another user could have written it; None if
    it may be loaded."""
    if stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link"
    if not is_kind(status.st_mode):
        return "it is not a folder" if is_kind is stat.S_ISDIR else "it is not a regular file"
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    if status.st_mode & 0o022:
        return "others may write to it"
    return None


def read_trusted(path: Path) -> bytes:
    """The content of a regular file that only this user can write; ValueError for any other file."""
    # O_NONBLOCK: opening a planted pipe must not hang.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if (fault := _distrust(os.fstat(descriptor), stat.S_ISREG)) is not None:
            raise ValueError(f"{path.name}: {fault}")
        return file.read()


def _seal(folder: Path, key: str, details: Mapping[str, object]) -> None:
    """Make the files of a build private, and write their hashes to `meta.json`."""
    files: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        assert FILE_NAME.fullmatch(path.name), f"{path.name} can't be the name of a file in the cache"
        path.chmod(0o600)
        files[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    body = {"key": key, "files": files, "details": dict(details)}
    meta = folder / META
    meta.write_bytes(_canonical({**body, "digest": content_key(body)}))
    meta.chmod(0o600)


def _read_meta(folder: Path) -> dict[str, str]:
    """The files of an entry with their hashes; ValueError if `meta.json` is not exactly as it was written."""
    text = read_trusted(folder / META)
    damaged = ValueError(f"{META} is not what was written")
    if len(text) > META_LIMIT:
        raise damaged
    try:
        body: Any = json.loads(text)
    except (ValueError, RecursionError):  # RecursionError: nested too deep for the parser.
        raise damaged from None
    if not isinstance(body, dict) or _canonical(body) != text:
        raise damaged
    digest = body.pop("digest", None)
    if digest != content_key(body) or body["key"] != folder.name:
        raise damaged
    return body["files"]


def _discard(path: Path) -> bool:
    """Remove an entry, at once for all processes. Returns whether it could be removed."""
    trash = path.parent.parent / f"tmp-{os.getpid()}-{uuid.uuid4().hex}"
    try:
        path.rename(trash)
    except OSError:
        return False
    if trash.is_symlink() or not trash.is_dir():
        trash.unlink(missing_ok=True)
    else:
        shutil.rmtree(trash, ignore_errors=True)
    return True


def _last_use(path: Path) -> float:
    with contextlib.suppress(OSError):
        return (path / META).lstat().st_mtime
    return 0.0


def _folder_bytes(path: Path) -> int:
    """The bytes of a folder's files; files that vanish meanwhile count as empty."""
    total = 0
    with contextlib.suppress(OSError), os.scandir(path) as files:
        for file in files:
            total += file.stat(follow_symlinks=False).st_size
    return total


def _first_error(error: OSError) -> str:
    """The message of an error; `copytree` raises a `shutil.Error` that holds a list of errors."""
    if isinstance(error, shutil.Error) and error.args and error.args[0]:
        return str(error.args[0][0][2])
    return error.strerror or str(error)


def _remove_if_owner(folder: Path, process: int) -> None:
    """Remove a private folder at exit, but not in a forked child: the folder is the parent's."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
