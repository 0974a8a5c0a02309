"""Hooks: functions of users that change a finished program before code is emitted."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import uop
from stepwell.dialects.cloop.statements import ForOp
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import ReturnOp

X = np.array([1.0, 2.0], "float32")


def sine_for_cosine(module: ModuleOp) -> None:
    for op in module.walk():
        if isinstance(op, uop.MapOp) and op.function.data == "cos":
            op.properties["function"] = StringAttr("sin")


def doubled(module: ModuleOp) -> None:
    """The returned value becomes a sum of itself with itself."""
    for end in [each for each in module.walk() if isinstance(each, ReturnOp)]:
        twice = uop.MapOp("add", end.operands[0], end.operands[0])
        assert end.parent is not None
        end.parent.insert_op_before(twice, end)
        end.operands[0] = twice.result


def test_a_hook_changes_what_is_compiled_and_its_removal_too():
    @sw.jit
    def function(x):
        return sw.cos(x)

    np.testing.assert_allclose(function(X), np.cos(X), rtol=1e-6)
    with sw.on_finalize("cpu", sine_for_cosine, level="uop"):
        np.testing.assert_allclose(function(X), np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(function(X), np.cos(X), rtol=1e-6)
    assert function.stats() == (2, 1)


def test_hooks_run_in_order_on_their_level_and_keep_locations():
    def function(x):
        return sw.cos(x)

    seen: list[list[str]] = []

    def look(module: ModuleOp) -> None:
        seen.append([op.function.data for op in module.walk() if isinstance(op, uop.MapOp)])

    with sw.on_finalize("cpu", sine_for_cosine, level="uop"), sw.on_finalize("cpu", look, level="uop"):
        with sw.on_finalize("cpu", doubled, level="uop"), sw.on_finalize("cpu", look, level="uop"):
            low = sw.lower(function, X)
        assert seen == [["sin"], ["sin", "add"]]
        np.testing.assert_allclose(low(X), 2 * np.sin(X), rtol=1e-6)
    for snapshot in low.trace.passes.levels:
        assert not [op.name for op in snapshot.ops if not op.frames and op.name != "builtin.module"]
    assert any("on-finalize" in level.level for level in low.trace.passes.levels)


def test_the_last_level_is_the_default_and_targets_are_told_apart():
    seen: list[str] = []

    @sw.on_finalize("cpu")
    def count_loops(module: ModuleOp) -> None:
        seen.append("cpu" if any(isinstance(op, ForOp) for op in module.walk()) else "nothing")

    gpu = sw.on_finalize(
        "cuda", lambda module: seen.append(next(op.name for op in module.walk() if op.name.startswith("tile")))
    )
    with count_loops, gpu:
        sw.lower(sw.exp, X)
        assert seen == ["cpu"]
        sw.lower(sw.exp, X, target="triton-interpret")
    assert len(seen) == 2
    assert seen[1].startswith("tile.")


def test_what_a_hook_does_wrong_names_it():
    def broken(module: ModuleOp) -> None:
        raise KeyError("lost")

    def invalid(module: ModuleOp) -> None:
        for op in module.walk():
            if isinstance(op, uop.MapOp):
                op.properties["function"] = StringAttr("add")

    def returning(module: ModuleOp) -> ModuleOp:
        return module

    line = broken.__code__.co_firstlineno
    for hook, message in ((broken, "KeyError: 'lost'"), (invalid, "made invalid IR: "), (returning, "got ModuleOp")):
        with sw.on_finalize("cpu", hook, level="uop"):
            with pytest.raises(sw.CompileError, match=message) as error:
                sw.jit(lambda x: sw.cos(x))(X)
        assert f"hook '{hook.__name__}' on the level 'uop' of target 'cpu'" in str(error.value)
        if hook is broken:
            assert f"test_hooks.py:{line}" in error.value.render()
    with pytest.raises(ValueError, match="no target 'cup' has hooks: did you mean 'cpu'"):
        sw.on_finalize("cup", broken)
    with pytest.raises(ValueError, match="target 'cpu' has no level 'tile'"):
        sw.on_finalize("cpu", broken, level="tile")
