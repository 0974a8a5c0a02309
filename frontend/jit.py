"""`sw.jit` and `sw.lower`: compile Python functions, and inspect every level."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import threading
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MethodType, NoneType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..dialects import make_context
from ..ir.copies import CopiedAsItself
from ..ir.diagnostics import CompileError
from ..ir.index.expressions import param
from ..ir.lazy_import import load
from ..passes.rules.settings import ADDITIONS, Settings, current, held
from ..runtime.boundary.arrays import expect_elements, is_torch, is_transformed
from ..runtime.cpu.warm_calls import Nested
from ..runtime.executable import Executable, build_program, calls_host, check_target, use_graphs
from ..runtime.toolchain.compiler import ask_early
from .calls.arguments import (
    arrays_among,
    dtype_of_torch,
    expect_hashable,
    is_argument,
    is_array,
    plain_tree,
    separated_leaves,
)
from .calls.call_traces import signature_of, trace_call
from .calls.donation import donate_arguments
from .calls.torch_calls import shared, torch_call
from .calls.traced import Traced, UnknownKeyword
from .calls.variants import Compiled, Variant
from .calls.varying_numbers import VaryingNumber
from .functions.arguments import argument_numbers
from .lowered.notebook import jitted_html
from .tracing.complex_tensors import is_complex_array, joined
from .tracing.parameters import ParametersNeeded, inner_function
from .tracing.sizes import Constraint
from .tracing.specs import Spec
from .tracing.target import tracing_for
from .tracing.tensor import Tensor
from .tracing.tracer import accepted_keywords, positional_parameters, split_params
from .tracing.trees import Tree, exact, flatten

if TYPE_CHECKING:
    from .lowered.function import Lowered
    from .parameters import Parameterised

# Function transformations import this file; torch's autograd needs them at the first call with its tensors.
PARAMETERISED = ".parameters:Parameterised"
TORCH_AUTOGRAD = ".transforms.torch_autograd:differentiable_call"


class Stats(NamedTuple):
    """The number of compiles of a jitted function, and of calls that found compiled code."""

    compiles: int
    hits: int


class Jitted(CopiedAsItself):
    """A function that is compiled when called, once for each structure, dtypes and ranks of its arguments, and for each set of
    rewrite rules and hooks.

    Sizes stay symbolic. A second compile for the same dtypes happens only when a call breaks an assumption of the first one:
    that two axes are equal, that one is 1 and broadcasts, or the size of a small window or a short axis. A copy is the same
    object.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        target: str = "cpu",
        static: bool = False,
        donate_argnums: Sequence[int] = (),
        any_windows: bool = False,
        graph: bool = False,
    ):
        """With `any_windows` already the first compile is for windows and short axes of all sizes. Raises ValueError for a
        `graph` on another target than "cuda"."""
        check_target(target)
        if graph and target != "cuda":
            raise ValueError(f"sw.jit(graph=True): expected target 'cuda', got '{target}': graphs are launches on a GPU")
        if not callable(function):
            raise TypeError(f"sw.jit: expected a function, got {function!r}")
        functools.update_wrapper(self, function)
        self.function = function
        self.target = target
        self.static = static
        self.donate_argnums = tuple(donate_argnums)
        self.any_windows = any_windows
        self.graph = graph
        self._accepted = accepted_keywords(function)
        parameters = positional_parameters(function)
        self._names = tuple(parameters)
        self._defaults = {name: default for name, default in parameters.items() if default is not inspect.Parameter.empty}
        self._compiled: dict[Settings, Compiled] = {}
        # Functions made of this one for torch's transformations of its calls, such as those that pull cotangents back.
        self.derived: dict[Hashable, Jitted] = {}
        self._lock = threading.Lock()
        # A trace for arguments of known sizes that was made before the first call, which uses it.
        self.ahead: Traced | None = None
        # The function of its parameters, if it declares any.
        self._parameterised: Parameterised | None = None
        self._compiles = 0
        self._hits = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the compiled function. Inside of another traced function, trace it inline.

        With tensors of torch that require gradients, the results are differentiable by torch. Raises CompileError for
        operations that are not allowed, TypeError for an unsupported dtype, ValueError for sizes that do not fit, and
        IndexError and ZeroDivisionError from run-time checks.
        """
        if self._parameterised is not None and not any(isinstance(arg, Tensor) for arg in args):
            return self._parameterised(args, kwargs)
        # Read the settings once: another thread may change them during the call.
        settings = current()
        compiled = self._compiled.get(settings)
        if compiled is None:
            compiled = self._under(settings)
        if kwargs:
            args, kwargs = self._by_position(args, kwargs)
        if not kwargs:
            if compiled.direct.known:
                result = compiled.direct.run(args)
                if result is not NotImplemented:
                    return result
            result = compiled.warm.run(args)
            if result is not NotImplemented:
                return result
            if args and is_torch(args[0]):
                result = torch_call(compiled.warm, args)
                if result is not NotImplemented:
                    return result
            if all(type(arg) is np.ndarray for arg in args):
                # Fast path of the common call: its arguments need not be flattened.
                found = compiled.fitting(self._plain_key(args), [size for arg in args for size in arg.shape], {})
                if found is not None:
                    self._hits += 1
                    return self._run(compiled, found, args, args, None)
        kwargs, params = split_params(self._accepted, kwargs)
        leaves, tree = flatten((args, kwargs))
        if any(isinstance(leaf, Tensor) for leaf in leaves):
            return self._inline(leaves, args, kwargs, params)
        if any(map(is_complex_array, leaves)):
            args, kwargs = tree.unflatten(separated_leaves(self.function, tree, leaves, self.donate_argnums))
            return joined(self(*args, **kwargs, **params))
        if any(is_transformed(leaf) for leaf in leaves) and not params:
            return load(TORCH_AUTOGRAD, __package__)(self, leaves, tree)
        described = tuple([self._describe(leaf) for leaf in leaves])
        expect_hashable(self.function, tree, leaves, described)
        leaves, numbers = compiled.numbers.replace(tree, leaves, described)
        arrays = arrays_among(leaves)
        try:
            variant = self._variant(compiled, tree, leaves, arrays, params)
        except ParametersNeeded:
            self._parameterised = load(PARAMETERISED, __package__)(self)
            return self(*args, **kwargs, **params)
        except (CompileError, TypeError, ValueError, AttributeError, IndexError, KeyError, ZeroDivisionError, OverflowError):
            if numbers is None:
                raise
            # The function needs the numbers themselves, or raises the same error with them.
            numbers.constant |= numbers.varying
            numbers.varying.clear()
            return self(*args, **kwargs, **params)
        if kwargs or params or numbers is not None or tree.has_nodes:
            return joined(variant.out_tree.unflatten(variant.executable.run([*arrays, *variant.captured], params)))
        return self._run(compiled, variant, leaves, arrays, tree)

    def _inline(self, leaves: Sequence[Any], args: Any, kwargs: Mapping[str, Any], params: Mapping[str, int]) -> Any:
        """Trace the function inside of another one, where its `$params` are constants. Raises TypeError for an unused one."""
        name = getattr(self, "__name__", "")
        with inner_function(name, self):
            if not params:
                return self.function(*args, **kwargs)
            tracer = next(leaf.tracer for leaf in leaves if isinstance(leaf, Tensor))
            with tracer.constant_params(params) as unused:
                result = self.function(*args, **kwargs)
        if unused:
            raise UnknownKeyword(name or "the function", min(unused), ())
        return result

    def _by_position(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with keywords moved to their positions, and with defaults before them, if all of them have one."""
        first, names = len(args), self._names
        if first + len(kwargs) > len(names):
            return args, kwargs
        try:
            return args + tuple([kwargs[name] for name in names[first : first + len(kwargs)]]), {}
        except KeyError:
            last = max((k for k, name in enumerate(names) if name in kwargs), default=-1)
        if last < first or any(name not in names[first:] for name in kwargs):
            return args, kwargs
        known = {**self._defaults, **kwargs}
        if any(name not in known for name in names[first : last + 1]):
            return args, kwargs
        return args + tuple([known[name] for name in names[first : last + 1]]), {}

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickled like a function: by its name if the module has it under that name, else by the function that it compiles.
        Compiled code is not pickled; another process finds it in the cache on disk."""
        name = getattr(self, "__qualname__", "")
        try:
            known = operator.attrgetter(name)(sys.modules[self.__module__])
        except (AttributeError, KeyError):
            known = None
        settings = (self.target, self.static, self.donate_argnums, self.any_windows, self.graph)
        return name if known is self else (Jitted, (self.function, *settings))

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind a method; its `self` is a constant of the compiled code."""
        return self if instance is None else MethodType(self, instance)

    def params(self) -> dict[str, Any]:
        """The arrays of the parameters that the function declares (`sw.param`), by name. Calls use these arrays: change the
        elements of arrays, or `update` the dict. Raises RuntimeError before the first call, which infers their shapes."""
        if self._parameterised is None or not self._parameterised.values:
            name = getattr(self, "__name__", "the function")
            raise RuntimeError(f"{name} has no parameters yet: they are declared by sw.param, and inferred by the first call")
        return self._parameterised.values

    @property
    def apply(self) -> Jitted:
        """The function of the parameters and its arguments: `f.apply(f.params(), x)` is `f(x)`, and `sw.grad(f.apply)` the
        gradient by the parameters."""
        found = self._parameterised
        if found is None:
            found = self._parameterised = load(PARAMETERISED, __package__)(self)
        return found.apply

    def stats(self) -> Stats:
        """The numbers of compiles and of cache hits so far."""
        if self._parameterised is not None:
            return self._parameterised.apply.stats()
        return Stats(
            self._compiles, self._hits + sum(each.warm.hits + each.direct.hits for each in list(self._compiled.values()))
        )

    def has_checks(self) -> bool:
        """Whether compiled code has run-time checks, which raise IndexError or ZeroDivisionError; before the first compile, and
        for code other than C, it may have."""
        programs = [
            each.executable.program for every in self._compiled.values() for some in every.variants.values() for each in some
        ]
        return not programs or any(getattr(getattr(each, "code", None), "checks", True) for each in programs)

    def _repr_html_(self) -> str:
        """Name, target and counts, for notebooks."""
        return jitted_html(getattr(self, "__name__", repr(self.function)), self.target, self.stats()._asdict())

    def lower(self, *args: Any, trace: bool = True, **kwargs: Any) -> Lowered:
        """Lower the function for these arguments, or Specs, and keep every level. The code is for all sizes of small windows
        and short axes, whereas the first call compiles code for its own sizes only."""
        donated = self.donate_argnums
        return lower(self, *args, target=self.target, static=self.static, donate_argnums=donated, trace=trace, **kwargs)

    def _under(self, settings: Settings) -> Compiled:
        """The cache for these settings. Drops code under settings that cannot recur."""
        for old in [each for each in list(self._compiled) if not ADDITIONS.may_return(each)]:
            dropped = self._compiled.pop(old, None)
            self._hits += dropped.warm.hits + dropped.direct.hits if dropped is not None else 0
        return self._compiled.setdefault(settings, Compiled(settings))

    def _run(
        self, compiled: Compiled, variant: Variant, leaves: Sequence[Any], arrays: Sequence[Any], tree: Tree | None
    ) -> Any:
        """Run on arguments without keywords, and register the call for the native fast path. Without a tree, the leaves are the
        arguments."""
        results = variant.executable.run([*arrays, *variant.captured], {})
        result = variant.out_tree.unflatten(results)
        if variant.out_tree.has_nodes:
            return joined(result)
        if self.target == "cuda" and not variant.captured and (tree is None or tree == plain_tree(len(leaves))):
            compiled.direct.remember(variant.executable.program, leaves, variant.out_tree.unflatten)
        if compiled.warm.due():
            leaves, results = ([shared(each) for each in values] for values in (leaves, results))
            args, _ = (tree or plain_tree(len(leaves))).unflatten(leaves)
            made = Nested(variant.out_tree.unflatten(results), results)
            compiled.warm.remember(variant.executable.program, Nested(args, leaves), variant.captured, made)
        return result

    def _variant(
        self, compiled: Compiled, tree: Tree, leaves: Sequence[Any], arrays: Sequence[Any], params: Mapping[str, int]
    ) -> Variant:
        key = (tree, tuple(self._describe(leaf) for leaf in leaves), tuple(params))
        sizes = [size for array in arrays for size in array.shape]
        found = compiled.fitting(key, sizes, params)
        if found is None:
            with self._lock:
                found = compiled.fitting(key, sizes, params)  # another thread may have been faster
                if found is None:
                    variants = compiled.variants.setdefault(key, [])
                    # A second window size makes a third one likely, and `$params` are expected to vary: compile for all
                    # windows.
                    others = (
                        self.any_windows or bool(params) or any(variant.broken(sizes, params) is None for variant in variants)
                    )
                    made = self._made_for(compiled.settings, tree, leaves, params, sizes, all_windows=others)
                    variants.append(made)
                    if not params and tree == plain_tree(len(arrays)):
                        compiled.variants[self._plain_key(arrays)] = variants
                    self._compiles += 1
                    return made
        self._hits += 1
        return found

    def _made_for(
        self,
        settings: Settings,
        tree: Tree,
        leaves: Sequence[Any],
        params: Mapping[str, int],
        sizes: Sequence[int],
        all_windows: bool,
    ) -> Variant:
        """Compile code for a call. Raises ValueError for sizes that break a requirement of the program."""
        with held(settings):
            made = self._compile(tree, leaves, params, all_windows)
        broken = made.broken(sizes, params)
        if broken is not None:
            given = ", ".join(f"{name} = {value}" for name, value in params.items())
            raise ValueError(f"the sizes do not fit: expected {broken}, but {given} and sizes {sizes}")
        return made

    def _plain_key(self, arrays: Sequence[Any]) -> Hashable:
        """The cache key of calls whose arguments are all arrays."""
        return tuple([(array.dtype, array.shape if self.static else array.ndim) for array in arrays])

    def _describe(self, leaf: Any) -> Hashable:
        if isinstance(leaf, VaryingNumber):
            return VaryingNumber, leaf.array.dtype
        if not is_array(leaf):
            return exact(leaf)
        if is_torch(leaf):
            expect_elements(leaf, "an argument")
        kind = dtype_of_torch(leaf.dtype) if is_torch(leaf) else leaf.dtype
        return kind, tuple(leaf.shape) if self.static else len(leaf.shape)

    def _traced_ahead(self, tree: Tree, leaves: Sequence[Any]) -> Traced | None:
        """The trace that was made ahead of the first call, if it is for arguments like these. It is used once: lowering changes
        it."""
        ahead, self.ahead = self.ahead, None
        described = [Spec.static(leaf) if is_argument(leaf) else leaf for leaf in leaves] if ahead else []
        return ahead if ahead and self.static and (ahead.in_tree, ahead.leaves) == (tree, described) else None

    def _compile(self, tree: Tree, leaves: Sequence[Any], params: Mapping[str, int], all_windows: bool) -> Variant:
        if self.target == "cpu":
            ask_early()
        with tracing_for(self.target):
            traced = self._traced_ahead(tree, leaves) or trace_call(self.function, tree, leaves, params, self.static)
        if traced.out_tree.kind is NoneType:
            name = getattr(self.function, "__name__", "the function")
            warnings.warn(f"{name}() returns no arrays, so that nothing is computed: is a return missing?", stacklevel=5)
        missing = next((name for name in traced.params if name not in params), None)
        if missing is not None:
            raise ValueError(f"parameter '{missing}' is missing: give it as a keyword")
        donate_arguments(traced, self.donate_argnums)
        signature = signature_of(traced)
        program = build_program(traced.module, make_context(), self.target, signature, only_expected=not all_windows)
        if self.graph:
            use_graphs(program)
        sizes = traced.sizes
        windows = [Constraint(sizes.given(param(name)) - size, "==") for name, size in program.signature.sizes.items()]
        return Variant(Executable(program), sizes.constraints(), windows, traced.out_tree, traced.captured)


