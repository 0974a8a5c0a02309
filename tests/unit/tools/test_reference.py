"""The pages of all passes and operations: they agree with the docstrings, and are complete."""

from pathlib import Path

import pytest
from stepwell.dialects import DIALECTS, make_context
from stepwell.frontend.api import names
from stepwell.lowering import all_passes
from stepwell.tools.reference import PAGES, page
from stepwell.tools.stepwell import main

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name):
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(name), "run `make pages`"


@pytest.mark.parametrize("name", PAGES)
def test_blocks_of_code_are_closed(name):
    fences = [line for line in page(name).splitlines() if line.startswith("```")]
    assert len(fences) % 2 == 0 and all(line == "```" for line in fences[1::2])


def test_every_pass_and_operation_is_there():
    passes, dialects = page("passes"), page("dialects")
    for name in all_passes().names():
        assert f"\n### {name}\n" in passes
    for name, _ in DIALECTS:
        for op in make_context().get_dialect(name).operations:
            assert f"### {op.name}\n" in dialects or f"`{op.name}`" in dialects


def test_every_public_name_is_on_the_page_of_the_api():
    text = page("api")
    for name in names():
        assert f"`sw.{name}`" in text or name in ("torch", "from_torch", "to_torch"), name
    assert " at 0x" not in text and str(DOCS.parent) not in text


def test_the_command_writes_it(tmp_path, capsys):
    assert main(["reference", "passes", "--out", str(tmp_path / "p.md")]) == 0
    assert main(["reference", "passes"]) == 0
    assert (tmp_path / "p.md").read_text() == capsys.readouterr().out
