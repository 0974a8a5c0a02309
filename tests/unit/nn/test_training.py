"""The training examples: a killed run loses nothing, one compile suffices, and the results are as expected."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def start(name: str, out: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, EXAMPLES / f"train_{name}.py", "--out", out, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)


def run(name: str, out: Path, *options: str) -> str:
    """The output of a script, which must print nothing on standard error, since that is no terminal."""
    process = start(name, out, *options)
    output, errors = process.communicate()
    assert process.returncode == 0 and not errors, errors
    return output


def losses(out: Path) -> np.ndarray:
    return sw.load(out / "digits_mlp.safetensors")["losses"]


def test_a_killed_run_goes_on_as_if_nothing_had_been(tmp_path: Path):
    steps = ("--steps", "1500", "--every", "10")
    killed = start("digits_mlp", tmp_path / "killed", *steps)
    checkpoint = tmp_path / "killed" / "digits_mlp.safetensors"
    while not checkpoint.exists() and killed.poll() is None:
        time.sleep(0.002)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    done = len(losses(tmp_path / "killed"))
    assert 0 < done < 1500

    resumed = run("digits_mlp", tmp_path / "killed", *steps, "--resume")
    whole = run("digits_mlp", tmp_path / "whole", *steps)
    assert f"going on from step {done}" in resumed and "going on" not in whole
    assert losses(tmp_path / "killed").tobytes() == losses(tmp_path / "whole").tobytes()
    files = [(tmp_path / each / "digits_mlp.safetensors").read_bytes() for each in ("killed", "whole")]
    assert files[0] == files[1]


@pytest.fixture(scope="module")
def perceptron(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The output of the perceptron's script, and the folder that it writes to."""
    out = tmp_path_factory.mktemp("out")
    return run("digits_mlp", out, "--seed", "3"), out


def test_the_perceptron_learns(perceptron: tuple[str, Path]):
    output, out = perceptron
    accuracy = re.search(r"test accuracy ([\d.]+)% of 360 images", output)
    assert accuracy and float(accuracy[1]) > 96
    assert re.search(r"seed 3, 460 steps", output) and re.search(r"then [\d.]+ ms a step", output)
    assert (out / "digits_mlp.png").read_bytes().startswith(b"\x89PNG")


def test_one_compile_serves_all_batches(perceptron: tuple[str, Path]):
    """The last batch of an epoch has 29 of the 1437 images, the others 64."""
    assert "compiled 1 time(s)" in perceptron[0]


def test_one_compile_serves_a_convolution_too(tmp_path: Path):
    output = run("digits_cnn", tmp_path, "--steps", "24")
    assert "24 steps, compiled 1 time(s)" in output
    first, last = map(float, re.findall(r"loss ([\d.]+) -> ([\d.]+)", output)[0])
    assert last < first


def test_the_text_is_that_of_the_standard_library():
    """Characters become numbers for which the model has rows."""
    script = (
        "import numpy as np\nfrom train_text_transformer import ALPHABET, encoded\n"
        "assert list(encoded('\\n ~A\\u00e9\\t')) == [0, 1, 95, 34, 32, 1]\nassert ALPHABET == 96"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=EXAMPLES, env=os.environ)
