"""Long programs, whose blocks are compiled side by side."""

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function, function_params
from stepwell.ir.text.parser import parse_module
from stepwell.runtime.cache.emitted_code import Code
from stepwell.runtime.cpu import units
from stepwell.runtime.cpu.background import Ahead
from stepwell.runtime.cpu.program import THREADS, CpuProgram
from stepwell.runtime.cpu.units import Section, sections_of, shared_out
from stepwell.runtime.interpret.loop import run_loops
from stepwell.runtime.toolchain.compiler import find_compiler

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


# The lengths of functions, and so the number of units, depend on the machine.
pytestmark = pytest.mark.usefixtures("laid_out_for_avx512")


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> list[Code]:
    """The texts that are compiled in the test."""
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
    assert number_of_units(codes[0]) > 2
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
    assert codes[0] == codes[1] == Code.read(codes[0].write()) and number_of_units(codes[1]) > 2


def recurrent(x: sw.Tensor, hidden: sw.Tensor, weight: sw.Tensor, *more: sw.Tensor) -> tuple[sw.Tensor, sw.Tensor]:
    """Scans run step by step, in a function that units share."""

    def step(hidden: sw.Tensor, element: sw.Tensor) -> tuple[sw.Tensor, sw.Tensor]:
        hidden = sw.tanh(hidden @ weight + element)
        return hidden, sw.sum(hidden, axis=-1)

    hidden, sums = sw.scan(step, hidden, x)
    for weight in more:
        hidden = sw.tanh(sw.softmax(hidden @ weight, axis=-1) @ weight)
    return hidden, sums


def steps() -> list[Any]:
    return [RNG.standard_normal(shape).astype(np.float32) for shape in ((5, 8, 19), (8, 19), *[(19, 19)] * 4)]


@pytest.mark.parametrize(
    ("function", "given"),
    [(layers, arguments()), (attention, queries()), (recurrent, steps())],
    ids=["blocks", "one long block", "a shared function"],
)
def test_each_unit_has_what_it_needs(
    codes: list[Code], function: Any, given: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    sw.jit(function)(*given)
    file, compiler = tmp_path / "program.c", find_compiler()
    file.write_text(codes[-1].text, encoding="utf-8")
    numbers = {section.unit for section in sections_of(codes[-1].text)}
    assert len(numbers) > 1
    for unit in numbers:
        macros = ["-DSW_UNITS", f"-DSW_UNIT_{unit}"]
        checks = ["-fsyntax-only", "-Werror=implicit-function-declaration"]
        subprocess.run([*compiler.argv, *compiler.flags, *checks, *macros, str(file)], check=True)


def test_as_many_compilers_as_processors_work_on_what_is_left(
    codes: list[Code], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    log = tmp_path / "log"
    logging = f'#!/bin/sh\ncase "$*" in *-DSW_UNITS*) echo "$*" >> {log};; esac\nexec {find_compiler().argv[0]} "$@"\n'
    (tmp_path / "cc").write_text(logging)
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(units, "available_processors", lambda: 2)
    monkeypatch.setattr(units, "TOGETHER", 1 << 20)
    monkeypatch.setattr(Ahead, "start", lambda self, function: None)
    sw.jit(layers)(*arguments())
    compiled = [re.findall(r"-DSW_UNIT_(\d+)", line) for line in log.read_text().splitlines()]
    numbers = sorted(str(unit) for unit in {section.unit for section in sections_of(codes[0].text)})
    assert len(compiled) == 2 < len(numbers) and sorted(unit for share in compiled for unit in share) == numbers


def test_a_check_in_a_unit_ends_the_program():
    given = arguments()
    given[1] = np.array([3, 7, 6])
    with pytest.raises(IndexError, match=r"test_units.py:\d+.*index 7"):
        sw.jit(layers)(*given)


def test_a_long_block_is_cut_inside_of_its_loops(codes: list[Code]):
    """One loop over the heads contains both products of a head."""
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
    """On one thread and on two, results have the same bits."""
    monkeypatch.setattr(THREADS, "count", 2)
    split = sw.jit(function)(*given)
    monkeypatch.setattr(THREADS, "count", 1)
    np.testing.assert_array_equal(split, sw.jit(function)(*given))
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(units, "sections_of", lambda text: [])
    np.testing.assert_array_equal(split, sw.jit(function)(*given))


def test_a_check_in_a_long_block_ends_the_program():
    """The check is in loops on threads, which cannot be left."""
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
    assert sections_of(codes[0].text) == [] and "SW_UNIT" not in codes[0].text


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
