"""Sampling by grids, blocks of images, embedding bags and resampling under torch.compile: no operation is left to eager or to
a kernel of torch, and values and gradients are those of eager."""

import pytest

torch = pytest.importorskip("torch")

from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402
from torch.nn import functional as F  # noqa: E402

GENERATOR = torch.Generator().manual_seed(0)
IMAGE = torch.randn(2, 3, 5, 6, generator=GENERATOR)
VOLUME = torch.randn(1, 2, 3, 4, 5, generator=GENERATOR)
GRID = torch.randn(2, 4, 3, 2, generator=GENERATOR)
PLACES = torch.randn(1, 2, 3, 2, 3, generator=GENERATOR)
TABLE = torch.randn(7, 3, generator=GENERATOR)
ENTRIES, STARTS = torch.tensor([1, 4, 4, 0, 6, 1]), torch.tensor([0, 2, 2, 5])
WEIGHTS = torch.randn(6, generator=GENERATOR)

CASES = {
    "grid_sample": (
        lambda x, g: (
            F.grid_sample(x, g, padding_mode="reflection", align_corners=True),
            F.grid_sample(x, g, "nearest", "border", align_corners=False),
        ),
        (IMAGE, GRID),
    ),
    "volumes": (lambda x, g: F.grid_sample(x, g, align_corners=False), (VOLUME, PLACES)),
    "blocks": (
        lambda x: (
            F.unfold(x, (2, 3), stride=(2, 1), padding=1),
            F.fold(F.unfold(x, 3, dilation=2, padding=2), (5, 6), 3, dilation=2, padding=2),
            F.unfold(x[0], 2),
            F.fold(F.unfold(x[0], 2), (5, 6), 2),
        ),
        (IMAGE,),
    ),
    "bags": (
        lambda w: (
            F.embedding_bag(ENTRIES, w, STARTS, mode="sum"),
            F.embedding_bag(ENTRIES, w, STARTS, mode="mean", padding_idx=4),
            F.embedding_bag(ENTRIES, w, STARTS, mode="max"),
            F.embedding_bag(ENTRIES.reshape(2, 3), w, mode="mean"),
        ),
        (TABLE,),
    ),
    "weighted bags": (
        lambda w, p: F.embedding_bag(ENTRIES, w, STARTS, mode="sum", per_sample_weights=p, padding_idx=1), (TABLE, WEIGHTS)
    ),
    "pixels": (
        lambda x: (
            F.pixel_unshuffle(x[..., :4, :], 2),
            F.interpolate(x, (4, 5), mode="area"),
            F.pixel_shuffle(x.reshape(2, 9, 5, 2), 3),
        ),
        (IMAGE,),
    ),
    "resampled": (
        lambda x: (
            F.interpolate(input=x, scale_factor=2, mode="bilinear"),
            F.interpolate(x, (11, 3), mode="bicubic", align_corners=True),
            F.interpolate(x, scale_factor=1.5, mode="bilinear", recompute_scale_factor=True),
            F.interpolate(x, scale_factor=2),
            F.interpolate(x[0], 4, mode="nearest-exact"),
        ),
        (IMAGE,),
    ),
    "padded": (
        lambda x: (
            F.pad(x, (2, 1, 3, 2), mode="reflect"),
            F.pad(x, (2, 7, 0, 2), mode="replicate"),
            F.pad(x, (-1, 2, 1, 0), mode="replicate"),
            F.pad(x, (2, 1, 3, 2), mode="circular"),
        ),
        (IMAGE,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_eager(name):
    function, given = CASES[name]
    found = []
    with reporting() as report:
        for call in (torch.compile(function, backend=stepwell, options={"target": "interpret"}), function):
            args = [each.clone().requires_grad_() for each in given]
            results = torch.utils._pytree.tree_leaves(call(*args))
            # Weights that differ tell elements from each other.
            sum((each * torch.cos(torch.arange(each.numel()).view(each.shape) * 1.0)).sum() for each in results).backward()
            found.append([*results, *(each.grad for each in args)])
    assert report.graphs and not report.eager and not report.kernels
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-4)
    torch._dynamo.reset()


def test_images_of_any_size_share_their_code():
    function = lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")  # noqa: E731
    model = torch.compile(function, backend=stepwell, dynamic=True)
    with reporting() as report:
        for height, width in ((9, 12), (10, 14), (17, 13)):
            x = torch.randn(1, 2, height, width, generator=GENERATOR)
            torch.testing.assert_close(model(x), function(x))
    assert len(report.graphs) == 1 and not report.eager
    torch._dynamo.reset()


def test_interpolations_stay_whole_where_they_are_differentiated():
    x = IMAGE.clone().requires_grad_()
    doubled = torch.compile(lambda value: F.interpolate(value, scale_factor=2, mode="bilinear"), backend=stepwell)
    with reporting() as report:
        torch.sum(doubled(x)).backward()
    assert [graph.compiled_count for graph in report.graphs] == [1, 1]


def test_interpolations_have_second_derivatives_in_eager():
    """The operations that replace `interpolate` have second derivatives, also in a graph that falls back to eager."""
    from stepwell.frontend.torch.interpolation import interpolated

    x = torch.randn(1, 2, 3, 4, generator=GENERATOR, dtype=torch.float64).requires_grad_()
    for mode in ("bilinear", "nearest"):
        torch.autograd.gradgradcheck(lambda value, mode=mode: interpolated(value, scale_factor=2, mode=mode) ** 2, (x,))


def test_a_function_of_the_users_called_interpolate_is_theirs():
    def interpolate(value):
        return value * 3

    x = IMAGE.clone()
    found = torch.compile(lambda value: interpolate(value), backend=stepwell, options={"target": "interpret"})(x)
    torch.testing.assert_close(found, x * 3)


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_interpolations_under_autocast_have_the_dtypes_of_eager(mode):
    def function(x):
        with torch.autocast("cpu", torch.bfloat16):
            return F.interpolate(x @ x.transpose(-1, -2), scale_factor=2, mode=mode)

    ours = torch.compile(function, backend="stepwell", options={"target": "interpret"})(IMAGE)
    theirs = function(IMAGE)
    assert ours.dtype == theirs.dtype
    torch.testing.assert_close(ours, theirs, rtol=2e-2, atol=2e-2)


def test_fractional_pools_draw_their_windows_as_eager_does():
    """Only the draw is left to eager; torch's kernel is called by the program."""

    def pooled(x, volume):
        maxima, places = F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5), return_indices=True)
        return maxima, places, F.fractional_max_pool3d(volume, 2, output_size=(1, 2, 3))

    found = []
    with reporting() as report:
        for call in (torch.compile(pooled, backend=stepwell, options={"target": "interpret"}), pooled):
            args = [each.clone().requires_grad_() for each in (IMAGE, VOLUME)]
            torch.manual_seed(5)
            results = call(*args)
            (results[0].square().sum() + results[2].square().sum()).backward()
            found.append([*results, *(each.grad for each in args)])
    assert set(report.eager) == {"aten.rand.default"}
    torch.testing.assert_close(*found)
    torch._dynamo.reset()
