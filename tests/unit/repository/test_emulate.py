"""`python -m tests.emulate`, with this machine's C compiler in place of one for another machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from stepwell.runtime.toolchain.compiler import find_command

ROOT = Path(__file__).parents[3]


def test_programs_and_scripts_run_outside_of_this_process(tmp_path: Path) -> None:
    script = tmp_path / "doubles.py"
    script.write_text("import numpy as np\nimport stepwell as sw\nassert sw.jit(lambda x: x + x)(np.ones(3)).sum() == 6\n")
    wrong = tmp_path / "fails.py"
    wrong.write_text("assert False\n")
    ends = tmp_path / "ends.py"
    ends.write_text("import sys\nsys.exit(0)\n")
    compiler = " ".join(find_command().argv)
    command = [sys.executable, "-m", "tests.emulate", "--machine", "x86-64", "--compiler", compiler, "--run", ""]
    done = subprocess.run([*command, "--programs", "3", str(script)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "x86-64: 3 random programs, 1 scripts, 0 wrong" in done.stdout
    done = subprocess.run([*command, str(wrong), str(ends)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "2 scripts, 1 wrong" in done.stdout and "AssertionError" in done.stderr
