"""`sw.trace`: views of the IR grouped by source, and searches between tagged operations."""

from ..passes.trace.outlined_view import inline, outline
from ..passes.trace.tagging import collect, fill

__all__ = ["collect", "fill", "inline", "outline"]
