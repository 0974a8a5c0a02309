"""Compiled graphs: Stepwell's programs and eager operations, run in turn on tensors of torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ...dialects import host
from ...ir.diagnostics import CompileError
from ...runtime.toolchain.compiler import CompilerError, CompilerNotFound
from ..calls.traced import Traced, trace
from ..jit import Jitted, lower
from ..tracing.complex_tensors import Complex
from ..tracing.sizes import SizeSolver
from ..tracing.specs import Spec
from ..tracing.target import tracing_for
from .boundary import giving, taking
from .graphs.effects import complete_values, remove_tokens
from .graphs.layouts import given_layout
from .graphs.locations import module_of, place_of
from .graphs.partitions import Eager, Size, Step, programs
from .graphs.program import CannotCompile, Program, value_of
from .graphs.random_draws import draw_without_operands, draws
from .graphs.symbols import evaluate, expression_of, hint_of, is_integer, is_symbolic, value_with
from .graphs.views import View, take_views
from .report import GraphReport, warn_of_program, warn_once
from .rows.row import computed_dtype
from .threads import FOLLOWED

NO_SYMBOLS: Mapping[Any, Any] = MappingProxyType({})


class Compiled:
    """A graph that torch calls with tensors and sizes."""

    def __init__(self, module: Any, target: str, has_views: bool):
        """With `has_views`, results may be views of arguments and of other results."""
        # torch passes the arguments in one list, which the call empties. Wrappers copy attributes of objects, not of classes.
        self._boxed_call = True
        graph = module.graph
        remove_tokens(graph)
        draw_without_operands(graph)
        complete_values(graph)
        self.views = take_views(graph) if has_views else []
        self.placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        self.constants = {node: _attribute(module, node.target) for node in graph.nodes if node.op == "get_attr"}
        for node, value in self.constants.items():
            node.meta.setdefault("val", value)
        (self.output,) = (node for node in graph.nodes if node.op == "output")
        traces: dict[tuple[Any, ...], Traced] = {}

        def check(program: Program) -> None:
            traces[tuple(program.nodes)] = _trace(program, target)

        self.steps, left = programs(graph, check, target)
        ours = [step for step in self.steps if isinstance(step, Program)]
        kernels = {id(step): _kernels(traces[tuple(step.nodes)]) for step in ours if step.shared is None}
        self.runners = {id(step): Runner(step, target, traces[tuple(step.nodes)]) for step in ours if step.shared is None}
        self.symbols = _symbol_places(self.placeholders)
        kept = {*self.output.all_input_nodes, *(view.base for view in self.views)}
        self.dying = _last_uses(self.steps, kept, self.placeholders)
        self.plan = self._plan()
        called = [name for step in ours for name in kernels[id(step.compiled)]]
        count = sum(len(step.nodes) for step in ours)
        self.report = GraphReport.of(list(self.runners.values()), left, count, called)
        for node, reason in left.items():
            if not draws(node):  # as torch always passes them
                warn_once(str(node.target), reason)

    def __call__(self, args: list[Any]) -> Any:
        """The results of the graph. Empties the list of its arguments, as torch's convention is, so that their memory can be
        freed."""
        FOLLOWED.follow()
        if self.plan is not None:
            return self.plan(args)
        import torch

        known: dict[Any, Any] = dict(zip(self.placeholders, args, strict=True))
        args.clear()
        known.update(self.constants)
        bindings = {symbol: _size_at(known[node], axis) for symbol, node, axis in self.symbols}
        with torch.no_grad():
            for step, dying in zip(self.steps, self.dying, strict=True):
                self._run(step, known, bindings)
                for node in dying:
                    del known[node]
        results = list(_filled(self.output.args[0], known))
        for view in self.views:
            results[view.place] = view.of(known[view.base], bindings)
        return results

    def _plan(self) -> ExecutionPlan | None:
        """The fast path through a graph of programs of known sizes; None for others."""
        results = list(self.output.args[0])
        if self.symbols or not all(isinstance(step, Program) and not step.has_symbols for step in self.steps):
            return None
        if any(each is not None and not hasattr(each, "op") for each in results):
            return None
        nodes = [*self.placeholders, *self.constants]
        made = [node for step in self.steps if isinstance(step, Program) for node in step.outputs]
        slots = {node: slot for slot, node in enumerate([*nodes, *made])}
        return ExecutionPlan(
            [
                PlannedCall(
                    self.runners[id(step.compiled)],
                    step,
                    [slots[node] for node in step.inputs],
                    [slots[node] for node in step.outputs],
                    [slots[node] for node in dying],
                )
                for step, dying in zip(self.steps, self.dying, strict=True)
                if isinstance(step, Program)
            ],
            [*self.constants.values(), *[None] * (len(made) + 1)],
            [-1 if each is None else slots[each] for each in results],
            [(view, slots[view.base]) for view in self.views],
        )

    def _run(self, step: Step, known: dict[Any, Any], bindings: dict[Any, Any]) -> None:
        match step:
            case Program():
                found = self.runners[id(step.compiled)]([known[node] for node in step.inputs], bindings, step)
                known.update(zip(step.outputs, found, strict=True))
            case Size(node):
                known[node] = evaluate(value_of(node), bindings)
            case Eager(node):
                known[node] = node.target(*_filled(tuple(node.args), known), **_filled(dict(node.kwargs), known))
                _bind_new(value_of(node), known[node], bindings)


class PlannedCall(NamedTuple):
    """A call of a program, its operation in the graph, and the slots of its arguments, of its results, and of values that have
    no later use."""

    runner: Runner
    step: Program
    arguments: list[int]
    results: list[int]
    dying: list[int]


class ExecutionPlan(NamedTuple):
    """Calls of programs in turn, on values in the slots of a list: first the arguments of the graph, then those of `rest`,
    which ends with None. `results` are the slots of the graph's results, and `views` those that are views of the values in
    slots."""

    calls: list[PlannedCall]
    rest: list[Any]
    results: list[int]
    views: list[tuple[View, int]]

    def __call__(self, args: list[Any]) -> list[Any]:
        """The results of the graph. Empties the list of its arguments."""
        values = args + self.rest
        args.clear()
        for call in self.calls:
            found = call.runner([values[slot] for slot in call.arguments], NO_SYMBOLS, call.step)
            for slot, value in zip(call.results, found, strict=True):
                values[slot] = value
            for slot in call.dying:
                values[slot] = None
        results = [values[slot] for slot in self.results]
        for view, slot in self.views:
            results[view.place] = view.of(values[slot], NO_SYMBOLS)
        return results


class Runner:
    """A program, compiled at its first call."""

    def __init__(self, program: Program, target: str, traced: Traced):
        self.program, self.target = program, target
        self.jitted = Jitted(_named(program), target, not program.has_symbols)
        self.jitted.ahead = None if program.has_symbols else traced
        self.shapes: list[Any] = []
        self.is_eager = False
        inputs = zip(program.inputs, program.taken, strict=True)
        self.takes = [taking(value_of(node), layout, target) for node, layout in inputs]
        self.gives = [giving(value_of(node), target) for node in program.outputs]
        self.given = [None if each.is_plain else each for each in program.given]
        self.is_plain = all(each is None for each in self.given)

    def __call__(self, tensors: Sequence[Any], bindings: Mapping[Any, Any], step: Program) -> list[Any]:
        """The results of this program for tensors and for values of symbols. Errors at run time name the modules of `step`."""
        if self.is_eager:
            return run_eagerly(self.program, tensors, dict(bindings))
        arguments = self._arguments(tensors, bindings)
        if not self.shapes:
            self.shapes = [(each.shape, each.dtype) if hasattr(each, "shape") else each for each in arguments]
        try:
            results = self.jitted(*arguments)
        except (CannotCompile, CompileError, CompilerError, CompilerNotFound) as error:
            if self.jitted.stats().compiles:
                raise
            return self._left_to_eager(error, tensors, bindings)
        except (IndexError, ZeroDivisionError) as error:
            named = _modules_at(str(error), step)
            if not named:
                raise
            raise type(error)(f"{error} (in the module {named})") from error
        results = [give(each) for give, each in zip(self.gives, results, strict=True)]
        if self.is_plain:
            return results
        return [
            each if layout is None else given_layout(each, layout, bindings)
            for each, layout in zip(results, self.given, strict=True)
        ]

    def _left_to_eager(self, error: Exception, tensors: Sequence[Any], bindings: Mapping[Any, Any]) -> list[Any]:
        """Compute the results by eager from now on, since the program could not be compiled."""
        warn_of_program(self.program, error)
        self.is_eager = True
        return run_eagerly(self.program, tensors, dict(bindings))

    @property
    def called(self) -> bool:
        """Whether the program has been called, and is compiled."""
        return bool(self.shapes) or not (self.program.inputs or self.program.carried)

    def lowered(self) -> Any:
        """The program lowered for the sizes of its first call, with every level and the trace."""
        import numpy as np

        arguments = [np.empty(*each) if isinstance(each, tuple) else each for each in self.shapes]
        return lower(self.jitted, *arguments, target=self.target, static=self.jitted.static)

    def _arguments(self, tensors: Sequence[Any], bindings: Mapping[Any, Any]) -> list[Any]:
        found = [take(each) for take, each in zip(self.takes, tensors, strict=True)]
        if self.program.carried:
            found += [_carrier(term, value_with(term, bindings), self.target) for term in self.program.carried]
        return found


def _modules_at(message: str, program: Program) -> str:
    """The modules whose line the message of a failed check names."""
    modules = {module_of(node): None for node in program.nodes if message.startswith(f"{place_of(node)}: ")}
    return " or ".join(repr(each) for each in modules if each)


def run_eagerly(program: Program, tensors: Sequence[Any], bindings: dict[Any, Any]) -> list[Any]:
    """The results of a program by torch's own operations."""
    import torch

    known = dict(zip(program.inputs, tensors, strict=True))
    with torch.no_grad():
        for node in program.nodes:
            for each in node.all_input_nodes:
                if each not in known:
                    known[each] = evaluate(value_of(each), bindings)
            known[node] = node.target(*_filled(tuple(node.args), known), **_filled(dict(node.kwargs), known))
    return [known[node] for node in program.outputs]


