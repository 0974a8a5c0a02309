"""A row of the table of ATen operations, and the information on the graph's operation that its function can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from ....ir.types.dtypes import DType, dtype
from ...tracing.complex_tensors import part_dtype


class Unsupported(Exception):
    """An operation cannot be compiled; the message is the reason. It is then left to eager."""


class Row(NamedTuple):
    """The function that computes an ATen operation from the operation's own arguments, with traced tensors and sizes in place
    of torch's. `operands` is the dtype to which its tensors are cast first:

    - "own": each tensor keeps its own;
    - "result": the dtype of the operation's result;
    - "common": the dtype in which torch would compute with these operands.

    Results are always cast to the dtypes that torch gives them.
    """

    function: Callable[..., Any]
    operands: str = "own"


Rows = Mapping[str, Row]


class Meta(NamedTuple):
    """The operation that is being computed: the fake results that torch predicts, one or a tuple of them, the sizes of each
    one, in the trace, and whether the first argument is contiguous and all of its memory. The sizes of fake results are
    torch's: reading these as numbers would make torch compile for these sizes only."""

    results: Any
    shapes: tuple[tuple[Any, ...], ...] = ()
    is_whole: bool = True

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the first result."""
        return self.shapes[0] if self.shapes else ()

    @property
    def first(self) -> Any:
        """The only result, or the first one."""
        return self.results[0] if isinstance(self.results, tuple | list) else self.results


_META: ContextVar[Meta] = ContextVar("meta")


def meta() -> Meta:
    """The operation that is being computed. Raises LookupError outside of a row's function."""
    return _META.get()


def meta_dtype() -> DType:
    """The dtype of the first result of the operation that is being computed."""
    return dtype(meta().first.dtype)


@contextmanager
def computing(operation: Meta) -> Iterator[None]:
    """Make this the operation that is being computed."""
    token = _META.set(operation)
    try:
        yield
    finally:
        _META.reset(token)


def computed_dtype(fake: Any) -> Any:
    """The dtype of computations with a tensor; for a complex tensor, the dtype of its parts."""
    import torch

    part = part_dtype(fake.dtype)
    return fake.dtype if part is None else getattr(torch, part)


def own(function: Callable[..., Any]) -> Row:
    """A row whose tensors keep their dtypes."""
    return Row(function)


def result(function: Callable[..., Any]) -> Row:
    """A row whose tensors are cast to the result's dtype."""
    return Row(function, "result")


def common(function: Callable[..., Any]) -> Row:
    """A row whose tensors are cast to the dtype in which torch computes."""
    return Row(function, "common")
