"""`stepwell reduce` and `stepwell bisect`: injected faults, found and cut down."""

import os
import random
import shlex
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.dialects.loop import ComputeOp
from stepwell.dialects.uop import MapOp
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import TABLES
from stepwell.passes.manager.pipeline import Nest, parse_pipeline, passes_of
from stepwell.passes.manager.registry import Registry
from stepwell.tools.fuzz.random_programs import Generator
from stepwell.tools.opt.main import main as opt
from stepwell.tools.reduce import outcomes
from stepwell.tools.reduce.isolation import NoResult, isolated
from stepwell.tools.reduce.reducer import Reducer, size
from stepwell.tools.reduce.skipping import NEEDED, Skipping, without_pass
from stepwell.tools.stepwell import main
from xdsl.dialects.builtin import StringAttr

from tests.injected_bugs import CrashOn, pairs_of

PLUGIN = Path(__file__).parents[2] / "lit" / "tools" / "Inputs" / "plugin.py"

ARITHMETIC = """func.func @f(%a: i32, %c: i1) -> (i32, i32) {
  %0 = arith.muli %a, %a : i32
  %1, %2 = scf.if %c -> (i32, i32) {
    %3 = arith.addi %0, %0 : i32
    scf.yield %3, %0 : i32, i32
  } else {
    scf.yield %a, %a : i32, i32
  }
  %4 = arith.subi %1, %0 : i32
  func.return %4, %2 : i32, i32
}
func.func @g(%a: i32) -> i32 {
  func.return %a : i32
}
"""
SINES = """func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %1 = uop.map "sin"(%0) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %2 = uop.map "add"(%1, %0) : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %3 = uop.map "sin"(%2) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %3 : tensor<?xf32, #sw.shape<[n]>>
}
"""

# MLIR's own arithmetic on tensors, which no target takes.
ON_TENSORS = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mlir").write_text(ARITHMETIC)
    (tmp_path / "s.mlir").write_text(SINES)
    return tmp_path


def test_a_crash_is_reduced_to_what_it_takes(folder, capsys):
    pipeline = "cse,test-crash{message=boom},dce"
    assert main(["reduce", "a.mlir", "-p", pipeline, "--load-pass-plugin", str(PLUGIN), "--out", "r.mlir"]) == 0
    text = Path("r.mlir").read_text()
    assert text.count("arith.") == 1 and "arith.addi" in text and "scf.if" not in text and "@g" not in text
    # The result is a reproducer with only one pass.
    assert 'pipeline: "builtin.module(test-crash{message=\\"boom\\"})"' in text and 'plugins: "plugin"' in text
    assert "6 operations reduced to 1 in" in capsys.readouterr().err
    assert main(["reduce", "r.mlir", "--load-pass-plugin", str(PLUGIN)]) == 0
    assert capsys.readouterr().out == text


def test_a_failure_of_the_verifier_is_reduced(folder):
    lines = "\n".join(f"  %{k} = arith.addi %{k - 1 if k else 'a'}, %a : i32" for k in range(20))
    (folder / "b.mlir").write_text(f"func.func @f(%a: i32) -> i32 {{\n{lines}\n  func.return %19 : i32\n}}\n")
    assert main(["reduce", "b.mlir", "-p", "test-break", "--load-pass-plugin", str(PLUGIN), "--out", "r.mlir"]) == 0
    module = parse_module(Path("r.mlir").read_text(), make_context(), "r.mlir")
    assert size(module) == 2


def test_any_command_says_what_is_looked_for(folder, capsys):
    code = "import sys; sys.exit('subi' not in open(sys.argv[1]).read())"
    assert main(["reduce", "a.mlir", "--test", f"{shlex.quote(sys.executable)} -c {shlex.quote(code)} {{}}"]) == 0
    assert size(parse_module(capsys.readouterr().out, make_context(), "out")) == 1


def test_an_invalid_module_may_stay_invalid():
    text = """"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
      %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
      "test.keep"() : () -> ()
      "func.return"(%0) : (i32) -> ()
    }) : () -> ()
    """
    module = parse_module(text, make_context(allow_unregistered=True), "t.mlir")
    smaller = Reducer(lambda each: "test.keep" in print_module(each, generic=True)).reduce(module)
    assert size(smaller) == 1


