"""Procedures: assignments to arrays in place, gradients of variables, and merge buffers."""

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
    np.testing.assert_array_equal(sum_of_others(np.ones(2, np.float32)), [0, 0])


WORKER = """
import os, sys
import numpy as np, torch.distributed as group, stepwell as sw
group.init_process_group("gloo")
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


def run_processes(tmp_path, count, *args):
    worker = tmp_path / "worker.py"
    worker.write_text(WORKER)
    launch = ["-m", "torch.distributed.run", "--nproc-per-node", str(count), "--master-port", "0", "--max-restarts", "0"]
    command = [sys.executable, *launch, "--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0", str(worker), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=150)


@pytest.mark.feature("E14")
@pytest.mark.parametrize("count", [2, 4])
def test_processes_merge_their_gradients(tmp_path, count):
    pytest.importorskip("torch")
    result = run_processes(tmp_path, count)
    assert result.returncode == 0, result.stderr
    # Lines of several processes may run into each other.
    found = dict(re.findall(r"rank (\d) has ([0-9a-f]{24})", result.stdout))
    assert sorted(found) == [str(rank) for rank in range(count)]
    assert len(set(found.values())) == 1  # the same bits in all processes


@pytest.mark.feature("E14")
def test_a_process_that_ends_is_named(tmp_path):
    pytest.importorskip("torch")
    result = run_processes(tmp_path, 2, "die")
    assert result.returncode != 0 and "process 1 of 2 has ended, or did not answer" in result.stderr


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda c, x: c.assign(x), "'c' has 1 axes: cannot assign 2"),
        (lambda c, x: c.accumulate(x[0], "nand"), "'c': expected an accumulator, one of add, mul"),
        (lambda c, x: c.grad.assign(x[0]), "'c' has no gradient: pass a sw.Variable"),
        (lambda c, x: (c.assign(x[0]), c.merge), "'c' has been assigned to: read its merge buffer before"),
        (lambda c, x: c.assign(x, logic="ij = i"), "expected '=>' before the result"),
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
