"""Functions on images and on tables of rows, beside torch: values and gradients, for several sizes with one compile."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.functions.images.padding import padded_by_reads
from stepwell.frontend.functions.images.resampling import resampled

torch = pytest.importorskip("torch")
from torch.nn import functional as F  # noqa: E402

RNG = np.random.default_rng(0)
IMAGES = [(RNG.standard_normal(shape),) for shape in ((2, 3, 9, 12), (1, 2, 14, 11))]
SMALL = [(RNG.standard_normal(shape),) for shape in ((2, 3, 3, 12), (1, 2, 14, 3))]
LINES = [(RNG.standard_normal(shape),) for shape in ((2, 3, 9), (1, 2, 14))]
VOLUMES = [(RNG.standard_normal((1, 2, 3, 4, 5)),)]
SAMPLED = [
    (RNG.standard_normal(shape), 1.2 * RNG.standard_normal((shape[0], 10, 9, 2))) for shape in ((2, 3, 9, 12), (3, 2, 14, 11))
]
IN_VOLUMES = [(RNG.standard_normal((2, 2, 3, 4, 5)), 1.2 * RNG.standard_normal((2, 3, 4, 5, 3)))]
BLOCKS = {"kernel_size": (3, 2), "stride": (2, 1), "padding": (1, 0)}


def both(make):
    """A function of a library, called for Stepwell and for torch."""
    return lambda x, *rest: make(sw, x, *rest), lambda x, *rest: make(F, x, *rest)


def interpolated(**options):
    return both(lambda library, x: library.interpolate(x, **options))


def sampled(**options):
    return both(lambda library, x, grid: library.grid_sample(x, grid, **{"align_corners": False, **options}))


# Stepwell's function and torch's, and the arguments of calls that share a compile.
CASES = {
    "nearest, by a factor": (*interpolated(scale_factor=1.5), IMAGES),
    # Torch copies where the size stays or doubles, whatever the factor is.
    "nearest, by a factor that keeps a size": (*interpolated(scale_factor=(1.1, 2.1)), [(RNG.standard_normal((1, 2, 5, 4)),)]),
    "nearest, by a factor that keeps some sizes": (*interpolated(scale_factor=(1.25, 2.25)), SMALL),
    "bilinear, by a factor that keeps some sizes": (*interpolated(scale_factor=1.25, mode="bilinear"), SMALL),
    "nearest-exact, to a size": (*interpolated(size=(13, 5), mode="nearest-exact"), IMAGES),
    "linear": (*interpolated(size=7, mode="linear"), LINES),
    "bilinear, by a factor": (*interpolated(scale_factor=2, mode="bilinear"), IMAGES),
    "bilinear, aligned": (*interpolated(size=(13, 1), mode="bilinear", align_corners=True), IMAGES),
    "bicubic": (*interpolated(scale_factor=(0.5, 1.25), mode="bicubic"), IMAGES),
    "trilinear": (*interpolated(size=(5, 2, 4), mode="trilinear"), VOLUMES),
    "area": (*interpolated(size=(4, 5), mode="area"), IMAGES),
    "ratios of sizes": (*interpolated(scale_factor=1.75, mode="bilinear", recompute_scale_factor=True), IMAGES),
    "grid": (*sampled(), SAMPLED),
    "grid, aligned": (*sampled(align_corners=True), SAMPLED),
    "grid, border": (*sampled(padding_mode="border"), SAMPLED),
    "grid, reflection": (*sampled(padding_mode="reflection"), SAMPLED),
    "grid, aligned reflection": (*sampled(padding_mode="reflection", align_corners=True), SAMPLED),
    "grid, nearest": (*sampled(mode="nearest", padding_mode="reflection"), SAMPLED),
    "grid, bicubic": (*sampled(mode="bicubic"), SAMPLED),
    "grid of volumes": (*sampled(), IN_VOLUMES),
    "unfold": (*both(lambda library, x: library.unfold(x, **BLOCKS)), IMAGES),
    "fold": (*both(lambda library, x: library.fold(library.unfold(x, 3, dilation=2), x.shape[2:], 3, dilation=2)), IMAGES),
    "max_pool1d": (*both(lambda library, x: library.max_pool1d(x, 3, stride=2, padding=1, ceil_mode=True)), LINES),
    "max_pool2d": (*both(lambda library, x: library.max_pool2d(x, 3, stride=2, padding=1, ceil_mode=True)), IMAGES),
    "avg_pool2d": (*both(lambda library, x: library.avg_pool2d(x, 2, stride=3, padding=1, ceil_mode=True)), IMAGES),
    "avg_pool2d, without padding": (
        *both(lambda library, x: library.avg_pool2d(x, 3, stride=2, padding=1, count_include_pad=False)), IMAGES
    ),
    "avg_pool2d, divided": (*both(lambda library, x: library.avg_pool2d(x, 3, divisor_override=4)), IMAGES),
    "max_unpool2d": (
        *both(
            lambda library, x: library.max_unpool2d(
                *library.max_pool2d(x, 2, return_indices=True), 2, output_size=list(x.shape[2:])
            )
        ),
        IMAGES,
    ),
    "max_unpool3d": (
        *both(lambda library, x: library.max_unpool3d(
                *library.max_pool3d(x, (3, 2, 2), return_indices=True), (3, 2, 2), output_size=list(x.shape[2:])
            )
        ),
        VOLUMES,
    ),
    "adaptive_avg_pool2d": (*both(lambda library, x: library.adaptive_avg_pool2d(x, (4, None))), IMAGES),
    "adaptive_avg_pool1d": (*both(lambda library, x: library.adaptive_avg_pool1d(x, 3)), LINES[:1]),
    "adaptive_max_pool2d": (*both(lambda library, x: library.adaptive_max_pool2d(x, (5, 4))), IMAGES),
    "pixel_shuffle": (
        *both(lambda library, x: library.pixel_shuffle(library.pixel_unshuffle(x[:, :, :8, :10] * 2, 2), 2)), IMAGES
    ),
    "same padding": (
        lambda x: sw.conv2d(x[:, :2], np.ones((4, 2, 2, 3)), padding="same", dilation=2),
        lambda x: F.conv2d(x[:, :2], torch.ones((4, 2, 2, 3), dtype=torch.float64), padding="same", dilation=2),
        IMAGES,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_torch(name):
    ours, theirs, calls = CASES[name]

    def weighted(*given):
        found = ours(*given)
        return sw.sum(found * sw.cos(sw.reshape(sw.arange(found.size), found.shape)))

    value = sw.jit(ours, target="interpret")
    gradient = sw.jit(sw.grad(weighted, argnums=tuple(range(len(calls[0])))), target="interpret")
    for given in calls:
        tensors = [torch.from_numpy(each).requires_grad_() for each in given]
        expected = theirs(*tensors)
        np.testing.assert_allclose(value(*given), expected.detach().numpy(), rtol=1e-7, atol=1e-9)
        (expected * torch.cos(torch.arange(expected.numel()).reshape(expected.shape) * 1.0)).sum().backward()
        for found, each in zip(gradient(*given), tensors, strict=True):
            # Torch's derivatives of bicubic samples round their constants to float32.
            np.testing.assert_allclose(found, each.grad.numpy(), rtol=1e-4, atol=1e-5)
    assert value.stats().compiles == 1


@pytest.mark.parametrize(("size", "out"), [(2, 82), (8, 94)])
def test_places_are_rounded_as_in_torch(size, out):
    """Places are computed in float32, which gives other elements than exact quotients do."""
    x = np.arange(size, dtype=np.float32)[None, None]
    nearest = sw.jit(lambda x: resampled(x, [out], [None], "nearest", False, largest_divisor=1000), static=True)
    np.testing.assert_array_equal(nearest(x), F.interpolate(torch.from_numpy(x), out).numpy())


@pytest.mark.parametrize(
    ("rows", "before", "mode"), [("n", 1, "edge"), (0, 1, "edge"), (3, 3, "reflect")], ids=["symbolic", "empty", "long"]
)
def test_what_is_not_padded_by_reads(rows, before, mode):
    found = []
    sw.lower(lambda x: found.append(padded_by_reads(x, 0, before, 0, mode)) or x, sw.Spec((rows, 4), "float32"))
    assert found == [None]


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8"])
def test_dtypes_are_kept(dtype):
    x = (np.arange(60).reshape(1, 1, 6, 10) % 7).astype(dtype)
    np.testing.assert_array_equal(
        sw.interpolate(x, (4, 13)), F.interpolate(torch.from_numpy(x).float(), (4, 13)).numpy().astype(dtype)
    )
    assert str(sw.interpolate(x, (4, 13)).dtype) == dtype


@pytest.mark.parametrize(
    ("name", "size", "options"),
    [
        ("max_pool", 2, {"stride": 1, "padding": 1}),
        ("max_pool", 2, {"ceil_mode": True}),
        ("adaptive_max_pool", 2, {}),
    ],
)
def test_indices_of_maxima_are_those_of_torch(name, size, options):
    x = np.array([[[[1.0, 5.0, 5.0, 2.0, 0.0], [5.0, 1.0, 2.0, 7.0, 7.0], [3.0, 3.0, 3.0, 3.0, 3.0]]]])
    options = {"return_indices": True, **options}
    found = sw.jit(lambda x: (getattr(sw, f"{name}2d")(x, size, **options), getattr(sw, f"{name}1d")(x[0], size, **options)),
                   target="interpret")(x)  # fmt: skip
    given = torch.from_numpy(x)
    expected = getattr(F, f"{name}2d")(given, size, **options), getattr(F, f"{name}1d")(given[0], size, **options)
    for own, other in zip((*found[0], *found[1]), (*expected[0], *expected[1]), strict=True):
        np.testing.assert_array_equal(own, other.numpy())


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_rows(mode):
    table = RNG.standard_normal((9, 4))
    ours = sw.jit(lambda at, w, starts: sw.embedding_bag(at, w, starts, mode=mode, padding_idx=-9), target="interpret")
    slope = sw.jit(sw.grad(lambda w, at, starts: sw.sum(sw.embedding_bag(at, w, starts, mode=mode) ** 2)), target="interpret")
    for count, bags in ((20, 11), (31, 14)):
        at, starts = RNG.integers(0, 9, count), np.sort(np.r_[0, RNG.integers(0, count + 1, bags)])
        w = torch.from_numpy(table).requires_grad_()
        tensors = (torch.from_numpy(at), w, torch.from_numpy(starts))
        np.testing.assert_allclose(
            ours(at, table, starts), F.embedding_bag(*tensors, mode=mode, padding_idx=-9).detach().numpy(), atol=1e-12
        )
        (F.embedding_bag(*tensors, mode=mode) ** 2).sum().backward()
        np.testing.assert_allclose(slope(table, at, starts), w.grad.numpy(), atol=1e-12)
    assert ours.stats().compiles == 1


def test_bags_of_equal_length_and_with_the_last_offset():
    table, at = torch.from_numpy(RNG.standard_normal((9, 4))), torch.from_numpy(RNG.integers(0, 9, (3, 5)))
    np.testing.assert_allclose(sw.embedding_bag(at, table), F.embedding_bag(at, table).numpy())
    flat, starts = at.reshape(-1), torch.tensor([0, 4, 4, 15])
    weights = torch.from_numpy(RNG.standard_normal(15))
    options = {"mode": "sum", "per_sample_weights": weights, "include_last_offset": True}
    np.testing.assert_allclose(
        sw.embedding_bag(flat, table, starts, **options), F.embedding_bag(flat, table, starts, **options).numpy()
    )


IMAGE, GRID, TABLE = np.ones((1, 2, 4, 5)), np.ones((1, 3, 3, 2)), np.ones((4, 3))
AT = np.zeros((1, 2), int)
ERRORS = {
    "interpolate: expected a mode of .*, got 'biliner': did you mean 'bilinear'": lambda: sw.interpolate(
        IMAGE, 3, mode="biliner"
    ),
    "mode 'linear' takes .*1 axes of space.*, got 4 axes": lambda: sw.interpolate(IMAGE, 3, mode="linear"),
    "interpolate: expected one of size and scale_factor": lambda: sw.interpolate(IMAGE),
    "interpolate: expected a positive number as scale_factor, got -1": lambda: sw.interpolate(IMAGE, scale_factor=-1),
    "interpolate: expected a number, or 2 of them, got \\(1, 2, 3\\)": lambda: sw.interpolate(IMAGE, (1, 2, 3)),
    "align_corners has no meaning for mode 'nearest'": lambda: sw.interpolate(IMAGE, 3, align_corners=True),
    "grid_sample: expected a padding_mode of .*, got 'zero': did you mean 'zeros'": lambda: sw.grid_sample(
        IMAGE, GRID, padding_mode="zero"
    ),
    "grid_sample: expected 2 numbers a place .*, got 3": lambda: sw.grid_sample(IMAGE, np.ones((1, 3, 3, 3))),
    "grid_sample: expected a grid for each of 1 images, got 2": lambda: sw.grid_sample(IMAGE, np.ones((2, 3, 3, 2))),
    "unfold: expected \\(batch, channels, H, W\\)": lambda: sw.unfold(TABLE, 2),
    "unfold: a block of 7 does not fit into 4 padded elements": lambda: sw.unfold(IMAGE, 7),
    "fold: 6 rows do not divide into blocks of 4 elements": lambda: sw.fold(np.ones((1, 6, 4)), 3, 2),
    "fold: expected 4 blocks for an image of these sizes, got 5": lambda: sw.fold(np.ones((1, 8, 5)), 3, 2),
    "pixel_shuffle: 2 channels do not divide by 4": lambda: sw.pixel_shuffle(IMAGE, 2),
    "pixel_unshuffle: sizes \\(4, 5\\) do not divide by 2": lambda: sw.pixel_unshuffle(IMAGE, 2),
    "embedding_bag: expected a mode of sum, mean, max, got 'avg'": lambda: sw.embedding_bag(AT, TABLE, mode="avg"),
    "embedding_bag: expected indices \\(bags, L\\), or \\(n,\\) with offsets": lambda: sw.embedding_bag(AT[0], TABLE),
    "per_sample_weights are for mode 'sum', got mode 'mean'": lambda: sw.embedding_bag(
        AT, TABLE, per_sample_weights=np.ones((1, 2))
    ),
    "max_unpool2d: expected an output_size of 2 sizes, got 1": lambda: sw.max_unpool2d(
        IMAGE, np.zeros(IMAGE.shape, int), 2, output_size=(3,)
    ),
    "adaptive_avg_pool2d: output_size: expected 1 or 2 entries, got 3": lambda: sw.adaptive_avg_pool2d(IMAGE, (1, 2, 3)),
}  # fmt: skip


@pytest.mark.parametrize("message", ERRORS)
def test_what_does_not_fit_is_an_error(message):
    with pytest.raises(sw.CompileError, match=message):
        ERRORS[message]()


@pytest.mark.parametrize(("offsets", "options"), [([1, 2], {}), ([0, 3, 1], {}), ([0, 1, 2], {"include_last_offset": True})])
def test_offsets_that_do_not_ascend_from_the_start_to_the_end(offsets, options):
    with pytest.raises(IndexError, match="out of range"):
        sw.jit(lambda i, w, o: sw.embedding_bag(i, w, o, **options))(np.arange(4), np.ones((5, 3)), np.array(offsets))


def test_equal_greatest_elements_of_adaptive_windows_share_equally():
    gradient = sw.grad(lambda x: sw.sum(sw.adaptive_max_pool1d(x, 3)))(np.array([[[1.0, 1, 0, 2, 2, 2]]]))
    np.testing.assert_array_equal(gradient, [[[0.5, 0.5, 0, 1, 0.5, 0.5]]])


def test_places_that_are_no_numbers_are_the_first_ones():
    x, grid = np.ones((1, 1, 3, 3)), np.array([[[[np.nan, 0.0]]]])
    for mode in ("border", "reflection"):
        assert sw.grid_sample(x, grid, padding_mode=mode, align_corners=False).numpy() == 1


def test_divisors_of_zero():
    with pytest.raises(sw.ShapeError, match="expected a divisor_override other than 0"):
        sw.avg_pool1d(np.ones((1, 1, 4)), 2, divisor_override=0)
