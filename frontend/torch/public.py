"""`stepwell.torch`: the functions for users of torch. Importing it registers `torch.compile(model, backend="stepwell")`."""

from .backend import register, stepwell
from .conversion import from_torch, to_torch
from .explain import explain
from .report import EagerWarning, Report

register()

__all__ = ["EagerWarning", "Report", "explain", "from_torch", "stepwell", "to_torch"]
