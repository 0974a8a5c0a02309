"""The layout of the package: which module imports which, and the order of the folders. `python -m tests.layout` prints
docs/layout.md, a picture of each folder.

Imports inside functions count. Imports for type checking only do not: types that refer to each other, as index expressions and
their atoms do, are not a circle of modules.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ir", "dialects", "passes", "lowering", "runtime", "frontend", "nn", "tools")
# The folders from the bottom up: a module imports from its own folder and from those before it.
FOLDERS = (
    *("ir", "ir/index", "ir/shape_rules", "ir/types", "ir/scalars", "ir/functions", "ir/text"),
    *("dialects/graph", "dialects", "dialects/uop", "dialects/loop", "dialects/cloop", "dialects/tile"),
    *("passes", "passes/manager", "passes/trace", "passes/analysis", "passes/rules", "passes/generic"),
    *("passes/uop", "passes/uop/autodiff"),
    *("passes/loop", "passes/loop/vector", "passes/loop/memory", "passes/loop/structure", "passes/loop/interchange"),
    "passes/loop/fusion",
    *("passes/loop/contraction", "passes/loop/online", "passes/loop/kernels", "passes/loop/attention"),
    *("passes/outline", "passes/cloop"),
    *("lowering/graph_to_uop", "lowering/uop_to_loop", "lowering/emission", "lowering/loop_to_cloop", "lowering/loop_to_tile"),
    *("lowering/emit_c/vector_math", "lowering/emit_c", "lowering/emit_triton", "lowering"),
    *(
        "runtime/boundary",
        "runtime/cache",
        "runtime/toolchain",
        "runtime/cpu",
        "runtime/triton",
        "runtime/interpret",
        "runtime/host",
        "runtime",
    ),
    *("frontend/tracing", "frontend/functions", "frontend/functions/images", "frontend/explorer", "frontend/reports"),
    *("frontend/calls", "frontend/lowered", "frontend", "frontend/transforms", "frontend/nodes"),
    "frontend/libraries",
    *("frontend/torch/rows", "frontend/torch/graphs", "frontend/torch", "frontend/modules", "nn"),
    *("tools", "tools/reduce", "tools/fuzz", "tools/coverage", "tools/tune", "tools/opt", "tools/lsp"),
)


def modules() -> Mapping[str, Path]:
    """The files of the package by the names of their modules, below `stepwell`."""
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {name_of(path): path for path in found}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def folder_of(path: Path) -> str:
    return path.parent.relative_to(ROOT).as_posix()


def imports_of(text: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Each import of a module in `package`, also inside functions: its line and the absolute name. Imports for type checking
    only do not count.
    """
    pending: list[ast.AST] = [ast.parse(text)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else ())))
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))


def imported_modules(path: Path, known: Mapping[str, Path]) -> Iterator[tuple[int, str]]:
    """The modules of the package that a file imports, or from which it imports names, with the lines."""
    for line, name in _imports_of_file(path):
        own = name.removeprefix("stepwell.")
        found = next((each for each in (own, own.rpartition(".")[0]) if each in known), None)
        if name.startswith("stepwell.") and found is not None and known[found] != path:
            yield line, found


@functools.cache
def _imports_of_file(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(imports_of(path.read_text(), ("stepwell", *path.parent.relative_to(ROOT).parts)))


@functools.cache
def import_graph() -> Mapping[str, set[str]]:
    """The modules that each module imports."""
    known = modules()
    return {name: {found for _, found in imported_modules(path, known)} for name, path in known.items()}


def layout() -> str:
    """The page of the documentation: a table for each folder, its files in the order in which they can be read."""
    known, graph = modules(), import_graph()
    lines = [
        "# Layout",
        "",
        "Each folder from the bottom up, its files in the order in which they can be read: a file imports only those above it,",
        "and from folders above its own. Printed by `python -m tests.layout`.",
    ]
    for folder in FOLDERS:
        inside = {name for name, path in known.items() if folder_of(path) == folder}
        within = {name: sorted(graph[name] & inside) for name in sorted(inside)}
        outside = {folder_of(known[other]) for name in inside for other in graph[name] - inside}
        lines += [
            "",
            f"## {folder}",
            "",
            f"Imports {_listed(outside) or 'no other folder'}.",
            "",
            "| File | Imports |",
            "|---|---|",
        ]
        for name in reading_order(within):
            imported = ", ".join(f"`{known[other].stem}`" for other in within[name])
            lines.append(f"| `{known[name].name}` {_first_sentence(known[name])} | {imported} |")
    return "\n".join(lines) + "\n"


def reading_order(imports: Mapping[str, Sequence[str]]) -> list[str]:
    """The files of a folder, each as short as possible before the first file that imports it. Files without imports that no
    file imports are first."""
    imported = {name for names in imports.values() for name in names}
    order: dict[str, None] = {}

    @functools.cache
    def depth(name: str) -> int:
        return 1 + sum(depth(other) for other in imports[name])

    def add(name: str) -> None:
        for other in sorted(set(imports[name]) - order.keys(), key=lambda each: (-depth(each), each)):
            add(other)
        order.setdefault(name)

    for name in sorted(imports.keys() - imported, key=lambda each: (bool(imports[each]), each)):
        add(name)
    return list(order)


def _listed(folders: set[str]) -> str:
    return ", ".join(f"`{folder}`" for folder in FOLDERS if folder in folders)


def _first_sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(layout())
