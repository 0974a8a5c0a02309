"""The pass manager: pipelines as text, checks after each pass, and failing passes."""

import io
import json
import re
from dataclasses import dataclass, fields
from typing import ClassVar

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.jit import traced_for
from stepwell.ir.diagnostics import CompileError, InternalError, LegalityError, PipelineError, VerifyError
from stepwell.ir.rewrite import count
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import TABLES, all_passes
from stepwell.lowering.driver import lower
from stepwell.lowering.pipelines import TARGETS
from stepwell.passes import RENAMED
from stepwell.passes.generic.on_finalize import OnFinalize
from stepwell.passes.manager.instruments import IRPrinting, PassFilter
from stepwell.passes.manager.options import Limits, Words, first_violation, limits_of
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.manager.pipeline import Nest, parse_pipeline
from stepwell.passes.manager.pipeline_options import read_options
from stepwell.passes.manager.registry import OperationPass, Registry
from stepwell.passes.manager.reports import Statistics, Timing
from stepwell.passes.manager.reproducer import CrashReproducer, from_pass, read_reproducer
from stepwell.passes.rules.settings import HOOKED
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

PROGRAM = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  func.return %0 : i32\n}"


@dataclass(frozen=True)
class Options(ModulePass):
    name = "options"

    depth: int = 4
    label: str = "x"
    sizes: tuple[int, ...] = (1, 2)
    limit: int | None = None
    fast: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        count("num-options", "Number of options", self.depth)


@dataclass(frozen=True)
class Note(OperationPass):
    """Appends the name of the operation that it runs on to a list."""

    name = "note"
    seen: ClassVar[list[str]]

    def apply_to(self, ctx: Context, op: Operation) -> None:
        self.seen.append(op.name)


@dataclass(frozen=True)
class Fail(ModulePass):
    name = "fail"
    how: str = "crash"
    illegal: ClassVar[tuple[str, ...]] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        match self.how:
            case "crash":
                raise KeyError("lost")
            case "user":
                raise CompileError("not supported", op.location)
            case "xdsl":
                raise PassFailedException("cannot do it")
            case "invalid":
                function = op.body.block.first_op
                assert function is not None
                sum_ = function.regions[0].block.first_op
                assert sum_ is not None
                sum_.results[0].replace_all_uses_with(op.body.block.insert_arg(sum_.results[0].type, 0))


@dataclass(frozen=True)
class LeaveAdditions(ModulePass):
    name = "leave-additions"
    illegal: ClassVar[tuple[str, ...]] = ("arith",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


def registry() -> Registry:
    return Registry(TABLES, (Options, Note, Fail, LeaveAdditions))


def module_of(text: str = PROGRAM) -> ModuleOp:
    return parse_module(text, make_context(), "f.mlir")


def run(pipeline: str, module: ModuleOp | None = None, **settings) -> None:
    manager = PassManager.parse(pipeline, make_context(), registry(), **settings)
    manager.run(module if module is not None else module_of())


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("", "builtin.module()"),
        ("cse , dce", "builtin.module(cse,dce)"),
        ("builtin.module( cse,func.func(cse) )", "builtin.module(cse,func.func(cse))"),
        ("any(func.func())", "builtin.module(any(func.func()))"),
        ("options", 'builtin.module(options{depth=4 label="x" sizes=1,2 fast=false})'),
        ("options{depth=2 limit=7}", 'builtin.module(options{depth=2 label="x" sizes=1,2 limit=7 fast=false})'),
        ("options{limit}", 'builtin.module(options{depth=4 label="x" sizes=1,2 fast=false})'),
        ('options{label="a\nb"}', 'builtin.module(options{depth=4 label="a b" sizes=1,2 fast=false})'),
        ('options{label="a,b(c)"\n fast=true}', 'builtin.module(options{depth=4 label="a,b(c)" sizes=1,2 fast=true})'),
    ],
)
def test_pipelines_are_read_and_printed_with_all_options(text: str, canonical: str):
    pipeline = parse_pipeline(text, registry())
    assert str(pipeline) == canonical
    assert str(parse_pipeline(canonical, registry())) == canonical


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("cse,csee", 5, "unknown pass 'csee': did you mean 'cse'?"),
        ("cse,loop-jam{rows=4}", 5, "unknown pass 'loop-jam': it is now 'loop-unroll-and-jam'"),
        ("func.func(cse", 14, "expected ',' or ')'"),
        ("cse)", 4, "expected ',' or the end"),
        ("cse,,dce", 5, "expected the name of a pass"),
        ("options{dept=3}", 9, "unknown option 'dept': did you mean 'depth'?"),
        ("options{depth=x}", 9, "pass 'options': option 'depth': expected a whole number, got 'x'"),
        ("options{fast=true depth=1.5}", 19, "pass 'options': option 'depth': expected a whole number, got '1.5'"),
        ("cse,options{ depth=1,2}", 14, "pass 'options': option 'depth': expected a whole number, got '1,2'"),
        ("options{depth=true}", 9, "pass 'options': option 'depth': expected a whole number, got 'true'"),
        ("options{depth}", 9, "pass 'options': option 'depth': expected a whole number, got nothing"),
        ("options{depth=}", 9, "pass 'options': option 'depth': expected a whole number, got nothing"),
        ("options{depth=[1,2]}", 9, "pass 'options': option 'depth': expected a whole number, got '[1,2]'"),
        ("options{fast=3}", 9, "pass 'options': option 'fast': expected true or false, got '3'"),
        ("options{label=3}", 9, "pass 'options': option 'label': expected a word, got '3'"),
        ("options{sizes=1,?}", 9, "pass 'options': option 'sizes': expected whole numbers, separated by commas, got '1,?'"),
        ("options{depth=1 sizes=1,a}", 17, "option 'sizes': expected whole numbers, separated by commas, got '1,a'"),
        ("options{depth=1 limit=a}", 17, "pass 'options': option 'limit': expected a whole number, got 'a'"),
        ("options{fast=true limit=}", 19, "pass 'options': option 'limit': expected a whole number, got nothing"),
        ("options{depth=1 depth=2}", 17, "pass 'options': option 'depth': it is given twice"),
        ("options{depth = 1}", 9, "pass 'options': option 'depth': expected a whole number, got nothing"),
        ("options{=1}", 9, "pass 'options': expected an option, as name=value, got '=1'"),
        ('options{label="a"b}', 9, "pass 'options': option 'label': expected a word, got '\"a\"b'"),
        ("lower-uop-to-loop{accumulate=float99}", 19, "option 'accumulate': expected float64 or float32, got float99"),
        ("rewrite-rules{device=moon}", 15, "option 'device': expected cpu or cuda, got moon"),
        ("on-finalize{level=roof}", 13, "option 'level': expected cloop or uop or loop or scheduled or tile, got roof"),
        ("options{depth=3", 8, "expected '}' after the options of a pass"),
        ("func.func(options)", 11, "cannot be anchored at 'func.func'"),
        ("any(" * 60, None, "nesting too deep"),
    ],
)
def test_bad_pipelines_say_where(text: str, column: int | None, message: str):
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(text, registry())
    assert message in caught.value.message
    assert caught.value.frame is not None and column in (None, caught.value.frame.column)


