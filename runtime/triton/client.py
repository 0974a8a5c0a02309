"""Client of the worker process that interprets or compiles Triton kernels; all programs share one worker."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from typing import IO, Any

INTERPRET = "interpret"
COMPILE = "compile"


class TritonWorkerError(RuntimeError):
    """A kernel failed, or the process that ran it died."""


class Client:
    """One worker process, restarted after it has died. Requests of several threads take turns."""

    def __init__(self, mode: str):
        self.mode = mode
        self.starts = 0
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def request(self, message: dict[str, Any], arrays: Sequence[Any], results: Sequence[Any]) -> dict[str, Any]:
        """The worker's answer; `arrays` (NumPy) are sent with the request, and the worker's arrays fill `results`.

        Raises TritonWorkerError naming the kernel that failed.
        """
        with self._lock:
            process = self._running()
            try:
                return self._exchange(process, message, arrays, results)
            except (OSError, EOFError, ValueError) as error:
                raise self._crashed(process, "") from error

    def _exchange(
        self, process: subprocess.Popen[bytes], message: dict[str, Any], arrays: Sequence[Any], results: Sequence[Any]
    ) -> dict[str, Any]:
        assert process.stdin is not None and process.stdout is not None, "both ends are pipes"
        header = {**message, "bytes": [array.nbytes for array in arrays]}
        process.stdin.write(json.dumps(header).encode() + b"\n")
        for array in arrays:
            process.stdin.write(_raw(array))
        process.stdin.flush()
        kernel = ""
        while True:
            line = process.stdout.readline()
            if not line:
                raise self._crashed(process, kernel)
            answer = json.loads(line)
            if "failed" in answer:
                raise TritonWorkerError(f"{_named(kernel)}: {answer['failed']}")
            if "kernel" not in answer:
                break
            kernel = answer["kernel"]
        for result in results:
            _read_into(process.stdout, _raw(result))
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        if self.mode == INTERPRET:
            environment["TRITON_INTERPRET"] = "1"
        command = [sys.executable, "-W", "ignore", "-m", f"{__package__}.worker"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        weakref.finalize(self, _stop, process)
        return process

    def _crashed(self, process: subprocess.Popen[bytes], kernel: str) -> TritonWorkerError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.kill()
        self._process = None
        return TritonWorkerError(f"{_named(kernel)}: the Triton worker died with exit code {process.wait()}")


def client(mode: str) -> Client:
    """The worker of this process for a mode, INTERPRET or COMPILE."""
    return _client_of(mode, os.getpid())


@functools.cache
def _client_of(mode: str, _process: int) -> Client:
    return Client(mode)


def _named(kernel: str) -> str:
    return f"kernel '{kernel}'" if kernel else "the Triton worker"


def _raw(array: Any) -> memoryview:
    """The bytes of a contiguous array of any dtype."""
    return memoryview(array.reshape(-1).view("uint8"))


def _read_into(source: IO[bytes], target: memoryview) -> None:
    if target.nbytes and source.readinto(target) != target.nbytes:  # type: ignore[attr-defined] - pipes have it
        raise EOFError("the answer ends too early")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
