"""Levels written to files, edited, and compiled from there.

    STEPWELL_DUMP_DIR=dump python model.py          # writes dump/layer-cpu-1a2b3c4d/graph.mlir, uop.mlir, ..., kernel.c
    (edit dump/layer-cpu-1a2b3c4d/scheduled.mlir, or kernel.c)
    STEPWELL_OVERRIDE_DIR=dump python model.py      # goes on from the edited files

Every program has a folder: its name, the target, and a digest of the program, so that it is found again. A file that is
unchanged since it was dumped has no effect. An edited file replaces its level, and the later levels are made from it. Standard
error names the files that were used. Code in such a folder is run without checks: name only folders that you trust.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..ir.diagnostics import CompileError, decoded
from ..ir.functions.entry import entry_function
from ..ir.functions.verification import verify
from ..ir.text.parser import parse_module
from ..ir.text.printer import print_module
from ..lowering.driver import level_of
from ..lowering.emission.source_text import escape
from .cpu.library import ENTRY_POINT

DUMP, OVERRIDE = "STEPWELL_DUMP_DIR", "STEPWELL_OVERRIDE_DIR"
DIGESTS = "dumped.json"


@dataclass(frozen=True)
class LevelFiles:
    """The files of one program: the folder to write to and the folder to read from, each None if there is none."""

    dump: Path | None
    override: Path | None

    @staticmethod
    def of(module: ModuleOp, target: str) -> LevelFiles | None:
        """The files of a program that is about to be lowered; None if neither variable is set. Raises CompileError if the
        folder to read from does not exist."""
        dump, override = os.environ.get(DUMP), os.environ.get(OVERRIDE)
        if not dump and not override:
            return None
        if override and not Path(override).is_dir():
            raise CompileError(f"{OVERRIDE}: no folder '{override}'")
        digest = _digest(print_module(module, generic=True))[:8]
        name = f"{_safe(entry_function(module).sym_name.data)}-{target}-{digest}"
        return LevelFiles(Path(dump, name) if dump else None, Path(override, name) if override else None)

    def level(self, name: str, module: ModuleOp, ctx: Context) -> None:
        """Write a module that has reached a level, or replace it by the edited file. Raises ParseError and VerifyError for an
        edited file; CompileError if its entry function has another name, type or attributes, if it is on another level, or if
        the folder can't be written to.
        """
        edited = self._edited(f"{name}.mlir")
        if edited is not None:
            path, text = edited
            other = parse_module(text, ctx, str(path))
            _check_level(other, {name, level_of(module)}, path)
            _replace(module, other, path)
        self._write(f"{name}.mlir", print_module(module))

    def emitted(self, name: str, text: str) -> str:
        """The source code to run for the file `name`: the emitted text, or the edited one."""
        edited = self._edited(name)
        text = edited[1] if edited is not None else text
        self._write(name, text)
        if edited is None or not name.endswith(".c"):
            return text
        path = edited[0]
        if re.search(rf"\b{ENTRY_POINT}\s*\(", text) is None:
            raise CompileError(f"'{path}' defines no function {ENTRY_POINT}")
        return f'#line 1 "{escape(str(path))}"\n{text}'  # errors of the C compiler name this file

    def _edited(self, name: str) -> tuple[Path, str] | None:
        """The file of this name, and its text, if it exists and differs from the dumped text."""
        if self.override is None or not (self.override / name).is_file():
            return None
        path = self.override / name
        text = decoded(path.read_bytes(), str(path))
        if _digests(self.override).get(name) == _digest(text):
            return None
        print(f"stepwell: compiling from {path}", file=sys.stderr)
        return path, text

    def _write(self, name: str, text: str) -> None:
        if self.dump is None or (self.dump == self.override and (self.dump / name).exists()):
            return
        try:
            self.dump.mkdir(parents=True, exist_ok=True)
            (self.dump / name).write_text(text, encoding="utf-8")
            digests = {**_digests(self.dump), name: _digest(text)}
            (self.dump / DIGESTS).write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise CompileError(f"{DUMP}: '{error.filename or self.dump}': {error.strerror}") from error


def _check_level(module: ModuleOp, expected: set[str], path: Path) -> None:
    """Raise CompileError for a module on another level. Loops are on level "scheduled" as soon as one of them is vectorized."""
    found = level_of(module)
    if expected & {"loop", "scheduled"}:
        expected = expected | {"loop", "scheduled"}
    if found not in expected:
        raise CompileError(f"'{path}': expected a program on level '{path.stem}', got one on level '{found}'")


def _replace(module: ModuleOp, other: ModuleOp, path: Path) -> None:
    """Give a module the operations of another one."""
    verify(other)
    function, edited = entry_function(module), entry_function(other)
    name, found = function.sym_name.data, edited.sym_name.data
    if name != found:
        raise CompileError(f"'{path}': expected the function '{name}', got '{found}'")
    # Calls check their arguments against the program that was lowered.
    if edited.function_type != function.function_type:
        raise CompileError(f"'{path}': expected @{name} with the type {function.function_type}, got {edited.function_type}")
    for key in sorted({*function.attributes, *edited.attributes}):
        old, new = function.attributes.get(key), edited.attributes.get(key)
        if old != new:
            raise CompileError(f"'{path}': @{name}: expected the attribute '{key}' as {old or 'none'}, got {new or 'none'}")
    block = module.body.block
    for op in list(block.ops):
        op.detach()
        op.erase(safe_erase=False)
    for op in list(other.body.block.ops):
        op.detach()
        block.add_op(op)
    module.location = other.location


def _digests(folder: Path) -> dict[str, str]:
    """The digests of the dumped files; empty if no file was dumped, or if the list is damaged."""
    try:
        found = json.loads((folder / DIGESTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _safe(name: str) -> str:
    return "".join(char if char.isalnum() or char in "_-" else "_" for char in name)[:60]
