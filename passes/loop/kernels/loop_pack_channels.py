"""loop-pack-channels: copy the factors of a convolution so that its channels are contiguous.

    for %n, %o, %h, %w:                                          for %n, %h, %w, %c: t[n, h, w, c] = x[n, c, h, w]
      s = for %c, %i, %j: add x[n, c, h + i, w + j] * k[...] ->  for %n, %o, %h, %w:
                                                                   s = for %c, %i, %j: add t[n, h + i, w + j, c] * ...

Neighbours along a row of the image are at other addresses for each place of the window, so that loads along rows are not
aligned, and narrow; those along channels are wide. The window reads each element many times, the copy once. Products of half
precision are packed that have a factor whose address adds an index of the window, a window of at least `window` places, and a
multiple of `channels` channels, which matrix units multiply in whole steps. A factor is copied if it is a load, whose channels
are an axis of their own that is not the last.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import dim
from ....ir.rewrite import Builder, count
from ....ir.types.shapes import element_of, shape_of
from ...analysis.loop_nests import Frame, lowered_blocks
from ...manager.options import limited
from ..builder import Writer
from ..memory.loop_contract_buffers import readdress
from .patterns import Nest, outer_nest
from .product_tiles import Roles, product_roles
from .products import Factor, factors


@dataclass(frozen=True)
class LoopPackChannels(ModulePass):
    """Convolutions with at least so many places of the `window`, and a multiple of so many `channels`."""

    name = "loop-pack-channels"

    window: int = limited(4)
    channels: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            roles = product_roles(block, outer_nest(block)) if block.warps is None else None
            if roles is None or roles.itemsize != 2:
                continue
            channels = self._channels(roles)
            pair = factors(roles.k) or ()
            if channels is not None and any(_slides(factor, roles) for factor in pair):
                for factor in pair:
                    _pack(block, factor, channels)

    def _channels(self, roles: Roles) -> loop.ForOp | None:
        """The loop over channels of a convolution: the longest one of the reduction."""
        sizes = {level: Nest((level,)).size.constant for level in roles.k.loops}
        known = {level: size for level, size in sizes.items() if size}
        if len(known) != len(sizes):
            return None
        channels = max(known, key=lambda level: known[level])
        window = (roles.k.size.constant or 0) // known[channels]
        return channels if window >= self.window and known[channels] % self.channels == 0 else None


def _slides(factor: Factor, roles: Roles) -> bool:
    """Whether a factor is loaded where a window around a place is: an address adds an index of the sum to another one."""
    load = factor.value.owner
    summed = {level.induction for level in roles.k.loops}
    return isinstance(load, loop.LoadOp) and any(
        {load.operands_at[k] in summed for k in expr.dims()} == {True, False} for expr in load.index_map.results
    )


def _pack(block: loop.BlockOp, factor: Factor, channels: loop.ForOp) -> None:
    """Copy what a factor loads, with the channels last, unless they are."""
    load = factor.value.owner
    if not isinstance(load, loop.LoadOp):
        return
    exprs, shape = load.index_map.results, shape_of(load.buffer)
    numbers = [k for k, value in enumerate(load.operands_at) if value is channels.induction]
    along = [axis for axis, expr in enumerate(exprs) if any(k in expr.dims() for k in numbers)]
    if len(along) != 1 or len(numbers) != 1 or exprs[along[0]] != dim(numbers[0]) or along[0] == len(shape) - 1:
        return
    order = [*(axis for axis in range(len(shape)) if axis != along[0]), along[0]]
    writer = Writer(Frame(), Builder(InsertPoint.before(block), load))
    packed = writer.allocate([shape[axis] for axis in order], element_of(load.buffer), None, "packed")
    copy = writer.builder.add(loop.BlockOp())
    with ExitStack() as stack:
        stack.enter_context(writer.inside(copy.body.block))
        places = {axis: stack.enter_context(writer.loop("parallel", 0, shape[axis])) for axis in order}
        value = writer.load(load.buffer, [places[axis] for axis in range(len(shape))])
        writer.store(value, packed, [places[axis] for axis in order])
    readdress(load, packed, [exprs[axis] for axis in order])
    count("factors-packed", "Number of factors of convolutions that are copied with their channels last")
