"""Parsing of MLIR text to operations with locations.

`parse_module` extends xDSL's parser: operations without `loc(...)` get their position in the text; location aliases at the end
of the file, ranges, fused metadata and block names such as `^0` are accepted; strings are lexed in linear time; splat constants
are packed, not listed; resources of other tools (`{-# ... #-}`) are kept; nesting is limited; and every failure is a
`ParseError` with a position and, for names, a suggestion.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FusedLoc,
    IndexType,
    IntegerType,
    LocationAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
)
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, SSAValue, TypeAttribute
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.parser.generic_parser import ParserState
from xdsl.utils import exceptions as xdsl_errors
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..diagnostics import CompileError, Note, ParseError, did_you_mean
from ..gc_control import collection_paused
from ..locations import UNKNOWN, Frame, file_location, is_known
from ..nesting import MAX_NESTING, nesting, with_stack_for
from .lexer import Lexer

# The largest splat constant in bytes: it is stored in full, so that a larger one would exhaust the memory.
MAX_SPLAT_BYTES = 1 << 28

# MLIR's limit. For wider integers, the bounds of the range of values would exhaust the memory.
MAX_INTEGER_WIDTH = (1 << 24) - 1

Resource = str | int | bool
Resources = Mapping[str, Mapping[str, Resource]]

# The exceptions of xDSL's parser and of constructors called by it on malformed text, besides its own ParseError.
_MALFORMED = (
    xdsl_errors.DiagnosticException,
    xdsl_errors.UnregisteredConstructException,
    xdsl_errors.PyRDLError,
    xdsl_errors.BuilderNotFoundException,
    ValueError,
    OverflowError,
    AssertionError,
    LookupError,
    TypeError,
    AttributeError,
    NotImplementedError,
)


# xDSL's message for a token that starts no operation; it is replaced by a clearer one.
_NO_OPERATION = "Could not parse entire input!"


@dataclass(frozen=True)
class ParsedFile:
    """A module, and the resources (`{-# external_resources: ... #-}`) in its file for other tools."""

    module: ModuleOp
    resources: Resources


def parse_module(
    text: str, ctx: Context, file: str = "<string>", first_line: int = 1, allow_implicit_module: bool = True
) -> ModuleOp:
    """Parse a module. `first_line` is the number of the text's first line, if it is a part of a file. With
    `allow_implicit_module`, operations without a module around them get one.

    Raises ParseError, with the position in the text.
    """
    return parse_file(text, ctx, file, first_line, allow_implicit_module).module


def parse_file(
    text: str, ctx: Context, file: str = "<string>", first_line: int = 1, allow_implicit_module: bool = True
) -> ParsedFile:
    """Parse a module and the file's resources, as `parse_module`."""
    source = Source(text, file, first_line)
    deepest = nesting(text)
    if deepest.depth > MAX_NESTING:
        raise ParseError(f"nesting too deep: more than {MAX_NESTING} levels of brackets", source.frame(deepest.offset))
    with collection_paused():
        return with_stack_for(deepest.depth, lambda: _parse(source, ctx, allow_implicit_module))


