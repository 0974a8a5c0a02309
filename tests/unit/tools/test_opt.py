"""stepwell-opt: exit statuses, streams, and its behaviour when files, pipes or passes fail."""

import json
import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from stepwell.lowering import all_passes
from stepwell.lowering.emit_c import emit_c
from stepwell.tools.opt.arguments import build_parser, normalize
from stepwell.tools.opt.main import main

PROGRAM = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  func.return %0 : i32\n}\n"
PLUGIN = Path(__file__).parents[2] / "lit" / "tools" / "Inputs" / "plugin.py"


@pytest.fixture
def program(tmp_path) -> str:
    path = tmp_path / "f.mlir"
    path.write_text(PROGRAM)
    return str(path)


def command(*arguments: str, **settings) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "stepwell.tools.opt.main", *arguments],
        **{"capture_output": True, "text": True, "check": False, **settings},
    )


def test_success_writes_ir_and_nothing_else(program, capsys):
    assert main([program, "--cse"]) == 0
    streams = capsys.readouterr()
    assert "func.func @f" in streams.out and streams.err == ""


@pytest.mark.parametrize(
    "text, arguments, status",
    [
        (PROGRAM, ["-p", "csee"], 2),
        (PROGRAM, ["-p", "cse{a=1}"], 2),
        (PROGRAM, ["-p", "lower-loop-to-cloop{vector-bits=64}"], 2),
        (PROGRAM, ["-p", "loop-tile-contractions{rows=33}"], 2),
        (PROGRAM, ["-p", "loop-tile-convolutions{vectors=9}"], 2),
        (PROGRAM, ["--load-pass-plugin=/nonexistent.py"], 2),
        (PROGRAM, [f"--load-pass-plugin={PLUGIN}", "-p", "test-crash"], 70),
        (PROGRAM, [f"--load-pass-plugin={PLUGIN}", "-p", "test-keep"], 1),
        ("nonsense", [], 1),
        ("func.func @f() {\n  func.return %0 : i32\n}", [], 1),
        ("builtin.module {" * 100_000, [], 1),
    ],
)
def test_exit_statuses(tmp_path, capsys, monkeypatch, text: str, arguments: list[str], status: int):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    path = tmp_path / "in.mlir"
    path.write_text(text)
    assert main([str(path), *arguments]) == status
    streams = capsys.readouterr()
    assert streams.out == "" and "error" in streams.err and "Traceback" not in streams.err


def test_the_line_of_a_pipeline_that_is_wrong_is_shown(program, capsys):
    assert main([program, "-p", "canonicalize,\n  csee,\ndce"]) == 2
    assert capsys.readouterr().err == "<pipeline>:2:3: error: unknown pass 'csee': did you mean 'cse'?\n  csee,\n  ^\n"


