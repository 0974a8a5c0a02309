"""Compiled programs on the CPU: calls with addresses of arrays, and failed checks as exceptions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..boundary.arrays import HostBoundary, overlapping
from ..boundary.signature import Signature
from ..cache.emitted_code import Code, line_directives
from ..toolchain.compiler import available_processors
from .library import build
from .result_memory import fresh
from .units import Beginnings

Array = Any

OUT_OF_MEMORY = -1

# More than any machine has processors. libgomp ends the process if it cannot start a thread.
MOST_THREADS = 1024


class Threads:
    """The number of threads that compiled code may use; one object for the process. A process that is forked from one with
    running OpenMP threads lacks these threads, and libgomp would wait for them forever. So a forked process computes on one
    thread, and cannot use more if its parent may have started threads.
    """

    def __init__(self):
        self._count = ctypes.c_int64(available_processors())
        self._has_code = False
        self._may_have_started = False
        self.is_bound_to_one = False
        # Whether the user has set this number.
        self.is_chosen = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._use_one)

    @property
    def count(self) -> int:
        return self._count.value

    @count.setter
    def count(self, count: int) -> None:
        self._count.value = count
        self._may_have_started |= self._has_code and count > 1

    def note_code(self) -> None:
        """Note that there is compiled code, which starts threads if it may use several."""
        self._has_code = True
        self._may_have_started |= self.count > 1

    @property
    def address(self) -> int:
        """The address of the count, an int64, for callers in native code."""
        return ctypes.addressof(self._count)

    def _use_one(self) -> None:
        self.is_bound_to_one = self._may_have_started
        self.count = 1


def set_num_threads(count: int) -> None:
    """Let compiled code use `count` threads from the next call on. Raises TypeError for a count that is not an int, ValueError
    for less than one or more than 1024, and RuntimeError for more than one in a process that was forked from a process with
    threads: one that had compiled code and could use several. OpenMP cannot start new threads there.
    """
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        raise TypeError(f"set_num_threads: expected a number of threads as an int, got {count!r}")
    if not 1 <= count <= MOST_THREADS:
        raise ValueError(f"set_num_threads: expected 1 to {MOST_THREADS} threads, got {count}")
    if count > 1 and THREADS.is_bound_to_one:
        raise RuntimeError(
            f"set_num_threads: a process that was forked from one with threads can have one thread only, got {count}; "
            "start it by 'spawn' or 'forkserver' (multiprocessing.set_start_method) for more"
        )
    THREADS.count = int(count)
    THREADS.is_chosen = True


THREADS = Threads()


@dataclass(frozen=True)
class BoundCall:
    """Compiled C with its arguments, which are `given` by the addresses of arrays in `memory`. `donated` has the donated
    arrays, which calls write to, each with a copy of its initial contents."""

    program: CpuProgram
    given: tuple[Any, ...]
    memory: tuple[Array, ...]
    donated: tuple[tuple[Array, Array], ...]

    def __call__(self) -> None:
        """Raises what `CpuProgram.run` raises."""
        status = self.program.entry(*self.given)
        if status:
            raise self.program.failure(status, self.given[-1])

    def restore(self) -> None:
        """Restore the initial contents of donated arrays."""
        for array, first in self.donated:
            array[...] = first


class CpuProgram:
    """Compiled C. `run` takes contiguous arrays and the values of the signature's parameters."""

    boundary = HostBoundary()

    def __init__(self, code: Code, signature: Signature, begun: Beginnings | None = None):
        """`begun` tells which of the code's units are being compiled."""
        self.code = code
        self.signature = signature
        self.library = build(code.text, extra_flags=("-g",)) if line_directives() else build(code.text, begun=begun)
        self.entry = self.library.entry
        THREADS.note_code()
        self._buffers = ctypes.c_void_p * (len(signature.inputs) + len(signature.outputs))
        self._params = ctypes.c_int64 * (len(signature.params) + 1)
        self._error = ctypes.c_int64 * 3
        self._fresh = [None] * len(signature.outputs)
        self._dtypes = [output.dtype.numpy for output in signature.outputs]

    @property
    def address(self) -> int:
        """The address of the code."""
        address = ctypes.cast(self.entry, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType] - ctypes' function
        assert address is not None, "loaded code has an address"
        return address

    def run(self, arrays: Sequence[Array], values: Sequence[int]) -> list[Array]:
        """The results, in fresh arrays, or in arrays that are donated for them and writable.

        Raises IndexError and ZeroDivisionError with the source line when a check fails, MemoryError when a temporary
        can't be allocated.
        """
        arrays, results = self._with_results(arrays, values)
        buffers = self._buffers(*[array.ctypes.data for array in (*arrays, *results)])
        error = self._error()
        status = self.entry(buffers, self._params(*values, THREADS.count), error)
        if status:
            raise self.failure(status, error)
        return results

    def bound(self, arrays: Sequence[Array], values: Sequence[int]) -> BoundCall:
        """A call on these arrays that writes its results to the same memory each time, which may be donated: for
        measurements."""
        arrays, results = self._with_results(arrays, values)
        memory = (*arrays, *results)
        given = (self._buffers(*[each.ctypes.data for each in memory]), self._params(*values, THREADS.count), self._error())
        donated = tuple((each, each.copy()) for each in arrays if any(each is result for result in results))
        return BoundCall(self, given, memory, donated)

    def _with_results(self, arrays: Sequence[Array], values: Sequence[int]) -> tuple[Sequence[Array], list[Array]]:
        """The arguments, and for each result the array for it: an argument that is donated for it, or fresh memory."""
        shapes = self.signature.output_shapes(values)
        arrays, donated = self._donated(arrays)
        return arrays, [
            fresh(shape, kind, arrays) if given is None else given
            for shape, kind, given in zip(shapes, self._dtypes, donated, strict=True)
        ]

    def _donated(self, arrays: Sequence[Array]) -> tuple[Sequence[Array], Sequence[Array | None]]:
        """The arguments, and for each result the argument that takes it, None for fresh memory. A donated array that can't be
        written to, or shares memory with another one, is replaced by a copy.
        """
        sources = self.signature.donated
        if not sources:
            return arrays, self._fresh
        given, shared = list(arrays), overlapping(arrays)
        for source in {number for number in sources if number is not None}:
            if source in shared or not given[source].flags.writeable:
                given[source] = given[source].copy()
        return given, [None if source is None else given[source] for source in sources]

    def failure(self, status: int, error: Any) -> Exception:
        """The exception for a status other than 0, from the error record that the code wrote."""
        if status == OUT_OF_MEMORY:
            asked = f"{error[1]}" if error[1] >= 0 else "more than 2^50"
            return MemoryError(f"a temporary buffer of {asked} bytes could not be allocated")
        return self.code.checks[status].failure(error[1], error[2])


def cpu_program(
    module: ModuleOp, target: str, signature: Signature, edit: Callable[[str, str], str] | None = None
) -> CpuProgram:
    """The program of a module on the C level; `edit` may change its C."""
    code = Code.of(module)
    settled = replace(signature, sizes=code.sizes, requires=code.requires)
    return CpuProgram(replace(code, text=edit("kernel.c", code.text)) if edit is not None else code, settled)
