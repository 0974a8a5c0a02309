"""specialize-sizes: add a version of a function in which the sizes of small windows and short axes are constants.

    func @f(%x: [h, w], %k: [a, b]) attributes {sw.hints = {a = 3, b = 3}}
      %0 = uop.reindex %x (i, j, p, q) -> (i + p, j + q)
      ... uop.reduce "add" axes [2, 3]
                                                    ->   func @f as before
                                                         func private @f_a_3_b_3 attributes {sw.version = (a - 3, 3 - a, ...)}
                                                           the same for a = 3, b = 3

1. A window is an address that adds a reduced axis to another one. Loops over reduced axes are short, and loop overhead is a
   large part of their time. With known lengths the loops are fully unrolled, elements shared by neighbouring windows stay in
   registers, and short sums need no wider accumulators.
2. Fix the parameters in the extents of these axes and in the addresses, if the first call (`sw.hints`) has at most `window` for
   them. Long loops gain nothing from known lengths, and sizes of images vary.
3. Fix the parameters of short axes next to long ones too (`short_axes.py`): rows of three coordinates, or products with ten
   columns.
4. The version is a copy with constants substituted. Without such sizes there is no version, and nothing is compiled twice.
   Hints for other sizes remain, for passes that choose between schedules.
5. With `only`, the version replaces the function, and `sw.sizes` records its sizes: a caller that can compile again for other
   sizes need not wait for code that may never run.
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
from ...ir.rewrite import Builder, count, derive, derive_copy, erase
from ..manager.options import limited
from .short_axes import short_axes

# Hints of larger sizes do not affect later schedules.
FEW = 8


@dataclass(frozen=True)
class SpecializeSizes(ModulePass):
    """Sizes of at most `window`, and `columns` of a product, get a version, which with `only` replaces the function. Sizes > 8
    are used only here; later passes do not see them."""

    name = "specialize-sizes"

    window: int = limited(FEW, least=0)
    columns: int = limited(LARGEST_HINT, least=0)
    only: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [each for each in op.body.block.ops if isinstance(each, FuncOp) and not is_private(each)]:
            hints = hints_of(function)
            if not hints or not _is_on_micro_ops(function):
                continue
            sizes = {name: hints[name] for name in self._parameters_to_fix(function, hints)}
            set_hints(function, {name: value for name, value in hints.items() if name not in sizes and value <= FEW})
            if not sizes:
                continue
            count("versions", "Number of versions for known sizes")
            if self.only:
                _replace(function, sizes)
            else:
                op.body.block.add_op(_version(function, sizes, op.body.block))

    def _parameters_to_fix(self, function: FuncOp, hints: Mapping[str, int]) -> list[str]:
        """The small parameters of windows and axes, in the function's order."""

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
    """The addresses that add a reduced axis to others, each with the axis' length, if that is unknown."""
    reduced = _reduced_axes(function)
    for op in function.body.block.ops:
        if not isinstance(op, uop.ReindexOp):
            continue
        for address in op.map.data.results:
            summed = address.dims() & reduced[op.result]
            if len(address.dims()) > 1:
                yield from ((address, op.shape[axis]) for axis in sorted(summed) if op.shape[axis].constant is None)


def _reduced_axes(function: FuncOp) -> Mapping[SSAValue, set[int]]:
    """For each tensor the axes over which it is reduced, possibly after elementwise operations."""
    found: defaultdict[SSAValue, set[int]] = defaultdict(set)
    for op in reversed(list(function.body.block.ops)):
        if isinstance(op, uop.ReduceOp):
            found[op.input].update(op.axis_list)
        elif isinstance(op, uop.MapOp | uop.CastOp):
            for operand in op.operands:
                found[operand].update(found[op.results[0]])
    return found


def _replace(function: FuncOp, sizes: Mapping[str, int]) -> None:
    """Replace the function by the copy for these sizes."""
    new = _copy_for(function, sizes, function.sym_name.data)
    new.attributes = {**function.attributes, **new.attributes}
    new.sym_visibility, new.arg_attrs, new.res_attrs = function.sym_visibility, function.arg_attrs, function.res_attrs
    fix_sizes(new, {**fixed_sizes(function), **sizes})
    assert function.parent is not None, "functions have a parent module"
    function.parent.insert_op_before(new, function)
    erase(function)


def _version(function: FuncOp, sizes: Mapping[str, int], module: Block) -> FuncOp:
    """A copy for these sizes, as a version next to the function."""
    hint = "_".join([function.sym_name.data, *(f"{name}_{value}" for name, value in sizes.items())])
    new = _copy_for(function, sizes, free_name(module, hint, numbered=False))
    make_version(new, sizes)
    return new


def _copy_for(function: FuncOp, sizes: Mapping[str, int], name: str) -> FuncOp:
    """A copy of the function with constants substituted for parameters; its signature is unchanged."""
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
    """A copy of one operation; `values` gains its results."""
    new = copy_with(op, values, places)
    derive_copy(new, op)
    return new
