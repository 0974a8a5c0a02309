"""The machine that code is laid out for: the queries about it, and the options of passes that follow from the answers."""

from __future__ import annotations

import dataclasses
import platform
from pathlib import Path

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import all_passes
from stepwell.lowering.driver import with_options
from stepwell.lowering.machine import (
    A100,
    AARCH64,
    AVX2,
    AVX512,
    H100,
    MODELS,
    X86_64,
    ZEN4,
    ZEN5,
    Machine,
    gpu_options,
    pass_options,
)
from stepwell.passes.manager.pipeline import Nest, parse_pipeline
from stepwell.runtime.cache.disk import Cache
from stepwell.runtime.cache.emitted_code import Code, kept_code
from stepwell.runtime.executable import compile_module
from stepwell.runtime.toolchain import gpus as gpus_module
from stepwell.runtime.toolchain import host as native_module
from stepwell.runtime.toolchain.gpus import target_gpu
from stepwell.runtime.toolchain.host import LateOptions, native_machine, target_machine, target_options
from stepwell.tools.opt.arguments import MACHINES

SAPPHIRE_RAPIDS = dataclasses.replace(AVX512, l2=2 << 20, l3=105 << 20)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch):
    for name in ("STEPWELL_MACHINE", "STEPWELL_GPU", "STEPWELL_CFLAGS", "CC"):
        monkeypatch.delenv(name, raising=False)


def test_the_defaults_of_passes_are_the_options_for_avx512():
    for name, options in pass_options(AVX512).items():
        made = all_passes().find(name)
        assert made is not None and {key: getattr(made(), key) for key in options} == options, name


@pytest.mark.parametrize("machine", MODELS.values(), ids=MODELS)
def test_every_pass_takes_its_options(machine: Machine):
    options = pass_options(machine)
    text = ",".join(with_options(name, options) for name in options)
    for made in parse_pipeline(text, all_passes()).elements:
        assert not isinstance(made, Nest)
        assert {key: getattr(made, key) for key in options[made.name]} == options[made.name]


@pytest.mark.parametrize("machine", [*MODELS.values(), SAPPHIRE_RAPIDS], ids=[*MODELS, "sapphire-rapids"])
def test_tiles_and_blocks_fit(machine: Machine):
    tile = pass_options(machine)["loop-tile-contractions"]
    assert tile["rows"] * tile["vectors"] + tile["vectors"] + 1 < machine.registers
    left = tile["rows"] * tile["depth"] * 4
    right = tile["vectors"] * machine.vector * tile["depth"]
    assert right <= machine.l1
    assert left * tile["left_group"] + right * tile["right_group"] <= machine.l2
    assert left * tile["left_panels"] + right * tile["right_panels"] <= machine.last_cache
    assert tile["blocks"] == 1 or tile["blocks"] * right * tile["right_group"] <= machine.l2 // 2
    assert pass_options(machine)["loop-tile-and-fuse"]["rows"] % tile["rows"] == 0


def test_how_much_sums_compute_follows_from_the_rate_of_memory():
    little = {
        rate: pass_options(dataclasses.replace(AVX512, memory_rate=rate))["loop-unroll-and-jam"]["little"]
        for rate in (5.0, 16.0)
    }
    assert little == {5.0: 12, 16.0: 4}


def test_small_tiles_pay_from_fewer_rows_on():
    assert {AVX512.registers: 4, AVX2.registers: 3} == {
        each.registers: pass_options(each)["loop-tile-contractions"]["least"] for each in (AVX512, AVX2)
    }


def test_pages_of_the_rows_of_a_group_fit_into_the_first_tlb():
    tile = pass_options(SAPPHIRE_RAPIDS)["loop-tile-contractions"]
    assert tile["left_group"] > 1 and tile["rows"] * tile["left_group"] <= 48


def test_a_large_second_cache_holds_blocks_of_wide_panels():
    tile = pass_options(SAPPHIRE_RAPIDS)["loop-tile-contractions"]
    assert (tile["rows"], tile["vectors"], tile["depth"], tile["blocks"]) == (6, 4, 128, 4)


def test_large_results_are_streamed_past_the_caches_of_servers_too():
    small, large = (dataclasses.replace(AVX512, l3=16 << 20), SAPPHIRE_RAPIDS)
    assert [pass_options(each)["cloop-nontemporal-stores"]["from_bytes"] for each in (small, large)] == [4 << 20, 8 << 20]


