"""The verifier: dominance over blocks and regions, yields, and faults that name their operation."""

import cProfile

import pytest
from stepwell.dialects import make_context
from stepwell.ir.change_detection import state_of
from stepwell.ir.diagnostics import VerifyError
from stepwell.ir.functions.verification import Verified, verify
from stepwell.ir.nesting import operations
from stepwell.ir.text.parser import parse_module
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, f64
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter


def check(text: str) -> None:
    verify(parse_module(text, make_context(), "t.mlir"))


def fault(text: str) -> VerifyError:
    with pytest.raises(VerifyError) as caught:
        check(text)
    return caught.value


LOOP = """func.func @f(%c: i1, %a: i32) -> i32 {{
  cf.br ^head
^head:
  {head}
  cf.cond_br %c, ^body, ^exit
^body:
  {body}
  cf.br ^head
^exit:
  {exit}
  func.return %a : i32
}}"""
DEFINE = "%x = arith.addi %a, %a : i32"
USE = "%y = arith.muli %x, %x : i32"


@pytest.mark.parametrize(
    "where, valid",
    [
        ({"head": DEFINE, "body": USE}, True),
        ({"head": DEFINE, "exit": USE}, True),
        ({"body": DEFINE, "exit": USE}, False),
        ({"body": DEFINE, "head": USE}, False),
        ({"exit": DEFINE, "body": USE}, False),
        ({"body": f"{DEFINE}\n{USE}"}, True),
        ({"body": f"{USE}\n{DEFINE}"}, False),
    ],
)
def test_dominance_in_a_loop_of_blocks(where: dict[str, str], valid: bool):
    text = LOOP.format(**{"head": "", "body": "", "exit": "", **where})
    if valid:
        check(text)
    else:
        assert "'arith.muli': operand #0 (%x) does not dominate this use" in fault(text).message


def test_inner_regions_see_outer_values():
    check("""func.func @f(%c: i1, %a: i32) {
      %x = arith.addi %a, %a : i32
      scf.if %c {
        %y = arith.muli %x, %x : i32
      }
      func.return
    }""")


def test_unreachable_blocks_may_use_anything():
    check("""func.func @f() {
      func.return
    ^dead:
      %y = arith.muli %x, %x : i32
      %x = arith.constant 1 : i32
      cf.br ^dead
    }""")


IF = """func.func @f(%c: i1, %a: i32, %n: index) {{
  %x = scf.if %c -> (i32) {{
    scf.yield %a : i32
  }} else {{
    scf.yield {yielded}
  }}
  func.return
}}"""


def test_a_result_is_not_visible_inside_its_own_operation():
    error = fault(IF.format(yielded="%x : i32"))
    assert "does not dominate" in error.message
    assert error.frame is not None and error.frame.line == 5


def test_yields_have_the_types_of_the_results():
    check(IF.format(yielded="%a : i32"))
    assert "expected (i32), got (index)" in fault(IF.format(yielded="%n : index")).message
    assert "expected (i32), got (i32, i32)" in fault(IF.format(yielded="%a, %a : i32, i32")).message


def test_faults_name_the_operation_and_its_place():
    error = fault('func.func @f(%a: i32) {\n  %0 = "arith.addi"(%a) : (i32) -> i32\n  func.return\n}')
    assert str(error) == "t.mlir:2:8: error: 'arith.addi': Expected 2 operands, but got 1"


def test_work_is_linear():
    """The work is counted in calls, since times depend on the load of the machine."""

    def calls(count: int) -> int:
        ops = "\n".join(f"%{i} = arith.addi %{i - 1}, %a : i32" for i in range(1, count))
        module = parse_module(f"func.func @f(%a: i32, %0: i32) {{\n{ops}\nfunc.return\n}}", make_context())
        profile = cProfile.Profile()
        profile.runcall(verify, module)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(4000) < 6 * calls(1000)


def test_what_is_known_to_be_valid_is_not_verified_again_but_what_changed_is():
    module = parse_module(
        """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %b = uop.map "add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %b : tensor<4xf32>
    }""",
        make_context(),
    )
    verified = Verified()
    verify(module, verified)
    exp, add, _ = next(op for op in module.walk() if op.name == "func.func").regions[0].block.ops
    assert verified.knows(exp) and verified.knows(add)
    verify(module, verified)
    add.properties["function"] = StringAttr("sqrt")
    with pytest.raises(VerifyError, match="sqrt"):
        verify(module, verified)


