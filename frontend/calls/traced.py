"""Tracing of a Python function to a graph: the function runs once on traced tensors.

`trace` returns a module with one public function of graph operations, and a private function for each composite (softmax, ...)
that the program calls. The assumptions of the trace about sizes are in `Traced.sizes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from ...ir.diagnostics import InternalError
from ...ir.functions.entry import function_params
from ...ir.functions.requirements import add_requirements
from ...ir.functions.versions import set_hints
from ...ir.locations import UNKNOWN
from ...ir.types.dtypes import FLOAT32, FLOAT64
from ...ir.types.shapes import shape_of, shape_params, tensor_type
from .. import functions
from ..tracing.sizes import SizeSolver
from ..tracing.source import SourceLocator, definition
from ..tracing.specs import Spec
from ..tracing.tensor import Tensor, cast, tensor_of
from ..tracing.tracer import Tracer, accepted_keywords, identifier, leaf_names, named_arguments, split_params, tracing
from ..tracing.trees import Tree, flatten

_MAX_TRACES = 20


@dataclass
class Traced:
    """A traced program.

    The function's arguments are the array leaves of `args` and `kwargs`, in order, then the `captured` arrays of enclosing
    scopes, copied during the trace: like small ones, they are constants. `in_tree` is the nesting of all leaves of `(args,
    kwargs)`; `leaves` has these leaves, with a Spec of resolved sizes for each array. `params` has the run-time integers
    besides the sizes.
    """

    module: ModuleOp
    function_name: str
    in_tree: Tree
    out_tree: Tree
    leaves: list[Any]
    names: list[str]
    captured: list[Any]
    params: tuple[str, ...]
    sizes: SizeSolver

    @property
    def function(self) -> FuncOp:
        """The public function."""
        return next(
            op for op in self.module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data == self.function_name
        )


def trace(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    *,
    sizes: SizeSolver | None = None,
    locations: bool = True,
    name: str | None = None,
) -> Traced:
    """Run `fn` on traced tensors in place of each `Spec` in `args` and `kwargs`, nested in tuples, lists and dicts.

    All other leaves are passed unchanged. Integer keywords that `fn` does not accept are run-time parameters, `$name` in the
    text of micro-ops. Raises CompileError, with the user's line, for operations that are not allowed.
    """
    solver = sizes if sizes is not None else SizeSolver()
    locator = SourceLocator()
    passed, params = split_params(accepted_keywords(fn), kwargs or {})
    if solver.hints:
        solver.params.update(params)
    else:
        specs = [leaf for leaf in flatten((tuple(args), passed))[0] if isinstance(leaf, Spec)]
        solver.named.update(shape_params([spec.shape for spec in specs]))
    for _ in range(_MAX_TRACES):
        known = dict(solver.replaced)
        traced = _Run(fn, (tuple(args), passed), params, solver, locator if locations else None, name).run()
        if solver.replaced == known:
            return traced
    raise InternalError(f"the sizes of the program did not settle after {_MAX_TRACES} traces")


@dataclass
class _Run:
    """One run of the traced function."""

    fn: Callable[..., Any]
    arguments: tuple[tuple[Any, ...], dict[str, Any]]
    params: dict[str, int]
    sizes: SizeSolver
    locator: SourceLocator | None
    name: str | None
    types: list[Attribute] = field(default_factory=list)

    def run(self) -> Traced:
        leaves, in_tree = flatten(self.arguments)
        settled = [self._settled(leaf) for leaf in leaves]
        specs = [leaf for leaf in settled if isinstance(leaf, Spec)]
        block = Block(arg_types=[tensor_type(spec.shape, spec.dtype.type) for spec in specs])
        module = ModuleOp([])
        tracer = Tracer(module, block, self.sizes, self.locator, functions)
        tracer.fallback = definition(self.fn)
        name = self.name or identifier(getattr(self.fn, "__name__", "main"))
        tracer.reserve(name)
        names = self._name_arguments(block, leaves)
        values = iter(block.args)
        traced = [Tensor(tracer, next(values), leaf.weak) if isinstance(leaf, Spec) else leaf for leaf in settled]
        args, kwargs = in_tree.unflatten(traced)
        for key, value in named_arguments(self.fn, args, kwargs).items():
            if isinstance(value, int) and not isinstance(value, bool):
                tracer.constants[key] = value
            else:
                tracer.arguments[key] = value
        with tracing(tracer):
            results, out_tree = flatten(self.fn(*args, **kwargs))
            self._expect_used(tracer)
            end = ReturnOp(*(tracer.current(_result(result, tracer).value) for result in results))
            end.location = definition(self.fn) if self.locator is not None else UNKNOWN
            block.add_op(end)
        function = self._function(name, block, end, tracer)
        first = module.body.block.first_op
        if first is None:
            module.body.block.add_op(function)
        else:
            module.body.block.insert_op_before(function, first)
        captured = [each.frozen for each in tracer.captured.values()]
        return Traced(module, name, in_tree, out_tree, settled, names, captured, tuple(tracer.params), self.sizes)

    def _expect_used(self, tracer: Tracer) -> None:
        """Raise TypeError, as Python does, for a keyword that is neither an argument nor a run-time parameter."""
        unused = next((name for name in self.params if name not in tracer.params), None)
        if unused is not None:
            raise UnknownKeyword(getattr(self.fn, "__name__", "the function"), unused, tuple(tracer.params))

    def _settled(self, leaf: Any) -> Any:
        if not isinstance(leaf, Spec):
            return leaf
        return Spec(tuple(map(self.sizes.resolve, leaf.shape)), leaf.dtype, weak=leaf.weak)

    def _name_arguments(self, block: Block, leaves: Sequence[Any]) -> list[str]:
        labels = leaf_names(self.fn, *self.arguments)
        names = [identifier(label) for label, leaf in zip(labels, leaves, strict=True) if isinstance(leaf, Spec)]
        for arg, name in zip(block.args, names, strict=True):
            arg.name_hint = name
        return names

    def _function(self, name: str, block: Block, end: ReturnOp, tracer: Tracer) -> FuncOp:
        types = [arg.type for arg in block.args], [value.type for value in end.operands]
        function = FuncOp(name, FunctionType.from_lists(*types), Region(block), StringAttr("public"))
        function.location = definition(self.fn) if self.locator is not None else UNKNOWN
        if tracer.params:
            # Keywords come first: calls solve sizes for the other parameters, and sizes may contain keywords.
            sizes = shape_params([shape_of(arg) for arg in function.args])
            parts = any(name in tracer.params for name in sizes)
            declared = dict.fromkeys((*tracer.params, *sizes)) if parts else tracer.params
            function.attributes["sw.params"] = ArrayAttr(map(StringAttr, declared))
        if not self.sizes.hints:
            add_requirements(function, self.sizes.requirements())
        hints = self.sizes.hints
        set_hints(function, {name: hints[name] for name in function_params(function) if name in hints})
        return function


def _result(value: Any, tracer: Tracer) -> Tensor:
    """A result. If it is computed from Python numbers only, it has the dtype of such a number, such as float32."""
    found = tensor_of(value, tracer)
    return cast(found, FLOAT32) if found.weak and found.dtype == FLOAT64 else found


class UnknownKeyword(TypeError):
    """A keyword that is neither an argument of a traced function nor one of its run-time parameters `known`."""

    def __init__(self, called: str, name: str, known: tuple[str, ...]):
        super().__init__(
            f"{called}() got an unexpected keyword argument '{name}': it is no argument of the function"
            " and no run-time parameter in its index expressions"
        )
        self.name = name
        self.known = known
