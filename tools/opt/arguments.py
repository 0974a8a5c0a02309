"""The command line of stepwell-opt: MLIR's spelling of options, read without importing the compiler.

LLVM's tools take `-option` for `--option` and a pass as an option of its own (`--cse`, `--my-pass="depth=4"`); both
are brought into argparse's form first. Options that MLIR calls `--mlir-x` may also be written `--x`. An optional value follows
an equals sign, as in `--verify-each=0`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from types import MappingProxyType

from ... import __version__
from ...lowering.pipelines import EMITTED

DEFAULT_SPLIT_MARKER = "// -----"
MACHINES = ("native", "avx512", "zen4", "zen5", "avx2", "x86-64", "aarch64")

# Options with an optional value, and their value if it is left out.
_OPTIONAL_VALUES = MappingProxyType(
    {
        "--split-input-file": DEFAULT_SPLIT_MARKER,
        "--verify-diagnostics": "all",
        "--verify-each": "1",
        "--mlir-print-op-on-diagnostic": "1",
        "--print-op-on-diagnostic": "1",
        "--print-cost": "",
    }
)
# Words that can only be the values of these options; any other word is the input.
_VALUES = MappingProxyType(
    {
        "--verify-diagnostics": ("all", "only-expected"),
        "--verify-each": ("0", "1", "false", "true"),
        "--mlir-print-op-on-diagnostic": ("0", "1", "false", "true"),
    }
)


_SHORT = ("-p", "-o", "-h")
_BOOLEANS = MappingProxyType({"1": True, "true": True, "0": False, "false": False})


def parse_arguments(
    argv: Sequence[str], pass_names: Iterable[str], plugin_passes: Callable[[Sequence[str]], Iterable[str]] = lambda files: ()
) -> argparse.Namespace:
    """The options as attributes. Exits with status 2 on a usage error, as argparse does.

    `plugin_passes` loads plugins, those in files included, and returns the names of their passes; it is only called for options
    and levels that are unknown otherwise.
    """
    parser = build_parser()
    known, options = set(pass_names), _long_options(parser)
    if any(_is_unknown(argument, known, options) for argument in argv):
        known.update(plugin_passes(_files(argv)))
    _check_values(parser, argv)
    flags = {option for action in parser._actions if action.const is True for option in action.option_strings}
    arguments, unknown = parser.parse_known_args(normalize(argv, known, options, flags))
    if unknown:
        parser.error(_unknown(unknown[0], known | options))
    if arguments.emit is not None and arguments.emit not in EMITTED.own:
        plugin_passes(arguments.load_pass_plugin)
        _check_emitted(parser, arguments.emit)
    return arguments


def option_names() -> set[str]:
    """The long options of the command, with their dashes."""
    return _long_options(build_parser())


def _check_emitted(parser: argparse.ArgumentParser, name: str) -> None:
    """Reject a name that --emit does not know. Plugins are loaded before, but only for names that are not Stepwell's own."""
    if name not in EMITTED:
        # Imported here: only errors need it.
        from ...ir.diagnostics import did_you_mean

        hint = did_you_mean(name, EMITTED)
        parser.error(f"argument --emit: invalid choice: '{name}'{hint} (choose from {', '.join(EMITTED)})")


def _unknown(argument: str, known: set[str]) -> str:
    if not argument.startswith("-"):
        return f"expected one input, got '{argument}' too"
    # Imported here: only errors need it.
    from difflib import get_close_matches

    name = argument.partition("=")[0].lstrip("-")
    close = get_close_matches(name, sorted(each.lstrip("-") for each in known), n=1)
    return f"unknown option '--{name}'" + (f": did you mean '--{close[0]}'?" if close else "")


def _is_unknown(argument: str, pass_names: set[str], long_options: set[str]) -> bool:
    """Whether an argument looks like an option, and is neither an option nor a pass."""
    name = argument.partition("=")[0]
    if not name.startswith("-") or name in (*_SHORT, "-", "--"):
        return False
    return name not in long_options and f"-{name}" not in long_options and name.lstrip("-") not in pass_names


