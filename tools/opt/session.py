"""The processing of each part of the input of stepwell-opt: parse, verify, run the pipeline, print or emit."""

from __future__ import annotations

import json
import re
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import make_context
from ...ir.debug_counters import PASS_EXECUTION, DebugCounters, counting
from ...ir.diagnostics import CompileError, InternalError, Note, PipelineError, Remark, did_you_mean, read_source_lines
from ...ir.files import write_text
from ...ir.functions.verification import verify
from ...ir.nesting import nesting, with_stack_for
from ...ir.plugins import Plugin, from_file
from ...ir.text.parser import parse_module
from ...ir.text.printer import Details, print_module
from ...lowering import TABLES
from ...passes.manager.instruments import Instrument, IRPrinting, PassFilter, PipelineDump
from ...passes.manager.pass_manager import PassManager
from ...passes.manager.pipeline import Nest, parse_pipeline, pipeline_dump
from ...passes.manager.registry import Registry
from ...passes.manager.remarks import RemarkPrinting
from ...passes.manager.reports import Statistics, Timing
from ...passes.manager.reproducer import CrashReproducer, plugins_of, read_reproducer, reproducer_text
from .arguments import option_names
from .expected import compare, expectations

if TYPE_CHECKING:
    from ...passes.trace.recording import Trace

OK, FAILED, INTERNAL = 0, 1, 70


@dataclass
class Result:
    """The result of one part: its exit status, rendered errors, and its output, None if it failed."""

    status: int = OK
    errors: list[str] = field(default_factory=list)
    output: str | None = None


