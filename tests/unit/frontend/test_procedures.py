"""Procedures: assignments to arrays in place, gradients of variables, and merge buffers."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.distributed import sum_of_others

A, B = np.arange(12.0).reshape(3, 4), np.arange(20.0).reshape(4, 5)


@pytest.mark.feature("E12")
def test_assignments_change_arrays_in_place_and_in_order():
    @sw.procedure
    def rotate(x, y, factor=2.0):
        x.assign(x + y)
        y.assign(x * factor)
        x.accumulate(1.0)
        return sw.sum(x)

    x, y = np.arange(3.0), np.ones(3)
    memory = x.ctypes.data
    assert rotate(x, y) == 9.0
    np.testing.assert_array_equal(x, [2, 3, 4])
    np.testing.assert_array_equal(y, [2, 4, 6])
    assert x.ctypes.data == memory
    rotate(x, y, factor=0.5)
    np.testing.assert_array_equal(y, [2, 3.5, 5])
    assert rotate.stats().compiles == 2


@pytest.mark.feature("E12")
@pytest.mark.parametrize(
    ("accum", "function"), [("add", np.add), ("mul", np.multiply), ("max", np.maximum), ("min", np.minimum)]
)
def test_accumulators(accum, function):
    @sw.procedure
    def both(c, d, x):
        c.accumulate(x, accum)
        d.init_accumulate(x, accum)

    c, d, x = np.ones((2, 3)), np.full((2, 3), 7.0), np.array([-1.0, 2, 5])
    both(c, d, x)
    np.testing.assert_array_equal(c, function(np.ones((2, 3)), x))
    np.testing.assert_array_equal(d, np.broadcast_to(x, (2, 3)))


@pytest.mark.feature("E12")
def test_logics():
    @sw.procedure
    def product(c, a, b):
        c.init_accumulate((sw.rows(a, input=1), sw.rows(b, input=1)), "add", logic="@")

    c = np.full((3, 5), 9.0)
    product(c, A, B)
    np.testing.assert_allclose(c, A @ B)

    @sw.procedure
    def widest(c, a):
        c.accumulate(a, "max", logic="ij => i")

    c = np.array([5.0, 5, 5])
    widest(c, A)
    np.testing.assert_array_equal(c, np.maximum(5, A.max(1)))


@pytest.mark.feature("E12")
def test_an_accumulation_and_its_expanded_form_give_the_same_code():
    def short(p, g):
        p.accumulate(-0.1 * g)

    def expanded(p, g):
        delta = -0.1 * g
        p.assign(p + delta)

    texts = []
    for function in (short, expanded):
        procedure = sw.procedure(function)
        p, g = np.ones(5), np.arange(5.0)
        procedure(p, g)
        np.testing.assert_allclose(p, 1 - 0.1 * g)
        (compiled,) = procedure._compiled.values()
        text = compiled.program.lower(p, g, trace=False).source()
        texts.append(text.replace("expanded", "short"))
    assert texts[0] == texts[1]


@pytest.mark.feature("E13")
def test_a_tensor_that_several_statements_use_is_computed_once():
    @sw.procedure
    def step(p, q, x):
        shared = sw.exp(x)
        p.assign(shared * 2)
        q.assign(shared + p)

    p, q, x = np.zeros(4), np.zeros(4), np.arange(4.0)
    step(p, q, x)
    np.testing.assert_allclose(q, np.exp(x) * 3)
    (compiled,) = step._compiled.values()
    assert compiled.program.lower(p, q, x).ir("scheduled").count('"exp"') <= 2  # a vector loop and its remainder


@pytest.mark.feature("E13")
def test_the_gradient_of_a_variable_is_a_cell():
    @sw.procedure
    def descend(p, velocity, x, rate=0.1):
        p.grad.assign(sw.grad(lambda w: sw.sum((w * x - 1.0) ** 2))(p))
        velocity.assign(0.5 * velocity + p.grad)
        p.accumulate(-rate * velocity)

    p, velocity, x = sw.Variable([0.0, 2.0]), np.zeros(2, np.float32), np.array([1.0, 2.0], np.float32)
    for _ in range(60):
        descend(p, velocity, x)
    np.testing.assert_allclose(p.value, 1 / x, atol=1e-4)
    np.testing.assert_allclose(p.grad, 0, atol=1e-3)


@pytest.mark.feature("E14")
def test_a_merge_buffer_of_one_process_is_zero():
    @sw.procedure
    def merge(p):
        p.grad.accumulate(p.grad.merge)

    p = sw.Variable(np.ones(3))
    p.grad[:] = [1, 2, 3]
    merge(p)
    np.testing.assert_array_equal(p.grad, [1, 2, 3])
    np.testing.assert_array_equal(sum_of_others(np.ones(2, np.float32), "p.grad"), [0, 0])


WORKER = """
import os, sys
import numpy as np, torch.distributed as group, stepwell as sw
rank, count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
group.init_process_group("gloo", os.environ.get("GROUP", "env://"), rank=rank, world_size=count)
rank, count = group.get_rank(), group.get_world_size()

