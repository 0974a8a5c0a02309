"""Products of a matrix with its transpose: half of the tiles are computed, the others copied."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.passes.analysis.contractions import contractions_in
from stepwell.passes.analysis.equivalence import is_symmetric
from stepwell.passes.analysis.loop_nests import Frame, lowered_blocks
from stepwell.runtime.interpret.loop import run_loops

SYMMETRIC = {
    "columns": lambda xp, x: x.T @ x,
    "rows": lambda xp, x: x @ x.T,
    "covariance": lambda xp, x: (x - xp.sum(x, axis=0) / 7).T @ (x - xp.sum(x, axis=0) / 7),
    "distances": lambda xp, x: xp.sum(x * x, axis=1)[:, None] + xp.sum(x * x, axis=1) - 2 * (x @ x.T),
    "batch": lambda xp, x: xp.swapaxes(xp.stack([x, x * 3]), 1, 2) @ xp.stack([x, x * 3]),
    "einsum": lambda xp, x: xp.einsum("ki,kj->ji", x, x) * 2,
}
UNSYMMETRIC = {
    "another operand": lambda xp, x: x.T @ (x + 1),
    "an epilogue by columns": lambda xp, x: x.T @ x + xp.sum(x, axis=0),
    "an epilogue by places": lambda xp, x: xp.triu(x.T @ x),
    "a difference": lambda xp, x: x.T @ x + (xp.sum(x, axis=0)[:, None] - xp.sum(x, axis=0)),
    "another part": lambda xp, x: x[:, 1:].T @ x[:, :-1],
    "other sizes": lambda xp, x: x.T @ x[:, :5],
}


def symmetric(program) -> list[bool]:
    """Which contractions of a program of a matrix are symmetric."""
    module = parse_module(sw.lower(lambda x: program(sw, x), sw.Spec(("n", "m"))).ir("loop"), make_context())
    found = []
    for block in lowered_blocks(module):
        frame = Frame()
        frame.tree(block)
        found += [is_symmetric(each, frame) for each, _ in contractions_in(block.body.block, frame)]
    return found


@pytest.mark.parametrize("program", UNSYMMETRIC.values(), ids=UNSYMMETRIC.keys())
def test_products_that_are_not_symmetric(program):
    assert symmetric(program) == [False]


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_products(name):
    program = SYMMETRIC[name]
    assert any(symmetric(program)), "not found"
    compiled = sw.jit(lambda x: program(sw, x))
    for shape in ((0, 14), (1, 42), (66, 35), (300, 98), (42, 301)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        found, expected = compiled(x), program(np, x.astype(np.float64))
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3, err_msg=str(shape))
        assert np.array_equal(found, np.swapaxes(found, -1, -2)), shape


def test_what_lies_below_is_copied_on_the_loop_level():
    x = np.random.default_rng(0).standard_normal((7, 50)).astype(np.float32)
    scheduled = sw.lower(lambda x: x.T @ x / 3, sw.Spec(("n", "m"))).ir("scheduled")
    assert "loop.load %out" in scheduled
    found = np.empty((50, 50), np.float32)
    run_loops(entry_function(parse_module(scheduled, make_context())), [x, found], {"n": 7, "m": 50})
    np.testing.assert_allclose(found, x.T @ x / 3, rtol=1e-4, atol=1e-4)
