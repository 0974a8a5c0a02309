"""`from_torch`: a module of torch as a function for `sw.jit`; `to_torch`: a function of Stepwell on tensors of torch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...runtime.boundary.arrays import to_numpy
from .. import functions as sw
from ..jit import Jitted
from ..tracing.tensor import Tensor
from ..tracing.tracer import Tracer, current_tracer, is_tracing
from ..tracing.trees import flatten
from .decompositions import decompositions
from .graphs.partitions import gives_tensors, reason_against
from .graphs.program import CannotCompile, Program
from .graphs.random_draws import draws

# The size, in torch's trace, of an axis whose size is unknown.
_UNKNOWN = 7


def from_torch(module: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A module of torch as a function on tensors of Stepwell, `function(parameters, *args)`, and its parameters and buffers as
    nested dicts of NumPy arrays. Buffers that are not floats are constants of the function, since only floats have gradients.

    The function runs in `sw.jit`, `sw.grad` and the like: torch exports the module for the sizes of the arguments, in the
    module's current mode, training or evaluation. Buffers that a call would change remain unchanged. Raises TypeError unless
    `module` is a module, and for complex parameters; the function raises CompileError for an operation that has no row in the
    table of operations.
    """
    import torch

    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"from_torch: expected a torch.nn.Module, got {type(module).__name__}")
    module = getattr(module, "_orig_mod", module)  # what torch.compile wraps
    complex_one = next((name for name, each in module.named_parameters() if each.is_complex()), None)
    if complex_one is not None:
        raise TypeError(f"from_torch: expected parameters of floats, but '{complex_one}' is complex")
    owned = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    named = {name: each for name, each in owned.items() if each.is_floating_point()}
    parameters = _nested({name: to_numpy(each.detach().cpu()).copy() for name, each in named.items()})
    exported: dict[Any, Any] = {}

    def called(parameters: Any, *args: Any) -> Any:
        if not is_tracing():
            raise RuntimeError(
                "from_torch: the function runs inside of sw.jit, sw.grad and the like, as sw.jit(function)(parameters, x); "
                "torch's own transformations take the module itself, by torch.func.functional_call"
            )
        values = _flat(parameters)
        missing = next((name for name in named if name not in values), None)
        if missing is not None:
            raise current_tracer().error(f"from_torch: expected a parameter '{missing}', got {', '.join(sorted(values))}")
        return _applied(module, values, args, exported)

    called.__name__ = called.__qualname__ = type(module).__name__
    return called, parameters


def to_torch(function: Callable[..., Any], *, target: str = "cpu") -> Callable[..., Any]:
    """A function of Stepwell as a function on tensors of torch, which torch differentiates by the function's own gradient,
    compiled at the first backward pass.

    Tensors may be nested in tuples, lists and dicts. Raises as `sw.jit` does.
    """
    import torch

    jitted = function if isinstance(function, Jitted) else Jitted(function, target)

    @torch.compiler.disable  # Dynamo need not trace it
    @functools.wraps(jitted.function)
    def called(*args: Any, **kwargs: Any) -> Any:
        leaves, tree = flatten(jitted(*args, **kwargs))
        return tree.unflatten([torch.as_tensor(each) for each in leaves])

    return called


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dicts nested by the dots in names."""
    found: dict[str, Any] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = found
        for key in path:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return found


def _flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The leaves of nested dicts, by their paths with dots."""
    found: dict[str, Any] = {}
    for key, value in nested.items():
        found.update(_flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value})
    return found