class Session:
    """The options, and the reports collected over all parts of the input. Raises PipelineError for a bad pipeline."""

    def __init__(self, arguments: Namespace, file: str, text: str):
        self._arguments = arguments
        self._file = file
        self._lines = text.split("\n")
        self._context = make_context(arguments.allow_unregistered_dialect)
        for plugin in map(from_file, arguments.load_pass_plugin):
            _check_names(plugin)
            for dialect in plugin.dialects:
                self._context.load_dialect(dialect)
        for path in arguments.irdl_file:
            _load_irdl(path, self._context)
        self._registry = registry_of(arguments)
        self._pipeline = parse_pipeline(",".join(arguments.pipeline), self._registry)
        self._details = Details(
            arguments.print_value_users,
            arguments.print_skip_regions,
            arguments.print_unique_ssa_ids,
            arguments.pretty_debuginfo,
            arguments.use_nameloc_as_prefix,
        )
        self._counters = _counters(arguments.debug_counter)
        if arguments.debug_only:
            self._counters.show = self._show_rewrite
        self._timing = Timing() if arguments.timing else None
        self._statistics = Statistics() if arguments.pass_statistics else None
        self._traces: list[Trace] = []
        self._module: ModuleOp | None = None
        # The pipeline of --emit depends on the level of the input: it is shown when it begins, once for all parts of one level.
        self._dump = (
            PipelineDump(sys.stderr, self._pipeline) if arguments.dump_pass_pipeline and arguments.emit is not None else None
        )
        if arguments.dump_pass_pipeline and arguments.emit is None:
            sys.stderr.write(pipeline_dump(self._pipeline) + "\n")

    def compile(self, text: str, first_line: int) -> Result:
        """Compile one part of the input."""
        depth = nesting(text).depth
        result = Result()
        with counting(self._counters):
            error = with_stack_for(depth, lambda: self._compile(text, first_line, result))
        if self._arguments.verify_diagnostics:
            return self._compare(text, first_line, error, result)
        if error is not None:
            result.status = INTERNAL if isinstance(error, InternalError) else FAILED
            result.errors.append(error.render(self._source_lines))
        return result

    def finish(self) -> None:
        """Write the requested reports."""
        arguments = self._arguments
        if self._statistics is not None:
            self._statistics.report(sys.stderr, arguments.pass_statistics_display)
        if self._timing is not None:
            self._timing.report(sys.stderr, arguments.timing_display, arguments.output_format == "json")
        if arguments.print_debug_counter:
            sys.stderr.write(self._counters.report())
        for tag in sorted({*arguments.debug_only, *self._counters.windows} - set(self._counters.counts)):
            known = ", ".join(sorted(self._counters.counts)) or "none"
            hint = did_you_mean(tag, self._counters.counts) or f": those that came up have {known}"
            sys.stderr.write(f"note: no rewrite has the tag '{tag}'{hint}\n")
        if arguments.trace is not None:
            traces = [trace.to_json() for trace in self._traces]
            data = traces[0] if len(traces) == 1 else traces
            write_text(arguments.trace, json.dumps(data) + "\n")

    def _compile(self, text: str, first_line: int, result: Result) -> CompileError | None:
        try:
            result.output = self._lower(text, first_line)
        except OSError:
            raise
        except CompileError as error:
            self._show_traceback()
            return self._with_operation(error)
        except Exception as error:
            # The last line of defence: whatever fails outside passes is a bug, and the user gets one line about it.
            self._show_traceback()
            return InternalError(f"{type(error).__name__}: {error}".splitlines()[0])
        return None

    def _lower(self, text: str, first_line: int) -> str:
        pipeline, verify_each = self._pipeline, self._arguments.verify_each
        self._module = None
        with self._phase("Parser"):
            if self._arguments.run_reproducer:
                module, pipeline, verify_each = self._reproducer(text)
            else:
                module = parse_module(text, self._context, self._file, first_line, not self._arguments.no_implicit_module)
        self._module = module
        if verify_each and (self._arguments.verify_roundtrip or self._arguments.generate_reproducer is not None):
            verify(module)  # the pass manager does it too, but these errors come first
        if self._arguments.verify_roundtrip:
            self._check_roundtrip(module)
        if self._arguments.generate_reproducer is not None:
            original = print_module(module, generic=True, debuginfo=True)
            text = reproducer_text(original, pipeline, verify_each, plugins_of(module, pipeline))
            write_text(self._arguments.generate_reproducer, text)
        crash = CrashReproducer(
            self._arguments.pass_pipeline_crash_reproducer,
            verify_each,
            for_all=self._arguments.pass_pipeline_crash_reproducer is not None,
            local=self._arguments.pass_pipeline_local_reproducer,
        )
        instruments = (*self._instruments(), crash)
        PassManager(pipeline, self._context, verify_each, instruments).run(module)
        with self._phase("Output"):
            output = self._output(module, instruments)
        if self._arguments.print_cost is not None:
            # Imported on demand: few runs ask for costs.
            from .costs import cost_of

            sys.stderr.write(f"{cost_of(module, self._arguments.print_cost, self._arguments.machine)}\n")
        return output

    def _reproducer(self, text: str) -> tuple[ModuleOp, Nest, bool]:
        """The module, the pipeline and `verify_each` of a reproducer; an error names the plugins that it was written with."""
        try:
            found = read_reproducer(text, self._context, self._file)
            return found.module, parse_pipeline(found.pipeline, self._registry), found.verify_each
        except CompileError as error:
            plugins = re.search(r'^ *plugins: "([\w,]+)"', text, re.MULTILINE)
            if plugins is not None:
                error.notes = (*error.notes, Note(f"the reproducer was written with these plugins: {plugins[1]}"))
            raise

    def _output(self, module: ModuleOp, instruments: tuple[Instrument, ...]) -> str:
        arguments = self._arguments
        if arguments.emit is None:
            return self._text(module)
        # Imported on demand: the code generators are not needed to run passes, and the C compiler only for one machine.
        from ...lowering.driver import emit
        from ...lowering.machine import pass_options
        from ...runtime.toolchain.host import named_machine

        return emit(module, self._context, arguments.emit, instruments, pass_options(named_machine(arguments.machine)))

    def _text(self, op: Operation) -> str:
        given = self._arguments
        elided = given.elide_elementsattrs_if_larger
        return print_module(op, given.print_op_generic, given.print_debuginfo or given.pretty_debuginfo, elided, self._details)

    def _instruments(self) -> list[Instrument]:
        chosen: list[Instrument] = [each for each in (self._timing, self._statistics, self._dump) if each is not None]
        if self._arguments.trace is not None:
            # Imported on demand: few runs are traced.
            from ...passes.trace.recording import Trace

            self._traces.append(Trace(texts=True))
            chosen.append(self._traces[-1])
        if self._arguments.diagnostic_verbosity_level == "remarks":
            chosen.append(RemarkPrinting(sys.stderr, self._source_lines))
        printing = self._printing()
        return [*chosen, printing] if printing is not None else chosen

    def _printing(self) -> IRPrinting | None:
        given = self._arguments
        # The modifiers by themselves would do nothing, so they imply printing after all passes.
        after_all = given.print_ir_after_all or given.print_ir_after_change or given.print_ir_tree_dir is not None
        named_before = self._passes_named("--mlir-print-ir-before", given.print_ir_before)
        named_after = self._passes_named("--mlir-print-ir-after", given.print_ir_after)
        before = PassFilter(given.print_ir_before_all, named_before)
        after = PassFilter(after_all and not given.print_ir_after, named_after)
        if not (before or after or given.print_ir_after_failure):
            return None
        return IRPrinting(
            sys.stderr,
            before,
            after,
            given.print_ir_after_change,
            given.print_ir_after_failure,
            given.print_ir_module_scope,
            Path(given.print_ir_tree_dir) if given.print_ir_tree_dir is not None else None,
            self._text,
        )

    def _passes_named(self, option: str, values: Sequence[str]) -> tuple[str, ...]:
        names = tuple(name.strip() for value in values for name in value.split(","))
        unknown = next((name for name in names if self._registry.find(name) is None), None)
        if unknown is not None:
            raise CompileError(f"{option}: unknown pass '{unknown}'{self._registry.suggestion(unknown)}")
        return names

    def _check_roundtrip(self, module: ModuleOp) -> None:
        for generic in (False, True):
            first = print_module(module, generic, debuginfo=True)
            again = parse_module(first, self._context, "<printed>")
            second = print_module(again, generic, debuginfo=True)
            if first != second:
                line, before, after = _first_difference(first, second)
                raise CompileError(
                    f"printing and parsing changes the IR, in line {line} of its {'generic' if generic else 'custom'} "
                    f"form: expected '{before}', got '{after}'"
                )
            changed = next((a for a, b in zip(module.walk(), again.walk(), strict=True) if not _has_same_values(a, b)), None)
            if changed is not None:
                raise CompileError(f"'{changed.name}': printing and parsing changes its attributes", changed.location)

    def _compare(self, text: str, first_line: int, error: CompileError | None, result: Result) -> Result:
        expected = expectations(text, self._file, first_line)
        only_expected = self._arguments.verify_diagnostics == "only-expected"
        faults = compare(expected, [error] if error is not None else [], only_expected)
        result.status = FAILED if faults else OK
        result.errors = [fault.render(self._source_lines) for fault in faults]
        return result

    def _with_operation(self, error: CompileError) -> CompileError:
        """The error, with its operation, if it has one, in a note on request."""
        if self._arguments.print_op_on_diagnostic and self._module is not None:
            op = next((op for op in self._module.walk() if op.location is error.location), None)
            if op is not None:
                text = print_module(op, generic=True).rstrip("\n")
                error.notes = (Note(f"see current operation: {text}", error.location), *error.notes)
        return error

    def _show_rewrite(self, tag: str, number: int, op: Operation, pass_name: str) -> None:
        if tag in self._arguments.debug_only:
            what = f"pass {number}: '{pass_name}' on" if tag == PASS_EXECUTION else f"rewrite {number}:"
            remark = Remark(f"{tag}: {what} '{op.name}'", op.location)
            sys.stderr.write(remark.render(self._source_lines) + "\n")

    def _source_lines(self, file: str) -> Sequence[str] | None:
        return self._lines if file == self._file else read_source_lines(file)

    def _phase(self, name: str) -> AbstractContextManager[None]:
        return self._timing.phase(name) if self._timing is not None else nullcontext()

    def _show_traceback(self) -> None:
        if self._arguments.debug:
            traceback.print_exc()


