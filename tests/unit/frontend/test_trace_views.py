"""`sw.trace` on the tensors that users hold: collect and fill between tensors of a function that is being traced."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.locations import Frame, frames

pytestmark = pytest.mark.feature("T7")


def lowered(body, trace):
    """The result of `body`, called with two tensors of a traced function."""
    found = []

    def function(x, w):
        y, result = body(x, w)
        found.append(result)
        return y

    low = sw.lower(function, sw.Spec(("n", 4)), sw.Spec((4, "m")), trace=trace)
    return low, found[0]


def names(ops):
    return [op.name for op in ops]


def test_collect_takes_tensors():
    def body(x, w):
        product = x @ w
        y = sw.exp(product) + sw.sin(x) @ w
        return y, (sw.trace.collect(y, [x, w]), sw.trace.collect(y, [product]))

    _, (everything, later) = lowered(body, trace=True)
    assert names(everything) == ["graph.matmul", "graph.exp", "graph.sin", "graph.matmul", "graph.add"]
    assert names(later) == names(everything) and len(set(later)) == len(later)  # the input is included, once


def test_fill_tags_what_has_no_source_and_stops_at_the_inputs():
    def body(x, w):
        product = x @ w
        y = sw.exp(product) + product
        return y, sw.trace.fill(y, [product], "layers.toml:12")

    _, tagged = lowered(body, trace=False)
    assert names(tagged) == ["graph.exp", "graph.add"]
    assert {frames(op.location) for op in tagged} == {(Frame("layers.toml", 12, 1),)}


def test_fill_leaves_lines_of_the_user_as_they_are():
    def body(x, w):
        y = sw.exp(x @ w)
        return y, sw.trace.fill(y, [x], "layers.toml:12")

    low, tagged = lowered(body, trace=True)
    assert tagged == [] and low.trace.products("layers.toml:12") == []


@pytest.mark.parametrize("source", ["rule.py:7", "rule.py:7:1", Frame("rule.py", 7, 1)])
def test_sources_as_users_write_them(source):
    def body(x, w):
        y = sw.exp(x)
        op = y.value.owner
        from stepwell.ir.locations import UNKNOWN

        op.location = UNKNOWN
        assert sw.trace.fill(y, [x], source) == [op]
        return y @ w, frames(op.location)

    low, found = lowered(body, trace=True)
    assert [(frame.file, frame.line) for frame in found] == [("rule.py", 7)]
    assert low.trace.products("rule.py:7")


def test_a_function_is_a_source():
    def rule():
        pass

    def body(x, w):
        from stepwell.ir.locations import UNKNOWN

        y = sw.exp(x)
        y.value.owner.location = UNKNOWN
        sw.trace.fill(y, [x], rule)
        return y @ w, frames(y.value.owner.location)

    _, (frame,) = lowered(body, trace=True)
    assert (frame.function, frame.line) == ("rule", rule.__code__.co_firstlineno)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda t: sw.trace.collect(t, []), TypeError, "entry: a tensor has operations only inside of a function"),
        (lambda t: sw.trace.collect(3, []), TypeError, "entry: expected an operation, a value or a tensor, got int"),
        (lambda t: sw.trace.collect(t, t), TypeError, "expected a list of nodes|entry: a tensor has"),
    ],
)
def test_nodes_that_are_none(call, error, message):
    with pytest.raises(error, match=message):
        call(sw.Tensor(np.ones(3)))


def test_sources_that_are_none():
    def body(x, w):
        with pytest.raises(ValueError, match=r"expected a position such as 'layers.toml:12', got 'layers.toml'"):
            sw.trace.fill(x, [], "layers.toml")
        with pytest.raises(TypeError, match="source: expected a position, a function of Python or a location, got int"):
            sw.trace.fill(x, [], 12)
        with pytest.raises(TypeError, match="inputs: expected a list of nodes, got one Tensor"):
            sw.trace.fill(x, x, "layers.toml:1")
        return x @ w, None

    lowered(body, trace=True)


def test_mistakes_in_questions_about_a_trace():
    low = sw.lower(lambda x: sw.exp(x), sw.Spec("n"))
    with pytest.raises(TypeError, match=r"expected a position such as 'model.py:12', got 3"):
        low.trace.products(3)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        low.trace.sources("3")
    for view in (sw.trace.outline, sw.trace.inline):
        with pytest.raises(TypeError, match=r"expected a module, as .*parse_module makes it, got str"):
            view(low.ir("uop"))
