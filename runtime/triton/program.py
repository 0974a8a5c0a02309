"""Triton programs: launched on a GPU, run in Triton's interpreter, or compiled offline for a GPU."""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ... import __version__
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...ir.functions.requirements import requirements
from ...ir.functions.versions import fixed_sizes
from ...ir.types.dtypes import DType
from ...lowering.emission.source_text import SourceText
from ...lowering.emit_triton.emit_triton import emit_triton
from ...lowering.emit_triton.launch_plan import Call, LaunchPlan, Piece, Sizes, launch_plan
from ...passes.analysis.kernel_cost import Gpu
from ..boundary.arrays import DeviceBoundary, HostBoundary, is_torch, overlapping
from ..boundary.errors import Check
from ..boundary.signature import Signature
from ..cache.disk import content_key, default_cache
from .client import COMPILE, INTERPRET, client
from .direct_calls import DirectCall, share_memory
from .graph_calls import DirectGraphCall, GraphCalls
from .places import Argument, Constant, Counter, Donated, Fresh, Place, places_of
from .resources import KernelResources, resources_of

KERNELS = "kernels.py"
Array = Any

# Triton's names of pointers to elements of a dtype.
POINTERS = MappingProxyType(
    {"bool": "*i8", "uint8": "*u8", "float16": "*fp16", "bfloat16": "*bf16", "float32": "*fp32", "float64": "*fp64"}
    | {"float8_e4m3fn": "*u8", "float8_e5m2": "*u8"}
)


@dataclass(frozen=True)
class KernelFile:
    """An emitted file on disk, with its SHA-256."""

    path: Path
    digest: str

    @staticmethod
    def write(text: str) -> KernelFile:
        """The file with this text in the cache of compiled objects."""
        key = content_key({"triton": text, "stepwell": __version__})
        entry = default_cache().fetch(key, lambda folder: (folder / KERNELS).write_text(text, encoding="utf-8"))
        return KernelFile(entry.path / KERNELS, hashlib.sha256(text.encode()).hexdigest())


class TritonProgram:
    """The kernels of a module with their launch plan. Subclasses run it."""

    def __init__(self, source: SourceText, plan: LaunchPlan, signature: Signature):
        self.source = source
        self.plan = plan
        self.signature = signature

    @functools.cached_property
    def file(self) -> KernelFile:
        return KernelFile.write(self.source.text)

    @functools.cached_property
    def outputs(self) -> list[int]:
        """The positions of the results in the plan."""
        return self.plan.positions("output")

    @functools.cached_property
    def donated(self) -> dict[int, int]:
        """The positions of results that are written to the memory of arguments, with the numbers of the arguments."""
        pairs = zip(self.outputs, self.signature.donated, strict=False)
        return {k: source for k, source in pairs if source is not None}

    def compile_offline(
        self,
        target: tuple[str, int | str, int] = ("cuda", 90, 32),
        *,
        only: Container[str] | None = None,
        even_sizes: bool = True,
        disassembled: bool = False,
    ) -> dict[str, dict[str, bytes]]:
        """The outputs of Triton's compiler (`ptx`, `cubin`, ...) for each kernel, or for the kernels in `only`, by the kernel's
        name. Needs no GPU.

        Kernels are compiled as for launches on buffers that torch has allocated, which are aligned. With `even_sizes` they are
        for sizes that 16 divides, otherwise for other sizes. With `disassembled`, the outputs include the machine code of
        NVIDIA's GPUs (`sass`) and the registers (`usage`).
        """
        kernels = {launch.kernel: launch for launch in self.plan.launches if only is None or launch.kernel in only}
        wanted = [
            {
                "name": launch.kernel,
                "warps": launch.warps,
                "stages": launch.stages,
                "fast": launch.fast,
                "types": [
                    *(_pointer(self.plan.buffers[k].dtype) for k in launch.buffers),
                    *("i64" for _ in launch.params),
                    *(["*i64"] if launch.checks else []),
                ],
                "disassembled": disassembled,
                "divisible": [
                    *range(len(launch.buffers)),
                    *(len(launch.buffers) + k for k in range(len(launch.params)) if even_sizes),
                ],
            }
            for launch in kernels.values()
        ]
        request = {"do": "compile", **self._file_fields(), "kernels": wanted, "target": target}
        answer = client(COMPILE).request(request, [], [])
        return {
            binary.pop("kernel"): {stage: base64.b64decode(text) for stage, text in binary.items()}
            for binary in answer["binaries"]
        }

    def resources(self, gpu: Gpu, *, even_sizes: bool = True) -> list[KernelResources]:
        """The resources that each kernel uses on one of NVIDIA's GPUs, in the order of the launches. Raises CompileError for
        other GPUs."""
        if not isinstance(gpu.architecture, int):
            raise CompileError(f"resources of kernels on {gpu.name} are unknown: expected one of NVIDIA's GPUs")
        made = self.compile_offline(("cuda", gpu.architecture, 32), even_sizes=even_sizes, disassembled=True)
        launches = {launch.kernel: launch for launch in self.plan.launches}
        return [
            resources_of(launches[name], stages["usage"].decode(), stages["sass"].decode(), int(stages["shared"]), gpu)
            for name, stages in made.items()
        ]

    def _file_fields(self) -> dict[str, str]:
        return {"source": str(self.file.path), "digest": self.file.digest}

    def _raise_failure(self, error: Sequence[int]) -> None:
        number, value, limit = error
        if number:
            raise Check.of(self.source.checks[number]).failure(value, limit)


