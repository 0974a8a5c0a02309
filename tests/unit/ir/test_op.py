"""The constructor that all operations share, which leaves checks of its arguments to the verifier."""

import pkgutil
from importlib import import_module

import pytest
import stepwell.dialects as dialects
from stepwell.dialects import cloop, loop
from stepwell.ir.op import Op
from stepwell.ir.types.shapes import memref_type
from xdsl.dialects.builtin import DenseArrayBase, Float32Type, i1
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Dialect, Operation
from xdsl.utils.exceptions import VerifyException

BUFFER = memref_type([4], Float32Type())
BUFFERS, BIT = AnyOp(result_types=[BUFFER, BUFFER, Float32Type()]), AnyOp(result_types=[i1])


def segments(op: Operation) -> tuple[int, ...]:
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    return tuple(int(size) for size in sizes.get_values())


def test_operands_of_several_kinds_are_counted():
    zero = BUFFERS.results[2]
    index = loop.ForOp("parallel", 0, 4).induction
    assert segments(loop.ForOp("parallel", 0, 4)) == (0, 0)
    carrying = loop.ForOp("reduction", 0, 4, at=[index], carried=[zero, zero])
    assert segments(carrying) == (1, 2) and len(carrying.results) == 2
    assert list(carrying.operands) == [index, zero, zero]


def test_what_is_not_given_is_not_there():
    plain, whole = cloop.IfOp(BIT.results[0]), cloop.IfOp(BIT.results[0], otherwise=True)
    assert (len(plain.regions), len(whole.regions)) == (1, 2)
    load = loop.LoadOp(BUFFERS.results[0], [0], ())
    assert "guards" not in load.properties and "fill" not in load.properties


def test_too_few_operands_are_told_by_the_verifier():
    store = loop.StoreOp.__new__(loop.StoreOp)
    Op.__init__(store, operands=[BUFFERS.results[0]])
    with pytest.raises(VerifyException, match="Expected"):
        store.verify()


def test_all_operations_are_made_so():
    modules = [import_module(f"{dialects.__name__}.{each.name}") for each in pkgutil.iter_modules(dialects.__path__)]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, Dialect)]
    kinds = {kind for dialect in found for kind in dialect.operations}
    assert len(kinds) > 100 and [kind.name for kind in kinds if not issubclass(kind, Op)] == []