def _named(program: Program) -> Callable[..., Any]:
    """The program as a function, whose name is that of the compiled code."""

    def graph(*values: Any) -> Any:
        return program(*values)

    return graph


def _carrier(term: Any, value: Any, target: str) -> Any:
    """The tensor that passes a term: a size is the first size of an empty tensor, except that a negative size is a constant of
    the program; a number that is no integer is a tensor without axes."""
    import numpy as np
    import torch

    if not is_integer(term):
        return torch.tensor(float(value), dtype=torch.float64, device="cuda") if target == "cuda" else np.array(float(value))
    if value < 0:
        return int(value)
    return torch.empty((value, 0), device="cuda") if target == "cuda" else np.empty((value, 0), np.uint8)


class _Described:
    """The shape and the dtype of a fake tensor in the call that torch compiles for."""

    def __init__(self, fake: Any, order: Sequence[int]):
        sizes = [hint_of(each) for each in fake.shape]
        self.shape = [2 if sizes[axis] is None else sizes[axis] for axis in order]
        self.dtype, self.is_complex = computed_dtype(fake), fake.is_complex()


def _trace(program: Program, target: str) -> Traced:
    """Trace a program. Raises CannotCompile for what cannot be traced."""
    solver = SizeSolver()
    described = [_Described(value_of(node), layout.order) for node, layout in zip(program.inputs, program.taken, strict=True)]

    def spec(each: _Described) -> Spec:
        return Spec.of(each, solver) if program.has_symbols else Spec.static(each)

    specs = [Complex(spec(each), spec(each)) if each.is_complex else spec(each) for each in described]
    carriers = [
        Spec((solver.fresh(_hint(program, term)), 0), "uint8") if is_integer(term) else Spec((), "float64")
        for term in program.carried
    ]
    with tracing_for(target):
        return trace(_named(program), [*specs, *carriers], sizes=solver)