def test_names_in_the_tables_are_those_of_the_classes():
    for name in all_passes().names():
        found = all_passes().find(name)
        assert found is not None and found.name == name


def test_hooks_run_on_the_levels_of_the_targets_that_have_them():
    limits = limits_of(OnFinalize)
    levels = {stage.level for target in HOOKED for stage in TARGETS[target].stages[1:]}
    assert isinstance(limits["level"], Words) and set(limits["level"].words) == levels
    assert {row.device or target for target, row in TARGETS.items()} == set(HOOKED)


def passes_with_numbers() -> list[type[ModulePass]]:
    found = [all_passes().find(name) for name in all_passes().names()]
    return [each for each in found if each is not None and any(field.type in ("int", int) for field in fields(each))]


@pytest.mark.parametrize("found", passes_with_numbers(), ids=lambda found: found.name)
def test_numbers_beyond_their_limits_are_refused(found: type[ModulePass]):
    """Every number among the options has limits, and a default within them; the error names a number beyond them."""
    limits = {name: each for name, each in limits_of(found).items() if isinstance(each, Limits)}
    assert set(limits) == {field.name for field in fields(found) if field.type in ("int", int)}
    assert first_violation(found()) is None
    for name, each in limits.items():
        option = name.replace("_", "-")
        assert isinstance(parse_pipeline(f"{found.name}{{{option}={each.least}}}", all_passes()), Nest)
        wrong = [each.least - 1] if each.most is None else [each.least - 1, each.most + 1]
        for value in [*wrong, *([each.least + 2] if each.power_of_two else [])]:
            expected = f"pass '{found.name}': option '{option}': expected {each}, got {value}"
            with pytest.raises(PipelineError, match=re.escape(expected)):
                parse_pipeline(f"{found.name}{{{option}={value}}}", all_passes())


@pytest.mark.parametrize("end", ["least", "most"])
def test_numbers_at_their_limits_are_taken(end: str):
    """All options at once; an option without a greatest value keeps its default."""
    options = {
        each.name: {name: getattr(limits, end) for name, limits in limits_of(each).items() if isinstance(limits, Limits)}
        for each in passes_with_numbers()
    }
    options = {name: {key: value for key, value in each.items() if value is not None} for name, each in options.items()}

    def program(x, w):
        return sw.softmax(x @ sw.matrix_transpose(w), axis=1), sw.cumsum(x, axis=1), sw.sum(x, axis=0)

    module = traced_for(program, [sw.Spec(("n", 64)), sw.Spec((70, 64))], {}).module
    assert list(lower(module, make_context(), "cpu", options=options))[-1] == "cloop"