def jit(
    function: Callable[..., Any] | None = None,
    *,
    target: str = "cpu",
    static: bool = False,
    donate_argnums: int | Sequence[int] = (),
    graph: bool = False,
) -> Any:
    """Compile a function of arrays at its first call; also as a decorator, `@sw.jit` or `@sw.jit(target="cuda")`.

    Arguments and results are NumPy arrays or torch tensors, in nested tuples, lists and dicts, whose classes are kept, named
    tuples and OrderedDict among them; other dicts raise TypeError. All other arguments are constants of the compiled code. So
    are arrays of enclosing scopes, with their elements at compile time. `target` is "cpu", "cuda", "triton-interpret" or
    "interpret"; others raise CompileError. `static=True` compiles for each shape.

    One compile serves all sizes, except for three kinds of sizes, which are constants of the code of the first call:

    - those of small windows: of convolutions, pooling, and sums over a few elements of an axis,
    - of axes of at most 8 elements beside longer ones, as in sums of rows or factors for each column,
    - and of at most 16 columns of products or sides of stacked matrices.

    The first call with other sizes of these kinds compiles code for all sizes. Sums of known short length may round
    differently: the last bits of a result can depend on the calls before.

    `donate_argnums` donates the arrays in these positional arguments: results of their shapes and dtypes are written into them
    and returned as the same arrays, provided that these are contiguous, writable, and share no memory with other arguments.
    Afterwards the donated arrays hold the new values, or unspecified values if the call raises. With the target "cuda", tensors
    on the GPU take results.

    `graph=True` records the launches of repeated calls as a CUDA graph: a call with tensors of shapes and types that came
    before is one launch. Arguments that are not donated are copied to memory of the graph, results from it: one tensor at
    least has to be on the GPU. Graphs and their memory are kept for the 8 kinds of arguments that came last.
    """
    if function is None:
        return functools.partial(jit, target=target, static=static, donate_argnums=donate_argnums, graph=graph)
    return Jitted(function, target, static, argument_numbers(donate_argnums, "donate_argnums"), graph=graph)


