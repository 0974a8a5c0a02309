"""Rules for all files of the repository."""

import ast
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SKIPPED_FOLDERS = {".venv", ".git", "out", "build", "dist", "typings"}
SUFFIXES = {".py", ".mlir", ".md", ".toml", ".cfg", ".txt", ".c", ".h", ".json", ".yml", ".yaml", ".sh"}


def listed_by_git() -> list[Path]:
    """Tracked files, and new files that are not ignored; none without git or a repository."""
    if shutil.which("git") is None:
        return []
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout.decode()
    return [ROOT / name for name in listed.split("\0") if name]


def repository_files() -> list[Path]:
    """The files of the repository, without built ones."""
    paths = listed_by_git() or sorted(ROOT.rglob("*"))
    return [path for path in paths if path.is_file() and not SKIPPED_FOLDERS & set(path.relative_to(ROOT).parts)]


FILES = repository_files()
TEXTS = [path for path in FILES if path.suffix in SUFFIXES or path.name in {"Makefile", "run"}]
PYTHON = [path for path in FILES if path.suffix == ".py"]
LIT = [path for path in FILES if path.suffix == ".mlir" and "lit" in path.relative_to(ROOT).parts]
MAX_LINES = 500

UNSAFE = re.compile(r"\b(pickle|marshal|shelve)\b|(?<![.\w])(eval|exec)\(|yaml\.load|shell=True|os\.system")
# File -> the reason why text in it that UNSAFE matches is safe.
UNSAFE_ALLOWED = {
    "tests/unit/repository/test_hygiene.py": "names the patterns",
    "tests/unit/frontend/test_numpy_habits.py": "pickles functions itself",
    "tools/fuzz/everyday_programs.py": "defines functions from text that it generates itself",
}
MUTABLE = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
MUTABLES_ALLOWED = ("lowering/emit_c/emit_c.py",)
MACHINE_PATH = re.compile(r"(?<![\w.$)}<>])/(home|root|Users|work|mnt|opt)/\w")
CHECKERS = ("filecheck", "FileCheck", "diff", "--verify-diagnostics", "--verify-roundtrip", "not ")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def run_lines(path: Path) -> list[str]:
    """The RUN commands of a lit test, with lines that end in a backslash joined."""
    commands: list[str] = []
    open_line = False
    for match in re.finditer(r"RUN:\s*(.*)", path.read_text()):
        text = match.group(1).strip()
        if open_line:
            commands[-1] += " " + text.removesuffix("\\")
        else:
            commands.append(text.removesuffix("\\"))
        open_line = text.endswith("\\")
    return commands


def fault_of_run_line(command: str) -> str | None:
    """The reason why a RUN line could pass whatever the program does."""
    if not re.search(r"%s\b|%\{s\}", command):
        return "it does not read its own file (%s)"
    if not any(checker in command for checker in CHECKERS):
        return "nothing checks what the program does"
    for stage in command.split("|")[1:]:
        words = shlex.split(stage.replace("%", ""))
        if words and words[0].lower() == "filecheck" and not re.search(r"%s\b|%\{s\}", stage):
            return "its checker does not read the file that holds the checks (%s)"
    return None


def test_every_lit_test_can_fail():
    commands = {path: run_lines(path) for path in LIT}
    assert not [name_of(path) for path in LIT if not commands[path] and "Inputs" not in path.parts], "there is no RUN line"
    checked = [(name_of(path), command, fault_of_run_line(command)) for path in LIT for command in commands[path]]
    assert not [each for each in checked if each[-1] is not None]


@pytest.mark.parametrize(
    "command",
    ["stepwell-opt %s", "stepwell-opt other.mlir | filecheck %t", "stepwell-opt %s | filecheck checks.txt", "true"],
)
def test_dead_run_lines_are_found(command: str):
    assert fault_of_run_line(command) is not None


def test_nothing_that_is_read_is_executed():
    for path in PYTHON:
        if name_of(path) in UNSAFE_ALLOWED:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not UNSAFE.search(line), f"{name_of(path)}:{number}: {line.strip()}"


def test_the_allow_list_has_no_dead_rows():
    for name, reason in UNSAFE_ALLOWED.items():
        assert reason and UNSAFE.search((ROOT / name).read_text()), f"{name} needs no exception"


def test_the_gate_knows_the_patterns():
    for text in ("import pickle", "eval(text)", "exec(code)", "run(x, shell=True)", "yaml.load(f)", "os.system(c)"):
        assert UNSAFE.search(text), text
    for text in ("model.eval()", "re.compile(x)", "retrieval(x)", "pickled"):
        assert not UNSAFE.search(text), text


# One test for all files: what pytest spends on a test exceeds what these spend on a file.


def test_files_are_short():
    assert not [name_of(path) for path in PYTHON if len(path.read_text().splitlines()) > MAX_LINES]


def test_files_say_what_they_are_for():
    texts = {path: path.read_text().strip() for path in PYTHON}
    assert not [name_of(path) for path, text in texts.items() if text and not text.startswith(('"""', 'r"""'))]


def test_no_path_of_one_machine():
    for path in TEXTS:
        if path != Path(__file__):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                assert not MACHINE_PATH.search(line), f"{name_of(path)}:{number}: {line.strip()}"


@pytest.mark.parametrize(("before", "root"), [("see ", "home"), ("cd '", "work")])
def test_paths_of_one_machine_are_found(before: str, root: str):
    assert MACHINE_PATH.search(f"{before}/{root}/x") and not MACHINE_PATH.search(f"a.b/{root}/x, $HOME/{root}/x")


def mutables_of(text: str) -> list[str]:
    """The names in modules and classes that hold a list, dict or set, which any code could change for all others."""
    tree = ast.parse(text)
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    assignments = [node for scope in scopes for node in scope.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    return [ast.unparse(node) for node in assignments if isinstance(node.value, MUTABLE) and "__all__" not in ast.unparse(node)]


def test_tables_cannot_be_changed():
    """A table is a tuple or a MappingProxyType."""
    package = [path for path in PYTHON if "tests" not in path.relative_to(ROOT).parts and name_of(path) not in MUTABLES_ALLOWED]
    assert not {name_of(path): found for path in package if (found := mutables_of(path.read_text()))}


def test_mutable_tables_are_found():
    text = "A = {}\nclass B:\n    c: list[int] = []\nD = MappingProxyType({1: 2})\ndef f():\n    e = []\n__all__ = ['A']"
    assert mutables_of(text) == ["A = {}", "c: list[int] = []"]


def test_nothing_at_the_root_is_taken_for_a_test():
    assert not list(ROOT.glob("test*.py")) and not (ROOT / "conftest.py").exists()