@sw.procedure
def gradient(p, x, y):
    p.grad.assign(sw.grad(lambda w: sw.sum((x @ w - y) ** 2))(p))
    p.accumulate(0.0)

@sw.procedure
def merged_step(p, rate):
    p.grad.accumulate(p.grad.merge)

@sw.procedure
def descend(p, rate):
    p.accumulate(-rate * p.grad)

rng = np.random.default_rng(0)
x, y = rng.standard_normal((24, 3)).astype("f4"), rng.standard_normal(24).astype("f4")
mine = slice(rank * 24 // count, (rank + 1) * 24 // count)
if sys.argv[1:] == ["differ"]:
    a, b = sw.Variable(np.ones(3)), sw.Variable(np.ones(3))
    shaped, typed = sw.Variable(np.ones(3 + rank)), sw.Variable(np.ones(3, ["f8", "f4"][rank]))
    @sw.procedure
    def other(p, rate):
        p.grad.accumulate(p.grad.merge)
    last = [other, merged_step][rank]
    for made, step in [(shaped, merged_step), (typed, merged_step), ([a, b][rank], merged_step), (a, last)]:
        try:
            step(made, 0.1)
            print("nothing differs", flush=True)
        except RuntimeError as error:
            print(error, flush=True)
    sys.exit()
p = sw.Variable(np.zeros(3, "f4"))
for step in range(3):
    gradient(p, x[mine], y[mine])
    if sys.argv[1:] == ["die"] and rank == 1 and step == 1:
        os._exit(0)
    merged_step(p, 0.01)
    descend(p, 0.01)
print(f"rank {rank} has {p.value.tobytes().hex()}", flush=True)
expected = np.zeros(3)
for _ in range(3):
    expected -= 0.01 * 2 * x.T @ (x @ expected - y)
np.testing.assert_allclose(p.value, expected, rtol=1e-5)
"""


# Forked processes import torch once.
FORKING = """
import multiprocessing, os, runpy, sys
import torch.distributed, stepwell
stepwell.procedure, stepwell.grad

def run(rank):
    os.environ["RANK"] = str(rank)
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")

context = multiprocessing.get_context("fork")
processes = [context.Process(target=run, args=(rank,)) for rank in range(int(os.environ["WORLD_SIZE"]))]
for each in processes:
    each.start()
for each in processes:
    each.join()
sys.exit(any(each.exitcode for each in processes))
"""


def run_forked(tmp_path, count, *args):
    worker, launcher = tmp_path / "worker.py", tmp_path / "launcher.py"
    worker.write_text(WORKER)
    launcher.write_text(FORKING)
    environment = {**os.environ, "WORLD_SIZE": str(count), "GROUP": f"file://{tmp_path}/group"}
    command = [sys.executable, str(launcher), str(worker), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=150, env=environment)


def run_launched(tmp_path, count):
    worker = tmp_path / "worker.py"
    worker.write_text(WORKER)
    launch = ["-m", "torch.distributed.run", "--nproc-per-node", str(count), "--master-port", "0", "--max-restarts", "0"]
    command = [sys.executable, *launch, "--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0", str(worker)]
    return subprocess.run(command, capture_output=True, text=True, timeout=150)


@pytest.mark.feature("E14")
@pytest.mark.parametrize(("count", "run"), [(2, run_launched), (4, run_forked)], ids=["2 by torchrun", "4 forked"])
def test_processes_merge_their_gradients(tmp_path, count, run):
    pytest.importorskip("torch")
    result = run(tmp_path, count)
    assert result.returncode == 0, result.stderr
    # Lines of several processes may run into each other.
    found = dict(re.findall(r"rank (\d) has ([0-9a-f]{24})", result.stdout))
    assert sorted(found) == [str(rank) for rank in range(count)]
    assert len(set(found.values())) == 1  # the same bits in all processes


@pytest.mark.feature("E14")
def test_a_process_that_ends_is_named(tmp_path):
    pytest.importorskip("torch")
    result = run_forked(tmp_path, 2, "die")
    assert result.returncode != 0 and "process 1 of 2 has ended, or did not answer" in result.stderr


@pytest.mark.feature("E14")
def test_processes_that_merge_different_arrays_are_told_of_both(tmp_path):
    pytest.importorskip("torch")
    output = run_forked(tmp_path, 2, "differ").stdout
    assert "nothing differs" not in output
    shapes, dtypes = ["of shape (3,)", "of shape (4,)"], ["dtype float64", "dtype float32"]
    places, called = ["(number 1)", "(number 2)"], ["procedure 'other': 'p.grad'", "procedure 'merged_step': 'p.grad'"]
    for own, differences in [(0, 1), (1, -1)]:
        for pair in (shapes, dtypes, places, called):
            mine, theirs = (re.escape(each) for each in pair[::differences])
            assert re.search(rf"process {own} [^;]*{mine}[^;]*; process {1 - own} [^;]*{theirs}[^;]*;", output), (
                own,
                pair,
                output,
            )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda c, x: c.assign(x), "'c' has 1 axes: cannot assign 2"),
        (lambda c, x: c.accumulate(x[0], "nand"), "'c': expected an accumulator, one of add, mul"),
        (lambda c, x: c.grad.assign(x[0]), "'c' has no gradient: pass a sw.Variable"),
        (lambda c, x: (c.assign(x[0]), c.merge), "'c' has been assigned to: read its merge buffer before"),
        (lambda c, x: c.assign(x, logic="ij = i"), "expected '=>' before the result"),
        (lambda c, x: (c + 1.0, None)[1], "'<lambda>' assigns to no argument: expected a statement such as c.assign"),
        (lambda c, x: c.assign(x[0, :3]), r"'c': expected a tensor that broadcasts to its shape \(4,\), got the shape \(3,\)"),
        (lambda c, x: c.assign((x, x)), "'c': expected a tensor, got a tuple of tensors: `logic` says"),
        (lambda c, x: c[1:].assign(0.0), "have '.assign': got a Tensor, which is computed and stays"),
        (lambda c, x: A.assign(c), "have '.assign': got a ndarray that is no argument"),
        (lambda c, x: c.__setitem__(0, 1.0), "'c': single elements cannot be assigned to"),
        (lambda c, x: c.__iadd__("a"), "'c'.* got str|expected a tensor, an array or a number, got str"),
        (lambda c, x: setattr(c, "grad", x), "'c' has no gradient"),
        (lambda c, x: sw.scan(lambda a, r: (c.assign(r), (a, a))[1], 0.0, x), "'c': it is assigned to inside of a function"),
        (lambda c, x: c.assign(x[0, 0], logic=" => 7"), "index 7 is out of range for axis 0 of the result, of size"),
    ],
)
def test_mistakes_are_errors_at_the_line(body, message):
    with pytest.raises(sw.ShapeError, match=message) as raised:
        sw.procedure(body)(np.zeros(4), A)
    assert "test_procedures.py:" in str(raised.value)


def test_arrays_that_cannot_be_assigned_to():
    @sw.procedure
    def clear(c, x):
        c.assign(0.0 * x)

    c = np.zeros(3)
    with pytest.raises(ValueError, match="'c' is assigned to, and shares memory with 'x'"):
        clear(c, c)
    c.flags.writeable = False
    with pytest.raises(ValueError, match="'c' is assigned to, and its array is read-only"):
        clear(c, np.ones(3))
    strided = np.ones((3, 2))[:, 0]
    clear(strided, np.ones(3))
    np.testing.assert_array_equal(strided, 0)


IN_PLACE = ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow")


@pytest.mark.feature("E12")
@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_change_arrays(name):
    @sw.procedure
    def change(c, x):
        getattr(c, f"__{name}__")(x)

    c, x = np.array([1.0, -2.0, 3.5]), np.array([2.0, 3.0, 2.0])
    expected = getattr(c, f"__{name[1:]}__")(x)
    change(c, x)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.feature("E12")
def test_in_place_operators_as_statements():
    @sw.procedure
    def change(p, bits, q):
        p += 1
        p.grad += p
        p.grad -= 0.5
        bits |= bits > 5
        bits <<= 1
        q @= q

    p, bits, q = sw.Variable([1.0, 2.0]), np.array([1, 6]), np.array([[1.0, 2.0], [3.0, 4.0]])
    expected = q @ q
    change(p, bits, q)
    np.testing.assert_array_equal(p.value, [2, 3])
    np.testing.assert_array_equal(p.grad, [1.5, 2.5])
    np.testing.assert_array_equal(bits, [2, 14])
    np.testing.assert_array_equal(q, expected)


@pytest.mark.parametrize(
    ("cell", "value"), [("int64", 0.5), ("bool", 0.5), ("bool", 1), ("uint8", np.arange(3, dtype="int16")), ("int32", "float")]
)
@pytest.mark.parametrize("statement", ["assign", "accumulate", "init_accumulate"])
def test_values_that_a_dtype_cannot_hold_are_refused(cell, value, statement):
    given = np.ones(3) if isinstance(value, str) else value
    with pytest.raises(sw.ShapeError, match=f"'c': expected values that {cell} holds, got .*sw.astype"):
        sw.procedure(lambda c: getattr(c, statement)(given))(np.zeros(3, cell))


def test_values_of_an_earlier_kind_are_cast():
    @sw.procedure
    def change(a, b, c):
        a.assign(3)
        b.accumulate(np.array([True, False]))
        c.accumulate(7)
        c.accumulate(a)

    a, b, c = np.zeros(2, "uint8"), np.ones(2, "int32"), np.ones(2, "float32")
    change(a, b, c)
    assert (a.tolist(), b.tolist(), c.tolist()) == ([3, 3], [2, 1], [11, 11])


@pytest.mark.parametrize("statements", [("assign", "accumulate"), ("accumulate", "assign")])
def test_an_error_at_run_time_leaves_arrays_as_they_were(statements):
    @sw.procedure
    def change(p, q, i):
        for name in statements:
            getattr(p, name)(p + sw.take(p, i))
            getattr(q, name)(p * 2)

    p, q = np.arange(4.0), np.ones(4)
    change(p, q, np.array([0, 1, 2, 3]))
    before = p.copy(), q.copy()
    for _ in range(2):
        with pytest.raises(IndexError, match="index 9 is out of range"):
            change(p, q, np.array([0, 9, 1, 1]))
        np.testing.assert_array_equal(p, before[0])
        np.testing.assert_array_equal(q, before[1])


def test_logics_take_open_sizes_from_the_cell():
    @sw.procedure
    def count(c, d, e, i):
        c.accumulate((np.ones(3), i), logic="i; i => [1]")
        d.assign(np.ones(2), logic="i => i1")
        e.accumulate((np.ones(3), i), "max", logic="i; i => [1]1")

    c, d, e = np.zeros(4), np.full((2, 3), 7.0), np.zeros((4, 3))
    count(c, d, e, np.array([0, 2, 2]))
    np.testing.assert_array_equal(c, [1, 0, 2, 0])
    np.testing.assert_array_equal(d, [[0, 1, 0], [0, 1, 0]])
    np.testing.assert_array_equal(e, [[0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]])


def test_arguments_nest_and_come_in_any_number():
    @sw.procedure
    def clear(*arrays, **named):
        for array in (*arrays, *named.values()):
            array.assign(0.0)

    @sw.procedure
    def both(weights, pair):
        weights["w"] += pair[0]
        clear(pair[1])

    x, y, w = np.ones(2), np.ones(3), np.ones(2)
    clear(x, last=y)
    np.testing.assert_array_equal([*x, *y], 0)
    y[:] = 4
    both({"w": w}, [np.full(2, 3.0), y])
    np.testing.assert_array_equal([*w, *y], [4, 4, 0, 0, 0])
    with pytest.raises(ValueError, match="'weights_w' is assigned to, and shares memory with 'pair_0'"):
        both({"w": w}, [w, y])


def test_arguments_that_are_no_arrays():
    @sw.procedure
    def clear(c):
        c.assign(0.0)

    for value, message in [([1.0], "got a list"), (1.0, "got a float"), (np.float64(1), "got a float64")]:
        with pytest.raises(sw.ShapeError, match=f"only cells, .* have '.assign': {message}: pass np.array"):
            clear(value)
    with pytest.raises(TypeError, match=r"argument 'c': expected a NumPy array .*, got a sw.Tensor.*: pass np.array\(c\)"):
        clear(sw.Tensor(np.ones(2)))
    with pytest.raises(
        sw.ShapeError, match=r"argument 'c': .* got a traced tensor: procedures change arrays outside of sw.jit"
    ):
        sw.jit(clear)(np.ones(2))
    with pytest.raises(TypeError, match="argument 'c': expected arrays in tuples, lists and dicts, or a constant"):
        clear({1, 2})
    with pytest.raises(TypeError, match=r"sw.procedure: expected a function, got 3"):
        sw.procedure(3)


@pytest.mark.parametrize("value", [None, 1j, "a", [[1], [1, 2]]])
def test_variables_are_arrays_of_numbers(value):
    with pytest.raises(TypeError, match=r"sw.Variable: expected an array of numbers, got"):
        sw.Variable(value)
    assert [sw.Variable(each).value.dtype for each in (1, np.int32(1), [0.5])] == [np.float64, np.float32, np.float64]