def test_passes_of_xdsl_are_found_and_hidden_by_ours():
    passes = all_passes()
    found = passes.find("cse")
    assert found is not None and found.__module__.startswith("stepwell.")
    assert passes.find("convert-scf-to-cf") is not None
    assert passes.find("nothing") is None and "cse" not in passes.foreign_names()


def test_nests_run_on_each_operation_inside():
    Note.seen = []
    two = module_of("func.func @f() {\n  func.return\n}\nfunc.func @g() {\n  func.return\n}")
    run("note,func.func(note),any(note)", two)
    assert Note.seen == ["builtin.module", *["func.func"] * 4]


def test_the_input_is_verified_first():
    invalid = module_of("func.func @f() {\n  %0 = arith.addi %1, %1 : i32\n  %1 = arith.constant 1 : i32\n  func.return\n}")
    with pytest.raises(VerifyError):
        run("cse", invalid)
    run("options", invalid, verify_each=False)


def test_left_over_operations_are_found_at_their_place():
    with pytest.raises(LegalityError) as caught:
        run("leave-additions")
    assert str(caught.value).startswith("f.mlir:2:8: error: 'arith.addi': left over by 'leave-additions'")


@pytest.mark.parametrize(
    "how, kind, message",
    [
        ("crash", InternalError, "internal error: pass 'fail' failed: KeyError: 'lost'"),
        ("invalid", InternalError, "f.mlir:3:3: internal error: pass 'fail' made invalid IR: 'func.return'"),
        ("user", CompileError, "f.mlir:1:1: error: not supported"),
        ("xdsl", CompileError, "f.mlir:1:1: error: pass 'fail': cannot do it"),
    ],
)
def test_failures(how: str, kind: type[CompileError], message: str):
    with pytest.raises(CompileError) as caught:
        run(f"fail{{how={how}}}")
    assert type(caught.value) is kind and message in str(caught.value)


def test_a_reproducer_fails_the_same_way(tmp_path):
    path = tmp_path / "r.mlir"
    with pytest.raises(InternalError) as caught:
        run("options{depth=2},func.func(cse),fail{how=crash},dce", instruments=[CrashReproducer(str(path))])
    assert caught.value.reproducer == str(path)
    again = read_reproducer(path.read_text(), make_context(), str(path))
    assert again.pipeline == 'builtin.module(fail{how="crash"},dce)' and again.verify_each
    assert print_module(again.module, debuginfo=True) == print_module(module_of(), debuginfo=True)
    with pytest.raises(InternalError) as replayed:
        run(again.pipeline, again.module)
    assert replayed.value.message == caught.value.message


def test_user_errors_leave_a_reproducer_only_when_asked(tmp_path):
    path = tmp_path / "r.mlir"
    for for_all in (False, True):
        with pytest.raises(CompileError):
            run("fail{how=user}", instruments=[CrashReproducer(str(path), for_all=for_all)])
        assert path.exists() == for_all


def test_the_rest_of_a_nested_pipeline():
    pipeline = parse_pipeline("cse,func.func(cse,dce),dce", registry())
    assert str(from_pass(pipeline, (1, 1))) == "builtin.module(func.func(dce),dce)"
    assert str(from_pass(pipeline, (0,))) == str(pipeline)


def test_statistics_count_what_passes_count():
    statistics, stream = Statistics(), io.StringIO()
    run("options{depth=3},options", instruments=[statistics])
    statistics.report(stream, "list")
    assert "(S) 7 num-options     - Number of options" in stream.getvalue()


def test_timing_as_json():
    timing, stream = Timing(), io.StringIO()
    run("func.func(cse),dce", instruments=[timing])
    timing.report(stream, as_json=True)
    nest, dce, *rest = json.loads(stream.getvalue())
    assert nest["name"] == "'func.func' Pipeline" and nest["passes"][0]["name"] == "CSE"
    assert dce["name"] == "DCE" and [each["name"] for each in rest] == ["Rest", "Total"]


def test_printing_after_changes_only():
    stream = io.StringIO()
    printing = IRPrinting(stream, after_passes=PassFilter(all=True), after_change=True)
    run("cse,options", instruments=[printing])
    assert stream.getvalue() == ""


def test_a_manager_takes_passes_as_objects():
    manager = PassManager([Options(depth=1)], make_context())
    assert manager.pipeline == Nest("builtin.module", (Options(depth=1),))
    manager.run(module_of())


def test_passes_that_can_change_are_made_for_each_pipeline():
    class Counting(ModulePass):
        name = "test-counting"
        runs = 0

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            self.runs += 1

    assert read_options("", Options) is read_options("", Options)
    first = read_options("", Counting)
    first.apply(make_context(), module_of())
    assert read_options("", Counting).runs == 0


def test_former_names_lead_to_passes_that_there_are():
    names = set(all_passes().names())
    assert RENAMED and not names & set(RENAMED) and set(RENAMED.values()) <= names
