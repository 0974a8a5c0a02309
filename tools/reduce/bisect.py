"""`stepwell bisect`: finds the pass, and the rewrite in it, from which on a program's results are wrong.

    stepwell bisect program.mlir --target cpu
    stepwell bisect program.mlir -p canonicalize,my-pass --arg x=x.npy
    stepwell bisect model.py:layer --arg x=x.npy --arg w=w.npy

1. The interpreter gives the expected results.
2. The program is compiled with only the passes that it needs, then with all others too.
3. If the first result is right and the second is wrong, bisection finds the least number of other passes that makes it wrong:
   the last of these is the pass.
4. Debug counters limit that pass's rewrites, to find the least number that makes the result wrong: the last of these is the
   rewrite. Rewrites of `rewrite-rules` have the name of their rule.

Arguments that are not given are random numbers, the same each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...ir.debug_counters import DebugCounters, Window, counting
from ...ir.diagnostics import CompileError, LegalityError, PipelineError, VerifyError
from ...ir.plugins import Plugin, from_file
from ...ir.text.parser import parse_file, parse_module
from ...lowering import TABLES
from ...passes.manager.pipeline import parse_pipeline
from ...passes.manager.registry import Registry
from ...passes.manager.reproducer import RESOURCE
from ...runtime.executable import check_target
from ..programs import read_program
from ..progress import progress
from ..run import arrays_in_order, integer, lowered_function, pairs_of
from .command import context_of
from .isolation import NoResult, isolated
from .outcomes import Arguments, difference, expected_of, signature_of, wrong_in
from .skipping import Skipping

_PASSES = "passes to run before the target's own"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a program in text, - for standard input; or FILE.py:FUNCTION, with --arg")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret, or that of a plugin")
    parser.add_argument("-p", "--pass-pipeline", metavar="PIPELINE", help=f"{_PASSES}, by default a reproducer's")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy", help="an argument, by name, from a file")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=INT", help="a $param, by name")
    parser.add_argument("--load-pass-plugin", action="append", default=[], metavar="FILE.py", help="a plugin in a file")


def run(arguments: argparse.Namespace) -> int:
    """Bisect, and print what was found."""
    plugins = [from_file(path) for path in arguments.load_pass_plugin]
    check_target(arguments.target)
    registry = Registry(TABLES, [each for plugin in plugins for each in plugin.passes])
    module, arrays, recorded = _program(arguments.file, pairs_of(arguments.arg, "--arg"), plugins)
    params = {key: integer(key, value) for key, value in pairs_of(arguments.param, "--param").items()}
    inputs = Arguments(arrays, params)
    first = parse_pipeline(recorded if arguments.pass_pipeline is None else arguments.pass_pipeline, registry)
    bisection = Bisection(Skipping(module, arguments.target, registry, first), inputs, expected_of(module, inputs))
    with progress("bisecting", 0) as shown:
        bisection.report = shown.note
        lines = bisection.run()
    print("\n".join(lines))
    return 0


def _program(name: str, given: dict[str, str], plugins: list[Plugin]) -> tuple[ModuleOp, tuple[Any, ...] | None, str]:
    """The program, its given arguments, and the pipeline of a reproducer."""
    file, _, function = name.rpartition(":")
    if file.endswith(".py"):
        low, arrays = lowered_function(file, function, given, "interpret")
        return (
            parse_module(low.ir(low.levels[0]), context_of(plugins), f"IR of {name}"),
            tuple(low.arrays_of(tuple(arrays), {})[0]),
            "",
        )
    name, text = read_program(name)
    parsed = parse_file(text, context_of(plugins), name)
    arguments = tuple(arrays_in_order(given, signature_of(parsed.module))) if given else None
    return parsed.module, arguments, str(parsed.resources.get(RESOURCE, {}).get("pipeline", ""))


class Bisection:
    """The search for the pass and the rewrite."""

    def __init__(self, skipping: Skipping, arguments: Arguments, expected: list[object]):
        self._skipping = skipping
        self._arguments = arguments
        self._expected = expected
        self.report: Callable[[str], None] = lambda text: None

    def run(self) -> list[str]:
        """The findings, line by line. Raises CompileError if the results are right."""
        wrong = self._wrong(None)
        names = list(self._skipping.names)
        if wrong is None:
            raise CompileError("the results agree with the interpreter's: there is nothing to bisect")
        lines = [f"with all passes: {wrong}"]
        at_first = self._wrong(0)
        if at_first is not None and at_first == wrong and wrong.startswith(_NOT_RUN):
            raise CompileError(f"the program is not compiled: {wrong}")
        if at_first is not None:
            return [*lines, f"with the passes that it needs alone: {at_first}", self._level()]
        number = _first_wrong(len(names), lambda count: self._wrong(count) is not None) - 1
        name = names[number]
        lines.append(f"pass {number + 1} of {len(names)}: {name}: {self._wrong(number + 1)}")
        return lines + self._rewrite(number, name)

    def _level(self) -> str:
        """The level at which a program compiled with only the needed passes goes wrong, by the interpreter of each level."""
        right = ""
        for level, module in self._skipping.levels(lambda number: False):
            if level == "tile":
                continue  # its interpreter is for kernels
            try:
                results = isolated(partial(expected_of, module, self._arguments))
            except (CompileError, NoResult) as error:
                return f"the fault is in the lowering itself, after level '{right}'; the interpreter of '{level}' says: {error}"
            wrong = difference(results, self._expected)
            if wrong is not None:
                return f"the fault is in the lowering to level '{level}', or in a hook of that level: {wrong}"
            right = level
        return f"the fault is after level '{right}', whose interpreter agrees: in the emitted code"

    def _rewrite(self, number: int, name: str) -> list[str]:
        """The rewrite of a pass, by the counter of its name."""
        before, after = self._counted(number, name), self._counted(number + 1, name)
        if after == before:
            return [f"'{name}' does not count its rewrites"]

        def is_wrong(count: int) -> bool:
            window = DebugCounters({name: Window(0, before + count)})
            return self._wrong(number + 1, window) is not None

        if is_wrong(0):
            return [f"'{name}' is wrong without the rewrites that it counts"]
        found = _first_wrong(after - before, is_wrong)
        skip = before + found - 1
        option = f"--mlir-debug-counter={name}-skip={skip},{name}-count=1"
        rule = self._rule(number, name, skip)
        applied = f", an application of rule '{rule}'" if rule is not None else ""
        return [f"rewrite {found} of {after - before} in it{applied}: {option} runs it alone"]

    def _rule(self, number: int, name: str, rewrite: int) -> str | None:
        """The rewrite rule that a rewrite of a pass applies: its name is the next tag that the pass asks for."""
        shown: list[tuple[str, int, str]] = []
        counters = DebugCounters({name: Window(0, rewrite + 1)}, lambda tag, count, op, own: shown.append((tag, count, own)))
        self._wrong(number + 1, counters)
        following = shown[shown.index((name, rewrite, name)) + 1 :]
        return following[0][0] if following and following[0][2] == name else None

    def _counted(self, count: int, name: str) -> int:
        counters = DebugCounters()
        self._wrong(count, counters)
        return counters.counts[name]

    def _wrong(self, count: int | None, counters: DebugCounters | None = None) -> str | None:
        """The error with the first `count` optional passes, or with all of them; None if there is none."""
        self.report("all passes" if count is None else f"{count} passes")
        with counting(counters or DebugCounters()):
            wanted = partial(_is_among, count)
            return wrong_in(lambda: self._skipping.compiled(wanted), self._arguments, self._expected)


# The beginnings of messages of errors that no pass causes: the program itself cannot be compiled.
_NOT_RUN = tuple(f"{kind.__name__}: " for kind in (CompileError, LegalityError, PipelineError, VerifyError))


def _is_among(count: int | None, number: int) -> bool:
    return count is None or number < count


def _first_wrong(most: int, is_wrong: Callable[[int], bool]) -> int:
    """The least count with a wrong result, given that 0 is right and `most` is wrong."""
    right, wrong = 0, most
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if is_wrong(middle):
            wrong = middle
        else:
            right = middle
    return wrong
