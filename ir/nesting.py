"""Deeply nested input: measures its depth before parsing, and processes it with a large enough stack.

Parsing, verification, traversal and printing are recursive. `nesting` measures the depth of brackets in one linear scan; the
parser rejects text deeper than `MAX_NESTING`, and `with_stack_for` processes text below that limit with enough stack.
"""

from __future__ import annotations

import contextlib
import contextvars
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from xdsl.ir import Block, Operation, Region, SSAValue

T = TypeVar("T")

MAX_NESTING = 1000

# Up to this depth Python's default recursion limit suffices for all recursions of the compiler.
_SHALLOW = 24
_FRAMES_PER_LEVEL = 100
_STACK_BYTES = 512 << 20

_TOKENS = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|//[^\n]*+|->|[<>]=|[(\[{<]|[)\]}>]|\0')
_OPENER = MappingProxyType({")": "(", "]": "[", "}": "{", ">": "<"})


class Nesting(NamedTuple):
    """The greatest depth of brackets in a text, and the offset at which it is first reached."""

    depth: int
    offset: int


def nesting(text: str, limit: int = MAX_NESTING) -> Nesting:
    """Measure the nesting of brackets outside strings and comments, stopping at the first depth above `limit`, and at the first
    NUL character, where parsing fails."""
    opened: list[str] = []
    deepest = Nesting(0, 0)
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in "([{<":
            opened.append(token)
            if len(opened) > deepest.depth:
                deepest = Nesting(len(opened), match.start())
                if deepest.depth > limit:
                    return deepest
        elif token in _OPENER:
            _close(opened, _OPENER[token])
        elif token == "\0":
            break
    return deepest


def operations(root: Operation | Region) -> list[Operation]:
    """An operation with all nested ones, or those in a region, in the order of `walk`, which is slow in deep nests."""
    if isinstance(root, Region):
        found: list[Operation] = []
        regions: Sequence[Region] = (root,)
    else:
        found, regions = [root], root.regions
    pending: list[Operation] = []
    if regions:
        _push_backwards(regions, pending)
    while pending:
        op = pending.pop()
        found.append(op)
        if op.regions:
            _push_backwards(op.regions, pending)
    return found


def operands_of(op: Operation) -> tuple[SSAValue, ...]:
    """The operands of an operation, for code that visits all operations: `op.operands` is a view that is made at each access,
    and a call for each of its elements."""
    return op._operands  # pyright: ignore[reportPrivateUsage] - what the view shows


def free_values(run: Sequence[Operation]) -> list[SSAValue]:
    """The values that operations and nested ones use but do not define, in the order of their first uses."""
    inside = [op for outer in run for op in operations(outer)]
    made = {id(result) for op in inside for result in op.results}
    made |= {
        id(argument)
        for op in inside
        if op.regions
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    }
    used = {id(operand): operand for op in inside for operand in operands_of(op)}
    return [operand for key, operand in used.items() if key not in made]


def _push_backwards(regions: Sequence[Region], pending: list[Operation]) -> None:
    """Append the operations in regions, last first, through their links: xDSL's iterators take three times as long."""
    for region in reversed(regions):
        block = region.last_block
        while block is not None:
            op = block.last_op
            while op is not None:
                pending.append(op)
                op = op.prev_op
            block = block.prev_block


def region_depth(ops: Sequence[Operation]) -> int:
    """The nesting depth of the regions of operations, given with all nested ones in order (`operations`)."""
    depths: dict[Block | None, int] = {}
    for op in ops:
        if op.regions:
            depth = depths.get(op.parent, 0) + 1
            depths.update({block: depth for region in op.regions for block in region.blocks})
    return max(depths.values(), default=0)


def with_stack_for(depth: int, work: Callable[[], T]) -> T:
    """Run `work`, which recurses over input of nesting `depth`, with a large enough stack."""
    if depth <= _SHALLOW or _is_deep(threading.current_thread()):
        return work()
    result: Future[T] = Future()
    context = contextvars.copy_context()
    with _RECURSION.raised():
        # The stack size applies to all threads started meanwhile, by any thread.
        with _STARTING:
            previous = threading.stack_size(_STACK_BYTES)
            try:
                thread = _DeepThread(target=lambda: context.run(_run_into, result, work), daemon=True)
                thread.start()
            finally:
                threading.stack_size(previous)
        thread.join()
    return result.result()


class _RecursionLimit:
    """Python's recursion limit, which is global to the process: high while a deep thread works, and restored afterwards. Where
    Python's calls use the C stack, as under `torch.compile`, a thread with a stack of the usual size would overflow it before
    reaching the high limit: the process would crash instead of raising `RecursionError`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    @contextlib.contextmanager
    def raised(self) -> Iterator[None]:
        with self._lock:
            if self._users == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, _FRAMES_PER_LEVEL * MAX_NESTING))
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    sys.setrecursionlimit(self._before)


_RECURSION = _RecursionLimit()
_STARTING = threading.Lock()


class _DeepThread(threading.Thread):
    """A thread with a large stack."""


def _is_deep(thread: threading.Thread) -> bool:
    return isinstance(thread, _DeepThread)


def _run_into(result: Future[T], work: Callable[[], T]) -> None:
    try:
        result.set_result(work())
    except BaseException as error:  # re-raised by the waiting thread
        result.set_exception(error)


def _close(opened: list[str], opener: str) -> None:
    """Pop up to the matching opening bracket. A lone `<` or `>` is a comparison, and is dropped with its enclosing bracket."""
    if opener == "<":
        if opened and opened[-1] == "<":
            opened.pop()
        return
    while opened and opened[-1] == "<":
        opened.pop()
    if opened and opened[-1] == opener:
        opened.pop()
