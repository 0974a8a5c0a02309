"""A failure injected into each pass, after its work: the reproducer has the module before it, and fails in the same way."""

from dataclasses import MISSING, fields

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import InternalError
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import all_passes
from stepwell.lowering.driver import lower
from stepwell.passes.manager.instruments import Instrument, PassRun
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.manager.registry import OperationPass
from stepwell.passes.manager.reproducer import CrashReproducer, read_reproducer

PLAIN = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  func.return %0 : i32\n}"
FOREIGN = ("convert-scf-to-cf", "canonicalize-linalg", "constant-fold-interp", "loop-hoist-memref")


class Before(Instrument):
    """Keeps the text of the module before each pass, and the pass as text, by its name; the first run counts."""

    def __init__(self):
        self.found: dict[str, tuple[str, str]] = {}

    def before(self, run: PassRun) -> None:
        text = str(run.pass_.spec())
        self.found.setdefault(run.pass_.name, (text, print_module(run.module, generic=True, debuginfo=True)))


@pytest.fixture(scope="module")
def states():
    """For each pass of a target's pipeline: the pass with its options, and a module that reaches it."""
    before = Before()
    for target in ("cpu", "cuda"):
        ctx = make_context()
        low = sw.lower(lambda x: sw.sum(sw.exp(x), axis=1), sw.Spec((4, 16)), target="interpret")
        module = parse_module(low.ir("graph"), ctx, "program.mlir")

        def manager(passes: str, ctx=ctx) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), verify_each=False, instruments=[before])

        for _ in lower(module, ctx, target, manager=manager):
            pass
    return before.found


def needs_options(kind) -> bool:
    return any(each.init and each.default is MISSING and each.default_factory is MISSING for each in fields(kind))


NAMES = [name for name in (*all_passes().names(), *FOREIGN) if all_passes().find(name) is not None]


@pytest.mark.parametrize("name", NAMES)
def test_a_reproducer_fails_in_the_same_way(name, states, monkeypatch, tmp_path):
    kind = all_passes().find(name)
    if name not in states and needs_options(kind):
        pytest.fail(f"'{name}' has no module here that reaches it, and no defaults for its options")
    spec, text = states.get(name, (name, PLAIN))
    method = "apply_to" if issubclass(kind, OperationPass) else "apply"
    work = getattr(kind, method)

    def fail(self, ctx, op):
        work(self, ctx, op)
        raise AssertionError(f"injected into {name}")

    monkeypatch.setattr(kind, method, fail)
    ctx = make_context()
    module = parse_module(text, ctx, "before.mlir")
    before = print_module(module, generic=True)
    path = tmp_path / "reproducer.mlir"
    manager = PassManager.parse(f"{spec},cse", ctx, all_passes(), instruments=[CrashReproducer(str(path))])
    with pytest.raises(InternalError, match=f"^internal error: pass '{name}' failed: AssertionError: injected into {name}"):
        manager.run(module)
    found = read_reproducer(path.read_text(encoding="utf-8"), make_context(), str(path))
    assert print_module(found.module, generic=True) == before, "the module is the one before the pass"
    again = PassManager.parse(found.pipeline, make_context(), all_passes(), found.verify_each)
    with pytest.raises(InternalError, match=f"pass '{name}' failed: AssertionError: injected into {name}"):
        again.run(found.module)
