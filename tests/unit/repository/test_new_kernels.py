"""The kernels of a test run that are compiled for a GPU: those with a line that no earlier kernel has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import stepwell as sw
from stepwell.tests.unit.new_kernels import KERNEL, kernels_with_new_lines, note


def program(function: Callable[..., Any], dtype: str = "float32") -> Any:
    return sw.lower(function, sw.Spec(("n", "m"), dtype), target="triton-interpret").executable().program


def test_a_kernel_is_new_by_its_lines_and_dtypes_and_not_by_its_names(tmp_path: Path):
    def new(function: Callable[..., Any], dtype: str = "float32") -> list[str]:
        found = kernels_with_new_lines(program(function, dtype), tmp_path)
        note(found)
        return list(found)

    both = ["sw_kernel_0", "sw_kernel_1"]  # with indices of 32 and of 64 bits
    assert new(lambda x: sw.exp(x)) == both
    assert new(lambda other: sw.exp(other)) == []
    assert new(lambda x: sw.log(x)) == ["sw_kernel_0"]
    assert new(lambda x: sw.exp(x), "float64") == both
    assert new(lambda x: sw.log(sw.exp(x))) == []
    assert new(lambda x: sw.log(sw.exp(x) * 2)) == ["sw_kernel_0"]


def test_lines_of_kernels_that_do_not_compile_stay_new(tmp_path: Path):
    made = program(lambda x: sw.exp(x))
    first = kernels_with_new_lines(made, tmp_path)
    assert first and kernels_with_new_lines(made, tmp_path) == first
    note(first)
    assert not kernels_with_new_lines(made, tmp_path)


def test_all_lines_of_all_kernels_are_looked_at():
    made = program(lambda x: (sw.sum(x, axis=0), sw.cumsum(x, axis=1)))
    bodies = dict(KERNEL.findall(made.source.text))
    assert bodies.keys() == {launch.kernel for launch in made.plan.launches} and len(bodies) > 1
    stored = sum(line.lstrip().startswith("tl.store(") for line in made.source.text.splitlines())
    assert sum(body.count("tl.store(") for body in bodies.values()) == stored
    assert all(body.rstrip().endswith("return") for body in bodies.values())