def registry_of(arguments: Namespace) -> Registry:
    """All passes, including those of plugins in files, which are loaded. Raises PipelineError for a file without passes."""
    return Registry(TABLES, [each for path in arguments.load_pass_plugin for each in from_file(path).passes])


def _has_same_values(op: Operation, other: Operation) -> bool:
    """Whether two operations have equal attributes: texts can be equal even if constants are not."""
    return op.properties == other.properties and op.attributes == other.attributes


def _counters(arguments: Sequence[str]) -> DebugCounters:
    """The debug counters. Raises PipelineError for a malformed argument."""
    try:
        return DebugCounters.parse(each for argument in arguments for each in argument.split(","))
    except ValueError as error:
        raise PipelineError(f"--mlir-debug-counter: {error}") from error


def _check_names(plugin: Plugin) -> None:
    """Raise PipelineError for a pass of a plugin that no option could name."""
    taken = option_names() if plugin.passes else set[str]()
    for each in plugin.passes:
        if f"--{each.name}" in taken:
            raise PipelineError(f"plugin '{plugin.name}': a pass cannot have the name of the option --{each.name}")


def _load_irdl(path: str, context: Context) -> None:
    # Imported on demand: few programs have dialects in files.
    from .irdl_file import dialects_in

    for dialect in dialects_in(path, list(context.registered_dialect_names)):
        context.load_dialect(dialect)


def _first_difference(first: str, second: str) -> tuple[int, str, str]:
    one, other = first.split("\n"), second.split("\n")
    pairs = enumerate(zip(one, other, strict=False), start=1)
    return next(
        ((number, a.strip(), b.strip()) for number, (a, b) in pairs if a != b),
        (min(len(one), len(other)), "the end" if len(one) < len(other) else "more", "another length"),
    )
