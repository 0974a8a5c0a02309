"""Guards in vector loops, which some lanes may fail: loads then give a fill value, stores and updates do nothing."""

import pytest
from stepwell.tests.unit.passes.loop.vector_programs import X, check, values
from stepwell.tools.loop_programs import LANES, memref, over_vectors, program

GUARDS = [
    "d0 - 3",  # all but the first three lanes of all
    f"n * {LANES} - 6 - d0",  # all but the last five
    "d0 - 5, 37 - d0",  # from the fifth on, in the third vector up to the fifth
    "2 * d0 - 7, 9 - 3 * d0",  # by fractions of lanes
    f"(d0 floordiv {LANES}) - 1",  # by vector
    f"d0 - 20, (d0 floordiv {LANES}) - 1",  # both
    "(d0 mod 3) - 1",  # by no interval
    "(d0 mod 3) - 1, d0 - 2",
    "-1",  # never
    "d0",  # always
]


@pytest.mark.covering(1)
@pytest.mark.parametrize("address", ["d0", f"n * {LANES} - 1 - d0", f"d0 floordiv {LANES}", "d0 floordiv 2"])
def test_guarded_loads(as_each_machine, address):
    """All guards in one program, in vectors that may be wider than the machine's registers."""
    body = "".join(
        over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> ({address})> guard <(d0) -> ({guard})> fill 9.0 : f32 : ({X}, index) -> f32
      loop.store %v into %y{k}[%l] <(d0) -> (d0)> : f32, {X}, index""")
        for k, guard in enumerate(GUARDS)
    )
    x = values(4 * LANES)
    check(program(body, {"x": X, **{f"y{k}": X for k in range(len(GUARDS))}}), [x], [x] * len(GUARDS), n=4)


@pytest.mark.parametrize("write", ["store", 'update "add"'])
def test_guarded_writes(write):
    """All guards in one program."""
    body = "".join(
        over_vectors(f"""
      %zero = loop.constant 0.5 : f32
      loop.store %zero into %y{k}[%l] <(d0) -> (d0)> : f32, {X}, index""")
        + over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> : ({X}, index) -> f32
      loop.{write} %v into %y{k}[%l] <(d0) -> (d0)> guard <(d0) -> ({guard})> : f32, {X}, index""")
        for k, guard in enumerate(GUARDS)
    )
    x = values(4 * LANES)
    check(program(body, {"x": X, **{f"y{k}": X for k in range(len(GUARDS))}}), [x], [x] * len(GUARDS), n=4)


def test_what_a_guard_leaves_out_is_not_touched():
    """The buffer ends in the middle of a vector."""
    small = memref("n * 16 - 5")
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> guard <(d0) -> (n * 16 - 6 - d0)> fill 0.0 : f32 : ({small}, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> guard <(d0) -> (n * 16 - 6 - d0)> : f32, {small}, index""")
    x = values(3 * LANES - 5)
    check(program(body, {"x": small, "y": small}), [x], [x], n=3)
