"""`stepwell reduce`: the smallest module that still shows a fault.

    stepwell reduce crash.mlir --out small.mlir                  # a reproducer: its pipeline goes on failing in the same way
    stepwell reduce program.mlir -p canonicalize,my-pass         # a pipeline that fails on it, or changes its results
    stepwell reduce program.mlir --target cpu                    # results that differ from the interpreter's
    stepwell reduce program.mlir -p my-pass --target cpu         # the same, with passes before the target's own
    stepwell reduce program.mlir --test './shows-it.sh'          # any command: status 0 means that the file shows the fault

Passes of a failing pipeline that the failure does not need are removed too. The result is written as a reproducer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.files import write_text
from ...ir.plugins import Plugin, from_file
from ...ir.text.parser import parse_file
from ...lowering import TABLES
from ...passes.manager.pipeline import Nest, parse_pipeline, passes_of
from ...passes.manager.registry import Registry
from ...passes.manager.reproducer import RESOURCE, plugins_of, reproducer_text
from ...runtime.executable import check_target
from ..programs import read_program
from ..progress import progress
from .outcomes import Arguments, Fault, difference_on, expected_of, failure_of, said_by, same_kind, text_of
from .reducer import Reducer, size
from .skipping import without_pass


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a module that shows the fault, or a reproducer; - is standard input")
    wrong = "a pipeline that fails or changes the results, by default a reproducer's; with --target, passes before its own"
    parser.add_argument("-p", "--pass-pipeline", metavar="PIPELINE", help=wrong)
    parser.add_argument("--target", help="a target with results that differ from the interpreter's")
    parser.add_argument("--test", metavar="COMMAND", help="a command that succeeds on a file with the fault; {} is the file")
    parser.add_argument("--load-pass-plugin", action="append", default=[], metavar="FILE.py", help="a plugin in a file")
    parser.add_argument("--out", default="-", metavar="FILE", help="where the reduced module goes (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Reduce, and print the size of the result."""
    if arguments.test is not None and (arguments.pass_pipeline is not None or arguments.target is not None):
        raise CompileError("--test: expected a command alone, without -p and --target")
    plugins = [from_file(path) for path in arguments.load_pass_plugin]
    ctx = context_of(plugins)
    registry = Registry(TABLES, [each for plugin in plugins for each in plugin.passes])
    name, text = read_program(arguments.file)
    parsed = parse_file(text, ctx, name)
    pipeline = _pipeline(arguments, parsed.resources.get(RESOURCE, {}).get("pipeline"), registry)
    module = parsed.module
    of = _faults(arguments, pipeline, ctx, module)
    fault = of(pipeline)
    found = fault(module)
    if found is None:
        raise _without_fault(name, module, arguments)
    kind = same_kind(found)

    def shows(fault: Fault) -> Callable[[ModuleOp], bool]:
        return lambda module: (message := fault(module)) is not None and same_kind(message) == kind

    if pipeline is not None:
        pipeline = _shorter(pipeline, lambda shorter: shows(of(shorter))(module))
        fault = of(pipeline)
    before = size(module)
    with progress("reducing", before) as shown:
        left = before

        def report(now: int) -> None:
            nonlocal left
            for _ in range(left - now):
                shown.advance()
            left = now
            shown.note(f"{now} operations left")

        reducer = Reducer(shows(fault), report)
        module = reducer.reduce(module)
    _write(arguments.out, module, pipeline)
    print(f"{before} operations reduced to {size(module)} in {reducer.tried} tries: {fault(module)}", file=sys.stderr)
    return 0


def context_of(plugins: list[Plugin]) -> Context:
    """A context with the dialects of plugins in files."""
    context = make_context()
    for plugin in plugins:
        for dialect in plugin.dialects:
            context.load_dialect(dialect)
    return context


def _pipeline(arguments: argparse.Namespace, recorded: object, registry: Registry) -> Nest | None:
    """The pipeline that fails or changes the results; None if something else shows the fault."""
    if arguments.test is not None or (arguments.target is not None and arguments.pass_pipeline is None):
        return None
    text = arguments.pass_pipeline if arguments.pass_pipeline is not None else recorded
    if not isinstance(text, str):
        raise CompileError("what shows the fault? Expected -p, --target or --test, or a reproducer as the file")
    return parse_pipeline(text, registry)


def _faults(
    arguments: argparse.Namespace, pipeline: Nest | None, ctx: Context, module: ModuleOp
) -> Callable[[Nest | None], Fault]:
    """The fault to look for, with a pipeline or a part of it: its failure on the module, or else wrong results."""
    if arguments.test is not None:
        told = said_by(arguments.test)
        return lambda _: told
    if arguments.target is not None:
        check_target(arguments.target)
    if pipeline is not None and failure_of(pipeline, ctx)(module) is not None:
        return lambda part: failure_of(part or Nest(ModuleOp.name, ()), ctx)
    return lambda part: difference_on(arguments.target, Arguments(None, {}), ctx, part)


def _without_fault(name: str, module: ModuleOp, arguments: argparse.Namespace) -> CompileError:
    """The error for a module that does not show the fault; if its results could not be compared, it says why."""
    message = f"'{name}' does not show the fault: there is nothing to reduce"
    if arguments.test is None:
        try:
            expected_of(module, Arguments(None, {}))
        except CompileError as error:
            return CompileError(f"{message}; its results cannot be compared: {error.message}", error.location)
    return CompileError(message)


def _shorter(pipeline: Nest, shows: Callable[[Nest], bool]) -> Nest:
    """The pipeline without the passes that the fault does not need, the last ones first."""
    for number in reversed(range(sum(1 for _ in passes_of(pipeline)))):
        shorter = without_pass(pipeline, number)
        if shows(shorter):
            pipeline = shorter
    return pipeline


def _write(path: str, module: ModuleOp, pipeline: Nest | None) -> None:
    text = text_of(module)
    if pipeline is not None:
        text = reproducer_text(text, pipeline, True, plugins_of(module, pipeline))
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(path, text)
