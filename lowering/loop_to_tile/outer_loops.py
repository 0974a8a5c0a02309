"""The outermost loops of a block, distributed over programs and the lanes of their tiles."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects import loop, tile
from ...dialects.loop.structure import AXES
from ...ir.index.expressions import Index, ceildiv, dim, index, minimum
from ...passes.loop.kernels.patterns import Nest, outer_nest
from .kernel import Kernel


def rank_of(block: loop.BlockOp) -> int:
    """The rank of a kernel's tiles: one more than the greatest axis of a loop. Products add no axis."""
    axes = [op.tile_axis for op in block.walk() if isinstance(op, loop.ForOp) and op.tile_axis is not None]
    return max([1, *(min(axis, AXES - 2) + 1 for axis in axes)])


@dataclass(frozen=True)
class OuterLoops:
    """The outer loops of a kernel: loops whose iterations programs share one by one, and the loops along each axis, which are
    flattened."""

    nest: Nest
    shared: Nest
    along: dict[int, Nest]
    group: int

    @staticmethod
    def of(block: loop.BlockOp) -> OuterLoops:
        nest = outer_nest(block)
        by_axis = {axis: Nest(tuple(each for each in nest.loops if each.tile_axis == axis)) for axis in (None, 0, 1)}
        along = {axis: by_axis[axis] for axis in (0, 1) if by_axis[axis].loops}
        return OuterLoops(nest, by_axis[None], along, block.group.value.data if block.group is not None else 1)

    @property
    def programs(self) -> Index:
        """The number of programs: the points of the shared loops, times the tiles along each axis."""
        total = self.shared.size
        for axis in self.along:
            total = total * self.tiles(axis)
        return total

    def tiles(self, axis: int) -> Index:
        """The number of tiles along an axis."""
        return ceildiv(self.along[axis].size, self.lanes(axis))

    def lanes(self, axis: int) -> int:
        lanes = self.along[axis].body.lanes
        assert lanes is not None, "a loop along an axis has lanes"
        return lanes.value.data

    def enter(self, kernel: Kernel) -> None:
        """Bind the indices of all outer loops in a program."""
        kernel.atomic = any(level.kind.data == "reduction" for level in self.nest.loops)
        if not self.nest.loops:
            return
        program = kernel.add(tile.ProgramIdOp(kernel.width))
        program.name_hint = "program"
        kernel.bounds[program] = (index(0), self.programs - 1)
        extents = (size for nest in (self.shared, *self.along.values()) for size in nest.extents)
        kernel.ranges = kernel.ranges.assuming(*(size - 1 for size in extents))
        if self.shared.loops:
            program = self._enter_shared(kernel, program)
        for axis, tile_ in self._tile_of(kernel, program).items():
            lane, lanes = kernel.arange(axis, self.lanes(axis)), self.lanes(axis)
            flat = kernel.index(dim(0) * lanes + dim(1), [tile_, lane])
            kernel.enter(axis, lanes, flat, self.along[axis])

    def _enter_shared(self, kernel: Kernel, program: SSAValue) -> SSAValue:
        """Bind the indices of the shared loops. Returns the program's number among the programs of one point of these loops."""
        each = index(1)
        for axis in self.along:
            each = each * self.tiles(axis)
        at = kernel.index(dim(0) // each, [program], ())
        kernel.bounds[at] = (index(0), self.shared.size - 1)
        kernel.enter_indices(at, self.shared)
        rest = kernel.index(dim(0) % each, [program], ())
        kernel.bounds.setdefault(rest, (index(0), each - 1))
        return rest

    def _tile_of(self, kernel: Kernel, program: SSAValue) -> dict[int, SSAValue]:
        """The number of the program's tile along each axis."""
        if len(self.along) < 2:
            return dict.fromkeys(self.along, program)
        down, across = self.tiles(0), self.tiles(1)
        if self.group == 1:
            places = {0: dim(0) // across, 1: dim(0) % across}
            return {axis: kernel.index(place, [program], ()) for axis, place in places.items()}
        # Consecutive programs go down a group of tiles, then to the next tiles across.
        first = kernel.index(dim(0) // (across * self.group) * self.group, [program], ())
        kernel.bounds.setdefault(first, (index(0), down - 1))
        within = kernel.index(dim(0) % (across * self.group), [program], ())
        kernel.bounds.setdefault(within, (index(0), across * self.group - 1))
        height = kernel.index(minimum(down - dim(0), self.group), [first], ())
        kernel.bounds.setdefault(height, (index(1), index(self.group)))
        return {
            0: kernel.index(dim(0) + dim(1) % dim(2), [first, within, height], ()),
            1: kernel.index(dim(0) // dim(1), [within, height], ()),
        }
