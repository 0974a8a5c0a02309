"""Emitted C and its cache on disk, so that a program is lowered once and not in every process.

Emitted code depends on the module's text, locations included (errors of checks contain them), on the enabled rewrite rules, on
the options that passes have for the machine, and on the compiler itself: the sizes and modification times of its files are part
of the key. Rules and hooks of users are functions, which no key distinguishes: code that they may have changed is not kept.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import xdsl
from xdsl.dialects.builtin import ModuleOp

from ... import __version__
from ...ir.functions.entry import entry_function
from ...ir.functions.requirements import Requirement, requirements
from ...ir.functions.versions import fixed_sizes
from ...ir.index.parser import parse_index
from ...ir.plugins import installed
from ...ir.scalars.table import scalars_of_plugins
from ...ir.text.printer import print_module
from ...lowering.driver import source
from ...lowering.machine import Options
from ...passes.rules.settings import current
from ..boundary.errors import Check
from .disk import content_key, default_cache

if TYPE_CHECKING:
    from ...lowering.emit_c.emit_c import CEmitter

FILE = "code.json"
LINES = "STEPWELL_LINE_DIRECTIVES"
PACKAGE = Path(__file__).parents[2]
# The folders of the package that determine the code of a module.
ROOMS = ("ir", "dialects", "passes", "lowering")


def line_directives() -> bool:
    """Whether compiled C has `#line` directives and debug information: debuggers and profilers then show the user's lines. By
    default it has neither, so that functions with the same code in different places share one compiled object."""
    return os.environ.get(LINES, "") not in ("", "0")


@dataclass(frozen=True)
class Code:
    """Emitted C, its checks by number, the parameters that are constants in it, and the requirements that calls have to
    meet."""

    text: str
    checks: Mapping[int, Check]
    sizes: Mapping[str, int]
    requires: tuple[Requirement, ...] = ()

    @staticmethod
    def of(module: ModuleOp, emitter: CEmitter | None = None) -> Code:
        """The code of a module on the C level. `emitter`, if given, has printed some of its units already."""
        text = source(module, "c", emitter=emitter)
        printed = text.with_line_directives() if line_directives() else text.text
        checks = {number: Check.of(op) for number, op in text.checks.items()}
        entry = entry_function(module)
        return Code(printed, checks, fixed_sizes(entry), tuple(requirements(entry)))

    @staticmethod
    def read(text: str) -> Code:
        """The code of a text that `write` returned."""
        fields = json.loads(text)
        checks = {int(number): Check(*each) for number, each in fields["checks"].items()}
        requires = tuple(Requirement(parse_index(expr), needed_by) for expr, needed_by in fields["requires"])
        return Code(fields["text"], checks, fields["sizes"], requires)

    def write(self) -> str:
        requires = [(str(each.expr), each.needed_by) for each in self.requires]
        return json.dumps({"text": self.text, "checks": self.checks, "sizes": self.sizes, "requires": requires})


def kept_code(module: ModuleOp, options: Options, emit: Callable[[], Code], settled: bool = True) -> Code:
    """The code of a module: from the cache, or from `emit`, which lowers the module under these options of passes. The result
    of `emit` is cached. While options are not `settled`, the code is emitted at once, since the cache hardly has it."""
    settings = current()
    if settings.rules or settings.hooks:
        return emit()
    printed = print_module(module, generic=True, debuginfo=True)
    rewrites = repr(settings.choice)
    # Passes before the first machine-dependent one run while the options are being determined.
    emitted = None if settled else emit()
    key = content_key(
        {
            "module": printed,
            "rewrites": rewrites,
            "lines": line_directives(),
            "plugins": _scalars() if installed.cache_info().currsize else [],
            "options": {name: dict(given) for name, given in options.items()},
            "compiler": _compiler(),
            "stepwell": __version__,
        }
    )

    def build(folder: Path) -> None:
        (folder / FILE).write_text((emitted or emit()).write(), encoding="utf-8")

    entry = default_cache().fetch(key, build)
    return Code.read((entry.path / FILE).read_text(encoding="utf-8"))


def _scalars() -> list[list[str]]:
    """The spellings of plugins' scalar functions, which the text of a module does not contain."""
    spellings = {name: (row.c, row.triton, row.c_body, row.triton_body) for name, row in scalars_of_plugins().items()}
    return [[name, *map(str, given)] for name, given in sorted(spellings.items())]


@functools.cache
def _compiler() -> list[tuple[str, int, int]]:
    """The files of the compiler, with sizes and modification times, so that changes of the compiler invalidate old code. xDSL
    is represented by one file: looking up its version would load the modules that read package metadata."""
    folders = [folder for room in ROOMS for folder, _, _ in os.walk(PACKAGE / room)]
    known = [(entry.path, entry.stat()) for each in folders for entry in os.scandir(each) if entry.name.endswith(".py")]
    known.append((str(xdsl.__file__), os.stat(str(xdsl.__file__))))
    return sorted((name, status.st_size, status.st_mtime_ns) for name, status in known)
