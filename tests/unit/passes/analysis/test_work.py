"""The work from which threads start, against the counted steps of loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import stepwell as sw
from stepwell.dialects import loop, make_context
from stepwell.frontend.calls.traced import trace
from stepwell.ir.index.expressions import Atom, Dim, Index, Param
from stepwell.lowering.driver import lower
from stepwell.passes.analysis.loop_nests import lowered_blocks
from stepwell.passes.analysis.work import loops_in, steps_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue


def scheduled(model: Callable[..., Any], *specs: sw.Spec) -> ModuleOp:
    module = trace(model, list(specs)).module
    for _ in lower(module, make_context(), "cpu", until="scheduled"):
        pass
    return module


def counted(op: loop.ForOp, sizes: Mapping[str, int], places: dict[SSAValue, int]) -> int:
    """The innermost steps of a loop, counted one by one. Both branches count, and buffers begin at cache lines."""

    def value(expr: Index) -> int:
        def of(atom: Atom) -> int:
            if not isinstance(atom, Dim):
                return sizes[str(atom)]
            place = op.operands_at[atom.position]
            return 0 if isinstance(place.owner, loop.MisalignmentOp) else places[place]

        return expr.evaluate(of)

    trips, inside = range(value(op.lower), value(op.upper), op.step.value.data), list(loops_in(op.body.block))
    total = 0 if inside else len(trips)
    for places[op.induction] in trips if inside else ():
        total += sum(counted(each, sizes, places) for each in inside)
    return total


def attention(q, k, v):
    return sw.softmax(q @ sw.swapaxes(k, -1, -2), axis=-1) @ v


ROWS, CUBE = sw.Spec(("n", "m")), sw.Spec(("n", "m", "k"))
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[sw.Spec, ...]]] = {
    "elementwise": (sw.exp, (ROWS,)),
    "sums of rows": (lambda x: sw.sum(x, axis=1), (ROWS,)),
    "sums of columns": (lambda x: sw.sum(x, axis=0), (ROWS,)),
    "the sum of everything": (sw.sum, (ROWS,)),
    "softmax": (lambda x: sw.softmax(x, axis=1), (ROWS,)),
    "logsumexp": (lambda x: sw.logsumexp(x, axis=1), (ROWS,)),
    "logsumexp down columns": (lambda x: sw.logsumexp(x, axis=1), (CUBE,)),
    "softmax down columns": (lambda x: sw.softmax(x, axis=1), (CUBE,)),
    "variance": (lambda x: sw.var(x, axis=1), (ROWS,)),
    "transposed": (lambda x: sw.swapaxes(x, 0, 1) + 1, (ROWS,)),
    "attention": (attention, (CUBE, CUBE, CUBE)),
}
SIZES = [(1, 1, 1), (4, 8, 10), (2, 10, 16), (1, 400, 16), (130, 3, 2), (3, 70, 65), (2, 60, 64)]
LONG = [(1, 9000, 1), (70, 1030, 1)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_work_is_about_the_steps_that_are_taken(name):
    """A vector counts as the lanes that it holds, which may be one of sixteen."""
    model, specs = PROGRAMS[name]
    module = scheduled(model, *specs)
    blocks = [each for block in lowered_blocks(module) for each in loops_in(block.body.block)]
    shared = [op for op in blocks if op.kind.data == "parallel" and not op.operands_at]
    assert shared
    for n, m, k in [*SIZES, *(LONG if specs == (ROWS,) else ())]:
        params = {"n": n, "m": m, "k": k}
        for op in shared:
            steps = counted(op, params, {})
            estimate = steps_of(op, op.upper - op.lower).evaluate({Param(name): size for name, size in params.items()})
            assert steps / 20 <= estimate <= 1.6 * steps, (params, op.location)
