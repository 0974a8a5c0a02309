"""The package: what is listed, where the version lives, who imports whom, and what an import costs."""

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import stepwell

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("ir", "dialects", "passes", "lowering", "runtime", "frontend", "nn", "tools")
# A package may import those of a lower rank, and itself.
RANK = {"ir": 0, "dialects": 1, "passes": 2, "lowering": 3, "runtime": 4, "frontend": 5, "nn": 6, "tools": 7}
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_the_package_list_matches_the_tree():
    found = {"stepwell"}
    for package in PACKAGES:
        for file in (ROOT / package).rglob("__init__.py"):
            found.add(".".join(("stepwell", *file.parent.relative_to(ROOT).parts)))
    assert sorted(found) == sorted(PROJECT["tool"]["setuptools"]["packages"])
    for path in MODULES:
        assert (path.parent / "__init__.py").exists(), f"{path.parent} is not a package"


def test_the_version_has_one_home():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", stepwell.__version__)
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "stepwell.__version__"}
    assert f"## {stepwell.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_torch_stays_below_2_14():
    """2.13 has builds for the CPU alone; a later one would pull in those for GPUs."""
    assert PROJECT["project"]["optional-dependencies"]["torch"] == ["torch>=2.6,<2.14"]


def imports_of(text: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Each import of a module in `package`: its line and the absolute name, inside functions too.

    What is imported for type checking only does not count.
    """
    pending: list[ast.AST] = [ast.parse(text)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else ())))
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))


def relative_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=relative_name)
def test_dependencies_point_one_way(path: Path):
    package = path.parent.relative_to(ROOT).parts
    own = package[0]
    for line, name in imports_of(path.read_text(), ("stepwell", *package)):
        parts = name.split(".")
        if parts[0] != "stepwell" or len(parts) < 2 or parts[1] not in RANK:
            continue
        assert RANK[parts[1]] <= RANK[own], f"{relative_name(path)}:{line}: {own} must not import {parts[1]}"


@pytest.mark.parametrize("path", MODULES, ids=relative_name)
def test_imports_inside_the_package_are_relative(path: Path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        assert not any(name.split(".")[0] == "stepwell" for name in names), f"{relative_name(path)}:{node.lineno}"


def test_the_direction_test_sees_imports_in_functions():
    text = "if TYPE_CHECKING:\n    from ..a import b\nelse:\n    import c\ndef f():\n    from ..ir.x import y\n"
    assert set(imports_of(text, ("stepwell", "runtime"))) == {(4, "c"), (6, "stepwell.ir.x.y")}


def loaded_modules(statement: str, *arguments: str) -> set[str]:
    program = f"import sys\n{statement}\nprint('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True, env=os.environ
    )
    return set(done.stdout.split())


def test_importing_stepwell_loads_nothing_heavy():
    loaded = loaded_modules("import stepwell")
    assert loaded.isdisjoint({"torch", "triton", "numpy", "ml_dtypes", "sympy", "rich"})


@pytest.mark.parametrize("command", ["stepwell", "opt.main"])
def test_help_loads_nothing_heavy(command: str):
    run = f"from stepwell.tools.{command} import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert loaded_modules(run).isdisjoint({"torch", "triton", "numpy", "ml_dtypes", "sympy", "rich"})


def test_entry_points_can_be_imported():
    for target in PROJECT["project"]["scripts"].values():
        module, _, function = target.partition(":")
        assert callable(getattr(importlib.import_module(module), function))
