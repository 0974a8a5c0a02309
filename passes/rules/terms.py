"""Pattern ASTs: the two sides of a rewrite rule, `log(1 + x) -> log1p(x)`, as trees.

A side is written as a Python expression: operators, scalar functions, numbers and variables. A variable in capital letters
matches constants only. `sum`, `prod`, `max`, `min`, `any` and `all` of one operand are reductions, all over the axes of the
rule; reduced values are broadcast against the others. A side may name subterms first, as statements:
`m = max(x); exp(x - m)`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from ...ir.diagnostics import CompileError, did_you_mean
from ...ir.scalars.table import SCALARS, scalar

REDUCTIONS: Mapping[str, str] = MappingProxyType(
    {"sum": "add", "prod": "mul", "max": "max", "min": "min", "any": "or", "all": "and"}
)
_NUMBERS: Mapping[str, float] = MappingProxyType({"inf": math.inf, "pi": math.pi})
_OPERATORS: Mapping[type[ast.AST], str] = MappingProxyType(
    {
        **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod"},
        **{ast.Pow: "pow", ast.LShift: "shift_left", ast.RShift: "shift_right", ast.BitAnd: "and", ast.BitOr: "or"},
        **{ast.BitXor: "xor", ast.USub: "neg", ast.Invert: "not"},
    }
)


class RuleError(CompileError):
    """A rewrite rule that cannot be declared, or rules that do not terminate."""


@dataclass(frozen=True)
class Variable:
    """Any tensor, the same at each occurrence of the name; in capital letters a constant."""

    name: str

    @property
    def is_constant(self) -> bool:
        return self.name.isupper()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Number:
    """A number, in the dtype of the operands next to it. -0.0 and 0.0 differ."""

    value: float | int | bool

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, eq=False)
class Call:
    """A scalar function, elementwise."""

    function: str
    operands: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.operands))})"


@dataclass(frozen=True, eq=False)
class Reduction:
    """A reduction over the axes of the rule."""

    accumulator: str
    operand: Term

    def __str__(self) -> str:
        return f"reduce_{self.accumulator}({self.operand})"


Term: TypeAlias = Variable | Number | Call | Reduction


def operands_of(term: Term) -> tuple[Term, ...]:
    """The children of a term."""
    if isinstance(term, Call):
        return term.operands
    return (term.operand,) if isinstance(term, Reduction) else ()


def parts(term: Term) -> Iterator[Term]:
    """A term and all its subterms, with repetitions."""
    yield term
    for operand in operands_of(term):
        yield from parts(operand)


def variables_of(term: Term) -> tuple[str, ...]:
    """The names of a term's variables, in order."""
    return tuple(dict.fromkeys(each.name for each in parts(term) if isinstance(each, Variable)))


def conditions_of(term: Term) -> tuple[str, ...]:
    """The names of the variables used as conditions, which are bools."""
    found = [each.operands[0] for each in parts(term) if isinstance(each, Call) and each.function == "select"]
    return tuple(dict.fromkeys(each.name for each in found if isinstance(each, Variable)))


def depth_of(term: Term) -> int:
    """The height of a term, in operations."""
    below = max(map(depth_of, operands_of(term)), default=0)
    return below + isinstance(term, Call | Reduction)


@lru_cache(maxsize=1 << 12)
def is_reduced(term: Term) -> bool:
    """Whether a term lacks the reduced axes. Numbers and constants broadcast anywhere and are ignored."""
    if isinstance(term, Reduction):
        return True
    shaped = [each for each in operands_of(term) if not fits_anywhere(each)]
    return bool(shaped) and all(map(is_reduced, shaped))


@lru_cache(maxsize=1 << 12)
def fits_anywhere(term: Term) -> bool:
    """Whether a term contains only numbers and constants, which have no shape of their own."""
    if isinstance(term, Call):
        return all(map(fits_anywhere, term.operands))
    return isinstance(term, Number) or (isinstance(term, Variable) and term.is_constant)


def parse_term(text: str, rule: str) -> Term:
    """Parse a side of the rule of that name. Raises RuleError if `text` is no valid expression."""
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise RuleError(f"rule '{rule}', in '{text}': {error.msg}") from error
    return _Reader(text, rule).read(statements)


class _Reader:
    """Builds a term from Python's syntax tree."""

    def __init__(self, text: str, rule: str):
        self.place = f"rule '{rule}', in '{text}'"
        self.named: dict[str, Term] = {}

    def read(self, statements: list[ast.stmt]) -> Term:
        for statement in statements[:-1]:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.named[name] = self.term(value)
                case _:
                    self.fail(statement, "expected `name = expression`")
        match statements:
            case [*_, ast.Expr(value=value)]:
                return self.term(value)
        raise RuleError(f"{self.place}: expected an expression at the end")

    def term(self, node: ast.expr) -> Term:
        match node:
            case ast.Constant(value=int() | float() as value):
                return Number(value)
            case ast.Name(id=name):
                return self.named.get(name) or (Number(_NUMBERS[name]) if name in _NUMBERS else Variable(name))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                inner = self.term(operand)
                if isinstance(inner, Number) and isinstance(op, ast.USub):
                    return Number(-inner.value)
                return Call(_OPERATORS[type(op)], (inner,))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return Call(_OPERATORS[type(op)], (self.term(left), self.term(right)))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(node, name, [self.term(each) for each in arguments])
        self.fail(node, "expected functions, operators, numbers and variables")

    def call(self, node: ast.expr, name: str, operands: list[Term]) -> Term:
        if name in REDUCTIONS and len(operands) == 1:
            if is_reduced(operands[0]):
                self.fail(node, "reduction of a value that is already reduced")
            return Reduction(REDUCTIONS[name], operands[0])
        # Spellings of Python keywords, such as `and_`.
        name = name.removesuffix("_")
        if name not in SCALARS:
            self.fail(node, f"unknown function '{name}'{did_you_mean(name, [*SCALARS, *REDUCTIONS])}")
        if scalar(name).arity != len(operands):
            self.fail(node, f"'{name}' takes {scalar(name).arity} operands, got {len(operands)}")
        return Call(name, tuple(operands))

    def fail(self, node: ast.AST, message: str) -> NoReturn:
        raise RuleError(f"{self.place}, at '{ast.unparse(node)}': {message}")
