"""Parsing: positions, forms that xDSL's parser does not read, and hostile input."""

import sys
import time

import pytest
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import CompileError, ParseError
from stepwell.ir.functions.verification import verify
from stepwell.ir.locations import Frame, frames
from stepwell.ir.nesting import nesting
from stepwell.ir.text.parser import parse_file, parse_module
from stepwell.ir.text.printer import print_module, print_with_lines
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp


def parse(text: str, **settings) -> ModuleOp:
    return parse_module(text, make_context(), "t.mlir", **settings)


def fault(text: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(text)
    return caught.value


def test_positions_are_those_of_the_names():
    module = parse("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : i32\n  func.return\n}", first_line=11)
    places = {op.name: frames(op.location) for op in module.walk()}
    assert places["func.func"] == (Frame("t.mlir", 11, 1),)
    assert places["arith.addi"] == (Frame("t.mlir", 12, 8),)
    assert places["func.return"] == (Frame("t.mlir", 13, 3),)
    assert places["builtin.module"], "the implicit module has a place too"


@pytest.mark.parametrize(
    "text, line, column, message",
    [
        ("builtin.module {\n  %0 = arith.ad\n}", 2, 8, "unknown operation 'arith.ad'"),
        ("builtin.module {\n  foo.bar\n}", 2, 3, "unknown dialect 'foo'"),
        ("func.func @f(%a: !fun.x)", 1, 19, "unknown dialect 'fun' of type"),
        ("func.func @f() {\n  func.return %x : i32\n}", 2, 15, "value '%x' is used but not defined"),
        ("}", 1, 1, "expected an operation"),
        ("#a = loc(#b)\n", 1, 10, "undefined alias '#b'"),
        ("func.func @f() {\n  \0\n}", 2, 3, "Unexpected character"),
        ("func.func @f(%ñ: i32) {\n}", 1, 14, "Expected suffix identifier after '%'"),
        ('"' + "a" * 100_000, 1, 1, "End of file reached before closing string"),
        ("builtin.module attributes {x = " + "1" * 5000 + " : i32} {}", 1, None, "an integer of too many digits"),
    ],
)
def test_faults_have_a_position(text: str, line: int, column: int | None, message: str):
    error = fault(text)
    assert message in error.message
    assert error.frame is not None and error.frame.line == line
    assert column is None or error.frame.column == column


@pytest.mark.parametrize("opener", ["builtin.module { ", '"a"() ({', "[", "(", "func.func @f(%a: tuple<"])
def test_deep_nesting_is_refused_at_once(opener: str):
    started = time.perf_counter()
    assert "nesting too deep" in fault(opener * 100_000).message
    assert time.perf_counter() - started < 20  # exponential time would be hours


def test_nesting_below_the_limit_works_to_the_end():
    module = parse("builtin.module {" * 900 + "}" * 900)
    verify(module)
    assert print_module(module).count("builtin.module") == 900


def test_deep_input_leaves_the_recursion_limit_as_it_was():
    """If the limit stayed raised, an endless recursion would overflow the stack where Python's calls use C's stack."""
    before = sys.getrecursionlimit()
    parse("builtin.module {" * 500 + "}" * 500)
    assert sys.getrecursionlimit() == before


def test_nesting_ignores_strings_comments_and_comparisons():
    assert nesting('"((((" // [[[[\n-> >= <= {[(<>)]}').depth == 4
    assert nesting("(" + "a < b " * 2000 + ") " * 5, limit=10_000).depth == 2001
    assert nesting("(a < b) " * 2000).depth == 2


def test_aliases_may_follow_their_use():
    module = parse('builtin.module {} loc(#loc)\n#loc = loc(fused[#one, #one])\n#one = loc("x.py":1:2)')
    assert frames(module.location) == (Frame("x.py", 1, 2),)


def test_type_aliases_may_follow_their_use():
    module = parse("func.func private @f(!t)\n!t = tensor<4xf32>")
    assert "tensor<4xf32>" in print_module(module)


@pytest.mark.parametrize("name", ["é.py", "日本/\U0001f600", "a\\b\n"])
def test_locations_have_any_file_names(name: str):
    escaped = "".join(f"\\{byte:02X}" for byte in name.encode())
    text = f'func.func @f() {{\n  func.return loc("{escaped}":3:4)\n}}\n'
    module = parse_module(text, make_context())
    assert [frame.file for op in module.walk() if op.name == "func.return" for frame in frames(op.location)] == [name]
    printed = print_module(module, debuginfo=True)
    assert print_module(parse_module(printed, make_context()), debuginfo=True) == printed


def test_a_file_name_that_is_no_text_is_an_error():
    with pytest.raises(ParseError, match="location"):
        parse_module('func.func @f() {\n  func.return loc("\\FF":3:4)\n}\n', make_context())


def test_resources_of_other_tools_are_kept():
    text = 'builtin.module {}\n{-#\n  external_resources: { tool: { text: "a\\"b", number: 3, flag: true } }\n#-}'
    assert parse_file(text, make_context()).resources == {"tool": {"text": 'a"b', "number": 3, "flag": True}}


@pytest.mark.parametrize(
    "value, type_", [("1.5", "f32"), ("-2", "i64"), ("true", "i1"), ("7", "i8"), ("1.0", "bf16"), ("3", "index")]
)
def test_splats_are_the_constants_that_they_abbreviate(value: str, type_: str):
    splat = parse(f"%0 = arith.constant dense<{value}> : tensor<2x3x{type_}>")
    listed = parse(f"%0 = arith.constant dense<[[{', '.join([value] * 3)}], [{', '.join([value] * 3)}]]> : tensor<2x3x{type_}>")
    assert splat.is_structurally_equivalent(listed)


def test_large_splats_are_fast_and_huge_ones_refused():
    started = time.perf_counter()
    module = parse("%0 = arith.constant dense<1.0> : tensor<1000x10000xf32>")
    assert time.perf_counter() - started < 20  # exponential time would be hours
    value = next(op for op in module.walk() if op.name == "arith.constant").properties["value"]
    assert isinstance(value, DenseIntOrFPElementsAttr) and len(value) == 10_000_000
    started = time.perf_counter()
    assert "dense<1.000000e+00> : tensor<1000x10000xf32>" in print_module(module)
    assert time.perf_counter() - started < 20  # exponential time would be hours
    assert "at most" in fault("%0 = arith.constant dense<1.0> : tensor<4294967296x4294967296xf32>").message


def test_integers_have_a_limited_width():
    assert "at most 16777215 bits" in fault("%0 = arith.constant 1 : i99999999999").message


def test_terminators_that_are_left_out_have_the_place_of_what_is_around_them():
    text = "func.func @f(%c: i1) {\n  scf.if %c {\n  }\n  scf.if %c {\n    scf.yield loc(unknown)\n  }\n  func.return\n}"
    places = [frames(op.location) for op in parse(text).walk() if op.name == "scf.yield"]
    assert places == [(Frame("t.mlir", 2, 3),), ()]


def test_an_empty_text_is_an_empty_module():
    assert not list(parse("// nothing\n").body.block.ops)


def test_mutations_never_escape_the_diagnostics():
    import random

    seed = (
        "func.func @f(%a: i32, %c: i1) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  cf.cond_br %c, ^0, ^1\n^0:\n"
        '  %k = arith.constant dense<[1, 2]> : tensor<2xi32>\n  cf.br ^1\n^1:\n  func.return %0 : i32 loc("x":1:2)\n}\n'
    )
    generator = random.Random(20)
    for _ in range(1500):
        text = list(seed)
        for _ in range(generator.randint(1, 4)):
            at = generator.randrange(len(text))
            text[at : at + generator.randint(0, 3)] = generator.choice(['"', "^", "%", "{", "}", "<", "0", "é", "#", ":", ""])
        try:
            verify(parse("".join(text)))
        except CompileError as error:
            assert error.frame is not None


def test_lines_of_printed_operations():
    module = parse("func.func @f() {\n  func.return\n}")
    text, lines = print_with_lines(module)
    for op, line in lines.items():
        assert op.name in text.split("\n")[line - 1]


def test_elided_constants():
    module = parse("%0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>\n%1 = arith.constant dense<[1, 2]> : tensor<2xi32>")
    text = print_module(module, elide_larger_than=2)
    assert "dense_resource<__elided__> : tensor<3xi32>" in text and "dense<[1, 2]>" in text
