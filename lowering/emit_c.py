"""Printing the C level as C: one line for each operation, and nothing decided.

The program is one function, `int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error)`. `buffers`
holds the inputs and then the outputs; `parameters` the integers named by `sw.params` and then the number of threads. It
returns 0, or the number of the check that failed (then `error` holds the number, the value and the limit), or -1 when
memory ran out (then `error[1]` holds the bytes asked for).

Every identifier is `sw_<number>` with a hint of letters and digits behind it: no text from outside reaches the compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatchmethod
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects import cloop
from ..dialects.scalar_ops import INDEX
from ..ir.diagnostics import LegalityError
from ..ir.dtypes import BFLOAT16, DType, dtype_of
from ..ir.functions import entry_function
from ..ir.index import Apply, Atom, Dim, Index
from ..ir.shapes import IndexMap
from ..ir.values import elements_of, value_of
from .c_functions import c_call, c_cast, c_helpers, c_literal
from .naming import Names
from .source_text import SourceText, sum_text

HEADER = """\
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
"""

RUNTIME = {
    "sw_fail": """\
static void sw_fail(int64_t *error, int64_t number, int64_t value, int64_t limit) {
  int64_t none = 0;
  if (__atomic_compare_exchange_n(&error[0], &none, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    error[1] = value;
    error[2] = limit;
  }
}
""",
    "sw_floordiv": """\
static inline int64_t sw_floordiv(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
""",
    "sw_mod": """\
static inline int64_t sw_mod(int64_t a, int64_t b) {
  if (b == 0) return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
""",
    "sw_min": "static inline int64_t sw_min(int64_t a, int64_t b) { return a < b ? a : b; }\n",
    "sw_max": "static inline int64_t sw_max(int64_t a, int64_t b) { return a > b ? a : b; }\n",
}


def emit_c(module: ModuleOp) -> SourceText:
    """The C of a module's entry function, which is on the C level. Raises CompileError when there is not one entry."""
    return CEmitter().emit(entry_function(module))


class CEmitter:
    """Prints one function; `names` gives each value's C expression."""

    def __init__(self):
        self.names: dict[SSAValue, str] = {}
        self.fresh = Names()
        self.params: dict[str, str] = {}
        self.helpers: dict[str, None] = {}
        self.runtime: dict[str, None] = {}
        self.allocated: list[str] = []
        self.depth = 1
        self.source = SourceText()
        self.op: Operation | None = None

    def emit(self, function: FuncOp) -> SourceText:
        self.op = function
        for number, arg in enumerate(function.args):
            name = self._declare(arg)
            self._line(f"{self._pointer(arg)}{name} = buffers[{number}];")
        params = function.attributes["sw.params"]
        assert isinstance(params, ArrayAttr), "sw.params is an array of names"
        for number, param in enumerate(params):
            assert isinstance(param, StringAttr), "a parameter's name is a string"
            self.params[param.data] = self.fresh.make(param.data)
            self._line(f"const int64_t {self.params[param.data]} = parameters[{number}];")
        self._line(f"const int sw_threads = (int)parameters[{len(params)}];")
        for op in function.body.block.ops:
            self._operation(op)
        return self._assemble()

    def _assemble(self) -> SourceText:
        body = self.source.lines
        start = "int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) {"
        preamble = [HEADER, *(RUNTIME[name] for name in RUNTIME if name in self.runtime), c_helpers(self.helpers)]
        lines: list[tuple[str, Operation | None]] = []
        for part in preamble:
            lines += [(line, None) for line in part.splitlines()]
        lines += [("", None), (start, None), *body, ("}", None)]
        return SourceText(lines, self.source.checks)

    def _operation(self, op: Operation) -> None:
        outer, self.op = self.op, op
        self.print(op)
        self.op = outer

    @singledispatchmethod
    def print(self, op: Operation) -> None:
        """Print one operation. Raises LegalityError for what is not of the C level."""
        raise LegalityError(f"'{op.name}': expected operations of the C level", op.location)

    @print.register
    def _(self, op: ReturnOp) -> None:
        for name in reversed(self.allocated):
            self._line(f"free({name});")
        self._line("return error[0];")

    @print.register
    def _(self, op: cloop.AllocateOp) -> None:
        name = self._declare(op.result)
        size = f"({self._expr(op.count.data.results[0])}) * (int64_t)sizeof(*{name})"
        self._line(f"{self._pointer(op.result)}{name} = malloc((size_t)({size}) + 1);")
        release = " ".join(f"free({other});" for other in reversed(self.allocated))
        self._line(f"if ({name} == NULL) {{ {release} error[1] = {size}; return error[0] = -1; }}")
        self.allocated.append(name)

    @print.register
    def _(self, op: cloop.DataOp) -> None:
        element = dtype_of(op.value.get_element_type())
        elements = _elements(elements_of(op.value).reshape(-1), element)
        name = self._declare(op.result)
        self._line(f"static const {element.c} {name}[] = {{{', '.join(elements) or '0'}}};")

    @print.register
    def _(self, op: cloop.BlockOp) -> None:
        with self._braces("{"):
            self._body(op)

    @print.register
    def _(self, op: cloop.ForOp) -> None:
        name = self._declare(op.induction)
        lower, upper = self._exprs(op.index_map, op.operands_at)
        if op.threads is not None:
            (work,) = self._exprs(op.threads.data, op.operands_at)
            self._line(f"#pragma omp parallel for schedule(static) num_threads(sw_threads) if ({work} >= 0)")
        with self._braces(f"for (int64_t {name} = {lower}; {name} < {upper}; {name} += {op.step.value.data}) {{"):
            self._body(op)

    @print.register
    def _(self, op: cloop.IfOp) -> None:
        with self._braces(f"if ({self._name(op.condition)}) {{"):
            self._body(op)

    @print.register
    def _(self, op: cloop.ConstantOp) -> None:
        self._define(op.result, self._literal(op.value))

    @print.register
    def _(self, op: cloop.IndexOp) -> None:
        self._define(op.result, self._exprs(op.index_map, op.operands_at)[0])

    @print.register
    def _(self, op: cloop.TestOp) -> None:
        conditions = [f"{expr} >= 0" for expr in self._exprs(op.index_map, op.operands_at)]
        self._define(op.result, " && ".join(conditions) or "true")

    @print.register
    def _(self, op: cloop.ComputeOp) -> None:
        arguments = [self._name(value) for value in op.inputs]
        expr, helpers = c_call(op.function.data, dtype_of(op.inputs[-1].type), arguments)
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        self._define(op.result, expr)

    @print.register
    def _(self, op: cloop.CastOp) -> None:
        expr, helpers = c_cast(dtype_of(op.input.type), dtype_of(op.result.type), self._name(op.input))
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        self._define(op.result, expr)

    @print.register
    def _(self, op: cloop.VariableOp) -> None:
        start = self._name(op.start)
        self._line(f"{dtype_of(op.result.type).c} {self._declare(op.result)} = {start};")

    @print.register
    def _(self, op: cloop.AssignOp) -> None:
        self._line(f"{self._name(op.variable)} = {self._name(op.value)};")

    @print.register
    def _(self, op: cloop.LoadOp) -> None:
        element = f"{self._name(op.pointer)}[{self._exprs(op.index_map, op.operands_at)[0]}]"
        if op.condition is not None and op.fill is not None:
            element = f"{self._name(op.condition)} ? {element} : {self._name(op.fill)}"
        self._define(op.result, element)

    @print.register
    def _(self, op: cloop.StoreOp) -> None:
        (offset,) = self._exprs(op.index_map, op.operands_at)
        self._line(f"{self._name(op.pointer)}[{offset}] = {self._name(op.value)};")

    @print.register
    def _(self, op: cloop.CheckOp) -> None:
        self.runtime["sw_fail"] = None
        number = op.number.value.data
        self.source.checks[number] = op
        value, *rest = self._exprs(op.index_map, op.operands_at)
        limit = rest[0] if rest else "0"
        test = f"{value} >= 0 && {value} < {limit}" if op.kind.data == "index" else f"{value} != 0"
        self._line(f"if (!({test})) sw_fail(error, {number}, {value}, {limit});")

    # Lines and names

    def _body(self, op: cloop.BlockOp | cloop.ForOp | cloop.IfOp) -> None:
        for inner in op.body.block.ops:
            self._operation(inner)

    def _line(self, text: str) -> None:
        self.source.lines.append((("  " * self.depth if not text.startswith("#") else "") + text, self.op))

    @contextmanager
    def _braces(self, opening: str) -> Iterator[None]:
        self._line(opening)
        self.depth += 1
        yield
        self.depth -= 1
        self._line("}")

    def _define(self, value: SSAValue, expr: str) -> None:
        self._line(f"const {dtype_of(value.type).c} {self._declare(value)} = {expr};")

    def _declare(self, value: SSAValue) -> str:
        self.names[value] = self.fresh.make(value.name_hint or "")
        return self.names[value]

    def _name(self, value: SSAValue) -> str:
        return self.names[value]

    def _pointer(self, value: SSAValue) -> str:
        kind = value.type
        assert isinstance(kind, cloop.PointerType), f"expected a pointer, got {kind}"
        element, qualifier = dtype_of(kind.element).c, kind.qualifier.data
        return f"const {element} *" if qualifier == "const" else f"{element} *{qualifier}{' ' if qualifier else ''}"

    # Expressions

    def _literal(self, value: FloatAttr | IntegerAttr) -> str:
        kind = dtype_of(value.type)
        expr, helpers = c_cast(kind.compute, kind, c_literal(value_of(value), kind))
        self.helpers.update(dict.fromkeys(sorted(helpers)))
        return expr

    def _exprs(self, index_map: IndexMap, operands: tuple[SSAValue, ...]) -> list[str]:
        operand_names = [self._operand(value) for value in operands]
        return [self._expr(result, operand_names) for result in index_map.results]

    def _operand(self, value: SSAValue) -> str:
        name = self._name(value)
        return name if value.type == INDEX or dtype_of(value.type).name == "int64" else f"(int64_t){name}"

    def _expr(self, expr: Index, operands: list[str] | None = None) -> str:
        return sum_text(expr, lambda atom: self._atom(atom, operands or []))

    def _atom(self, atom: Atom, operands: list[str]) -> str:
        if isinstance(atom, Dim):
            return operands[atom.position]
        if not isinstance(atom, Apply):
            return self.params[atom.name]
        lhs, rhs = self._expr(atom.lhs, operands), self._expr(atom.rhs, operands)
        if atom.op in ("div", "rem"):
            return f"(({lhs}) {'/' if atom.op == 'div' else '%'} ({rhs}))"
        self.runtime[f"sw_{atom.op}"] = None
        return f"sw_{atom.op}({lhs}, {rhs})"


def _elements(values: Any, kind: DType) -> list[str]:
    """Literals of a static array's elements; bfloat16 is stored as its bits, since no conversion is a constant in C."""
    if kind is BFLOAT16:
        return [str(bits) for bits in values.view("uint16").tolist()]
    return [c_literal(value, kind) for value in values.tolist()]