def _kernels(traced: Traced) -> list[str]:
    """The kernels of torch called by a program."""
    return [op.function.data.partition("#")[0] for op in traced.module.walk() if isinstance(op, host.CallOp)]


def _hint(program: Program, term: Any) -> int:
    """The value of a carried term in the call that torch compiles for, at least 0."""
    return max(int(value_with(term, {symbol: _symbol_hint(program, symbol) for symbol in term.free_symbols})), 0)


def _symbol_hint(program: Program, symbol: Any) -> int:
    """The value of a symbol in the call that torch compiles for; 2 for a symbol that depends on data."""
    for node in (*program.inputs, *(each for own in program.nodes for each in (own, *own.all_input_nodes))):
        for value in _numbers(value_of(node)):
            expression = expression_of(value)
            if expression is not None and symbol in expression.free_symbols:
                environment = getattr(value.node, "shape_env", None)
                hint = (getattr(environment, "backed_var_to_val", None) or getattr(environment, "var_to_val", {})).get(symbol)
                return 2 if hint is None else int(hint)
    return 2


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [each for entry in value for each in _numbers(entry)]
    if hasattr(value, "shape"):
        return list(value.shape)
    return [value] if is_symbolic(value) else []


def _attribute(module: Any, path: str) -> Any:
    found = module
    for name in path.split("."):
        found = getattr(found, name)
    return found


