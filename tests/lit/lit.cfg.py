"""How lit runs the tests of this folder: `lit tests/lit`, or through `tests/unit/repository/test_lit.py`."""

import os
import sys
import sysconfig

import lit.formats

# lit runs this file with `config` defined.
config = config  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

config.name = "stepwell"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "..", "..", "out", "lit")

# The tools stand beside the interpreter that runs lit; real MLIR's come in a package.
mlir_tools = os.path.join(sysconfig.get_path("platlib"), "mlir", "bin")
# The unit tests provide them without their start-up costs, by tests/lit_tools.py.
tools = os.environ.get("STEPWELL_LIT_TOOLS", "")
folders = [*filter(None, [tools]), os.path.dirname(sys.executable), mlir_tools, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(folders)
config.environment["NO_COLOR"] = "1"
# The tools are those of the package that the tests were started with.
config.environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
if os.path.exists(os.path.join(mlir_tools, "mlir-opt")):
    config.available_features.add("mlir-opt")
