"""Complex tensors and Fourier transforms under torch.compile: nothing is left to eager, values and gradients are eager's."""

import warnings

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.report import EagerWarning, reporting  # noqa: E402
from stepwell.frontend.torch.rows.complex_numbers import COMPLEX_ROWS  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402

GENERATOR = torch.Generator().manual_seed(0)
LINES, IMAGES = (torch.randn(*shape, generator=GENERATOR) for shape in ((3, 8), (2, 6, 8)))
FILTER, WAVES = (torch.randn(*shape, dtype=torch.complex64, generator=GENERATOR) for shape in ((5,), (3, 8)))

CASES = {
    "magnitudes of spectra": (lambda x: (torch.fft.rfft(x).abs(), torch.fft.rfft(x, norm="ortho").angle()), (LINES,)),
    "a filter": (lambda x, w: torch.fft.irfft(torch.fft.rfft(x) * w, n=8), (LINES, FILTER)),
    "images": (
        lambda x: (torch.fft.irfft2(torch.fft.rfft2(x) * 0.5), torch.fft.fftshift(torch.fft.fftn(x, norm="forward")).abs()),
        (IMAGES,),
    ),
    "there and back": (lambda x: torch.fft.ifft(torch.fft.fft(x, n=10) * 2, dim=0).real, (LINES,)),
    "short-time spectra": (
        lambda x: torch.stft(x.reshape(-1), 8, return_complex=True, window=torch.ones(8)).abs().log1p(), (LINES,)
    ),
    "arithmetic": (lambda y, x: (((y * x + 1j) / (y - 2)).abs(), y.conj() * y.exp() - y**3, -y + x), (WAVES, LINES)),
    "matrices": (lambda y: ((y @ y.mH).real, torch.view_as_real(y).sum(), y.mean(0)), (WAVES,)),
    "parts": (
        lambda x: (
            torch.view_as_complex(x.reshape(3, 4, 2)).pow(2).sum(1).imag,
            torch.polar(x.abs(), x).real,
            torch.complex(x, x * 2).sgn(),
        ),
        (LINES,),
    ),
    "shapes": (
        lambda y, x: (torch.cat([y, y * 1j], 0)[1:, ::2], torch.where(x > 0, y, torch.zeros_like(y)), y[[2, 0]].roll(1, 1)),
        (WAVES, LINES),
    ),
    "products and variances": (
        lambda y: (y.prod(), y[:, :2].cumprod(1), y.var(1), y.std(), torch.linalg.vector_norm(y, dim=0)), (WAVES,)
    ),
    "complex and real together": (lambda y, x: torch.cat([y, x]) + torch.stack([x, y])[0].tan()[:1], (WAVES, LINES)),
    "linear algebra": (
        lambda y: (
            torch.linalg.solve(y @ y.mH + 3 * torch.eye(3), y),
            torch.linalg.inv(y[:, :3] + 4 * torch.eye(3)),
            torch.linalg.det(y[:, :3]),
            torch.linalg.eigvals(y[:, :3].real + torch.diag(torch.arange(3) * 9.0)).real,
        ),
        (WAVES,),
    ),
    "slices": (
        lambda y: (y.index_add(0, torch.tensor([1]), y[:1] * 2), y.index_fill(1, torch.tensor([-1]), 3.0)), (WAVES,)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_eager(name):
    function, given = CASES[name]
    found = []
    with reporting() as report, warnings.catch_warnings():
        warnings.simplefilter("error", EagerWarning)
        for call in (torch.compile(function, backend=stepwell, options={"target": "interpret"}), function):
            args = [each.clone().requires_grad_() for each in given]
            results = torch.utils._pytree.tree_leaves(call(*args))
            parts = [torch.view_as_real(each) if each.is_complex() else each for each in results]
            sum((each * torch.cos(torch.arange(each.numel()).view(each.shape) * 1.0)).sum() for each in parts).backward()
            found.append([*results, *(each.grad for each in args)])
    assert report.graphs and not report.eager
    torch.testing.assert_close(*found, rtol=1e-3, atol=1e-4)
    torch._dynamo.reset()


def test_compiled_code_of_a_filter():
    model = torch.compile(lambda x, w: torch.fft.irfft(torch.fft.rfft(x) * w, n=8), backend=stepwell)
    for _ in range(2):
        torch.testing.assert_close(model(LINES, FILTER), torch.fft.irfft(torch.fft.rfft(LINES) * FILTER, n=8))


def test_operations_without_a_complex_row_are_left_to_eager_and_the_rest_is_compiled():
    with reporting() as report, pytest.warns(EagerWarning) as caught:
        mask = torch.arange(8) % 2 == 0
        model = torch.compile(lambda y: (y * 2).masked_scatter(mask, y).abs() + 1, backend=stepwell)
        torch.testing.assert_close(model(WAVES), (WAVES * 2).masked_scatter(mask, WAVES).abs() + 1)
    assert [str(each.message) for each in caught if issubclass(each.category, EagerWarning)] == [
        "'aten.masked_scatter.default' is left to eager: it has no row in the table of operations on complex tensors"
    ]
    assert list(report.eager) == ["aten.masked_scatter.default"] and report.partitions == 2


def test_a_complex_factor_is_left_to_eager():
    z, at = torch.tensor([1 + 2j, 3 - 1j, 0]), torch.tensor([0, 1])
    with pytest.warns(UserWarning, match="'aten.index_add.default' is left to eager: .*a complex factor"):
        found = torch.compile(lambda z: z.index_add(0, at, z[:2], alpha=1j), backend="stepwell")(z)
    torch.testing.assert_close(found, z.index_add(0, at, z[:2], alpha=1j))


def test_every_row_is_of_an_operation():
    for name in COMPLEX_ROWS:
        path = name.split(".")
        packet = torch.ops.prims if path[0] == "prims" else torch.ops.aten
        *_, operation, overload = path
        assert overload in getattr(packet, operation).overloads(), name