def _applied(module: Any, values: Mapping[str, Any], args: Sequence[Any], exported: dict[Any, Any]) -> Any:
    """The results of a module's operations on traced tensors."""
    from torch.utils import _pytree as pytree

    tracer = current_tracer()
    leaves, tree = flatten(tuple(args))
    tensors = [each for each in leaves if isinstance(each, Tensor)]
    shapes = tuple((tuple(_known(size, tracer) for size in each.sizes), each.dtype.name) for each in tensors)
    constants = tuple(each for each in leaves if not isinstance(each, Tensor))
    key = (tree, shapes, constants, module.training)
    if key not in exported:
        try:
            exported[key] = _exported(module, leaves, tree, shapes)
        except Exception as error:
            first, *_ = str(error).strip().splitlines() or [""]
            raise tracer.error(f"from_torch: torch.export fails for the module: {type(error).__name__}: {first}") from error
    program = exported[key]
    nodes = [node for node in program.graph.nodes if node.op == "call_function" and gives_tensors(node)]
    for node in nodes:
        reason = reason_against(node, None)
        if reason is not None:
            advice = "; call `module.eval()` for inference, without dropout" if draws(node) and module.training else ""
            raise tracer.error(f"from_torch: '{node.target}' cannot be compiled: {reason}{advice}")
    placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
    given = dict(zip(placeholders, _inputs(module, program, values, tensors), strict=True))
    given = {node: value for node, value in given.items() if value is not None}
    (end,) = (node for node in program.graph.nodes if node.op == "output")
    changed = len(program.graph_signature.output_specs) - len(program.graph_signature.user_outputs)
    results = end.args[0][changed:]
    made = [each for each in results if hasattr(each, "op") and each not in given]
    traced = Program.of(nodes, list(given), made, plain=True)
    if traced.carried:
        terms = ", ".join(map(str, traced.carried))
        raise tracer.error(f"from_torch: sizes depend on data, or on numbers of the call: {terms}")
    try:
        found = dict(zip(made, traced(*given.values()), strict=True))
    except CannotCompile as error:
        raise tracer.error(f"from_torch: {error}") from error
    leaves = [found.get(each, given.get(each)) if hasattr(each, "op") else each for each in results]
    return pytree.tree_unflatten(leaves, program.call_spec.out_spec)


def _known(size: Any, tracer: Tracer) -> int:
    found = tracer.sizes.hint_of(size)
    return _UNKNOWN if found is None else found


def _exported(module: Any, leaves: Sequence[Any], tree: Any, shapes: Sequence[Any]) -> Any:
    """The module's operations, for tensors of these shapes and dtypes in place of traced ones. All sizes of arguments are
    symbolic for which torch's rules allow this."""
    import torch

    remaining = iter(shapes)
    given, dynamic = [], []
    for leaf in leaves:
        if isinstance(leaf, Tensor):
            shape, name = next(remaining)
            given.append(torch.zeros(shape, dtype=getattr(torch, name)))
            dynamic.append(dict.fromkeys(range(len(shape)), torch.export.Dim.AUTO))
        else:
            given.append(leaf)
            dynamic.append(None)
    args, spec = tree.unflatten(given), tree.unflatten(dynamic)
    found = torch.export.export(module, args, dynamic_shapes=spec, strict=False)
    return found.run_decompositions(dict(decompositions()))


def _inputs(module: Any, program: Any, values: Mapping[str, Any], tensors: Sequence[Any]) -> list[Any]:
    """The values of the graph's inputs: parameters, constants of the module, and arguments; None for constants of the call."""
    from torch.export.graph_signature import InputKind, TensorArgument

    owned = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    first = {id(each): name for name, each in reversed(owned) if name in values}
    names = {name: first[id(each)] for name, each in owned if id(each) in first}
    remaining = iter(tensors)
    found = []
    for each in program.graph_signature.input_specs:
        if each.kind in (InputKind.PARAMETER, InputKind.BUFFER):
            name = names.get(each.target)
            constant = module.get_buffer if each.kind == InputKind.BUFFER else module.get_parameter
            found.append(sw.asarray(values[name] if name else to_numpy(constant(each.target).detach().cpu())))
        elif each.kind == InputKind.CONSTANT_TENSOR:
            found.append(sw.asarray(to_numpy(program.constants[each.target])))
        else:
            found.append(next(remaining) if isinstance(each.arg, TensorArgument) else None)
    return found
