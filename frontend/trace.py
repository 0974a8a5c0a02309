"""`sw.trace`: views of the IR by source, and searches between tagged operations."""

from ..passes.outline import inline, outline
from ..passes.tagging import collect, fill

__all__ = ["collect", "fill", "inline", "outline"]