def _files(argv: Sequence[str]) -> list[str]:
    """The files that `--load-pass-plugin` names, which are needed before the arguments are parsed."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--load-pass-plugin", "-load-pass-plugin", action="append", default=[])
    return parser.parse_known_args(argv)[0].load_pass_plugin


def _check_values(parser: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """Reject a value that follows its option as a word of its own."""
    for option, value in pairwise(argv):
        long = option if option.startswith("--") else f"-{option}"
        if value in _VALUES.get(long, ()) and not os.path.exists(value):
            parser.error(f"argument {long}: the value follows an equals sign, as in {long}={value}")


def normalize(argv: Sequence[str], pass_names: set[str], long_options: set[str], flags: Collection[str] = ()) -> list[str]:
    """`argv` with single dashes doubled, missing values filled in, passes as parts of the pipeline, and flags without the
    values that MLIR allows for them, as in `--mlir-timing=true`."""
    done: list[str] = []
    for index, argument in enumerate(argv):
        if argument == "--":
            return done + list(argv[index:])
        name, equals, value = argument.partition("=")
        if name.startswith("-") and not name.startswith("--") and f"-{name}" in long_options:
            name = f"-{name}"
        if equals and name in flags and value.lower() in _BOOLEANS:
            done += [name] if _BOOLEANS[value.lower()] else []
        elif name in long_options or not name.startswith("-"):
            default = _OPTIONAL_VALUES.get(name)
            done.append(f"{name}={default}" if default is not None and not equals else name + equals + value)
        elif (pass_name := name.lstrip("-")) in pass_names:
            done.append(f"--pass-pipeline={pass_name}" + (f"{{{value}}}" if value else ""))
        else:
            done.append(argument)
    return done


def build_parser() -> argparse.ArgumentParser:
    """The parser of normalized arguments."""
    parser = argparse.ArgumentParser(
        prog="stepwell-opt",
        usage="%(prog)s [OPTION ...] [input]",
        description="Runs passes on textual IR. IR goes to standard output, everything else to standard error.",
        epilog="Exit status: 0 success, 1 a diagnostic, 2 wrong usage, 70 an internal error.",
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    parser.add_argument("input", nargs="?", default="-", help="the file to read, '-' for standard input (default)")
    parser.add_argument("-o", dest="output", default="-", metavar="FILE", help="where the result goes")
    parser.add_argument("--version", action="version", version=f"stepwell {__version__}")
    _add_pipeline_options(parser.add_argument_group("passes"))
    _add_input_options(parser.add_argument_group("input and checks"))
    _add_output_options(parser.add_argument_group("output"))
    _add_print_options(parser.add_argument_group("printing between passes"))
    _add_report_options(parser.add_argument_group("reports and failures"))
    return parser


class _Formatter(argparse.HelpFormatter):
    """Shows an optional value in brackets: `--verify-each[=0|1]`."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not any(option in _OPTIONAL_VALUES for option in action.option_strings):
            return super()._format_action_invocation(action)
        value = "|".join(map(str, action.choices)) if action.choices is not None else action.metavar
        return ", ".join(f"{option}[={value}]" for option in action.option_strings)


def _add_pipeline_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-p",
        "--pass-pipeline",
        "--passes",
        dest="pipeline",
        action="append",
        default=[],
        metavar="PIPELINE",
        help="passes to run, such as 'canonicalize,my-pass{depth=4},func.func(cse)'; a pass may also be an option",
    )
    group.add_argument("--list-passes", action="store_true", help="list the passes with their options and exit")
    group.add_argument("--show-dialects", action="store_true", help="list the dialects and exit")
    group.add_argument("--list-targets", action="store_true", help="list the targets with their levels and exit")
    group.add_argument("--dump-pass-pipeline", action="store_true", help="show the pipeline that will run")
    group.add_argument(
        "--load-pass-plugin", action="append", default=[], metavar="FILE.py", help="a file of passes, dialects or targets"
    )
    _add_mlir(
        group,
        "debug-counter",
        action="append",
        default=[],
        metavar="TAG-skip=N,TAG-count=N",
        help="skip the first N rewrites of a pass or rule, and run at most N; TAG is its name or 'pass-execution'",
    )
    _add_mlir(group, "print-debug-counter", action="store_true", help="show how many rewrites of each tag came up")
    group.add_argument(
        "--debug-only",
        type=lambda tags: tags.split(","),
        default=[],
        metavar="TAG,TAG",
        help="show each rewrite of these passes or rules, with the number that a debug counter gives it",
    )
    group.add_argument(
        "--mlir-disable-threading", action=_NoThreads, nargs=0, help="not needed: passes always run one after another"
    )
    levels = f"{', '.join(EMITTED.own)}, or the language of a plugin's target"
    group.add_argument("--emit", metavar="LEVEL", help=f"lower to a level, and print its IR or source text: {levels}")
    machine = "the machine that --emit lowers for: native, or a model (default avx512), the same on all machines"
    group.add_argument("--machine", choices=MACHINES, default="avx512", help=machine)


def _add_input_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--split-input-file", metavar="MARKER", help="treat the parts between markers as files")
    group.add_argument("--irdl-file", action="append", default=[], metavar="FILE", help="a file of dialects in IRDL")
    group.add_argument("--no-implicit-module", action="store_true", help="the input must have a 'builtin.module' around it")
    group.add_argument("--allow-unregistered-dialect", action="store_true", help="accept operations of any dialect")
    group.add_argument(
        "--verify-diagnostics", choices=("all", "only-expected"), help="compare with '// expected-error {{...}}'"
    )
    group.add_argument("--verify-roundtrip", action="store_true", help="print, parse, print: both texts must be equal")
    group.add_argument("--verify-each", type=_boolean, default=True, metavar="0|1", help="verify after each pass (default 1)")
    group.add_argument("--run-reproducer", action="store_true", help="run the pipeline that the input carries")