def test_tiny_and_huge_caches_have_sizes_too():
    for cache in (1, 1 << 10, 1 << 40):
        for l3 in (0, cache):
            machine = dataclasses.replace(AVX2, l1=cache, l2=cache, l3=l3)
            assert all(value > 0 for given in pass_options(machine).values() for value in given.values() if value != 0), machine


@pytest.mark.skipif(platform.machine() != "x86_64", reason="flags of another machine")
@pytest.mark.parametrize(("flags", "bits", "fused"), [("-march=x86-64", 128, 0), ("-mavx2 -mfma -mno-avx512f", 256, 1)])
def test_vectors_are_those_of_the_compiler_s_flags(flags: str, bits: int, fused: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CFLAGS", flags)
    options = target_options("cpu")
    assert options["lower-loop-to-cloop"]["vector_bits"] == bits
    assert options["loop-tile-contractions"]["fused"] == fused


@pytest.mark.skipif(platform.machine() != "x86_64", reason="flags of another machine")
@pytest.mark.parametrize(
    ("flags", "streams", "nearer"),
    [
        ("-march=znver3 -mavx512f", 1, 4),
        ("-march=znver3 -mavx512f -mavxvnni", 1, 1),
        ("-march=znver3", 4, 1),
        ("-march=icelake-server", 4, 1),
    ],
)
def test_processors_of_amd_with_wide_vectors_are_told_apart(
    flags: str, streams: int, nearer: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STEPWELL_CFLAGS", flags)
    options = target_options("cpu")
    assert (options["loop-unroll-and-jam"]["streams"], options["loop-prefetch"]["nearer"]) == (streams, nearer)


def test_what_a_zen_5_has_of_its_own():
    four, five = (pass_options(each) for each in (ZEN4, ZEN5))
    for name in ("loop-prefetch", "loop-tile-contractions"):
        assert (four[name]["into"], five[name]["into"]) == (2, 1)
    assert (four["loop-prefetch"]["by_lines"], five["loop-prefetch"]["by_lines"]) == (0, 1)
    assert (four["loop-tile-transposes"]["tiles"], five["loop-tile-transposes"]["tiles"]) == (2, 4)
    assert [each["loop-one-pass-variance"]["elements"] for each in (four, five)] == [1024, 4096]


def test_rows_that_are_prefetched_fit_into_the_first_cache():
    assert pass_options(ZEN4)["loop-prefetch"]["within"] == 32 << 10


def test_caches_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    described = ((1, "Data", "40K", 128), (1, "Instruction", "7K", 32), (2, "Unified", "2048K", 128), (3, "Unified", "?", 128))
    for number, (level, kind, size, line) in enumerate(described):
        folder = tmp_path / f"index{number}"
        folder.mkdir()
        told = {"level": level, "type": kind, "size": size, "coherency_line_size": line}
        for name, value in told.items():
            (folder / name).write_text(f"{value}\n")
    monkeypatch.setattr(native_module, "SYSTEM_CACHES", tmp_path)
    native_module.system_caches.cache_clear()
    found = native_machine()
    native_module.system_caches.cache_clear()
    assert (found.l1, found.l2, found.l3, found.line) == (40 << 10, 2 << 20, 0, 128)


def test_a_system_that_says_nothing_has_the_caches_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(native_module, "SYSTEM_CACHES", tmp_path / "nothing")
    native_module.system_caches.cache_clear()
    found = native_machine()
    native_module.system_caches.cache_clear()
    own = {"cores": found.cores, "pairs": found.pairs}
    assert any(found == dataclasses.replace(each, **own) for each in MODELS.values())


def test_without_a_compiler_the_machine_has_the_least_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert native_machine(Cache(tmp_path / "cache")).vector_bits in (X86_64.vector_bits, AARCH64.vector_bits)


def test_a_model_stands_for_the_machine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_MACHINE", "avx2")
    assert target_machine() == AVX2
    assert target_options("cpu") == pass_options(AVX2) and target_options("cuda") == gpu_options(target_gpu())
    monkeypatch.setenv("STEPWELL_MACHINE", "native")
    assert target_machine() == native_machine()
    monkeypatch.setenv("STEPWELL_MACHINE", "avx215")
    with pytest.raises(CompileError, match=r"\$STEPWELL_MACHINE: unknown machine 'avx215': did you mean 'avx2'"):
        target_machine()


def test_which_passes_have_options_is_known_before_the_machine(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    found = target_options("cpu")
    monkeypatch.setattr(native_module, "target_options", lambda target: (asked.append(target), found)[1])
    options = LateOptions("cpu", {"specialize-sizes": {"only": True}})
    assert "loop-unroll-and-jam" in options and "dce" not in options and options["specialize-sizes"] == {"only": True}
    assert set(options) == {*found, "specialize-sizes"} and len(options) == len(found) + 1
    assert asked == []
    assert {name: options[name] for name in found} == found and asked == ["cpu"]
    assert LateOptions("cuda", {}).settled and set(LateOptions("interpret", {})) == set()


def test_what_goes_wrong_is_raised_where_the_options_are_needed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_MACHINE", "avx215")
    with pytest.raises(CompileError, match="unknown machine 'avx215'"):
        sw.jit(lambda x: x + 1)(np.ones(3))


def test_the_names_on_the_command_line_are_those_of_the_models():
    assert ("native", *MODELS) == MACHINES


def test_kept_code_belongs_to_the_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    module = parse_module("builtin.module {}", make_context())
    emitted: list[int] = []

    def code_for(machine: Machine) -> str:
        def emit() -> Code:
            emitted.append(machine.vector_bits)
            return Code(f"for {machine.vector_bits} bits", {}, {})

        return kept_code(module, pass_options(machine), emit).text

    assert [code_for(each) for each in (AVX2, AVX512, AVX2)] == ["for 256 bits", "for 512 bits", "for 256 bits"]
    assert emitted == [256, 512]


def test_code_under_options_that_are_found_out_meanwhile_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    module = parse_module("builtin.module {}", make_context())
    order: list[str] = []

    class Found(dict[str, dict[str, int]]):
        def items(self):
            order.append("options")
            return super().items()

    def code(settled: bool) -> str:
        return kept_code(module, Found(), lambda: (order.append("emitted"), Code("text", {}, {}))[1], settled).text

    assert [code(settled=False), code(settled=True)] == ["text", "text"]
    assert order == ["emitted", "options", "options"]


@pytest.mark.parametrize("size", [1, 4, 8, 256])
@pytest.mark.parametrize("element", ["int8", "float64"])
@pytest.mark.parametrize("vectors", ["loop-tile-contractions", "loop-tile-transposes", "loop-vectorize"])
def test_vectors_of_any_size_have_lanes_that_there_may_be(vectors: str, element: str, size: int):
    def program(x, y):
        return (x @ y).T + x

    x = np.arange(41 * 41).reshape(41, 41).astype(element) % 7
    text = sw.lower(program, x, x, target="interpret").ir("uop")
    compiled = compile_module(text, pipeline=f"lower-uop-to-loop,loop-inline,loop-simplify,{vectors}{{bytes={size}}}")
    np.testing.assert_allclose(compiled(x, x), (x @ x).T + x, rtol=1e-12)


def test_the_defaults_of_passes_for_gpus_are_the_options_for_an_h100():
    for name, options in gpu_options(H100).items():
        made = all_passes().find(name)
        assert made is not None and {key: getattr(made(), key) for key in options} == options, name


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("NVIDIA H100 80GB HBM3", "H100"),
        ("NVIDIA A100-SXM4-80GB", "A100"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("Other", "H100"),
    ],
)
def test_kernels_are_for_the_card_that_the_driver_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, found: str
):
    card = tmp_path / "0000:01:00.0"
    card.mkdir()
    (card / "information").write_text(f"Model: \t\t {model}\nIRQ: 16\n")
    monkeypatch.setattr(gpus_module, "DRIVER", tmp_path)
    assert target_gpu().name == found


def test_a_model_stands_for_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The sizes of splits and tiles follow the model."""
    monkeypatch.setattr(gpus_module, "DRIVER", tmp_path)
    assert target_gpu() is H100
    monkeypatch.setenv("STEPWELL_GPU", "a100")
    assert target_gpu() is A100
    assert (
        target_options("cuda")["loop-map-to-tiles"]["programs"]
        == LateOptions("cuda", {})["loop-map-to-tiles"]["programs"]
        == 108
    )
    monkeypatch.setenv("STEPWELL_GPU", "a10")
    with pytest.raises(CompileError, match=r"\$STEPWELL_GPU: unknown GPU 'a10': did you mean 'a100'"):
        target_options("cuda")
