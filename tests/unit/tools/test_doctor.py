"""The `stepwell` command: doctor and cache, exit statuses, and no traceback for the user."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stepwell.ir.diagnostics import CompileError
from stepwell.runtime.cache.disk import default_cache
from stepwell.runtime.cpu.warm_calls import NativeCall
from stepwell.tools import doctor
from stepwell.tools.stepwell import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CC", raising=False)


def run_stepwell(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; from stepwell.tools.stepwell import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def test_the_report_names_what_matters():
    findings = {finding.item: finding for finding in doctor.report()}
    items = {"stepwell", "python", "numpy", "xdsl", "torch", "compiler", "flags", "cpu", "threads", "cache state"}
    assert items <= findings.keys()
    assert all(finding.ok for finding in findings.values()), findings
    assert "-O2" in findings["flags"].value and findings["cache"].value == os.environ["STEPWELL_CACHE_DIR"]


def test_doctor_prints_a_line_each(capsys: pytest.CaptureFixture[str]):
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(doctor.report()) and all(line.startswith("ok ") for line in lines)


def test_doctor_says_that_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["doctor"]) == 1
    assert "BAD  compiler      $CC is" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("problem", "value"), [("", "yes"), ("no headers", "no, each call takes 10 microseconds more: no headers")]
)
def test_doctor_says_what_calls_cost(monkeypatch: pytest.MonkeyPatch, problem: str, value: str):
    monkeypatch.setattr(doctor, "native_call", lambda: NativeCall(None, problem))
    assert next(finding for finding in doctor.report() if finding.item == "short calls").value == value


def test_doctor_says_that_the_cache_can_not_be_used(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", "/dev/null/cache")
    with pytest.warns(UserWarning, match="is not used"):
        assert main(["doctor"]) == 1
    assert "BAD  cache state" in capsys.readouterr().out


def test_the_table_for_people_holds_every_finding(capsys: pytest.CaptureFixture[str]):
    doctor._show_table([doctor.Finding("compiler", "[none] found", False), doctor.Finding("cpu", "avx")])
    shown = capsys.readouterr().out
    assert "BAD" in shown and "[none] found" in shown and "avx" in shown


def test_cache_commands(capsys: pytest.CaptureFixture[str]):
    entry = default_cache().fetch("ab" * 32, lambda folder: (folder / "kernel.so").write_bytes(b"x"))
    assert main(["cache", "info"]) == 0
    assert "entries  1\n" in capsys.readouterr().out
    assert main(["cache", "verify"]) == 0
    (entry.path / "kernel.so").write_bytes(b"y")
    assert main(["cache", "verify"]) == 1
    assert "kernel.so is not what was written" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert "0 entries removed" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["cache"], ["cache", "nonsense"], ["doctor", "more"]])
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: stepwell" in capsys.readouterr().err


def test_errors_are_one_message_without_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    for error, status, text in (
        (FileNotFoundError(2, "No such file", "x.mlir"), 1, "stepwell: error: x.mlir: No such file\n"),
        (CompileError("no such op"), 1, CompileError("no such op").render() + "\n"),
        (KeyError("k"), 70, "stepwell: internal error: KeyError: 'k' (stepwell --debug prints the traceback)\n"),
    ):
        monkeypatch.setattr(doctor, "run", raise_(error))
        assert main(["doctor"]) == status
        assert capsys.readouterr().err == text
        with pytest.raises(type(error)):
            main(["--debug", "doctor"])


def raise_(error: Exception):
    def run(arguments: object) -> int:
        raise error

    return run


def test_version_and_help():
    assert run_stepwell("--version").stdout.startswith("stepwell ")
    shown = run_stepwell("--help")
    assert shown.returncode == 0 and "doctor" in shown.stdout


def test_a_reader_that_goes_away_gets_no_traceback():
    program = f"{sys.executable} -c 'import sys; from stepwell.tools.stepwell import main; sys.exit(main())'"
    done = subprocess.run(
        ["sh", "-c", f"{program} cache info | true"], capture_output=True, text=True, env=os.environ, check=False
    )
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
def test_the_kernels_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Their resources on a GPU, and the predicted cost of a call, by source line."""
    program = tmp_path / "model.py"
    program.write_text("import stepwell as sw\ndef layer(x, w):\n    return sw.relu(x @ w)\n")
    asked = ["doctor", "--kernels", f"{program}:layer", "--spec", "n,1024:bfloat16", "--spec", "1024,1024:bfloat16"]
    assert main([*asked, "--size", "n=2048", "--gpu", "h200"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("1 kernels on H200") and "wgmma" in text and "bound by" in text and "occupancy" in text
    assert f"100%  {program}:3" in text
    assert main([*asked, "--size", "n"]) != 0
    assert "--size n: expected a name and a whole number" in capsys.readouterr().err
