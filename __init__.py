"""Stepwell: a multi-level compiler for tensor programs. The public API is thin, and loaded on first use.

    import stepwell as sw

    @sw.jit
    def layer(x, w, b):
        return sw.relu(x @ w + b)

`sw.jit`, `sw.lower` and `sw.compile` compile; `sw.Spec` describes an argument by shape and dtype, without data; the functions
on arrays have the names of the Python array API standard, with NumPy's as aliases. The public names are listed in
`frontend/api.py` and `frontend/tracing/public_names.py`.
"""

from pathlib import Path
from typing import Any

# `import stepwell.torch` finds frontend/modules/torch.py. In a checkout whose folder has a hyphen in its name, pytest imports
# this file as a module, not as a package.
if "__path__" in globals():
    __path__.append(str(Path(__file__).parent / "frontend" / "modules"))
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'stepwell' has no attribute '{name}'")
    from stepwell.frontend.api import load

    value = load(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from stepwell.frontend.api import names

    return sorted({*globals(), *names()})
