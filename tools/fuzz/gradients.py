"""Gradients of random programs: the programs with gradient requests, and finite differences to compare with.

The results, weighted with random cotangents, are one number. Along a random direction its derivative by the arguments is the
limit of a central difference, and the product of the gradient with that direction. At a kink or a jump no difference tells the
derivative: the differences to the left and to the right do not converge to each other as the step becomes shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import autodiff
from ...ir.functions.entry import entry_function
from ...ir.rewrite import Builder
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from .oracle import meaning, oracle
from .random_programs import RandomProgram

STEPS = (1e-4, 1e-5, 1e-6, 1e-7)
DIRECTIONS = 3
TOLERANCE = 1e-6


def has_gradients(program: RandomProgram) -> bool:
    """Whether a program has something to differentiate, and arguments to differentiate by."""
    function = entry_function(program.module)
    end = function.body.block.last_op
    assert end is not None, "a function ends with a return"
    return any(map(_is_float, function.args)) and any(map(_is_float, end.operands))


def with_gradients(program: RandomProgram) -> RandomProgram | None:
    """A program that returns the gradients by all float arguments, and takes a cotangent for each float result in addition.
    None for a program with nothing to differentiate, or no arguments to differentiate by.
    """
    if not has_gradients(program):
        return None
    module = program.module.clone()
    function = entry_function(module)
    end = function.body.block.last_op
    assert end is not None, "a function ends with a return"
    found = _differentiate(function, end, [argument for argument in function.args if _is_float(argument)])
    end.operands = found
    given = function.args[len(program.arguments) :]
    function.function_type = FunctionType.from_lists([each.type for each in function.args], [each.type for each in found])
    values = [value for value in meaning(program)(program.arguments) if value.dtype.kind == "f"]
    made = [
        each.astype(dtype_of(element_of(argument)).numpy) for each, argument in zip(_cotangents(values), given, strict=True)
    ]
    differentiated = replace(program, module=module, arguments=[*program.arguments, *made])
    sizes = [float(np.max(np.abs(each), initial=0)) for each in oracle(differentiated)]
    return replace(differentiated, bounds=sizes)


def _differentiate(function: FuncOp, end: Operation, variables: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Write the autodiff requests, with further arguments for the cotangents. Returns the gradients."""
    block = function.body.block
    start = Builder(InsertPoint.at_start(block), function)
    marked: list[SSAValue] = []
    for argument in variables:
        uses = list(argument.uses)
        marked.append(start.add(autodiff.VariableOp(argument)).result)
        for use in uses:
            use.operation.operands[use.index] = marked[-1]
    outputs = [value for value in end.operands if _is_float(value)]
    cotangents = [block.insert_arg(value.type, len(block.args)) for value in outputs]
    return Builder(InsertPoint.before(end), function).add(autodiff.GradientOp(outputs, cotangents, marked)).gradients


def _cotangents(values: Sequence[Any]) -> list[Any]:
    """Weights of float results: multiples of 1/64, the same each time; 0 for elements that are not finite."""
    generator = np.random.default_rng(0)
    return [np.asarray(np.where(np.isfinite(value), generator.integers(-64, 65, value.shape) / 64, 0)) for value in values]


class Direction(NamedTuple):
    """A direction with its derivative by the gradient, and by differences of several step sizes."""

    given: float
    size: float
    central: tuple[float, ...]
    # The distances between differences to the left and to the right.
    gaps: tuple[float, ...]

    @property
    def error(self) -> float:
        """The distance of the gradient from the nearest difference, relative to the terms of both."""
        return min(abs(self.given - each) / max(1.0, self.size, abs(each)) for each in self.central)

    @property
    def is_smooth(self) -> bool:
        """Whether the differences to both sides converge, as far as rounding allows, and do not grow as at a jump."""
        size = max(1.0, self.size, abs(self.central[0]))
        return abs(self.central[2]) < 10 * size and (self.gaps[2] < 0.3 * self.gaps[0] or self.gaps[2] < TOLERANCE * size)


def directions(program: RandomProgram, differentiated: RandomProgram) -> Iterator[Direction]:
    """Some directions, in float64; none if a value is not finite."""
    value = meaning(program)
    weights = [each.astype(np.float64) for each in differentiated.arguments[len(program.arguments) :]]
    floats = [argument.dtype.kind == "f" for argument in program.arguments]
    gradients = iter(oracle(differentiated))
    found = [next(gradients) if is_float else None for is_float in floats]
    generator = np.random.default_rng(1)

    def weighted(along: Sequence[Any], step: float) -> float:
        moved = [
            argument if part is None else argument.astype(np.float64) + step * part
            for argument, part in zip(program.arguments, along, strict=True)
        ]
        with np.errstate(all="ignore"):
            results = [each for each in value(moved) if each.dtype.kind == "f"]
            return float(sum(np.sum(each * weight, where=weight != 0) for each, weight in zip(results, weights, strict=True)))

    for _ in range(DIRECTIONS):
        along = [
            generator.standard_normal(each.shape) if is_float else None
            for each, is_float in zip(program.arguments, floats, strict=True)
        ]
        here = weighted(along, 0)
        ahead, behind = ([weighted(along, sign * step) for step in STEPS] for sign in (1, -1))
        if not np.isfinite([here, *ahead, *behind]).all():
            return
        terms = [gradient * part for gradient, part in zip(found, along, strict=True) if gradient is not None]
        rises = list(zip(ahead, behind, STEPS, strict=True))
        yield Direction(
            float(sum(map(np.sum, terms))),
            float(sum(np.sum(np.abs(term)) for term in terms)),
            tuple((a - b) / (2 * step) for a, b, step in rises),
            tuple(abs(a + b - 2 * here) / step for a, b, step in rises),
        )


def wrong_direction(found: Iterable[Direction]) -> str | None:
    """The error of a gradient; None if it agrees with the differences in all smooth directions."""
    for each in found:
        if not each.error < TOLERANCE and each.is_smooth:
            near = min(each.central, key=lambda found: abs(found - each.given))
            return f"result: the derivative is {each.given}, by differences {near}"
    return None


def _is_float(value: SSAValue) -> bool:
    return dtype_of(element_of(value)).is_float
