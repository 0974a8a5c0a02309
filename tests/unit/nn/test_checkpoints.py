"""Checkpoints: loading restores what was saved, files are written as a whole or not at all, and torch's files can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import stepwell as sw
import torch
from stepwell.nn import CheckpointError

TREE = {
    "layers": {"1": {"weight": np.arange(6, dtype=np.float32).reshape(2, 3)}, "0": {"bias": np.ones(2, np.float16)}},
    "step": np.array(7),
    "mask": np.array([True, False]),
    "empty": np.zeros((0, 3)),
    "narrow": np.array([1.5, -2.0]).astype(ml_dtypes.bfloat16),
}


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(same(found[key], expected[key]) for key in expected)
    return found.dtype == expected.dtype and found.shape == expected.shape and found.tobytes() == expected.tobytes()


def test_what_is_saved_comes_back(tmp_path: Path):
    path = tmp_path / "runs" / "a.safetensors"
    sw.save(path, TREE)
    assert same(sw.load(path, like=TREE), TREE)
    found = sw.load(path)
    assert list(found) == ["empty", "layers", "mask", "narrow", "step"]  # the package gives them in another order each time
    assert list(found["layers"]) == ["0", "1"]
    assert found["layers"]["1"]["weight"][1, 2] == 5
    found["layers"]["1"]["weight"][:] = 0  # it can be written to: it may be donated
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_dicts_without_arrays_come_back_where_they_are_expected(tmp_path: Path):
    tree = {"relu": {}, "linear": {"weight": np.ones(2), "nothing": {}}, "last": {"inside": {}}}
    sw.save(tmp_path / "a", tree)
    assert same(sw.load(tmp_path / "a", like=tree), tree)
    assert same(sw.load(tmp_path / "a"), {"linear": {"weight": np.ones(2)}})


@pytest.mark.parametrize("names", [("a", "a.b"), ("a.b.c", "a"), ("x.a", "x.a.b.c")])
def test_an_array_where_others_are_nested_is_an_error(tmp_path: Path, names: tuple[str, str]):
    from safetensors.numpy import save_file

    save_file({name: np.ones(2) for name in names}, tmp_path / "a")
    outer, inner = sorted(names)
    with pytest.raises(CheckpointError, match=f"'{outer}' is an array, and also contains '{inner}'"):
        sw.load(tmp_path / "a")


def test_other_arrays(tmp_path: Path):
    path = tmp_path / "a"
    sw.save(path, {"lazy": sw.arange(3) + 1, "torch": torch.ones(2), "strided": np.arange(8)[::-2], "one": np.float32(2)})
    found = sw.load(path)
    assert list(found["lazy"]) == [1, 2, 3] and list(found["torch"]) == [1, 1] and list(found["strided"]) == [7, 5, 3, 1]
    assert found["one"].shape == () and found["one"] == 2


def test_the_file_of_a_module_of_torch(tmp_path: Path):
    from safetensors.torch import save_file

    theirs = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
    save_file(theirs.state_dict(), tmp_path / "model.safetensors")
    model = sw.nn.Sequential(sw.nn.Linear(4, 3), sw.relu, sw.nn.Linear(3, 2))
    params = sw.load(tmp_path / "model.safetensors", like=model.init(0))
    x = np.ones((5, 4), np.float32)
    np.testing.assert_allclose(model(params, x).numpy(), theirs(torch.from_numpy(x)).detach(), rtol=1e-5, atol=1e-6)


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.safetensors"
    sw.save(path, TREE)
    before = path.read_bytes()

    def interrupted(*_: Any) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", interrupted)
        with pytest.raises(OSError, match="no space left"):
            sw.save(path, {"step": np.array(8)})
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_does_not_fit_is_named(tmp_path: Path):
    path = tmp_path / "a.safetensors"
    sw.save(path, {"a": {"w": np.zeros(3)}})
    for like, message in [
        ({"a": {"w": np.zeros(3), "b": np.zeros(1)}}, "'a.b' is missing"),
        ({}, "'a.w' is not expected"),
        ({"a": {"w": np.zeros(4)}}, r"'a.w': expected float64 of shape \(4,\), got float64 of shape \(3,\)"),
        ({"a": {"w": np.zeros(3, np.float32)}}, "expected float32 of shape"),
    ]:
        with pytest.raises(CheckpointError, match=message):
            sw.load(path, like=like)
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(CheckpointError, match=r"a\.safetensors: expected a safetensors file"):
        sw.load(path)
    with pytest.raises(FileNotFoundError):
        sw.load(tmp_path / "b")
    with pytest.raises(TypeError, match=r"a: expected keys that are strings, got 3"):
        sw.save(path, {"a": {3: np.zeros(1)}})
    with pytest.raises(TypeError, match=r"expected keys that tell arrays apart, got 'a\.b' and 'a\.b\.c'"):
        sw.save(path, {"a": {"b": np.zeros(1)}, "a.b": {"c": np.zeros(1)}})
    with pytest.raises(TypeError, match=r"a: expected an array, got list"):
        sw.save(path, {"a": [np.zeros(1)]})


def test_parameters_of_blocks_have_dots_in_their_names(tmp_path: Path):
    params = {"L1.w": np.ones((2, 3), np.float32), "L1.b": np.zeros(2), "w": np.zeros(1)}
    sw.save(tmp_path / "p", params)
    found = sw.load(tmp_path / "p", like=params)
    assert list(found) == list(params) and found["L1.w"].shape == (2, 3)
    assert list(sw.load(tmp_path / "p")["L1"]) == ["b", "w"]


def test_the_name_that_the_format_keeps_for_itself(tmp_path: Path):
    with pytest.raises(TypeError, match="expected other keys than '__metadata__'"):
        sw.save(tmp_path / "c", {"__metadata__": np.ones(2)})
    sw.save(tmp_path / "c", {"a": {"__metadata__": np.ones(2)}, "__metadata__": {"b": np.ones(1)}})
    assert sw.load(tmp_path / "c")["a"]["__metadata__"].tolist() == [1, 1]
