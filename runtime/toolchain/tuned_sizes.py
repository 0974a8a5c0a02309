"""The results of the tuner on disk: tile and block sizes of contractions, by machine and compiler, or by GPU.

The file `tuned.json` is next to the compiled code, and is replaced as a whole by a rename, so that no reader sees an incomplete
file. Of two tuners that write at once, the later one wins. A file that can't be read, or that another user could have written,
counts as empty, with a warning. With `$STEPWELL_TUNED=0` the file is not read.
"""

from __future__ import annotations

import json
import os
import uuid
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ...lowering.machine import Machine, pass_options
from ...passes.analysis.kernel_cost import Gpu
from ...passes.loop.contraction.tuned_sizes import is_allowed, is_key, tuned_entry
from ...passes.loop.kernels import tuned_tiles
from ..cache.disk import Cache, CacheWarning, content_key, read_trusted
from .compiler import CompilerError, CompilerNotFound, find_compiler

FILE = "tuned.json"
SWITCH = "STEPWELL_TUNED"
VERSION = 1


@dataclass(frozen=True)
class Finding:
    """The best sizes of a contraction, with the seconds of a call without them and with them."""

    sizes: Mapping[str, int]
    before: float
    after: float

    def __str__(self) -> str:
        sizes = " ".join(f"{name}={value}" for name, value in sorted(self.sizes.items()))
        return f"{sizes}: {self.before * 1e3:.3f} ms -> {self.after * 1e3:.3f} ms"

    def to_json(self) -> dict[str, Any]:
        return {"sizes": dict(self.sizes), "before": self.before, "after": self.after}

    @staticmethod
    def from_json(key: str, body: Any) -> Finding:
        """The finding that `to_json` wrote. Raises ValueError for other data."""
        try:
            sizes, before, after = dict(body["sizes"]), float(body["before"]), float(body["after"])
        except (TypeError, KeyError) as error:
            raise ValueError(f"'{key}' is no finding") from error
        if not is_key(key) or not all(type(value) is int and _is_allowed(name, value) for name, value in sizes.items()):
            raise ValueError(f"'{key}' has sizes {sizes}")
        return Finding(sizes, before, after)


def _is_allowed(name: str, value: int) -> bool:
    """Whether a name is a tunable size of a CPU or a GPU, and the value is within its limits."""
    return is_allowed(name, value) or tuned_tiles.is_allowed(name, value)


def tuned_entries(cache: Cache, machine: Machine | Gpu) -> tuple[str, ...]:
    """The lines for the pass that tiles contractions on a machine or a GPU, unless `$STEPWELL_TUNED` is 0."""
    if os.environ.get(SWITCH) == "0" or not os.path.lexists(cache.root / FILE):
        return ()
    try:
        found = findings_of(cache, machine)
    except (CompilerNotFound, CompilerError, PackageNotFoundError):
        return ()  # without a compiler there are no measurements
    return tuple(tuned_entry(key, finding.sizes) for key, finding in sorted(found.items()))


def findings_of(cache: Cache, machine: Machine | Gpu) -> dict[str, Finding]:
    """The findings for a machine and the compiler in use, by contraction; empty, with a warning, if the file is damaged.

    Raises CompilerNotFound or CompilerError.
    """
    return _read(cache).get(_context(cache, machine), {})


def keep_finding(cache: Cache, machine: Machine | Gpu, key: str, finding: Finding) -> None:
    """Write a finding to the file, in place of an earlier one for the contraction. Raises OSError if the file can't be
    written."""
    if cache.problem is not None:
        raise OSError(f"the cache {cache.root} is not used: {cache.problem}")
    contexts = _read(cache)
    contexts.setdefault(_context(cache, machine), {})[key] = finding
    entries = {context: {name: each.to_json() for name, each in found.items()} for context, found in contexts.items()}
    staging = cache.root / f"tmp-{os.getpid()}-{uuid.uuid4().hex}.json"
    with open(os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"version": VERSION, "contexts": entries}, file, indent=1, sort_keys=True)
    staging.replace(cache.root / FILE)


def count_findings(cache: Cache) -> int:
    """The number of findings for all machines and compilers."""
    return sum(map(len, _read(cache).values()))


def clear_findings(cache: Cache) -> int:
    """Remove all findings, damaged ones too. Returns how many of them could be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheWarning)  # unreadable findings are removed too
        removed = count_findings(cache)
    if cache.problem is None:
        (cache.root / FILE).unlink(missing_ok=True)
    return removed


def _context(cache: Cache, machine: Machine | Gpu) -> str:
    """The context of findings, besides the contraction: the machine's sizes and cores, and the compiler with its flags; or the
    GPU, and Triton's version."""
    if isinstance(machine, Gpu):
        return content_key({"gpu": machine.name, "architecture": machine.architecture, "triton": version("triton")})[:16]
    compiler = find_compiler(cache)
    compiled_by = {"version": compiler.version, "files": compiler.identity, "flags": compiler.flags}
    return content_key({"options": pass_options(machine), "cores": machine.cores, "compiler": compiled_by})[:16]


def _read(cache: Cache) -> dict[str, dict[str, Finding]]:
    path = cache.root / FILE
    if cache.problem is not None or not os.path.lexists(path):
        return {}
    try:
        return _contexts(json.loads(read_trusted(path)))
    except (OSError, ValueError, RecursionError) as error:  # RecursionError: nested too deep for the parser
        message = f"tuned sizes in {path} are not used: {error}; 'stepwell cache clear --tuned' removes them"
        warnings.warn(message, CacheWarning, stacklevel=3)
        return {}


def _contexts(body: Any) -> dict[str, dict[str, Finding]]:
    """The findings by context. Raises ValueError for data that `keep_finding` did not write."""
    contexts = body.get("contexts") if isinstance(body, dict) and body.get("version") == VERSION else None
    if not isinstance(contexts, dict) or not all(isinstance(found, dict) for found in contexts.values()):
        raise ValueError(f"expected findings of version {VERSION}")
    return {context: {key: Finding.from_json(key, each) for key, each in found.items()} for context, found in contexts.items()}