def test_a_traceback_is_shown_on_request(program, tmp_path, capsys):
    arguments = [f"--load-pass-plugin={PLUGIN}", "-p", "test-crash", "--debug"]
    assert main([program, *arguments, f"--mlir-pass-pipeline-crash-reproducer={tmp_path / 'r.mlir'}"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_the_list_has_each_pass_with_its_options(capsys):
    assert main(["--list-passes"]) == 0
    own, foreign = capsys.readouterr().out.split("\nPasses of xDSL:\n")
    assert own.startswith("Passes:\n") and "  convert-arith-to-riscv\n" in foreign
    names = [line.split(":")[0].strip() for line in own.splitlines()[1:] if not line.startswith("      ")]
    assert names == sorted(all_passes().names())
    assert "\n      bytes=64  (a power of two, from 1 to 256)\n" in own
    assert "\n      accumulate=float64  (float64 or float32)\n" in own and "\n      only=false\n" in own


def test_missing_and_unreadable_input(tmp_path, capsys):
    assert main([str(tmp_path / "nothing.mlir")]) == 1
    assert "No such file" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 1
    (tmp_path / "bytes.mlir").write_bytes(b"module {\n \xff }")
    assert main([str(tmp_path / "bytes.mlir")]) == 1
    assert "bytes.mlir:2:2: error: not UTF-8 text" in capsys.readouterr().err


def test_byte_order_mark_and_crlf(tmp_path, capsys):
    path = tmp_path / "dos.mlir"
    path.write_bytes(b"\xef\xbb\xbf" + PROGRAM.replace("\n", "\r\n").encode())
    assert main([str(path)]) == 0


def test_standard_input_and_output_file(tmp_path):
    out = tmp_path / "out.mlir"
    done = command("-", "-o", str(out), input=PROGRAM)
    assert done.returncode == 0 and done.stdout == "" and "func.func @f" in out.read_text()


def test_a_full_disk_is_an_error(program):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    with open("/dev/full", "w") as full:
        done = command(program, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 1 and "No space left" in done.stderr and "Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_traceback(program):
    arguments = [sys.executable, "-m", "stepwell.tools.opt.main", program]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == "" and process.wait() == 1


def test_help_is_fast_and_loads_no_compiler():
    started = time.perf_counter()
    done = command("--help")
    assert done.returncode == 0 and "--pass-pipeline" in done.stdout
    assert time.perf_counter() - started < 20  # exponential time would be hours
    loaded = command("--help", env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}).stderr
    assert "stepwell" in loaded and "xdsl" not in loaded


def test_options_in_the_style_of_llvm():
    known = {option for action in build_parser()._actions for option in action.option_strings}
    given = ["-mlir-timing", "--timing", "f.mlir", "-cse", "--my-pass=a=1 b=2", "--split-input-file", "-p", "dce"]
    assert normalize(given, {"cse", "my-pass"}, known) == [
        "--mlir-timing",
        "--timing",
        "f.mlir",
        "--pass-pipeline=cse",
        "--pass-pipeline=my-pass{a=1 b=2}",
        "--split-input-file=// -----",
        "-p",
        "dce",
    ]


GRAPH = """func.func @g(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.flip %x [0 : i64] : tensor<3xf32> -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
"""


def test_pipelines_are_shown_once_for_all_parts(tmp_path, capsys):
    def shown(parts: int) -> str:
        path = tmp_path / "parts.mlir"
        path.write_text("// -----\n".join([GRAPH] * parts))
        assert main([str(path), "--emit=loop", "--split-input-file", "--dump-pass-pipeline"]) == 0
        return capsys.readouterr().err

    assert "lower-graph-to-uop" in shown(1) and shown(3) == shown(1)


def test_trace_file(program, tmp_path, capsys):
    assert main([program, "--cse", f"--trace={tmp_path / 't.json'}"]) == 0
    trace = json.loads((tmp_path / "t.json").read_text())
    assert [level["level"] for level in trace["levels"]] == ["input", "cse"]
    assert trace["steps"][0]["pass"] == "cse"


def test_reproducer_on_request_runs_again(program, tmp_path, capsys):
    path = tmp_path / "r.mlir"
    assert main([program, "-p", "func.func(cse)", f"--mlir-generate-reproducer={path}"]) == 0
    first = capsys.readouterr().out
    assert main([str(path), "--run-reproducer"]) == 0
    assert capsys.readouterr().out == first
    assert main([program, "--run-reproducer"]) == 1


def test_the_printed_module_is_read_by_mlir(program):
    tool = Path(sysconfig.get_path("platlib"), "mlir", "bin", "mlir-opt")
    if not tool.exists():
        pytest.skip("mlir-opt is not installed")
    printed = command(program, "--mlir-print-op-generic", "--mlir-print-debuginfo").stdout
    done = subprocess.run([tool, "--mlir-print-debuginfo"], input=printed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    again = command("-", "--mlir-print-debuginfo", input=done.stdout)
    assert again.returncode == 0 and f'loc("{program}":2:8)' in again.stdout


def test_many_parts_are_fast(tmp_path, capsys):
    """Eight times as many parts take about eight times as long, and not 64 times."""

    def seconds(parts: int) -> float:
        path = tmp_path / "parts.mlir"
        path.write_text("// -----\n" * parts)
        started = time.thread_time()
        assert main([str(path), "--split-input-file"]) == 0
        return time.thread_time() - started

    assert seconds(8_000) < 24 * seconds(1_000)


def test_an_emitter_that_crashes_leaves_a_reproducer(tmp_path, capsys, monkeypatch):
    def crash(emitter, module):
        raise KeyError("lost")

    program = Path(__file__).parents[3] / "examples" / "levels" / "layer.graph.mlir"
    kept = tmp_path / "kept.mlir"
    with monkeypatch.context() as broken:
        broken.setattr(emit_c.CEmitter, "emit", crash)
        arguments = [str(program), "--emit=c", f"--mlir-pass-pipeline-crash-reproducer={kept}"]
        assert main(arguments) == 70
        streams = capsys.readouterr()
        assert "internal error: emitting c failed: KeyError: 'lost'" in streams.err and streams.out == ""
        assert f"reproducer written to '{kept}': stepwell-opt --run-reproducer --emit=c {kept}" in streams.err
        assert main(["--run-reproducer", "--emit=c", str(kept)]) == 70
        assert "emitting c failed: KeyError: 'lost'" in capsys.readouterr().err
    assert main(["--run-reproducer", "--emit=c", str(kept)]) == 0
    assert "int64_t sw_main(" in capsys.readouterr().out


def test_a_plain_run_imports_only_what_it_needs(program):
    """Starting takes longer than most pipelines: modules for rare options are imported by these options."""
    code = (
        "import sys; from stepwell.tools.opt.main import main; "
        f"main([{program!r}, '-p', 'canonicalize,cse,dce', '-o', {os.devnull!r}]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    unneeded = ("importlib.metadata", "numpy", "stepwell.passes.trace.recording", "stepwell.dialects.cloop")
    assert "stepwell.tools.opt.session" in imported
    assert imported.isdisjoint(unneeded), imported.intersection(unneeded)