def lower(
    function: Callable[..., Any],
    *args: Any,
    target: str = "cpu",
    trace: bool = True,
    static: bool = False,
    donate_argnums: int | Sequence[int] = (),
    **kwargs: Any,
) -> Lowered:
    """Lower a function for arguments given as arrays or as `sw.Spec`s, and keep every level.

    `trace=False` records no origins of operations; the emitted code is the same. Raises CompileError as a call would.
    """
    check_target(target)
    with tracing_for(target):
        traced = traced_for(function, args, kwargs, static=static, locations=trace)
    donate_arguments(traced, argument_numbers(donate_argnums, "donate_argnums"))
    # Imported here: calls need neither the texts nor the trace.
    from .lowered.function import Lowered

    if not calls_host(traced.module):
        return Lowered(traced.module, target, signature_of(traced), trace=trace, traced=traced)
    from .lowered.segments import LoweredSegments

    return LoweredSegments(traced.module, target, signature_of(traced), trace=trace, traced=traced)


def traced_for(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    static: bool = False,
    locations: bool = True,
) -> Traced:
    """Trace a function for arguments given as arrays or as `sw.Spec`s. Raises CompileError as a call would."""
    inner = function.function if isinstance(function, Jitted) else function
    named, params = split_params(accepted_keywords(inner), kwargs)
    leaves, tree = flatten((tuple(args), named))
    if any(map(is_complex_array, leaves)):
        leaves, tree = flatten(tree.unflatten(separated_leaves(inner, tree, leaves)))
    return trace_call(inner, tree, leaves, params, static, locations)
