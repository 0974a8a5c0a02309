"""The backend of `torch.compile`: graphs of models, forward and backward, become programs of Stepwell."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...ir.diagnostics import did_you_mean
from ...runtime.executable import check_target
from .compiled import Compiled
from .decompositions import decompositions
from .report import GraphReport, Report, current_report, warn_once
from .rows.recurrent import RESULTS

_MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


class Settings(NamedTuple):
    """The options of `torch.compile(..., options=...)`."""

    target: str


def stepwell(module: Any, inputs: Sequence[Any], *, mode: str | None = None, options: Mapping[str, Any] | None = None) -> Any:
    """Compile a graph of Dynamo's, for `torch.compile(model, backend="stepwell")`.

    `options` may have `target`, one of `sw.jit`'s targets, by default "cuda" for tensors on such a device, else "cpu". The
    modes are torch's, and have no effect. Sizes that torch knows are constants of the code; sizes of dynamic shapes stay
    symbolic. Raises ValueError for other options, modes and targets.
    """
    import torch
    from torch._dynamo.backends.common import aot_autograd
    from torch._dynamo.exc import TorchDynamoException, exceptions_allowed_to_be_fallback
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    settings = _settings(inputs, mode, options or {})
    report = current_report()
    if _calls(module, {torch.Tensor.set_}):
        reason = "it replaces the memory of a tensor, as `x.data = y` does, and its whole graph is left to eager"
        return _left_to_eager(module, report, "Tensor.set_", reason)
    _replace_layers(module)
    own: list[Exception] = []

    def compile(graph: Any, _: Sequence[Any], has_views: bool = True) -> Callable[..., Any]:
        try:
            compiled = Compiled(graph, settings.target, has_views)
        except Exception as error:
            own.append(error)
            raise
        if report is not None:
            report.graphs.append(compiled.report)
        return compiled

    backend = aot_autograd(
        fw_compiler=compile,
        bw_compiler=functools.partial(compile, has_views=False),  # gradients are arrays of their own
        decompositions=dict(decompositions()),
        partition_fn=min_cut_rematerialization_partition,
    )
    try:
        return backend(module, inputs)
    except (TorchDynamoException, *exceptions_allowed_to_be_fallback):  # Dynamo traces again, or divides the graph
        raise
    except Exception as error:
        if own:
            raise
        first, *_ = str(error).strip().splitlines() or [""]
        reason = f"torch's AOTAutograd refuses it: {type(error).__name__}: {first}"
        return _left_to_eager(module, report, "graph", reason)


def _left_to_eager(module: Any, report: Report | None, name: str, reason: str) -> Callable[..., Any]:
    """A graph that torch's functional graphs cannot express: torch runs it unchanged."""
    warn_once(name, reason)
    if report is not None:
        count = sum(node.op.startswith("call_") for node in module.graph.nodes)
        report.graphs.append(GraphReport((), {name: reason}, count, 0, ()))
    return module.forward


def _replace_layers(module: Any) -> None:
    """Replace recurrent layers and interpolations by Stepwell's operations, which are registered only for graphs that have such
    layers."""
    import torch

    interpolations = _calls(module, {torch.nn.functional.interpolate})
    if interpolations:
        from .interpolation import interpolated

        for node in interpolations:
            node.target = interpolated
    layers = _calls(module, {getattr(torch._VF, kind) for kind in RESULTS})
    if layers:
        from .recurrent import replace_layers

        replace_layers(layers)
    if interpolations or layers:
        module.recompile()


def _calls(module: Any, functions: set[Any]) -> list[Any]:
    """The calls of these functions in a graph of Dynamo's."""
    return [node for node in module.graph.nodes if node.op == "call_function" and node.target in functions]


def _settings(inputs: Sequence[Any], mode: str | None, options: Mapping[str, Any]) -> Settings:
    known = Settings._fields
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise ValueError(f"stepwell has no option '{unknown}'{did_you_mean(unknown, known)} (it has {', '.join(known)})")
    if mode is not None and mode not in _MODES:
        raise ValueError(f"stepwell has no mode '{mode}'{did_you_mean(mode, _MODES)} (its modes are {', '.join(_MODES)})")
    on_gpu = any(getattr(each, "device", None) is not None and each.device.type == "cuda" for each in inputs)
    target = options.get("target", "cuda" if on_gpu else "cpu")
    check_target(target)
    return Settings(target)


def register() -> None:
    """Make `backend="stepwell"` known to torch, as the entry point of an installed package does."""
    from torch._dynamo.backends import registry

    if "stepwell" not in registry._COMPILER_FNS:
        registry.register_backend(stepwell, name="stepwell")