class Source:
    """A text, with the line and column of each offset."""

    def __init__(self, text: str, file: str, first_line: int = 1):
        self.text = text
        self.file = file
        self._first_line = first_line
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def frame(self, offset: int) -> Frame:
        """The position of an offset, counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return Frame(self.file, self._first_line + line - 1, offset - self._line_starts[line - 1] + 1)

    def location(self, offset: int) -> LocationAttr:
        """The position of an offset, as a location."""
        return file_location(*self.frame(offset)[:3])


def _parse(source: Source, ctx: Context, allow_implicit_module: bool) -> ParsedFile:
    parser: _Parser | None = None
    try:
        parser = _Parser(ctx, source)
        module = parser.parse_module()
    except xdsl_errors.ParseError as error:
        raise _from_xdsl(error, source) from error
    except CompileError:
        raise
    except RecursionError as error:
        raise ParseError("nesting too deep", _position(parser, source)) from error
    except _MALFORMED as error:
        raise ParseError(_first_line(error) or "malformed input", _position(parser, source)) from error
    if not is_known(module.location):  # the offset is not in the text
        if not allow_implicit_module:
            first = module.body.block.first_op
            place = first.location if first is not None else source.location(0)
            raise ParseError("expected a 'builtin.module' around all operations", place)
        module.location = source.location(0)
    return ParsedFile(module, parser.resources)


def _from_xdsl(error: xdsl_errors.ParseError, source: Source) -> ParseError:
    notes: list[Note] = []
    if isinstance(error, xdsl_errors.MultipleSpansParseError):
        notes = [Note(text or error.ref_text or "", source.frame(span.start)) for span, text in error.refs]
    message = "expected an operation" if error.msg == _NO_OPERATION else error.msg
    message = message.replace("{first_char}", f"'{source.text[error.span.start : error.span.start + 1]}'")
    return ParseError(message, source.frame(min(error.span.start, len(source.text))), notes)


def _position(parser: _Parser | None, source: Source) -> Frame:
    return source.frame(parser.pos if parser is not None else 0)


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    text = " ".join(lines[:2]) if lines and lines[0].endswith(":") else next(iter(lines), "")
    # Python's own message advises to raise its limit.
    return "an integer of too many digits" if "integer string conversion" in text else text


class _Bits(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage] -- xDSL has no other place for this
    """A hexadecimal number in a constant: the bits of a float, as of infinities and NaNs, or an integer."""

    def to_type(self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType):
        if not isinstance(type, AnyFloat):
            return super().to_type(parser, type)
        assert isinstance(self.value, int), "hexadecimal numbers are integers"
        if self.is_negative or self.value.bit_length() > 8 * type.compile_time_size:
            parser.raise_error(f"expected the bits of a number of type {type}", self.span)
        return next(type.iter_unpack(self.value.to_bytes(type.compile_time_size, "little")))


class _Parser(Parser):
    """xDSL's parser, with positions, forward aliases, more forms of locations and suggestions."""

    _ALIAS_DEFINITION = re.compile(r"^[ \t]*([#!][\w$.-]+)[ \t]*=", re.MULTILINE)
    # A type of tensors or buffers, and in one a name that may be an alias.
    _TYPE = re.compile(r'(?:tensor|memref|vector)<(?:->|[^<>"]|<(?:->|[^<>"]|<(?:->|[^<>"]|<(?:->|[^<>"])*+>)*+>)*+>)*+>')
    _ALIAS = re.compile(r"[#!](?![A-Za-z_][\w$-]*\.)")
    _NOT_A_SPLAT = re.compile(r'\s*[\["(>]')

    def __init__(self, ctx: Context, source: Source):
        super().__init__(ctx, "", source.file)
        self._source = source
        self._parser_state = ParserState(Lexer(Input(source.text, source.file)))
        self.resources: dict[str, dict[str, Resource]] = {}
        # The first use of each value that is not defined yet.
        self._first_uses: dict[str, Frame] = {}
        # The start of the name of each operation that is being parsed, innermost last.
        self._names: list[int] = []
        # The start of the token after the last location: distinguishes `op loc(unknown)` from an operation without location.
        self._after_location = -1
        # Operations with an explicit `loc(unknown)`.
        self._stated_unknown: set[Operation] = set()
        # Offsets of the alias definitions, found when the first alias is used before its definition.
        self._definitions: dict[str, int] | None = None
        # Aliases whose definition was read ahead; None while it is being read.
        self._read_ahead: dict[str, int | None] = {}
        # The types that were read, by their text.
        self._types: dict[str, TypeAttribute] = {}

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if self._current_token.kind == MLIRTokenKind.EOF:
            return ModuleOp([])
        try:
            return super().parse_module(allow_implicit_module)
        except xdsl_errors.ParseError:
            if self._current_token.kind != MLIRTokenKind.EOF or not self.forward_ssa_references:
                raise
            # xDSL reports the end of the text, not the use.
            name = next(iter(self.forward_ssa_references))
            raise ParseError(f"value '%{name}' is used but not defined", self._first_uses[name]) from None

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values:
            self._first_uses.setdefault(operand.operand_name, self._source.frame(operand.span.start))
        return super().resolve_operand(operand, type)

    def parse_optional_type(self) -> TypeAttribute | None:
        """A type; a type whose text was read before is not parsed again, since most operations have types of earlier
        operations."""
        start = self.pos
        match = self._TYPE.match(self._source.text, start)
        if match is None:
            return super().parse_optional_type()
        known = self._types.get(match.group())
        if known is not None:
            self._resume_from(match.end())
            return known
        found = super().parse_optional_type()
        # The pattern may end earlier than the type, at a `>` with another meaning.
        is_whole = not self._source.text[match.end() : self.pos].strip()
        if found is not None and is_whole and self._ALIAS.search(match.group()) is None:
            self._types[match.group()] = found
        return found

    # Positions.

    def parse_operation(self) -> Operation:
        self._names.append(self.pos)
        op = super().parse_operation()
        name = self._names.pop()
        if not is_known(op.location):
            if self._after_location == self.pos:
                self._stated_unknown.add(op)
            else:
                op.location = self._source.location(name)
        self._locate_implicit_terminators(op)
        return op

    def _locate_implicit_terminators(self, op: Operation) -> None:
        """Give implicit terminators, which the enclosing operation creates, its location."""
        for region in op.regions:
            for block in region.blocks:
                last = block.last_op
                if last is not None and not is_known(last.location) and last not in self._stated_unknown:
                    last.location = op.location

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._names[-1] = self.pos
        return results

    def parse_optional_location(self) -> LocationAttr | None:
        location = super().parse_optional_location()
        if location is not None:
            self._after_location = self.pos
        return location

    def _parse_location(self) -> LocationAttr:
        token = self._current_token
        if token.text == "fused":
            return self._parse_fused_location()
        if token.kind == MLIRTokenKind.BYTES_LIT:
            # Files and functions may have any name, which is printed with escapes.
            self._parser_state.current_token = Token(MLIRTokenKind.STRING_LIT, token.span)
        location = super()._parse_location()
        if isinstance(location, FileLineColLoc) and self.parse_optional_keyword("to") is not None:
            self._skip_range_end()
        return location

    def _parse_fused_location(self) -> LocationAttr:
        self.parse_keyword("fused")
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        sources = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
        return FusedLoc(tuple(sources), metadata) if sources else UNKNOWN

    def _skip_range_end(self) -> None:
        """Skip `to :35` or `to 9:4`. xDSL has no attribute for a range; messages need its start only."""
        if self.parse_optional_punctuation(":") is None:
            self.parse_integer(allow_boolean=False, allow_negative=False)
            self.parse_punctuation(":")
        self.parse_integer(allow_boolean=False, allow_negative=False)

    # Aliases used before their definition.

    def _parse_extended_type_or_attribute(self, attr_or_dialect_name: str, is_type: bool) -> Attribute:  # pyright: ignore[reportIncompatibleMethodOverride] -- overloads
        if "." not in attr_or_dialect_name and self._current_token.kind != MLIRTokenKind.LESS:
            self._read_alias_ahead(("!" if is_type else "#") + attr_or_dialect_name)
        return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)

    def _read_alias_ahead(self, alias: str) -> None:
        if alias in self.attribute_aliases:
            return
        if self._definitions is None:
            matches = self._ALIAS_DEFINITION.finditer(self._source.text)
            self._definitions = {match.group(1): match.start(1) for match in matches}
        start = self._definitions.get(alias)
        if start is None:
            self.raise_error(f"undefined alias '{alias}'{did_you_mean(alias, self._definitions)}", self._start_of(alias))
        if alias in self._read_ahead:
            self.raise_error(f"alias '{alias}' is defined by itself", self._start_of(alias))
        self._read_ahead[alias] = None
        token, after = self._parser_state.current_token, self.lexer.pos
        self._resume_from(start)
        super()._parse_alias_def()
        self._parser_state.current_token, self.lexer.pos = token, after
        self._read_ahead[alias] = start

    def _parse_alias_def(self) -> None:
        alias = self._current_token.text
        if self._read_ahead.get(alias) == self.pos:
            del self.attribute_aliases[alias]
        super()._parse_alias_def()

    # Blocks may have any name, and each is defined once.

    def _parse_block(self) -> Block:
        name = self._parse_token(MLIRTokenKind.CARET_IDENT, "block name expected").span
        block = self._get_block_from_name(name)
        defined = self.blocks[name.text[1:]][1]
        if defined is not None:
            notes = [Note("first defined here", self._source.frame(defined.start))]
            raise ParseError(f"block '{name.text}' is defined twice", self._source.frame(name.start), notes)
        self.blocks[name.text[1:]] = (block, name)
        self.forward_block_references.pop(name.text[1:])
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":")
        self._parse_block_body(block)
        return block

    def parse_optional_successor(self) -> Block | None:
        token = self._parse_optional_token(MLIRTokenKind.CARET_IDENT)
        return None if token is None else self._get_block_from_name(token.span)

    # Constants and their types.

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:
        element = super()._parse_tensor_literal_element()
        if element.span.text[:2] in ("0x", "0X"):
            return _Bits(element.is_negative, element.value, element.span)
        return element

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        start = self.pos
        parsed = super()._parse_optional_integer_or_float_type()
        if isinstance(parsed, IntegerType) and parsed.width.data > MAX_INTEGER_WIDTH:
            self.raise_error(f"integers have at most {MAX_INTEGER_WIDTH} bits", start)
        return parsed

    def parse_dense_int_or_fp_elements_attr(self, type) -> DenseIntOrFPElementsAttr:  # pyright: ignore[reportMissingParameterType]
        if type is not None or self._NOT_A_SPLAT.match(self._source.text, self.lexer.pos):
            return super().parse_dense_int_or_fp_elements_attr(type)
        start = self.pos
        self.parse_punctuation("<")
        element = self._parse_tensor_literal_element()
        self.parse_punctuation(">")
        self.parse_punctuation(":")
        whole = self._parse_dense_literal_type()
        value = element.to_type(self, whole.element_type)
        one = TensorType(whole.element_type, [1])
        # `to_type` has matched the value to the type, which the overloads cannot express.
        packed = DenseIntOrFPElementsAttr.from_list(one, [value]).data.data  # pyright: ignore[reportCallIssue,reportArgumentType]
        count = math.prod(whole.get_shape())
        if count * len(packed) > MAX_SPLAT_BYTES:
            self.raise_error(f"constant of {count * len(packed)} bytes: at most {MAX_SPLAT_BYTES} are supported", start)
        return DenseIntOrFPElementsAttr(whole, BytesAttr(packed * count))

    # Resources of other tools.

    def _parse_external_resources(self) -> None:
        self.parse_comma_separated_list(self.Delimiter.BRACES, self._parse_external_resource)

    def _parse_external_resource(self) -> None:
        name = self.parse_identifier()
        self.parse_punctuation(":")
        entries = self.parse_comma_separated_list(self.Delimiter.BRACES, self._parse_resource_entry)
        self.resources[name] = dict(entries)

    def _parse_resource_entry(self) -> tuple[str, Resource]:
        key = self.parse_identifier()
        self.parse_punctuation(":")
        for parse_value in (self.parse_optional_str_literal, self.parse_optional_boolean, self.parse_optional_integer):
            value = parse_value()
            if value is not None:
                return key, value
        self.raise_error("expected a string, a boolean or an integer")

    # Names.

    def _get_op_by_name(self, name: str) -> type[Operation]:
        found = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if found is not None:
            return found
        self._raise_unknown("operation", name, self.ctx.loaded_ops, self._names[-1])

    def _parse_dialect_type_or_attribute_body(
        self, attr_name: str, is_type: bool, is_opaque: bool, starting_opaque_pos: int | None
    ):
        find = self.ctx.get_optional_type if is_type else self.ctx.get_optional_attr
        if "." in attr_name and find(attr_name) is None:
            known = self.ctx.loaded_types if is_type else self.ctx.loaded_attrs
            self._raise_unknown("type" if is_type else "attribute", attr_name, known, self._start_of(attr_name))
        return super()._parse_dialect_type_or_attribute_body(attr_name, is_type, is_opaque, starting_opaque_pos)

    def _start_of(self, name: str) -> int:
        """The offset of a name that has just been parsed."""
        start = self._source.text.rfind(name, 0, self.pos)
        return start if start >= 0 else self.pos

    def _raise_unknown(self, kind: str, name: str, known: Iterable[type[Operation | Attribute]], position: int) -> NoReturn:
        dialect, dot, _ = name.partition(".")
        dialects = set(self.ctx.registered_dialect_names)
        if dot and dialect not in dialects:
            self.raise_error(f"unknown dialect '{dialect}' of {kind} '{name}'{did_you_mean(dialect, dialects)}", position)
        names = [entry.name for entry in known]
        # The default dialects of the enclosing operation may be left out of a name.
        names += [each.partition(".")[2] for each in names if not dot]
        self.raise_error(f"unknown {kind} '{name}'{did_you_mean(name, names)}", position)
