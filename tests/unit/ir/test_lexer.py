"""The lexer reads what xDSL's reads, tokens and errors alike; types taken from the cache equal the types in the text."""

import random
from pathlib import Path

import pytest
from stepwell.dialects import make_context
from stepwell.ir.text.lexer import Lexer
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

LEVELS = sorted((Path(__file__).parents[3] / "examples" / "levels").glob("*.mlir"))
CHARACTERS = '%#@!^-"{}<>.,:*/|?+ \n\tß²٣_$0a\\'


class Reference(MLIRLexer):
    """xDSL's lexer, with Stepwell's pattern of strings."""

    _unescaped_characters_regex = Lexer._unescaped_characters_regex


def tokens(kind: type[MLIRLexer], text: str) -> list[tuple[object, ...]]:
    lexer = kind(Input(text, "x"))
    found: list[tuple[object, ...]] = []
    try:
        while not found or found[-1][0] is not MLIRTokenKind.EOF:
            token = lexer.lex()
            found.append((token.kind, token.span.start, token.span.end))
    except ParseError as error:
        found.append((error.msg, error.span.start))
    return found


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.name)
def test_tokens_and_errors_are_those_of_xdsl(path):
    text, choose = path.read_text(encoding="utf-8")[:4000], random.Random(path.name)
    for changes in range(8):
        changed = list(text)
        for _ in range(changes * 3):
            changed[choose.randrange(len(changed))] = choose.choice(CHARACTERS)
        assert tokens(Lexer, "".join(changed)) == tokens(Reference, "".join(changed))


@pytest.mark.parametrize(
    "text", ["", "  // end", "#-}", "{-#", "{-", "%", "^", "@", '@"a b"', "->", "-1", "...", "..", "été", "_é"]
)
def test_the_ends_of_tokens(text):
    assert tokens(Lexer, text) == tokens(Reference, text)


def test_types_of_aliases_are_read_again():
    """The same text is another type where an alias has another meaning, and an alias may be defined after its use."""
    module = """func.func @f(%x: tensor<4xf32, #m>, %y: tensor<4xf32, #m>) {
      func.return
    }
    #m = 7 : i32
    """
    text = print_module(parse_module(module, make_context(), "x"))
    assert text.count("tensor<4xf32, 7 : i32>") == 2
    assert "8 : i32" in print_module(parse_module(module.replace("7", "8"), make_context(), "x"))


def test_a_type_ends_where_it_ends():
    layout = "memref<?x4xf32, affine_map<(d0, d1)[s0] -> (d0 * 4 + s0 + d1)>>"
    attributes = '{a = tensor<2xi1>, b = [tensor<2xi1>], c = "tensor<"}'
    text = f"""func.func @f(%x: {layout}, %y: {layout}) {{
      %0 = "test.op"(%x) {attributes} : ({layout}) -> tensor<2xi1>
      func.return
    }}"""
    module = parse_module(text, make_context(allow_unregistered=True), "x")
    printed = print_module(module)
    assert print_module(parse_module(printed, make_context(allow_unregistered=True), "x")) == printed
    assert printed.count("memref<?x4xf32, affine_map<(d0, d1)[s0] -> (") == 3 and printed.count("tensor<2xi1>") == 3