class InterpretedTritonProgram(TritonProgram):
    """Runs in Triton's interpreter, in a process of its own."""

    boundary = HostBoundary()

    def run(self, arrays: Sequence[Array], values: Sequence[int]) -> list[Array]:
        """The results, in fresh NumPy arrays. `arrays` are contiguous, `values` those of the signature's parameters.

        Raises IndexError and ZeroDivisionError when a check fails, TritonWorkerError when a kernel does.
        """
        plan, sizes = self.plan, self.plan.sizes(values)
        arrays = self._unshared(arrays)
        contents = dict(enumerate(arrays)) | {k: arrays[source] for k, source in self.donated.items()}
        contents |= {k: buffer.elements for k, buffer in enumerate(plan.buffers) if buffer.elements is not None}
        results = [
            contents[k] if k in self.donated else np.empty(sizes.shapes[k], plan.buffers[k].dtype.numpy) for k in self.outputs
        ]
        request = {
            "do": "run",
            **self._file_fields(),
            "buffers": [
                {
                    "dtype": buffer.dtype.name,
                    "count": 0 if buffer.role == "argument" else int(np.prod(shape)),
                    "given": k in contents,
                }
                for k, (buffer, shape) in enumerate(zip(plan.buffers, sizes.shapes, strict=True))
            ],
            "launches": [
                {
                    "kernel": call.launch.kernel,
                    "programs": call.programs,
                    "warps": call.launch.warps,
                    "stages": call.launch.stages,
                    "fast": call.launch.fast,
                    "buffers": [(piece.buffer, piece.start, piece.count) for piece in call.pieces],
                    "params": [int(values[k]) for k in call.launch.params],
                    "checks": call.launch.checks,
                }
                for call in sizes.calls
            ],
            "results": self.outputs,
        }
        given = [np.ascontiguousarray(contents[k]) for k in sorted(contents)]
        answer = client(INTERPRET).request(request, given, results)
        self._raise_failure(answer["error"])
        return results

    def _unshared(self, arrays: Sequence[Array]) -> list[Array]:
        """The arguments, with copies of donated ones that cannot be written to, or share memory with others."""
        given, shared = list(arrays), overlapping(arrays) if self.donated else set[int]()
        for source in set(self.donated.values()):
            if source in shared or not given[source].flags.writeable:
                given[source] = given[source].copy()
        return given


# The most values of the parameters for which a program keeps prepared launches.
MOST_SIZES = 256


class PreparedLaunch(NamedTuple):
    """A launch for given values of the parameters: on the buffers at these positions of the plan, or on a slice of a buffer,
    and with these integers."""

    launcher: Any
    positions: tuple[int, ...]
    parts: tuple[Piece | None, ...] | None
    params: tuple[int, ...]
    checks: bool


@dataclass(frozen=True)
class Prepared:
    """The launches of a program for given values of its parameters, and the sources of its buffers."""

    launches: tuple[PreparedLaunch, ...]
    places: tuple[Place, ...]


