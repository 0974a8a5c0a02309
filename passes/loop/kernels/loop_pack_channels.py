"""loop-pack-channels: copy the factors of a convolution so that its channels are contiguous.

    for %n, %o, %h, %w:                                          for %n, %h, %w, %c: t[n, h, w, c] = x[n, c, h, w]
      s = for %c, %i, %j: add x[n, c, h + i, w + j] * k[...] ->  for %n, %o, %h, %w:
                                                                   s = for %c, %i, %j: add t[n, h + i, w + j, c] * ...

For each element of the window, rows of the image start at other addresses, so that loads along rows are unaligned and narrow;
loads along channels are wide. The window reads each element many times, the copy reads it once. A product of half precision is
packed if the address of a factor adds an index of the window, and the window has at least `window` elements. The channels must
be a multiple of `channels`, which matrix units multiply in whole steps. A factor is copied if it is a load whose channels are
an axis by themselves, and not the last one.
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
    """Convolutions are packed whose window has at least `window` elements, and whose number of channels is a multiple of
    `channels`."""

    name = "loop-pack-channels"

    window: int = limited(4)
    channels: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            roles = product_roles(block, outer_nest(block)) if block.warps is None else None
            if roles is None or roles.itemsize != 2:
                continue
            channels = self._channels(roles)
            axes = [_axis_of(factor, channels) for factor in factors(roles.k) or ()] if channels is not None else []
            # If only one were packed, both factors would be loaded in different orders.
            if axes and None not in axes:
                for load, axis in filter(None, axes):
                    _pack(block, load, axis)

    def _channels(self, roles: Roles) -> loop.ForOp | None:
        """The loop over channels of a convolution: the only loop of the reduction that does not slide along an axis."""
        pair = factors(roles.k) or ()
        sliding = {level for factor in pair for level in _sliding(factor, roles)}
        rest = [level for level in roles.k.loops if level not in sliding]
        size = Nest((rest[0],)).size.constant if len(rest) == 1 else None
        if not sliding or not size or size % self.channels:
            return None
        window = (roles.k.size.constant or 0) // size
        return rest[0] if window >= self.window else None


def _sliding(factor: Factor, roles: Roles) -> list[loop.ForOp]:
    """The loops of a sum that run through a window: an address adds their index to another one."""
    load = factor.value.owner
    if not isinstance(load, loop.LoadOp):
        return []
    summed = {level.induction: level for level in roles.k.loops}
    found: list[loop.ForOp] = []
    for expr in load.index_map.results:
        values = [load.operands_at[k] for k in expr.dims()]
        if any(value not in summed for value in values):
            found += [summed[value] for value in values if value in summed]
    return found


def _axis_of(factor: Factor, channels: loop.ForOp) -> tuple[loop.LoadOp, int] | None:
    """The load that is a factor, and its axis of channels; None if the factor is no load, or if the channels are not an axis by
    themselves."""
    load = factor.value.owner
    if not isinstance(load, loop.LoadOp):
        return None
    exprs = load.index_map.results
    numbers = [k for k, value in enumerate(load.operands_at) if value is channels.induction]
    along = [axis for axis, expr in enumerate(exprs) if any(k in expr.dims() for k in numbers)]
    is_axis = len(along) == 1 and len(numbers) == 1 and exprs[along[0]] == dim(numbers[0])
    return (load, along[0]) if is_axis else None


def _pack(block: loop.BlockOp, load: loop.LoadOp, axis: int) -> None:
    """Copy the loaded buffer with the axis of the channels last, unless it is last already."""
    exprs, shape = load.index_map.results, shape_of(load.buffer)
    if axis == len(shape) - 1:
        return
    order = [*(each for each in range(len(shape)) if each != axis), axis]
    writer = Writer(Frame(), Builder(InsertPoint.before(block), load))
    packed = writer.allocate([shape[axis] for axis in order], element_of(load.buffer), None, "packed")
    copy = writer.builder.add(loop.BlockOp())
    with ExitStack() as stack:
        stack.enter_context(writer.inside(copy.body.block))
        places = {each: stack.enter_context(writer.loop("parallel", 0, shape[each])) for each in order}
        value = writer.load(load.buffer, [places[each] for each in range(len(shape))])
        writer.store(value, packed, [places[each] for each in order])
    readdress(load, packed, [exprs[each] for each in order])
    count("factors-packed", "Number of factors of convolutions that are copied with their channels last")
