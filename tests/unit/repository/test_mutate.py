"""`python -m tests.mutate`: the guards that it finds, and the tests that should notice a missing guard."""

from __future__ import annotations

import ast
from pathlib import Path

from stepwell.tests.mutate import ROOT, disabled, file_of, guards_in, lit_files, passes_of

TEXT = """def f(a, b):
    if a or b:
        return None
    if a:
        return b
    for each in a:
        if each:
            continue
"""


def test_conditions_whose_bodies_leave_are_guards(tmp_path: Path):
    path = tmp_path / "f.py"
    path.write_text(TEXT)
    assert [ast.unparse(each.test) for each in guards_in(path, ())] == ["a or b", "each"]
    terms = list(guards_in(path, (), by_terms=True))
    assert [ast.unparse(each.test) for each in terms] == ["a", "b", "each"]
    assert "if a or False:" in disabled(TEXT, terms[1].test)


def test_the_tests_of_a_file_are_those_of_the_passes_that_use_it():
    assert passes_of(file_of("loop-fuse")) == ("loop-fuse",)
    assert passes_of(ROOT / "passes/loop/interchange/updated_rows.py") == ("loop-interchange",)
    assert "loop-vectorize" in passes_of(ROOT / "passes/loop/vector/searches.py")
    assert "tests/lit/passes/loop/fusion/loop_fuse.mlir" in lit_files("loop-fuse")
