"""Long programs, whose blocks are compiled side by side."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.functions import entry_function, function_params
from stepwell.ir.parsing import parse_module
from stepwell.runtime import units
from stepwell.runtime.code import Code
from stepwell.runtime.cpu import THREADS, CpuProgram
from stepwell.runtime.interpret_loops import run_loops
from stepwell.runtime.units import Section, sections_of, shared_out

RNG = np.random.default_rng(8)


def layers(x: sw.Tensor, rows: sw.Tensor, *weights: sw.Tensor) -> sw.Tensor:
    for weight in weights:
        x = sw.tanh(sw.softmax(x @ weight, axis=-1) @ weight)
    return sw.take(x, rows, axis=0)


def arguments() -> list[Any]:
    weights = [RNG.standard_normal((19, 19)).astype(np.float32) for _ in range(3)]
    return [RNG.standard_normal((7, 19)).astype(np.float32), np.array([3, 0, 6]), *weights]


def attention(q: sw.Tensor, k: sw.Tensor, v: sw.Tensor) -> sw.Tensor:
    return sw.softmax(q @ sw.matrix_transpose(k) / 8, axis=-1) @ v


def queries() -> list[Any]:
    """Queries, keys and values of six heads, which keep two threads busy."""
    return [RNG.standard_normal((2, 3, *shape)).astype(np.float32) for shape in ((70, 17), (90, 17), (90, 20))]


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> list[Code]:
    """The codes that are compiled in the test."""
    seen: list[Code] = []
    start = CpuProgram.__init__

    def watched(self: CpuProgram, code: Code, *rest: Any) -> None:
        seen.append(code)
        start(self, code, *rest)

    monkeypatch.setattr(CpuProgram, "__init__", watched)
    return seen


def number_of_units(code: Code) -> int:
    return len({section.unit for section in sections_of(code.text)})


def test_a_long_program_is_compiled_in_units(codes: list[Code]):
    given = arguments()
    result = sw.jit(layers)(*given)
    assert number_of_units(codes[0]) > 3
    exact = sw.jit(layers, target="interpret")(
        *[each.astype(np.float64) if each.dtype == np.float32 else each for each in given]
    )
    np.testing.assert_allclose(result, exact, rtol=2e-5)


def test_units_come_back_from_the_cache(codes: list[Code], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    given = arguments()
    first = sw.jit(layers)(*given)
    monkeypatch.setattr(Code, "of", None)
    np.testing.assert_array_equal(first, sw.jit(layers)(*given))
    assert codes[0] == codes[1] == Code.read(codes[0].write()) and number_of_units(codes[1]) > 3


def test_a_check_in_a_unit_ends_the_program():
    given = arguments()
    given[1] = np.array([3, 7, 6])
    with pytest.raises(IndexError, match=r"test_units.py:\d+.*index 7"):
        sw.jit(layers)(*given)


def test_a_long_block_is_cut_inside_of_its_loops(codes: list[Code]):
    """Both products of a head are done in one loop over the heads."""
    given = queries()
    lowered = sw.lower(attention, *given)
    assert lowered.structure().blocks == 1
    result = sw.jit(attention)(*given)
    assert number_of_units(codes[-1]) > 1 and "sw_parameters[]" in codes[-1].text
    np.testing.assert_allclose(result, attention_of(given), rtol=2e-5, atol=2e-6)
    few = [each[..., :9, :] for each in given]
    module = parse_module(lowered.ir("cloop"), make_context())
    function, out = entry_function(module), np.zeros((2, 3, 9, 20), np.float32)
    sizes = [2, 3, 9, 17, 9, 20]
    run_loops(function, [*few, out], dict(zip(function_params(function), sizes, strict=True)))
    np.testing.assert_allclose(out, sw.jit(attention)(*few), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(
    ("function", "given"), [(layers, arguments()), (attention, queries())], ids=["blocks", "one long block"]
)
def test_the_same_bits_as_in_one_unit(function: Any, given: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """On one thread and on two."""
    monkeypatch.setattr(THREADS, "count", 2)
    split = sw.jit(function)(*given)
    monkeypatch.setattr(THREADS, "count", 1)
    np.testing.assert_array_equal(split, sw.jit(function)(*given))
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(units, "sections_of", lambda text: [])
    np.testing.assert_array_equal(split, sw.jit(function)(*given))


def test_a_check_in_a_long_block_ends_the_program():
    """In loops of threads, where nothing may leave."""
    given = queries()

    def taken(rows: sw.Tensor, q: sw.Tensor, k: sw.Tensor, v: sw.Tensor) -> sw.Tensor:
        return attention(sw.take(q, rows, axis=2), k, v)

    compiled = sw.jit(taken)
    rows = np.arange(70)[::-1].copy()
    np.testing.assert_allclose(compiled(rows, *given), attention_of(given)[:, :, ::-1], rtol=2e-5, atol=2e-6)
    rows[33] = 70
    with pytest.raises(IndexError, match=r"test_units.py:\d+.*index 70"):
        compiled(rows, *given)


def attention_of(given: list[Any]) -> Any:
    return sw.jit(attention, target="interpret")(*[each.astype(np.float64) for each in given])


def test_a_short_program_is_one_unit(codes: list[Code]):
    sw.jit(sw.softmax)(np.ones((3, 4), np.float32))
    assert number_of_units(codes[0]) == 0 and "SW_UNIT" not in codes[0].text


@pytest.mark.parametrize(
    ("sizes", "shares"),
    [
        ([7], [[0]]),
        ([7, 5], [[0], [1]]),
        ([3, 9, 4, 2, 2], [[1, 4], [2, 0, 3]]),
        ([units.TOGETHER, 5, units.TOGETHER, units.TOGETHER], [[0], [2], [3], [1]]),
    ],
    ids=["one", "two", "a long one and short ones", "more than two compilers are for"],
)
def test_two_compilers_share_units(sizes: list[int], shares: list[list[int]]):
    sections = [Section(unit, "x" * size) for unit, size in enumerate(sizes)]
    assert shared_out(sections, 2) == shares


def test_all_sections_of_a_unit_count():
    sections = [Section(0, "x" * 5), Section(1, "x" * 6), Section(2, "x" * 7), Section(0, "x" * 5)]
    assert shared_out(sections, 2) == [[0], [2, 1]]
