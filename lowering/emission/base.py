"""Base class of the emitters: identifiers, lines with their source operation, indentation, index expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import singledispatchmethod
from typing import ClassVar

from xdsl.ir import Block, Operation, SSAValue

from ...ir.index.expressions import Apply, Atom, Dim, Index
from ...ir.locations import comments
from ...ir.types.overflow import expect_numbers
from .naming import Names
from .source_text import SourceText, sum_text


class Emitter:
    """Prints operations line by line; `names` gives each value's expression, `params` each parameter's."""

    INDENT: ClassVar[str]
    COMMENT: ClassVar[str]
    # Prints one operation. Raises LegalityError for operations of other levels.
    print: singledispatchmethod[None]

    def __init__(self):
        self.names: dict[SSAValue, str] = {}
        self.fresh = Names()
        self.params: dict[str, str] = {}
        self.depth = 1
        self.source = SourceText()
        self.op: Operation | None = None

    def _application(self, atom: Apply, lhs: str, rhs: str) -> str:
        """The text of a quotient, remainder, minimum or maximum, parenthesised for use as an operand."""
        raise NotImplementedError

    def _block(self, block: Block) -> None:
        """Print the operations of a block, recording the operation of each line."""
        for op in block.ops:
            outer, self.op = self.op, op
            if self.depth == 1:
                self._comment(op)
            self.print(op)
            self.op = outer

    def _comment(self, op: Operation) -> None:
        """The block comments of a statement of a function, if they differ from those of the previous statement."""
        found = comments(op.location)
        if found and (op.prev_op is None or found != comments(op.prev_op.location)):
            self.source.lines.append((f"{self.INDENT}{self.COMMENT} {'; '.join(found)}", None))

    def _line(self, text: str) -> None:
        indent = "" if text.startswith("#") else self.INDENT * self.depth
        self.source.lines.append((indent + text, self.op))

    @contextmanager
    def _indented(self, opening: str, closing: str = "") -> Iterator[None]:
        self._line(opening)
        self.depth += 1
        yield
        self.depth -= 1
        if closing:
            self._line(closing)

    def _declare(self, value: SSAValue) -> str:
        self.names[value] = self.fresh.make(value.name_hint or "")
        return self.names[value]

    def _expr(self, expr: Index, operands: Sequence[str] = ()) -> str:
        """The text of an index expression over the dimensions `operands`. Raises CompileError for numbers beyond LARGEST."""
        expect_numbers(expr, self.op.location if self.op is not None else None)
        return sum_text(expr, lambda atom: self._atom(atom, operands))

    def _atom(self, atom: Atom, operands: Sequence[str]) -> str:
        if isinstance(atom, Dim):
            return operands[atom.position]
        if not isinstance(atom, Apply):
            return self.params[atom.name]
        return self._application(atom, self._expr(atom.lhs, operands), self._expr(atom.rhs, operands))
