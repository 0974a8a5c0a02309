"""Lines of kernels and errors lead to the user's model: its file, its line, and the path of the module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.torch import explain  # noqa: E402
from torch import nn  # noqa: E402

HERE = Path(__file__).name


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.ones(4, 3))

    def forward(self, at: Any) -> Any:
        return self.table[at] * 2  # the line of the gather


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Inner(), Inner()])

    def forward(self, at: Any) -> Any:
        return self.blocks[0](at) + self.blocks[1](at).tanh()


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


def test_lines_of_the_kernels_lead_to_modules():
    report = explain(Model(), torch.tensor([1, 2]), backward=True)
    forward, backward = report.lowered()
    for low in (forward, backward):
        lines = range(1, len(low.source().splitlines()) + 1)
        found = {(Path(frame.file).name, frame.line, frame.function) for k in lines for frame in low.trace.sources(k)}
        gather = line_of("# the line of the gather")
        assert {(HERE, gather, "blocks.0.forward"), (HERE, gather, "blocks.1.forward")} <= found
    assert forward.trace.products(f"{HERE}:{line_of('# the line of the gather')}")


def test_errors_at_run_time_name_the_line():
    call = torch.compile(Model(), backend="stepwell", options={"target": "interpret"})
    call(torch.tensor([1, 2]))
    with pytest.raises(IndexError, match=rf"{HERE}:{line_of('# the line of the gather')}:1: .*in the module 'blocks\.0'"):
        call(torch.tensor([1, 9]))
