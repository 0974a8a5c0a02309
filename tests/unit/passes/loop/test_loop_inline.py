"""The cost of inlining, which the text of its result does not show; and long programs compile."""

import numpy as np
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.rewrite import Recorder, recording
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.uop_to_loop.lower_uop_to_loop import LowerUopToLoop
from stepwell.passes.loop.fusion.loop_inline import LoopInline


def chain(length):
    """A function of `length` steps, each of two operations."""

    def function(x):
        for _ in range(length):
            x = sw.sin(x) * 0.5
        return x

    return function


def operations_made(length):
    """How many operations inlining makes of a chain of elementwise functions."""
    ctx = make_context()
    module = parse_module(sw.lower(chain(length), sw.Spec(("n",)), trace=False).ir("uop"), ctx)
    LowerUopToLoop().apply(ctx, module)
    recorder = Recorder()
    with recording(recorder):
        LoopInline().apply(ctx, module)
    return len(recorder.origins)


def test_every_statement_is_copied_once():
    """Copying a producer together with all that is inlined into it, for each link of the chain, would be four times the
    work."""
    assert operations_made(60) < 2.2 * operations_made(30)


def test_a_program_of_more_operations_than_python_recurses():
    x = np.linspace(-1, 1, 5)
    expected = x
    for _ in range(600):
        expected = np.sin(expected) * 0.5
    np.testing.assert_allclose(sw.jit(chain(600))(x), expected, rtol=1e-12)
