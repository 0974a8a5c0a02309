"""Verification of modules: xDSL's checks of each operation, and those that it lacks.

`verify` runs the verifier of each operation; checks that each value is defined on every path before it is used (SSA dominance);
and checks that the yields of `scf.if` have the types of its results. It raises the first error as a VerifyError with the
operation's name and location. The dominance check is linear in the operations and operands. The verifiers of single operations
take most of the time; `Verified` caches their results from pass to pass, and finds the operations that a pass changed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolTable, SymbolUserOpInterface

from ..change_detection import Parts, State
from ..diagnostics import CompileError, Note, VerifyError
from ..nesting import operands_of, operations, region_depth, with_stack_for
from .attributes import wrong_attribute

# The name of the operation whose results come from its regions' terminators; xDSL does not check their types.
_YIELDING = "scf.if"


class Verified:
    """The operations found valid when a module was verified before.

    The verifier of an operation depends on its attributes; on the types of its operands and results, and the classes of their
    owners and its parent; on the arguments of its blocks and their terminators. If all of these are the same objects as before,
    the result is the same. Operations with a trait that depends on other operations are verified each time, except functions: a
    function's own verifier reads the signature only, and the values visible in its body are checked with dominance.
    """

    def __init__(self):
        # The state of the module when it was verified last, if its state was given.
        self.state: State = ()
        self._valid: dict[tuple[object, ...], object] = {}
        self._parts: dict[Operation, Parts] = {}
        self._last: dict[Block, Operation | None] = {}

    def unsettled(self, state: State) -> set[Operation]:
        """The operations of a module in this state whose verifiers may have other results than in the state before: those that
        changed, and those around them that their verifiers read."""
        parts = {each[0]: each for each in state}
        last = {block[0]: block[0].last_op for each in state for blocks in each[-1] for block in blocks}
        changed = [op for op, each in parts.items() if self._parts.get(op) is not each]
        changed += [owner for block, op in last.items() if self._last.get(block) is not op and (owner := block.parent_op())]
        self.state, self._parts, self._last = state, parts, last
        found: set[Operation] = set()
        for op in changed:
            blocks = [block for region in op.regions for block in region.blocks]
            values = (*op.results, *(argument for block in blocks for argument in block.args))
            around = [op, *(use.operation for value in values for use in value.uses)]
            found.update(around)
            # The verifier of an operation reads its terminators.
            found.update(parent for each in around if (parent := each.parent_op()) is not None)
            found.update(inner for block in blocks for inner in block.ops)
        return found

    def knows(self, op: Operation) -> bool:
        """Whether an equal operation was found valid. If not, it is recorded as valid: the caller must verify it."""
        if _looks_further(type(op)) or op.successors:
            return False
        operands = operands_of(op)
        ends = [block.last_op for region in op.regions for block in region.blocks]
        seen = (
            *(value.type for value in operands),
            *(value.type for value in op.results),
            *op.properties.values(),
            *op.attributes.values(),
            *(value.type for region in op.regions for block in region.blocks for value in block.args),
            *(value.type for end in ends if end is not None for value in operands_of(end)),
        )
        key = (
            type(op),
            type(op.parent_op()),
            op.next_op is None,
            *((type(value), type(value.owner)) for value in operands),
            *op.properties,
            None,
            *op.attributes,
            None,
            *((len(op.regions), len(block.args), type(block.last_op)) for region in op.regions for block in region.blocks),
            *map(id, seen),
        )
        known = key in self._valid
        self._valid[key] = seen  # kept alive, so that their ids stay unique
        return known


@functools.cache
def _looks_further(kind: type[Operation]) -> bool:
    """Whether the verifier of a class, or one of its traits, depends on other operations."""
    traits = (HasParent, SymbolUserOpInterface, SymbolTable, IsolatedFromAbove)
    return kind is not FuncOp and any(kind.has_trait(trait) for trait in traits)


def verify(module: Operation, verified: Verified | None = None, state: State | None = None) -> None:
    """Verify a whole module, or any operation with all nested ones. Raises VerifyError at the first error, after which
    `verified` must not be used again. With the `state` of the module (`ir/change_detection.py`), the verifiers of operations
    that have not changed since the last verification with a state are not run again."""
    ops = operations(module) if state is None else [parts[0] for parts in state]
    with_stack_for(region_depth(ops), lambda: _verify(ops, verified or Verified(), state))


def _verify(ops: Sequence[Operation], verified: Verified, state: State | None) -> None:
    unsettled = None if state is None else verified.unsettled(state)
    for op in ops:
        if op.regions:
            _verify_structure(op)
        if (unsettled is None or op in unsettled or _looks_further(type(op))) and not verified.knows(op):
            _verify_alone(op)
        if op.name == _YIELDING:
            _verify_yields(op)
    _verify_dominance_below(ops[0], set())


def _verify_alone(op: Operation) -> None:
    """xDSL's verification of one operation, without nested ones, and the check of Stepwell's function attributes."""
    if isinstance(op, FuncOp) and (wrong := wrong_attribute(op)) is not None:
        raise VerifyError(f"@{op.sym_name.data}: {wrong}", op.location)
    try:
        op.verify(verify_nested_ops=False)
    except CompileError:
        raise
    except Exception as error:
        # Verifiers of xDSL's dialects raise VerifyException, but also ValueError, IndexError and plain Exception.
        raise _error(op, _message(error)) from error


def _verify_structure(op: Operation) -> None:
    """Check parents and empty blocks, as xDSL's Block and Region verifiers do: a block that needs a terminator must not be
    empty."""
    for region in op.regions:
        for block in region.blocks:
            is_right, inner = block.parent is region, block.first_op
            while inner is not None and is_right:
                is_right, inner = inner.parent is block, inner.next_op
            if not is_right:
                raise _error(op, "a block or operation inside has another parent")
            if block.is_empty and _needs_terminator(op, region):
                raise _error(op, "expected a terminator at the end of the block, got an empty block")


def _verify_yields(op: Operation) -> None:
    expected = [result.type for result in op.results]
    for region in op.regions:
        last = region.blocks.last.last_op if region.blocks.last is not None else None
        if last is None:
            continue
        got = [operand.type for operand in last.operands]
        if got != expected:
            note = Note(f"the results of '{op.name}' are here", op.location)
            raise _error(last, f"yields to '{op.name}': expected {_types(expected)}, got {_types(got)}", [note])


# Dominance.


def _verify_dominance_below(op: Operation, visible: set[int]) -> None:
    if op.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        visible = set()
    for region in op.regions:
        _verify_dominance(region, visible, ordered=not isinstance(op, ModuleOp))


def _verify_dominance(region: Region, visible: set[int], ordered: bool) -> None:
    """Traverse the dominator tree; `visible` has the ids of the values defined on every path to the current operation: hashing
    a value itself is a call of Python.

    The region of a module is a graph region in MLIR: its operations are not ordered.
    """
    entry = region.first_block
    if entry is None:
        return
    children = dominator_tree(region)
    # Depth first, with an explicit stack: the list after a subtree removes its values from `visible`.
    pending: list[Block | list[int]] = [entry]
    while pending:
        top = pending.pop()
        if isinstance(top, list):
            visible.difference_update(top)
            continue
        defined = _verify_block(top, visible, ordered)
        pending.append(defined)
        pending.extend(reversed(children.get(top, ())))


def _verify_block(block: Block, visible: set[int], ordered: bool) -> list[int]:
    """Check the uses in a block. Returns the ids of the values that it added to `visible`."""
    defined = list(map(id, block.args))
    if not ordered:
        defined += [id(result) for op in block.ops for result in op.results]
    visible.update(defined)
    op = block.first_op
    while op is not None:
        for index, operand in enumerate(operands_of(op)):
            if id(operand) not in visible:
                raise _not_dominating(op, index, operand)
        if op.regions:
            _verify_dominance_below(op, visible)
        made = list(map(id, op.results))
        visible.update(made)
        defined += made
        op = op.next_op
    return defined


def dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """The blocks that each reachable block immediately dominates (Cooper, Harvey and Kennedy 2001)."""
    entry = region.first_block
    if entry is None or entry is region.last_block:
        return {}
    order = _reverse_post_order(entry)
    number = {block: index for index, block in enumerate(order)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in _successors(block):
            predecessors[successor].append(block)
    dominator = [0] + [-1] * (len(order) - 1)
    changed = True
    while changed:
        changed = False
        for index, block in enumerate(order[1:], start=1):
            known = [number[each] for each in predecessors[block] if dominator[number[each]] >= 0]
            new = known[0]
            for other in known[1:]:
                new = _common_dominator(dominator, new, other)
            changed |= dominator[index] != new
            dominator[index] = new
    children: dict[Block, list[Block]] = {}
    for index, block in enumerate(order[1:], start=1):
        children.setdefault(order[dominator[index]], []).append(block)
    return children


def _common_dominator(dominator: Sequence[int], one: int, other: int) -> int:
    while one != other:
        while one > other:
            one = dominator[one]
        while other > one:
            other = dominator[other]
    return one


def _reverse_post_order(entry: Block) -> list[Block]:
    post: list[Block] = []
    seen = {entry}
    stack: list[tuple[Block, Iterator[Block]]] = [(entry, iter(_successors(entry)))]
    while stack:
        block, remaining = stack[-1]
        following = next((each for each in remaining if each not in seen), None)
        if following is None:
            post.append(block)
            stack.pop()
            continue
        seen.add(following)
        stack.append((following, iter(_successors(following))))
    return post[::-1]


def _successors(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()


# Messages.


def _not_dominating(op: Operation, index: int, operand: SSAValue) -> VerifyError:
    name = f" (%{operand.name_hint})" if operand.name_hint else ""
    note = Note(f"the operand is defined here{_relation(op, operand)}", _definition(operand))
    return _error(op, f"operand #{index}{name} does not dominate this use", [note])


def _relation(op: Operation, operand: SSAValue) -> str:
    if (isolated := _isolated_between(op, operand)) is not None:
        return f", outside of '{isolated.name}', which is isolated from above"
    if isinstance(operand, OpResult) and operand.op.parent is op.parent:
        return ", later in the same block" if operand.op is not op else ", by the operation itself"
    return ", in a block or region that does not enclose the use"


def _isolated_between(op: Operation, operand: SSAValue) -> Operation | None:
    """The operation around `op` that hides an operand defined outside of it."""
    home = operand.owner if isinstance(operand.owner, Block) else operand.owner.parent
    isolated, outer = None, op
    while outer is not None and outer.parent is not home:
        outer = outer.parent_op()
        if outer is not None and isolated is None and outer.has_trait(IsolatedFromAbove, value_if_unregistered=False):
            isolated = outer
    return isolated if outer is not None else None


def _definition(value: SSAValue) -> LocationAttr | None:
    if isinstance(value, OpResult):
        return value.op.location
    if isinstance(value, BlockArgument) and (parent := value.block.parent_op()) is not None:
        return parent.location
    return None


def _error(op: Operation, message: str, notes: Iterable[Note] = ()) -> VerifyError:
    return VerifyError(f"'{op.name}': {message}", op.location, notes)


def _message(error: Exception) -> str:
    """The error itself, without the operation's name, which xDSL repeats, and the IR that it prints."""
    first, *rest = str(error).splitlines() or ["the operation is invalid"]
    reason = f" {rest[0].strip()}" if first.endswith(":") and rest else ""
    return first.removeprefix("Operation does not verify: ") + reason


def _needs_terminator(op: Operation, region: Region) -> bool:
    return len(region.blocks) == 1 and not op.has_trait(NoTerminator)


def _types(types: Iterable[Attribute]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"
