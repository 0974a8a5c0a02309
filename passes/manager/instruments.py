"""Instruments: hooks that run before and after each pass, to time, count, print or trace. They never change the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TextIO

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...ir.change_detection import State
from ...ir.files import write_text
from ...ir.rewrite import Recorder
from ...ir.text.printer import print_module
from .pipeline import Nest, passes_of, pipeline_dump


@dataclass(frozen=True)
class PassRun:
    """One pass on one operation.

    `indices` is the position of the pass in the pipeline: the number of the element in the outermost nest, in the next nest,
    and so on. `state` is the state of the module after the pass, if the module is verified or recorded.
    """

    pass_: ModulePass
    op: Operation
    module: ModuleOp
    indices: tuple[int, ...]
    recorder: Recorder | None
    state: State = ()

    @property
    def title(self) -> str:
        """The class and the name of the pass, as MLIR shows them."""
        return f"{type(self.pass_).__name__} ({self.pass_.name})"


class Instrument:
    """An observer of a pipeline: its hooks do nothing until they are overridden."""

    # Whether passes have to record what they create, merge and erase.
    needs_recorder: ClassVar[bool] = False

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        """The pipeline begins."""

    def enter(self, nest: Nest, indices: tuple[int, ...]) -> None:
        """A nested pipeline begins on one operation."""

    def leave(self, nest: Nest) -> None:
        """A nested pipeline has ended on one operation."""

    def before(self, run: PassRun) -> None:
        """A pass is about to run."""

    def after(self, run: PassRun) -> None:
        """A pass has run, and its result is valid."""

    def failed(self, run: PassRun) -> None:
        """A pass has failed, or its result is not valid."""


@dataclass
class PipelineDump(Instrument):
    """Writes each pipeline to `stream` when it begins for the first time, with the passes of `first` in front; pipelines
    without passes are not written."""

    stream: TextIO
    first: Nest
    shown: set[str] = field(default_factory=set[str])

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        if pipeline is self.first:
            return
        text = pipeline_dump(Nest(pipeline.anchor, (*self.first.elements, *pipeline.elements)))
        if any(passes_of(pipeline)) and text not in self.shown:
            self.shown.add(text)
            self.stream.write(text + "\n")


@dataclass(frozen=True)
class PassFilter:
    """A choice of passes: all of them, or those named."""

    all: bool = False
    names: tuple[str, ...] = ()

    def __contains__(self, name: str) -> bool:
        return self.all or name in self.names

    def __bool__(self) -> bool:
        return self.all or bool(self.names)


@dataclass
class IRPrinting(Instrument):
    """Prints the IR before and after passes to `stream`, or to one file per pass below `tree_dir`, with MLIR's headers.

    `text_of` prints an operation. If several pipelines run on one module, the numbers of files continue from one to the next.
    """

    stream: TextIO
    before_passes: PassFilter = PassFilter()
    after_passes: PassFilter = PassFilter()
    after_change: bool = False
    after_failure: bool = False
    module_scope: bool = False
    tree_dir: Path | None = None
    text_of: Callable[[Operation], str] = print_module
    _text_before: str = ""
    _module: ModuleOp | None = None
    _first: int = 0
    _count: int = 0

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        self._first = self._first + self._count if module is self._module else 0
        self._module, self._count = module, len(pipeline.elements)

    def before(self, run: PassRun) -> None:
        if self.after_change:
            self._text_before = self.text_of(run.op)
        if run.pass_.name in self.before_passes:
            self._dump(run, "Before", "")

    def after(self, run: PassRun) -> None:
        if run.pass_.name not in self.after_passes:
            return
        if self.after_change and self.text_of(run.op) == self._text_before:
            return
        self._dump(run, "After", "")

    def failed(self, run: PassRun) -> None:
        if self.after_failure or run.pass_.name in self.after_passes:
            self._dump(run, "After", " Failed")

    def _dump(self, run: PassRun, when: str, outcome: str) -> None:
        # The class and the name of the pass are separate in "After CSE Failed (cse)".
        title = f"{type(run.pass_).__name__}{outcome} ({run.pass_.name})"
        scope = f" ({_describe(run.op)})" if self.module_scope or self.tree_dir is not None else ""
        header = f"// -----// IR Dump {when} {title}{scope} //----- //\n"
        text = header + self.text_of(run.module if self.module_scope else run.op) + "\n"
        if self.tree_dir is None:
            self.stream.write(text)
            return
        folder = self.tree_dir.joinpath(*map(_folder, reversed(list(_with_parents(run.op)))))
        folder.mkdir(parents=True, exist_ok=True)
        first, *inner = run.indices
        number = "_".join(map(str, (self._first + first, *inner)))
        suffix = "" if when == "After" else "_before"
        write_text(folder / f"{number}_{run.pass_.name}{suffix}.mlir", text)


def _symbol(op: Operation) -> str | None:
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _describe(op: Operation) -> str:
    symbol = _symbol(op)
    return f"'{op.name}' operation" + (f": @{symbol}" if symbol is not None else "")


def _folder(op: Operation) -> str:
    # A symbol can be any string: replace characters that are unsafe in a file name.
    symbol = "".join(char if char.isalnum() or char in "_-" else "_" for char in _symbol(op) or "no-symbol-name")
    return f"{op.name.replace('.', '_')}_{symbol}"


def _with_parents(op: Operation) -> Iterator[Operation]:
    current: Operation | None = op
    while current is not None:
        yield current
        current = current.parent_op()
