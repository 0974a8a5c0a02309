"""The documentation: the README's examples run and print the text below them, links have targets, and lists of files are
right."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.installing import announce

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = {"stepwell": "stepwell.tools.stepwell", "stepwell-opt": "stepwell.tools.opt.main"}
# These commands report what is missing on a machine, which is no error of the README.
MAY_FAIL = ("stepwell doctor",)
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


class Command(NamedTuple):
    """A command line of the README with the output below it; `...` stands for any text."""

    line: str
    output: str


def blocks(language: str, document: Path = README) -> list[str]:
    return [text for found, text in FENCE.findall(document.read_text()) if found == language]


def commands(document: Path = README) -> list[Command]:
    found: list[Command] = []
    for block in blocks("console", document):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append(Command(line, output))
    return found


def run_python(text: str) -> None:
    """Run the examples as one session; raise AssertionError for the first that prints something else."""
    session = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    output: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    runner.run(session, out=output.append)
    assert session.examples, "there are no examples"
    assert not runner.summarize(verbose=False).failed, "".join(output)


def run_command(command: Command) -> None:
    """Run a command line; raise AssertionError if it fails or prints something else, on standard error if there is nothing on
    standard output."""
    program, *arguments = shlex.split(command.line)
    line = [sys.executable, "-m", COMMANDS[program], *arguments]
    done = subprocess.run(line, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0 or command.line in MAY_FAIL, f"{command.line}\n{done.stderr}"
    shown = done.stderr if command.output and not done.stdout else done.stdout
    assert agrees(shown, command.output), f"{command.line}\n{shown}"


def agrees(output: str, expected: str) -> bool:
    return doctest.OutputChecker().check_output(expected, output, FLAGS)


def test_the_examples_print_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The examples run in one folder, Python first: it writes the files that the commands read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")  # the examples of schedules are the same on all machines
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    run_python("\n".join(blocks("pycon")))
    for command in commands():
        run_command(command)


def test_the_examples_of_the_tools_print_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / "tools.md", tmp_path) > 5
    assert (tmp_path / "layer.html").exists() and (tmp_path / "sums.html").exists()


def run_page(page: Path, folder: Path) -> int:
    """Run the examples of a page in a folder with the files that it shows, which begin with a comment of their name. Returns
    the number of commands."""
    for text in (*blocks("python", page), *blocks("mlir", page)):
        name = text.partition("\n")[0].strip("#/ ")
        (folder / name).write_text(text)
    if blocks("pycon", page):
        run_python("\n".join(blocks("pycon", page)))
    found = commands(page)
    for command in found:
        run_command(command)
    return len(found)


@pytest.mark.parametrize("page", ["tutorial_fast", "tutorial_kernel", "tutorial_pass"])
def test_the_examples_of_a_tutorial_print_what_they_say(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")
    assert run_page(ROOT / "docs" / f"{page}.md", tmp_path) or page == "tutorial_fast"


def test_the_target_of_the_tutorial_works_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = ROOT / "docs" / "tutorial_target.md"
    monkeypatch.chdir(tmp_path)
    for text in (blocks("python", page)[0], blocks("mlir", page)[0]):
        (tmp_path / text.partition("\n")[0].strip("#/ ")).write_text(text)
    for command in commands(page):
        run_command(command._replace(line=f"{command.line} --load-pass-plugin=numpy_text.py"))


def test_the_target_of_the_tutorial_works_once_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = ROOT / "docs" / "tutorial_target.md"
    announce(blocks("toml", page)[0], tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert run_page(page, tmp_path) == 2
    done = subprocess.run([sys.executable, "use_it.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "[8.154846 8.154846]\n7\n'uop.map' has no NumPy code yet\n"


def test_every_page_is_in_the_navigation_of_the_site():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w-]+\.md", text.partition("\nnav:\n")[2]))
    assert listed == {path.name for path in (ROOT / "docs").glob("*.md")} | {"index.md", "changelog.md", "contributing.md"}


@pytest.mark.parametrize(
    "page",
    ["architecture", "costs", "elementwise", "einsum", "functions", "gradients", "nodes", "parameters", "shapes"],
)
def test_the_examples_of_a_page_print_what_they_say(page: str):
    run_python("\n".join(blocks("pycon", ROOT / "docs" / f"{page}.md")))


def test_the_examples_of_kernels_print_what_they_say():
    pytest.importorskip("triton")
    run_python("\n".join(blocks("pycon", ROOT / "docs" / "gpu.md")))


def test_the_examples_of_torch_print_what_they_say():
    pytest.importorskip("torch")
    run_python("\n".join(blocks("pycon", ROOT / "docs" / "torch.md")))


def test_a_wrong_example_fails():
    with pytest.raises(AssertionError, match=r"(?s)Expected:.*3.*Got:.*2"):
        run_python(">>> 1 + 1\n3\n")
    assert not agrees("a\nb\n", "a\n...\nc\n") and agrees("a\nb\nc\n", "a\n...\nc\n")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_files_exist(document: Path):
    text = document.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (document.parent / target).exists(), target
    for target in re.findall(r"`((?:ir|dialects|passes|lowering|frontend|runtime|tools|tests|examples|docs)/[\w./-]*)`", text):
        assert (ROOT / target).exists(), target


def test_every_make_target_that_is_named_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        for named in re.findall(r"^ {4}make ([a-z ]+?)(?:\s+#.*)?$", document.read_text(), re.MULTILINE):
            assert set(named.split()) <= targets, f"{document.name}: make {named}"
