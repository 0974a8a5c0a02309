"""Printing the C level as C: one line for each operation, and nothing decided.

The program is entered by `int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error)`. `buffers`
holds the inputs and then the outputs; `parameters` the integers named by `sw.params` and then the number of threads. It
returns 0, or the number of the check that failed (then `error` holds the number, the value and the limit), or -1 when
memory ran out (then `error[1]` holds the bytes asked for, -1 for more than 2^50). Versions for known sizes are functions of
the same kind, which it calls in its own place for the parameters that they are made for; so is what runs step after step.

A long program's blocks, and parts of long blocks, are functions, and each function a unit, which may be compiled without the
others: where `SW_UNITS` is defined, the text has those units for whose numbers `SW_UNIT_<number>` is 1, 0 being the one of the
entry, the vector helpers that these need, and what units share, as what runs step after step. Without it the text is the whole.
A part of a function (`sw.part`) is a static function in front of it, in the same unit.

Every identifier is `sw_<number>` with a hint of letters and digits behind it: no text from outside reaches the compiler.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects import cloop
from ...dialects.cloop.calls import may_fail
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function, function_params, is_part, is_unit
from ...ir.functions.versions import condition_of, versions_of
from ...ir.nesting import operations
from ..emission.naming import Names
from ..emission.source_text import SourceText
from .assembly import Assembly, Printed
from .statements import StatementEmitter
from .vectors import c_vector_helpers


class Unit(NamedTuple):
    """C of one unit alone, and the section of the whole program's text that is this unit's."""

    text: str
    section: str


class CEmitter(StatementEmitter):
    """Prints a module's entry function, which is on the C level, with its versions and all that they call; units before the
    rest of their module is on that level. Those are not printed again: until the end nobody may touch them.

    Raises CompileError when there is not one entry, or a part of a function is called in two places.
    """

    def __init__(self):
        super().__init__()
        self.assembly = Assembly()
        self.numbers: dict[FuncOp, int] = {}
        self.printed: dict[FuncOp, Printed] = {}

    def emit(self, module: ModuleOp) -> SourceText:
        function = entry_function(module)
        has_units = any(isinstance(op, FuncOp) and is_unit(op) for op in module.body.block.ops)
        self._begin(1 if has_units else None)
        versions = {f"sw_version_{number}": version for number, version in enumerate(versions_of(function), 1)}
        for name, version in versions.items():
            self._callees(version)
            with self.assembly.in_unit(0):
                self._add(version, f"static {_head(name)}")
        self._callees(function)
        with self.assembly.in_unit(0):
            self._add_parts(function)
            self.assembly.add(self._print(function, _head("sw_main"), versions))
        return self.assembly.source()

    def emit_unit(self, function: FuncOp) -> Unit:
        self._begin(None)
        self.assembly.runtime["sw_unit"] = None
        self._callees(function, with_units=False)
        name = self._declare_unit(function)
        start = len(self.assembly.lines)
        self._add(function, _head(name))
        section = "\n".join(line for line, _ in self.assembly.lines[start:])
        return Unit(self.assembly.source().text, section)

    def _begin(self, units: int | None) -> None:
        self.assembly, self.callees, self.numbers = Assembly(units), {}, {}
        if units is not None:
            self.assembly.runtime["sw_unit"] = None

    def _callees(self, function: FuncOp, *, with_units: bool = True) -> None:
        """Add the functions that one calls, and before them those that they call; units may be declared only."""
        for callee in [op.callee for op in operations(function) if isinstance(op, cloop.CallOp)]:
            if callee in self.callees:
                continue
            if is_part(callee):  # stands with who calls it; what it calls stands in front of both
                self._callees(callee, with_units=with_units)
                continue
            if with_units or not is_unit(callee):
                self._callees(callee, with_units=with_units)
            if not is_unit(callee):
                self.callees[callee] = self._callee_name(callee)
                self._add(callee, f"static {_head(self.callees[callee])}")
                continue
            name = self._declare_unit(callee)
            if with_units:
                assert self.assembly.units is not None, "looked for units at first"
                with self.assembly.in_unit(self.assembly.units):
                    self._add(callee, _head(name))
                self.assembly.units += 1

    def _declare_unit(self, function: FuncOp) -> str:
        name = self.callees[function] = self._callee_name(function)
        self.assembly.lines.append((f"SW_SHARED {_head(name)};", function))
        return name

    def _callee_name(self, function: FuncOp) -> str:
        """By its place in the module: what comes into that later stands behind. (A unit that got another name would only be
        compiled again.)"""
        if not self.numbers:
            module = function.parent
            assert module is not None, "functions stand in a module"
            self.numbers = {op: number for number, op in enumerate(op for op in module.ops if isinstance(op, FuncOp))}
        return f"sw_callee_{self.numbers[function]}"

    def _add_parts(self, function: FuncOp) -> None:
        """Add the parts of a function, which compilers are not to put back into it."""
        for op in [op for op in operations(function) if isinstance(op, cloop.CallOp) and is_part(op.callee)]:
            part = op.callee
            if part in self.callees:
                raise CompileError(f"sw.part: expected one call of @{part.sym_name.data}, got another one", op.location)
            name = self.callees[part] = self._callee_name(part)
            self._add(part, f"static __attribute__((noinline)) {_head(name)}")

    def _add(self, function: FuncOp, head: str) -> None:
        """Add one function behind its parts, printed as before if it and those that it calls are known as they were then."""
        self._add_parts(function)
        known = self.printed.get(function)
        if known is None or known.names != self._names(function):
            known = self.printed[function] = self._print(function, head, {})
        self.assembly.add(known)

    def _print(self, function: FuncOp, head: str, versions: Mapping[str, FuncOp]) -> Printed:
        """Print one function, which first looks whether one of its versions serves."""
        self.source, self.runtime, self.helpers = SourceText(), {}, {}
        self.function, self.allocated, self.arena = function, [], None
        self.fresh = Names()  # what is printed of a function does not depend on what is printed before
        self.source.lines += [("", None), (f"{head} {{", function)]
        self._arguments(function)
        for name, version in versions.items():
            self.op = version
            conditions = [f"{self._expr(expr)} >= 0" for expr in condition_of(version) or ()]
            self._line(f"if ({' && '.join(conditions)}) return {name}(buffers, parameters, error);")
        self.op = function
        self._block(function.body.block)
        self.source.lines.append(("}", None))
        vectors, scalars = c_vector_helpers("\n".join(line for line, _ in self.source.lines))
        scalars = self.helpers | dict.fromkeys(scalars)
        return Printed(self.source, self.runtime, scalars, vectors, self._names(function))

    def _names(self, function: FuncOp) -> dict[str, bool]:
        """What a function and those that it calls are called, and whether these may fail: so much its text says of others."""
        callees = [op.callee for op in operations(function) if isinstance(op, cloop.CallOp)]
        return {self.callees.get(function, ""): False} | {self.callees[each]: may_fail(each) for each in callees}

    def _arguments(self, function: FuncOp) -> None:
        self.op = function
        for number, arg in enumerate(function.args):
            name = self._declare(arg)
            self._line(f"{self._pointer(arg)}{name} = buffers[{number}];")
        params = function_params(function)
        self.params = {param: self.fresh.make(param) for param in params}
        for number, param in enumerate(params):
            self._line(f"const int64_t {self.params[param]} = parameters[{number}];")
        self._line(f"const int sw_threads = (int)parameters[{len(params)}];")


def _head(name: str) -> str:
    return f"int64_t {name}(void *const *buffers, const int64_t *parameters, int64_t *error)"
