"""The examples in the docstrings of operations, which the page of dialects shows, parse and are valid."""

import inspect
import re

import pytest
from stepwell.dialects import DIALECTS, make_context
from stepwell.ir.lazy_import import load
from stepwell.ir.text.parser import Source, _Parser
from xdsl.ir import Block
from xdsl.traits import HasParent, IsTerminator

# Operations that are valid beside others only: a variable, a function, a block around private memory.
NEED_OTHERS = ("cloop.assign", "cloop.call", "loop.alloc")
_CODE = re.compile(r"`([^`]+)`")


def examples() -> list[tuple[str, str]]:
    """The whole examples, without an ellipsis, of each operation by its name, the context of the first one."""
    found: list[tuple[str, str]] = []
    for _, place in DIALECTS:
        for op in load(place, "stepwell.dialects").operations:
            text = " ".join((inspect.getdoc(op) or "").split())
            whole = (each for each in _CODE.findall(text) if re.search(rf"(^|= ){re.escape(op.name)}\b", each))
            found += [(op.name, each) for each in whole if "..." not in each and each != op.name]
    return found


EXAMPLES = examples()


def test_most_operations_have_a_whole_example():
    assert len({name for name, _ in EXAMPLES}) >= 85


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[f"{name}-{k}" for k, (name, _) in enumerate(EXAMPLES)])
def test_the_example_is_valid(name, text):
    parser = _Parser(make_context(), Source(text, "example"))
    op = parser.parse_operation()
    assert op.name == name and parser.pos == len(text), f"{text[parser.pos :]!r} is left over"
    # The operands are arguments of a block, with the types that the example says.
    block = Block(arg_types=[operand.type for operand in op.operands])
    op.operands = block.args
    if not op.has_trait(IsTerminator) and not op.get_traits_of_type(HasParent) and name not in NEED_OTHERS:
        block.add_op(op)
        op.verify(verify_nested_ops=False)
