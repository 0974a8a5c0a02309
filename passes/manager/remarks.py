"""Remarks: why passes leave operations as they are, kept from pass to pass."""

from __future__ import annotations

from xdsl.ir import Operation

from .instruments import Instrument, PassRun


class Remarks(Instrument):
    """Collects the remarks of all passes, by operation. What derives from an operation has its remark."""

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