class CudaProgram(TritonProgram):
    """Runs on a CUDA device, on torch's current stream; `device` is used where no argument is on a GPU."""

    boundary = DeviceBoundary()

    device = "cuda"
    # The recorded launches of repeated calls, if calls are to be recorded.
    graphs: GraphCalls | None = None

    @functools.cached_property
    def checks(self) -> bool:
        """Whether some kernel has run-time checks."""
        return self.plan.checks

    @functools.cached_property
    def module(self) -> Any:
        from .kernels import load_kernels

        return load_kernels(str(self.file.path), self.file.digest)

    def run(self, arrays: Sequence[Array], values: Sequence[int]) -> list[Array]:
        """The results: tensors on the GPU if an argument is there, else torch tensors on the CPU or NumPy arrays. Raises
        IndexError and ZeroDivisionError if a check fails (only programs with checks wait for their outcome), and CompileError
        if there is no GPU.
        """
        import torch

        on_gpu = [array.device for array in arrays if is_torch(array) and array.is_cuda]
        device = on_gpu[0] if on_gpu else torch.device(self.device)
        if device.type == "cuda" and not torch.cuda.is_available():
            raise CompileError("target 'cuda' needs a GPU that torch can use, and there is none; see `stepwell doctor`")
        with torch.cuda.device(device) if device.type == "cuda" else contextlib.nullcontext():
            if self.graphs is not None:
                found = self.graphs.run(arrays, tuple(map(int, values)))
                if found is not NotImplemented:
                    return self.as_results(found)
            prepared = self.prepared(tuple(map(int, values)))
            buffers = self._buffers(arrays, prepared, device)
            self.launch(buffers, prepared, device)
        as_torch = any(is_torch(array) for array in arrays)
        outputs = [(buffers[k], self.plan.buffers[k].dtype) for k in self.outputs]
        results = [_result(tensor if on_gpu else tensor.cpu(), element, as_torch) for tensor, element in outputs]
        return [
            arrays[self.donated[k]] if k in self.donated and _is_same(arrays[self.donated[k]], buffers[k]) else result
            for k, result in zip(self.outputs, results, strict=True)
        ]

    def use_graphs(self) -> None:
        """Record the launches of repeated calls. Raises CompileError for a program with run-time checks."""
        if self.checks:
            raise CompileError(
                "sw.jit(graph=True): the program has run-time checks, whose outcome each call waits for: expected one without"
            )
        self.graphs = GraphCalls(self)

    def on_buffers(self, arrays: Sequence[Array], values: Sequence[int]) -> Callable[[], None]:
        """A function that launches the kernels on these tensors of a GPU and on memory that it keeps, and returns nothing."""
        prepared, device = self.prepared(tuple(map(int, values))), arrays[0].device
        buffers = self._buffers(arrays, prepared, device)
        return lambda: self.launch(buffers, prepared, device)

    def as_results(self, tensors: Sequence[Any]) -> list[Any]:
        """The tensors that kernels have written, in the dtypes of the results."""
        return [_result(each, self.plan.buffers[k].dtype, True) for k, each in zip(self.outputs, tensors, strict=True)]

    def buffers_of_graph(self, prepared: Prepared, device: Any) -> tuple[list[Any], dict[int, int]]:
        """Memory for each buffer of the plan that a launch uses, except for donated arguments and the results that they
        take."""
        from .kernels import on_device

        made: list[Any] = []
        for place in prepared.places:
            match place:
                case Constant(position) | Counter(position):
                    buffer = self.plan.buffers[position]
                    made.append(on_device(buffer.elements, buffer.dtype, device).clone())
                case Fresh():
                    made.append(place.allocator(device)())
                case _:
                    made.append(None)
        return made, self.donated

    def prepared(self, values: tuple[int, ...]) -> Prepared:
        """The prepared launches for these values of the parameters, which are computed once."""
        found = self._for_values.get(values)
        if found is None:
            if len(self._for_values) >= MOST_SIZES:
                self._for_values.clear()
            sizes = self.plan.sizes(values)
            calls = [call for call in sizes.calls if call.programs > 0]
            launches = tuple(self._prepared_launch(call, sizes, values) for call in calls)
            used = frozenset(piece.buffer for call in calls for piece in call.pieces)
            places = tuple(places_of(self.plan, sizes, self.donated, used))
            found = self._for_values[values] = Prepared(launches, places)
        return found

    def _prepared_launch(self, call: Call, sizes: Sizes, values: tuple[int, ...]) -> PreparedLaunch:
        from .kernels import Launcher

        launch = call.launch
        launcher = Launcher(self.module, launch.kernel, call.programs, launch.warps, launch.stages, launch.fast)
        parts = tuple(None if piece.count == math.prod(sizes.shapes[piece.buffer]) else piece for piece in call.pieces)
        positions = tuple(piece.buffer for piece in call.pieces)
        params = tuple(values[k] for k in launch.params)
        return PreparedLaunch(launcher, positions, parts if any(parts) else None, params, launch.checks)

    @functools.cached_property
    def _for_values(self) -> dict[tuple[int, ...], Prepared]:
        return {}

    def _buffers(self, arrays: Sequence[Array], prepared: Prepared, device: Any) -> list[Any]:
        """A tensor for each buffer of the plan, None for the arguments of steps and for temporaries that no launch uses."""
        from .kernels import on_device

        buffers: list[Any] = []
        for place in prepared.places:
            match place:
                case Argument(number, dtype):
                    buffers.append(on_device(arrays[number], dtype, device))
                case Constant(position):
                    buffers.append(self.constant(position, device))
                case Counter(position):
                    buffers.append(self.counter(position, device))
                case Donated(number, _):
                    buffers.append(_donated(buffers, number, arrays))
                case Fresh():
                    buffers.append(place.allocator(device)())
                case None:
                    buffers.append(None)
        return buffers

    def direct(self, arguments: Sequence[Array], give: Callable[[list[Any]], Any]) -> DirectCall | DirectGraphCall | None:
        """The direct call for tensors like these, all on one GPU; `give` makes the function's result from the program's
        results. None if a call depends on more than shapes and types: on checks, or on other arrays."""
        import torch

        device = arguments[0].device if arguments and type(arguments[0]) is torch.Tensor else None
        if device is None or device.type != torch.device(self.device).type or self.checks:
            return None
        for given, buffer in zip(arguments, self.plan.buffers, strict=False):
            plain = type(given) is torch.Tensor and given.device == device and given.is_contiguous()
            if not plain or given.requires_grad or given.dtype != getattr(torch, buffer.dtype.name):
                return None
        values = tuple(map(int, self.signature.bind([each.shape for each in arguments], {})))
        if self.graphs is not None:
            return DirectGraphCall(self.graphs, values, device, give)
        prepared = self.prepared(values)
        return DirectCall.of(self, prepared, device, give)

    def launch(self, buffers: Sequence[Any], prepared: Prepared, device: Any) -> None:
        """Launch the kernels of a call on torch's current stream, with its buffers in the order of the plan.

        Raises the exception of a failed check."""
        import torch

        from .kernels import current_stream, part_of

        error = torch.zeros(3, dtype=torch.int64, device=device) if self.checks else None
        stream = current_stream(device)
        for launcher, positions, parts, params, checks in prepared.launches:
            given = [buffers[k] for k in positions]
            if parts is not None:
                pairs = zip(given, parts, strict=True)
                given = [each if part is None else part_of(each, part.start, part.count) for each, part in pairs]
            launcher.launch(device, stream, given, (*params, error) if checks else params)
        if error is not None:
            self._raise_failure(error.tolist())

    @functools.cached_property
    def _constants(self) -> dict[tuple[int, str, int], Any]:
        return {}

    def counter(self, position: int, device: Any) -> Any:
        """A counter of torch's current stream: kernels of different streams may run at once."""
        from .kernels import current_stream

        return self.constant(position, device, current_stream(device))

    def constant(self, position: int, device: Any, stream: int = 0) -> Any:
        """A constant's elements on a device, uploaded once; a counter's elements are uploaded once for each stream."""
        from .kernels import on_device

        key = (position, str(device), stream)
        if key not in self._constants:
            buffer = self.plan.buffers[position]
            self._constants[key] = on_device(buffer.elements, buffer.dtype, device)
        return self._constants[key]


