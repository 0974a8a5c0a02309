"""The tile level: how wide indices are, which divisions truncate, and the launch plan as data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects import make_context, tile
from stepwell.dialects.tile.base import element_type
from stepwell.ir.index.expressions import Apply, Dim, Index, dim, index, param
from stepwell.ir.index.simplify import Ranges
from stepwell.ir.locations import frames
from stepwell.ir.text.parser import parse_module
from stepwell.ir.types.shapes import shape_of
from stepwell.lowering.driver import lower
from stepwell.lowering.emission.divisions import magnitude, truncating
from stepwell.lowering.emit_triton.emit_triton import emit_triton, kernels
from stepwell.lowering.emit_triton.launch_plan import launch_plan
from xdsl.dialects.builtin import i32, i64

LIMITS = {0: 3, 1: 4}
BOUNDS = {axis: index(limit) for axis, limit in LIMITS.items()}


def expressions() -> st.SearchStrategy[Index]:
    leaves = st.one_of(st.integers(-5, 5).map(index), st.sampled_from([dim(0), dim(1)]))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
            st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
            st.tuples(inner, st.integers(1, 5)).map(lambda pair: pair[0] // pair[1]),
            st.tuples(inner, st.integers(1, 5)).map(lambda pair: pair[0] % pair[1]),
        ),
        max_leaves=5,
    )


def points():
    return itertools.product(*(range(limit + 1) for limit in LIMITS.values()))


@given(expressions())
@settings(max_examples=200, deadline=None)
def test_no_intermediate_result_exceeds_the_magnitude(expr):
    bound = magnitude(expr, BOUNDS)
    assert bound is not None and bound.constant is not None
    for point in points():
        for part in parts(expr):
            assert abs(part.evaluate(dict(zip((Dim(0), Dim(1)), point, strict=True)))) <= bound.constant


def parts(expr: Index):
    """The expression and every sum and product inside it."""
    yield expr
    for monomial, factor in expr.terms:
        yield Index({monomial: factor})
        for atom in monomial:
            if isinstance(atom, Apply):
                yield from parts(atom.lhs)


def test_the_magnitude_of_what_depends_on_a_parameter_is_an_expression():
    assert magnitude(dim(0) * 2 - param("n"), BOUNDS) == param("n") + 2 * LIMITS[0]
    assert magnitude(dim(0) // param("n"), BOUNDS) == LIMITS[0] + param("n")
    assert magnitude(dim(7), BOUNDS) is None


@given(expressions())
@settings(max_examples=200, deadline=None)
def test_truncating_divisions_round_as_floor_divisions_do(expr):
    ranges = Ranges({k: (index(0), index(limit)) for k, limit in LIMITS.items()})
    rewritten = truncating(expr, ranges)
    for point in points():
        values = dict(zip((Dim(0), Dim(1)), point, strict=True))
        assert truncated(rewritten, values) == expr.evaluate(values)


def truncated(expr: Index, values) -> int:
    """The value, with `div` and `rem` rounding towards zero."""
    total = 0
    for monomial, factor in expr.terms:
        product = factor
        for atom in monomial:
            if not isinstance(atom, Apply):
                product *= values[atom]
                continue
            a, b = truncated(atom.lhs, values), truncated(atom.rhs, values)
            quotient = int(np.trunc(a / b)) if atom.op in ("div", "rem") else a // b
            product *= quotient if atom.op in ("div", "floordiv") else a - quotient * b
        total += product
    return total


def lowered(text: str):
    ctx = make_context()
    module = parse_module(text, ctx)
    for _ in lower(module, ctx, "cuda"):
        pass
    return module


def widths(text: str, size: int = 0) -> set:
    """The types of indices in the kernels of a program, or only in those that access a buffer of so many elements."""
    found = set()
    for kernel in kernels(lowered(text)):
        if not size or any(index(size) in shape_of(arg) for arg in kernel.args):
            found |= {element_type(op.result) for op in kernel.walk() if isinstance(op, tile.ArangeOp)}
    return found


@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**31 + 1, 2**32, 2**40])
def test_indices_are_wide_where_an_address_is_large(size):
    kind = f"tensor<{size}xi8>"
    for body, result in (
        (f'uop.map "neg"(%x) : ({kind}) -> {kind}', kind),
        (f"uop.reindex %x <(d0) -> ({size} - d0 - 1)> : ({kind}) -> {kind}", kind),
        (f"uop.reindex %x <(d0) -> (d0 + {size - 4})> : ({kind}) -> tensor<4xi8>", "tensor<4xi8>"),
        (f'uop.reduce "add" %x axes [0] : {kind} -> tensor<i8>', "tensor<i8>"),
    ):
        assert widths(f"func.func @f(%x: {kind}) -> {result} {{\n%r = {body}\nfunc.return %r : {result}\n}}", size) == {i64}


def test_indices_are_narrow_where_all_is_small():
    kind = "tensor<100xf32>"
    body = f'%r = uop.map "neg"(%x) : ({kind}) -> {kind}'
    assert widths(f"func.func @f(%x: {kind}) -> {kind} {{\n{body}\nfunc.return %r : {kind}\n}}") == {i32}


def test_what_is_loaded_can_be_any_index():
    text = """func.func @f(%x: tensor<9xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %r = uop.reindex %x <(d0, d1) -> (d1)> indexed [%i] [#sw.map<(d0) -> (d0)>]
       : (tensor<9xf32>, tensor<4xi64>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}"""
    assert widths(text) == {i64}


KIND = "tensor<?xf32, #sw.shape<[n]>>"
RUNNING = f"""func.func @f(%x: {KIND}) -> {KIND} {{
  %c = uop.scan "add" %x axis 0 reverse false exclusive false : {KIND} -> {KIND}
  %r = uop.scan "add" %c axis 0 reverse true exclusive false : {KIND} -> {KIND}
  func.return %r : {KIND}
}}"""


def test_the_launch_plan_has_buffers_and_launches_in_order():
    plan = launch_plan(lowered(RUNNING))
    assert [buffer.role for buffer in plan.buffers[:3]] == ["input", "output", "temporary"]
    # Long scans are three launches each, under a condition on the length.
    short, long = plan.sizes([7]), plan.sizes([9000])
    assert [(call.launch.buffers, call.launch.params) for call in short.calls] == [((0, 2), (0,)), ((2, 1), (0,))]
    assert len(long.calls) == 6
    assert short.shapes[:3] == ((7,), (7,), (7,))
    assert not plan.checks


def test_every_line_of_a_kernel_knows_its_operation():
    source = emit_triton(lowered(RUNNING))
    start = next(k for k, (line, _) in enumerate(source.lines) if line.startswith("def sw_kernel_0"))
    assert all(op is not None for line, op in source.lines[start:] if line)
    scans = [op for line, op in source.lines[start:] if op is not None and "sw_scan_add(" in line]
    assert list(dict.fromkeys(frames(op.location)[0].line for op in scans)) == [2, 3]


def test_names_from_outside_do_not_reach_the_code():
    text = RUNNING.replace("[n]", "[lambda_]").replace("%x", "%tl")
    source = emit_triton(lowered(text)).text
    assert compile(source, "kernels.py", "exec")
    assert all(
        name.startswith("sw_") for line in source.splitlines() if line.startswith("def ") for name in line[4:].split("(")[:1]
    )