def test_a_wrong_result_is_reduced(monkeypatch):
    """Exponentials are wrong on a target."""

    def fault(module):
        return "wrong" if any(isinstance(op, MapOp) and op.function.data == "exp" for op in module.walk()) else None

    module = parse_module(SINES, make_context(), "s.mlir")
    smaller = Reducer(lambda each: fault(each) is not None).reduce(module)
    assert size(smaller) == 1 and outcomes.difference_on("cpu", outcomes.Arguments(None, {}), make_context())(smaller) is None


@pytest.mark.parametrize("target", [[], ["--target", "cpu"]])
def test_a_pipeline_that_changes_results_is_reduced(folder, capsys, target):
    options = ["-p", "cse,test-wrong,dce", "--load-pass-plugin", str(PLUGIN), *target]
    assert main(["reduce", "s.mlir", *options, "--out", "r.mlir"]) == 0
    text = Path("r.mlir").read_text()
    assert text.count("uop.map") == 1 and '"sin"' in text and 'pipeline: "builtin.module(test-wrong)"' in text
    assert "4 operations reduced to 1 in" in capsys.readouterr().err


def test_a_lowering_that_changes_results_is_reduced(folder, capsys):
    options = ["-p", "test-wrong,lower-uop-to-loop", "--load-pass-plugin", str(PLUGIN)]
    assert main(["reduce", "s.mlir", *options]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("uop.map") == 1 and 'pipeline: "builtin.module(test-wrong)"' in printed.out


@pytest.mark.parametrize("seed", range(4))
def test_injected_crashes_come_down_to_a_few_operations(seed):
    program = next(each for each in (Generator(seed * 100 + k, 60).make() for k in range(50)) if pairs_of(each.module))
    first, second = random.Random(seed).choice(pairs_of(program.module))
    fault = outcomes.failure_of(Nest("builtin.module", (CrashOn(first, second),)), make_context())
    assert fault(program.module) == "InternalError: pass 'test-crash-on' failed: AssertionError: a pair"
    smaller = Reducer(lambda module: fault(module) is not None).reduce(program.module)
    assert size(smaller) <= 4 < size(program.module)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.mlir"], "what shows the fault? Expected -p, --target or --test"),
        (["a.mlir", "-p", "cse"], "'a.mlir' does not show the fault"),
        (["a.mlir", "--test", "'open"], "--test 'open: No closing quotation"),
        (["a.mlir", "--test", ""], "--test: expected a command"),
        (["a.mlir", "--test", "no-such-command {}"], "--test: no command 'no-such-command'"),
        (["a.mlir", "-p", "cse", "--test", "true"], "--test: expected a command alone, without -p and --target"),
        (["none.mlir", "-p", "cse"], "none.mlir: No such file or directory"),
        (["s.mlir", "--target", "gpu"], "unknown target 'gpu'"),
        (["blocks.mlir", "--target", "cpu"], "its results cannot be compared: expected @f to have one block, got 2"),
        (["model.py", "-p", "cse"], "'model.py' is a Python file: name a function in it, as in 'model.py:layer'"),
        (["model.py:f", "-p", "cse"], "expected a program as text, got the function 'model.py:f'"),
        (["s.mlir", "--target", "cpu"], "'s.mlir' does not show the fault"),
    ],
)
def test_what_cannot_be_reduced(folder, capsys, arguments, message):
    Path("blocks.mlir").write_text("func.func @f() {\n  cf.br ^end\n^end:\n  func.return\n}\n")
    assert main(["reduce", *arguments]) == 1
    assert message in capsys.readouterr().err


def bisect(capsys, *arguments, program="s.mlir"):
    status = main(["bisect", program, *arguments])
    captured = capsys.readouterr()
    return status, captured.out.splitlines(), captured.err


