"""Vector and unrolled loops, registers and memory of threads: the loop level's interpreter, which runs iterations one by one,
against the C level's interpreter and C."""

import re

import numpy as np
import pytest
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.types.dtypes import DTYPES, dtype, dtype_called
from stepwell.runtime.executable import compile_module
from stepwell.tests.unit.passes.loop.vector_programs import X, check, values
from stepwell.tools.loop_programs import LANES, lowered, memref, over_rows, over_vectors, program, results


@pytest.mark.parametrize(
    "address",
    [
        "d0",  # contiguous
        f"n * {LANES} - 1 - d0",  # backwards
        f"d0 floordiv {LANES}",  # the same for all lanes
        "d0 floordiv 2",  # pairs
        f"(d0 * 3) mod (n * {LANES})",  # any order
        f"(d0 floordiv {LANES}) * {LANES} + d0 mod {LANES}",  # contiguous, once simplified
        "(d0 - n - 6) mod 8",  # of numbers that are negative at first
        "(d0 - n - 6) floordiv 4 + n",
    ],
)
def test_loads(address):
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> ({address})> : ({X}, index) -> f32
      %w = loop.compute "add"(%v, %v) : (f32, f32) -> f32
      loop.store %w into %y[%l] <(d0) -> (d0)> : f32, {X}, index""")
    text = program(body, {"x": X, "y": X})
    x = values(5 * LANES)
    (y,) = check(text, [x], [x], n=5)
    assert y[0] != 0
    (y,) = check(text, [x[:0]], [x[:0]], n=0)


def test_bfloat16_between_operations():
    """Numbers of all sizes, infinities and denormals, and products halfway between two of them."""
    buffer = memref(f"n * {LANES}", "bf16")
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> : ({buffer}, index) -> bf16
      %w = loop.cast %v : bf16 -> f32
      %c = loop.constant 1.00390625 : f32
      %p = loop.compute "mul"(%w, %c) : (f32, f32) -> f32
      %q = loop.cast %p : f32 -> bf16
      %r = loop.cast %q : bf16 -> f32
      %s = loop.compute "add"(%r, %c) : (f32, f32) -> f32
      %t = loop.cast %s : f32 -> bf16
      loop.store %t into %y[%l] <(d0) -> (d0)> : bf16, {buffer}, index""")
    text = program(body, {"x": buffer, "y": buffer})
    assert count(text, "cloop.reduce_precision") == 1
    bits = np.concatenate([np.arange(0, 0x7F81, 60), np.arange(0x8000, 0xFF81, 60)])
    x = np.resize(bits.astype(np.uint16), (len(bits) // LANES + 1) * LANES).view(dtype("bfloat16").numpy)
    check(text, [x], [np.zeros_like(x)], n=len(x) // LANES)


def count(text, pattern):
    return len(re.findall(pattern, str(lowered(text, 512))))


def test_loads_are_vectors_where_they_can_be():
    def loads(address):
        body = over_vectors(f"""
          %v = loop.load %x[%l] <(d0) -> ({address})> : ({X}, index) -> f32
          loop.store %v into %y[%l] <(d0) -> (d0)> : f32, {X}, index""")
        return count(program(body, {"x": X, "y": X}), r"cloop\.load")

    assert loads("d0") == loads(f"n * {LANES} - 1 - d0") == loads(f"d0 floordiv {LANES}") == 1
    assert loads("d0 floordiv 2") == LANES


@pytest.mark.parametrize("address", ["d0", f"n * {LANES} - 1 - d0", f"(d0 * 3) mod (n * {LANES})"])
@pytest.mark.parametrize("write", ["store", 'update "add"', 'update "max"'])
def test_writes(write, address):
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> : ({X}, index) -> f32
      loop.{write} %v into %y[%l] <(d0) -> ({address})> : f32, {X}, index""")
    zero = f"""
      %zero = loop.constant 0.0 : f32
      loop.store %zero into %y[%l] <(d0) -> (d0)> : f32, {X}, index"""
    x = values(5 * LANES)
    check(program(over_vectors(zero) + "\n" + body, {"x": X, "y": X}), [x], [x], n=5)


def test_updates_of_one_element_are_folded():
    sums = memref("n")
    zeros = over_rows(f"""
      %zero = loop.constant 0.0 : f32
      loop.store %zero into %y[%i] <(d0) -> (d0)> : f32, {sums}, index""")
    adds = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> : ({X}, index) -> f32
      loop.update "add" %v into %y[%i] <(d0) -> (d0)> : f32, {sums}, index""")
    text = program(zeros + adds, {"x": X, "y": sums})
    check(text, [values(3 * LANES)], [values(3)], exact=False, n=3)
    assert count(text, r"cloop\.fold") == 1


def test_all_lanes_cannot_store_to_one_element():
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> (d0)> : ({X}, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, {X}, index""")
    with pytest.raises(CompileError, match="all lanes of a vector loop store to one element"):
        lowered(program(body, {"x": X, "y": X}), 512)


def test_loads_at_loaded_indices():
    at = memref(f"n * {LANES}", "i64")
    body = over_vectors(f"""
      %k = loop.load %at[%l] <(d0) -> (d0)> : ({at}, index) -> i64
      loop.check "index" [%k] <(d0) -> (d0, n * {LANES})> : i64
      %v = loop.load %x[%k] <(d0) -> (d0)> : ({X}, i64) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, {X}, index""")
    text = program(body, {"x": X, "at": at, "y": X}, inputs=2)
    at = np.random.default_rng(0).permutation(3 * LANES)
    check(text, [values(3 * LANES), at], [values(3 * LANES)], n=3)
    at[17] = -1
    with pytest.raises(IndexError, match="-1"):
        compile_module(lowered(text, 512))(values(3 * LANES), at)


def test_indices_and_tests():
    long = memref(f"n * {LANES}", "i64")
    body = over_vectors(f"""
      %k = loop.index [%l, %i] <(d0, d1) -> (d0 * 3 - d1)> : (index, index) -> i64
      %m = loop.index [%l] <(d0) -> (d0 mod 5)> : (index) -> i64
      %c = loop.test [%l] <(d0) -> (d0 - 3, 40 - d0)> : (index) -> i1
      %d = loop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1
      %e = loop.compute "or"(%c, %d) : (i1, i1) -> i1
      %v = loop.compute "select"(%e, %k, %m) : (i1, i64, i64) -> i64
      loop.store %v into %y[%l] <(d0) -> (d0)> : i64, {long}, index""")
    check(program(body, {"y": long}, inputs=0), [], [np.zeros(4 * LANES, np.int64)], n=4)


@pytest.mark.parametrize("kind", ["f32", "f64", "i32", "i64", "i8"])
def test_carried_values_fold(kind):
    """One program has loops with all accumulators."""
    functions = ("add", "mul", "max", "min")
    buffer, result = memref(f"n * {LANES}", kind), memref("n", kind)
    start = "1.0" if kind.startswith("f") else "1"
    bounds = f"<(d0) -> (d0 * {LANES}, d0 * {LANES} + {LANES})>"
    body = "".join(
        over_rows(f"""
        %start = loop.constant {start} : {kind}
        %s = loop.for "vector" [%i : index] {bounds} step 1 carry(%start : {kind}) -> {kind} {{
        ^bb1(%l: index, %acc: {kind}):
          %v = loop.load %x[%l] <(d0) -> (d0)> : ({buffer}, index) -> {kind}
          %w = loop.compute "{function}"(%v, %acc) : ({kind}, {kind}) -> {kind}
          loop.yield %w : {kind}
        }}
        loop.store %s into %{function}[%i] <(d0) -> (d0)> : {kind}, {result}, index""")
        for function in functions
    )
    element = dtype_called(kind)
    given, zeros = values(3 * LANES, kind=element.name), [np.zeros(3, element.numpy)] * len(functions)
    check(program(body, {"x": buffer, **dict.fromkeys(functions, result)}), [given], zeros, exact=False, n=3)


def test_what_is_carried_must_be_accumulated():
    body = f"""
      %start = loop.constant 1.0 : f32
      %s = loop.for "vector" <() -> (0, 4)> step 1 carry(%start : f32) -> f32 {{
      ^bb1(%l: index, %acc: f32):
        %w = loop.compute "sub"(%acc, %acc) : (f32, f32) -> f32
        loop.yield %w : f32
      }}
      loop.store %s into %y[] <() -> (0)> : f32, {X}"""
    with pytest.raises(CompileError, match="combine each carried value with one other value"):
        lowered(program(body, {"y": X}, inputs=0), 512)


def test_loops_inside_carry_vectors():
    """Sums along the first axis: the lanes are columns. The maximum is carried with its position, which a mask selects."""
    wide = f"memref<?x?xf32, {{shape = #sw.shape<[n, n * {LANES}]>}}>"
    long = memref(f"n * {LANES}", "i64")
    body = over_vectors(f"""
      %zero = loop.constant 0.0 : f64
      %least = loop.constant -9.0 : f32
      %none = loop.constant 0 : i64
      %s, %m, %at = loop.for "reduction" <() -> (0, n)> step 1 carry(%zero, %least, %none : f64, f32, i64) -> f64, f32, i64 {{
      ^bb2(%k: index, %acc: f64, %best: f32, %place: i64):
        %v = loop.load %x[%k, %l] <(d0, d1) -> (d0, d1)> : ({wide}, index, index) -> f32
        %w = loop.cast %v : f32 -> f64
        %next = loop.compute "add"(%acc, %w) : (f64, f64) -> f64
        %k64 = loop.index [%k] <(d0) -> (d0)> : (index) -> i64
        %wins = loop.compute "gt"(%v, %best) : (f32, f32) -> i1
        %better = loop.compute "select"(%wins, %v, %best) : (i1, f32, f32) -> f32
        %there = loop.compute "select"(%wins, %k64, %place) : (i1, i64, i64) -> i64
        loop.yield %next, %better, %there : f64, f32, i64
      }}
      %sum = loop.cast %s : f64 -> f32
      %both = loop.compute "add"(%sum, %m) : (f32, f32) -> f32
      loop.store %both into %y[%l] <(d0) -> (d0)> : f32, {X}, index
      loop.store %at into %z[%l] <(d0) -> (d0)> : i64, {long}, index""")
    text = program(body, {"x": wide, "y": X, "z": long})
    x = values((5, 5 * LANES))
    _, z = check(text, [x], [x[0], np.zeros(5 * LANES, np.int64)], n=5)
    np.testing.assert_array_equal(z, x.argmax(axis=0))


def test_bounds_must_not_differ_between_lanes():
    body = over_vectors("""
      loop.for "sequential" [%l : index] <(d0) -> (0, d0)> step 1 {
      ^bb2(%k: index):
        loop.yield
      }""")
    with pytest.raises(CompileError, match="expected the same bounds in all lanes"):
        lowered(program(body, {"y": X}, inputs=0), 512)


def test_unrolled_loops_thread_what_they_carry():
    bounds = f"<(d0) -> (d0 * {LANES}, d0 * {LANES} + 5)>"
    body = over_rows(f"""
        %zero = loop.constant 0.0 : f32
        %s, %p = loop.for "unroll" [%i : index] {bounds} step 2 carry(%zero, %zero : f32, f32) -> f32, f32 {{
        ^bb1(%k: index, %acc: f32, %last: f32):
          %v = loop.load %x[%k] <(d0) -> (d0)> : ({X}, index) -> f32
          %w = loop.compute "sub"(%v, %last) : (f32, f32) -> f32
          loop.yield %w, %acc : f32, f32
        }}
        %d = loop.compute "sub"(%s, %p) : (f32, f32) -> f32
        loop.store %d into %y[%i] <(d0) -> (d0)> : f32, {memref("n")}, index""")
    text = program(body, {"x": X, "y": memref("n")})
    check(text, [values(3 * LANES)], [values(3)], n=3)
    assert count(text, r"cloop\.load") == 3


def micro_kernel(rows, vectors):
    """`rows` times `vectors` vectors of a product, accumulated in registers."""
    columns = vectors * LANES
    a = f"memref<?x{rows}xf32, {{shape = #sw.shape<[n, {rows}]>}}>"
    b = f"memref<?x{columns}xf32, {{shape = #sw.shape<[n, {columns}]>}}>"
    c = acc = f"memref<{rows}x{columns}xf32>"
    at = f"<(d0, d1, d2) -> (d0, d1 * {LANES} + d2)>"

    def tile(statements):
        return f"""
      loop.for "unroll" <() -> (0, {rows})> step 1 {{
      ^rows(%i: index):
        loop.for "unroll" <() -> (0, {vectors})> step 1 {{
        ^vectors(%j: index):
          loop.for "vector" <() -> (0, {LANES})> step 1 {{
          ^lanes(%l: index):
            {statements}
            loop.yield
          }}
          loop.yield
        }}
        loop.yield
      }}"""

    zero = f"%z = loop.constant 0.0 : f32\nloop.store %z into %acc[%i, %j, %l] {at} : f32, {acc}, index, index, index"
    multiply = f"""
      %x = loop.load %a[%p, %i] <(d0, d1) -> (d0, d1)> : ({a}, index, index) -> f32
      %y = loop.load %b[%p, %j, %l] {at} : ({b}, index, index, index) -> f32
      %old = loop.load %acc[%i, %j, %l] {at} : ({acc}, index, index, index) -> f32
      %new = loop.compute "fma"(%x, %y, %old) : (f32, f32, f32) -> f32
      loop.store %new into %acc[%i, %j, %l] {at} : f32, {acc}, index, index, index"""
    result = f"""
      %r = loop.load %acc[%i, %j, %l] {at} : ({acc}, index, index, index) -> f32
      loop.store %r into %c[%i, %j, %l] {at} : f32, {c}, index, index, index"""
    body = f"""
      %acc = loop.alloc "register" : {acc}
      {tile(zero)}
      loop.for "sequential" <() -> (0, n)> step 1 {{
      ^k(%p: index):
        {tile(multiply)}
        loop.yield
      }}
      {tile(result)}"""
    return program(body, {"a": a, "b": b, "c": c}, inputs=2)


def test_a_micro_kernel_in_registers():
    text = micro_kernel(4, 2)
    a, b = values((7, 4)), values((7, 2 * LANES), seed=1)
    (c,) = check(text, [a, b], [np.zeros((4, 2 * LANES), np.float32)], n=7)
    np.testing.assert_allclose(c, a.T @ b, rtol=1e-5, atol=1e-5)
    assert count(text, r"cloop\.registers : !cloop\.registers<8, vector<16xf32>>") == 1
    assert count(text, r"cloop\.compute \"fma\"") == 1  # copies for rows and vectors are left to the C compiler
    assert "vector<4xf32>" in str(lowered(text, 128)) and "vector<16xf32>" not in str(lowered(text, 128))


def test_registers_of_scalars_and_of_lanes():
    """One register is a scalar; lanes access the elements of another one in turn and together; a third one has an element for
    each lane."""
    body = over_rows(f"""
        %sum = loop.alloc "register" : memref<f32>
        %row = loop.alloc "register" : memref<{LANES}xf32>
        %zero = loop.constant 0.0 : f32
        loop.store %zero into %sum[] <() -> ()> : f32, memref<f32>
        loop.for "unroll" <() -> (0, {LANES})> step 1 {{
        ^bb1(%k: index):
          %v = loop.load %x[%i, %k] <(d0, d1) -> (d0 * {LANES} + d1)> : ({X}, index, index) -> f32
          loop.store %v into %row[%k] <(d0) -> ({LANES - 1} - d0)> : f32, memref<{LANES}xf32>, index
          loop.update "add" %v into %sum[] <() -> ()> guard <() -> (n - 2)> : f32, memref<f32>
          loop.yield
        }}
        loop.for "vector" <() -> (0, {LANES})> step 1 {{
        ^bb2(%l: index):
          %own = loop.alloc "register" : memref<2xf32>
          %total = loop.load %sum[] <() -> ()> : (memref<f32>) -> f32
          %v = loop.load %row[%l] <(d0) -> (d0)> : (memref<{LANES}xf32>, index) -> f32
          loop.store %v into %own[] <() -> (0)> : f32, memref<2xf32>
          loop.store %total into %own[] <() -> (1)> : f32, memref<2xf32>
          loop.update "mul" %v into %own[%l] <(d0) -> (1)> guard <(d0) -> (d0 - 3)> : f32, memref<2xf32>, index
          %a = loop.load %own[] <() -> (0)> : (memref<2xf32>) -> f32
          %b = loop.load %own[%l] <(d0) -> (1)> guard <(d0) -> (9 - d0)> fill 2.0 : f32 : (memref<2xf32>, index) -> f32
          %w = loop.compute "add"(%a, %b) : (f32, f32) -> f32
          loop.store %w into %y[%i, %l] <(d0, d1) -> (d0 * {LANES} + d1)> : f32, {X}, index, index
          loop.yield
        }}""")
    x = values(3 * LANES)
    check(program(body, {"x": X, "y": X}), [x], [x], n=3)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("%v = loop.load %r[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32", "expected register indices that are constant"),
        ("%v = loop.load %r[] <() -> (4)> : (memref<4xf32>) -> f32", r"register index \[4\] is out of bounds"),
    ],
)
def test_registers_are_reached_at_constant_indices(statement, message):
    body = f"""
      loop.for "parallel" <() -> (0, 4)> step 1 {{
      ^bb0(%i: index):
        %r = loop.alloc "register" : memref<4xf32>
        {statement}
        loop.yield
      }}"""
    with pytest.raises(CompileError, match=message):
        lowered(program(body, {"y": X}, inputs=0), 512)


@pytest.mark.parametrize("kind", ["f32", "i8"])
def test_memory_of_threads(kind):
    """Each row is reversed in memory of its thread; there are enough rows for several threads."""
    rows, row = f"memref<?x?x{kind}, {{shape = #sw.shape<[n, n + 3]>}}>", memref("n + 3", kind)
    body = over_rows(f"""
        %t = loop.alloc "thread" : {row}
        loop.for "sequential" <() -> (0, n + 3)> step 1 {{
        ^bb1(%j: index):
          %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : ({rows}, index, index) -> {kind}
          loop.store %v into %t[%j] <(d0) -> (n + 2 - d0)> : {kind}, {row}, index
          loop.yield
        }}
        loop.for "sequential" <() -> (0, n + 3)> step 1 {{
        ^bb2(%j: index):
          %v = loop.load %t[%j] <(d0) -> (d0)> : ({row}, index) -> {kind}
          loop.store %v into %y[%i, %j] <(d0, d1) -> (d0, d1)> : {kind}, {rows}, index, index
          loop.yield
        }}""")
    text = program(body, {"x": rows, "y": rows})
    x = values((6, 9), kind=dtype_called(kind).name)
    check(text, [x], [x], n=6)
    large = values((300, 303), kind=dtype_called(kind).name)
    np.testing.assert_array_equal(compile_module(lowered(text, 512))(large), large[:, ::-1])


def test_memory_for_each_lane():
    """In a vector loop each lane has memory of its own, whose elements are interleaved with those of the other lanes."""
    row = "memref<4xf32>"
    body = over_vectors(f"""
      %t = loop.alloc "thread" : {row}
      loop.for "sequential" <() -> (0, 4)> step 1 {{
      ^bb2(%j: index):
        %v = loop.load %x[%l] <(d0) -> (d0)> : ({X}, index) -> f32
        loop.store %v into %t[%j] <(d0) -> (d0)> : f32, {row}, index
        loop.yield
      }}
      loop.store %one into %t[%l] <(d0) -> (d0 mod 4)> : f32, {row}, index
      %w = loop.load %t[%l] <(d0) -> (d0 mod 3)> : ({row}, index) -> f32
      loop.store %w into %y[%l] <(d0) -> (d0)> : f32, {X}, index""")
    x = values(3 * LANES)
    check(program("%one = loop.constant 1.0 : f32\n" + body, {"x": X, "y": X}), [x], [x], n=3)


def test_conditions():
    body = over_rows(f"""
        loop.if [%i : index] <(d0) -> (d0 - 1, 3 - d0)> {{
          %one = loop.constant 1.0 : f32
          loop.store %one into %y[%i] <(d0) -> (d0)> : f32, {memref("n")}, index
        }} else {{
          loop.for "unroll" <() -> (0, 2)> step 1 {{
          ^bb1(%k: index):
            %two = loop.constant 2.0 : f32
            loop.store %two into %y[%i] <(d0) -> (d0)> : f32, {memref("n")}, index
            loop.yield
          }}
        }}
        loop.if [%i : index] <(d0) -> (4 - d0)> {{
          %three = loop.constant 3.0 : f32
          loop.update "add" %three into %y[%i] <(d0) -> (d0)> : f32, {memref("n")}, index
        }}""")
    (y,) = check(program(body, {"y": memref("n")}, inputs=0), [], [np.zeros(7, np.float32)], n=7)
    np.testing.assert_array_equal(y, [5, 4, 4, 4, 5, 2, 2])


@pytest.mark.parametrize("kind", list(DTYPES.values()), ids=str)
def test_copies_of_every_type_and_width(kind):
    """All widths in one program."""
    short = "ui8" if kind.short == "u8" else kind.short
    buffers = {lanes: memref(f"n * {lanes}", short) for lanes in (2, 4, 8, 16, 32, 64)}
    bodies = [
        over_vectors(
            f"""
      %v = loop.load %x{lanes}[%l] <(d0) -> (d0)> : ({buffer}, index) -> {short}
      loop.store %v into %y{lanes}[%l] <(d0) -> (n * {lanes} - 1 - d0)> : {short}, {buffer}, index""",
            lanes,
        )
        for lanes, buffer in buffers.items()
    ]
    arguments = {f"{name}{lanes}": buffer for name in "xy" for lanes, buffer in buffers.items()}
    given = [np.random.default_rng(1).integers(0, 2, 3 * lanes).astype(kind.numpy) for lanes in buffers]
    found = check(program("\n".join(bodies), arguments, len(given)), given, given, n=3)
    for x, y in zip(given, found, strict=True):
        np.testing.assert_array_equal(y, x[::-1])


def test_checks_of_lanes():
    """Each lane is checked, under its guard; the error names the first lane that fails."""
    at = memref(f"n * {LANES}", "i64")
    body = over_vectors(f"""
      %k = loop.load %at[%l] <(d0) -> (d0)> : ({at}, index) -> i64
      loop.check "index" [%l, %k] <(d0, d1) -> (d0 - d1, 50)> guard <(d0, d1) -> (d0 - 3)> : index, i64
      loop.check "divisor" [%l, %k] <(d0, d1) -> (d1 - 7)> : index, i64
      loop.store %k into %y[%l] <(d0) -> (d0)> : i64, {at}, index""")
    text = program(body, {"at": at, "y": at})
    good = np.zeros(3 * LANES, np.int64)
    good[:3] = -100
    check(text, [good], [good], n=3)
    outside, zero = IndexError, ZeroDivisionError
    for place, value, error in ((3, 4, outside), (47, -3, outside), (2, 7, zero), (17, 7, zero)):
        bad = good.copy()
        bad[place] = value
        with pytest.raises(error):
            compile_module(lowered(text)).program.run([bad], [3])
        with pytest.raises(error):
            results(text, [bad], [bad], 3)
