"""The trace: every pass in both directions, composed; the outlined view and its inverse; tagging."""

from dataclasses import dataclass

import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions.verification import verify
from stepwell.ir.locations import UNKNOWN, file_location, frames, is_known
from stepwell.ir.rewrite import Builder, erase, replace
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import all_passes
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.manager.rewrite_listener import Attributed, SourceListener
from stepwell.passes.trace.outlined_view import inline, outline
from stepwell.passes.trace.recording import Trace
from stepwell.passes.trace.tagging import collect, fill
from xdsl.context import Context
from xdsl.dialects.arith import AddiOp, MuliOp, ShLIOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.rewriter import InsertPoint

# Operations by number: 0 module, 1 function, then one a line, from line 2 on.
PROGRAM = """func.func @main(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  %3 = arith.subi %a, %2 : i32
  func.return %2 : i32
}"""


@dataclass(frozen=True)
class Split(ModulePass):
    """Writes a product as the sum of two products, through an operation that is erased again."""

    name = "split"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for product in [each for each in op.walk() if isinstance(each, MuliOp)]:
            passing = ShLIOp(product.lhs, product.rhs)
            replace(product, (passing,))
            left, right = MuliOp(passing.lhs, passing.rhs), MuliOp(passing.lhs, passing.rhs)
            replace(passing, (left, right, AddiOp(left, right)))


@dataclass(frozen=True)
class Regroup(ModulePass):
    """Makes two operations from three: each derives from two of them."""

    name = "regroup"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        first, second, product = [each for each in op.walk() if isinstance(each, AddiOp | MuliOp)]
        builder = Builder(InsertPoint.before(product), first, second)
        left = builder.add(ShLIOp(first.lhs, second.rhs))
        with builder.source(second, product):
            right = builder.add(ShLIOp(left, first.rhs))
        product.result.replace_all_uses_with(right.result)
        for gone in (product, second, first):
            erase(gone)


def run(passes: str | list[ModulePass], text: str = PROGRAM, texts: bool = True) -> tuple[Trace, ModuleOp]:
    ctx = make_context()
    module = parse_module(text, ctx, "main.py")
    trace = Trace(texts=texts)
    if isinstance(passes, str):
        PassManager.parse(passes, ctx, all_passes(), instruments=[trace]).run(module)
    else:
        PassManager(passes, ctx, instruments=[trace]).run(module)
    return trace, module


def lines_of(trace: Trace, op: int, level: int = -1) -> list[int]:
    return [frame.line for frame in trace.sources_of(op, level)]


def test_a_pass_that_changes_nothing_maps_each_operation_to_itself():
    trace, _ = run("canonicalize", "func.func @f(%a: i32) -> i32 {\n  func.return %a : i32\n}")
    (step,) = trace.steps
    assert step.backward == step.forward == ((0,), (1,), (2,))
    assert step.deleted == ()


def test_deletion():
    (step,) = run("dce")[0].steps
    assert step.deleted == (5,) and step.forward[5] == ()
    assert step.backward == ((0,), (1,), (2,), (3,), (4,), (6,))


def test_merging():
    trace, _ = run("cse")
    (step,) = trace.steps
    assert step.backward[2] == (2, 3) and step.forward[2] == step.forward[3] == (2,)
    assert lines_of(trace, 2) == [2, 3]


def test_one_to_many_through_operations_that_do_not_stay():
    trace, _ = run([Split()])
    (step,) = trace.steps
    assert step.forward[4] == (4, 5, 6)
    assert [lines_of(trace, op) for op in (4, 5, 6)] == [[4]] * 3


def test_many_to_many():
    trace, _ = run([Regroup()])
    (step,) = trace.steps
    assert step.backward[2:4] == ((2, 3), (3, 4))
    assert step.forward[2:5] == ((2,), (2, 3), (3,))


