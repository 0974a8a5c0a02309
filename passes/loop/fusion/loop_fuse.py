"""loop-fuse: nests over the same data become one nest.

    block: for i: m[i] = max over j of x[i, j]           block: for i:
    block: for i: for j: e[i, j] = exp(x[i, j] - m[i])            m[i] = max over j of x[i, j]
    block: for i: s[i] = sum over j of e[i, j]       ->           s[i] = sum over j of (e[i, j] = exp(x[i, j] - m[i]))
    block: for i: for j: y[i, j] = e[i, j] / s[i]                 for j: y[i, j] = e[i, j] / s[i]

1. Move allocations to the front of the function, so that they do not block the motion of blocks.
2. Compare each block with those before it, the nearest first. The later block moves up, or else the earlier one moves down; the
   blocks in between must not depend on the block that moves. Nothing moves past a fence or past an operation that runs a
   function step by step. With `epilogues`, an epilogue fuses with its contraction even if a nearer nest also matches, such as a
   batch norm's scale for each channel. Fused with the nearer nest, it would no longer have all parallel loops of the
   contraction.
3. Merge two blocks if some of their loops match (`legality.py`), or if one block has no loops and both share a buffer.
   Interchange the matched loops to the outside and fuse them into loops that carry the values of both; then repeat on the loops
   inside.

A block is compared with the `window` blocks before it, and a nest grows to `statements` at most, so that compile time is linear
in the size of the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import Pure

from ....dialects import loop
from ....ir.debug_counters import may_rewrite
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Atom, Dim, IndexLike, dim
from ....ir.nesting import operations
from ....ir.rewrite import absorb, count, derive, erase
from ...analysis.loop_nests import Frame, Node, substitute
from ...manager.options import limited
from .legality import Match, for_op, is_contraction, match


@dataclass(frozen=True)
class LoopFuse(ModulePass):
    """`window` bounds how many earlier blocks are compared, `statements` the size of a fused nest. With `atomics`, nests that
    update memory are not fused: GPUs run all iterations of such a nest at once, by atomic operations. With `columns`,
    elementwise nests join reductions of columns, which loop-interchange turns to rows. With `epilogues`, an epilogue joins its
    contraction rather than a nearer block. With `vectors`, costly functions of rows do not join loops along the rows, and
    windows no reductions, so that vectors compute them."""

    name = "loop-fuse"

    window: int = limited(32, least=0)
    statements: int = limited(400, least=0)
    atomics: int = limited(0, least=0, most=1)
    columns: int = limited(0, least=0, most=1)
    epilogues: int = limited(0, least=0, most=1)
    vectors: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            Fusion(function, self).run()


@dataclass(frozen=True)
class Plan:
    """A loop and a later sibling to fuse with it, and the siblings that must move before the earlier one."""

    first: Node
    second: Node
    match: Match
    hoisted: tuple[Node, ...]


class Fusion:
    """Fuses one function; `blocks` are the nodes of its blocks in their current order."""

    def __init__(self, function: FuncOp, options: LoopFuse):
        self.body = function.body.block
        self.atomics, self.columns, self.epilogues = options.atomics == 1, options.columns == 1, options.epilogues == 1
        self.vectors = options.vectors == 1
        self.window, self.statements = options.window, options.statements
        self.frame = Frame()
        self.blocks: list[Node] = []
        # How often each loop was interchanged or fused, and the match found for each pair of loops, with their states at the
        # time.
        self.moves: Counter[Node] = Counter()
        self.matches: dict[tuple[Node, Node], tuple[tuple[int, ...], Match | None]] = {}

    def run(self) -> None:
        _hoist_allocations(self.body)
        for op in list(self.body.ops):
            if isinstance(op, loop.FenceOp | loop.RunOp):
                self.blocks.clear()
            elif isinstance(op, loop.BlockOp):
                self._merge_with_earlier(self.frame.tree(op))

    # Blocks

    def _merge_with_earlier(self, block: Node) -> None:
        """Merge a block with an earlier one, and the result again, as long as possible."""
        place = len(self.blocks)
        while True:
            found = self._partner(block, place)
            if found is None:
                self.blocks.insert(place, block)
                return
            at, leftwards = found
            earlier = self.blocks.pop(at)
            place = at if leftwards else place - 1
            _move_block(earlier, block, leftwards)
            self._merge_blocks(earlier, block)
            block = earlier

    def _partner(self, block: Node, place: int) -> tuple[int, bool] | None:
        """The earlier block to merge with, and whether the later block moves. With `epilogues` it is the contraction that the
        block finishes, otherwise the nearest block that matches."""
        between: list[Node] = []
        left, found = True, None
        for at in range(place - 1, max(place - 1 - self.window, -1), -1):
            earlier = self.blocks[at]
            fits = earlier.size + block.size <= self.statements
            movable = fits and (left or not any(earlier.conflicts(other) for other in between))
            finished = movable and self._is_epilogue(block, earlier)
            if movable and (finished or found is None) and self._mergeable(earlier, block):
                found = at, left
                if finished:
                    break
            left = left and not block.conflicts(earlier)
            between.append(earlier)
        return found if found is not None and may_rewrite(block.op) else None

    def _is_epilogue(self, block: Node, earlier: Node) -> bool:
        """Whether a block accesses the result of an earlier one that is a contraction; never without `epilogues`."""
        if not self.epilogues or len(earlier.items) != 1 or not earlier.written & block.accesses.keys():
            return False
        return _is_loop(earlier.items[0]) and is_contraction(earlier.items[0], self.frame)

    def _mergeable(self, earlier: Node, block: Node) -> bool:
        if self.atomics and (_updates(earlier.op) or _updates(block.op)):
            return False
        if not earlier.loops or not block.loops:
            return bool(earlier.written & block.accesses.keys()) and not (earlier.loops and _is_parallel(earlier.loops[0]))
        items = [*earlier.items, *block.items]
        return any(self._plan(items, at) is not None for at in range(len(earlier.items), len(items)) if _is_loop(items[at]))

    def _merge_blocks(self, earlier: Node, block: Node) -> None:
        start = len(earlier.items)
        target = _body(earlier.op)
        for op in list(_body(block.op).ops):
            op.detach()
            target.add_op(op)
        earlier.items.extend(block.items)
        earlier.absorb(block)
        absorb(earlier.op, block.op)
        erase(block.op)
        count("blocks-merged", "Number of blocks merged into others")
        self._fuse_items(earlier, start)

    # Loops inside a block or a loop

    def _fuse_items(self, parent: Node, start: int) -> None:
        """Fuse the loops of a body from position `start` on with earlier ones."""
        at = start
        while at < len(parent.items):
            plan = self._plan(parent.items, at) if _is_loop(parent.items[at]) else None
            if plan is None or not may_rewrite(plan.second.op):
                at += 1
                continue
            self._apply(parent, plan)

    def _plan(self, items: Sequence[Node], at: int) -> Plan | None:
        """The plan to fuse the loop at a position with an earlier sibling."""
        second = items[at]
        for earlier in range(at - 1, max(at - 1 - self.window, -1), -1):
            first = items[earlier]
            if not _is_loop(first) or first.size + second.size > self.statements:
                continue
            hoisted = _hoistable(first, items[earlier + 1 : at], second)
            if hoisted is None:
                continue
            found = self._match(first, second)
            if found is not None:
                return Plan(first, second, found, hoisted)
        return None

    def _match(self, first: Node, second: Node) -> Match | None:
        """How to fuse two loops. They are compared again whenever one of their nests has grown."""
        # A nest grows when others are fused with it.
        state = (first.size, second.size, self.moves[first], self.moves[second])
        known = self.matches.get((first, second))
        if known is None or known[0] != state:
            known = self.matches[first, second] = state, match(first, second, self.frame, self.columns, self.vectors)
        return known[1]

    def _apply(self, parent: Node, plan: Plan) -> None:
        for node in plan.hoisted:
            node.op.detach()
            _block_of(plan.first.op).insert_op_before(node.op, plan.first.op)
            parent.items.remove(node)
            parent.items.insert(parent.items.index(plan.first), node)
        place = parent.items.index(plan.first)
        self.moves.update([*plan.first.walk(), *plan.second.walk()])
        merged = self._join(plan)
        parent.items.remove(plan.second)
        parent.items[place] = merged
        count("loops-fused", "Number of loops fused with others")

    def _join(self, plan: Plan) -> Node:
        """Interchange the matched loops of both nests to the outside, then fuse them pair by pair. Returns the fused nest."""
        first = _reorder(plan.first, [a for a, _ in plan.match.pairs], plan.match.first_rest)
        second = _reorder(plan.second, [b for _, b in plan.match.pairs], plan.match.second_rest)
        renamed: dict[Atom, IndexLike] = {
            Dim(self.frame.number(for_op(b).induction)): dim(self.frame.number(for_op(a).induction))
            for a, b in plan.match.pairs
        }
        substitute(second.accesses, renamed)
        return self._join_loops(first, second, len(plan.match.pairs))

    def _join_loops(self, first: Node, second: Node, depth: int) -> Node:
        start = len(first.items)
        _join_ops(first, second, self.frame)
        first.absorb(second)
        if depth > 1:
            outer, inner = first.items[0], second.items[0]
            first.items = [self._join_loops(outer, inner, depth - 1)]
        else:
            first.items.extend(second.items)
            self._fuse_items(first, start)
        return first


def _hoist_allocations(body: Block) -> None:
    front = body.first_op
    for op in list(body.ops):
        if isinstance(op, loop.AllocOp | loop.DataOp) and op is not front and front is not None:
            op.detach()
            body.insert_op_before(op, front)


def _body(op: Operation) -> Block:
    return op.regions[0].block


def _yield(op: loop.ForOp) -> Operation:
    last = _body(op).last_op
    assert last is not None, "a loop's body ends with loop.yield"
    return last


def _block_of(op: Operation) -> Block:
    assert op.parent is not None, "a statement stands in a body"
    return op.parent


def _is_loop(node: Node) -> bool:
    return isinstance(node.op, loop.ForOp)


def _updates(op: Operation) -> bool:
    return any(isinstance(each, loop.UpdateOp) for each in operations(op))


def _is_parallel(node: Node) -> bool:
    return for_op(node).kind.data == "parallel"


def _move_block(earlier: Node, block: Node, leftwards: bool) -> None:
    """Move the merged block to its position."""
    if not leftwards:
        earlier.op.detach()
        _block_of(block.op).insert_op_before(earlier.op, block.op)


def _hoistable(first: Node, between: Sequence[Node], second: Node) -> tuple[Node, ...] | None:
    """The siblings between two loops that must move before the first so that the second can follow it; None if they cannot."""
    needed = _operands(second.op)
    if not needed.isdisjoint(first.op.results):
        return None
    moving: list[Node] = []
    staying = [first]
    for node in reversed(between):
        if needed.isdisjoint(node.op.results):
            if node.conflicts(second):
                return None
            staying.append(node)
            continue
        if node.op.regions or not (isinstance(node.op, loop.LoadOp) or node.op.has_trait(Pure)):
            return None
        needed |= set(node.op.operands)
        if not needed.isdisjoint(first.op.results):
            return None
        moving.append(node)
    for node in moving:
        if any(node.conflicts(other) for other in staying):
            return None
    return tuple(reversed(moving))


def _operands(op: Operation) -> set[object]:
    return {operand for inner in operations(op) for operand in inner.operands}


def _reorder(nest: Node, outer: Sequence[Node], rest: Sequence[Node]) -> Node:
    """Interchange the loops `outer`, in this order, outside the `rest` of their chain. Returns the new outermost node."""
    order = [*outer, *rest]
    old = _chain_order(nest, len(order))
    if order == old:
        return nest
    place = nest.op.next_op
    parent = _block_of(nest.op)
    innermost = old[-1]
    statements = [op for op in _body(innermost.op).ops if not isinstance(op, loop.YieldOp)]
    items, accesses, size = innermost.items, nest.accesses, nest.size
    for node in old:
        node.op.detach()
    for op in statements:
        op.detach()
    for node, inner in zip(order, [*order[1:], None], strict=True):
        content = [inner.op] if inner is not None else statements
        _body(node.op).insert_ops_before(content, _yield(for_op(node)))
        node.items = [inner] if inner is not None else items
        node.accesses, node.written, node.size = {}, set(), size
        node.note(accesses)
    if place is not None:
        parent.insert_op_before(order[0].op, place)
    else:
        parent.add_op(order[0].op)
    count("loops-interchanged", "Number of nests whose loops were interchanged")
    return order[0]


def _chain_order(nest: Node, length: int) -> list[Node]:
    found = [nest]
    while len(found) < length:
        found.append(found[-1].items[0])
    return found


def _join_ops(first: Node, second: Node, frame: Frame) -> None:
    """Append the second loop's body to the first one's; the remaining loop carries the values of both."""
    a, b = for_op(first), for_op(second)
    joined = a if not b.carried and a.kind == b.kind else _with_carried(a, b, frame)
    b.induction.replace_all_uses_with(joined.induction)
    for arg, new in zip(b.carried_args, joined.carried_args[len(a.carried) :], strict=True):
        arg.replace_all_uses_with(new)
    ends = [_yield(joined), _yield(b)]
    # Only now: a value passed on unchanged is an argument of the remaining loop.
    carried_on = [value for end in ends for value in end.operands]
    for end in ends:
        erase(end)
    for op in list(_body(b).ops):
        op.detach()
        _body(joined).add_op(op)
    last = loop.YieldOp(*carried_on)
    _body(joined).add_op(last)
    for old, new in zip((*a.results, *b.results) if joined is not a else (), joined.results, strict=False):
        old.replace_all_uses_with(new)
    derive(last, ends)
    if joined is not a:
        absorb(joined, a)
        erase(a)
        first.op = joined
    absorb(joined, b)
    erase(b)


def _with_carried(a: loop.ForOp, b: loop.ForOp, frame: Frame) -> loop.ForOp:
    """Replace `a` by a loop with its body that carries the values of both."""
    kind = a.kind.data if a.kind == b.kind else "reduction"
    joined = loop.ForOp(kind, a.lower, a.upper, at=a.operands_at, carried=[*a.carried, *b.carried], step=a.step.value.data)
    joined.induction.name_hint = a.induction.name_hint
    _block_of(a).insert_op_before(joined, a)
    frame.same(joined.induction, a.induction)
    for old, new in zip(_body(a).args, _body(joined).args, strict=False):
        old.replace_all_uses_with(new)
    for op in list(_body(a).ops):
        op.detach()
        _body(joined).add_op(op)
    return joined
