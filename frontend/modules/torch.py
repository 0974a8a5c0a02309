"""`stepwell.torch`: what meets torch. Importing it makes `torch.compile(model, backend="stepwell")` known."""

from .frontend.torch.backend import register, stepwell
from .frontend.torch.explain import explain
from .frontend.torch.report import EagerWarning

register()

__all__ = ["EagerWarning", "explain", "stepwell"]
