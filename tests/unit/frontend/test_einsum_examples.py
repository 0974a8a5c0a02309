"""The forms of the notation of einsum and the examples of its source (OCANNL's syntax extensions), in the order in which these
are listed, against NumPy."""

import numpy as np
import pytest
import stepwell as sw

RNG = np.random.default_rng(5)
# Batch axes of 4 and 3, output axes of 2, 3, 4 and 5, input axes of 3 and 2.
X = RNG.standard_normal((4, 3, 2, 3, 4, 5, 3, 2))
Y = RNG.standard_normal(X.shape)
INPUTS, OUTPUTS = (6, 7), (2, 3, 4, 5)


def filled(value, neutral):
    """The value as the last of three entries along a new leftmost output axis; the others are neutral."""
    return np.stack([np.full_like(value, neutral), np.full_like(value, neutral), value], axis=-1)


EXAMPLES = {
    "...|...->... => 0": lambda x, y: [x.sum()],
    "...|... => 0": lambda x, y: [x.sum()],
    "... => 0": lambda x, y: [x.sum()],
    "...|...->... => ...|...->...": lambda x, y: x,
    "...|...->... ; ...|...->... => ...|...->...": lambda x, y: x * y,
    "...|...->... => ...->...": lambda x, y: x.sum((0, 1)),
    "...->... => ...->...": lambda x, y: x.sum((0, 1)),
    "2...|...->... => ...|...->...": lambda x, y: x[2],
    # An axis to the right of a row variable is the rightmost of its row.
    "...|... => ...|...2": lambda x, y: filled(x.sum(INPUTS), 0),
    "ijk => kji": lambda x, y: x.sum((0, 1, 2, *INPUTS)).transpose(2, 1, 0),
    "ijk => ki": lambda x, y: x.sum((0, 1, 2, 4, *INPUTS)).T,
    "..v..|ijk => ..v..kji": lambda x, y: x.sum((2, *INPUTS)).transpose(0, 1, 4, 3, 2),
    "2..v..|... => ..v..": lambda x, y: x[2].sum((1, 2, 3, 4, 5, 6)),
}
FORMS = {
    # Rows: the output row alone; input -> output; batch | output; all three.
    "i => i": lambda x, y: x.sum((0, 1, 2, 3, 4, *INPUTS)),
    "i->j => ij": lambda x, y: x.sum((0, 1, 2, 3, 4, 6)).T,
    "b|j => bj": lambda x, y: x.sum((0, 2, 3, 4, *INPUTS)),
    "b|i->j => jib": lambda x, y: x.sum((0, 2, 3, 4, 6)).transpose(1, 2, 0),
    # Axes left and right of a row variable.
    "b..v..c|i..w..k->o..u..p => cbo": lambda x, y: x.sum((3, 4, 5, *INPUTS)).transpose(1, 0, 2),
    "b...|...->... => b": lambda x, y: x.sum((1, *OUTPUTS, *INPUTS)),
    # A variable that moves to another row, the context-dependent ellipsis, and a variable by the name of a row.
    "..b..|..i..->..o.. => ..i..|..b..->..o..": lambda x, y: x.transpose(6, 7, 2, 3, 4, 5, 0, 1),
    "...|...->... => ..batch..": lambda x, y: x.sum((*OUTPUTS, *INPUTS)),
    # Identifiers with commas, and a trailing comma.
    "in1 -> out1, out2, => out2, in1": lambda x, y: x.sum((0, 1, 2, 3, 4, 6)),
    # A placeholder.
    "i_ => i": lambda x, y: x.sum((0, 1, 2, 3, 5, *INPUTS)),
    # Fixed indices on the left of each row.
    "1...|0...->1... => ...|...->...": lambda x, y: x[1][:, 1][..., 0, :],
}


@pytest.mark.feature("E1")
@pytest.mark.feature("E2")
@pytest.mark.feature("E3")
@pytest.mark.parametrize("text", [*EXAMPLES, *FORMS])
def test_the_value_is_that_of_the_document(text):
    expected = {**EXAMPLES, **FORMS}[text](X, Y)
    operands = (X, Y)[: 1 + text.count(";")]

    def model(*xs):
        return sw.einsum(text, *(sw.rows(x, batch=2, input=2) for x in xs))

    np.testing.assert_allclose(sw.jit(model, target="interpret")(*operands), expected, rtol=1e-9)


@pytest.mark.feature("E3")
def test_other_cells_have_the_neutral_element_of_the_accumulator():
    found = sw.jit(lambda x: sw.einsum("...|... => ...|...2", sw.rows(x, batch=2, input=2), accum="mul"), target="interpret")(X)
    np.testing.assert_allclose(found, filled(X.prod(INPUTS), 1), rtol=1e-9)
