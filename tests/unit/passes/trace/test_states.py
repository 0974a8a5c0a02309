"""Snapshots are computed from recorded states: they equal the text that printing the module after each pass gives."""

import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.change_detection import state_of
from stepwell.ir.locations import Sources
from stepwell.ir.nesting import operations
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module, print_with_lines
from stepwell.lowering import all_passes
from stepwell.passes.manager.instruments import Instrument, PassRun
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.manager.pipeline import Nest
from stepwell.passes.trace.outputs import Outputs
from stepwell.passes.trace.recording import Trace
from stepwell.passes.trace.states import Replay
from xdsl.dialects.builtin import ModuleOp

BLOCKS = """
func.func @choose(%c: i1, %x: i32) -> i32 {
  %unused = arith.addi %x, %x : i32
  cf.cond_br %c, ^one(%x : i32), ^two
^one(%a: i32):
  %0 = arith.muli %a, %a : i32
  %1 = arith.muli %a, %a : i32
  %2 = arith.addi %0, %1 : i32
  cf.br ^end(%2 : i32)
^two:
  cf.br ^end(%x : i32)
^end(%b: i32):
  func.return %b : i32
}
"""


class Printing(Instrument):
    """Prints the module before the first pass and after each, and follows its outputs."""

    needs_recorder = True

    def __init__(self):
        self.states: list[tuple[str, list[int], list[object]]] = []
        self.trace = Trace(texts=True)
        self._sources = Sources()
        self._outputs: Outputs | None = None

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        self.trace.start(pipeline, module)
        self._add(module)

    def before(self, run: PassRun) -> None:
        self.trace.before(run)

    def after(self, run: PassRun) -> None:
        self.trace.after(run)
        self._add(run.module)

    def _add(self, module: ModuleOp) -> None:
        text, lines = print_with_lines(module)
        ops = operations(module)
        if self._outputs is None:
            self._outputs = Outputs(ops, self._sources)
        elif self.states[-1][0] != text or self.trace.steps[-1].before.contents is not self.trace.steps[-1].after.contents:
            self._outputs.follow(ops, self.trace.steps[-1].backward)
        self.states.append((text, [lines[op] for op in ops], list(self._outputs.yields)))


def check(text: str, pipeline: str) -> Printing:
    ctx, printing = make_context(), Printing()
    module = parse_module(text, ctx, "program.mlir")
    PassManager.parse(pipeline, ctx, all_passes(), instruments=[printing]).run(module)
    levels = printing.trace.levels
    assert len(levels) == len(printing.states)
    # The last first: states are built in any order.
    for snapshot, (printed, lines, _) in zip(levels[::-1], printing.states[::-1], strict=True):
        assert snapshot.text == printed
        assert [op.line for op in snapshot.ops] == lines
    for snapshot, (_, _, yields) in zip(levels, printing.states, strict=True):
        assert [op.yields for op in snapshot.ops] == yields
    return printing


def test_snapshots_are_as_printed():
    low = sw.lower(lambda x, w: sw.softmax(sw.relu(x @ w), axis=1), sw.Spec(("n", "m")), sw.Spec(("m", "k")))
    steps = [step.pass_name for step in low.trace.passes.steps]
    before = steps.index("lower-loop-to-cloop")
    # Machine-dependent passes require options: the others suffice here.
    chosen = [name for name in steps[:before] if not name.startswith(("loop-tile", "loop-pad", "rewrite-rules"))]
    assert any(step.has_effect for step in check(low.ir("graph"), ",".join(chosen)).trace.steps)


def test_blocks_and_successors_are_as_printed():
    printing = check(BLOCKS, "cse,dce,canonicalize")
    assert sum(step.has_effect for step in printing.trace.steps) >= 2


def test_a_module_that_is_unchanged_is_one_state():
    module = parse_module(BLOCKS, make_context())
    state = state_of(operations(module))
    assert state_of(operations(module), state) is state
    operations(module)[2].results[0].name_hint = "sum"
    changed = state_of(operations(module), state)
    assert changed is not state
    assert sum(one is other for one, other in zip(state, changed, strict=True)) == len(state) - 1, "the rest is shared"


def test_an_earlier_state_is_built_after_a_later_one():
    ctx = make_context()
    module = parse_module(BLOCKS, ctx)
    before, text = state_of(operations(module)), print_module(module)
    PassManager.parse("cse,dce", ctx, all_passes()).run(module)
    after, replay = state_of(operations(module), before), Replay()
    assert print_module(replay.load(after)[0]) == print_module(module) != text
    assert print_module(replay.load(before)[0]) == text
    assert print_module(replay.load(after)[0]) == print_module(module)
