"""specialize-sizes: a second version of a function in which the sizes of small windows and short axes are constants.

    func @f(%x: [h, w], %k: [a, b]) attributes {sw.hints = {a = 3, b = 3}}
      %0 = uop.reindex %x (i, j, p, q) -> (i + p, j + q)
      ... uop.reduce "add" axes [2, 3]
                                                    ->   func @f as before
                                                         func private @f_a_3_b_3 attributes {sw.version = (a - 3, 3 - a, ...)}
                                                           the same for a = 3, b = 3

1. A window is an address that mixes an axis that is summed over with another one. Loops over such axes are short: what they
   cost at each turn is a good part of what they do. With their lengths known they are written out, what neighbouring windows
   share stays in registers, and sums that are short need no wider accumulators.
2. The parameters to fix are those that the extents of these axes and the addresses themselves are made of, where the first call
   (`sw.hints`) shows them to be at most `window`. Long loops gain nothing from known lengths, and sizes of images change.
3. So are those of short axes that stand beside long ones (`short_axes.py`): rows of three coordinates, or products with ten
   columns.
4. The version is a copy with constants in their place. Without such sizes there is none, and nothing is compiled twice.
   Hints of other sizes stay, for passes that choose between schedules.
5. With `only`, the version takes the function's place, and `sw.sizes` says what it is for: a caller that can compile again when
   other windows come need not wait for code that may never run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects import uop
from ...ir.functions.entry import donate, donated, free_name, function_params, is_private
from ...ir.functions.substitution import copy_with, substituted
from ...ir.functions.versions import LARGEST_HINT, fix_sizes, fixed_sizes, hints_of, make_version, set_hints
from ...ir.index.expressions import Atom, Index, IndexLike, Param
from ...ir.rewrite import Builder, count, derive, erase
from ..manager.options import limited
from .short_axes import short_axes

# Larger sizes are no reason for other schedules.
FEW = 8


@dataclass(frozen=True)
class SpecializeSizes(ModulePass):
    """Sizes of at most `window`, and `columns` of a product, are worth a version of their own, which with `only` is all that is
    left. Hints of more than 8 are for nothing else, and end here."""

    name = "specialize-sizes"

    window: int = limited(FEW, least=0)
    columns: int = limited(LARGEST_HINT, least=0)
    only: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [each for each in op.body.block.ops if isinstance(each, FuncOp) and not is_private(each)]:
            hints = hints_of(function)
            if not hints or not _is_on_micro_ops(function):
                continue
            sizes = {name: hints[name] for name in self._worth_fixing(function, hints)}
            set_hints(function, {name: value for name, value in hints.items() if name not in sizes and value <= FEW})
            if not sizes:
                continue
            count("versions", "Number of versions for known sizes")
            if self.only:
                _replace(function, sizes)
            else:
                op.body.block.add_op(_version(function, sizes, op.body.block))

    def _worth_fixing(self, function: FuncOp, hints: Mapping[str, int]) -> list[str]:
        """The parameters of windows and axes that are small, in the function's order."""

        def is_small(name: str) -> bool:
            return name in hints and 0 < hints[name] <= self.window

        found: set[str] = set()
        for address, extent in _windows(function):
            if all(map(is_small, extent.params())):
                found.update(extent.params(), filter(is_small, address.params()))
        for size in short_axes(function, hints, self.window, self.columns):
            found.update(size.params())
        return [name for name in function_params(function) if name in found]


def _is_on_micro_ops(function: FuncOp) -> bool:
    return bool(function.body.blocks) and all(isinstance(op, uop.MicroOp | ReturnOp) for op in function.body.block.ops)


def _windows(function: FuncOp) -> Iterator[tuple[Index, Index]]:
    """The addresses that mix a summed axis with others, and the axis' length where it is not known."""
    reduced = _reduced_axes(function)
    for op in function.body.block.ops:
        if not isinstance(op, uop.ReindexOp):
            continue
        for address in op.map.data.results:
            summed = address.dims() & reduced[op.result]
            if len(address.dims()) > 1:
                yield from ((address, op.shape[axis]) for axis in sorted(summed) if op.shape[axis].constant is None)


def _reduced_axes(function: FuncOp) -> Mapping[SSAValue, set[int]]:
    """For each tensor the axes over which it is reduced, be it after elementwise operations."""
    found: defaultdict[SSAValue, set[int]] = defaultdict(set)
    for op in reversed(list(function.body.block.ops)):
        if isinstance(op, uop.ReduceOp):
            found[op.input].update(op.axis_list)
        elif isinstance(op, uop.MapOp | uop.CastOp):
            for operand in op.operands:
                found[operand].update(found[op.results[0]])
    return found


def _replace(function: FuncOp, sizes: Mapping[str, int]) -> None:
    """Put the copy for these sizes in the function's place."""
    new = _copy_for(function, sizes, function.sym_name.data)
    new.attributes = {**function.attributes, **new.attributes}
    new.sym_visibility, new.arg_attrs, new.res_attrs = function.sym_visibility, function.arg_attrs, function.res_attrs
    fix_sizes(new, {**fixed_sizes(function), **sizes})
    assert function.parent is not None, "functions stand in a module"
    function.parent.insert_op_before(new, function)
    erase(function)


def _version(function: FuncOp, sizes: Mapping[str, int], module: Block) -> FuncOp:
    """A copy for these sizes to stand beside the function."""
    hint = "_".join([function.sym_name.data, *(f"{name}_{value}" for name, value in sizes.items())])
    new = _copy_for(function, sizes, free_name(module, hint, numbered=False))
    make_version(new, sizes)
    return new


def _copy_for(function: FuncOp, sizes: Mapping[str, int], name: str) -> FuncOp:
    """A copy of the function with constants in the place of parameters; it takes the same ones all the same."""
    places: dict[Atom, IndexLike] = {Param(name): value for name, value in sizes.items()}
    body = Block(arg_types=[substituted(arg.type, places) for arg in function.args])
    outputs = [substituted(kind, places) for kind in function.function_type.outputs]
    new = FuncOp(name, FunctionType.from_lists(body.arg_types, outputs), Region(body))
    new.attributes["sw.params"] = ArrayAttr(map(StringAttr, function_params(function)))
    set_hints(new, hints_of(function))
    donate(new, donated(function))
    derive(new, (function,))
    values: dict[SSAValue, SSAValue] = dict(zip(function.args, body.args, strict=True))
    builder = Builder(body)
    for op in function.body.block.ops:
        with builder.source(op):
            builder.add(_copy(op, values, places))
    for old, arg in zip(function.args, body.args, strict=True):
        arg.name_hint = old.name_hint
    return new


def _copy(op: Operation, values: dict[SSAValue, SSAValue], places: Mapping[Atom, IndexLike]) -> Operation:
    """A copy of one operation, whose results `values` gains."""
    new = copy_with(op, values, places)
    for old, inner in list(zip(op.walk(), new.walk(), strict=True))[1:]:
        derive(inner, (old,))
    return new
