"""Reproducers: a failing pass, its input module and its pipeline in one file.

The file is the module before the failing pass, with locations, and the remaining pipeline with all options as a resource that
MLIR's tools read too:

    {-#
      external_resources: {
        mlir_reproducer: {
          pipeline: "builtin.module(...)",
          disable_threading: true,
          verify_each: true
        }
      }
    #-}

If passes or operations come from plugins, the resource also has `plugins: "their modules"`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...ir.diagnostics import CompileError, ParseError
from ...ir.files import write_text
from ...ir.plugins import home_of
from ...ir.text.parser import parse_file
from ...ir.text.printer import print_module
from .instruments import Instrument, PassRun
from .pipeline import Nest, passes_of

RESOURCE = "mlir_reproducer"


@dataclass(frozen=True)
class Reproducer:
    """A module, and the pipeline to run on it."""

    module: ModuleOp
    pipeline: str
    verify_each: bool
    plugins: str = ""


def reproducer_text(module_text: str, pipeline: Nest, verify_each: bool, plugins: str = "") -> str:
    """The file's text."""
    needed = f'      plugins: "{plugins}",\n' if plugins else ""
    # A pipeline contains quotes and backslashes at most, which JSON and MLIR escape alike.
    quoted = json.dumps(str(pipeline), ensure_ascii=False)
    return (
        f"{module_text.rstrip()}\n\n"
        "{-#\n"
        "  external_resources: {\n"
        f"    {RESOURCE}: {{\n"
        f"      pipeline: {quoted},\n"
        "      disable_threading: true,\n"
        f"{needed}"
        f"      verify_each: {str(verify_each).lower()}\n"
        "    }\n"
        "  }\n"
        "#-}\n"
    )


def read_reproducer(text: str, ctx: Context, file: str) -> Reproducer:
    """Parse a reproducer. Raises ParseError when it is not one."""
    parsed = parse_file(text, ctx, file)
    entries = parsed.resources.get(RESOURCE, {})
    pipeline = entries.get("pipeline")
    if not isinstance(pipeline, str):
        raise ParseError(f"'{file}' is no reproducer: it has no resource '{RESOURCE}' with a pipeline")
    return Reproducer(parsed.module, pipeline, bool(entries.get("verify_each", True)), str(entries.get("plugins", "")))


def plugins_of(module: ModuleOp, pipeline: Nest) -> str:
    """The modules of the plugins that a module and a pipeline need, separated by commas."""
    kinds: set[type] = {*map(type, module.walk()), *map(type, passes_of(pipeline))}
    homes = {home_of(kind) for kind in kinds} - {None}
    return ",".join(sorted(map(str, homes)))


def from_pass(pipeline: Nest, indices: tuple[int, ...], *, alone: bool = False) -> Nest:
    """The pipeline from the element at `indices` on, or of that element alone."""
    first, *deeper = indices
    head = pipeline.elements[first]
    if deeper:
        assert isinstance(head, Nest), "indices lead through nests to a pass"
        head = from_pass(head, tuple(deeper), alone=alone)
    return Nest(pipeline.anchor, (head, *(() if alone else pipeline.elements[first + 1 :])))


class _Reached(Exception):
    """Raised when the pass that `_TextBefore` waits for runs next."""


class _TextBefore(Instrument):
    """Records the text of the module before the pass with a number, and ends the run there."""

    def __init__(self, number: int):
        self._left = number
        self.text = ""

    def before(self, run: PassRun) -> None:
        self._left -= 1
        if not self._left:
            self.text = _text(run.module)
            raise _Reached


class CrashReproducer(Instrument):
    """Keeps the text of the module before the pipeline, and writes a reproducer when a pass fails. To get the module before the
    failing pass, the earlier passes run again: printing a large module before each pass would take longer than many passes, and
    passes rarely fail.

    `path` is the file to write, by default a new one in the folder for temporary files. `written` is the path of the last
    reproducer, None as long as nothing has failed. Errors of the user are not crashes; they write a reproducer only with
    `for_all`. The reproducer's pipeline begins with the failing pass; with `local`, it is that pass alone.
    """

    def __init__(self, path: str | None = None, verify_each: bool = True, for_all: bool = False, local: bool = False):
        self._path = path
        self._local = local
        self._verify_each = verify_each
        self.for_all = for_all
        self.written: str | None = None
        self._pipeline = Nest(ModuleOp.name, ())
        self._text = ""
        self._passes = 0
        self._plugins = ""

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        self._pipeline, self._passes = pipeline, 0
        if any(passes_of(pipeline)):  # without passes nothing can fail
            self._text, self._plugins = _text(module), plugins_of(module, pipeline)

    def before(self, run: PassRun) -> None:
        self._passes += 1

    def write(self, run: PassRun, again: Callable[[str, Instrument], None]) -> str:
        """Write the reproducer of the pass that has just failed, and return its path.

        `again` runs the pipeline on a module given as text. If it fails before it reaches the pass, the reproducer is of the
        whole pipeline.
        """
        reached = _TextBefore(self._passes)
        try:
            again(self._text, reached)
        except _Reached:
            return self._write(reached.text, from_pass(self._pipeline, run.indices, alone=self._local))
        except CompileError:
            pass
        return self._write(self._text, self._pipeline)

    def write_emission(self, module: ModuleOp) -> str:
        """Write a module whose source could not be printed, with an empty pipeline, and return its path."""
        return self._write(_text(module), Nest(ModuleOp.name, ()))

    def _write(self, module_text: str, pipeline: Nest) -> str:
        text = reproducer_text(module_text, pipeline, self._verify_each, self._plugins)
        path = self._path or _new_file()
        write_text(path, text)
        self.written = path
        return path


def _text(module: ModuleOp) -> str:
    # The generic form: it parses even if an operation's own printer is broken.
    return print_module(module, generic=True, debuginfo=True)


def _new_file() -> str:
    with tempfile.NamedTemporaryFile(prefix="stepwell-reproducer-", suffix=".mlir", delete=False) as file:
        return file.name
