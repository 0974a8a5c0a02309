"""The attributes of `import stepwell as sw`: public names, each with the module that is imported on first use."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from ..ir.lazy_import import load as load_place
from .tracing.public_names import EXPORTS

# Each name as "module:attribute", or "module" for the module itself.
CORE = MappingProxyType(
    {
        "jit": "frontend.jit:jit",
        "lower": "frontend.jit:lower",
        "grad": "frontend.transforms.gradients:grad",
        "value_and_grad": "frontend.transforms.gradients:value_and_grad",
        "vjp": "frontend.transforms.linear:vjp",
        "jvp": "frontend.transforms.linear:jvp",
        "custom_vjp": "frontend.transforms.custom_vjp:custom_vjp",
        "checkpoint": "frontend.transforms.checkpoint:checkpoint",
        "vmap": "frontend.transforms.vmap:vmap",
        "shape_rule": "frontend.nodes.shape_rules:shape_rule",
        "define_op": "frontend.nodes.define:define_op",
        "compile_as": "frontend.nodes.define:compile_as",
        "profile": "frontend.nodes.profile:profile",
        "bypass": "frontend.nodes.define:bypass",
        "backends": "frontend.nodes.dispatch:backends",
        "single_backend": "frontend.nodes.dispatch:single_backend",
        "export_c": "frontend.export:export_c",
        "procedure": "frontend.procedures:procedure",
        "Variable": "frontend.tracing.variables:Variable",
        "param": "frontend.tracing.parameters:param",
        "comment": "frontend.tracing.comments:comment",
        "no_grad": "frontend.tracing.grad_mode:no_grad",
        "compile": "runtime.executable:compile_module",
        "Spec": "frontend.tracing.specs:Spec",
        "Tensor": "frontend.lazy:Tensor",
        "Size": "frontend.tracing.sizes:Size",
        "nn": "nn",
        "optim": "nn.optim",
        "save": "nn.checkpoints:save",
        "load": "nn.checkpoints:load",
        "uop": "frontend.functions.micro_ops",
        "linalg": "frontend.libraries.linalg",
        "fft": "frontend.libraries.fft",
        "trace": "frontend.lowered.trace_views",
        "torch": "frontend.torch.public",
        "from_torch": "frontend.torch.conversion:from_torch",
        "to_torch": "frontend.torch.conversion:to_torch",
        "rewrite_rule": "frontend.rules:rewrite_rule",
        "rewrite_rules": "frontend.rules:rewrite_rules",
        "rewrites": "passes.rules.settings:rewrites",
        "precision": "passes.rules.settings:precision",
        "on_finalize": "frontend.rules:on_finalize",
        "set_num_threads": "runtime.cpu.program:set_num_threads",
        "set_kept_memory": "runtime.cpu.warm_calls:set_kept_memory",
        "CompileError": "ir.diagnostics:CompileError",
        "ParseError": "ir.diagnostics:ParseError",
        "RuleError": "passes.rules.terms:RuleError",
        "ShapeError": "ir.diagnostics:ShapeError",
        "VerifyError": "ir.diagnostics:VerifyError",
    }
)


def names() -> list[str]:
    """All public names, sorted."""
    return sorted({*CORE, *EXPORTS})


def load(name: str) -> Any:
    """Import the object behind a public name. Raises AttributeError, with the closest name, for an unknown one."""
    place = CORE.get(name) or EXPORTS.get(name)
    if place is not None:
        return load_place(f"..{place}", __package__)
    # Imported here: only errors need it.
    from ..ir.diagnostics import did_you_mean

    raise AttributeError(f"module 'stepwell' has no attribute '{name}'{did_you_mean(name, names())}")
