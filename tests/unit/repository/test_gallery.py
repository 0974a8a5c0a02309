"""The gallery: each example computes the same as its NumPy version, on small sizes."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

GALLERY = Path(__file__).resolve().parents[3] / "examples" / "gallery"
# For each function: its file, and odd sizes of a small problem, so that vectors and tiles have remainders.
SIZES = {
    "attention": ("attention", (33, 5)),
    "lstm_cell": ("lstm_cell", (3, 5, 7)),
    "max_pooling": ("max_pooling", (2, 3, 19)),
    "life": ("life", (13, 37)),
    "mandelbrot": ("mandelbrot", (31, 11)),
    "shortest_paths": ("shortest_paths", (19,)),
    "gaussian_filter": ("gaussian_filter", (31, 45)),
    "bincount": ("histogram", (1001,)),
    "histogram": ("histogram", (1001,)),
    "kmeans_step": ("kmeans_step", (103, 5, 7)),
    "nbody_step": ("nbody_step", (23,)),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_example_computes_what_numpy_does(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(GALLERY)
    file, sizes = SIZES[name]
    example = importlib.import_module(file)
    arguments = getattr(example, f"arguments_of_{name}", example.arguments)(*sizes)
    found, expected = getattr(example, name)(*arguments), getattr(example, f"{name}_numpy")(*arguments)
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, expected)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    del sys.modules[file]


def test_every_example_is_tested():
    assert {path.stem for path in GALLERY.glob("*.py")} - {"comparison"} == {file for file, _ in SIZES.values()}
