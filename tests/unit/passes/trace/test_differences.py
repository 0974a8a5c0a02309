"""Differences between the texts before and after a pass: which lines are equal, changed, removed and added."""

import pytest
from stepwell.dialects import make_context
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import all_passes
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.trace.differences import Kind, differences, op_counts, rows_of
from stepwell.passes.trace.recording import Step, Trace
from stepwell.passes.trace.snapshots import Given, OpInfo, Snapshot

PROGRAM = """func.func @main(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.subi %b, %a : i32
  %3 = arith.muli %0, %1 : i32
  %4 = arith.muli %3, %a : i32
  func.return %4 : i32
}"""

LOOPS = """func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = graph.exp %x : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %1 = graph.exp %0 : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}"""


def traced(text: str, pipeline: str, *, texts: bool = True) -> list[Step]:
    trace, ctx = Trace(texts=texts), make_context()
    PassManager.parse(pipeline, ctx, all_passes(), instruments=[trace]).run(parse_module(text, ctx, "p.mlir"))
    return trace.steps


def shown(step: Step) -> list[str]:
    """The rows that differ, as a diff writes them."""
    before, after = (each.text.splitlines() for each in (step.before, step.after))
    lines: list[str] = []
    for kind, old, new in rows_of(differences(step)):
        if kind in (Kind.CHANGED, Kind.REMOVED):
            lines.append(f"- {before[old - 1].strip()}")
        if kind in (Kind.CHANGED, Kind.ADDED):
            lines.append(f"+ {after[new - 1].strip()}")
    return lines


def test_renumbered_lines_are_equal_and_lines_with_other_operands_are_not():
    cse, dce = traced(PROGRAM, "cse,dce")
    assert shown(cse) == [
        "- %1 = arith.addi %a, %b : i32",
        "- %2 = arith.subi %b, %a : i32",
        "- %3 = arith.muli %0, %1 : i32",
        "+ %1 = arith.muli %0, %0 : i32",  # the next line, which uses it, is only renumbered
    ]
    assert not dce.has_effect
    assert differences(dce) == [(Kind.EQUAL, 1, 1, len(dce.after.text.splitlines()))]


def test_the_rows_cover_both_texts_once_and_in_order():
    for step in traced(LOOPS, "lower-graph-to-uop,lower-uop-to-loop,loop-simplify,loop-inline,loop-fuse,cse,loop-vectorize"):
        rows = list(rows_of(differences(step)))
        assert [row.before for row in rows if row.before] == list(range(1, len(step.before.text.splitlines()) + 1))
        assert [row.after for row in rows if row.after] == list(range(1, len(step.after.text.splitlines()) + 1))
        for kind, before, after in rows:
            assert (bool(before), bool(after)) == (kind is not Kind.ADDED, kind is not Kind.REMOVED)


def test_a_moved_operation_is_removed_and_added():
    def snapshot(*lines: str) -> Snapshot:
        ops = (OpInfo(line.split()[2], (), number) for number, line in enumerate(lines, 1))
        return Snapshot("p", Given(tuple(ops), "\n".join(lines) + "\n"))

    before = snapshot("%0 = a.one %x", "%1 = a.two %x", "%2 = a.three %0, %1")
    after = snapshot("%0 = a.two %x", "%1 = a.one %x", "%2 = a.three %1, %0")
    step = Step("swap", before, after, ((1,), (0,), (2,)), ((1,), (0,), (2,)))
    kinds = [(row.kind, row.before, row.after) for row in rows_of(differences(step))]
    # One of the two is the moved operation. The names of its result are unknown on the other side: its user counts as changed.
    assert kinds == [(Kind.REMOVED, 1, 0), (Kind.EQUAL, 2, 1), (Kind.ADDED, 0, 2), (Kind.CHANGED, 3, 3)]


def test_a_trace_without_texts_has_no_differences_and_knows_effects():
    cse, dce = traced(PROGRAM, "cse,dce", texts=False)
    assert differences(cse) == []
    assert (cse.has_effect, dce.has_effect) == (True, False)


def test_counts_of_operations_and_counters_of_passes():
    (cse,) = traced(PROGRAM, "cse")
    assert op_counts(cse.before)["arith.addi"] == 2 and op_counts(cse.after)["arith.addi"] == 1
    assert cse.counters["Number of operations CSE'd"] == 1
    assert cse.seconds > 0


def test_a_trace_reads_back_from_json():
    trace, ctx = Trace(texts=True), make_context()
    PassManager.parse("cse,dce", ctx, all_passes(), instruments=[trace]).run(parse_module(PROGRAM, ctx, "p.mlir"))
    again = Trace.from_json(trace.to_json())
    assert again.to_json() == {**trace.to_json(), "steps": again.to_json()["steps"]}
    assert [step.forward for step in again.steps] == [step.forward for step in trace.steps]
    assert again.products("p.mlir:2") == trace.products("p.mlir:2")


@pytest.mark.parametrize(
    "data", [[], {}, {"version": 2}, *({"version": 1, "levels": each, "steps": []} for each in ([{}], []))]
)
def test_other_json_is_no_trace(data):
    with pytest.raises(ValueError, match="trace"):
        Trace.from_json(data)