class AddBeside(RewritePattern):
    """Inserts a sum before a product, once, and replaces nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, MuliOp) and not isinstance(op.prev_op, ShLIOp):
            rewriter.insert(ShLIOp(op.lhs, op.rhs))


def test_what_a_pattern_of_xdsl_inserts_comes_from_what_it_matched():
    module = parse_module(PROGRAM, make_context(), "main.py")
    sources = SourceListener()
    PatternRewriteWalker(Attributed(AddBeside(), sources), listener=sources.listener).rewrite_module(module)
    (new,) = [op for op in module.walk() if isinstance(op, ShLIOp)]
    assert [frame.line for frame in frames(new.location)] == [4]


def test_composition_over_the_pipeline():
    ctx = make_context()
    module = parse_module(PROGRAM, ctx, "main.py")
    trace = Trace()
    cse, dce = (all_passes().find(name) for name in ("cse", "dce"))
    assert cse is not None and dce is not None
    PassManager([cse(), Split(), dce()], ctx, instruments=[trace]).run(module)
    assert [snapshot.level for snapshot in trace.levels] == ["input", "cse", "split", "dce"]
    assert trace.descendants(3) == (2,) and trace.descendants(4) == (3, 4, 5) and trace.descendants(5) == ()
    assert trace.ancestors(2) == (2, 3) and trace.ancestors(5) == (4,)
    assert trace.ancestors(5, level=-1, to=-2) == (5,)
    for op in range(len(trace.levels[-1].ops)):
        assert all(op in trace.descendants(origin) for origin in trace.ancestors(op))


def test_pipelines_on_one_module_make_one_trace():
    ctx = make_context()
    module = parse_module(PROGRAM, ctx, "main.py")
    trace = Trace()
    for pipeline in ("cse", "dce"):
        PassManager.parse(pipeline, ctx, all_passes(), instruments=[trace]).run(module)
    Split().apply(ctx, module)
    PassManager([Split()], ctx, instruments=[trace]).run(module)
    assert [step.pass_name for step in trace.steps] == ["cse", "dce", "outside", "split"]
    assert trace.steps[1].before.level == "cse"
    assert trace.descendants(2, level=0, to=2) == (2,)
    assert trace.ancestors(2) == (2, 3)
    other = parse_module(PROGRAM, ctx, "other.py")
    PassManager.parse("cse", ctx, all_passes(), instruments=[trace]).run(other)
    assert [step.pass_name for step in trace.steps] == ["cse"]


def test_products_of_a_source_line():
    trace, module = run("cse,dce")
    assert trace.products("main.py:3") == [("input", 4), ("cse", 3), ("dce", 3)]
    assert trace.products("main.py:5") == [("input", 6)]
    assert trace.products("main.py:99") == [] == trace.products("ain.py:3")
    for place in ("main.py", "main.py:", ":3"):
        with pytest.raises(ValueError, match=f"expected a position such as 'model.py:12', got '{place}'"):
            trace.products(place)
    assert trace.levels[-1].text == print_module(module)
    assert trace.levels[-1].at_line(3) == (2,)


def test_the_operation_that_yields_a_lines_output():
    """Two additions come from line 2, and three operations from line 4: a value that leaves a line is its output, and so is a
    returned value."""
    text = """func.func @main(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("m.py":2:1)
  %1 = arith.addi %0, %a : i32 loc("m.py":2:5)
  %2 = arith.muli %1, %1 : i32 loc("m.py":4:1)
  %3 = arith.addi %2, %1 : i32 loc(fused["m.py":4:5, "m.py":9:1])
  %4 = arith.muli %2, %3 : i32 loc("m.py":4:9)
  func.return %4 : i32 loc("m.py":5:1)
} loc("m.py":1:1)"""
    trace, _ = run([Split()], text)
    assert trace.outputs("m.py:2") == [("input", 4), ("split", 4)]
    assert trace.outputs("m.py:9")[0] == ("input", 6)
    assert trace.outputs("m.py:3") == []
    # The last product became a sum of two products: the sum yields.
    before, after = trace.outputs("m.py:4")
    assert before == ("input", 7) and trace.outputs("m.py:1") == [before, after]
    last = trace.levels[-1]
    assert [last.ops[op].name for op in last.at_line(after[1])] == ["arith.addi"]
    yields = [op["yields"] for op in trace.to_json()["levels"][0]["ops"]]
    assert [["m.py", 2, 5, ""]] in yields and [["m.py", 4, 9, ""], ["m.py", 1, 1, ""]] in yields


def test_snapshots_are_named_after_the_pass_that_follows():
    trace, _ = run("cse,canonicalize,cse")
    assert [step.before.name for step in trace.steps] == [
        "main_before_cse_0",
        "main_before_canonicalize_0",
        "main_before_cse_1",
    ]
    assert trace.snapshot("before", "cse").text == print_module(parse_module(PROGRAM, make_context()))
    assert trace.snapshot("after", "cse", 1) is trace.steps[2].after
    with pytest.raises(KeyError):
        trace.snapshot("before", "dce")


def test_passes_of_xdsl_leave_no_operation_without_a_source():
    text = """func.func @f(%n: index, %a: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i32) {
        %t = arith.addi %s, %a : i32
        scf.yield %t : i32
      }
      func.return %0 : i32
    }"""
    trace, module = run("convert-scf-to-cf,convert-arith-to-riscv", text)
    assert not [op.name for op in module.walk() if not is_known(op.location)]
    assert all(step.backward[op] for step in trace.steps for op in range(len(step.after.ops)))


def test_a_new_operation_in_the_place_of_an_old_one_comes_from_it():
    trace, _ = run("convert-arith-to-riscv")
    (step,) = trace.steps
    made = [op for op, info in enumerate(step.after.ops) if info.name == "riscv.mul"]
    assert [step.backward[op] for op in made] == [(4,)]


def test_tracing_does_not_change_the_ir():
    _, traced = run("canonicalize,cse")
    ctx = make_context()
    plain = parse_module(PROGRAM, ctx, "main.py")
    PassManager.parse("canonicalize,cse", ctx, all_passes()).run(plain)
    assert print_module(plain, debuginfo=True) == print_module(traced, debuginfo=True)


def test_without_texts_there_are_none():
    trace, _ = run("cse", texts=False)
    assert all(snapshot.text is None for snapshot in trace.levels)
    assert trace.descendants(3) == (2,)


GROUPS = """func.func @main(%a: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("model.py":3:9)
  %1 = arith.muli %0, %a : i32 loc("model.py":3:5)
  %sum = scf.if %c -> (i32) {
    %2 = arith.addi %0, %1 : i32 loc("model.py":5:1)
    scf.yield %2 : i32 loc("model.py":5:1)
  } else {
    scf.yield %a : i32 loc("model.py":6:1)
  } loc("model.py":4:1)
  %3 = arith.addi %sum, %1 : i32 loc("model.py":3:5)
  func.return %3 : i32
}"""


def test_outline_gives_each_source_group_a_function():
    module = parse_module(GROUPS, make_context(), "t.mlir")
    view = outline(module)
    verify(view)
    text = print_module(view)
    assert [line.split("(")[0].strip() for line in text.split("\n") if "func.func" in line] == [
        "func.func @main",
        "func.func private @outlined_model_3_0",
        "func.func private @outlined_model_4_0",
        "func.func private @outlined_model_3_1",
    ]
    assert text.count("func.call") == 3
    assert "%sum = func.call @outlined_model_4_0" in text, "values keep their names"


@pytest.mark.parametrize("text", [GROUPS, PROGRAM])
def test_inline_is_the_inverse_of_outline(text: str):
    module = parse_module(text, make_context(), "t.mlir")
    before = print_module(module, debuginfo=True)
    assert print_module(inline(outline(module)), debuginfo=True) == before
    assert print_module(module, debuginfo=True) == before


def tagged() -> tuple[dict[int, Operation], ModuleOp]:
    module = parse_module(PROGRAM, make_context(), "main.py")
    ops = dict(enumerate(module.walk()))
    for op in ops.values():
        op.location = UNKNOWN
    return ops, module


def test_collect_has_the_inputs_once():
    ops, _ = tagged()
    assert collect(ops[5], [ops[2]]) == [ops[2], ops[3], ops[4], ops[5]]
    assert collect(ops[4].results[0], []) == [ops[2], ops[3], ops[4]]


def test_fill_leaves_out_the_inputs_and_stops_at_what_has_a_source():
    ops, _ = tagged()
    ops[3].location = file_location("other.py", 1, 1)
    assert fill(ops[5], [ops[2]], file_location("rule.py", 7, 1)) == [ops[4], ops[5]]
    assert not is_known(ops[2].location) and ops[3].location == file_location("other.py", 1, 1)
