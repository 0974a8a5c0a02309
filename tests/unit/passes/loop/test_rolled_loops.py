"""Unrolled loops that stay loops in C, and the arrays of registers that they access: which loops stay, and all levels agree."""

import re

import numpy as np
import pytest
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.types.dtypes import dtype_called
from stepwell.tools.loop_programs import LANES, lowered, memref, program, results, results_below

X, SIX = memref("n"), "memref<6xf32>"
REGISTERS = f'%r = loop.alloc "register" : {SIX}'
ZERO = "%zero = loop.constant 0.0 : f32"


def unrolled(statements: str, size: int = 6, at: str = "%u", bounds: str = "", step: int = 1) -> str:
    """A loop that is to be unrolled; a block argument's name is its `at`."""
    return f"""
      loop.for "unroll" {bounds or f"<() -> (0, {size})>"} step {step} {{
      ^{at[1:]}({at}: index):
        {statements}
        loop.yield
      }}"""


CLEARED = REGISTERS + "\n" + ZERO + unrolled(f"loop.store %zero into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index")
STORED = unrolled(f"""
        %v = loop.load %r[%u] <(d0) -> (d0)> : ({SIX}, index) -> f32
        loop.store %v into %y[%u] <(d0) -> (d0)> : f32, {SIX}, index""")
LOADED = f"%v = loop.load %x[%u] <(d0) -> (d0)> : ({X}, index) -> f32"


def check(body: str, x: np.ndarray, wanted: np.ndarray | None = None, y: str = SIX) -> None:
    """Check that all levels agree with each other and with the expected results."""
    text = program(body, {"x": X, "y": y})
    outputs = [np.zeros(6, np.float32)]
    expected = results(text, [x], outputs, len(x))
    for level, arrays in results_below(text, [x], outputs, len(x)).items():
        np.testing.assert_array_equal(arrays[0], expected[0], level)
    if wanted is not None:
        np.testing.assert_array_equal(expected[0], wanted)


def loops(body: str, **buffers: str) -> int:
    """How many loops the C compiler unrolls."""
    return len(re.findall(r"step \d+ unroll", str(lowered(program(body, {"x": X, "y": SIX} | buffers), 512))))


NUMBERS = np.arange(1, 7, dtype=np.float32)


def test_registers_hold_what_is_added_in_any_step():
    added = unrolled(f'{LOADED}\nloop.update "add" %v into %r[%u] <(d0) -> (5 - d0)> : f32, {SIX}, index')
    check(CLEARED + added + STORED, NUMBERS, NUMBERS[::-1])
    assert loops(CLEARED + added + STORED) == 3


def test_lower_bounds_and_steps():
    shifted = unrolled(
        f"""%v = loop.load %x[%u] <(d0) -> (d0 + 3)> : ({X}, index) -> f32
        loop.store %v into %r[%u] <(d0) -> (d0 + 3)> : f32, {SIX}, index""",
        bounds="<() -> (-3, 3)>",
        step=2,
    )
    check(CLEARED + shifted + STORED, NUMBERS, np.where(np.arange(6) % 2 == 0, NUMBERS, 0))
    assert loops(CLEARED + shifted + STORED) == 3


def test_carried_values_are_passed_on_together():
    body = f"""
      %a, %b = loop.for "unroll" <() -> (0, 5)> step 1 carry(%zero, %zero : f32, f32) -> f32, f32 {{
      ^bb0(%u: index, %one: f32, %other: f32):
        {LOADED}
        %sum = loop.compute "add"(%one, %v) : (f32, f32) -> f32
        loop.yield %other, %sum : f32, f32
      }}
      loop.store %a into %r[] <() -> (0)> : f32, {SIX}
      loop.store %b into %r[] <() -> (1)> : f32, {SIX}"""
    check(CLEARED + body + STORED, NUMBERS, np.array([2 + 4, 1 + 3 + 5, 0, 0, 0, 0], np.float32))
    assert loops(CLEARED + body + STORED) == 3


@pytest.mark.parametrize("kind", ["f64", "f16", "bf16", "i8", "i64", "i1"])
def test_registers_of_every_kind(kind):
    registers, size = f"memref<4x{LANES}x{kind}>", LANES
    at = "<(d0, d1) -> (d0, d1)>"

    def tile(statements):
        return f"""
      loop.for "unroll" <() -> (0, 4)> step 1 {{
      ^rows(%u: index):
        loop.for "vector" <() -> (0, {size})> step 1 {{
        ^lanes(%l: index):
          {statements}
          loop.yield
        }}
        loop.yield
      }}"""

    given = f"memref<4x{size}x{kind}>"
    body = (
        f'%r = loop.alloc "register" : {registers}'
        + tile(f"""%v = loop.load %x[%u, %l] {at} : ({given}, index, index) -> {kind}
          loop.store %v into %r[%u, %l] {at} : {kind}, {registers}, index, index""")
        + tile(f"""%w = loop.load %r[%u, %l] <(d0, d1) -> (3 - d0, d1)> : ({registers}, index, index) -> {kind}
          loop.store %w into %y[%u, %l] {at} : {kind}, {given}, index, index""")
    )
    text = program(body, {"x": given, "y": given})
    x = (np.random.default_rng(0).standard_normal((4, size)) * 4 > 0).astype(dtype_called(kind).numpy)
    outputs = [np.zeros((4, size), x.dtype)]
    for arrays in (results(text, [x], outputs, 0), *results_below(text, [x], outputs, 0).values()):
        np.testing.assert_array_equal(arrays[0], x[::-1])


