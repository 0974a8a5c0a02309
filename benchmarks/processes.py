"""Worker processes, which measure. Workers of peers run on processors of their own, one after the other, while all others are
stopped. `run_worker` measures a row of a benchmark in a new process."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .environment import processors, thread_settings

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 600.0


def run_worker(
    benchmark: str, row: Sequence[str], options: Sequence[str], timeout: float, environment: Mapping[str, str] | None = None
) -> Any:
    """The last line of the output of `python -m benchmarks.NAME --worker ROW OPTIONS` that is JSON. None, with a message on
    standard error, if the command fails or takes more than `timeout` seconds."""
    command = [sys.executable, "-m", f"benchmarks.{benchmark}", "--worker", *row, *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        print(f"{', '.join(row)}: no result in {timeout} s", file=sys.stderr)
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith(("[", "{"))]
    if done.returncode or not lines:
        print(f"{', '.join(row)}: {done.stderr[-2000:]}", file=sys.stderr)
        return None
    return json.loads(lines[-1])


class WorkerError(RuntimeError):
    """A worker that failed, with its last output."""


class WorkerProcess:
    """A worker of a peer, stopped except while it answers: pools of threads that spin would disturb the others.

    It computes on as many processors as it has threads, so that no library uses more than its share.
    """

    def __init__(self, name: str, threads: int, environment: Mapping[str, str]):
        self.name = name
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        chosen = processors()[-threads:]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker", name, str(threads)],
            cwd=ROOT,
            env={**environment, **thread_settings(threads)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, chosen),
        )
        self._answer()
        self._signal(signal.SIGSTOP)

    def ask(self, **command: Any) -> dict[str, Any]:
        """The answer to a command. Raises WorkerError when it is an error, or none comes."""
        self._signal(signal.SIGCONT)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(self._last_words()) from None
        answer = self._answer()
        self._signal(signal.SIGSTOP)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End the process, and the processes that it started."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            assert stream is not None
            stream.close()

    def _signal(self, number: int) -> None:
        if self.alive:
            os.killpg(self._process.pid, number)

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(TIMEOUT):
                self._signal(signal.SIGKILL)
                raise WorkerError(f"no answer within {TIMEOUT:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            raise WorkerError(self._last_words())
        return json.loads(line)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()
        return f"it ended with status {self._process.returncode}: {lines[-1] if lines else 'it said nothing'}"
