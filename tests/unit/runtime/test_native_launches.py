"""Repeated calls on a GPU in native code, with a simulated driver: its launches run on the CPU."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
import stepwell as sw
from stepwell.ir.types.dtypes import FLOAT32
from stepwell.runtime.cpu.warm_calls import native_call
from stepwell.runtime.triton import kernels, native_launches
from stepwell.runtime.triton.native_launches import arena_of, native_kernel
from stepwell.runtime.triton.places import Argument, Fresh
from stepwell.tests.unit.runtime.fake_driver import Driver, LoadedKernel, floats_at

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
MODULE: Any = native_call().module
pytestmark = pytest.mark.skipif(MODULE is None, reason=native_call().problem)


def adding(**options: Any) -> Any:
    return sw.jit(lambda a, b: a + b, target="cuda", **options)


def direct_calls_of(function: Any) -> Any:
    return next(iter(function._compiled.values())).direct


def warmed(function: Any, *arguments: Any) -> Any:
    """The direct calls of a function after its first two calls, which compile and prepare the third one."""
    for _ in range(2):
        function(*arguments)
    return direct_calls_of(function)


def test_calls_from_the_third_on_go_to_the_driver(driver: Driver):
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    direct = warmed(add, a, b)
    assert len(direct.native) == 1 and not driver.launched
    results = [add(a, b), add(a * 2, b)]
    assert torch.equal(results[0], a + b) and torch.equal(results[1], a * 2 + b)
    assert results[0].data_ptr() != results[1].data_ptr() and add.stats() == (1, 3)
    (first, _) = driver.launched
    assert (first.programs, first.threads, first.shared, first.stream) == (1, 128, 64, 0)
    assert first.parameters == (a.data_ptr(), b.data_ptr(), results[0].data_ptr(), 0, 0)


def test_no_python_of_ours_runs_between_the_check_and_the_result(driver: Driver):
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    warmed(add, a, b)
    called: list[str] = []
    sys.setprofile(lambda frame, event, _argument: called.append(frame.f_code.co_qualname) if event == "call" else None)
    try:
        add(a, b)
    finally:
        sys.setprofile(None)
    before, after = called.index("Driver._launch"), called[::-1].index("floats_at")
    ours = [*called[:before], *called[len(called) - after :]]
    assert not {"DirectCall.run", "CudaProgram.launch", "Launcher.launch", "kind_of"} & set(ours) and len(ours) <= 12, ours


class SilentKernel:
    """A kernel whose launches do nothing."""

    metadata = LoadedKernel.metadata

    def __init__(self, driver: Driver):
        self._driver = driver
        self.src, self.function = SimpleNamespace(signature=dict[str, str]()), 1

    def __getitem__(self, grid: Any) -> Any:
        def launch(*arguments: Any, **options: Any) -> SilentKernel:
            kinds = ["*fp32" if isinstance(each, torch.Tensor) else "constexpr" for each in arguments]
            self.src.signature = {str(k): kind for k, kind in enumerate(kinds)}
            self.function = self._driver.load(lambda *_: None, kinds.count("*fp32") + 2)
            return self

        return launch


@pytest.mark.parametrize("sizes", [(0, 8, 8, 8), (4, 8, 0, 8), (4, 8, 8, 0)])
def test_empty_arrays(driver: Driver, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, int, int, int]):
    """Kernels of no programs are not launched, and their temporaries have no memory."""
    start = kernels.Launcher.__init__

    def init(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        self.kernel = SilentKernel(driver)

    monkeypatch.setattr(kernels.Launcher, "__init__", init)
    layers = sw.jit(lambda x, a, b: sw.relu(x @ a) @ b, target="cuda")
    n, k, m, p = sizes
    for _ in range(4):
        assert layers(torch.zeros(n, k), torch.zeros(k, m), torch.zeros(m, p)).shape == (n, p)


def test_other_arguments_go_another_way(driver: Driver):
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    direct = warmed(add, a, b)
    others = [
        (torch.arange(5.0), torch.ones(5)),
        (torch.arange(16.0)[::2], b),
        (torch.arange(8.0).requires_grad_(), b),
        (a.numpy(), b.numpy()),
        (torch.arange(9.0)[1:], b),  # its address is no multiple of 16
    ]
    for first, second in others:
        found = add(first, second)
        assert torch.equal(torch.as_tensor(found).detach(), torch.as_tensor(first).detach() + torch.as_tensor(second))
    assert not driver.launched and torch.equal(add(a, b), a + b) and len(driver.launched) == 1
    assert [each.hits for each in direct.native][-1] == 1


def test_donated_arguments(driver: Driver):
    add = sw.jit(lambda state, step: state + step, target="cuda", donate_argnums=0)
    state, step = torch.zeros(8), torch.ones(8)
    for _ in range(5):
        assert add(state, step) is state
    assert torch.equal(state, torch.full((8,), 5.0)) and len(driver.launched) == 3
    assert torch.equal(add(state, state), torch.full((8,), 10.0)) and torch.equal(state, torch.full((8,), 5.0))
    both = torch.zeros(16)
    assert torch.equal(add(both[:8], both[8:]), torch.zeros(8)) and len(driver.launched) == 4


def test_what_the_driver_says(driver: Driver):
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    warmed(add, a, b)
    driver.status = 719
    with pytest.raises(RuntimeError, match="cuLaunchKernel: error 719 of the CUDA driver"):
        add(a, b)
    # A thread without a context of CUDA: Triton makes one current.
    driver.status = 201
    assert torch.equal(add(a, b), a + b)


def test_threads(driver: Driver):
    add = adding()
    warmed(add, torch.zeros(1024), torch.zeros(1024))
    wrong = list[int]()

    def call(number: int) -> None:
        a, b = torch.full((1024,), float(number)), torch.ones(1024)
        wrong.extend(number for _ in range(50) if not bool((add(a, b) == number + 1).all()))

    threads = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(driver.launched) == 200


def test_nothing_is_kept(driver: Driver):
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    direct = warmed(add, a, b)
    result = add(a, b)
    kept = [weakref.ref(each) for each in (a, b, result)]
    del a, b, result
    assert [each() for each in kept] == [None] * 3 and direct.native[0].hits == 1
    native = weakref.ref(add)
    del add, direct
    gc.collect()
    assert native() is None


def test_kinds_beyond_the_most_are_dropped(driver: Driver, monkeypatch: pytest.MonkeyPatch):
    from stepwell.runtime.triton import direct_calls

    monkeypatch.setattr(direct_calls, "MOST_NATIVE", 2)
    add = adding()
    for size in (4, 5, 6):
        direct = warmed(add, torch.arange(float(size)), torch.ones(size))
    assert len(direct.native) == 2
    before = direct.hits
    for size in (4, 5, 6):
        assert torch.equal(add(torch.arange(float(size)), torch.ones(size)), torch.arange(float(size)) + 1)
    assert direct.hits == before + 3 and len(driver.launched) == 2


def test_without_a_driver_calls_stay_in_python(driver: Driver, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(native_launches, "launch_address", lambda: 0)
    add = adding()
    a, b = torch.arange(8.0), torch.ones(8)
    direct = warmed(add, a, b)
    assert torch.equal(add(a, b), a + b) and not direct.native and direct.hits == 2


@pytest.mark.parametrize(
    ("name", "value"), [("num_ctas", 2), ("launch_pdl", True), ("launch_cooperative_grid", True), ("global_scratch_size", 64)]
)
def test_kernels_that_need_more_than_a_plain_launch(name: str, value: Any):
    kernel: Any = LoadedKernel([], Driver())
    assert native_kernel(kernel) is not None
    kernel.metadata = SimpleNamespace(**{**vars(LoadedKernel.metadata), name: value})
    assert native_kernel(kernel) is None


def test_parameters_that_triton_has_compiled_in():
    kernel: Any = LoadedKernel([], Driver())
    kernel.src.signature = {"a": "*fp32", "n": "constexpr", "m": "i64"}
    found = native_kernel(kernel)
    assert found is not None and found.taken == (True, False, True) and found.own == 2
    kernel.src.signature = {"a": "*fp32", "scale": "fp32"}
    assert native_kernel(kernel) is None


def launches_of(driver: Driver, kernels: Any, buffers: Any, **options: Any) -> Any:
    """Launches on one argument of 8 numbers."""
    a = torch.arange(8.0)
    given: dict[str, Any] = {"arguments": ((a.shape, a.dtype, 32, False),), "checks": (), "stream": int, "outputs": (1,)}
    given["give"] = lambda results: results[0]
    return MODULE.Launches(
        launch=driver.address, tensor=torch.Tensor, device=a.device, buffers=buffers, kernels=kernels, **{**given, **options}
    )


def test_several_kernels_on_temporaries_with_numbers():
    """The first kernel writes to the second half of the temporary, the second kernel reads it there."""
    driver = Driver()

    def scale(source: int, result: int, by: int) -> None:
        floats_at(result, 8)[:] = floats_at(source, 8) * by

    scaling = driver.load(scale, 3)
    buffers = (0, lambda: torch.empty(8), lambda: torch.empty(1024, dtype=torch.uint8))
    kernels = (
        (scaling, 3, 128, 0, ((0, 0, True), (2, 512, True), 5)),
        (scaling, 4, 64, 1 << 17, ((2, 512, True), (1, 0, True), -1 & (1 << 63) - 1 & 7)),
    )
    call = launches_of(driver, kernels, buffers)
    a = torch.arange(8.0)
    assert torch.equal(call.run((a,)), a * 35) and call.hits == 1
    assert [each[:3] for each in driver.launched] == [(3, 128, 0), (4, 64, 1 << 17)]
    assert driver.launched[0].parameters[1] == driver.launched[1].parameters[0]


def test_checks_of_the_device():
    driver, device = Driver(), [0]
    kernels = ((driver.load(lambda *_: None, 1), 1, 32, 0, ((0, 0, True),)),)
    call = launches_of(driver, kernels, (0, lambda: torch.empty(8)), checks=((lambda: device[0], 0),))
    assert call.run((torch.ones(8),)) is not NotImplemented
    device[0] = 1
    assert call.run((torch.ones(8),)) is NotImplemented and len(driver.launched) == 1


def test_errors_of_what_is_called():
    driver = Driver()

    def fail() -> Any:
        raise MemoryError("none is left")

    kernels = ((driver.load(lambda *_: None, 1), 1, 32, 0, ((0, 0, True),)),)
    with pytest.raises(MemoryError, match="none is left"):
        launches_of(driver, kernels, (0, fail)).run((torch.ones(8),))
    with pytest.raises(MemoryError, match="none is left"):
        launches_of(driver, kernels, (0, lambda: torch.empty(8)), stream=fail).run((torch.ones(8),))
    with pytest.raises(MemoryError, match="none is left"):
        launches_of(driver, kernels, (0, lambda: torch.empty(8)), checks=((fail, 0),)).run((torch.ones(8),))
    assert not driver.launched


@pytest.mark.parametrize(
    ("kernels", "buffers", "options", "message"),
    [
        (((1, 1, 32, 0, ((2, 0, True),)),), (0, None), {}, "one of 2 buffers, got 2"),
        ((), (1, None), {}, "the number of an argument"),
        ((), (0, None), {"outputs": (3,)}, "one of 2 buffers, got 3"),
    ],
)
def test_numbers_out_of_range(kernels: Any, buffers: Any, options: Any, message: str):
    with pytest.raises(ValueError, match=message):
        launches_of(Driver(), kernels, buffers, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"arguments": (None,)}, "a shape, a dtype, bytes and a flag for each argument"),
        ({"arguments": ((None, None),)}, "takes exactly 4 arguments"),
        ({"checks": (int,)}, "a function and a value for each check"),
        ({"checks": ((int,),)}, "a function and a value for each check"),
    ],
)
def test_entries_of_another_form(options: Any, message: str):
    with pytest.raises(TypeError, match=message):
        launches_of(Driver(), (), (0, None), **options)


def test_temporaries_share_an_allocation():
    """The third temporary is only used after the first one, and takes its place; the last one is too large for that."""
    sizes = [None, 300, 100, 200, 500]
    places = [Argument(0, FLOAT32) if size is None else Fresh((size,), FLOAT32, is_result=False) for size in sizes]
    launches = [SimpleNamespace(positions=positions) for positions in ((0, 1), (1, 2), (2, 3), (3, 4))]
    call: Any = SimpleNamespace(prepared=SimpleNamespace(launches=launches, places=places))
    arena = arena_of(call)
    assert arena.offsets == {4: 0, 1: 0, 3: 2048, 2: 1536}
    assert arena.size == 2048 + 800
    for k, span in enumerate([None, (0, 1), (1, 2), (2, 3), (3, 3)]):
        for j, other in enumerate([None, (0, 1), (1, 2), (2, 3), (3, 3)]):
            if j < k and span and other and span[0] <= other[1] and other[0] <= span[1]:
                first, second = sorted((arena.offsets[each], arena.offsets[each] + 4 * (sizes[each] or 0)) for each in (j, k))
                assert first[1] <= second[0]
