"""Operations of users, with a shape rule, implementations for devices, and a backward pass."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir.copies import CopiedAsItself
from ...ir.diagnostics import CompileError
from ...ir.shape_rules.rule import ShapeRule
from ...ir.types.shapes import Shape, format_shape
from ...passes.rules.settings import add_extension
from ...runtime.boundary.arrays import is_torch
from ..jit import Stats
from ..lazy import in_trace, lazily
from ..tracing.bypasses import active_backends, replacement_for
from ..tracing.complex_tensors import is_complex
from ..tracing.grad_mode import differentiates
from ..tracing.tensor import Tensor, tensor_of
from ..tracing.tracer import Tracer, current_tracer, identifier
from ..tracing.trees import Tree, exact, flatten
from ..transforms.derived import Derived
from .implementations import (
    HostImplementation,
    Implementation,
    TracedImplementation,
    accepted,
    expect_known,
    tensors_of,
)
from .rule_checks import infer
from .saved import Backward


@dataclass
class _Traced:
    """One call of an operation in a trace."""

    name: str
    tracer: Tracer
    inputs: Sequence[Tensor]
    tree: Tree
    options: Mapping[str, Any]
    shapes: Sequence[Shape] | None
    overwrites: Sequence[int]

    @property
    def arguments(self) -> Sequence[Any]:
        return self.tree.unflatten(self.inputs)


class Operation(CopiedAsItself):
    """An operation of a user: a function of arrays and tensors, in traces and outside of them."""

    def __init__(
        self,
        name: str,
        rule: ShapeRule | None,
        backward: Callable[..., Any] | None,
        saved: Sequence[bool] | None,
        documentation: str,
        *,
        takes_nested: bool = False,
    ):
        self.name, self.rule, self.backward, self.saved, self.takes_nested = name, rule, backward, saved, takes_nested
        self.__name__ = self.__qualname__ = identifier(name)
        self.__doc__ = documentation or f"The operation '{name}': {rule or 'of any shapes'}."
        self.implementations: list[Implementation] = []
        self._lock = threading.Lock()
        # Functions for calls outside of traces, by layouts and values of `cache_id`.
        self._functions: dict[Hashable, Derived] = {}
        self._used = False

    # Declaration.

    def impl(
        self,
        device: str | None = None,
        *,
        reject: Callable[..., Any] | None = None,
        cache_id: Callable[..., Hashable] | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate a function of tensors that computes the operation on a device, or on any. It is traced and compiled. It
        takes the arguments of a call, and the keywords that it has parameters for, and returns the result, or a tuple of
        results. `reject(*inputs)`, which is called with tensors, returns whether other implementations are to be used.
        `cache_id(*inputs)` returns what the code depends on besides dtypes, ranks and layouts.
        """
        return self._declare(device, lambda function: TracedImplementation(device, function, reject, cache_id))

    def impl_host(
        self,
        device: str | None = None,
        *,
        dtype: Any = None,
        reject: Callable[..., Any] | None = None,
        cache_id: Callable[..., Hashable] | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate a Python function on NumPy arrays that computes the operation; compiled programs call it when they run.

        Arguments are read-only, except for those whose memory the rule says that results share. `dtype` is the dtype of the
        results, a list with one for each, or a function of the arguments' dtypes; by default it is the arguments' common dtype.
        Calls run once each, in order. Results of other shapes and dtypes raise ShapeError at the line of the call.
        """
        if self.rule is None:
            raise TypeError(f"'{self.name}': a host function needs a shape rule, which says the shapes of its results")
        return self._declare(device, lambda function: HostImplementation(device, function, reject, cache_id, self.name, dtype))

    def _declare(
        self, device: str | None, make: Callable[[Callable[..., Any]], Implementation]
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        if device is not None and (not isinstance(device, str) or not device):
            raise TypeError(f"'{self.name}': expected the name of a device, such as 'cpu', or None for any, got {device!r}")

        def declare(function: Callable[..., Any]) -> Callable[..., Any]:
            if not callable(function):
                raise TypeError(f"'{self.name}': expected a function, got {function!r}")
            made = make(function)
            for what, given in (("reject", made.reject), ("cache_id", made.cache_id)):
                if given is not None and not callable(given):
                    raise TypeError(f"'{self.name}': expected a function as {what}, got {given!r}")
            with self._lock:
                self.implementations.append(made)
                if self._used:  # functions compiled before may choose another implementation now
                    add_extension(made)
            return function

        return declare

    # Calls.

    def __call__(self, *args: Any, **options: Any) -> Any:
        """The result of the operation, or a tuple of them.

        Outside of traces it is compiled once for each device, dtypes, ranks and layouts of the arguments, keywords and
        `cache_id`; on arrays the results are arrays, on lazy tensors lazy tensors. Raises ShapeError with all violations of the
        rule, CompileError if no implementation fits, TypeError for unknown keywords.
        """
        leaves, tree = flatten(args)
        options = {name: value.item() if isinstance(value, np.generic) else value for name, value in options.items()}
        if not self.takes_nested:
            self._expect_arrays(args, tree)
        if in_trace(leaves):
            replacement = replacement_for(self.name)
            return replacement(*args, **options) if replacement is not None else self._traced(leaves, tree, options)
        return self._function(leaves, options)(*args, **options)

    def _expect_arrays(self, args: Sequence[Any], tree: Tree) -> None:
        """Raise TypeError for an argument that is a list, a dict or None."""
        nested = next((number for number, each in enumerate(tree.children) if each.kind is not None), None)
        if nested is not None:
            if is_complex(args[nested]):
                message = "expected a real array, got a complex one, whose parts are sw.real(x) and sw.imag(x)"
                raise current_tracer().error(f"'{self.name}': argument {nested}: {message}")
            kind = "None" if args[nested] is None else f"a {type(args[nested]).__name__}"
            raise TypeError(f"'{self.name}': argument {nested}: expected an array, got {kind}")

    def stats(self) -> Stats:
        """The numbers of compiles and of cache hits of calls outside of traces."""
        found = [each.stats() for each in list(self._functions.values())]
        return Stats(sum(each.compiles for each in found), sum(each.hits for each in found))

    def __repr__(self) -> str:
        rule = f": {self.rule}" if self.rule is not None else ""
        return f"<operation {self.name}{rule}>"

    def _function(self, leaves: Sequence[Any], options: Mapping[str, Any]) -> Derived:
        """The compiled function for calls with these arguments, outside of traces."""
        layouts = tuple(_layout(leaf) for leaf in leaves)
        identities = tuple(each.identity(leaves, options) for each in self.implementations)
        key = exact((layouts, identities))
        with self._lock:
            if key not in self._functions:
                self._functions[key] = self._compiled()
            return self._functions[key]

    def _compiled(self) -> Derived:
        def called(*args: Any, **options: Any) -> Any:
            return self(*args, **options)

        called.__name__ = called.__qualname__ = self.__name__
        return Derived(lazily(called, at_once=True), any_windows=True)

    def _traced(self, leaves: Sequence[Any], tree: Tree, options: Mapping[str, Any]) -> Any:
        self._used = True
        tracer = current_tracer()
        self._expect_options(options)
        inputs = tensors_of(leaves, tracer)
        shapes, overwrites = None, ()
        if self.rule is not None:
            shapes = infer(self.rule, self.name, [each.sizes for each in inputs], options, tracer).outputs
            overwrites = tuple(number for number in self.rule.aliases if number is not None)
        chosen = self._chosen(inputs, options, tracer)

        nesting: list[Tree] = []

        def forward(given: Sequence[Tensor]) -> list[Tensor]:
            call = _Traced(self.name, tracer, given, tree, options, shapes, overwrites)
            found, nested = flatten(chosen.result(call))
            nesting.append(nested)
            return self._checked(chosen, [tensor_of(each, tracer) for each in found], call)

        if self.backward is None or not differentiates():
            made = forward(inputs)
        else:
            made = self._backward(options, len(inputs)).call(tracer, inputs, forward)
        if self.rule is None:
            return nesting[-1].unflatten(made)
        return made[0] if len(made) == 1 else tuple(made)

    def _checked(self, chosen: Implementation, found: list[Tensor], call: _Traced) -> list[Tensor]:
        """The results of an implementation. Raises ShapeError unless they have the shapes that the rule predicts."""
        tracer = call.tracer
        if call.shapes is None:
            return found
        what = f"'{self.name}': its implementation for {chosen.label}"
        if len(found) != len(call.shapes):
            raise tracer.error(f"{what} returned {len(found)} results, the rule has {len(call.shapes)}: {self.rule}")
        for number, (result, shape) in enumerate(zip(found, call.shapes, strict=True)):
            same = result.ndim == len(shape)
            if not same or not all(tracer.sizes.unify(a, b) for a, b in zip(result.sizes, shape, strict=True)):
                found_shape, wanted = (_numbers(each, tracer) for each in (result.sizes, shape))
                raise tracer.error(
                    f"{what} returned shape {found_shape} for result {number}, the rule says {wanted}: {self.rule}"
                )
        return found

    def _chosen(self, inputs: Sequence[Tensor], options: Mapping[str, Any], tracer: Tracer) -> Implementation:
        """The implementation to use. Raises CompileError with all implementations that were tried."""
        backends = active_backends()
        tried: list[str] = []
        for device in (*backends.devices, *(() if backends.exclusive else (None,))):
            here = [each for each in self.implementations if each.device == device]
            for each in reversed(here):  # the last one defined comes first
                if not each.rejects(inputs, options):
                    return each
            what = "rejected the arguments" if here else "no implementation"
            where = f"'{device}'" if device is not None else "any device"
            tried.append(f"{where}: {what}")
        has = ", ".join(dict.fromkeys(each.label for each in self.implementations)) or "none"
        alone = " (alone, under sw.single_backend)" if backends.exclusive else ""
        message = f"'{self.name}': no implementation fits{alone}; tried {', '.join(tried)}; it has implementations for {has}"
        raise CompileError(message, tracer.user_location())

    def _expect_options(self, options: Mapping[str, Any]) -> None:
        if not options:
            return
        functions = [each.function for each in self.implementations]
        functions += [self.backward] if self.backward is not None else []
        if any(_takes_any(function) for function in functions):
            return
        names = [name for function in functions for name in inspect.signature(function).parameters]
        expect_known(self.name, options, (*(self.rule.names if self.rule is not None else ()), *names))

    def _backward(self, options: Mapping[str, Any], count: int) -> Backward:
        assert self.backward is not None
        function, given = self.backward, accepted(self.backward, options)
        patterns = self.rule.grammar.inputs if self.rule is not None else ()
        names = [f"'{each.name}'" if each.name else f"{number + 1}" for number, each in enumerate(patterns)]
        names += [f"{number + 1}" for number in range(len(names), count)]
        return Backward(self.name, names, lambda g, *inputs: function(g, *inputs, **given), self.saved)


def _numbers(shape: Shape, tracer: Tracer) -> str:
    """A shape with the sizes of the first call, if there is one."""
    return format_shape([size if (hint := tracer.sizes.hint_of(size)) is None else hint for size in shape])


def _takes_any(function: Callable[..., Any]) -> bool:
    return any(each.kind is inspect.Parameter.VAR_KEYWORD for each in inspect.signature(function).parameters.values())


def _layout(leaf: Any) -> str:
    """The memory layout of an array: in C order, in Fortran order, or strided."""
    if is_torch(leaf):
        return "c" if leaf.is_contiguous() else "strided"
    if not isinstance(leaf, np.ndarray) or leaf.flags.c_contiguous:
        return "c"
    return "f" if leaf.flags.f_contiguous else "strided"
