"""A process that runs kernels in Triton's interpreter, or compiles them for a GPU, which this machine need not have.

The interpreter can crash its process, and Triton decides at import whether it is used: so it runs in a process of its own.
Requests come in on standard input, each a line of JSON and then the bytes of the arrays that it announces; answers go out on
standard output in the same way. See `client.py` for the other end.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from types import ModuleType
from typing import Any, BinaryIO

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from .kernels import ALIGNMENT, in_memory, launch, load_kernels, options, part_of


class Worker:
    """Serves requests until its input ends; `modules` keeps the loaded modules, by hash."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO):
        self.requests = requests
        self.answers = answers
        self.modules: dict[str, ModuleType] = {}

    def serve(self) -> None:
        for line in iter(self.requests.readline, b""):
            request = json.loads(line)
            arrays = [self._read(count) for count in request.pop("bytes", [])]
            try:
                answer, results = self._answer(request, arrays)
            except Exception as error:  # all errors of a kernel are sent to the client
                answer, results = {"failed": f"{type(error).__name__}: {error}"}, []
            self._write(answer)
            for result in results:
                self.answers.write(result)
            self.answers.flush()

    def _answer(self, request: dict[str, Any], arrays: list[bytearray]) -> tuple[dict[str, Any], list[bytes]]:
        module = self._module(request["source"], request["digest"])
        if request["do"] == "run":
            return self._run(module, request, arrays)
        return {"binaries": [self._compile(module, kernel, request["target"]) for kernel in request["kernels"]]}, []

    def _run(self, module: ModuleType, request: dict[str, Any], arrays: list[bytearray]) -> tuple[dict[str, Any], list[bytes]]:
        given = iter(arrays)
        buffers = [_tensor(buffer, next(given) if buffer["given"] else None) for buffer in request["buffers"]]
        error = torch.zeros(3, dtype=torch.int64)
        for each in request["launches"]:
            # Sent before the kernel runs, so that the client knows which kernel crashed.
            self._write({"kernel": each["kernel"]})
            given = [part_of(buffers[k], start, count) for k, start, count in each["buffers"]]
            arguments = [*given, *each["params"], *([error] if each["checks"] else [])]
            launch(module, each["kernel"], each["programs"], each["warps"], each["stages"], each["fast"], arguments)
        results = [buffers[k].view(torch.uint8).numpy().tobytes() for k in request["results"]]
        return {"error": error.tolist()}, results

    def _compile(self, module: ModuleType, kernel: dict[str, Any], target: list[Any]) -> dict[str, str]:
        function = getattr(module, kernel["name"])
        signature = dict(zip(function.arg_names, kernel["types"], strict=True))
        # The attributes that Triton's own launches give aligned pointers, and integers that 16 divides.
        attrs = {(k,): [["tt.divisibility", ALIGNMENT]] for k in kernel["divisible"]}
        compiled = triton.compile(
            ASTSource(fn=function, signature=signature, constexprs={}, attrs=attrs),
            target=GPUTarget(*target),
            options=options(kernel["warps"], kernel["stages"], kernel["fast"]),
        )
        stages = {stage: _bytes(text) for stage, text in compiled.asm.items()}
        stages["shared"] = str(compiled.metadata.shared).encode()
        if kernel["disassembled"]:
            stages |= _disassembled(stages["cubin"])
        return {"kernel": kernel["name"], **{stage: base64.b64encode(text).decode() for stage, text in stages.items()}}

    def _module(self, path: str, digest: str) -> ModuleType:
        if digest not in self.modules:
            self.modules[digest] = load_kernels(path, digest)
        return self.modules[digest]

    def _read(self, count: int) -> bytearray:
        data = bytearray(count)
        if self.requests.readinto(data) != count:  # type: ignore[attr-defined] - every buffered reader has it
            raise EOFError("the request ends too early")
        return data

    def _write(self, answer: dict[str, Any]) -> None:
        self.answers.write(json.dumps(answer).encode() + b"\n")
        self.answers.flush()


def _tensor(buffer: dict[str, Any], data: bytearray | None) -> torch.Tensor:
    kind = in_memory(buffer["dtype"])
    if data:
        return torch.frombuffer(data, dtype=kind)
    return torch.empty(buffer["count"], dtype=kind)


def _disassembled(cubin: bytes) -> dict[str, bytes]:
    """The output of Triton's disassembler for a kernel: its machine code, and its registers and stack."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        tool = triton.knobs.nvidia.cuobjdump.path  # pyright: ignore[reportAttributeAccessIssue] - triton has no types
        made = {
            stage: subprocess.run([tool, option, file.name], capture_output=True, check=True)
            for stage, option in (("sass", "-sass"), ("usage", "-res-usage"))
        }
    return {stage: done.stdout + done.stderr for stage, done in made.items()}


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def main() -> None:
    # Output that libraries print must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Worker(sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main()