def test_an_operation_is_verified_again_in_another_place():
    module = parse_module(
        """func.func @f(%x: memref<4xf32>) attributes {sw.inputs = 0 : i64} {
      %t = loop.alloc : memref<4xf32>
      loop.block {
        %one = loop.constant 1.0 : f32
      }
      func.return
    }""",
        make_context(),
    )
    verified = Verified()
    verify(module, verified)
    alloc, block, _ = next(op for op in module.walk() if op.name == "func.func").regions[0].block.ops
    alloc.detach()
    inside = block.regions[0].block
    inside.insert_ops_before([alloc], next(iter(inside.ops)))
    with pytest.raises(VerifyError, match="space must be one of"):
        verify(module, verified)


def test_a_value_that_a_pass_takes_from_another_function_is_found():
    text = "func.func @{0}(%x: i32) -> i32 {{\n  %y = arith.addi %x, %x : i32\n  func.return %y : i32\n}}\n"
    module = parse_module(text.format("f") + text.format("g"), make_context())
    verified = Verified()
    verify(module, verified)
    first, second = module.regions[0].block.ops
    inside, outside = (function.regions[0].block.first_op for function in (first, second))
    inside.operands[1] = outside.results[0]
    with pytest.raises(VerifyError, match=r"operand #1 \(%y\) does not dominate this use"):
        verify(module, verified)


def test_a_value_from_outside_of_an_isolated_operation_is_named_so():
    text = """%y = arith.constant 1 : i32
    func.func @f(%x: i32) -> i32 {
      %z = arith.addi %x, %x : i32
      func.return %z : i32
    }"""
    module = parse_module(text, make_context())
    verified = Verified()
    verify(module, verified)
    constant, function = module.regions[0].block.ops
    function.regions[0].block.first_op.operands[0] = constant.results[0]
    with pytest.raises(VerifyError) as caught:
        verify(module, verified)
    (note,) = caught.value.notes
    assert "outside of 'func.func', which is isolated from above" in note.message


ADDED = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = uop.map "exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = uop.map "add"(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}"""


def verified_with_state(module: ModuleOp, verified: Verified) -> None:
    verify(module, verified, state_of(operations(module), verified.state))


def test_what_a_pass_left_alone_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch):
    module, verified = parse_module(ADDED, make_context()), Verified()
    verified_with_state(module, verified)
    exp, add, _ = next(op for op in module.walk() if op.name == "func.func").regions[0].block.ops
    asked: list[Operation] = []
    knows = Verified.knows
    monkeypatch.setattr(Verified, "knows", lambda self, op: asked.append(op) or knows(self, op))
    verified_with_state(module, verified)
    assert not {exp, add} & {*asked}, "nothing has changed"
    add.attributes["note"] = StringAttr("changed")
    verified_with_state(module, verified)
    assert add in asked and exp not in asked


def test_users_of_a_value_of_another_type_are_verified_again():
    module, verified = parse_module(ADDED, make_context()), Verified()
    verified_with_state(module, verified)
    exp, add, _ = next(op for op in module.walk() if op.name == "func.func").regions[0].block.ops
    Rewriter.replace_value_with_new_type(exp.results[0], TensorType(f64, [4]))
    with pytest.raises(VerifyError, match=r"uop\.map"):
        verified_with_state(module, verified)
    assert add.operands[0].type == TensorType(f64, [4])


def test_a_loop_is_verified_again_when_its_yield_changes():
    text = """func.func @f(%x: memref<4xf32>) attributes {sw.params = [], sw.inputs = 0 : i64} {
      loop.block {
        %one = loop.constant 1.0 : f32
        %two = loop.constant 2.0 : f64
        %last = loop.for "reduction" <() -> (0, 4)> step 1 carry(%one : f32) -> f32 {
        ^bb0(%i: index, %old: f32):
          loop.yield %old : f32
        }
      }
      func.return
    }"""
    module, verified = parse_module(text, make_context()), Verified()
    verified_with_state(module, verified)
    found = {op.name: op for op in module.walk()}
    two = next(op for op in module.walk() if op.name == "loop.constant" and op.results[0].type == f64)
    found["loop.yield"].operands = [two.results[0]]
    with pytest.raises(VerifyError, match=r"loop\.yield: expected \(f32\), got \(f64\)"):
        verified_with_state(module, verified)


def test_an_operation_is_verified_again_when_it_becomes_the_last_one():
    text = "func.func @f() {\n  %one = arith.constant 1 : i32\n  func.return\n}"
    module, verified = parse_module(text, make_context()), Verified()
    verified_with_state(module, verified)
    one, end = next(op for op in module.walk() if op.name == "func.func").regions[0].block.ops
    Rewriter.erase_op(end)
    assert one in verified.unsettled(state_of(operations(module), verified.state))
    assert verified.unsettled(verified.state) == set()
