"""on-finalize: run the hooks that users registered for a level of a target, one after the other, on the module.

A hook is a function that changes the module in place. As for xDSL's passes, the sources of new operations are inferred from the
data flow; the module is verified after each hook. A failing hook is a user error, which names the hook.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...ir.diagnostics import CompileError, VerifyError
from ...ir.functions.verification import verify
from ...ir.locations import function_location
from ...ir.rewrite import count
from ..manager.options import one_of
from ..manager.xdsl_passes import apply_foreign
from ..rules.settings import HOOKED, Hook, current


@dataclass(frozen=True)
class OnFinalize(ModulePass):
    """Runs the hooks for `level` of `device`, in the order in which they were added."""

    name = "on-finalize"
    device: str = one_of(*HOOKED)
    level: str = one_of("cloop", "uop", "loop", "scheduled", "tile")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for hook in current().hooks:
            if (hook.device, hook.level) == (self.device, self.level):
                apply_foreign(_Hooked(hook), ctx, op)
                _expect_valid(hook, op)
                count(hook.name, "Number of times that the hook ran")


@dataclass(frozen=True)
class _Hooked(ModulePass):
    """A hook as a pass that does not track sources."""

    hook: Hook
    name = "hook"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            returned: Any = self.hook.function(op)
        except CompileError:
            raise
        except Exception as error:
            # The function is the user's: name the hook, whatever it raises.
            raise _error(self.hook, f"{type(error).__name__}: {error}") from error
        if returned is not None:
            raise _error(self.hook, f"it changes the module in place; expected None, got {type(returned).__name__}")


def _expect_valid(hook: Hook, module: ModuleOp) -> None:
    try:
        verify(module)
    except VerifyError as error:
        raise _error(hook, f"it made invalid IR: {error.message}") from error


def _error(hook: Hook, message: str) -> CompileError:
    place = function_location(hook.function)
    return CompileError(f"hook '{hook.name}' on the level '{hook.level}' of target '{hook.device}': {message}", place)