def test_guards_over_other_indices_are_no_part_of_a_place():
    added = f"""
      loop.for "sequential" <() -> (0, n)> step 1 {{
      ^bb1(%i: index):
        %v = loop.load %x[%i] <(d0) -> (d0)> : ({X}, index) -> f32
        loop.update "add" %v into %r[%i] <(d0) -> (2)> guard <(d0) -> (d0 - 1)> : f32, {SIX}, index
        loop.yield
      }}"""
    check(CLEARED + added + STORED, NUMBERS, np.array([0, 0, 20, 0, 0, 0], np.float32))


# A difference between the copies, and its effect on the loop.
WRITTEN_OUT = {
    "a guard": unrolled(f"""
        %v = loop.load %x[%u] <(d0) -> (d0)> guard <(d0) -> (d0 - 1)> fill 0.0 : f32 : ({X}, index) -> f32
        loop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index"""),
    "a quotient": unrolled(f"""
        %v = loop.load %x[%u] <(d0) -> (d0 floordiv 2)> : ({X}, index) -> f32
        loop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index"""),
    "a remainder in an extremum": unrolled(f"""
        %v = loop.load %x[%u] <(d0) -> (max(d0 mod 4, 1))> : ({X}, index) -> f32
        loop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index"""),
    "a square that counts registers": unrolled(
        f"{LOADED}\nloop.store %v into %r[%u] <(d0) -> (d0 * d0)> : f32, {SIX}, index", size=3
    ),
    "one copy": unrolled(f"{LOADED}\nloop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index", size=1),
    "an index as a value": unrolled(f"""
        %k = loop.index [%u] <(d0) -> (d0)> : (index) -> i64
        %v = loop.cast %k : i64 -> f32
        loop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index"""),
    "a loop inside that begins at the index": unrolled(
        unrolled(
            f"""%v = loop.load %r[%j] <(d0) -> (d0)> guard <(d0) -> (5 - d0)> fill 1.0 : f32 : ({SIX}, index) -> f32
        loop.update "add" %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index""",
            at="%j",
            bounds="[%u : index] <(d0) -> (d0, d0 + 2)>",
        )
    ),
}


@pytest.mark.parametrize("why", WRITTEN_OUT)
def test_copies_that_differ_are_written_out(why):
    body = CLEARED + WRITTEN_OUT[why] + STORED
    check(body, NUMBERS)
    assert loops(body) == 2  # clearing and storing alone


def test_guards_over_lanes_that_begin_at_the_index():
    wide = f"memref<{4 * LANES}xf32>"
    body = f"""
      loop.for "unroll" <() -> (0, 4)> step 1 {{
      ^bb0(%u: index):
        loop.for "vector" [%u : index] <(d0) -> (d0 * {LANES}, d0 * {LANES} + {LANES})> step 1 {{
        ^bb1(%l: index):
          %v = loop.load %x[%l] <(d0) -> (d0)> guard <(d0) -> (n - 1 - d0)> fill 2.0 : f32 : ({X}, index) -> f32
          loop.store %v into %y[%l] <(d0) -> (d0)> : f32, {wide}, index
          loop.yield
        }}
        loop.yield
      }}"""
    text = program(body, {"x": X, "y": wide})
    for arrays in results_below(text, [NUMBERS], [np.zeros(4 * LANES, np.float32)], 6).values():
        np.testing.assert_array_equal(arrays[0], [*NUMBERS, *[2] * (4 * LANES - 6)])
    assert "unroll" not in str(lowered(text, 512))


def test_a_loop_that_reaches_beyond_the_registers_is_refused():
    body = CLEARED + unrolled(f"{LOADED}\nloop.store %v into %r[%u] <(d0) -> (d0 + 1)> : f32, {SIX}, index")
    with pytest.raises(CompileError, match="is out of bounds"):
        lowered(program(body, {"x": X, "y": SIX}), 512)


def test_registers_at_an_index_of_another_loop_are_refused():
    body = (
        CLEARED
        + f"""
      loop.for "sequential" <() -> (0, 6)> step 1 {{
      ^bb1(%i: index):
        loop.store %zero into %r[%i] <(d0) -> (d0)> : f32, {SIX}, index
        loop.yield
      }}"""
    )
    with pytest.raises(CompileError, match="expected register indices that are constant once loops are unrolled, got d0"):
        lowered(program(body, {"x": X, "y": SIX}), 512)


@pytest.mark.parametrize(("branch", "rolled"), [("<() -> (n - 6)>", 3), ("[%u : index] <(d0) -> (d0 - 3)>", 2)])
def test_branches_whose_condition_is_the_same_for_all_copies(branch: str, rolled: int):
    body = CLEARED + unrolled(f"""
        loop.if {branch} {{
          {LOADED}
          loop.store %v into %r[%u] <(d0) -> (d0)> : f32, {SIX}, index
          loop.yield
        }}""")
    check(body + STORED, NUMBERS, NUMBERS if rolled == 3 else np.where(np.arange(6) >= 3, NUMBERS, 0))
    assert loops(body + STORED) == rolled
