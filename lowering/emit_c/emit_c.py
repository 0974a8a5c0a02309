"""C emitter: prints a module on the C level as C, its functions grouped into translation units.

The entry point is `int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error)`. `buffers` holds the
inputs and then the outputs, `parameters` the integers named by `sw.params` and then the number of threads. It returns 0 for
success, and otherwise the number of the failed check, with the number, the value and the limit in `error`. It returns -1 if
memory ran out, with the requested bytes in `error[1]`, -1 for more than 2^50. Versions for known sizes are functions with the
same signature, to which it delegates if their conditions hold. Step functions of scans have the same signature too.

The outlined functions of a long program are translation units, which may be compiled separately. If `SW_UNITS` is defined,
the text consists of the units whose macro `SW_UNIT_<number>` is 1 (the entry is in unit 0), the vector helpers that they need,
and the functions that all units share, such as step functions. Otherwise it is the whole program. An outlined part of a
function (`sw.part`) is a static function before it, in the same unit.

Every identifier is `sw_<number>` with a hint of letters and digits: no text of the user's reaches the compiler.
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
from ...ir.locations import comment_suffix
from ...ir.nesting import operations
from ..emission.naming import Names
from ..emission.source_text import SourceText
from .assembly import Assembly, Printed
from .statements import StatementEmitter
from .vectors import c_vector_helpers


class Unit(NamedTuple):
    """The C of a single translation unit, and its section of the whole program's text."""

    text: str
    section: str


def emit_c(module: ModuleOp) -> SourceText:
    """The C of a module on the C level."""
    return CEmitter().emit(module)


class CEmitter(StatementEmitter):
    """Prints a module on the C level: the entry function, its versions and their callees. Translation units may be printed
    earlier, while the remainder of the module is on a higher level; their text is reused, so that they must not change
    afterwards.

    Raises CompileError unless there is exactly one entry, and for an outlined part of a function that is called twice.
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
        """Add the callees of a function, each after its own callees. Without `with_units`, units are only declared."""
        for callee in [op.callee for op in operations(function) if isinstance(op, cloop.CallOp)]:
            if callee in self.callees:
                continue
            if is_part(callee):  # printed with its caller, after its own callees
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
                assert self.assembly.units is not None, "`emit` sets the number of units"
                with self.assembly.in_unit(self.assembly.units):
                    self._add(callee, _head(name))
                self.assembly.units += 1

    def _declare_unit(self, function: FuncOp) -> str:
        name = self.callees[function] = self._callee_name(function)
        self.assembly.lines.append((f"SW_SHARED {_head(name)};", function))
        return name

    def _callee_name(self, function: FuncOp) -> str:
        """The name of a callee, from its position in the module and its block comments. Functions added later come after it, so
        that the name stays the same; a unit with a changed name would merely be compiled again."""
        if not self.numbers:
            module = function.parent
            assert module is not None, "functions are nested in a module"
            self.numbers = {op: number for number, op in enumerate(op for op in module.ops if isinstance(op, FuncOp))}
        return f"sw_callee_{self.numbers[function]}{comment_suffix(function.location)}"

    def _add_parts(self, function: FuncOp) -> None:
        """Add the outlined parts of a function, marked so that compilers do not inline them again."""
        for op in [op for op in operations(function) if isinstance(op, cloop.CallOp) and is_part(op.callee)]:
            part = op.callee
            if part in self.callees:
                raise CompileError(f"sw.part: expected one call of @{part.sym_name.data}, got a second one", op.location)
            name = self.callees[part] = self._callee_name(part)
            self._add(part, f"static __attribute__((noinline)) {_head(name)}")

    def _add(self, function: FuncOp, head: str) -> None:
        """Add one function after its parts. Its earlier text is reused if it depends on the same names."""
        self._add_parts(function)
        known = self.printed.get(function)
        if known is None or known.names != self._names(function):
            known = self.printed[function] = self._print(function, head, {})
        self.assembly.add(known)

    def _print(self, function: FuncOp, head: str, versions: Mapping[str, FuncOp]) -> Printed:
        """Print one function, which first tests the conditions of its versions."""
        self.source, self.runtime, self.helpers = SourceText(), {}, {}
        self.function, self.allocated, self.arena = function, [], None
        self.fresh = Names()  # the text of a function does not depend on other functions
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
        """The names of a function and its callees, and whether callees may fail: its text depends only on these and on its
        body."""
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
