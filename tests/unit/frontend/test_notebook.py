"""The display of tensors, jitted functions and lowered programs in notebooks."""

from html.parser import HTMLParser

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.lowered.notebook import levels_html


class Reader(HTMLParser):
    """The texts of the cells, and that every element is closed."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.cells: list[list[str]] = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.cells.append([])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1].append(data)


def test_a_small_tensor_is_a_table():
    text = (sw.Tensor(np.array([[1, 2.5], [3, 4]], np.float32)) * 2)._repr_html_()
    assert "<b>Tensor</b> 2 x 2 float32" in text
    assert Reader(text).cells == [["2.", "5."], ["6.", "8."]]


@pytest.mark.parametrize(("shape", "rows", "columns"), [((3,), 1, 3), ((), 1, 1), ((30, 4), 11, 4), ((2, 100), 2, 11)])
def test_large_tensors_are_shown_in_part(shape, rows, columns):
    cells = Reader(sw.Tensor(np.zeros(shape))._repr_html_()).cells
    assert (len(cells), len(cells[0])) == (rows, columns)


@pytest.mark.parametrize("shape", [(0, 3), (2, 2, 2)])
def test_other_tensors_are_text(shape):
    text = sw.Tensor(np.zeros(shape))._repr_html_()
    assert not Reader(text).cells and "<pre>" in text


def test_a_jitted_function_says_what_it_did():
    @sw.jit
    def double(x):
        return x * 2

    double(np.ones(3))
    double(np.ones(4))
    assert double._repr_html_() == "<div><b>jitted function</b> <code>double</code> for cpu: 1 compiles, 1 hits</div>"


def test_a_lowered_program_has_its_levels():
    low = sw.lower(lambda x: sw.log(1 + sw.exp(x)), sw.Spec("n"))
    text = low._repr_html_()
    Reader(text)
    for level in low.levels:
        assert f"<summary>{level} (" in text
    assert "rewrite rules: " in text and "&lt;(d0) -&gt; (d0)&gt;" in text


def test_texts_of_programs_are_escaped_and_long_ones_cut():
    text = levels_html("<b>", "cpu", [("graph", "<script>\n" * 1000)], {"<i>": 1})
    assert "<script>" not in text and "<i>" not in text and "<code>&lt;b&gt;</code>" in text
    assert "600 more lines" in text
