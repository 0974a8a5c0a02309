"""Rewriting: every new operation gets the sources of the operations that it replaces, and the recorder records it."""

from stepwell.ir.locations import Frame, file_location, frames
from stepwell.ir.rewrite import Builder, Recorder, absorb, count, derive_copy, erase, merge, recording, replace
from xdsl.dialects.arith import AddiOp, ConstantOp, MuliOp
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block


def program() -> tuple[Block, list]:
    """Two constants, two sums of them and a product, on lines 0 to 4."""
    one, two = ConstantOp.from_int_and_width(1, 32), ConstantOp.from_int_and_width(2, 32)
    first, second = AddiOp(one, two), AddiOp(one, two)
    ops = [one, two, first, second, MuliOp(first, second)]
    for line, op in enumerate(ops):
        op.location = file_location("f.py", line, 1)
    return Block(ops), ops


def lines(op) -> list[int]:
    return [frame.line for frame in frames(op.location)]


def test_replace_hands_over_uses_names_and_sources():
    _, (one, two, first, _, product) = program()
    first.result.name_hint = "sum"
    with recording(Recorder()) as recorder:
        new = AddiOp(two, one)
        replace(first, (new,))
    assert product.operands[0] is new.result and new.result.name_hint == "sum"
    assert lines(new) == [2]
    assert recorder.origins == {new: {first: None}} and first in recorder.erased


def test_merge_fuses_and_counts():
    _, (_, _, first, second, product) = program()
    with recording(Recorder()) as recorder:
        merge(first, second)
    assert product.operands[1] is first.result
    assert lines(first) == [2, 3]
    assert recorder.merged == 1 and second in recorder.erased


def test_absorb_leaves_the_other_in_place():
    block, (_, _, first, second, _) = program()
    absorb(first, second)
    assert second.parent is block and lines(first) == [2, 3]


def test_builder_inserts_for_its_sources():
    block, (one, two, first, second, _) = program()
    builder = Builder(block, first)
    with builder.source(first, second):
        new = builder.add(AddiOp(one, two))
    assert lines(new) == [2, 3] and block.last_op is new
    assert lines(builder.add(AddiOp(one, two))) == [2]


def test_nothing_is_recorded_outside_of_recording():
    _, (_, _, _, _, product) = program()
    recorder = Recorder()
    with recording(recorder):
        count("num-things", "Number of things", 2)
    count("num-things", "Number of things")
    erase(product)
    assert recorder.counters == {("num-things", "Number of things"): 2} and not recorder.erased


def test_frames_of_a_new_operation_have_no_unknowns():
    block, (one, *_) = program()
    new = Builder(block, one).add(ConstantOp.from_int_and_width(3, i32))
    assert frames(new.location) == (Frame("f.py", 0, 1),)


def test_operations_of_copies_have_the_sources_of_their_own_originals():
    """Operations of copies do not have the sources of the operations around them."""
    originals = []
    for first in (1, 11):
        inner = ConstantOp.from_int_and_width(1, 32)
        outer = ModuleOp([inner])
        inner.location, outer.location = file_location("f.py", first, 1), file_location("f.py", first + 1, 1)
        originals.append(outer)
    other = ConstantOp.from_int_and_width(1, 32)
    other.location = file_location("f.py", 20, 1)
    with recording(Recorder()) as recorder:
        copy = originals[0].clone()
        derive_copy(copy, *originals, others=(other,))
    (inner,) = copy.ops
    assert lines(copy) == [2, 12, 20] and lines(inner) == [1, 11, 20]
    assert list(recorder.origins[inner]) == [originals[0].body.block.first_op, originals[1].body.block.first_op, other]
