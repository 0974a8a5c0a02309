"""The extension module of repeated calls: its build, and its tests under sanitizers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from stepwell.runtime.cpu import native_sources, warm_calls
from stepwell.tests.sanitize import missing, run

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_unit_includes_all_sources_and_the_text_has_their_lines():
    assert {path.name for path in native_sources.sources()} | {native_sources.UNIT.name} == {
        path.name for path in native_sources.FOLDER.glob("*.c")
    }
    lines = native_sources.text().splitlines()
    for source in native_sources.sources():
        start = lines.index(f'#line 1 "{source.name}"')
        own = source.read_text().splitlines()
        assert lines[start + 1 : start + 1 + len(own)] == own


def test_the_module_says_of_which_sources_it_is():
    module: Any = warm_calls.native_call().module
    if module is None:
        pytest.skip(warm_calls.native_call().problem)
    assert module.sources == native_sources.digest()
    assert f"PyInit_{native_sources.MODULE}(" in native_sources.text()


def of_sources(digest: str) -> Any:
    return lambda name, package: SimpleNamespace(name=name, sources=digest)


def test_an_installed_module_is_used_if_it_is_of_these_sources(monkeypatch):
    monkeypatch.delenv("STEPWELL_CFLAGS", raising=False)
    monkeypatch.setattr(warm_calls.importlib, "import_module", of_sources(native_sources.digest()))
    installed: Any = warm_calls.native_call.__wrapped__().module
    assert installed.name == f".{native_sources.MODULE}"
    monkeypatch.setenv("STEPWELL_CFLAGS", "-g")
    assert warm_calls._installed() is None
    monkeypatch.delenv("STEPWELL_CFLAGS")
    monkeypatch.setattr(warm_calls.importlib, "import_module", of_sources("of older sources"))
    assert warm_calls._installed() is None


def test_what_builds_the_module_is_declared():
    assert any(each.startswith("numpy>=2") for each in PROJECT["build-system"]["requires"])
    text = (ROOT / "setup.py").read_text()
    assert "optional=True" in text and "native.UNIT" in text and '("SW_SOURCES", native.digest())' in text


def test_the_source_distribution_has_all_files_of_the_module(tmp_path: Path):
    """Metadata only: nothing is compiled."""
    pytest.importorskip("setuptools", minversion="77")
    program = f"from setuptools import build_meta; print(build_meta.build_sdist({str(tmp_path)!r}))"
    base = str(tmp_path / "info")
    os.mkdir(base)
    (tmp_path / "options.cfg").write_text(f"[egg_info]\negg_base = {base}\n")
    environment = {**os.environ, "DIST_EXTRA_CONFIG": str(tmp_path / "options.cfg")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    native = [*native_sources.sources(), native_sources.UNIT, native_sources.FOLDER / "native_sources.py"]
    assert {str(path.relative_to(ROOT)) for path in native} | {"setup.py", "pyproject.toml", "LICENSE"} <= names
    assert not any(name.startswith("tests/") for name in names)


REPEATED = """
import numpy as np, stepwell as sw
from stepwell.runtime.cpu.warm_calls import native_call
x = np.ones(1 << 17, "float32")
f = sw.jit(lambda pair: {"sum": [pair[0] + pair[1]["b"]]})
for number in range(40):
    part = x if number % 2 else x[:-1]
    found = f((part, {"b": part}))
assert found["sum"][0][0] == 2
del found
native_call().module.keep(0)
code = open(native_call().module.__file__, "rb").read()
print(f"repeated {sum(each.warm.hits for each in f._compiled.values())}, instrumented {b'__asan_report' in code}")
"""


def test_repeated_calls_under_sanitizers(tmp_path: Path):
    """A few calls, by an instrumented module; `make sanitize` runs all tests of them."""
    wanted = ("address", "undefined")
    if missing(wanted):
        pytest.skip(f"the compiler has no {missing(wanted)[0]}")
    done = run(wanted, ["-c", REPEATED], tmp_path)
    assert done.returncode == 0 and re.search(r"repeated [1-9]\d, instrumented True", done.stdout), done.stdout