def _symbol_places(placeholders: Sequence[Any]) -> list[tuple[Any, Any, int | None]]:
    """The source of each symbol's value: an argument, or the size of an argument along an axis."""
    found: dict[Any, tuple[Any, Any, int | None]] = {}
    for node in placeholders:
        value = value_of(node)
        entries = list(enumerate(value.shape)) if hasattr(value, "shape") else [(None, value)]
        for axis, size in entries:
            expression = expression_of(size)
            if expression is not None and expression.is_symbol:
                found.setdefault(expression, (expression, node, axis))
    return list(found.values())


def _size_at(value: Any, axis: int | None) -> Any:
    return value if axis is None else value.shape[axis]


def _bind_new(fake: Any, value: Any, bindings: dict[Any, Any]) -> None:
    """Take the values of symbols that depend on data from a result."""
    if isinstance(fake, list | tuple):
        for each, found in zip(fake, value, strict=True):
            _bind_new(each, found, bindings)
        return
    if value is None:
        return
    pairs = zip(fake.shape, value.shape, strict=True) if hasattr(fake, "shape") else [(fake, value)]
    for size, found in pairs:
        expression = expression_of(size)
        if expression is not None and expression.is_symbol:
            bindings.setdefault(expression, found)


def _filled(value: Any, known: Mapping[Any, Any]) -> Any:
    """An argument or result, with values in place of nodes."""
    if hasattr(value, "all_input_nodes"):
        return known[value]
    if isinstance(value, tuple):
        return tuple(_filled(each, known) for each in value)
    if isinstance(value, list):
        return [_filled(each, known) for each in value]
    return {key: _filled(each, known) for key, each in value.items()} if isinstance(value, dict) else value


def _used(step: Step) -> Sequence[Any]:
    """The nodes whose values a step takes."""
    match step:
        case Program():
            return step.inputs
        case Eager(node):
            return node.all_input_nodes
        case Size():
            return ()


def _last_uses(steps: Sequence[Step], kept: set[Any], placeholders: Sequence[Any]) -> list[list[Any]]:
    """For each step, the nodes whose values no later step uses, except the kept nodes."""
    last: dict[Any, int] = {}
    made: dict[Any, int] = {}
    for number, step in enumerate(steps):
        for node in _used(step):
            last[node] = number
        for node in step.outputs if isinstance(step, Program) else [step.node]:
            made[node] = number
    found: list[list[Any]] = [[] for _ in steps]
    for node in (*made, *placeholders):
        if node not in kept and (node in last or node in made):
            found[last.get(node, made.get(node, 0))].append(node)
    return found