def triton_program(
    module: ModuleOp, target: str, signature: Signature, edit: Callable[[str, str], str] | None = None
) -> CudaProgram | InterpretedTritonProgram:
    """The program of a module on the tile level, for target "cuda" or "triton-interpret"; `edit` may change its kernels. Raises
    CompileError if torch or Triton is not installed."""
    missing = [package for package in ("torch", "triton") if find_spec(package) is None]
    if missing:
        raise CompileError(
            f"target '{target}' needs the packages torch and triton, and {' and '.join(missing)} is not installed"
        )
    kind = CudaProgram if target == "cuda" else InterpretedTritonProgram
    entry, source = entry_function(module), emit_triton(module)
    settled = replace(signature, sizes=fixed_sizes(entry), requires=tuple(requirements(entry)))
    return kind(_edited(source, edit) if edit is not None else source, launch_plan(module), settled)


def _edited(source: SourceText, edit: Callable[[str, str], str]) -> SourceText:
    text = edit("kernel.py", source.text)
    return source if text == source.text else SourceText([(line, None) for line in text.splitlines()], source.checks)


def _pointer(element: DType) -> str:
    return POINTERS.get(element.name, f"*i{element.bits}")


def _donated(buffers: Sequence[Any], source: int, arrays: Sequence[Array]) -> Any:
    """The tensor of a donated argument, which takes a result; a copy if it shares memory with other arguments."""
    tensors = [each for each in arrays if is_torch(each) and each.device == buffers[source].device]
    mine = is_torch(arrays[source]) and _is_same(arrays[source], buffers[source])
    return buffers[source].clone() if mine and share_memory(tensors) else buffers[source]


def _is_same(array: Array, tensor: Any) -> bool:
    """Whether a tensor is the memory of an argument."""
    return is_torch(array) and array.device == tensor.device and array.data_ptr() == tensor.data_ptr()


def _result(tensor: Any, element: DType, as_torch: bool) -> Array:
    import torch

    from .kernels import in_memory

    if as_torch:
        return tensor if in_memory(element.name) == getattr(torch, element.name) else tensor.view(getattr(torch, element.name))
    return (tensor if element.held_as is None else tensor.view(getattr(torch, element.held_as))).numpy().view(element.numpy)
