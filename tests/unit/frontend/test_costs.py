"""`low.cost`: the predicted bytes, operations and time of a program."""

from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import CompileError
from stepwell.tools.opt.main import main


def lowered(function, *shapes, target="cpu"):
    return sw.lower(function, *(sw.Spec(shape, "float32") for shape in shapes), target=target)


def rows_and_columns(x, w):
    rows = x @ w
    return sw.sum(x, axis=0), rows


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_a_matrix_counts_more_than_vectors():
    cost = lowered(lambda x, w: x @ w, ("n", "m"), ("m",)).cost(n=8192, m=4096)
    size = 8192 * 4096 * 4
    assert size <= cost.bytes["memory"] <= 1.02 * size
    assert cost.flops == pytest.approx(2 * 8192 * 4096, rel=0.05)
    assert cost.blocks[0].bound == "memory"


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_what_fits_into_a_cache_is_there():
    small = lowered(lambda x: sw.exp(x) + 1, ("n",)).cost(n=1000)
    assert small.bytes["L2"] == small.bytes["memory"] == 0
    assert small.blocks[0].bound == "arithmetic"
    middle = lowered(lambda x: x + 1, ("n",)).cost(n=100_000)
    assert middle.bytes["L2"] > 0 and middle.bytes["L3"] == 0


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_time_grows_with_sizes_and_shrinks_with_threads():
    low = lowered(rows_and_columns, ("n", "m"), ("m",))
    times = [low.cost(n=n, m=1000).seconds for n in (10, 100, 1000, 10_000)]
    assert times == sorted(times) and times[-1] > 50 * times[0]
    assert low.cost(n=10_000, m=1000, threads=2).seconds < times[-1]
    # 24 MB fit into the last-level cache of one machine, not of the other.
    assert low.cost(n=6000, m=1000, machine="avx2").seconds > low.cost(n=6000, m=1000).seconds


def test_lines_share_the_time():
    low = lowered(rows_and_columns, (400, 300), (300,))
    cost, lines = low.cost(), rows_and_columns.__code__.co_firstlineno
    found = {line for _, line in cost.by_line()}
    assert found == {lines + 1, lines + 2}
    assert sum(cost.by_line().values()) + cost.call == pytest.approx(cost.seconds)
    table = str(cost)
    assert "us predicted, 1 thread" in table and f"{Path(__file__).name}:{lines + 1}" in table


def test_each_step_of_a_scan_counts():
    def steps(init, xs):
        return sw.scan(lambda carry, x: (sw.tanh(carry @ x), None), init, xs)[0]

    once, often = (lowered(steps, (64, 64), (count, 64, 64)).cost() for count in (1, 10))
    assert often.flops == pytest.approx(10 * once.flops, rel=0.1)


def test_no_elements_cost_next_to_nothing():
    cost = lowered(lambda x: sw.sum(x), ("n",)).cost(n=0)
    assert cost.flops < 1000 and cost.bytes["memory"] == 0


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"n": 1}, TypeError, "the sizes m are missing: give m=..."),
        ({"n": 1, "m": 2, "k": 3}, TypeError, "there is no size 'k'"),
        ({"n": -1, "m": 2}, ValueError, "the size 'n' must not be negative, got -1"),
        ({"n": 1, "m": 2, "threads": 0}, ValueError, "expected at least one thread, got 0"),
        ({"n": 1, "m": 2, "machine": "zen9"}, CompileError, "unknown machine 'zen9': did you mean 'zen5'"),
    ],
)
def test_what_does_not_fit(given, error, message):
    with pytest.raises(error, match=message):
        lowered(rows_and_columns, ("n", "m"), ("m",)).cost(**given)


def test_other_targets_have_no_cost():
    with pytest.raises(CompileError, match="target 'interpret' has no cost model"):
        lowered(lambda x: x + 1, (4,), target="interpret").cost()


def test_what_is_compiled_around_functions_of_the_host_counts():
    median = sw.define_op("median_of_costs", "A[n] -> []")

    @median.impl_host("cpu")
    def on_the_host(a):
        return np.median(a)

    with_host = lowered(lambda x: median(sw.exp(x)) + sw.sum(x * x), ("n",)).cost(n=100_000)
    alone = lowered(lambda x: sw.exp(x), ("n",)).cost(n=100_000)
    assert with_host.seconds > alone.seconds
    assert [block.number for block in with_host.blocks] == list(range(len(with_host.blocks)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--emit=scheduled", "--print-cost"], "error: --print-cost: the sizes n are missing: give n=..."),
        (["--emit=scheduled", "--print-cost=n"], "error: --print-cost: expected sizes such as n=4096,m=1024, got 'n'"),
        (["--print-cost=n=3"], "error: --print-cost: expected blocks of scheduled loops, as --emit=scheduled gives them"),
    ],
)
def test_print_cost_without_what_it_needs(words, message, tmp_path, capsys):
    (tmp_path / "p.mlir").write_text(
        "func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {\n"
        '  %y = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>\n'
        "  func.return %y : tensor<?xf32, #sw.shape<[n]>>\n}\n"
    )
    assert main([f"{tmp_path}/p.mlir", *words]) == 1
    assert message in capsys.readouterr().err
