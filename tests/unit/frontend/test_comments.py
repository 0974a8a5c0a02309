"""Block comments: at every level, in emitted code and in errors."""

import re

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.text.parser import parse_module
from stepwell.tools.opt.main import main

ROWS = sw.Spec(("n", "m"))


def program(x, w):
    with sw.comment("layer", x):
        h = x @ w
        with sw.comment("norm"):
            h = sw.softmax(h, axis=1)
    with sw.comment("loss"):
        return sw.sum(h[::-1] ** 2)


@pytest.mark.feature("E15")
def test_comments_stand_at_every_level_and_in_the_code():
    low = sw.lower(program, ROWS, sw.Spec(("m", "k")))
    for level in low.levels:
        text = low.ir(level)
        for label in ("layer x", "layer x / norm", "loss"):
            found = [line.strip()[3:] for line in text.splitlines() if line.strip().startswith("// ")]
            assert any(label in line.split("; ") for line in found), (level, label)
    for level in low.levels[:-1]:
        parse_module(low.ir(level), make_context()).verify()


@pytest.mark.feature("E15")
def test_comments_name_values_and_kernels():
    low = sw.lower(program, ROWS, sw.Spec(("m", "k")), target="cuda")
    assert "%layer_x = graph.matmul" in low.ir("graph")
    assert "def sw_kernel_0_layer_x" in low.source() and "    # layer x\n" in low.source()


@pytest.mark.feature("E15")
def test_comments_name_the_functions_of_long_programs():
    def long(x):
        for k in range(12):
            with sw.comment("block", str(k), "größe*/"):
                x = sw.softmax(sw.cumsum(x, axis=0) @ sw.ones((8, 8)), axis=1)
        return x

    low = sw.lower(long, sw.Spec((8, 8)))
    assert re.search(r"func private @(blocks|shared)_block_0_gr__e_", low.ir("loop"))
    assert re.search(r"sw_callee_\d+_block_0_gr__e_\w*\(", low.source())
    x = np.random.default_rng(0).random((8, 8), dtype=np.float32)
    np.testing.assert_allclose(low(x), sw.lower(long, sw.Spec((8, 8)), target="interpret")(x), rtol=1e-5)


@pytest.mark.feature("E15")
def test_gradients_keep_the_comments():
    low = sw.lower(sw.grad(program), ROWS, sw.Spec(("m", "k")))
    assert "// layer" in low.ir("uop") and "loss" in low.ir("uop")
    frames = {frame.function for line in range(1, low.source().count("\n")) for frame in low.trace.sources(line)}
    assert "gradient of program" in frames and not any(name.startswith("#") for name in frames)


@pytest.mark.feature("E15")
def test_errors_name_the_comment():
    with pytest.raises(sw.ShapeError, match=r"\(in 'layer x'\)"):
        sw.lower(program, sw.Spec((2, 3)), sw.Spec((2, 3)))


@pytest.mark.feature("E15")
def test_no_text_becomes_code():
    def evil(x):
        with sw.comment('*/ "quoted" \\', "line\nsystem(0);", "??/"):
            return sw.exp(x)

    low = sw.lower(evil, sw.Spec("n"))
    assert '  // */ "quoted" _ line_system(0); __/\n' in low.source()
    np.testing.assert_allclose(low(np.zeros(3, np.float32)), np.ones(3))


def test_comments_in_the_text_of_a_module_end_no_comment_of_the_code(tmp_path, capsys):
    text = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("# a\\0Asystem(0); größe \\5C"("m.py":1:1))
      func.return %y : tensor<4xf32>
    }"""
    (tmp_path / "m.mlir").write_text(text)
    assert main([f"{tmp_path}/m.mlir", "--emit=c"]) == 0
    assert "  // a_system(0); gr__e _\n" in capsys.readouterr().out


@pytest.mark.feature("E15")
def test_wrong_comments():
    with pytest.raises(TypeError, match="expected strings and tensors, got int"), sw.comment("layer", 3):
        pass
    with pytest.raises(TypeError, match="got nothing"), sw.comment():
        pass
