"""Lanes of a vector that share an element: it is loaded once if any of them is active."""

import numpy as np
from stepwell.tools.loop_programs import memref, over_vectors, program, results, results_below

X = memref("n * 16")


def test_an_element_is_not_loaded_where_no_lane_takes_part():
    """The element lies far beyond the buffer in all vectors except the first."""
    body = over_vectors(f"""
      %v = loop.load %x[%l] <(d0) -> ((d0 floordiv 16) * 1000000000000)> guard <(d0) -> (d0 - 2, 13 - d0)> fill 9.0
        : f32 : ({X}, index) -> f32
      loop.store %v into %y[%l] <(d0) -> (d0)> : f32, {X}, index""")
    x = np.arange(1, 49, dtype=np.float32)
    text = program(body, {"x": X, "y": X})
    (expected,) = results(text, [x], [x], 3)
    assert (expected == np.where((np.arange(48) >= 2) & (np.arange(48) <= 13), 1, 9)).all()
    for name, (found,) in results_below(text, [x], [x], 3).items():
        np.testing.assert_array_equal(found, expected, err_msg=name)
