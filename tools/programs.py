"""Loading of the programs that commands take: IR as text from a file or standard input, and Python functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from ..frontend.lowered.function import Lowered
    from ..runtime.executable import Executable

# The exceptions that the compiler raises on purpose about arguments. It never raises two kinds of RuntimeError.
_ON_PURPOSE = (TypeError, ValueError, RuntimeError)
_NEVER_ON_PURPOSE = (RecursionError, NotImplementedError)


def add_program_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `lowered` takes: the program, `--spec` and `--target`."""
    parser.add_argument("program", help="FILE.mlir, or FILE.py:FUNCTION with a --spec for each argument")
    parser.add_argument("--spec", action="append", default=[], metavar="SIZES:DTYPE", help="an argument, such as n,64:float32")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret, interpret, or that of a plugin")


def lowered(program: str, specs: Sequence[str], target: str) -> Lowered:
    """A program lowered with its trace: IR in a file, or a function of a Python file, as `FILE.py:FUNCTION`.

    Raises CompileError for an unknown target, a malformed spec, and errors in the program; OSError when a file cannot be read.
    """
    from ..dialects import make_context
    from ..frontend.jit import lower
    from ..frontend.lowered.function import Lowered
    from ..ir.functions.entry import entry_function
    from ..ir.text.parser import parse_module
    from ..runtime.boundary.signature import Signature
    from ..runtime.executable import check_target

    check_target(target)
    file, _, function = program.rpartition(":")
    if file.endswith(".py"):
        loaded = load_function(file, function)
        check_count(loaded, len(specs))
        with users_errors():
            return lower(loaded, *map(spec_of, specs), target=target)
    name, text = read_program(program)
    ctx = make_context()
    module = parse_module(text, ctx, name)
    return Lowered(module, target, Signature.of(entry_function(module)), ctx=ctx)


def spec_of(text: str) -> Any:
    """The argument that `SIZES:DTYPE` describes. Raises CompileError for malformed text."""
    from ..frontend.tracing.specs import Spec
    from ..ir.diagnostics import CompileError

    sizes, _, dtype = text.partition(":")
    try:
        return Spec([size.strip() for size in sizes.split(",") if size.strip()], dtype or "float32")
    except (TypeError, ValueError) as error:
        raise CompileError(f"--spec {text}: {error}") from error


def read_program(path: str) -> tuple[str, str]:
    """The name and the text of a program; `-` is standard input. Raises OSError, ParseError when it is not text, and
    CompileError for Python."""
    # Imported here: commands show their help without it.
    from ..ir.diagnostics import CompileError, decoded

    if path.endswith(".py"):
        raise CompileError(f"'{path}' is a Python file: name a function in it, as in '{path}:layer'")
    if path.rpartition(":")[0].endswith(".py"):
        raise CompileError(f"expected a program as text, got the function '{path}'")
    name = "<stdin>" if path == "-" else path
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    return name, decoded(data, name)


def run_on(program: Executable | Lowered, arrays: Sequence[Any], params: dict[str, int]) -> list[Any]:
    """The results of a program. Errors in its arguments become a CompileError, the message of the command."""
    from ..frontend.lowered.function import Lowered
    from ..frontend.tracing.trees import flatten
    from ..ir.diagnostics import CompileError

    try:
        if isinstance(program, Lowered):
            return flatten(program(*arrays, **params))[0]
        return program.run(arrays, params)
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        raise CompileError(str(error)) from error


def load_function(file: str, name: str) -> Any:
    """The function `name` of a Python file, which is run as a module of its own. Raises CompileError if it defines
    no function of that name."""
    # Imported here: commands show their help without it.
    import importlib.util

    from ..ir.diagnostics import CompileError, did_you_mean

    spec = importlib.util.spec_from_file_location("stepwell_traced", file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise CompileError(f"no Python file '{file}'")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with users_errors(file):
        spec.loader.exec_module(module)
    if not hasattr(module, name):
        names = [each for each in vars(module) if callable(getattr(module, each)) and not each.startswith("_")]
        raise CompileError(f"'{file}' has no function '{name}'{did_you_mean(name, names)}")
    found = getattr(module, name)
    if not callable(found):
        raise CompileError(f"'{name}' of '{file}': expected a function, got {type(found).__name__}")
    return found


def check_count(function: Any, count: int) -> None:
    """Raise CompileError for a function that does not take as many arguments as `--spec` gives."""
    import inspect

    from ..ir.diagnostics import CompileError

    try:
        inspect.signature(function).bind(*range(count))
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise CompileError(f"'{name}' can't be called with {count} times --spec: {error}") from error


@contextmanager
def users_errors(file: str = "<unknown>") -> Iterator[None]:
    """Inside the block, an error in the user's code becomes a CompileError at the user's line that raised it or called the
    raising code; an error of a whole `file` is at its first line. Exceptions that the compiler raises on purpose about its
    arguments become such errors too; any other exception is a bug of the compiler.
    """
    from ..frontend.tracing.source import SourceLocator, raised_in_library
    from ..ir.diagnostics import CompileError
    from ..ir.locations import UNKNOWN, Frame

    try:
        yield
    except CompileError:
        raise
    except SyntaxError as error:
        place = Frame(error.filename or file, error.lineno or 1, error.offset or 1)
        raise CompileError(f"{type(error).__name__}: {error.msg}", place) from error
    except Exception as error:
        place = SourceLocator().raised(error)
        is_bug = not isinstance(error, _ON_PURPOSE) or isinstance(error, _NEVER_ON_PURPOSE)
        if place == UNKNOWN or (is_bug and raised_in_library(error)):
            raise
        message = f"{type(error).__name__}: {error}"
        raise CompileError(message, place, getattr(error, "__notes__", ())) from error
