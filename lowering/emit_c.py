"""Printing the C level as C: one line for each operation, and nothing decided.

The program is entered by `int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error)`. `buffers`
holds the inputs and then the outputs; `parameters` the integers named by `sw.params` and then the number of threads. It
returns 0, or the number of the check that failed (then `error` holds the number, the value and the limit), or -1 when
memory ran out (then `error[1]` holds the bytes asked for, -1 for more than 2^50). Versions for known sizes are functions of
the same kind, which it calls in its own place for the parameters that they are made for; so is what runs step after step.

A long program's blocks, and parts of long blocks, are functions, and each function a unit, which may be compiled without the
others: where `SW_UNITS` is defined, the text has those units for whose numbers `SW_UNIT_<number>` is 1, 0 being the one of the
entry, the helpers that these need, and what units share, as what runs step after step. Without it the text is the whole.

Every identifier is `sw_<number>` with a hint of letters and digits behind it: no text from outside reaches the compiler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import cloop
from ..ir.functions import entry_function, function_params, is_unit
from ..ir.nesting import operations
from ..ir.versions import condition_of, versions_of
from .c_functions import c_helpers
from .c_runtime import RUNTIME, c_names
from .c_statements import StatementEmitter
from .c_vectors import c_typedefs, c_vector_helpers
from .naming import Names
from .source_text import SourceText


def emit_c(module: ModuleOp) -> SourceText:
    """The C of a module's entry function, which is on the C level. Raises CompileError when there is not one entry."""
    return CEmitter().emit(module)


def emit_unit(function: FuncOp) -> Unit:
    """The C of one unit, before the rest of its module is on the C level."""
    return CEmitter().emit_unit(function)


class Unit(NamedTuple):
    """C of one unit alone, and the section of the whole program's text that is this unit's."""

    text: str
    section: str


class CEmitter(StatementEmitter):
    """Prints a function with its versions and all that they call."""

    def __init__(self):
        super().__init__()
        self.numbers: dict[FuncOp, int] = {}
        # How many units there are so far; None where the program is one.
        self.units: int | None = None
        # The one that is being printed; None for what units share.
        self.unit: int | None = None
        # Vector helpers by their names, each behind those that it calls, and the units that need them.
        self.vectors: dict[str, str] = {}
        self.users: dict[str, set[int | None]] = {}

    def emit(self, module: ModuleOp) -> SourceText:
        function = entry_function(module)
        if any(isinstance(op, FuncOp) and is_unit(op) for op in module.body.block.ops):
            self.runtime["sw_unit"], self.units = None, 1
        versions = {f"sw_version_{number}": version for number, version in enumerate(versions_of(function), 1)}
        for name, version in versions.items():
            self._callees(version)
            with self._in_unit(0):
                self._function(version, f"static {_head(name)}", {})
        self._callees(function)
        with self._in_unit(0):
            self._function(function, _head("sw_main"), versions)
        return self._assemble()

    def emit_unit(self, function: FuncOp) -> Unit:
        self.runtime["sw_unit"] = None
        self._callees(function, with_units=False)
        name = self._declare_unit(function)
        start = len(self.source.lines)
        self._function(function, _head(name), {})
        section = "\n".join(line for line, _ in self.source.lines[start:])
        return Unit(self._assemble().text, section)

    def _callees(self, function: FuncOp, *, with_units: bool = True) -> None:
        """Print the functions that one calls, and before them those that they call; units may be declared only."""
        for callee in [op.callee for op in operations(function) if isinstance(op, cloop.CallOp)]:
            if callee in self.callees:
                continue
            if with_units or not is_unit(callee):
                self._callees(callee, with_units=with_units)
            if not is_unit(callee):
                self.callees[callee] = self._callee_name(callee)
                self._function(callee, f"static {_head(self.callees[callee])}", {})
                continue
            name = self._declare_unit(callee)
            if with_units:
                assert self.units is not None, "looked for units at first"
                with self._in_unit(self.units):
                    self._function(callee, _head(name), {})
                self.units += 1

    def _declare_unit(self, function: FuncOp) -> str:
        name = self.callees[function] = self._callee_name(function)
        self.source.lines.append((f"SW_SHARED {_head(name)};", function))
        return name

    def _callee_name(self, function: FuncOp) -> str:
        """By its place in the module: what comes into that later stands behind. (A unit that got another name would only be
        compiled again.)"""
        if not self.numbers:
            module = function.parent
            assert module is not None, "functions stand in a module"
            self.numbers = {op: number for number, op in enumerate(op for op in module.ops if isinstance(op, FuncOp))}
        return f"sw_callee_{self.numbers[function]}"

    @contextmanager
    def _in_unit(self, number: int) -> Iterator[None]:
        """What is printed inside belongs to one unit, if there are several."""
        if self.units is None:
            yield
            return
        self.source.lines.append((f"#if SW_IN({number})", None))
        self.unit = number
        yield
        self.unit = None
        self.source.lines.append(("#endif", None))

    def _function(self, function: FuncOp, head: str, versions: Mapping[str, FuncOp]) -> None:
        """Print one function, which first looks whether one of its versions serves."""
        self.function, self.allocated, self.arena = function, [], None
        self.fresh = Names()  # what is printed of a function does not depend on what is printed before
        start = len(self.source.lines)
        self.source.lines += [("", None), (f"{head} {{", function)]
        self._arguments(function)
        for name, version in versions.items():
            self.op = version
            conditions = [f"{self._expr(expr)} >= 0" for expr in condition_of(version) or ()]
            self._line(f"if ({' && '.join(conditions)}) return {name}(buffers, parameters, error);")
        self.op = function
        self._block(function.body.block)
        self.source.lines.append(("}", None))
        self._require_vectors("\n".join(line for line, _ in self.source.lines[start:]))

    def _require_vectors(self, text: str) -> None:
        vectors, scalars = c_vector_helpers(text)
        self.helpers |= dict.fromkeys(scalars)
        self.vectors |= vectors
        for name in vectors:
            self.users.setdefault(name, set()).add(self.unit)

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

    def _assemble(self) -> SourceText:
        body = self.source.lines
        statements = "\n".join(line for line, _ in body)
        vectors = "".join(self._vector_helpers())
        used = [*(RUNTIME[name] for name in RUNTIME if name in self.runtime), c_helpers(self.helpers), vectors]
        types = c_typedefs("\n".join([vectors, statements]))
        names = c_names("".join([*used, statements]))
        preamble = [(line, None) for part in (names, types, *used) for line in part.splitlines()]
        return SourceText([*preamble, *body], self.source.checks)

    def _vector_helpers(self) -> Iterator[str]:
        """Their texts: what not all units need is left out where none of these is compiled, as compilers look at each."""
        for users, names in groupby(self.vectors, self._condition):
            text = "\n".join(map(self.vectors.__getitem__, names))
            yield f"#if {users}\n{text}#endif\n" if users else text

    def _condition(self, helper: str) -> str:
        """Where a helper is needed, as the preprocessor asks for it; nothing where it always is."""
        users = {unit for unit in self.users[helper] if unit is not None}
        is_shared = None in self.users[helper] or len(users) == self.units
        return "" if is_shared else " || ".join(f"SW_USED_IN({unit})" for unit in sorted(users))


def _head(name: str) -> str:
    return f"int64_t {name}(void *const *buffers, const int64_t *parameters, int64_t *error)"
