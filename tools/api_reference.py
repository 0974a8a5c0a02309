"""The page of the Python API: every public name with its signature and docstring, by topic."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import Any

from ..frontend.api import CORE, load, names
from ..frontend.tracing.public_names import ALIASES, EXPORTS, FUNCTIONS
from ..ir.types.dtypes import DType
from .docstring_markdown import markdown

# The topics of functions on arrays, by the module that holds them.
_TOPICS = MappingProxyType(
    {
        "functions.elementwise": "Elementwise functions",
        "functions.scalar_functions": "Elementwise functions",
        "functions.creation": "Creation",
        "functions.manipulation": "Shapes and axes",
        "functions.images.padding": "Shapes and axes",
        "functions.reductions": "Reductions and cumulative functions",
        "functions.nan_reductions": "Reductions and cumulative functions",
        "transforms.folds": "Reductions and scans by functions of users",
        "transforms.scans": "Reductions and scans by functions of users",
        "functions.contractions": "Products, convolutions and pooling",
        "functions.einsum_sizes": "Products, convolutions and pooling",
        "functions.generalised_einsum": "Products, convolutions and pooling",
        "functions.images.pooling": "Products, convolutions and pooling",
        "functions.images.adaptive_pooling": "Products, convolutions and pooling",
        "functions.images.resampling": "Images",
        "functions.images.grid_sampling": "Images",
        "functions.images.unfolding": "Images",
        "functions.images.embedding": "Neural networks",
        "functions.complex_numbers": "Complex numbers",
        "functions.elemwise": "Elementwise functions",
        "functions.special_functions": "Elementwise functions",
        "libraries.sorting": "Sorting and searching",
        "functions.indexing": "Indexing",
        "functions.neural": "Neural networks",
        "functions.gradient_marks": "Gradients",
        "functions.random_numbers": "Random numbers",
    }
)
_WIDEST = 80
_MODULES = ("nn", "optim", "uop", "trace", "torch")
# torch is not needed to print the page: docs/torch.md describes the functions that need it.
_NEEDS_TORCH = ("torch", "from_torch", "to_torch")


def public_api() -> Iterator[str]:
    """The lines of the page."""
    yield from (
        "# Python API",
        "",
        "Everything that `import stepwell as sw` offers. Functions on arrays take and return NumPy arrays, torch tensors and",
        "tensors of a traced function. [Their own page](torch.md) has the functions for torch. Printed by `stepwell reference",
        "api`.",
        "",
        "## Compiling, derivatives and tools",
    )
    for name in CORE:
        if name not in _MODULES and name not in _NEEDS_TORCH:
            yield from _entry(f"sw.{name}", load(name), "###")
    yield from _functions()
    dtypes = [name for name in names() if isinstance(load(name), DType)] if EXPORTS else []
    yield from ("", "## Dtypes", "", ", ".join(f"`sw.{name}`" for name in dtypes))
    for name in _MODULES:
        if name not in _NEEDS_TORCH:
            yield from _module(name)


def _functions() -> Iterator[str]:
    aliases: dict[str, list[str]] = {}
    for alias, name in ALIASES.items():
        aliases.setdefault(name, []).append(alias)
    topics: dict[str, dict[str, Any]] = {}
    for name in EXPORTS:
        found = load(name)
        if name not in ALIASES and not isinstance(found, DType):
            module = FUNCTIONS[name].partition(":")[0].removeprefix("frontend.")
            topics.setdefault(_TOPICS[module], {})[name] = found
    for topic, members in topics.items():
        yield from ("", f"## {topic}")
        for name, found in members.items():
            yield from _entry(f"sw.{name}", found, "###", aliases.get(name, ()))


def _module(name: str) -> Iterator[str]:
    module = load(name)
    yield from ("", f"## `sw.{name}`", "", *markdown(inspect.getdoc(module) or "", "python"))
    for member, found in _members(module):
        yield from _entry(f"sw.{name}.{member}", found, "###")


def _members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The functions and classes of a module: those in its `__all__`, else those that it or its folder defines."""
    listed = getattr(module, "__all__", None)
    home = module.__name__.removesuffix(".optim") if module.__name__.endswith("optim") else module.__name__
    for name, found in sorted(vars(module).items()):
        if name.startswith("_") or not (inspect.isfunction(found) or inspect.isclass(found)):
            continue
        if name in listed if listed is not None else found.__module__.startswith(home) and not name.startswith("expect_"):
            yield name, found


def _entry(name: str, found: Any, heading: str, aliases: list[str] | tuple[str, ...] = ()) -> Iterator[str]:
    yield from ("", f"{heading} `{name}`", "")
    if callable(found):
        yield from ("```python", *_folded(f"{name.removeprefix('sw.')}{_signature(found)}").split("\n"), "```", "")
    if aliases:
        yield from (f"Also {', '.join(f'`sw.{alias}`' for alias in aliases)}.", "")
    yield from markdown(inspect.getdoc(found) or "", "python")
    if not inspect.isclass(found) or issubclass(found, Exception):
        return
    for member, method in vars(found).items():
        if not member.startswith("_") and inspect.isfunction(method) and method.__doc__:
            summary = " ".join((inspect.getdoc(method) or "").split("\n\n")[0].split())
            yield from ("", f"- `{member}{_signature(method)}`: {summary}")


def _signature(found: Any) -> str:
    """The signature, with annotations as they are written; defaults that show an address are left out."""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [_readable(each) for name, each in signature.parameters.items() if name != "self"]
    signature = signature.replace(parameters=parameters, return_annotation=_Written.of(signature.return_annotation))
    return str(signature)


def _folded(text: str) -> str:
    """A call on one line or, if that is too long, with one parameter a line."""
    if len(text) <= _WIDEST:
        return text
    head, _, rest = text.partition("(")
    inside, _, end = rest.rpartition(")")
    return "\n".join([f"{head}(", *(f"    {part}," for part in _split(inside)), f"){end}"])


def _split(text: str) -> list[str]:
    """The parts of a text between the commas outside of brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _readable(parameter: inspect.Parameter) -> inspect.Parameter:
    parameter = parameter.replace(annotation=_Written.of(parameter.annotation))
    return parameter if " at 0x" not in repr(parameter.default) else parameter.replace(default=inspect.Parameter.empty)


@dataclass(frozen=True)
class _Written:
    """An annotation, printed without quotes."""

    text: str

    @staticmethod
    def of(annotation: Any) -> Any:
        return _Written(annotation) if isinstance(annotation, str) else annotation

    def __repr__(self) -> str:
        return self.text
