"""`sw.profile`: the times of the parts of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..jit import lower
from ..reports.profiles import Profile, checked_calls


def profile(function: Callable[..., Any], *, calls: int | None = None) -> Callable[..., Profile]:
    """Make a function that profiles `function` on its arguments: `print(sw.profile(f)(x, y))`.

    The result has the seconds of each loop nest and of each operation with its source line (`rows()`), of each line
    (`by_line()`), and a table of the most expensive operations (`top(k)`). The program is called `calls` times, by default for
    a fifth of a second; the times are those of the fastest call. It is compiled for the CPU and for any sizes, like by
    `sw.lower`, whose result has the method `profile`. Raises TypeError or ValueError unless `calls` is an int of at least 1.
    """
    calls = checked_calls(calls)

    def profiled(*args: Any, **kwargs: Any) -> Profile:
        return lower(function, *args, **kwargs).profile(*args, calls=calls, **kwargs)

    return profiled
