"""The error of sizes that must be equal."""

from __future__ import annotations

from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index


class SizeMismatch(VerifyException):
    """Sizes that must be equal and are not known to be.

    The builder of the graph may know more about the sizes than their expressions: it can make the sizes of each pair equal and
    try again. With `broadcast`, it is also sufficient that one of them is 1. `reports` lists the violations of a shape rule.
    """

    def __init__(self, message: str, left: Index, right: Index, broadcast: bool = False):
        super().__init__(message)
        self.left, self.right, self.broadcast = left, right, broadcast
        self.pairs: tuple[tuple[Index, Index, bool], ...] = ((left, right, broadcast),)
        self.reports: tuple[str, ...] = ()
