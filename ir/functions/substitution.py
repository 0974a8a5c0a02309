"""Copying of operations with parameters substituted in types, index maps and shapes."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, MemRefType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..index.expressions import Atom, IndexLike
from ..types.shapes import IndexMap, MapAttr, ShapeAttr, element_of, memref_type, shape_of, shape_params, tensor_type

Places = Mapping[Atom, IndexLike]


def substituted(attribute: Attribute, places: Places) -> Attribute:
    """A type, a shape or an index map with parameters substituted; other attributes are returned unchanged."""
    match attribute:
        case TensorType():
            return tensor_type([size.substitute(places) for size in shape_of(attribute)], element_of(attribute))
        case MemRefType():
            return memref_type([size.substitute(places) for size in shape_of(attribute)], element_of(attribute))
        case ShapeAttr():
            return ShapeAttr(tuple(size.substitute(places) for size in attribute.data))
        case MapAttr():
            return MapAttr(IndexMap.of(attribute.data.dims, [each.substitute(places) for each in attribute.data.results]))
        case ArrayAttr():
            return ArrayAttr(substituted(each, places) for each in attribute.data)
        case _:
            return attribute


def params_in(attribute: Attribute) -> tuple[str, ...]:
    """The parameters in a type, a shape or an index map, in order."""
    match attribute:
        case TensorType() | MemRefType():
            return shape_params([shape_of(attribute)])
        case ShapeAttr():
            return shape_params([attribute.data])
        case MapAttr():
            return attribute.data.params()
        case ArrayAttr():
            return tuple(dict.fromkeys(name for each in attribute for name in params_in(each)))
        case _:
            return ()


def copy_with(op: Operation, values: dict[SSAValue, SSAValue], places: Places) -> Operation:
    """Copy an operation with all nested ones. `values` maps operands to those of the copy, and is extended by its results."""
    new = type(op).create(
        operands=[values[operand] for operand in op.operands],
        result_types=[substituted(result.type, places) for result in op.results],
        properties={name: substituted(each, places) for name, each in op.properties.items()},
        attributes={name: substituted(each, places) for name, each in op.attributes.items()},
        regions=[_copy_region(region, values, places) for region in op.regions],
    )
    for old, result in zip(op.results, new.results, strict=True):
        values[old], result.name_hint = result, old.name_hint
    return new


def _copy_region(region: Region, values: dict[SSAValue, SSAValue], places: Places) -> Region:
    body = Block(arg_types=[substituted(arg.type, places) for arg in region.block.args])
    for old, arg in zip(region.block.args, body.args, strict=True):
        values[old], arg.name_hint = arg, old.name_hint
    for op in region.block.ops:
        body.add_op(copy_with(op, values, places))
    return Region(body)
