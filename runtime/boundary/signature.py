"""The signature of a compiled function: shapes, dtypes and parameters, and the checks at each call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, MemRefType
from xdsl.dialects.func import FuncOp

from ...ir.diagnostics import CompileError
from ...ir.functions.entry import donated, function_params, input_count
from ...ir.functions.versions import check_fixed_sizes, fixed_sizes
from ...ir.index.expressions import Atom, Index, Param
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.overflow import LARGEST
from ...ir.types.shapes import MapAttr, Shape, element_of, format_shape, shape_of


@dataclass(frozen=True)
class Parameter:
    """One argument or result: its name, its sizes as index expressions, and its dtype."""

    name: str
    shape: Shape
    dtype: DType


@dataclass(frozen=True)
class Signature:
    """The arguments, the results, the names of the integers that the code takes besides, and what must not be negative.

    `sizes` has the value of each parameter that the code takes for a constant. `donated` has for each result the number of the
    argument whose memory it goes to, None for fresh memory; it may be empty.
    """

    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    params: tuple[str, ...]
    requires: tuple[Index, ...] = ()
    donated: tuple[int | None, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    _binder: Binder = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "_binder", Binder(self))

    @staticmethod
    def of(function: FuncOp, names: Sequence[str] | None = None) -> Signature:
        """The signature of a function at any level; `names` are the arguments' names for error messages.

        Raises CompileError for types that have no dtype, results whose sizes nothing tells, buffers whose inputs `sw.inputs`
        does not count, and sizes in `sw.sizes` that are none.
        """
        lowered = function.attributes.get("sw.types")
        arguments = list(lowered) if isinstance(lowered, ArrayAttr) else [arg.type for arg in function.args]
        values = [*arguments, *function.function_type.outputs]
        counted = input_count(function)
        count = len(function.args) if counted is None else counted
        given = list(names) if names is not None else [arg.name_hint or f"argument {k}" for k, arg in enumerate(function.args)]
        labels = [*given[:count], *(f"result {k}" for k in range(len(values) - count))]
        if counted is None and any(isinstance(value, MemRefType) for value in values):
            raise CompileError("a function of buffers says in 'sw.inputs' how many of them are arguments", function.location)
        try:
            types = [(shape_of(value), dtype_of(element_of(value))) for value in values]
        except TypeError as error:
            raise CompileError(str(error), function.location) from error
        entries = [Parameter(name, shape, kind) for name, (shape, kind) in zip(labels, types, strict=True)]
        params = function_params(function)
        unknown = [name for entry in entries for size in entry.shape for name in size.params() if name not in params]
        if unknown:
            raise CompileError(
                f"the size '{unknown[0]}' is no size of an argument: declare it in 'sw.params'", function.location
            )
        required = function.attributes.get("sw.requires")
        requires = required.data.results if isinstance(required, MapAttr) else ()
        check_fixed_sizes(function, params)
        inputs, outputs = tuple(entries[:count]), tuple(entries[count:])
        return Signature(inputs, outputs, params, requires, _donated(function), fixed_sizes(function))

    def bind(self, shapes: Sequence[tuple[int, ...]], extra: Mapping[str, int] | None = None) -> list[int]:
        """The values of `params`, from the arguments' shapes and the `$params` given by name.

        Raises ValueError naming the argument whose sizes do not fit, the `$param` that is missing, unknown or too large, the
        parameter that the code has for a constant, or the parameter or size that would be negative.
        """
        return self._binder.bind(shapes, extra or {})

    def output_shapes(self, values: Sequence[int]) -> list[tuple[int, ...]]:
        """The shapes of the results under the values of `params`. Raises ValueError for a negative size."""
        return self._binder.output_shapes(values)


class Binder:
    """Precomputed steps that read parameters off the arguments' shapes and check the rest."""

    def __init__(self, signature: Signature):
        self.signature = signature
        self.position = {name: k for k, name in enumerate(signature.params)}
        self.reads: list[tuple[int, int, int, int, int]] = []
        known: set[str] = set()
        pending: list[tuple[int, int, Index]] = []
        for argument, parameter in enumerate(signature.inputs):
            for axis, size in enumerate(parameter.shape):
                solved = _solve(size, known)
                if solved is None:
                    pending.append((argument, axis, size))
                    continue
                name, factor, offset = solved
                known.add(name)
                self.reads.append((argument, axis, self.position[name], factor, offset))
                if factor != 1:
                    pending.append((argument, axis, size))
        self.checks = [(argument, axis, self._evaluator(size), size) for argument, axis, size in pending]
        self.extra = tuple(name for name in signature.params if name not in known)
        self.fixed = [(self.position[name], name, size) for name, size in signature.sizes.items()]
        self.requires = [(size, self._evaluator(size)) for size in signature.requires]
        self.outputs = [[self._evaluator(size) for size in output.shape] for output in signature.outputs]

    def bind(self, shapes: Sequence[tuple[int, ...]], extra: Mapping[str, int]) -> list[int]:
        values = [0] * len(self.position)
        if self.extra or extra:
            self._take_extra(values, extra)
        for argument, parameter in enumerate(self.signature.inputs):
            if len(shapes[argument]) != len(parameter.shape):
                raise ValueError(self._misfit(argument, shapes))
        for argument, axis, position, factor, offset in self.reads:
            values[position] = (shapes[argument][axis] - offset) // factor
        if values and min(values) < 0:
            # What is proven in bounds is so for parameters that are not negative.
            name, value = next(pair for pair in zip(self.signature.params, values, strict=True) if pair[1] < 0)
            raise ValueError(f"parameter '{name}' must not be negative, got {value}")
        for argument, axis, evaluate, size in self.checks:
            if evaluate(values) != shapes[argument][axis]:
                detail = f"axis {axis} should be {size} = {evaluate(values)}, got {shapes[argument][axis]}"
                raise ValueError(f"{self._misfit(argument, shapes)}: {detail}")
        for position, name, size in self.fixed:
            if values[position] != size:
                raise ValueError(f"the sizes do not fit: this code is for {name} = {size}, but {self._given(values)}")
        for size, evaluate in self.requires:
            if evaluate(values) < 0:
                raise ValueError(f"the sizes do not fit: {size} must not be negative, but {self._given(values)}")
        return values

    def _given(self, values: Sequence[int]) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.signature.params, values, strict=True))

    def output_shapes(self, values: Sequence[int]) -> list[tuple[int, ...]]:
        shapes = [tuple(evaluate(values) for evaluate in sizes) for sizes in self.outputs]
        for output, shape in zip(self.signature.outputs, shapes, strict=True):
            if shape and min(shape) < 0:
                raise ValueError(f"{output.name}: negative size in {shape}, from {format_shape(output.shape)}")
        return shapes

    def _take_extra(self, values: list[int], extra: Mapping[str, int]) -> None:
        for name in extra:
            if name not in self.extra:
                wanted = ", ".join(self.extra) or "none"
                raise ValueError(f"unknown parameter '{name}'; the parameters are: {wanted}")
        given = {**self.signature.sizes, **extra}
        for name in self.extra:
            if name not in given:
                raise ValueError(f"parameter '{name}' is missing")
            value = int(given[name])
            if value > LARGEST:
                raise ValueError(f"parameter '{name}': expected at most {LARGEST}, got {value}")
            values[self.position[name]] = value

    def _misfit(self, argument: int, shapes: Sequence[tuple[int, ...]]) -> str:
        parameter = self.signature.inputs[argument]
        return f"argument '{parameter.name}': expected shape {format_shape(parameter.shape)}, got {tuple(shapes[argument])}"

    def _evaluator(self, expr: Index) -> Callable[[Sequence[int]], int]:
        constant = expr.constant
        if constant is not None:
            return lambda values: constant
        if isinstance(expr.atom, Param):
            position = self.position[expr.atom.name]
            return lambda values: values[position]
        return lambda values: expr.evaluate(lambda atom: values[self._position_of(atom)])

    def _position_of(self, atom: Atom) -> int:
        assert isinstance(atom, Param), "sizes mention parameters only"
        return self.position[atom.name]


def _donated(function: FuncOp) -> tuple[int | None, ...]:
    """The arguments that results go to; of a lowered function those that are read through the results' buffers alone."""
    lowered = input_count(function) is not None
    found = donated(function)
    return tuple(None if at is None or (lowered and function.args[at].uses.get_length()) else at for at in found)


def _solve(size: Index, known: set[str]) -> tuple[str, int, int] | None:
    """`(name, factor, offset)` when `size` is `factor * name + offset` for one parameter that is not known yet."""
    terms = [(monomial, factor) for monomial, factor in size.terms if monomial]
    if len(terms) != 1 or len(terms[0][0]) != 1 or terms[0][1] < 1:
        return None
    atom = terms[0][0][0]
    if not isinstance(atom, Param) or atom.name in known:
        return None
    return atom.name, terms[0][1], size.offset
