"""Operators and methods that only call a function of the library, for real and for complex tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .sizes import Size


def _operator(name: str, reflected: bool = False) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        function = getattr(self.library, name)
        return function(other, self) if reflected else function(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.library, name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The function `{name}` of this tensor."
    return method


class Operators:
    """Operators and methods of a subclass that has a `library` of functions."""

    __slots__ = ()
    library: Any

    __add__, __radd__ = _operator("add"), _operator("add", reflected=True)
    __sub__, __rsub__ = _operator("subtract"), _operator("subtract", reflected=True)
    __mul__, __rmul__ = _operator("multiply"), _operator("multiply", reflected=True)
    __truediv__, __rtruediv__ = _operator("divide"), _operator("divide", reflected=True)
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _operator("floor_divide", reflected=True)
    __mod__, __rmod__ = _operator("remainder"), _operator("remainder", reflected=True)
    __pow__, __rpow__ = _operator("pow"), _operator("pow", reflected=True)
    __matmul__, __rmatmul__ = _operator("matmul"), _operator("matmul", reflected=True)
    __and__, __rand__ = _operator("bitwise_and"), _operator("bitwise_and", reflected=True)
    __or__, __ror__ = _operator("bitwise_or"), _operator("bitwise_or", reflected=True)
    __xor__, __rxor__ = _operator("bitwise_xor"), _operator("bitwise_xor", reflected=True)
    __lshift__, __rlshift__ = _operator("bitwise_left_shift"), _operator("bitwise_left_shift", reflected=True)
    __rshift__, __rrshift__ = _operator("bitwise_right_shift"), _operator("bitwise_right_shift", reflected=True)
    __eq__ = _operator("equal")  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] - gives a tensor
    __ne__ = _operator("not_equal")  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] - gives a tensor
    __lt__ = _operator("less")
    __le__ = _operator("less_equal")
    __gt__ = _operator("greater")
    __ge__ = _operator("greater_equal")
    __hash__ = object.__hash__
    __neg__ = _method("negative")
    __pos__ = _method("positive")
    __abs__ = _method("abs")
    __invert__ = _method("bitwise_invert")
    sum = _method("sum")
    prod = _method("prod")
    max = _method("max")
    min = _method("min")
    mean = _method("mean")
    var = _method("var")
    std = _method("std")
    any = _method("any")
    all = _method("all")
    argmax = _method("argmax")
    argmin = _method("argmin")
    cumsum = _method("cumsum")
    cumprod = _method("cumprod")
    reshape = _method("reshape")
    transpose = _method("transpose")
    squeeze = _method("squeeze")
    take = _method("take")
    repeat = _method("repeat")
    clip = _method("clip")
    round = _method("round")
    dot = _method("dot")
    flatten = _method("flatten")
    swapaxes = _method("swapaxes")
    diagonal = _method("diagonal")
    trace = _method("trace")
    conj = _method("conj")
    conjugate = _method("conj")


def is_operand(value: Any) -> bool:
    """Whether a value can be an operand of a tensor's operators."""
    return isinstance(value, Operators | Size | bool | int | float | complex) or hasattr(value, "dtype")
