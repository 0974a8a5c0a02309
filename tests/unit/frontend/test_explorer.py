"""The explorer: the data of its page agrees with the trace, in both directions; the page in a browser, if there is one."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.explorer.contents import contents
from stepwell.frontend.explorer.page import data_of, page
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.passes.trace.outlined_view import outline
from stepwell.passes.trace.recording import Trace

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def act(x):
    return sw.relu(x)


def layer(x, w, b):
    y = act(x @ w + b)
    return sw.softmax(y, axis=1)


@pytest.fixture(scope="module")
def low():
    return sw.lower(layer, sw.Spec(("n", "m")), sw.Spec(("m", "k")), sw.Spec("k"))


@pytest.fixture(scope="module")
def html(low, tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "layer.html"
    low.explore(path)
    return path


@pytest.fixture(scope="module")
def data(html):
    return data_of(html.read_text(encoding="utf-8"))


def origins(data, state):
    """For each operation of a state, the operations of the previous state that it comes from."""
    (step,) = (step for step in data["passes"] if step["origins"] is not None and step["after"] == state)
    return [[each] if isinstance(each, int) else each for each in step["origins"]]


def upwards(data, ops, to):
    """The operations of a state that some operations of the last state come from."""
    for state in range(len(data["snapshots"]) - 1, to, -1):
        found = origins(data, state)
        ops = {origin for op in ops for origin in found[op]}
    return ops


def downwards(data, ops, start):
    """The operations of the last state that come from some operations of a state."""
    for state in range(start + 1, len(data["snapshots"])):
        ops = {op for op, found in enumerate(origins(data, state)) if not ops.isdisjoint(found)}
    return ops


def test_each_level_has_its_text(low, data):
    assert [column["name"] for column in data["columns"]] == ["graph", "uop", "loop", "scheduled", "cloop"]
    for column in data["columns"]:
        assert data["snapshots"][column["snapshot"]]["text"] == low.ir(column["name"])
    assert data["emitted"]["text"] == low.source()
    assert data["documents"][0]["text"].splitlines() == Path(__file__).read_text(encoding="utf-8").splitlines()


@pytest.mark.feature("T2")
def test_every_line_of_the_code_leads_to_the_lines_that_the_trace_says(low, data):
    for line, op in data["emitted"]["ops"][::7]:
        expected = {(level, number) for level, number, _ in low.trace.ancestry(line) if level == "input"}
        first = data["snapshots"][0]
        assert {("input", first["lines"][each]) for each in upwards(data, {op}, 0)} == expected
        sources = data["sources"][data["snapshots"][-1]["sources"][op]]
        files = [[data["documents"][file]["path"], *rest] for file, *rest in (data["frames"][each] for each in sources)]
        assert files == [list(frame) for frame in low.trace.sources(line)]


@pytest.mark.feature("T2")
def test_the_way_down_is_the_inverse_of_the_way_up(data):
    last = range(0, len(data["snapshots"][-1]["lines"]), 5)
    for column in data["columns"][:3]:
        state = column["snapshot"]
        up = {op: upwards(data, {op}, state) for op in last}
        for op in range(len(data["snapshots"][state]["lines"])):
            assert downwards(data, {op}, state) & set(last) == {other for other in last if op in up[other]}


def test_every_pass_is_listed_with_its_effect(low, data):
    steps = low.trace.passes.steps
    assert [step["name"] for step in data["passes"]] == [step.pass_name for step in steps]
    for shown, step in zip(data["passes"], steps, strict=True):
        assert shown["effect"] == (step.before.text != step.after.text)
        assert shown["effect"] == any(kind for kind, *_ in shown["runs"])
        if not shown["effect"]:
            assert not shown["runs"]
    (lowering,) = (step for step in data["passes"] if step["name"] == "lower-uop-to-loop")
    assert lowering["counts"]["loop.block"][0] == 0 < lowering["counts"]["loop.block"][1]


def test_nothing_from_a_program_becomes_markup(low, data):
    hostile = {**data, "title": "</title><script>alert(1)</script>", "target": "<!--@data@-->"}
    text = page(hostile)
    assert "alert(1)</script>" not in text and data_of(text) == hostile
    assert text.count("<script") == 2 and "http://" not in text and "https://" not in text


def test_a_program_without_a_trace_cannot_be_explored(tmp_path):
    low = sw.lower(layer, sw.Spec(("n", "m")), sw.Spec(("m", "k")), sw.Spec("k"), trace=False)
    with pytest.raises(CompileError, match="trace=True"):
        low.explore(tmp_path / "none.html")
    with pytest.raises(ValueError, match="text of every level"):
        contents("none", Trace())


@pytest.mark.parametrize("target", ["triton-interpret", "interpret"])
def test_other_targets(tmp_path, target):
    sw.lower(act, sw.Spec("n"), target=target).explore(tmp_path / "act.html")
    data = data_of((tmp_path / "act.html").read_text(encoding="utf-8"))
    assert data["columns"][0]["name"] == "graph"
    assert (data["emitted"] is None) == (target == "interpret")


def loops_of(kernel):
    return [(depth, kind) for depth, _, kind, _, _ in kernel["steps"]]


def test_kernels_have_loops_and_buffers(data):
    kernels, state = data["kernels"]["all"], data["snapshots"][data["kernels"]["snapshot"]]
    names = [data["names"][name] for name in state["names"]]
    outermost = [op for op, name in enumerate(names) if name == "loop.block"]
    assert [kernel["op"] for kernel in kernels] == outermost
    loops = [op for kernel in kernels for _, op, kind, *_ in kernel["steps"] if kind not in ("if", "else", "block")]
    assert loops == [op for op, name in enumerate(names) if name == "loop.for"]
    assert all(0 <= depth <= 20 for kernel in kernels for depth, _ in loops_of(kernel))
    buffers = {name: (elements, space, reads, writes) for name, elements, space, reads, writes in kernels[-1]["buffers"]}
    assert buffers["out"][:3] == ("(n, k) f32", "argument", 0) and buffers["out"][3] > 0
    assert any(space in ("thread", "register", "temporary") for _, space, _, _ in buffers.values())
    assert all(kernel["seconds"] is None for kernel in kernels) and data["profile"] is None


def test_times_of_a_profile_are_those_of_its_kernels(tmp_path):
    x = np.ones((40, 30), np.float32)
    profile = sw.profile(layer, calls=1)(x, x.T.copy(), np.ones(40, np.float32))
    profile.explore(tmp_path / "layer.html")
    found = data_of((tmp_path / "layer.html").read_text(encoding="utf-8"))
    measured = sum(kernel["seconds"] or 0.0 for kernel in found["kernels"]["all"])
    assert measured == pytest.approx(sum(nest.seconds for nest in profile.nests)) and measured > 0
    lines = {(found["documents"][file]["path"], line): seconds for file, line, seconds in found["profile"]["lines"]}
    assert lines == profile.by_line()


def shown(html: Path, address: str) -> str:
    """The document that the page at an address makes."""
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,4000"]
    command += ["--virtual-time-budget=8000", "--dump-dom", f"{html.as_uri()}{address}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def rows(html: Path, address: str) -> dict[str, list[int]]:
    """The numbers of the selected lines that are in sight, by the name of their column."""
    text = shown(html, address)
    found: dict[str, list[int]] = {}
    for section in text.split('<section class="column"')[1:]:
        name = re.search(r'<span class="name">([^<]*)', section)
        assert name is not None
        marked = re.findall(r'<div class="row[^"]*\bselected\b[^"]*"[^>]*data-line="(\d+)"', section)
        found.setdefault(name[1], sorted(map(int, marked)))
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_page_marks_the_partners_of_a_line(html, data):
    op = data["snapshots"][0]["names"].index(data["names"].index("graph.add"))
    line = data["snapshots"][0]["lines"][op]
    found = rows(html, f"#view=levels&at=state/0:{line}")
    assert found["graph"] == [line]
    state = next(column["snapshot"] for column in data["columns"] if column["name"] == "cloop")
    assert state == len(data["snapshots"]) - 1
    down = {data["snapshots"][state]["lines"][each] for each in downwards(data, {op}, 0)}
    assert found["cloop"] and set(found["cloop"]) <= down
    frames = [data["frames"][each] for each in data["sources"][data["snapshots"][0]["sources"][op]]]
    assert found["source"] == sorted({frame[1] for frame in frames if frame[0] == 0})


# Selects lines 1 and 2, and searches; the calls of the browser's history become an attribute of the page.
STEPS = """
<script>
const asked = [];
for (const way of ["pushState", "replaceState"]) {
  const former = history[way].bind(history);
  history[way] = (state, title, address) => {
    asked.push(`${way} ${/at=([^&]*)/.exec(decodeURIComponent(address))?.[1] ?? "none"}`);
    former(state, title, address);
  };
}
const later = () => new Promise((done) => setTimeout(done, 200));
addEventListener("load", async () => {
  while (!document.body.dataset.ready) await later();
  for (const line of [1, 2]) {
    window.explorer.select({ key: "state/0", line });
    await later();
  }
  window.explorer.query = "exp";
  window.explorer._writeAddress();
  await later();
  document.body.dataset.asked = asked.join(", ");
});
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_selections_are_steps_of_the_browsers_history(html, tmp_path):
    page = tmp_path / "page.html"
    # Without a screen there is no frame to wait for.
    frames = "<script>window.requestAnimationFrame = (work) => setTimeout(work, 0);</script>"
    text = html.read_text(encoding="utf-8").replace("<head>", f"<head>{frames}").replace("</body>", f"{STEPS}</body>")
    page.write_text(text, encoding="utf-8")
    found = re.search(r'data-asked="([^"]*)"', shown(page, ""))
    assert found is not None
    assert found[1].split(", ")[-3:] == ["pushState state/0:1", "pushState state/0:2", "replaceState state/0:2"]


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_address_leads_to_a_pass(html, data):
    number = next(k for k, step in enumerate(data["passes"]) if step["name"] == "lower-graph-to-uop")
    before = data["passes"][number]["before"]
    found = rows(html, f"#view=passes&pass={number}&at=state/{before}:4")
    assert found["before"] == [4] and found["after"]


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_page_shows_kernels(html, data):
    kernel = data["kernels"]["all"][0]
    line = data["snapshots"][data["kernels"]["snapshot"]]["lines"][kernel["op"]]
    text = shown(html, f"#view=kernels&at=state/{data['kernels']['snapshot']}:{line}")
    steps = re.findall(r'<div class="loop[^"]*" data-line="(\d+)"', text)
    assert len(steps) == len(kernel["steps"])
    assert f'<div class="loop selected current" data-line="{line}"' in text
    assert all(f"<td>{name}</td><td>{elements}</td>" in text for name, elements, *_ in kernel["buffers"])


@pytest.mark.feature("T4")
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_outline_has_a_row_for_each_group_of_the_outlined_view(html, data, low):
    text = shown(html, "#view=levels&outline=1&hide=source,loop,scheduled,cloop,c,graph")
    labels = re.findall(r'<span class="title">▸ [^<]*:(\d+)</span>', text)
    view = print_module(outline(parse_module(low.ir("uop"), make_context())))
    assert labels and "@outlined_" not in low.ir("uop") and "@outlined_" in view
    frames = [data["frames"][each] for sources in data["sources"] for each in sources]
    assert {int(label) for label in labels} <= {frame[1] for frame in frames}
    hidden = len(low.ir("uop").splitlines()) - len(re.findall(r'class="row [^"]*" style="[^"]*" data-line', text))
    assert hidden > len(labels)
