"""cloop-nontemporal-stores: vector stores to large results become non-temporal.

    cloop.store %v into %out[%i] ...    ->    cloop.store %v into %out[%i] ... streaming <(d0) -> (n * m - 2097152)> ...

An ordinary store first reads its cache line, and large results evict data that the loops still read. Neither is useful if the
program never reads the result and it is too large to stay in the cache for the caller. A non-temporal store writes whole lines
to memory and bypasses the cache: a normalisation of 16 MiB, which reads 16 MiB, moves 32 instead of 48.

Vector stores to results of at least `from_bytes` bytes become non-temporal, unless the program reads the results itself. The
default is a quarter of a last-level cache of 32 MiB: smaller results are still cached when the caller reads them. The results
of a scan's step are read at once by the next step; their limit is four times as many bytes, which no cache holds. A program
that reads little, such as an outer product, evicts none of its own data: its results and inputs together must have twice as
many bytes.

Non-temporal stores write whole lines. Rows that begin within a line would be stored half one way and half the other, which is
slower than either. Where an offset advances by sizes, as by rows of m numbers, the condition tests alignment too: m mod 16 has
to be 0.

Fully unrolled loops test the size once rather than at each store: C compilers would analyse every path through the tests.

    cloop.for ... unroll { store }   ->   if (n * m - 2097152 >= 0) { cloop.for ... unroll { non-temporal store } }
                                          else { cloop.for ... unroll { store } }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.cloop.vectors import PartialStoreOp
from ...dialects.scalar_ops import lanes_of
from ...ir.functions.entry import c_functions, input_count, temporary_args
from ...ir.index.expressions import ZERO, Dim, Index, minimum, product
from ...ir.nesting import operations
from ...ir.rewrite import Builder, count, derive_copy
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import IndexMap, MapAttr, element_of, shape_of
from ..manager.options import limited
from ..trace.outputs import is_entered


@dataclass(frozen=True)
class CloopNontemporalStores(ModulePass):
    name = "cloop-nontemporal-stores"

    from_bytes: int = limited(1 << 23, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            self._function(function)

    def _function(self, function: FuncOp) -> None:
        types, inputs = function.attributes["sw.types"], input_count(function)
        assert isinstance(types, ArrayAttr) and inputs is not None, "lowered functions record the types of their buffers"
        from_bytes = self.from_bytes * (1 if is_entered(function) else 4)
        written_out: dict[cloop.ForOp, list[cloop.StoreOp]] = {}
        given = inputs - len(temporary_args(function))
        read = sum((_bytes(kind) for kind in types.data[:given]), ZERO) if len(types) > inputs else ZERO
        for result, kind in list(zip(function.args, types, strict=True))[inputs:]:
            beyond = _beyond(kind, read, from_bytes)
            if beyond.constant is not None and beyond.constant < 0:
                continue
            for store in _vector_stores(result):
                aligned = _aligned(store)
                if aligned is None:
                    continue
                _stream(store, minimum(beyond, aligned) if aligned != 0 else beyond)
                count("stores-streamed", "Number of stores that became non-temporal")
                nest = _unrolled_nest(store)
                if nest is not None:
                    written_out.setdefault(nest, []).append(store)
        for nest, stores in written_out.items():
            _version(nest, stores)


# The most terms of the sizes that a program tests to find out how much it reads.
_MOST_TERMS = 8


def _bytes(kind: Attribute) -> Index:
    return product(shape_of(kind)) * dtype_of(element_of(kind)).itemsize


def _beyond(kind: Attribute, read: Index, from_bytes: int) -> Index:
    """An expression that is non-negative if a result is large: at least `from_bytes` bytes or, where the program reads less
    than it writes, twice as many together with the inputs."""
    result = _bytes(kind)
    if len(read.terms) > _MOST_TERMS or all(factor >= 0 for _, factor in (read - result).terms):
        return product(shape_of(kind)) - from_bytes // dtype_of(element_of(kind)).itemsize
    return minimum(result - from_bytes, read + result - 2 * from_bytes)


def _stream(store: cloop.StoreOp, beyond: Index | int) -> None:
    store.streaming = MapAttr(IndexMap.of(len(store.operands_at), [beyond]))


def _aligned(store: cloop.StoreOp) -> Index | None:
    """An expression that is 0 if all of a store's vectors are aligned like the first element of the result, and negative
    otherwise. None if the vectors never are. A store whose offset is not a sum over loops tests it each time."""
    lanes = lanes_of(store.value.type)
    assert lanes is not None, "vectors have lanes"
    steps = set(_steps(store.index_map.results[0], store.operands_at))
    if any(step.constant is not None and step.constant % lanes for step in steps):
        return None
    sizes = {Index({monomial: 1}) for step in steps for monomial, factor in step.terms if monomial and factor % lanes}
    return ZERO - sum((size % lanes for size in sorted(sizes, key=str)), ZERO)


def _steps(offset: Index, at: Sequence[SSAValue]) -> Iterator[Index]:
    """The terms of an offset, in elements, that contain no indices: its constant terms, and the first value and the step of
    each loop that it depends on, times the factor of the loop's index."""
    for monomial, factor in offset.terms:
        sizes = Index({tuple(atom for atom in monomial if not isinstance(atom, Dim)): factor})
        dims = [at[atom.position] for atom in monomial if isinstance(atom, Dim)]
        if len(dims) > 1 or sizes.dims():
            continue
        owner = dims[0].owner if dims else None
        level = owner.parent_op() if isinstance(owner, Block) else None
        if owner is None:
            yield sizes
        elif isinstance(level, cloop.ForOp):
            yield sizes * level.step.value.data
            yield from _steps(level.index_map.results[0] * sizes, level.operands_at)
        elif isinstance(owner, cloop.IndexOp):
            yield from _steps(owner.index_map.results[0] * sizes, owner.operands_at)


def _unrolled_nest(store: cloop.StoreOp) -> cloop.ForOp | None:
    """The outermost fully unrolled loop that encloses a store."""
    found, op = None, store.parent_op()
    while isinstance(op, cloop.ForOp) and op.unroll is not None:
        found, op = op, op.parent_op()
    return found


def _version(nest: cloop.ForOp, stores: Sequence[cloop.StoreOp]) -> None:
    """Version a fully unrolled loop, with and without non-temporal stores, if all its stores have the same condition."""
    (beyond, *others) = {store.streaming.data.results[0] for store in stores if store.streaming is not None}
    if others or beyond.constant is not None:
        return
    builder = Builder(InsertPoint.before(nest), nest)
    asked = builder.add(cloop.TestOp([beyond], []))
    branch = builder.add(cloop.IfOp(asked.result, otherwise=True))
    assert branch.otherwise is not None, "created with it"
    past = nest.clone()
    branch.body.block.add_op(past)
    nest.detach()
    branch.otherwise.block.add_op(nest)
    derive_copy(past, nest)
    for op, copy in zip(operations(nest), operations(past), strict=True):
        if isinstance(op, cloop.StoreOp) and isinstance(copy, cloop.StoreOp) and op in stores:
            op.streaming = None
            _stream(copy, 0)


def _vector_stores(result: SSAValue) -> list[cloop.StoreOp]:
    """The vector stores to a buffer, if the buffer has no other uses."""
    users = [use.operation for use in result.uses]
    if not all(isinstance(op, cloop.StoreOp | PartialStoreOp) for op in users):
        return []
    return [op for op in users if isinstance(op, cloop.StoreOp) and lanes_of(op.value.type) is not None]
