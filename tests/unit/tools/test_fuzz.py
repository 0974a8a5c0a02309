"""Random programs on all targets. The fuzzer finds wrong results, and reduces the programs."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.functions.verification import verify
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import all_passes
from stepwell.passes import PASSES
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.runtime.toolchain.compiler import available_processors
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tools import progress
from stepwell.tools.fuzz import command as fuzz
from stepwell.tools.fuzz import random_pipelines, sanitizers, threads
from stepwell.tools.fuzz import shrink as fuzz_shrink
from stepwell.tools.fuzz.random_pipelines import Pipeline, random_pipeline
from stepwell.tools.fuzz.random_programs import Generator
from stepwell.tools.stepwell import main

SEED = int(os.environ.get("STEPWELL_FUZZ_SEED", "0"))
# A chunk is one test, so that two workers share the work.
CHUNK = 10


@pytest.mark.parametrize("chunk", range(5))
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_random_programs_agree_on_the_cpu_and_on_every_level(level, chunk, some_of):
    targets = ["cpu", "cloop"] if level == "graph" else ["cpu", "loop", "scheduled", "cloop"]
    for seed in some_of(range(SEED + chunk * CHUNK, SEED + (chunk + 1) * CHUNK), 5, chunk):
        failures = fuzz.differences(seed, targets, level)
        assert not failures, f"{level} seed {seed}: {failures[0].target}: {failures[0].message}"


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("level", ["uop", "graph"])
def test_random_programs_agree_in_kernels(level, some_of):
    for seed in some_of(range(SEED + 500, SEED + 500 + CHUNK), 3):
        failures = fuzz.differences(seed, [TRITON], level)
        assert not failures, f"{level} seed {seed}: {failures[0].message}"


def wrong_negation(program):
    """A target that computes `neg` as the identity."""
    module = program.module.clone()
    for op in list(module.walk()):
        if op.name == "uop.map" and op.function.data == "neg":
            op.results[0].replace_all_uses_with(op.inputs[0])
    return fuzz.compile_module(module, target="interpret").run(program.arguments, {})


def test_a_wrong_target_is_found_and_the_program_cut_down(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(fuzz, "LEVELS", {**fuzz.LEVELS, "wrong": wrong_negation})
    assert main(["fuzz", "--programs", "40", "--targets", "wrong", "--out", str(tmp_path)]) == 1
    files = sorted(tmp_path.glob("*.mlir"))
    assert files, "no difference was found"
    assert "differences" in capsys.readouterr().out
    for path in files:
        text = path.read_text()
        assert text.startswith("// wrong differs with n = ")
        assert "neg" in text


def test_a_fault_of_one_operation_is_cut_down_to_it(monkeypatch, tmp_path):
    """Programs of twelve operations, of which the negation is wrong: only it is left of them."""
    monkeypatch.setattr(fuzz, "LEVELS", {**fuzz.LEVELS, "wrong": wrong_negation})
    assert main(["fuzz", "--programs", "40", "--targets", "wrong", "--out", str(tmp_path)]) == 1
    for path in tmp_path.glob("*.mlir"):
        module = parse_module(path.read_text(), make_context())
        function = entry_function(module)
        assert [op.name for op in function.body.block.ops] == ["uop.map", "func.return"], path.read_text()
        assert len(function.args) == 1


def wrong_pair(program):
    """A target that gives wrong results for programs with both a scan and a reduction."""
    results = fuzz.compile_module(program.module, target="interpret").run(program.arguments, {})
    module = program.module.clone()
    PassManager.parse("dce", make_context(), all_passes()).run(module)
    names = {op.name for op in module.walk()}
    return [~result for result in results] if {"uop.scan", "uop.reduce"} <= names else results


def test_a_fault_of_two_operations_keeps_both(monkeypatch):
    monkeypatch.setattr(fuzz, "LEVELS", {"wrong": wrong_pair})
    # Results of other dtypes cannot be inverted: the TypeError counts as a failure too.
    failures = [failure for seed in range(30) for failure in fuzz.differences(seed, ["wrong"], "uop")]
    assert failures
    for failure in failures:
        names = [op.name for op in failure.program.module.walk()]
        assert "uop.scan" in names and "uop.reduce" in names
        assert fuzz_shrink.size(failure.program) <= 4, print_module(failure.program.module)


def test_long_programs_are_reduced_by_halves():
    """Many operations are removed at a time, as by `stepwell reduce`: two hundred operations do not need two hundred checks."""
    program = Generator(3, 200).make()
    assert fuzz_shrink.size(program) > 150
    checks = 0

    def shows(smaller):
        nonlocal checks
        checks += 1
        names = [op.name for op in smaller.module.walk()]
        return "uop.scan" in names and "uop.reduce" in names

    assert shows(program)
    smallest = fuzz_shrink.shrink(program, shows, fuzz.oracle, lambda left: None)
    assert fuzz_shrink.size(smallest) <= 4 and checks < 100, checks
    assert len(fuzz.oracle(smallest)) == len(smallest.bounds)


def test_a_crash_stays_the_same_crash(monkeypatch):
    """A program that raises another exception does not count as a smaller one with the same fault."""

    def crash(program):
        raise (RuntimeError if fuzz_shrink.size(program) > 3 else KeyError)("out of luck")

    monkeypatch.setattr(fuzz, "LEVELS", {"crash": crash})
    (failure,) = fuzz.differences(2, ["crash"], "uop")
    assert failure.message == "RuntimeError: out of luck" and 3 < fuzz_shrink.size(failure.program) <= 6


def test_programs_on_the_graph_level_are_cut_down(monkeypatch):
    def wrong(program):
        if any(op.name == "graph.reduce" for op in program.module.walk()):
            raise RuntimeError("a reduction")
        return fuzz.oracle(program)

    monkeypatch.setattr(fuzz, "LEVELS", {"wrong": wrong})
    failures = [failure for seed in range(10) for failure in fuzz.differences(seed, ["wrong"], "graph")]
    assert failures
    for failure in failures:
        assert fuzz_shrink.size(failure.program) == 1, print_module(failure.program.module)


def test_progress_is_for_people(capsys, monkeypatch):
    pytest.importorskip("rich")
    assert main(["fuzz", "--programs", "2", "--targets", "interpret"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["fuzz", "--programs", "2", "--targets", "interpret"]) == 0
    streams = capsys.readouterr()
    assert "fuzz" in streams.err and "2/2" in streams.err
    assert streams.out == "2 programs, seeds 0 to 1, uop level, interpret: 0 differences\n"


def test_progress_in_a_log_is_a_line_now_and_then(capsys, monkeypatch):
    times = itertools.count(0.0, 12.0)
    monkeypatch.setattr(progress, "monotonic", lambda: next(times))
    assert main(["fuzz", "--programs", "7", "--targets", "interpret"]) == 0
    streams = capsys.readouterr()
    assert streams.err == "fuzz: 3 of 7 after 36 s\nfuzz: 6 of 7 after 72 s\n"
    assert streams.out == "7 programs, seeds 0 to 6, uop level, interpret: 0 differences\n"


def test_progress_says_how_far_a_program_is_cut_down(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    shown = progress.Lines("fuzz", 2)
    shown.note("cpu differs, 5 operations left")
    assert capsys.readouterr().err == "fuzz: 0 of 2 after 0 s: cpu differs, 5 operations left\n"


def test_a_crash_is_a_difference(monkeypatch):
    def crash(program):
        raise RuntimeError("out of luck")

    monkeypatch.setattr(fuzz, "LEVELS", {**fuzz.LEVELS, "crash": crash})
    (failure,) = fuzz.differences(0, ["crash"], "uop")
    assert failure.message == "RuntimeError: out of luck"


@pytest.mark.parametrize("level", ["uop", "graph"])
def test_the_same_seed_gives_the_same_program(level):
    first, second = (fuzz.GENERATORS[level](7).make() for _ in range(2))
    assert str(first.module) == str(second.module)
    for a, b in zip(first.arguments, second.arguments, strict=True):
        np.testing.assert_array_equal(a, b)
    assert entry_function(first.module).sym_name.data == "random"


def test_no_exponentials_of_an_argument_that_is_larger_than_what_is_computed():
    verify(fuzz.GENERATORS["uop"](1310147).make().module)


def test_an_unknown_target_is_wrong_usage(capsys):
    assert main(["fuzz", "--targets", "gpu"]) == 2
    assert "unknown target 'gpu'" in capsys.readouterr().err


# Random pipelines


@pytest.mark.parametrize("chunk", range(2))
def test_random_pipelines_agree_with_the_oracle(chunk, some_of):
    """The loops of all programs run on their interpreter, some also as C; the message has the seed of a failing program."""
    for seed in some_of(range(SEED + 1000 + chunk * CHUNK, SEED + 1000 + (chunk + 1) * CHUNK), 2):
        pipeline = random_pipeline(seed)
        failures = fuzz.differences(seed, ["scheduled", "cpu"][: 2 if seed % 4 == 0 else 1], "uop", None, pipeline)
        assert not failures, f"seed {seed}: {failures[0].target}: {failures[0].message}: {failures[0].pipeline}"


def test_every_pass_on_loops_is_in_random_pipelines():
    """Each of their options is parsed."""
    wanted = {name for name, _ in PASSES if name.startswith("loop-")}
    known = {**random_pipelines.PASSES, **random_pipelines.LAST}
    assert wanted <= known.keys()
    for name, choices in known.items():
        options = " ".join(f"{option.replace('_', '-')}={values[0]}" for option, values in choices.items())
        PassManager.parse(f"{name}{{{options}}}" if options else name, make_context(), all_passes())


def test_pipelines_are_cut_down_to_the_passes_at_fault():
    whole = Pipeline("first", ("a", "b", "c", "b"), ("last",))
    assert whole.shrink(lambda shorter: {"b", "c"} <= set(shorter.passes)).passes == ("c", "b")
    assert str(whole) == "first,a,b,c,b,last" and whole.to_loops == "first,a,b,c,b"


def test_a_failure_says_its_pipeline(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(fuzz, "with_pipeline", lambda pipeline: {"scheduled": wrong_negation})
    assert main(["fuzz", "--programs", "20", "--pipelines", "3", "--targets", "scheduled", "--out", str(tmp_path)]) == 1
    texts = [path.read_text() for path in tmp_path.glob("*.mlir")]
    assert texts and all("// pipeline: lower-uop-to-loop{accumulate=float" in text for text in texts)
    assert "20 programs, seeds 0 to 19, uop level, 3 random pipelines, scheduled: " in capsys.readouterr().out
    assert main(["fuzz", "--pipelines", "3", "--targets", "tile"]) == 2
    assert "unknown target 'tile' (choose among scheduled" in capsys.readouterr().err


# Sanitizers

OUT_OF_BOUNDS = """\
func.func @beyond(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {
    sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [N, N]} {
  %v = cloop.load %x <() -> (n)> : !cloop.ptr<f32, "const"> -> f32
  cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  func.return
}
"""
RACE = """\
func.func @race(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {
    sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [N, N]} {
  cloop.for <() -> (0, n)> step 1 threads <() -> (0)> {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[] <() -> (0)> : f32, !cloop.ptr<f32, "restrict">
  }
  func.return
}
"""


@pytest.mark.parametrize(
    ("sanitizer", "text", "said"), [("address", OUT_OF_BOUNDS, "heap-buffer-overflow"), ("thread", RACE, "data race")]
)
def test_sanitizers_report_what_is_wrong(sanitizer, text, said, tmp_path):
    library = sanitizers.runtime_of(sanitizer)
    if library is None:
        pytest.skip(f"the compiler has no {sanitizers.RUNTIMES[sanitizer]}")
    if sanitizer == "thread" and available_processors() == 1:
        pytest.skip("compiled code has one thread on one processor")
    program = tmp_path / "program.mlir"
    program.write_text(text.replace("N", "memref<?xf32, {shape = #sw.shape<[n]>}>"))
    np.save(tmp_path / "x.npy", np.ones(4096, np.float32))
    environment = sanitizers.environment_for([sanitizer], [str(library)], tmp_path)
    command = [sys.executable, "-m", "stepwell.tools.stepwell", "run", str(program), "--arg", f"x={tmp_path / 'x.npy'}"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode != 0 and said in done.stderr, done.stderr[-2000:]


@pytest.mark.parametrize("wanted", ["address,undefined", "thread"])
def test_some_programs_under_sanitizers(wanted, tmp_path, capsys):
    if any(sanitizers.runtime_of(name) is None for name in wanted.split(",")):
        pytest.skip(f"the compiler has not all of {wanted}")
    options = ["--programs", "3", "--pipelines", "3", "--parallel", "--out", str(tmp_path)]
    assert main(["fuzz", *options, "--sanitize", wanted]) == 0, capsys.readouterr().out
    assert "3 programs, seeds 0 to 2" in capsys.readouterr().out


def test_an_unknown_sanitizer_is_wrong_usage(capsys):
    assert main(["fuzz", "--sanitize", "memory"]) == 2
    assert "unknown sanitizer 'memory': choose among address, undefined, thread" in capsys.readouterr().err


# Threads


@pytest.mark.parametrize("level", ["uop", "graph"])
def test_larger_programs_give_the_same_bits_on_threads(level, capsys):
    assert main(["fuzz", "--programs", "2", "--seed", "40", "--threads", "2", "--level", level]) == 0
    assert capsys.readouterr().out == f"2 programs, seeds 40 to 41, {level} level, cpu on 2 threads: 0 differences\n"


def test_threads_that_differ_are_told():
    numbers = itertools.count()
    with pytest.raises(threads.ThreadsDiffer, match=r"call 0, result 0, element \(1,\): 1 on 2 threads, 0 on one"):
        threads.same_on_threads(lambda: [np.array([5, next(numbers)])], 2)


@pytest.mark.parametrize("options", [["--pipelines", "2"], ["--speed"], ["--targets", "loop"]])
def test_threads_go_with_the_default_pipeline_on_the_cpu(options, capsys):
    assert main(["fuzz", "--threads", "2", *options]) == 2
    assert "--threads: goes with the target cpu" in capsys.readouterr().err
