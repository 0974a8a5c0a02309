"""The cache of printed text: each text with the cache equals the text of a print without it."""

from collections.abc import Callable
from io import StringIO

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.change_detection import state_of
from stepwell.ir.locations import file_location
from stepwell.ir.nesting import operations
from stepwell.ir.rewrite import erase
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.print_cache import PrintMemory
from stepwell.ir.text.printer import print_module, print_with_lines
from stepwell.lowering import all_passes
from stepwell.passes.manager.instruments import Instrument, PassRun
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.trace.recording import Trace
from xdsl.dialects.builtin import CallSiteLoc, StringAttr
from xdsl.ir import Operation
from xdsl.printer import Printer

PROGRAM = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %unused = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %0 = graph.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.mul %1, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %2 : tensor<4xf32>
}"""


def _rename(ops: list[Operation]) -> None:
    ops[3].results[0].name_hint = "sum"


def _use_another_operand(ops: list[Operation]) -> None:
    ops[5].operands[1] = ops[3].results[0]


def _swap_operands(ops: list[Operation]) -> None:
    ops[3].operands = tuple(reversed(ops[3].operands))


def _add_an_attribute(ops: list[Operation]) -> None:
    ops[4].attributes["note"] = StringAttr("new")


def _change_an_attribute(ops: list[Operation]) -> None:
    ops[4].attributes["note"] = StringAttr("other")


def _name_an_argument(ops: list[Operation]) -> None:
    ops[1].regions[0].block.args[0].name_hint = "input"


def _erase_the_first(ops: list[Operation]) -> None:
    erase(ops[2])


CHANGES = [
    _rename,
    _use_another_operand,
    _swap_operands,
    _add_an_attribute,
    _change_an_attribute,
    _name_an_argument,
    _erase_the_first,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_a_change_is_seen_and_printed(change: Callable[[list[Operation]], None]):
    module = parse_module(PROGRAM, make_context())
    ops = operations(module)
    ops[4].attributes["note"] = StringAttr("old")
    memory, state = PrintMemory(), state_of(ops)
    print_with_lines(module, memory=memory)
    assert state_of(operations(module), state) is state, "nothing has changed yet"
    before = print_module(module)
    change(ops)
    assert state_of(operations(module), state) is not state
    assert print_with_lines(module, memory=memory) == print_with_lines(module)
    assert print_module(module) != before, "the change is none that is printed"


def test_a_new_location_is_seen():
    ops = operations(parse_module(PROGRAM, make_context()))
    state = state_of(ops)
    ops[3].location = file_location("model.py", 1, 1)
    assert state_of(ops, state) is not state


def test_what_is_as_before_is_printed_from_memory():
    module = parse_module(PROGRAM, make_context())
    memory = PrintMemory()
    print_with_lines(module, memory=memory)
    memory.start()
    product = operations(module)[5]
    parts = memory.parts_of(product)
    assert parts is not None and [each for each in parts if not isinstance(each, str)] == [*product.results, *product.operands]


class _Texts(Instrument):
    """The text after each pass, printed anew."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def after(self, run: PassRun) -> None:
        self.texts.append(print_module(run.module))


def test_a_trace_shows_each_pass_as_it_would_be_printed():
    module = parse_module(PROGRAM, make_context())
    trace, texts = Trace(texts=True), _Texts()
    passes = "cse,dce,dce,lower-graph-to-uop,cse,lower-uop-to-loop,loop-simplify,loop-inline,loop-fuse,loop-simplify,cse"
    PassManager.parse(passes, make_context(), all_passes(), instruments=[trace, texts]).run(module)
    assert [step.after.text for step in trace.steps] == texts.texts
    assert len(set(texts.texts)) < len(texts.texts), "some pass changes nothing"
    assert operations(module) == list(module.walk())


@pytest.mark.parametrize("level", ["graph", "uop", "loop", "cloop"])
@pytest.mark.parametrize("debuginfo", [False, True], ids=["plain", "with locations"])
def test_attributes_that_come_again_in_a_print_are_as_xdsl_prints_them(level: str, debuginfo: bool):
    module = parse_module(sw.lower(sw.softmax, sw.Spec(("n", 4))).ir(level), make_context())
    assert print_module(module, generic=True, debuginfo=debuginfo) == _printed_by_xdsl(module, debuginfo)


def test_a_location_inside_of_another_one_is_printed_otherwise():
    module = parse_module(PROGRAM, make_context())
    first, second = operations(module)[2:4]
    second.location = CallSiteLoc(first.location, first.location)
    assert print_module(module, generic=True, debuginfo=True) == _printed_by_xdsl(module, debuginfo=True)


def _printed_by_xdsl(module: Operation, debuginfo: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=True, print_debuginfo=debuginfo).print_op(module)
    return stream.getvalue() + "\n"
