"""The extension module of repeated calls, compiled where wheels are built. Everything else is in `pyproject.toml`.

It is optional: where it cannot be compiled, Stepwell compiles it at run time, and without a C compiler calls take longer.
"""

import importlib.util
import sys
import sysconfig
from pathlib import Path

import numpy
from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "runtime" / "cpu" / "native_sources.py"


def extension() -> Extension:
    # Load the file by its path: the package does not exist yet.
    spec = importlib.util.spec_from_file_location("native_sources", SOURCES)
    assert spec is not None and spec.loader is not None
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    return Extension(
        f"stepwell.runtime.cpu.{native.MODULE}",
        sources=[str(native.UNIT.relative_to(ROOT))],
        depends=[str(path.relative_to(ROOT)) for path in native.sources()],
        include_dirs=[numpy.get_include()],
        define_macros=[("SW_SOURCES", native.digest())],
        optional=True,
    )


# As in `_unsupported` of runtime/cpu/warm_calls.py: only for CPython with its global lock.
IS_SUPPORTED = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

# With its name, setuptools does not take this file for a module of the package.
setup(ext_modules=[extension()] if IS_SUPPORTED else [], script_name="setup.py")
