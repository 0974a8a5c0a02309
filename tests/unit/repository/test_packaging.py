"""The package: its list of packages, its version, its imports, and the cost of importing it."""

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
import stepwell
from stepwell.tests.layout import (
    FOLDERS,
    PACKAGES,
    ROOT,
    folder_of,
    import_graph,
    imported_modules,
    imports_of,
    layout,
    modules,
)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MODULES = sorted(modules().values())
MOST_FILES = 21


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


def relative_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_folder_has_its_place():
    assert sorted({folder_of(path) for path in MODULES}) == sorted(FOLDERS)


def test_imports_lead_to_folders_below():
    known = modules()
    for path in known.values():
        folder = folder_of(path)
        for line, name in imported_modules(path, known):
            other = folder_of(known[name])
            lower = FOLDERS.index(other) <= FOLDERS.index(folder)
            assert lower, f"{relative_name(path)}:{line}: {folder} must not import {other} (the order is in tests/layout.py)"


def test_the_import_graph_has_no_circle():
    circle = circle_of(import_graph())
    assert circle is None, f"modules import each other: {' -> '.join(circle or ())}"


def circle_of(graph: Mapping[str, set[str]]) -> list[str] | None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_circles_are_found():
    assert circle_of({"a": {"b"}, "b": {"c"}, "c": set()}) is None
    assert sorted(set(circle_of({"a": {"b"}, "b": {"c"}, "c": {"a"}}) or ())) == ["a", "b", "c"]


def test_few_files_lie_side_by_side_and_the_folder_says_what_it_holds():
    for folder in FOLDERS:
        assert len(list((ROOT / folder).glob("*.py"))) <= MOST_FILES, folder
        assert (ROOT / folder / "__init__.py").read_text().startswith('"""'), folder


def test_the_page_on_the_layout_is_true():
    assert (ROOT / "docs" / "layout.md").read_text() == layout(), "run `make pages`"


def absolute_imports(text: str) -> list[int]:
    """The lines that import the package by its name."""
    found: list[int] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        if any(name.split(".")[0] == "stepwell" for name in names):
            found.append(node.lineno)
    return found


def test_imports_inside_the_package_are_relative():
    assert not {relative_name(path): lines for path in MODULES if (lines := absolute_imports(path.read_text()))}
    assert absolute_imports("from . import a\ndef f():\n    import stepwell.ir\nfrom stepwell import b\n") == [4, 3]


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
