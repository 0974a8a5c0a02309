"""The cost of lowering grows linearly with the length of a program, by counts of Python's calls, which are the same in each
run."""

import cProfile
import math
from collections import Counter

import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.jit import traced_for
from stepwell.lowering import all_passes
from stepwell.lowering.pipelines import CPU
from stepwell.passes.manager.instruments import Instrument, PassRun
from stepwell.passes.manager.pass_manager import PassManager

from benchmarks.growth import SHAPE, graph

SHORT, LONG = 300, 900
# The exponent of the growth of compile times, as in benchmarks/results/growth.md. Shorter programs fit into the windows that
# passes look through: their times would not show the growth.
MOST = 1.2
# A pass that makes fewer calls for each operation does not matter among the 30,000 calls of all passes. The few calls of
# `loop-contract-buffers` grow in steps: it asks the cost model about each loop that keeps a temporary of rows, and random
# graphs of 300 operations have none of these.
LITTLE = 100


class Calls(Instrument):
    """Counts the calls of each pass."""

    def __init__(self):
        self.counts: Counter[str] = Counter()
        self._profile = cProfile.Profile()

    def before(self, run: PassRun) -> None:
        self._profile = cProfile.Profile()
        self._profile.enable()

    def after(self, run: PassRun) -> None:
        self._profile.disable()
        self.counts[run.pass_.name] += sum(each.callcount for each in self._profile.getstats())


def calls_of(program, length: int) -> Counter[str]:
    module = traced_for(lambda x: program(x, length), [sw.Spec(SHAPE)], {}).module
    calls = Calls()
    passes = ",".join(each for stage in CPU for each in stage.passes)
    PassManager.parse(passes, make_context(), all_passes(), verify_each=False, instruments=[calls]).run(module)
    return calls.counts


def test_no_pass_grows_faster_than_its_program():
    short, long = (calls_of(graph, length) for length in (SHORT, LONG))
    exponents = {name: math.log(long[name] / short[name]) / math.log(LONG / SHORT) for name in short}
    steep = {name: each for name, each in exponents.items() if each > MOST and long[name] > LITTLE * LONG}
    assert not steep, {name: (short[name], long[name]) for name in steep}