def _add_output_options(group: argparse._ArgumentGroup) -> None:
    _add_mlir(group, "print-op-generic", action="store_true", help="print the generic form")
    _add_mlir(group, "print-debuginfo", action="store_true", help="print locations")
    _add_mlir(group, "pretty-debuginfo", action="store_true", help="print locations as in model.py:3:4, which does not parse")
    _add_mlir(group, "use-nameloc-as-prefix", action="store_true", help="name values after the names of their locations")
    _add_mlir(group, "print-local-scope", action="store_true", help="print attributes in place, which is always done")
    _add_mlir(group, "print-value-users", action="store_true", help="print comments that list the users of values")
    _add_mlir(group, "print-skip-regions", action="store_true", help="print regions as '{...}'")
    _add_mlir(group, "print-unique-ssa-ids", action="store_true", help="print names of values that are unique in the module")
    _add_mlir(
        group,
        "elide-elementsattrs-if-larger",
        type=int,
        metavar="N",
        help="print constants of more than N elements as '<__elided__>'",
    )
    group.add_argument("--output-split-marker", default=DEFAULT_SPLIT_MARKER, help="printed between split parts")
    group.add_argument(
        "--print-cost",
        metavar="n=4096,m=1024",
        help="show the predicted cost of each block on standard error, for these sizes; the result must be scheduled loops",
    )
    group.add_argument("--trace", metavar="FILE", help="write where operations came from, as JSON")


def _add_print_options(group: argparse._ArgumentGroup) -> None:
    for when in ("before", "after"):
        _add_mlir(group, f"print-ir-{when}", action="append", default=[], metavar="PASSES", help=f"print IR {when} these")
        _add_mlir(group, f"print-ir-{when}-all", action="store_true", help=f"print IR {when} each pass")
    _add_mlir(group, "print-ir-after-change", action="store_true", help="print IR after passes that change it")
    _add_mlir(group, "print-ir-after-failure", action="store_true", help="print IR after a pass that fails")
    _add_mlir(group, "print-ir-module-scope", action="store_true", help="always print the whole module")
    _add_mlir(group, "print-ir-tree-dir", metavar="DIR", help="print IR after each pass to a file of its own")


def _add_report_options(group: argparse._ArgumentGroup) -> None:
    _add_mlir(group, "timing", action="store_true", help="show the time that each pass took")
    _add_mlir(group, "timing-display", choices=("list", "tree"), default="tree", help="form of the times")
    _add_mlir(group, "output-format", choices=("text", "json"), default="text", help="format of the times")
    _add_mlir(group, "pass-statistics", action="store_true", help="show what each pass did")
    _add_mlir(group, "pass-statistics-display", choices=("list", "pipeline"), default="pipeline", help="form of statistics")
    _add_mlir(group, "pass-pipeline-crash-reproducer", metavar="FILE", help="write a reproducer when a pass fails")
    _add_mlir(
        group, "pass-pipeline-local-reproducer", action="store_true", help="reproducers of failures have the failing pass alone"
    )
    _add_mlir(group, "generate-reproducer", metavar="FILE", help="write input and pipeline as a reproducer")
    _add_mlir(
        group,
        "print-op-on-diagnostic",
        type=_boolean,
        default=False,
        metavar="0|1",
        help="show the operation of an error in a note (default 0)",
    )
    _add_mlir(
        group,
        "diagnostic-verbosity-level",
        choices=("errors", "warnings", "remarks"),
        default="errors",
        help="with remarks, show why passes leave operations as they are (default errors)",
    )
    group.add_argument("--debug", "--mlir-print-stacktrace-on-diagnostic", action="store_true", help="show Python tracebacks")


def _add_mlir(group: argparse._ArgumentGroup, name: str, **settings: object) -> None:
    """An option that MLIR spells `--mlir-name`, also as `--name`."""
    group.add_argument(f"--mlir-{name}", f"--{name}", dest=name.replace("-", "_"), **settings)  # pyright: ignore[reportArgumentType]


def _long_options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings if option.startswith("--")}


class _NoThreads(argparse.Action):
    """Rejects an option that would change nothing."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error("argument --mlir-disable-threading: there are no threads to disable: passes run one after another")


def _boolean(text: str) -> bool:
    if text.lower() not in _BOOLEANS:
        raise argparse.ArgumentTypeError(f"expected 0 or 1, got '{text}'")
    return _BOOLEANS[text.lower()]