def test_the_pass_and_the_rewrite_that_make_a_result_wrong(folder, capsys):
    options = ["-p", "cse,test-wrong,dce", "--load-pass-plugin", str(PLUGIN)]
    status, lines, _ = bisect(capsys, *options)
    assert status == 0 and lines[0].startswith("with all passes: result 0 differs by up to ")
    assert lines[1].startswith("pass 2 of ") and ": test-wrong: result 0 differs" in lines[1]
    assert lines[2] == "rewrite 1 of 2 in it: --mlir-debug-counter=test-wrong-skip=0,test-wrong-count=1 runs it alone"
    # With these arguments the first sine is zero, and its cosine is lost in a large sum: only the second one matters.
    np.save("x.npy", np.full(3, -200.0, np.float32))
    _, lines, _ = bisect(capsys, *options, "--arg", "x=x.npy")
    assert lines[1].startswith("pass 2 of ")


def test_a_rewrite_rule_is_named(folder, capsys):
    Path("tan.mlir").write_text(SINES.replace('"sin"(%2)', '"tan"(%2)'))
    with sw.rewrite_rule("wrong-tangent", "tan(x) -> x", tag="stabilising"):
        status, lines, _ = bisect(capsys, "-p", "rewrite-rules", program="tan.mlir")
    assert status == 0 and ": rewrite-rules: result 0 differs" in lines[1]
    assert lines[2].startswith("rewrite 1 of 1 in it, an application of rule 'wrong-tangent': --mlir-debug-")


def test_right_results_cannot_be_bisected(folder, capsys):
    status, _, error = bisect(capsys)
    assert status == 1 and "the results agree with the interpreter's" in error
    status, _, error = bisect(capsys, "--param", "q=3")
    assert status == 1 and "unknown parameter 'q'" in error
    status, lines, _ = bisect(capsys, "-p", "test-retype", "--load-pass-plugin", str(PLUGIN))
    assert lines[0].endswith("changes the types of the program's arguments or results")
    Path("s.mlir").write_text(ON_TENSORS)
    status, _, error = bisect(capsys)
    assert status == 1 and "s.mlir:2:8: error: 'arith.addf': expected a micro-op" in error


def test_loops_are_bisected_and_reduced(folder, capsys):
    """The results are compared with the interpreter of their level. A smaller program still writes all of its results."""
    options = ["-p", "test-wrong", "--load-pass-plugin", str(PLUGIN)]
    assert opt(["s.mlir", "-p", "lower-uop-to-loop,loop-fuse", "-o", "loops.mlir"]) == 0
    status, lines, _ = bisect(capsys, *options, program="loops.mlir")
    assert status == 0 and lines[1].startswith("pass 1 of ") and ": test-wrong: result 0 differs" in lines[1]
    assert main(["reduce", "loops.mlir", *options, "--out", "small.mlir"]) == 0
    small = Path("small.mlir").read_text()
    assert "loop.store" in small and small.count("loop.compute") < Path("loops.mlir").read_text().count("loop.compute")
    attributes = "attributes {sw.params = [], sw.inputs = 0 : i64}"
    Path("loops.mlir").write_text(f"func.func @f(%out: memref<4xf32>) {attributes} {{\n  func.return\n}}\n")
    status, _, error = bisect(capsys, *options, program="loops.mlir")
    assert status == 1 and "loops.mlir:1:1: error: the program does not write all elements of its results" in error


def test_python_functions_are_bisected(folder, capsys):
    Path("model.py").write_text("import stepwell as sw\n\ndef layer(x, w):\n    return sw.sin(x) * w\n")
    np.save("x.npy", np.ones(3, np.float32))
    options = ["-p", "lower-graph-to-uop,test-wrong", "--load-pass-plugin", str(PLUGIN)]
    status, lines, _ = bisect(capsys, *options, "--arg", "x=x.npy", "--arg", "w=x.npy", program="model.py:layer")
    assert status == 0 and ": test-wrong: result 0 differs by up to 0.301" in lines[1]
    status, _, error = bisect(capsys, *options, program="model.py:layer")
    assert status == 1 and "argument 'x' is missing: give --arg x=FILE.npy" in error
    # The weight is an argument of the program that the user does not give.
    weight = "import numpy as np\nimport stepwell as sw\nW = np.linspace(0, 1, 4096, dtype=np.float32).reshape(64, 64)\n"
    Path("model.py").write_text(f"{weight}def layer(x):\n    return sw.sin(x @ W)\n")
    np.save("x.npy", np.zeros((1, 64), np.float32))
    status, lines, _ = bisect(capsys, *options, "--arg", "x=x.npy", program="model.py:layer")
    assert status == 0 and lines[0] == "with all passes: result 0 differs by up to 1"
    assert main(["run", "model.py:layer", "--arg", "x=x.npy"]) == 0


