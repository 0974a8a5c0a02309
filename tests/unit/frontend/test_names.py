"""Names of arguments and sizes: names of Python that the IR does not accept, and names with another meaning in the IR."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import ShapeError


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("d0", "a size cannot be called 'd0': in index maps d0, d1 and so on are dimensions"),
        ("größe", "a size cannot be called 'größe': expected letters of ASCII"),
    ],
)
def test_names_of_sizes_that_texts_cannot_have(name, message):
    with pytest.raises(ValueError, match=message):
        sw.Spec((name, "m + 1"))
    with pytest.raises(ShapeError, match=message):
        sw.jit(lambda x: sw.uop.reindex([f"${name}"], x, index=["0"]))(np.ones(3, np.float32), **{name: 2})


def test_programs_with_any_names_of_arguments_are_texts():
    def sum_of(ñ, _0, d):
        return ñ + _0 + d["é"] + d["_1"] + d["1"]

    x = np.ones(3, np.float32)
    arguments = x, x, {"é": x, "_1": x, "1": x}
    np.testing.assert_array_equal(sw.jit(sum_of)(*arguments), 5 * x)
    low = sw.lower(sum_of, *arguments)
    for level in low.levels[:-1]:
        np.testing.assert_array_equal(sw.compile(low.ir(level))(x, x, x, x, x), 5 * x)
