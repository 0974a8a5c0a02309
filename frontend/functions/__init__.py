"""The functions of the library on traced tensors, by topic; each is also an attribute of this package, loaded at first use.

Imports `ir`, `dialects` and `frontend/tracing`. Reading order: `arguments` (axes, shapes, dtypes of arguments), `composites`
(functions that the graph keeps as calls), `scalar_functions`, `elementwise`, `creation`, `manipulation`, `reductions`,
`contractions`, `indexing`, `neural`, `random_numbers`, `gradient_marks`, `micro_ops` (hand-written index maps),
`complex_numbers`; `images/` has pooling, resampling and their like.

`frontend/public.py` has the same functions for arrays and lazy tensors.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

from ...ir.lazy_import import load
from ..tracing.public_names import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    # Imported here: the functions themselves import this package.
    from ..tracing.bypasses import bypassed

    own = place.rpartition(":")[2]
    function = bypassed(own, load(f"...{place}", __package__))
    # Functions that take users' functions pass complex tensors on to these.
    globals()[name] = found = function if "transforms." in place else _for_complex(own, function)
    return found


def _for_complex(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, in its form for complex tensors where an argument is one."""
    from ..tracing.complex_tensors import is_complex

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        # `any` and `map` are functions of the library here.
        if builtins.any(is_complex(arg) for arg in args):
            # Loaded here: few programs have complex tensors.
            return load(".complex_numbers:complex_form", __package__)(name, function)(*args, **kwargs)
        return function(*args, **kwargs)

    return called
