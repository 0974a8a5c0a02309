"""`--irdl-file`: dialects that are defined as IR, in the dialect `irdl`, as mlir-opt reads them too.

irdl.dialect @saturate {
  irdl.operation @add {
    %0 = irdl.any
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(result: %0)
  }
}

Each value of `irdl` becomes a constraint of xDSL's. A value that is used several times has to be the same attribute in all
places of an operation, including the arguments of its regions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from typing_extensions import TypeVar
from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.irdl import IRDL, irdl
from xdsl.dialects.irdl.irdl_to_pyrdl import python_name
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyAttr,
    AttrConstraint,
    AttributeDef,
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    BaseAttr,
    EqAttrConstraint,
    IntConstraint,
    IRDLOperation,
    IRDLOption,
    OpDef,
    OperandDef,
    OptOperandDef,
    OptResultDef,
    ParamAttrConstraint,
    ParamAttrDef,
    ParamDef,
    RangeConstraint,
    RegionDef,
    ResultDef,
    VarConstraint,
    VarOperandDef,
    VarResultDef,
    get_accessors_from_op_def,
)
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from ...dialects import make_context
from ...ir.diagnostics import CompileError, decoded, did_you_mean
from ...ir.functions.verification import verify
from ...ir.text.parser import parse_module

# The builtin dialect's types and attributes by MLIR's names; xDSL has other names for some.
_BUILTIN = MappingProxyType(
    {
        "!builtin.integer": builtin.IntegerType,
        "!builtin.index": builtin.IndexType,
        "!builtin.bf16": builtin.BFloat16Type,
        "!builtin.f16": builtin.Float16Type,
        "!builtin.f32": builtin.Float32Type,
        "!builtin.f64": builtin.Float64Type,
        "!builtin.complex": builtin.ComplexType,
        "!builtin.function": builtin.FunctionType,
        "!builtin.memref": builtin.MemRefType,
        "!builtin.none": builtin.NoneType,
        "!builtin.tensor": builtin.TensorType,
        "!builtin.tuple": builtin.TupleType,
        "!builtin.vector": builtin.VectorType,
        "#builtin.array": builtin.ArrayAttr,
        "#builtin.dictionary": builtin.DictionaryAttr,
        "#builtin.float": builtin.FloatAttr,
        "#builtin.integer": builtin.IntegerAttr,
        "#builtin.string": builtin.StringAttr,
        "#builtin.symbol_ref": builtin.SymbolRefAttr,
        "#builtin.unit": builtin.UnitAttr,
    }
)
# By variadicity.
_OPERANDS = MappingProxyType({"single": OperandDef, "optional": OptOperandDef, "variadic": VarOperandDef})
_RESULTS = MappingProxyType({"single": ResultDef, "optional": OptResultDef, "variadic": VarResultDef})

# The names of members that all operations and attributes have.
_TAKEN = frozenset(
    name
    for made in (IRDLOperation, ParametrizedAttribute)
    for name in (*dir(made), *(each for base in made.__mro__ for each in vars(base).get("__annotations__", ())))
)

_Definition = irdl.TypeOp | irdl.AttributeOp | irdl.OperationOp


def dialects_in(path: str, names: Sequence[str]) -> list[Dialect]:
    """The dialects that a file defines, which must not have one of `names`. Raises OSError, ParseError and VerifyError for the
    file, and CompileError for an unsupported definition."""
    context = make_context()
    context.load_dialect(IRDL)
    module = parse_module(decoded(Path(path).read_bytes(), path), context, path)
    verify(module)
    ops = [op for op in module.body.block.ops if isinstance(op, irdl.DialectOp)]
    if not ops:
        raise CompileError("expected 'irdl.dialect'", module.location)
    for number, op in enumerate(ops):
        name = op.sym_name.data
        if name in names or name in [each.sym_name.data for each in ops[:number]]:
            raise CompileError(f"dialect '{name}' is already defined", op.location)
    dialects = [_Dialect(op, context) for op in ops]
    for each in dialects:
        each.define({other.name: other for other in dialects})
    return [each.made() for each in dialects]


class _Dialect:
    """Builds a dialect from its definition: first the classes of types and attributes, then their contents and the operations,
    which may refer to any of these classes."""

    def __init__(self, op: irdl.DialectOp, context: Context):
        self.name = op.sym_name.data
        self.classes: dict[str, type[ParametrizedAttribute]] = {}
        self._context = context
        self._operations: list[type[Operation]] = []
        self._definitions = [each for each in op.body.block.ops if isinstance(each, _Definition)]
        self._dialects: dict[str, _Dialect] = {self.name: self}
        self._constraints: dict[SSAValue, AttrConstraint] = {}
        for each in self._definitions:
            if not isinstance(each, irdl.OperationOp):
                bases = (TypeAttribute, ParametrizedAttribute) if isinstance(each, irdl.TypeOp) else (ParametrizedAttribute,)
                members = dict(ParametrizedAttribute.__dict__) | {"name": each.qualified_name}
                self.classes[each.sym_name.data] = type(each.sym_name.data, bases, members)

    def define(self, dialects: dict[str, _Dialect]) -> None:
        self._dialects = dialects
        for each in self._definitions:
            self._constraints = {}
            if isinstance(each, irdl.OperationOp):
                self._operations.append(self._operation(each))
            else:
                parameters = [pair for op in _inside(each, irdl.ParametersOp) for pair in zip(op.names, op.args, strict=True)]
                definition = ParamAttrDef(
                    each.qualified_name, [(_member(name), ParamDef(self._of(value))) for name, value in parameters]
                )
                _set_definition(self.classes[each.sym_name.data], definition)

    def made(self) -> Dialect:
        return Dialect(self.name, self._operations, list(self.classes.values()))

    def _operation(self, op: irdl.OperationOp) -> type[Operation]:
        definition = OpDef(op.qualified_name)
        for each in _inside(op, irdl.OperandsOp):
            definition.operands = self._variadic(each, _OPERANDS)
        for each in _inside(op, irdl.ResultsOp):
            definition.results = self._variadic(each, _RESULTS)
        for each in _inside(op, irdl.AttributesOp):
            pairs = zip(each.attribute_value_names, each.attribute_values, strict=True)
            definition.attributes = {name.data: AttributeDef(self._of(value)) for name, value in pairs}
        regions: list[tuple[str, irdl.RegionOp]] = []
        for each in _inside(op, irdl.RegionsOp):
            pairs = zip(each.names, each.args, strict=True)
            regions = [(_member(name), cast("irdl.RegionOp", value.owner)) for name, value in pairs]
            definition.regions = [(name, self._region(region)) for name, region in regions]
        definition.options = _options(definition)
        members = dict(IRDLOperation.__dict__) | {"name": op.qualified_name}
        members |= get_accessors_from_op_def(definition, _check_of(regions))
        return type(op.get_py_class_name(), (IRDLOperation,), members)

    def _variadic(self, op: irdl.OperandsOp | irdl.ResultsOp, kinds: Any) -> list[tuple[str, Any]]:
        """The definitions of operands or results."""
        found = zip(op.names, op.variadicity.value, op.args, strict=True)
        return [(_member(name), kinds[kind.data.value](self._of(value))) for name, kind, value in found]

    def _region(self, op: irdl.RegionOp) -> RegionDef:
        """The definition of a region: the arguments of its first block, if they are constrained."""
        if op.constrained_arguments is None:
            return RegionDef()
        return RegionDef(_Arguments(tuple(map(self._of, op.entry_block_args))))

    def _of(self, value: SSAValue) -> AttrConstraint:
        """The constraint of a value."""
        if value not in self._constraints:
            op = cast("Operation", value.owner)
            made = self._constraint(op)
            several = len(list(value.uses)) > 1
            self._constraints[value] = VarConstraint(f"V{len(self._constraints)}", made) if several else made
        return self._constraints[value]

    def _constraint(self, op: Operation) -> AttrConstraint:
        match op:
            case irdl.AnyOp():
                return AnyAttr()
            case irdl.IsOp():
                return EqAttrConstraint(op.expected)
            case irdl.AnyOfOp():
                return _AnyOf(tuple(map(self._of, op.args)))
            case irdl.AllOfOp():
                return AllOf[Attribute](tuple(map(self._of, op.args)))
            case irdl.BaseOp() if op.base_name is not None:
                return BaseAttr(self._named(op.base_name.data, op))
            case irdl.BaseOp():
                assert op.base_ref is not None, "verified"
                return BaseAttr(self._class(op.base_ref, op))
            case irdl.ParametricOp():
                return ParamAttrConstraint(self._class(op.base_type, op), tuple(map(self._of, op.args)))
            case _:
                raise CompileError(f"'{op.name}' is not supported in files of dialects", op.location)

    def _named(self, name: str, op: Operation) -> type[Attribute]:
        """The class of a type `!dialect.name` or attribute `#dialect.name`."""
        dialect, _, short = name[1:].partition(".")
        found: type[Attribute] | None = _BUILTIN.get(name)
        if found is None and dialect in self._dialects:
            found = self._dialects[dialect].classes.get(short)
        if found is None:
            get = self._context.get_optional_type if name.startswith("!") else self._context.get_optional_attr
            found = get(name[1:])
        if found is None:
            raise CompileError(f"no type or attribute '{name}'{did_you_mean(name, _BUILTIN)}", op.location)
        return found

    def _class(self, reference: builtin.SymbolRefAttr, op: Operation) -> type[ParametrizedAttribute]:
        """The class that `@name` means in this dialect, or `@dialect::@name`."""
        *outer, name = reference.root_reference.data, *(each.data for each in reference.nested_references)
        dialect = self._dialects.get(outer[0]) if outer else self
        found = dialect.classes.get(name) if dialect is not None and len(outer) < 2 else None
        if found is None:
            spelled = "::".join(f"@{each}" for each in (*outer, name))
            hint = did_you_mean(name, dialect.classes) if dialect is not None else ""
            raise CompileError(f"no type or attribute '{spelled}'{hint}", op.location)
        return found


@dataclass(frozen=True)
class _AnyOf(AttrConstraint):
    """One of several constraints: the first one that an attribute fulfils. xDSL's own class refuses constraints of one kind."""

    alternatives: tuple[AttrConstraint, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        for each in self.alternatives:
            with suppress(VerifyException):
                each.verify(attr, deepcopy(constraint_context))
                each.verify(attr, constraint_context)
                return
        raise VerifyException(f"{attr} fulfils none of {len(self.alternatives)} constraints")

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> _AnyOf:
        return _AnyOf(tuple(each.mapping_type_vars(type_var_mapping) for each in self.alternatives))


@dataclass(frozen=True)
class _Arguments(RangeConstraint):
    """The types of a block's arguments: one constraint for each."""

    each: tuple[AttrConstraint, ...]

    def verify(self, attrs: Sequence[Attribute], constraint_context: VerificationContext) -> None:
        self.verify_length(len(attrs), constraint_context)
        for number, (attr, constraint) in enumerate(zip(attrs, self.each, strict=True)):
            try:
                constraint.verify(attr, constraint_context)
            except VerifyException:
                raise VerifyException(f"argument {number} does not verify: {attr}") from None

    def verify_length(self, length: int, constraint_context: VerificationContext) -> None:
        if length != len(self.each):
            raise VerifyException(f"expected {len(self.each)} arguments, got {length}")

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> _Arguments:
        return _Arguments(tuple(each.mapping_type_vars(type_var_mapping) for each in self.each))


def _inside(op: _Definition, kind: type[Any]) -> list[Any]:
    return [each for each in op.body.block.ops if isinstance(each, kind)]


def _member(name: builtin.StringAttr) -> str:
    """The name of a member of a class, changed if all operations and attributes have a member of that name."""
    found = python_name(name.data)
    return f"{found}_" if found in _TAKEN else found


def _set_definition(made: type[ParametrizedAttribute], definition: ParamAttrDef) -> None:
    def get_irdl_definition(cls: type[ParametrizedAttribute]) -> ParamAttrDef:
        return definition

    setattr(made, "get_irdl_definition", classmethod(get_irdl_definition))  # noqa: B010 - to pyright it is a method


def _options(definition: OpDef) -> list[IRDLOption]:
    """The options of an operation: if several operands or results are variadic, their numbers are attributes."""
    counted: list[IRDLOption] = []
    if sum(isinstance(each, VarOperandDef) for _, each in definition.operands) > 1:
        counted.append(AttrSizedOperandSegments())
    if sum(isinstance(each, VarResultDef) for _, each in definition.results) > 1:
        counted.append(AttrSizedResultSegments())
    return counted


def _check_of(regions: Sequence[tuple[str, irdl.RegionOp]]) -> Callable[[Any], None]:
    """A function that verifies the numbers of blocks of an operation's regions."""

    def check(made: Any) -> None:
        for name, op in regions:
            region: Region = getattr(made, name)
            if op.number_of_blocks is not None and len(region.blocks) != op.number_of_blocks.value.data:
                count = op.number_of_blocks.value.data
                raise VerifyException(f"region '{name}': expected {count} blocks, got {len(region.blocks)}")
            if op.constrained_arguments is not None and region.first_block is None and op.entry_block_args:
                raise VerifyException(f"region '{name}': expected {len(op.entry_block_args)} arguments, got no block")

    return check