def test_a_pass_that_makes_programs_crash_is_found(folder, capsys):
    """Compiled programs run in a process of their own."""
    options = ["-p", "test-endless", "--load-pass-plugin", str(PLUGIN)]
    assert opt(["s.mlir", "-p", "lower-uop-to-loop", "-o", "loops.mlir"]) == 0
    status, lines, _ = bisect(capsys, *options, program="loops.mlir")
    assert (
        status == 0 and lines[1].startswith("pass 1 of ") and lines[1].endswith(": test-endless: NoResult: killed by SIGSEGV")
    )
    assert main(["reduce", "loops.mlir", *options, "--out", "small.mlir"]) == 0
    assert "NoResult: killed by SIGSEGV" in capsys.readouterr().err


def test_calls_that_do_not_end_are_ended():
    with pytest.raises(NoResult, match=r"no result after 0 s"):
        isolated(lambda: time.sleep(60), 0.1)
    with pytest.raises(NoResult, match=r"exit status 3"):
        isolated(lambda: os._exit(3))

    class OfItsOwn(Exception):
        pass

    def fails():
        raise OfItsOwn("a reason")

    with pytest.raises(NoResult, match=r"OfItsOwn: a reason"):
        isolated(fails)
    start = time.monotonic()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            isolated(lambda: time.sleep(60))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 30
    with pytest.raises(ValueError, match="as it is"):
        isolated(lambda: int("as it is"))
    assert np.array_equal(isolated(lambda: np.arange(1 << 18)), np.arange(1 << 18))


def test_a_hook_that_makes_results_wrong_is_told_by_its_level(folder, capsys):
    def swap(module):
        for op in module.walk():
            if isinstance(op, ComputeOp) and op.function.data == "sin":
                op.function = StringAttr("cos")

    with sw.on_finalize("cpu", level="loop")(swap):
        status, lines, _ = bisect(capsys)
    assert status == 0
    assert lines[2].startswith("the fault is in the lowering to level 'loop', or in a hook of that level: result 0 differs")


def test_programs_that_no_pass_makes_wrong(folder, capsys):
    status, lines, error = bisect(capsys, "-p", "lower-loop-to-cloop")
    assert status == 1 and not lines and "the program is not compiled: LegalityError: 'uop.map' is above the level" in error


def test_programs_run_with_the_needed_passes_alone():
    module = parse_module(SINES, make_context(), "s.mlir")
    registry = Registry(TABLES)
    skipping = Skipping(module, "cpu", registry, parse_pipeline("cse,func.func(dce)", registry))
    arguments = outcomes.Arguments(None, {})
    expected = outcomes.expected_of(module, arguments)
    assert outcomes.wrong_in(lambda: skipping.compiled(lambda number: False), arguments, expected) is None
    assert skipping.names[:2] == ["cse", "dce"] and "loop-vectorize" in skipping.names
    assert not {*NEEDED, "lower-uop-to-loop"}.intersection(skipping.names)


def test_a_pipeline_without_one_pass():
    pipeline = parse_pipeline("cse,func.func(cse,dce),any(dce)", Registry(TABLES))
    assert [str(without_pass(pipeline, k)) for k in range(len(list(passes_of(pipeline))))] == [
        "builtin.module(func.func(cse,dce),any(dce))",
        "builtin.module(cse,func.func(dce),any(dce))",
        "builtin.module(cse,func.func(cse),any(dce))",
        "builtin.module(cse,func.func(cse,dce))",
    ]
