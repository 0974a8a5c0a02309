"""The extension for Visual Studio Code: its files exist, and its grammar knows the dialects and the tokens of programs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from stepwell.dialects import DIALECTS

EDITOR = Path(__file__).parents[3] / "tools" / "editor"
MANIFEST = json.loads((EDITOR / "package.json").read_text())
GRAMMAR = json.loads((EDITOR / "syntaxes" / "mlir.tmLanguage.json").read_text())


def patterns(rule: dict[str, Any]):
    """The patterns of a rule of the grammar, in order, with their names."""
    if "include" in rule:
        yield from patterns(GRAMMAR["repository"][rule["include"].removeprefix("#")])
    elif "match" in rule:
        yield rule.get("name", "") or rule["captures"], re.compile(rule["match"])
    for each in rule.get("patterns", ()):
        yield from patterns(each)


def name_of(text: str, line: str) -> Any:
    """The name that the grammar gives to a text in a line: the name of the first pattern that matches earliest."""
    at, start = 0, line.index(text)
    while at <= start:
        matches = ((name, regex.search(line, at)) for name, regex in patterns(GRAMMAR))
        found = [(match.start(), k, match, name) for k, (name, match) in enumerate(matches) if match is not None]
        first, _, match, name = min(found, key=lambda each: each[:2])
        if first <= start < match.end():
            return name if isinstance(name, str) else next(name[str(k)]["name"] for k in range(1, 4) if match[k] == text)
        at = match.end()
    raise AssertionError(f"nothing matches '{text}'")


def test_the_manifest_names_files_that_exist():
    contributed = MANIFEST["contributes"]
    files = [MANIFEST["main"], *(each["configuration"] for each in contributed["languages"])]
    for path in (*files, *(each["path"] for each in contributed["grammars"])):
        assert (EDITOR / path).is_file(), path
    assert [each["id"] for each in contributed["languages"]] == ["mlir"] and GRAMMAR["scopeName"] == "source.mlir"


def test_the_grammar_knows_our_dialects():
    (found,) = (regex for name, regex in patterns(GRAMMAR) if name == "support.function.stepwell.mlir")
    for name, _ in DIALECTS:
        assert found.fullmatch(f"{name}.op")
    assert not found.fullmatch("arith.addi")


LINE = (
    '  %0:2 = uop.reduce "add" %x axes [1 : i64] : tensor<?x4xf32, #sw.shape<[n, 4]>> -> tensor<?xf32> loc("m.py":1:2) // why'
)


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("%0", LINE, "variable.other.value.mlir"),
        ("uop.reduce", LINE, "support.function.stepwell.mlir"),
        ('"add"', LINE, "string.quoted.double.mlir"),
        ("axes", LINE, "keyword.other.mlir"),
        ("i64", LINE, "storage.type.mlir"),
        ("tensor", LINE, "storage.type.mlir"),
        ("f32", LINE, "storage.type.mlir"),
        ("#sw.shape", LINE, "entity.name.type.attribute.mlir"),
        ("->", LINE, "keyword.operator.arrow.mlir"),
        ("loc", LINE, "keyword.other.location.mlir"),
        ("// why", LINE, "comment.line.double-slash.mlir"),
        ("arith.addi", "%1 = arith.addi %0, %0 : i32", "support.function.mlir"),
        ("@f", "func.func private @f(%x: i32)", "entity.name.function.mlir"),
        ("private", "func.func private @f(%x: i32)", "storage.modifier.mlir"),
        ("^bb0", "^bb0(%i: index):", "entity.name.label.mlir"),
        ("1.5e-3", "%0 = loop.constant 1.5e-3 : f32", "constant.numeric.mlir"),
        ("// CHECK-NEXT: a", "// CHECK-NEXT: a", "keyword.other.check.mlir"),
        ("// expected-error {{a}}", "op // expected-error {{a}}", "invalid.deprecated.expectation.mlir"),
    ],
)
def test_what_stands_in_a_line_has_its_name(text, line, name):
    assert name_of(text, line) == name
