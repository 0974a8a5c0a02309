"""cloop-nontemporal-stores: large results go past the caches.

    cloop.store %v into %out[%i] ...    ->    cloop.store %v into %out[%i] ... streaming <(d0) -> (n * m - 2097152)> ...

A store reads the line that it is to change before it does, and large results push out of the cache what the loops still want
to read. Neither is of use where the result is never read again and too large to be found in the cache afterwards. A streaming
store writes whole lines to memory and touches no cache: a normalisation of 16 MiB, which reads 16 MiB, moves 32 instead of 48.

Results are streamed from `from_bytes` bytes on, in vectors, unless the program reads them itself. The default is a quarter of
the 32 MiB of last cache of the processor that the benchmarks run on: less than that is still there when the caller reads it.
What a step gives is read by the next one at once, and streamed from four times as many bytes on, which no cache holds.

Loops that are written out ask once, and not before each of their stores: C compilers would follow all the ways through them.

    cloop.for ... unroll { store }   ->   if (n * m - 2097152 >= 0) { cloop.for ... unroll { store past the caches } }
                                          else { cloop.for ... unroll { store } }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.cloop.vectors import PartialStoreOp
from ...dialects.scalar_ops import lanes_of
from ...ir.functions.entry import c_functions, input_count
from ...ir.index.expressions import Index, product
from ...ir.nesting import operations
from ...ir.rewrite import Builder, count, derive
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
        assert isinstance(types, ArrayAttr) and inputs is not None, "lowered functions say what their buffers were"
        from_bytes = self.from_bytes * (1 if is_entered(function) else 4)
        written_out: dict[cloop.ForOp, list[cloop.StoreOp]] = {}
        for result, kind in list(zip(function.args, types, strict=True))[inputs:]:
            beyond = product(shape_of(kind)) - from_bytes // dtype_of(element_of(kind)).itemsize
            if beyond.constant is not None and beyond.constant < 0:
                continue
            for store in _vector_stores(result):
                _stream(store, beyond)
                count("stores-streamed", "Number of stores that go past the caches")
                nest = _written_out(store)
                if nest is not None:
                    written_out.setdefault(nest, []).append(store)
        for nest, stores in written_out.items():
            _ask_once(nest, stores)


def _stream(store: cloop.StoreOp, beyond: Index | int) -> None:
    store.streaming = MapAttr(IndexMap.of(len(store.operands_at), [beyond]))


def _written_out(store: cloop.StoreOp) -> cloop.ForOp | None:
    """The outermost of the loops around a store that are written out."""
    found, op = None, store.parent_op()
    while isinstance(op, cloop.ForOp) and op.unroll is not None:
        found, op = op, op.parent_op()
    return found


def _ask_once(nest: cloop.ForOp, stores: Sequence[cloop.StoreOp]) -> None:
    """Have loops that are written out with stores past the caches, and without, where all stores ask for the same."""
    (beyond, *others) = {store.streaming.data.results[0] for store in stores if store.streaming is not None}
    if others or beyond.constant is not None:
        return
    builder = Builder(InsertPoint.before(nest), nest)
    asked = builder.add(cloop.TestOp([beyond], []))
    branch = builder.add(cloop.IfOp(asked.result, otherwise=True))
    assert branch.otherwise is not None, "made with it"
    past = nest.clone()
    branch.body.block.add_op(past)
    nest.detach()
    branch.otherwise.block.add_op(nest)
    for op, copy in zip(operations(nest), operations(past), strict=True):
        derive(copy, (op,))
        if isinstance(op, cloop.StoreOp) and isinstance(copy, cloop.StoreOp) and op in stores:
            op.streaming = None
            _stream(copy, 0)


def _vector_stores(result: SSAValue) -> list[cloop.StoreOp]:
    """The stores of vectors to a buffer, if nothing else happens to it."""
    users = [use.operation for use in result.uses]
    if not all(isinstance(op, cloop.StoreOp | PartialStoreOp) for op in users):
        return []
    return [op for op in users if isinstance(op, cloop.StoreOp) and lanes_of(op.value.type) is not None]
