"""Remarks: the reasons why passes left operations unchanged, kept from pass to pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from xdsl.ir import Operation

from ...ir.diagnostics import Remark
from .instruments import Instrument, PassRun


class Remarks(Instrument):
    """Collects the remarks of all passes, by operation. Operations derived from an operation keep its remark."""

    needs_recorder = True

    def __init__(self):
        self.reasons: dict[Operation, str] = {}

    def after(self, run: PassRun) -> None:
        if run.recorder is None:
            return
        for op, sources in run.recorder.origins.items():
            inherited = next((self.reasons[source] for source in sources if source in self.reasons), None)
            if inherited is not None:
                self.reasons.setdefault(op, inherited)
        self.reasons.update(run.recorder.remarks)


class RemarkPrinting(Instrument):
    """Writes the remarks of each pass to `stream`, in the form of diagnostics; `source_lines` has the lines of a file."""

    needs_recorder = True

    def __init__(self, stream: TextIO, source_lines: Callable[[str], Sequence[str] | None]):
        self._stream = stream
        self._source_lines = source_lines

    def after(self, run: PassRun) -> None:
        if run.recorder is None:
            return
        for op, reason in run.recorder.remarks.items():
            remark = Remark(f"{run.pass_.name}: '{op.name}': {reason}", op.location)
            self._stream.write(f"{remark.render(self._source_lines)}\n")
