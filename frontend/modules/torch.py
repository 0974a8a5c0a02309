"""`stepwell.torch`: what meets torch. Importing it makes `torch.compile(model, backend="stepwell")` known."""

from .frontend.torch.backend import register, stepwell
from .frontend.torch.conversion import from_torch, to_torch
from .frontend.torch.explain import explain
from .frontend.torch.report import EagerWarning, Report

register()

__all__ = ["EagerWarning", "Report", "explain", "from_torch", "stepwell", "to_torch"]
