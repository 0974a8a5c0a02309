"""The tiles of products of matrices: which loops are rows, columns and K, and how large a program's tile is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv
from ....ir.types.dtypes import DType
from ...analysis.reductions import statements
from .patterns import Nest, accesses, carrying_nest, inside, permute, stride
from .products import factors
from .tiling import LEAST, WARPS, Annotate, Version, bounded_size, least_depth, set_program, spread
from .tuned_tiles import product_key, tile_for

# The elements of a tile's result that a warp holds in registers, at most.
MOST_OF_A_WARP = 2048


class Tiles(NamedTuple):
    """The tile of a product, M x N x K, and how a program computes it."""

    m: int
    n: int
    k: int
    warps: int
    stages: int


# From the largest to the smallest: large tiles load less for each product, small tiles spread a small result over more
# programs. Tensor cores multiply factors of one and two bytes, not of four. Steps of K are twice as long for factors of one
# byte.
BYTE_TILES = (Tiles(128, 256, 128, 8, 3), Tiles(128, 128, 128, 4, 3), Tiles(64, 64, 128, 4, 4))
# Sums of products of 8-bit floats are in registers twice: those of the last 128 products, and those of all.
FLOAT8_TILES = (Tiles(128, 128, 128, 8, 3), Tiles(64, 64, 128, 4, 4))
HALF_TILES = (Tiles(128, 256, 64, 8, 3), Tiles(128, 128, 64, 4, 3), Tiles(64, 64, 64, 4, 4))
FLOAT_TILES = (Tiles(128, 64, 32, 4, 3), Tiles(64, 64, 32, 4, 3))
TF32_TILES = (Tiles(128, 128, 32, 8, 3), Tiles(64, 64, 32, 4, 3))
# Neighbouring tiles along M whose programs run one after another: together they read few operands, which the cache holds.
GROUP = 8


def product_versions(block: loop.BlockOp, outer: Nest, programs: int, tf32: bool, tuned: Sequence[str]) -> list[Version] | None:
    """Versions for a block whose only inner loop sums products. If the tile is `tuned` (`tuned_tiles.py`), there is one
    version, or one without and one with masks."""
    roles = product_roles(block, outer)
    if roles is None:
        return None
    tile = tile_for(key_of(roles, tf32=tf32), tuned)
    if tile:
        return _tuned_versions(roles, tile, programs, tf32)
    tiles = _tiles_for(roles, tf32)
    sizes = (roles.m.size, roles.n.size)
    found: list[Version] = []
    for each in tiles:
        fitted = _fitted(each, roles)
        count = roles.batch.size * ceildiv(sizes[0], fitted.m) * ceildiv(sizes[1], fitted.n)
        enough = count - programs
        if enough.constant is not None and enough.constant < 0 and each is not tiles[-1]:
            continue
        needed = () if enough.constant is not None or each is tiles[-1] else (enough,)
        uneven = _uneven(fitted, roles)
        # Versions without masks, only for large tiles.
        if uneven and each is tiles[0]:
            found.append(Version((*needed, *(-rest for rest in uneven)), _tiling(fitted, whole=True)))
        found.append(Version(needed, _tiling(fitted, whole=not uneven)))
        if not needed:
            break
    return found


def usual_tile(roles: Roles, programs: int, tf32: bool) -> dict[str, int]:
    """The tile of a product that is not tuned, in the form of tuned tiles: the tile for the largest sizes where sizes are
    unknown."""
    tiles = _tiles_for(roles, tf32)
    fitted = (_fitted(each, roles) for each in tiles)
    chosen = next((each for each in fitted if _programs_of(each, roles) >= programs), _fitted(tiles[-1], roles))
    return {**chosen._asdict(), "group": GROUP}


def _programs_of(tiles: Tiles, roles: Roles) -> float:
    """How many programs compute a product; infinitely many where that is unknown."""
    count = roles.batch.size * ceildiv(roles.m.size, tiles.m) * ceildiv(roles.n.size, tiles.n)
    return math.inf if count.constant is None else count.constant


def _tuned_versions(roles: Roles, tile: Mapping[str, int], programs: int, tf32: bool) -> list[Version]:
    usual = usual_tile(roles, programs, tf32)
    group = tile.get("group", usual.pop("group"))
    usual = Tiles(**usual)
    fitted = usual._replace(**{name: value for name, value in tile.items() if name != "group"})
    fitted = fitted._replace(k=max(fitted.k, least_depth(roles.itemsize)))
    uneven = _uneven(fitted, roles)
    if not uneven or any(rest.constant for rest in uneven):
        return [Version((), _tiling(fitted, whole=not uneven, group=group))]
    whole = Version(tuple(-rest for rest in uneven), _tiling(fitted, whole=True, group=group))
    return [whole, Version((), _tiling(fitted, whole=False, group=group))]


def key_of(roles: Roles, *, tf32: bool) -> str:
    """The key of a product for the tuner. With `tf32`, products of float32 run on matrix units, and have keys of their own."""
    kind = "tf32" if tf32 and roles.dtype.name == "float32" else roles.dtype.name
    return product_key(kind, (roles.batch.size, roles.m.size, roles.n.size, roles.k.size))


def _tiles_for(roles: Roles, tf32: bool) -> tuple[Tiles, ...]:
    if roles.dtype.is_stored_only:
        return FLOAT8_TILES
    wide = TF32_TILES if tf32 else FLOAT_TILES
    return {1: BYTE_TILES, 2: HALF_TILES}.get(roles.itemsize, wide)


class SmallestTiling(NamedTuple):
    """The schedule with the smallest tiles: its number of programs, the bytes of a factor's element, and the function that
    writes it onto a block."""

    tiles: Tiles
    programs: Index
    itemsize: int
    annotate: Annotate


def smallest_tiling(block: loop.BlockOp, outer: Nest, *, tf32: bool) -> SmallestTiling | None:
    """The schedule with the smallest tiles for a block that sums products; None for another block."""
    roles = product_roles(block, outer)
    if roles is None:
        return None
    tiles = _fitted(_tiles_for(roles, tf32)[-1], roles)
    programs = roles.batch.size * ceildiv(roles.m.size, tiles.m) * ceildiv(roles.n.size, tiles.n)
    return SmallestTiling(tiles, programs, roles.itemsize, _tiling(tiles, whole=False))


def is_product(block: loop.BlockOp, outer: Nest) -> bool:
    """Whether a block sums products that matrix units compute."""
    return product_roles(block, outer) is not None


class Roles(NamedTuple):
    """The loops of a product by role, and the type of its factors."""

    batch: Nest
    m: Nest
    n: Nest
    k: Nest
    dtype: DType

    @property
    def itemsize(self) -> int:
        """The bytes of an element of a factor."""
        return self.dtype.itemsize


def product_roles(block: loop.BlockOp, outer: Nest) -> Roles | None:
    """The loops of a block that sums products that matrix units compute; None for another block."""
    loops = [op for op in inside(block, outer) if isinstance(op, loop.ForOp)]
    if len(loops) != 1 or any(level.kind.data != "parallel" for level in outer.loops):
        return None
    reduction = carrying_nest(loops[0])
    found = factors(reduction)
    if found is None:
        return None
    used = [factor.loops for factor in found]
    batch, m, n = (
        Nest(tuple(level for level in outer.loops if (level in used[0], level in used[1]) in parts))
        for parts in (((True, True), (False, False)), ((True, False),), ((False, True),))
    )
    if any(_is_narrow(nest) for nest in (m, n, reduction)):
        return None
    stores = [op for op in inside(block, outer) if isinstance(op, loop.StoreOp)]
    if any(stride(store, level) == 1 for store in stores for level in m.loops):
        m, n = n, m
    return Roles(batch, m, n, reduction, found[0].dtype)


def _is_narrow(nest: Nest) -> bool:
    """Whether most lanes of a tile would be idle along a loop nest."""
    size = nest.size.constant
    return not nest.loops or (size is not None and size < LEAST // 2)


def _fitted(tiles: Tiles, roles: Roles) -> Tiles:
    """The tile, cut to loops that are known to be shorter."""
    pairs = ((roles.m.size, tiles.m), (roles.n.size, tiles.n), (_depth(roles), tiles.k))
    m, n, k = (max(LEAST, bounded_size(extent, limit)) for extent, limit in pairs)
    k = max(k, least_depth(roles.itemsize))
    warps = min(tiles.warps, max(WARPS, m * n // MOST_OF_A_WARP))
    return Tiles(m, n, k, warps, tiles.stages)


def _depth(roles: Roles) -> Index:
    """The number of iterations of K that are cut into steps: those of the innermost loop, or of all loops where that one is
    short."""
    inner = _contiguous_last(roles.k)[-1]
    return Nest((inner,)).size if _is_cut(inner) else roles.k.size


def _is_cut(level: loop.ForOp) -> bool:
    trips = Nest((level,)).size.constant
    return trips is None or trips >= LEAST


def _contiguous_last(nest: Nest) -> tuple[loop.ForOp, ...]:
    """The loops of a sum, with the one along which most loads are contiguous last."""
    loads = [each for each in accesses(statements(nest.body)) if isinstance(each, loop.LoadOp)]
    votes = [sum(stride(load, level) in (1, -1) for load in loads) for level in nest.loops]
    last = max(range(len(votes)), key=lambda k: (votes[k], k))
    return (*(level for k, level in enumerate(nest.loops) if k != last), nest.loops[last])


def _uneven(tiles: Tiles, roles: Roles) -> list[Index]:
    """The remainder of each size after its last whole tile, where it may be positive."""
    rests = (roles.m.size % tiles.m, roles.n.size % tiles.n, _depth(roles) % tiles.k)
    return [rest for rest in rests if rest != 0]


def _tiling(tiles: Tiles, *, whole: bool, group: int = GROUP) -> Annotate:
    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        roles = product_roles(block, outer)
        assert roles is not None, "a copy of a product"
        permute(roles.k.loops, _contiguous_last(roles.k))
        *windows, inner = roles.k.loops
        cut = _is_cut(inner)
        for level in windows:
            level.spread(2, 1 if cut else tiles.k)
        inner.spread(2, tiles.k)
        spread(roles.m, 0, tiles.m)
        spread(roles.n, 1, tiles.n)
        set_program(block, tiles.warps, tiles.stages, group)
        if whole:
            for level in (*roles.m.loops, *roles.n.loops, inner):
                level.mark_whole()

    return annotate
