"""Programs that call the host: compiled segments and host functions in turn."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects import host
from ...ir.diagnostics import ShapeError
from ...ir.index.expressions import Index
from ...ir.types.dtypes import DType, dtype, dtype_of
from ...ir.types.shapes import element_of
from ..boundary.arrays import HostBoundary, is_torch, results_like, to_numpy
from ..boundary.errors import place_of
from ..boundary.signature import Signature
from .registry import find
from .segments import HostCall, Plan, Segment

Array = Any

# The reference count of a result that only a list refers to, while `_is_fresh` runs: the list's reference, that of a variable,
# and that of the argument of `getrefcount`.
_REFERENCES = 3


class Program(Protocol):
    """The code of a segment."""

    @property
    def signature(self) -> Signature: ...

    @property
    def boundary(self) -> HostBoundary: ...

    def run(self, arrays: Sequence[Array], values: Sequence[int]) -> list[Array]: ...


class HostProgram:
    """A plan whose segments are compiled by `build`. `run` takes contiguous arrays and the values of the signature's
    parameters."""

    def __init__(self, plan: Plan, signature: Signature, build: Callable[[ModuleOp], Program]):
        self.plan = plan
        self.signature = signature
        self.programs = {number: build(step.module) for number, step in enumerate(plan.steps) if isinstance(step, Segment)}
        for step in plan.steps:
            if isinstance(step, HostCall):
                find(step.op.function.data, step.op.location)  # a missing function is an error at compile time
        # The total seconds of each host function so far.
        self.seconds: dict[host.CallOp, float] = {}
        self.boundary = next((each.boundary for each in self.programs.values()), HostBoundary())

    def run(self, arrays: Sequence[Array], values: Sequence[int]) -> list[Array]:
        """The results, in fresh arrays. Raises the errors of the segments and the host functions, and ShapeError, at the line
        of the call, for results of host functions that differ from the operation's rule."""
        params = dict(zip(self.signature.params, values, strict=True))
        known: dict[SSAValue, Array] = dict(zip(self.plan.function.body.block.args, arrays, strict=True))
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, HostCall):
                start = time.perf_counter()
                known.update(zip(step.op.results, _called(step, known, params), strict=True))
                self.seconds[step.op] = self.seconds.get(step.op, 0.0) + time.perf_counter() - start
                continue
            program = self.programs[number]
            given = [_like(known[each], arrays) for each in step.inputs]
            made = program.run(given, [params[name] for name in program.signature.params])
            known.update(zip(step.outputs, made, strict=True))
        taken: set[SSAValue] = set(self.plan.function.body.block.args)
        results: list[Array] = []
        for each in self.plan.results:  # each result has memory of its own
            results.append(_copied(known[each]) if each in taken else _like(known[each], arrays))
            taken.add(each)
        return results


def _called(call: HostCall, known: Mapping[SSAValue, Array], params: Mapping[str, int]) -> list[Array]:
    """The results of a host function, checked."""
    given = [_argument(known[value], number, call) for number, value in enumerate(call.op.inputs)]
    return _of_batch(call, given, params, 0) if call.op.batches else _of_entry(call, given, params)


def _of_batch(call: HostCall, given: Sequence[Array], params: Mapping[str, int], depth: int) -> list[Array]:
    """The results for a batch, nested in `depth` other batches: each call of the function gets one entry."""
    op = call.op
    if depth == len(op.batches):
        own = [array.copy() if number in op.overwritten else array for number, array in enumerate(given)]
        return _of_entry(call, own, params)
    mapped = op.batches[depth]
    made = [
        np.empty(_sizes(shape[depth:], params), dtype_of(element_of(value)).numpy)
        for value, shape in zip(op.results, call.shapes, strict=True)
    ]
    for entry in range(given[mapped[0]].shape[0]):
        one = [array[entry, ...] if number in mapped else array for number, array in enumerate(given)]
        for whole, found in zip(made, _of_batch(call, one, params, depth + 1), strict=True):
            whole[entry] = found
    return made


def _of_entry(call: HostCall, given: Sequence[Array], params: Mapping[str, int]) -> list[Array]:
    """The results of one call of a host function, checked."""
    op = call.op
    function = find(op.function.data, op.location)
    try:
        found = function(*given)
    except Exception as error:
        error.add_note(f"raised by host function '{op.function.data}', called at {place_of(op.location)}")
        raise
    results = list(found) if isinstance(found, tuple | list) else [found]
    del found
    if len(results) != len(op.results):
        message = f"host function '{op.function.data}': expected {len(op.results)} results, got {len(results)}"
        raise ShapeError(message, op.location)
    made: list[Array] = []
    for number, (value, shape) in enumerate(zip(op.results, call.shapes, strict=True)):
        what = f"host function '{op.function.data}', result {number}"
        # Results of an entry are stored into those of the batch, which copies them.
        is_own = bool(op.batches) or _is_fresh(results, number) or any(results[number] is given[k] for k in op.overwritten)
        sizes = _sizes(shape[len(op.batches) :], params)
        array = _checked(results[number], what, sizes, dtype_of(element_of(value)), call)
        is_own |= array is not results[number] and array.flags.owndata
        made.append(array if is_own else array.copy())
    return made


def _sizes(shape: Sequence[Index], params: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(size.evaluate(lambda atom: params[str(atom)])) for size in shape)


def _is_fresh(results: list[Any], number: int) -> bool:
    """Whether only this list refers to a result and its memory: the function may keep a buffer that it returns."""
    result = results[number]
    return isinstance(result, np.ndarray) and result.flags.owndata and sys.getrefcount(result) <= _REFERENCES


def _argument(array: Array, number: int, call: HostCall) -> Array:
    """An argument in the form that a host function gets: read-only, unless the function may write to it. Entries of a batch are
    copied one by one."""
    found = to_numpy(array.detach().cpu() if is_torch(array) else array)
    if number in call.op.overwritten and not call.op.batches:
        return found.copy() if number in call.copies or is_torch(array) or not found.flags.writeable else found
    view = found.view()
    view.flags.writeable = False
    return view


def _checked(result: Any, what: str, sizes: tuple[int, ...], wanted: DType, call: HostCall) -> Array:
    if isinstance(result, np.ma.MaskedArray):
        raise ShapeError(f"{what}: expected an array, got a masked one: fill it, with `.filled(value)`", call.op.location)
    array = np.asarray(result.detach().cpu() if is_torch(result) else result)
    if array.shape != sizes:
        raise ShapeError(f"{what}: expected shape {sizes}, as the rule says, got {array.shape}", call.op.location)
    if not hasattr(result, "dtype") or array.dtype == wanted.numpy.newbyteorder():
        array = array.astype(wanted.numpy)
    if array.dtype != wanted.numpy:
        raise ShapeError(f"{what}: expected dtype {wanted}, got {_name(array.dtype)}", call.op.location)
    return np.asarray(array, order="C")  # unlike ascontiguousarray, this keeps 0-d arrays


def _copied(array: Array) -> Array:
    return array.clone() if is_torch(array) else array.copy()


def _name(found: Any) -> str:
    try:
        return str(dtype(found))
    except TypeError:
        return str(found)


def _like(array: Array, arguments: Sequence[Array]) -> Array:
    """An array of the host in the form that the segments take: a torch tensor if the arguments are torch tensors."""
    first = next((each for each in arguments if is_torch(each)), None)
    if first is None or is_torch(array):
        return array
    return results_like([array], True)[0].to(first.device)
