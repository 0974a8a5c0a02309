"""`stepwell tune --target cuda`: the candidates, the findings and their use by later compiles, with a simulated card and
clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.index.expressions import index, param
from stepwell.lowering.machine import GPUS
from stepwell.passes.loop.kernels.tuned_tiles import LIMITS, product_key, tile_for
from stepwell.runtime.cache.disk import default_cache
from stepwell.runtime.toolchain.host import target_options
from stepwell.runtime.toolchain.tuned_sizes import Finding, findings_of, keep_finding
from stepwell.tools.stepwell import main

pytest.importorskip("triton")
torch = pytest.importorskip("torch")

PROGRAM = """import stepwell as sw
def product(a, b):
    return sw.relu(a @ b)
def total(a):
    return sw.sum(a)
"""
KEY = "float16-1x1024x1024x256"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and a program for an H100."""
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("STEPWELL_GPU", "h100")
    monkeypatch.delenv("STEPWELL_TUNED", raising=False)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def product(a: Any, b: Any) -> Any:
    return sw.relu(a @ b)


def block_of_product(dtype: str = "float16") -> str:
    """The schedule of the product, as it is compiled now."""
    kinds = sw.Spec((1024, 256), dtype), sw.Spec((256, 1024), dtype)
    text = sw.lower(product, *kinds, target="cuda", trace=False).ir("scheduled")
    lanes = [line.split(" lanes ")[1].split()[0] for line in text.splitlines() if " lanes " in line]
    return f"{next(line.strip() for line in text.splitlines() if 'loop.block' in line)} {lanes}"


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A card on which tiles of 64 x 256, and 5 stages, are faster, and others give wrong results."""
    from stepwell.tools.tune.gpu_search import GpuTuner

    tried: list[str] = []

    def run(tuner: Any, program: Any) -> list[Any]:
        tried.append(program.source.text)
        wrong = program.plan.launches[0].warps == 4 and "tl.arange(0, 256)" in program.source.text
        return [np.full(3, float(wrong), "float32")]

    def times(_: Any, *programs: Any) -> list[float]:
        return [
            2.0 - ("tl.arange(0, 64)[:" in each.source.text and "tl.arange(0, 256)[None" in each.source.text)
            - 0.25 * (each.plan.launches[0].stages == 5)
            for each in programs
        ]  # fmt: skip

    monkeypatch.setattr(GpuTuner, "_on_card", lambda _, arrays: list(arrays))
    monkeypatch.setattr(GpuTuner, "_run", run)
    monkeypatch.setattr(GpuTuner, "_times", times)
    return tried


SPECS = ("1024,256:float16", "256,1024:float16")


def tune(folder: Path, *words: str, function: str = "product", specs: tuple[str, ...] = SPECS) -> int:
    options = ["--static", "--target", "cuda", *words]
    return main(["tune", f"{folder}/program.py:{function}", *(f"--spec={each}" for each in specs), *options])


def test_what_is_found_is_used_by_later_compiles(folder: Path, card: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch):
    before = block_of_product()
    assert tune(folder) == 0
    assert f"{KEY}: m=64 n=256 stages=5 warps=8: 2000.000 ms -> 750.000 ms" in capsys.readouterr().out
    assert target_options("cuda")["loop-map-to-tiles"]["tuned"] == (f"{KEY}:m=64:n=256:stages=5:warps=8",)
    assert main(["cache", "tuned"]) == 0 and f"{KEY}: m=64" in capsys.readouterr().out
    assert block_of_product() == "loop.block warps 8 stages 5 group 8 fast { ['64', '256', '64']" != before
    monkeypatch.setenv("STEPWELL_TUNED", "0")
    assert block_of_product() == before
    monkeypatch.delenv("STEPWELL_TUNED")
    monkeypatch.setenv("STEPWELL_GPU", "a100")  # another card has findings of its own
    assert "tuned" not in target_options("cuda")["loop-map-to-tiles"]


def test_a_search_without_time_tries_nothing(folder: Path, card: list[str], capsys: Any):
    assert tune(folder, "--budget", "0") == 0
    assert "nothing better than the usual sizes was found\n0 candidates tried" in capsys.readouterr().out


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a card")
def test_without_a_card(folder: Path, capsys: Any):
    assert tune(folder) == 1
    assert "stepwell tune --target cuda needs a GPU that torch can use, and there is none" in capsys.readouterr().err


def test_what_cannot_be_tuned(folder: Path, card: list[str], capsys: Any):
    assert tune(folder, function="total", specs=("8,8",)) == 1
    assert "the program has no product of matrices that is done in tiles" in capsys.readouterr().err
    assert tune(folder, "--executor", "concurrent.futures:ThreadPoolExecutor") == 1
    assert "--executor: workers measure on CPUs" in capsys.readouterr().err


def test_lines_of_tuned_tiles():
    key = product_key("float16", (index(1), param("n"), index(8), index(9)))
    assert key == "float16-1x?x8x9"
    assert tile_for(key, ("float16-1x1x1x1:m=16", f"{key}:m=64:warps=2")) == {"m": 64, "warps": 2}
    assert tile_for(key, ()) == {}
    for wrong in ("m=24", "m=512", "rows=6", "warps=x"):
        with pytest.raises(sw.CompileError, match=r"expected NAME=NUMBER with m from 16 to 256"):
            tile_for(key, (f"{key}:{wrong}",))
    assert all(least <= most for least, most in LIMITS.values())

    for wrong, message in (("m=64:m=128", "'m' is set twice, first to 64, then by 'm=128'"), ("m=" + "6" * 5000, "m from 16")):
        with pytest.raises(sw.CompileError, match=message):
            tile_for(key, (f"{key}:{wrong}",))


def test_products_of_float32_have_tiles_for_each_precision():
    """Findings for float32 units do not apply to matrix units."""
    usual = block_of_product("float32")
    with sw.precision("high"):
        usual_high = block_of_product("float32")
    keep_finding(default_cache(), GPUS["h100"], "float32-1x1024x1024x256", Finding({"stages": 5}, 2.0, 1.0))
    assert " stages 5 " in block_of_product("float32") != usual
    with sw.precision("high"):
        assert block_of_product("float32") == usual_high
        keep_finding(default_cache(), GPUS["h100"], "tf32-1x1024x1024x256", Finding({"stages": 6}, 2.0, 1.0))
        assert " stages 6 " in block_of_product("float32") != usual_high


def test_the_search_takes_the_precision_in_force(folder: Path, card: list[str], capsys: Any):
    specs = ("1024,256:float32", "256,1024:float32")
    with sw.precision("high"):
        assert tune(folder, specs=specs) == 0
    assert capsys.readouterr().out.startswith("tf32-1x1024x1024x256: ")
    assert tune(folder, specs=specs) == 0
    assert capsys.readouterr().out.startswith("float32-1x1024x1024x256: ")


def test_findings_of_cards_are_kept_beside_those_of_processors():
    cache, finding = default_cache(), Finding({"m": 64, "group": 3}, 2.0, 1.0)
    keep_finding(cache, GPUS["h100"], KEY, finding)
    assert findings_of(cache, GPUS["h100"]) == {KEY: finding} and findings_of(cache, GPUS["l4"]) == {}
