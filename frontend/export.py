"""Export of compiled functions as C: a source file and a header, for programs without Python.

    sw.export_c(convolution, (images, weights), "out")     ->     out/convolution.c, out/convolution.h

The function takes pointers to the arguments and results, contiguous in row-major order, then the sizes that the specs name and
the `$params` of micro-ops, all as `int64_t`. It makes the same checks as a call from Python, and returns a status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..dialects import host
from ..ir.diagnostics import CompileError
from ..ir.files import write_text
from ..ir.index.expressions import Index, Param
from ..ir.index.expressions import param as index_param
from ..ir.types.shapes import format_shape
from ..lowering.emit_c.c_names import clash, unique
from ..runtime.boundary.signature import Binder, Signature
from ..runtime.cache.emitted_code import Code
from .calls.arguments import is_array
from .calls.call_traces import signature_of
from .calls.traced import Traced
from .jit import Jitted, traced_for
from .lowered.function import Lowered
from .procedures import Procedure
from .tracing.specs import Spec
from .tracing.tracer import identifier
from .tracing.trees import flatten

Array = Any


@dataclass(frozen=True)
class Exported:
    """The files of an exported function, and its declaration in C."""

    source: Path
    header: Path
    declaration: str


@dataclass(frozen=True)
class _Text:
    """A C expression. Index expressions evaluate to a `_Text` if their parameters are `_Text`s."""

    c: str

    def __add__(self, other: Any) -> _Text:
        return _Text(f"({self.c} + {_c(other)})")

    def __radd__(self, other: Any) -> _Text:
        return self if other == 0 else _Text(f"({_c(other)} + {self.c})")

    def __sub__(self, other: Any) -> _Text:
        return _Text(f"({self.c} - {_c(other)})")

    def __rsub__(self, other: Any) -> _Text:
        return _Text(f"({_c(other)} - {self.c})")

    def __mul__(self, other: Any) -> _Text:
        return _Text(f"({self.c} * {_c(other)})")

    def __rmul__(self, other: Any) -> _Text:
        return self if other == 1 else _Text(f"({_c(other)} * {self.c})")

    def __floordiv__(self, other: Any) -> _Text:
        return _Text(f"sw_wide_quotient({self.c}, {_c(other)})")

    def __mod__(self, other: Any) -> _Text:
        return _Text(f"sw_wide_remainder({self.c}, {_c(other)})")

    def __lt__(self, other: Any) -> _Text:
        return _Text(f"({self.c} < {_c(other)})")

    def __gt__(self, other: Any) -> _Text:
        return _Text(f"({self.c} > {_c(other)})")


def _c(value: Any) -> str:
    return value.c if isinstance(value, _Text) else f"(sw_wide){int(value)}"


def export_c(function: Callable[..., Any], specs: Sequence[Any], directory: str | Path, *, name: str | None = None) -> Exported:
    """Write a function of arrays as C: `name.c` and `name.h` in a directory, which is made if it is missing.

    `specs` has a `sw.Spec` for each argument, nested as the arguments are, or a constant; `name` is that of the function in C,
    by default that of the Python function. Names of arguments, sizes and `$params` that clash with each other or with words of
    C get a number, as the header says. Compile the source with -O2 and the target's -march, with -fopenmp for threads.

    Raises CompileError as a jitted function would, for a name of the function that C cannot have, and for a function that
    captures arrays of more than 1024 elements or calls functions of the host. Raises TypeError for arguments that are not
    specs.
    """
    inner = function.function if isinstance(function, Jitted) else function
    _expect_arguments(inner, specs)
    called = name if name is not None else identifier(getattr(inner, "__name__", "function"))
    traced = traced_for(inner, tuple(specs), {})
    if traced.captured:
        raise CompileError(f"export_c: '{called}' captures arrays of an enclosing scope: pass them as arguments")
    called_here = sorted(
        {each.function.data.partition("@")[0] for each in traced.module.walk() if isinstance(each, host.CallOp)}
    )
    if called_here:
        raise CompileError(f"export_c: '{called}' calls functions of the host, which C does not have: {', '.join(called_here)}")
    signature = signature_of(traced)
    lowered = Lowered(traced.module, "cpu", signature, trace=False, traced=traced)
    code = lowered.code()
    problem = clash(called, code.text)
    if problem is not None:
        raise CompileError(f"export_c: the function cannot be called '{called}' in C: {problem}; give another `name`")
    given = [leaf for leaf in flatten((tuple(specs), {}))[0] if isinstance(leaf, Spec)]
    writer = _Writer(called, traced, signature, code, given)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    made = Exported(folder / f"{called}.c", folder / f"{called}.h", writer.declaration())
    write_text(made.source, writer.source())
    write_text(made.header, writer.header())
    return made


def _expect_arguments(function: Any, specs: Any) -> None:
    """Raise TypeError for an object that is no function of arrays, and for arguments that are not specs."""
    if not callable(function) or isinstance(function, Procedure):
        kind = "a procedure" if isinstance(function, Procedure) else repr(function)
        raise TypeError(f"export_c: expected a function that returns its results, got {kind}")
    if not isinstance(specs, tuple | list):
        raise TypeError(f"export_c: expected a tuple or list with a sw.Spec for each argument, got {type(specs).__name__}")
    wrong = next((leaf for leaf in flatten((tuple(specs), {}))[0] if is_array(leaf)), None)
    if wrong is not None:
        raise TypeError(f"export_c: expected a sw.Spec, as in sw.Spec(('n', 3), 'float64'), got {type(wrong).__name__}")


# The names that the exported function declares besides its arguments.
_OWN = ("threads", "buffers", "parameters", "error", "status")


class _Writer:
    """Writes the two files of one function."""

    def __init__(self, name: str, traced: Traced, signature: Signature, code: Code, given: Sequence[Spec]):
        self.name, self.traced, self.signature, self.code, self.given = name, traced, signature, code, given
        self.binder = Binder(signature)
        named = dict.fromkeys(param for spec in given for size in spec.shape for param in size.params())
        self.params = [*named, *(each for each in traced.params if each not in named)]
        count = len(signature.outputs)
        wanted = [each.name for each in signature.inputs]
        names = unique([*wanted, *(f"out{k if count > 1 else ''}" for k in range(count)), *self.params], {*_OWN, name})
        self.inputs, self.outputs = names[: len(wanted)], names[len(wanted) : len(wanted) + count]
        # The names of sizes and `$params` in C.
        self.sizes = dict(zip(self.params, names[len(wanted) + count :], strict=True))

    def declaration(self) -> str:
        """The declaration of the function."""
        inputs = [f"const {each.dtype.c} *{name}" for each, name in zip(self.signature.inputs, self.inputs, strict=True)]
        outputs = [f"{each.dtype.c} *{name}" for each, name in zip(self.signature.outputs, self.outputs, strict=True)]
        sizes = [f"int64_t {each}" for each in self.sizes.values()]
        return f"int {self.name}({', '.join([*inputs, *outputs, *sizes, 'int threads'])})"

    def header(self) -> str:
        """The header: the function's declaration, with comments on its arguments and its status."""
        described = [
            f" *   {name}: {each.dtype}, {self._shape(spec.shape)}"
            for each, name, spec in zip(self.signature.inputs, self.inputs, self.given, strict=True)
        ]
        for each, name in zip(self.signature.outputs, self.outputs, strict=True):
            shape = self._shape([self.traced.sizes.given(size) for size in each.shape])
            described.append(f" *   {name}: {each.dtype}, {shape}")
        renamed = [*zip((each.name for each in self.signature.inputs), self.inputs, strict=True), *self.sizes.items()]
        described += [f" * '{name}' of the program is {made} here." for name, made in renamed if name != made]
        guard = f"{self.name.upper()}_H"
        lines = [
            f"#ifndef {guard}\n#define {guard}\n\n#include <stdbool.h>\n#include <stdint.h>\n",
            "/* Arrays are contiguous, in row-major order, and results share no memory with arguments:",
            *described,
            " * Returns 0; -1 without memory, 1 for sizes that do not fit, 2 for indices out of range or divisors of 0. */",
            '#ifdef __cplusplus\nextern "C"\n#endif',
            f"{self.declaration()};\n\n#endif",
        ]
        return "\n".join(lines) + "\n"

    def source(self) -> str:
        """The emitted code, and the function that calls it."""
        wide = {each: _Text(f"(sw_wide){name}") for each, name in self.sizes.items()}
        body = [f"  if ({each} < 0) return 1;" for each in self.sizes.values()]
        own: dict[str, _Text] = {}
        order = list(self.signature.params)
        for each in self.binder.extra:
            own[each] = wide[each]
        for argument, axis, position, factor, _ in self.binder.reads:
            param = order[position]
            size, declared = self.signature.inputs[argument].shape[axis], self.given[argument].shape[axis]
            value = _Text(_c(self._text(declared, wide))) - self._text(size - factor * index_param(param), own)
            own[param] = _Text(f"(sw_wide)sw_own_{param}")
            body += [
                f"  const sw_wide sw_read_{param} = {value.c};",
                f"  if (sw_read_{param} < 0 || sw_read_{param} % {factor}) return 1;",
                f"  const int64_t sw_own_{param} = (int64_t)(sw_read_{param} / {factor});",
            ]
        for argument, axis, _, size in self.binder.checks:
            declared = self.given[argument].shape[axis]
            body.append(f"  if ({_c(self._text(size, own))} != {_c(self._text(declared, wide))}) return 1;")
        for each in self.code.requires:
            body.append(f"  if ({_c(self._text(each.expr, own))} < 0) return {1 if each.divides is None else 2};")
        body += [f"  if ({_c(own[param])} != {value}) return 1;" for param, value in self.code.sizes.items()]
        buffers = [f"(void *){each}" for each in (*self.inputs, *self.outputs)]
        values = [f"(int64_t)({_c(own[param])})" for param in order]
        body += [
            f"  void *buffers[] = {{{', '.join(buffers)}}};",
            f"  const int64_t parameters[] = {{{', '.join([*values, 'threads < 1 ? 1 : threads'])}}};",
            "  int64_t error[3] = {0};",
            "  const int64_t status = sw_main(buffers, parameters, error);",
            "  return status == 0 ? 0 : status < 0 ? -1 : 2;",
        ]
        text = self.code.text.replace("int64_t sw_main(", "static int64_t sw_main(", 1)
        return "\n".join([f'#include "{self.name}.h"\n', text.rstrip(), "", _WIDE, f"{self.declaration()} {{", *body, "}", ""])

    def _shape(self, sizes: Sequence[Index]) -> str:
        """A shape in the names of sizes in C."""
        return format_shape(
            [size.substitute({Param(name): index_param(made) for name, made in self.sizes.items()}) for size in sizes]
        )

    def _text(self, expr: Index, values: Mapping[str, _Text]) -> Any:
        return expr.evaluate(lambda atom: values[str(atom)])  # pyright: ignore[reportArgumentType, reportReturnType]


# Sizes and requirements are computed exactly, in 128 bits.
_WIDE = """\
typedef __int128 sw_wide;
static inline sw_wide sw_wide_quotient(sw_wide a, sw_wide b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static inline sw_wide sw_wide_remainder(sw_wide a, sw_wide b) { return b == 0 ? 0 : a - b * sw_wide_quotient(a, b); }
"""
