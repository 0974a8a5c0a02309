"""The signature of a compiled function: shapes, dtypes and parameters, and the checks at each call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, MemRefType
from xdsl.dialects.func import FuncOp

from ...ir.diagnostics import CompileError
from ...ir.functions.entry import donated, function_params, input_count
from ...ir.functions.requirements import Requirement, requirements
from ...ir.functions.versions import check_fixed_sizes, fixed_sizes
from ...ir.index.expressions import Atom, Index, Param, param
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.overflow import LARGEST
from ...ir.types.shapes import Shape, element_of, format_shape, shape_of
from .errors import divisor_error


@dataclass(frozen=True)
class Parameter:
    """One argument or result: its name, its sizes as index expressions, and its dtype."""

    name: str
    shape: Shape
    dtype: DType


@dataclass(frozen=True)
class Signature:
    """The arguments, the results, the names of the integers that the code takes in addition, and the expressions that must not
    be negative. `sizes` has the value of each parameter that is a constant in the code. `donated` has for each result the
    number of the argument whose memory it is written to, None for fresh memory; it may be empty.
    """

    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    params: tuple[str, ...]
    requires: tuple[Requirement, ...] = ()
    donated: tuple[int | None, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    _binder: Binder = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "_binder", Binder(self))

    @property
    def types(self) -> tuple[tuple[tuple[Shape, DType], ...], ...]:
        """The shapes and dtypes of the arguments, and of the results."""
        return tuple(tuple((each.shape, each.dtype) for each in side) for side in (self.inputs, self.outputs))

    @staticmethod
    def of(function: FuncOp, names: Sequence[str] | None = None) -> Signature:
        """The signature of a function at any level; `names` are the arguments' names for error messages.

        Raises CompileError for types without a dtype, results of unknown size, buffers without the number of inputs
        (`sw.inputs`), and names in `sw.sizes` that are no parameters.
        """
        lowered = function.attributes.get("sw.types")
        arguments = list(lowered) if isinstance(lowered, ArrayAttr) else [arg.type for arg in function.args]
        values = [*arguments, *function.function_type.outputs]
        counted = input_count(function)
        count = len(function.args) if counted is None else counted
        given = list(names) if names is not None else [arg.name_hint or f"argument {k}" for k, arg in enumerate(function.args)]
        labels = [*given[:count], *(f"result {k}" for k in range(len(values) - count))]
        if counted is None and any(isinstance(value, MemRefType) for value in values):
            raise CompileError(
                "expected the attribute 'sw.inputs', the number of buffers that are arguments", function.location
            )
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
        check_fixed_sizes(function, params)
        inputs, outputs = tuple(entries[:count]), tuple(entries[count:])
        return Signature(inputs, outputs, params, tuple(requirements(function)), _donated(function), fixed_sizes(function))

    def bind(self, shapes: Sequence[tuple[int, ...]], extra: Mapping[str, int] | None = None) -> list[int]:
        """The values of `params`, from the arguments' shapes and the `$params` given by name.

        Raises ValueError for an argument whose sizes do not fit; for a `$param` that is missing, unknown or too large; for a
        parameter that differs from the code's constant; and for a parameter or size that would be negative. Raises
        ZeroDivisionError for a divisor that is 0.
        """
        return self._binder.bind(shapes, extra or {})

    def output_shapes(self, values: Sequence[int]) -> list[tuple[int, ...]]:
        """The shapes of the results under the values of `params`. Raises ValueError for a negative size."""
        return self._binder.output_shapes(values)


class Binder:
    """Precomputed steps that read parameters off the arguments' shapes, and check all other sizes."""

    def __init__(self, signature: Signature):
        self.signature = signature
        self.position = {name: k for k, name in enumerate(signature.params)}
        axes = [(k, axis, size) for k, each in enumerate(signature.inputs) for axis, size in enumerate(each.shape)]
        order = _read_order(axes, signature.params)
        self.reads = [
            (argument, axis, self.position[name], factor, self._evaluator(rest)) for argument, axis, name, factor, rest in order
        ]
        exact = {(argument, axis) for argument, axis, _, factor, _ in order if factor == 1}
        pending = [each for each in axes if each[:2] not in exact]
        self.checks = [(argument, axis, self._evaluator(size), size) for argument, axis, size in pending]
        self.extra = tuple(name for name in signature.params if name not in {read[2] for read in order})
        self.fixed = [(self.position[name], name, size) for name, size in signature.sizes.items()]
        self.requires = [(each, self._evaluator(each.expr)) for each in signature.requires]
        self.outputs = [[self._evaluator(size) for size in output.shape] for output in signature.outputs]

    def bind(self, shapes: Sequence[tuple[int, ...]], extra: Mapping[str, int]) -> list[int]:
        values = [0] * len(self.position)
        read_too = self._take_extra(values, extra) if self.extra or extra else {}
        for argument, parameter in enumerate(self.signature.inputs):
            if len(shapes[argument]) != len(parameter.shape):
                raise ValueError(self._misfit(argument, shapes))
        for argument, axis, position, factor, rest in self.reads:
            values[position] = (shapes[argument][axis] - rest(values)) // factor
        for name, value in read_too.items():
            found = values[self.position[name]]
            if found != value:
                raise ValueError(
                    f"the sizes do not fit: parameter '{name}' is {value}, but the arguments' sizes make it {found}"
                )
        for each, evaluate in self.requires:
            if evaluate(values) < 0:
                if each.divides is not None and evaluate(values) == -1:
                    raise divisor_error(each.divides, each.expr + 1)
                (size, needed_by), given = each, self._given(values)
                raise ValueError(f"the sizes do not fit: {size} must not be negative, but {given} (needed by {needed_by})")
        if values and min(values) < 0:
            # Accesses are proven in bounds only for non-negative parameters.
            name, value = next(pair for pair in zip(self.signature.params, values, strict=True) if pair[1] < 0)
            raise ValueError(f"parameter '{name}' must not be negative, got {value}")
        for argument, axis, evaluate, size in self.checks:
            if evaluate(values) != shapes[argument][axis]:
                detail = f"axis {axis} should be {size} = {evaluate(values)}, got {shapes[argument][axis]}"
                raise ValueError(f"{self._misfit(argument, shapes)}: {detail}")
        for position, name, size in self.fixed:
            if values[position] != size:
                raise ValueError(f"the sizes do not fit: this code is for {name} = {size}, but {self._given(values)}")
        return values

    def _given(self, values: Sequence[int]) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.signature.params, values, strict=True))

    def output_shapes(self, values: Sequence[int]) -> list[tuple[int, ...]]:
        shapes = [tuple(evaluate(values) for evaluate in sizes) for sizes in self.outputs]
        for output, shape in zip(self.signature.outputs, shapes, strict=True):
            if shape and min(shape) < 0:
                raise ValueError(f"{output.name}: negative size in {shape}, from {format_shape(output.shape)}")
        return shapes

    def _take_extra(self, values: list[int], extra: Mapping[str, int]) -> Mapping[str, int]:
        """Set the values that are given by name. Returns the values of parameters that sizes of arguments determine too."""
        for name in extra:
            if name not in self.position:
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
        return {name: value for name, value in extra.items() if name not in self.extra}

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
    """The arguments whose memory takes results; of a lowered function, the arguments that are read only through the results'
    buffers."""
    lowered = input_count(function) is not None
    found = donated(function)
    return tuple(None if at is None or (lowered and function.args[at].uses.get_length()) else at for at in found)


def _read_order(axes: Sequence[tuple[int, int, Index]], params: Sequence[str]) -> list[tuple[int, int, str, int, Index]]:
    """The axes that parameters are read off: argument, axis, parameter, its factor, and the other terms of the size. They are
    in an order in which all other parameters in these sizes are known before. A parameter that no axis determines is a keyword;
    of parameters that only occur together, the first ones in `params` are."""
    position = {name: k for k, name in enumerate(params)}
    found: list[tuple[int, int, str, int, Index]] = []
    known: set[str] = set()

    def read(most: int) -> bool:
        """Read parameters off all sizes with at most `most` unknown parameters. Returns whether there were any such sizes."""
        before = len(found)
        for argument, axis, size in axes:
            unknown = sorted(set(size.params()) - known, key=position.__getitem__)
            factor = size.coefficient(Param(unknown[-1])) if 0 < len(unknown) <= most else None
            if factor is not None and factor.constant is not None and factor.constant > 0:
                known.update(unknown)
                found.append((argument, axis, unknown[-1], factor.constant, size - factor * param(unknown[-1])))
        return len(found) > before

    while read(1) or read(len(params)):
        pass
    return found
