"""Every function of the library against NumPy or torch: traced, expanded into micro-ops, verified, run by the oracle.

Each case runs twice: with every size a parameter, and with all sizes constant.
"""

import math

import mpmath
import numpy as np
import pytest
import stepwell
from stepwell.dialects import make_context
from stepwell.frontend import public as sw
from stepwell.frontend.calls.traced import trace
from stepwell.frontend.tracing.public_names import EXPORTS
from stepwell.frontend.tracing.sizes import SizeSolver
from stepwell.frontend.tracing.specs import Spec
from stepwell.ir.functions.verification import verify
from stepwell.ir.locations import is_known
from stepwell.ir.types.dtypes import DTYPES
from stepwell.lowering.graph_to_uop.lower_graph_to_uop import LowerGraphToUop
from stepwell.passes.generic.inline import Inline
from stepwell.passes.uop.autodiff.uop_grad import UopGrad
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.interpret.uop import run_uop
from stepwell.tests.unit.on_gpu import TRITON

torch = pytest.importorskip("torch")
F = torch.nn.functional
T = torch.tensor


def run(function, *arrays, static=False, **params):
    """The results of `function` by way of graph and micro-ops."""
    solver = SizeSolver()
    specs = [Spec.static(array) if static else Spec.of(array, solver) for array in arrays]
    traced = trace(function, specs, params, sizes=solver)
    verify(traced.module)
    for lowering in (Inline(), LowerGraphToUop(), UopGrad()):
        lowering.apply(make_context(), traced.module)
        verify(traced.module)
    assert all(is_known(op.location) for op in traced.function.walk())
    signature = Signature.of(traced.function)
    arrays = [*arrays, *traced.captured]
    values = signature.bind([array.shape for array in arrays], params)
    results = run_uop(traced.function, arrays, dict(zip(signature.params, values, strict=True)))
    return traced.out_tree.unflatten(results)


def normal(*shape):
    """Numbers that depend on the shape alone."""
    return np.random.default_rng(sum(shape) * 31 + len(shape)).standard_normal(shape).astype(np.float32)


A, B, V, X = normal(3, 4), normal(4, 5), normal(4), normal(2, 3, 4)
INTS = np.array([[1, -2, 3], [5, 0, 7]], np.int32)
AT = np.array([[0, 2], [-1, 1]])
EXTREMES = np.array([0.0, -0.0, 1, 2.5, 1e9, -1e30, 3e38, np.inf, -np.inf, np.nan], np.float32)


def cases():
    """(name, function, its reference, the arguments of both)."""
    for axis in (None, 0, -1, (0, 2)):
        for keepdims in (False, True):
            for name in ("sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "count_nonzero"):
                yield reduction(name, axis, keepdims)
            if not isinstance(axis, tuple):
                yield from (reduction(name, axis, keepdims) for name in ("argmax", "argmin"))
    yield "var_correction", lambda x: sw.var(x, axis=1, correction=1), lambda x: np.var(x, axis=1, ddof=1), (X,)
    yield "sum_bool", lambda x: sw.sum(x > 0), lambda x: np.sum(x > 0), (X,)
    yield "sum_int", lambda x: sw.sum(x, axis=0), lambda x: np.sum(x, axis=0), (INTS.astype(np.int8),)
    yield "logsumexp", lambda x: sw.logsumexp(x, axis=1), lambda x: torch.logsumexp(T(x), 1).numpy(), (X,)
    for name in ("cumsum", "cumprod"):
        yield name, by_name(sw, name, axis=1), by_name(np, name, axis=1), (X,)
    yield "cumulative_sum", lambda x: sw.cumulative_sum(x, axis=0), lambda x: np.cumsum(x, 0), (X,)
    yield "cumulative_prod", lambda x: sw.cumulative_prod(x, axis=0), lambda x: np.cumprod(x, 0), (X,)
    yield "cumsum_flat", lambda x: sw.cumsum(x), np.cumsum, (X,)
    yield "cummax", lambda x: sw.cummax(x, axis=1), lambda x: np.maximum.accumulate(x, 1), (X,)
    yield "cummin", lambda x: sw.cummin(x, axis=1), lambda x: np.minimum.accumulate(x, 1), (X,)
    yield "logcumsumexp", lambda x: sw.logcumsumexp(x, axis=1), lambda x: np.logaddexp.accumulate(x, 1), (X,)
    yield (
        "cumsum_reverse_exclusive",
        lambda x: sw.cumsum(x, axis=1, reverse=True, exclusive=True),
        lambda x: np.cumsum(x[:, ::-1], 1)[:, ::-1] - x,
        (X,),
    )
    yield from shape_cases()
    yield from contraction_cases()
    yield from index_cases()
    yield from convolution_cases()
    yield from network_cases()


def by_name(module, name, **options):
    return lambda *arrays: getattr(module, name)(*arrays, **options)


def reduction(name, axis, keepdims):
    options = {"axis": axis, "keepdims": keepdims}
    return f"{name}_{axis}_{keepdims}", by_name(sw, name, **options), by_name(np, name, **options), (X,)


def merged(x):
    """The first two axes joined to one, by their sizes: the code is the same for the library and for NumPy."""
    return x.reshape(x.shape[0] * x.shape[1], x.shape[2])


def shape_cases():
    for shape in ((-1,), (2, -1), (4, -1), (4, 3, 2), (3, 8), (1, 2, 1, 12)):
        yield f"reshape_{shape}", lambda x, s=shape: sw.reshape(x, s), lambda x, s=shape: x.reshape(s), (X,)
    yield "reshape_sizes", merged, merged, (X,)
    yield "permute_dims", lambda x: sw.permute_dims(x, (2, 0, 1)), lambda x: x.transpose(2, 0, 1), (X,)
    yield "transpose", lambda x: sw.transpose(x), np.transpose, (X,)
    yield "swapaxes", lambda x: sw.swapaxes(x, 0, -1), lambda x: np.swapaxes(x, 0, -1), (X,)
    yield "T_and_mT", lambda x: (x.T, x.mT), lambda x: (x.T, np.swapaxes(x, 1, 2)), (X,)
    yield "moveaxis", lambda x: sw.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, 0, -1), (X,)
    yield "expand_dims", lambda x: sw.expand_dims(x, (0, 2)), lambda x: np.expand_dims(x, (0, 2)), (X,)
    yield "squeeze", lambda x: sw.squeeze(x, 1), lambda x: np.squeeze(x, 1), (normal(3, 1, 2),)
    yield "broadcast_to", lambda x: sw.broadcast_to(x, (2, 3, 4)), lambda x: np.broadcast_to(x, (2, 3, 4)), (A,)
    yield "expand", lambda x: sw.expand(x, 2, -1, 4), lambda x: np.broadcast_to(x, (2, 3, 4)), (normal(3, 1),)
    yield "broadcast_arrays", lambda *xs: sw.broadcast_arrays(*xs), np.broadcast_arrays, (A, V)
    yield "concat", lambda x, y: sw.concat([x, y, x], axis=1), lambda x, y: np.concatenate([x, y, x], 1), (X, normal(2, 5, 4))
    yield "concatenate_flat", lambda x, y: sw.concatenate([x, y], axis=None), lambda x, y: np.concatenate([x, y], None), (A, V)
    yield "stack", lambda x: sw.stack([x, x + 1], axis=1), lambda x: np.stack([x, x + 1], 1), (X,)
    yield "unstack", lambda x: sw.unstack(x, axis=1), lambda x: [x[:, k] for k in range(3)], (X,)
    yield "split_parts", lambda x: sw.split(x, 2, axis=2), lambda x: np.split(x, 2, 2), (X,)
    yield "split_places", lambda x: sw.split(x, [1, 3], axis=2), lambda x: np.split(x, [1, 3], 2), (X,)
    yield "flip", lambda x: sw.flip(x, axis=(0, 2)), lambda x: np.flip(x, (0, 2)), (X,)
    yield "flip_twice", lambda x: sw.flip(sw.flip(x)), lambda x: x, (X,)
    yield "roll", lambda x: sw.roll(x, (-1, 2), axis=(0, 1)), lambda x: np.roll(x, (-1, 2), (0, 1)), (X,)
    yield "roll_flat", lambda x: sw.roll(x, 5), lambda x: np.roll(x, 5), (X,)
    yield "tile", lambda x: sw.tile(x, (2, 1, 1, 3)), lambda x: np.tile(x, (2, 1, 1, 3)), (X,)
    yield "tile_last", lambda x: sw.tile(x, (2,)), lambda x: np.tile(x, (2,)), (X,)
    yield "repeat", lambda x: sw.repeat(x, 3, axis=1), lambda x: np.repeat(x, 3, 1), (X,)
    yield "repeat_flat", lambda x: sw.repeat(x, 2), lambda x: np.repeat(x, 2), (X,)
    widths = [(0, 1), (2, 0), (1, 1)]
    yield "pad", lambda x: sw.pad(x, widths, 2.0), lambda x: np.pad(x, widths, constant_values=2), (X,)
    yield "pad_pair", lambda x: sw.pad(x, (1, 2)), lambda x: np.pad(x, (1, 2)), (X,)
    for k in (-2, -1, 0, 1, 3):
        yield f"diagonal_{k}", lambda x, k=k: sw.diagonal(x, offset=k), lambda x, k=k: np.diagonal(x, k), (X,)
        yield f"tril_{k}", lambda x, k=k: sw.tril(x, k=k), lambda x, k=k: np.tril(x, k), (X,)
        yield f"triu_{k}", lambda x, k=k: sw.triu(x, k=k), lambda x, k=k: np.triu(x, k), (X,)
    yield "trace", lambda x: x.trace(), np.trace, (X,)
    yield "meshgrid", lambda x, y: sw.meshgrid(x, y), np.meshgrid, (V, normal(5))
    yield "eye", lambda x: sw.eye(x.shape[0], 5, k=1), lambda x: np.eye(3, 5, 1), (A,)
    yield (
        "arange",
        lambda x: (sw.arange(x.shape[0]), sw.arange(5, -2, -3)),
        lambda x: (np.arange(3), np.arange(5, -2, -3)),
        (A,),
    )
    yield (
        "ranges",
        lambda x: (sw.arange(0, 1, 0.25), sw.linspace(0, 1, 5)),
        lambda x: (np.arange(4) / 4, np.arange(5) / 4),
        (A,),
    )
    yield (
        "full",
        lambda x: (sw.full(x.shape, 2), sw.ones_like(x), sw.zeros((2,))),
        lambda x: (x * 0 + 2, x * 0 + 1, [0, 0]),
        (A,),
    )
    yield "one_hot", lambda i: sw.one_hot(i, 8), lambda i: np.eye(8)[i], (np.abs(INTS),)


def contraction_cases():
    yield "matmul", lambda x, y: x @ y, np.matmul, (A, B)
    yield "matmul_batch", lambda x, y: x @ y, np.matmul, (normal(2, 1, 3, 4), normal(5, 4, 2))
    yield "matmul_vectors", lambda x, y: (x @ y, y @ x.T, y @ y), lambda x, y: (x @ y, y @ x.T, y @ y), (A, V)
    yield "matmul_bool", lambda x, y: (x > 0) @ (y > 0), lambda x, y: (x > 0) @ (y > 0), (A, B)
    for spec, arrays in (
        ("ij,jk->ki", (A, B)),
        ("ij,jk,kl", (A, B, normal(5, 2))),
        ("ii", (normal(4, 4),)),
        ("ii->i", (normal(4, 4),)),
        ("ij->", (A,)),
        ("...ij,...jk->...ik", (normal(2, 1, 3, 4), normal(5, 4, 2))),
        ("bhqd,bhkd->bhqk", (normal(2, 3, 4, 5), normal(2, 3, 6, 5))),
        ("i,j,k->kij", (V, normal(2), normal(3))),
    ):
        yield f"einsum_{spec}", lambda *xs, s=spec: sw.einsum(s, *xs), lambda *xs, s=spec: np.einsum(s, *xs), arrays
    yield "outer", lambda x, y: sw.outer(x, y), np.outer, (V, normal(5))
    yield "vecdot", lambda x, y: sw.vecdot(x, y), lambda x, y: (x * y).sum(-1), (A, V)
    yield "dot", lambda x, y: x.dot(y), np.dot, (X, normal(2, 4, 3))
    over = ([1], [0])
    yield "tensordot", lambda x, y: sw.tensordot(x, y, axes=over), lambda x, y: np.tensordot(x, y, axes=over), (X, normal(3, 2))


def index_cases():
    two, three = np.array([1, 0]), np.array([0, 2, -1])
    keys = [
        0, -1, np.s_[1:], np.s_[:-1], np.s_[:, 1:3], np.s_[..., ::-1], np.s_[::-1, ..., 0], np.s_[None, :, None, 1],
        np.s_[:, ::2], np.s_[:, -2:], np.s_[:, 5:2:-1], np.s_[:, :100], np.s_[:, 3:1], np.s_[:, ::-2], np.s_[..., -3:-1],
        np.s_[:, 2:9:-1],
        np.s_[1, 2, 3], np.s_[:, three], np.s_[two, two], np.s_[:, two[:, None], two], np.s_[two, :, two], np.s_[0, :, two],
        np.s_[:, 0, two], np.s_[None, :, 0, two], (), np.s_[...],
    ]  # fmt: skip
    for number, key in enumerate(keys):
        yield f"getitem_{number}", lambda x, k=key: x[k], lambda x, k=key: x[k], (X,)
    yield "take", lambda x, i: sw.take(x, i, axis=1), lambda x, i: np.take(x, i, 1), (X, AT)
    yield "take_flat", lambda x, i: sw.take(x, i), np.take, (X, AT)
    along = (X, np.argsort(X, 1))
    yield "take_along_axis", lambda x, i: sw.take_along_axis(x, i, axis=1), lambda x, i: np.take_along_axis(x, i, 1), along
    for op in ("set", "add", "mul", "max", "min"):
        rows = (X, np.array([2, -1, 2]), normal(2, 3, 4) * 2)
        yield f"scatter_rows_{op}", lambda *xs, o=op: sw.scatter(*xs, axis=1, op=o), lambda *xs, o=op: scattered(o, *xs), rows
        single = (X, np.arange(24).reshape(2, 3, 4) % 5 - 2, normal(2, 3, 4) * 2)
        yield f"scatter_{op}", lambda *xs, o=op: sw.scatter(*xs, axis=1, op=o), lambda *xs, o=op: scattered(o, *xs), single


def scattered(op, x, index, updates):
    """Updates along axis 1, one after the other."""
    combine = {"set": lambda a, b: b, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}[op]
    result = x.copy()
    full = np.broadcast_to(index[None, :, None], updates.shape) if index.ndim == 1 else index
    for i, j, k in np.ndindex(updates.shape):
        at = full[i, j, k]
        result[i, at, k] = combine(result[i, at, k], updates[i, j, k])
    return result


def convolution_cases():
    for rank in (1, 2, 3):
        conv, transposed, pool, mean = f"conv{rank}d", f"conv_transpose{rank}d", f"max_pool{rank}d", f"avg_pool{rank}d"
        space, kernel = (6, 5, 4)[:rank], (3, 2, 2)[:rank]
        x, w, back = normal(2, 4, *space), normal(6, 2, *kernel), normal(4, 3, *kernel)
        for stride, padding, dilation in ((1, 0, 1), (2, 1, 1), (1, 2, 2), (3, 1, 1))[: 4 if rank < 3 else 2]:
            options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": 2}
            name = f"{conv}_{stride}_{padding}_{dilation}"
            yield name, by_name(sw, conv, **options), by_torch(conv, **options), (x, w)
            options["output_padding"] = stride - 1
            yield f"transposed_{name}", by_name(sw, transposed, **options), by_torch(transposed, **options), (x, back)
        options = {"kernel_size": 2, "stride": 1, "padding": 1}
        yield pool, by_name(sw, pool, **options), by_torch(pool, **options), (x,)
        options["count_include_pad"] = False
        yield mean, by_name(sw, mean, **options), by_torch(mean, **options), (x,)
        yield f"{mean}_plain", by_name(sw, mean, kernel_size=2), by_torch(mean, kernel_size=2), (x,)
    arrays = normal(2, 3, 8, 8), normal(4, 3, 3, 3), V
    yield "conv2d_bias", lambda x, w, b: sw.conv2d(x, w, bias=b), by_torch("conv2d"), arrays


def by_torch(name, **options):
    return lambda *arrays: getattr(F, name)(*map(T, arrays), **options).numpy()


def network_cases():
    image, w, b = normal(2, 4, 3, 3), normal(4), normal(1, 4)[0]
    for axis in (0, -1):
        yield f"softmax_{axis}", by_name(sw, "softmax", axis=axis), by_torch("softmax", dim=axis), (X,)
        yield f"log_softmax_{axis}", by_name(sw, "log_softmax", axis=axis), by_torch("log_softmax", dim=axis), (X,)
    yield "layer_norm", sw.layer_norm, lambda x, w, b: F.layer_norm(T(x), (4,), T(w), T(b)).numpy(), (X, w, b)
    yield "rms_norm", lambda x, w: sw.rms_norm(x, w), lambda x, w: F.rms_norm(T(x), (4,), T(w), 1e-6).numpy(), (X, w)
    yield "group_norm", lambda x, w, b: sw.group_norm(x, 2, w, b), lambda x, *p: by_torch_group(x, *p), (image, w, b)
    yield "batch_norm", sw.batch_norm, lambda x, m, v, *p: by_torch("batch_norm")(x, m, v, *p), (image, w, b * b, b, w)
    for name in ("relu", "silu", "gelu", "softplus", "sigmoid", "tanh"):
        yield name, getattr(sw, name), by_torch(name) if name != "tanh" else np.tanh, (X,)
    yield "relu_gate", sw.relu_gate, lambda x, y: np.where(x > 0, y, 0), (A, normal(3, 1))
    yield "gelu_tanh", by_name(sw, "gelu", approximate="tanh"), by_torch("gelu", approximate="tanh"), (X,)
    yield "clip", lambda x: sw.clip(x, -0.5, max=0.5), lambda x: np.clip(x, -0.5, 0.5), (X,)
    yield "where", lambda x: sw.where(x > 0, x, -1), lambda x: np.where(x > 0, x, -1), (X,)
    yield (
        "inverse_hyperbolic",
        lambda x: (sw.asinh(x), sw.acosh(x * x + 1)),
        lambda x: (np.arcsinh(x), np.arccosh(x * x + 1)),
        (X,),
    )
    yield (
        "inverse_hyperbolic_extremes",
        lambda x: (sw.asinh(x), sw.acosh(x)),
        quiet(lambda x: (np.arcsinh(x), np.arccosh(x))),
        (EXTREMES,),
    )
    yield "hypot", lambda x: sw.hypot(x, 2), lambda x: np.hypot(x, 2), (X,)
    corners = np.meshgrid(EXTREMES, EXTREMES)
    yield "hypot_extremes", sw.hypot, quiet(np.hypot), corners
    yield "signbit", lambda x: sw.signbit(x), np.signbit, (np.array([0.0, -0.0, 1, -1], np.float32),)
    for power in (0, 1, 2, -3, 2.0, np.float64(3), np.int8(5), 0.5):
        yield f"pointpow_{power!r}", lambda x, p=power: sw.pointpow(x, p), quiet(lambda x, p=power: x ** float(p)), (A,)
    yield "pointpow_of_integers", lambda i: (sw.pointpow(i, 1), sw.pointpow(i, 3)), lambda i: (i, i**3), (INTS,)
    yield "size_in_arithmetic", lambda x: x.sum() / x.shape[0] - (x.shape[0] - 5), lambda x: x.sum() / 2 + 3, (X,)
    yield "small_constant", lambda x: x + A, lambda x: x + A, (X,)
    yield "captured", lambda x: x @ normal(50, 40), lambda x: x @ normal(50, 40), (normal(3, 50),)
    yield "integers", integers, integers, (INTS,)
    yield "integers_to_floats", floats, floats, (INTS,)


def integers(i):
    return i + 1, i // 2, i % 3, -i, abs(i), i**2, i > 1, i & 3, i << 1, ~i, i >> 1, 2 - i


def floats(i):
    return i * 2.5, i / 2, 1 / (i + 10)


def quiet(function):
    """The function, with NumPy's warnings about such arguments suppressed."""
    return np.errstate(all="ignore")(function)


def argument_cases():
    """Arguments as people write them: NumPy's integers, ranges, pairs in every form."""
    one = normal(1, 3, 1)
    for name, width in (("one", 1), ("pair", (1, 2)), ("one_pair", ((1, 2),)), ("each", ((1,), (2,), [3]))):
        yield f"pad_{name}", lambda x, w=width: sw.pad(x, w), lambda x, w=width: np.pad(x, w), (X,)
    yield "numpy_axis", lambda x: sw.sum(x, axis=np.int64(1)), lambda x: x.sum(1), (X,)
    yield "numpy_axes", lambda x: sw.permute_dims(x, np.array([2, 0, 1])), lambda x: x.transpose(2, 0, 1), (X,)
    yield "numpy_new_axis", lambda x: sw.expand_dims(x, np.int8(-1)), lambda x: x[..., None], (X,)
    yield "broadcast_to_ones", lambda x: sw.broadcast_to(x, (2, 1, 3, 4)), lambda x: np.broadcast_to(x, (2, 1, 3, 4)), (one,)
    yield "broadcast_to_nothing", lambda x: sw.broadcast_to(x, (0, 3, 1)), lambda x: np.broadcast_to(x, (0, 3, 1)), (one,)
    yield "reshape_across", lambda x: x.reshape(3, -1, 2), lambda x: x.reshape(3, -1, 2), (normal(2, 3, 5, 1),)
    yield "empty_list", lambda x: x[[]], lambda x: x[[]], (X,)
    yield "tril_of_bools", sw.tril, np.tril, (X > 0,)
    yield "tensordot_of_two_axes", lambda x: sw.tensordot(x, A, axes=(1, 0)), lambda x: np.tensordot(x, A, (1, 0)), (X,)
    yield "linspace_of_integers", *both(lambda m: m.linspace(-1, 1, 4, dtype="int64"))
    yield "arange_of_numpy_floats", *both(lambda m: m.arange(np.float32(3), np.float32(5), dtype="float32"))
    yield "float64_scalar", *both(lambda m: m.full((2,), np.float64(0.1)) + m.asarray(np.float64(0.1)))


def both(function):
    """The same calls in the library and in NumPy, without arguments."""
    return lambda: function(sw), lambda: function(np), ()


def by_torch_group(x, w, b):
    return F.group_norm(T(x), 2, T(w), T(b)).numpy()


CASES = [*cases(), *argument_cases()]


@pytest.mark.covering(1)
@pytest.mark.parametrize("static", [False, True], ids=["symbolic", "static"])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_function(case, static):
    _, function, reference, arrays = case
    got, want = run(function, *arrays, static=static), reference(*arrays)
    both = (got, want) if isinstance(got, tuple | list) else ([got], [want])
    for result, expected in zip(*both, strict=True):
        assert result.shape == np.shape(expected)
        np.testing.assert_allclose(result.astype(np.float64), np.asarray(expected, np.float64), rtol=3e-5, atol=3e-5)


@pytest.mark.feature("E16")
@pytest.mark.parametrize("power", [1, 2, 3, 2.0, -1])
@pytest.mark.parametrize("element", ["int8", "int64", "float16", "float32", "bool"])
def test_pointpow_has_the_dtype_of_a_power(element: str, power: float):
    x = np.ones(3, element)
    assert run(lambda x: sw.pointpow(x, power), x).dtype == run(lambda x: x**power, x).dtype


@pytest.mark.parametrize("power", [np.ones(3), True, None, "2", 1j])
def test_pointpow_takes_numbers_alone(power: object):
    with pytest.raises(stepwell.ShapeError, match="pointpow: expected the exponent as a number, got "):
        run(lambda x: sw.pointpow(x, power), V)


def test_relu_keeps_nan():
    result = run(sw.relu, np.array([np.nan, -np.inf, np.inf, -0.0], np.float32))
    np.testing.assert_array_equal(result, [np.nan, 0, np.inf, 0])


@pytest.mark.feature("B6")
def test_reductions_of_infinities():
    rows = np.array([[-np.inf, -np.inf], [np.inf, 0], [0, 1e30]], np.float32)
    np.testing.assert_array_equal(run(lambda x: sw.logsumexp(x, axis=1), rows), [-np.inf, np.inf, np.float32(1e30)])
    assert np.isfinite(run(lambda x: sw.softmax(x), np.array([[1e30, -1e30]], np.float32))).all()


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("columns", [1, 2, 7, 64])
def test_sums_of_negative_zeros_are_0(columns, target):
    x = np.full((3, columns), -0.0, np.float32)
    weights = np.ones((columns, 2), np.float32)
    for function in (sw.sum, lambda x: sw.sum(x, axis=1), lambda x: sw.mean(x, axis=0), lambda x: x @ weights):
        assert not np.signbit(stepwell.jit(function, target=target)(x)).any()


@pytest.mark.feature("B6")
@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (1, 1)])
def test_empty_and_single(shape):
    x = np.ones(shape, np.float32)
    total, joined, turned = run(lambda x: (sw.sum(x, axis=1), sw.concat([x, x], axis=1), sw.flip(x) + 1), x)
    assert total.shape == shape[:1] and joined.shape == (shape[0], 2 * shape[1]) and turned.shape == shape
    np.testing.assert_array_equal(total, x.sum(1))


TARGETS = tuple(dict.fromkeys(("cpu", "interpret", "triton-interpret", TRITON)))
# The errors of gelu in units in the last place, in float32 and float64. Triton's interpreter has no fused operation up to 3.6.
GELU_ERRORS = {"cpu": (4, 4), "interpret": (1, 4), "triton-interpret": (200, 1e5), "cuda": (8, 8)}


@pytest.mark.parametrize("target", TARGETS)
def test_gelu_keeps_its_digits_where_it_is_small(target):
    x = np.concatenate([-np.geomspace(1e-3, 13, 500), [-0.0, 0.0, -np.inf, np.inf, -200, 200]]).astype(np.float32)
    wide = x.astype(np.float64)
    exact = np.array([each / 2 * math.erfc(-each * math.sqrt(0.5)) if abs(each) < 40 else max(each, 0) for each in wide])
    got = stepwell.jit(sw.gelu, target=target)(x)
    few, _ = GELU_ERRORS[target]
    with np.errstate(invalid="ignore"):
        assert np.all((got == exact) | (np.abs(got - exact) <= few * np.spacing(np.abs(exact).astype(np.float32))))
    np.testing.assert_array_equal(np.signbit(got[-6:]), [True, False, True, False, True, False])


@pytest.mark.parametrize("target", TARGETS)
def test_gelu_in_float64_keeps_its_digits(target):
    x = -np.geomspace(1e-3, 37, 60)
    with mpmath.workdps(40):
        exact = [float(each * mpmath.erfc(-each / mpmath.sqrt(2)) / 2) for each in map(mpmath.mpf, x)]
    got = stepwell.jit(sw.gelu, target=target)(x)
    _, few = GELU_ERRORS[target]
    assert np.all(np.abs(got - exact) <= few * np.spacing(np.abs(exact)))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_derivatives_of_gelu_are_right_where_it_or_its_argument_is_small(kind):
    sizes = np.concatenate([np.geomspace(1e-45, 1e-4, 30), np.geomspace(1e-3, 12, 200)])
    x = np.concatenate([-sizes, [0.0], sizes]).astype(kind)
    wide = x.astype(np.float64)
    density = np.exp(-wide * wide / 2) / math.sqrt(2 * math.pi)
    distribution = np.array([math.erfc(-each * math.sqrt(0.5)) / 2 for each in wide])

    def first(x):
        return stepwell.grad(lambda x: sw.sum(sw.gelu(x)))(x)

    got = stepwell.jit(lambda x: (first(x), stepwell.grad(lambda x: sw.sum(first(x)))(x)))(x)
    for found, exact in zip(got, (distribution + wide * density, (2 - wide * wide) * density), strict=True):
        assert np.all(np.abs(found - exact) <= 1e-5 * (1 + wide * wide) * density + 2e-7 * np.abs(exact))


def test_the_gradient_of_gelu_has_limits():
    infinite = np.array([-np.inf, np.inf], np.float32)
    np.testing.assert_array_equal(stepwell.jit(stepwell.grad(lambda x: sw.sum(sw.gelu(x))))(infinite), [0, 1])


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize(("kind", "low", "high"), [("float32", -112, -60), ("float64", -760, -600)])
def test_silu_keeps_its_digits_where_sigmoid_is_denormal(kind, low, high, target):
    x = np.linspace(low, high, 20_001).astype(kind)
    wide = x.astype(np.longdouble)
    exact = wide / (1 + np.exp(-wide))
    got = stepwell.jit(sw.silu, target=target)(x).astype(np.longdouble)
    unit = np.spacing(np.abs(exact.astype(kind)))  # the smallest of the denormal numbers
    assert np.max(np.abs(got - exact) / unit) <= 4


def test_random_numbers():
    uniform, same, normals = run(
        lambda k: (sw.random_uniform(k, (100, 100)), sw.random_uniform(k, (10000,)), sw.random_normal(k, (200, 100))),
        np.array(7),
    )
    np.testing.assert_array_equal(uniform.ravel(), same)
    assert uniform.min() >= 0 and uniform.max() < 1
    assert abs(uniform.mean() - 0.5) < 0.02 and abs(uniform.std() - 12**-0.5) < 0.01
    assert abs(normals.mean()) < 0.02 and abs(normals.std() - 1) < 0.02


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_random_numbers_of_any_dtype_stay_below_one(dtype):
    uniform, normals = run(
        lambda k: (sw.random_uniform(k, 40000, dtype=dtype), sw.random_normal(k, 40000, dtype=dtype)), np.array(3)
    )
    assert uniform.dtype == normals.dtype == DTYPES[dtype].numpy
    assert uniform.astype(float).min() >= 0 and 0.99 < uniform.astype(float).max() < 1
    assert np.isfinite(normals.astype(float)).all()


def test_half_precision_is_rounded_once():
    x = (normal(64, 33) * 300).astype(np.float16)
    np.testing.assert_array_equal(run(lambda x: sw.mean(x, axis=1), x), x.astype(np.float64).mean(1).astype(np.float16))


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_every_export_is_documented(name):
    import importlib

    module, _, attribute = EXPORTS[name].partition(":")
    found = importlib.import_module(f"{stepwell.__name__}.{module}")
    found = getattr(found, attribute) if attribute else found
    assert found.__doc__


def test_every_dtype_is_exported():
    assert all(EXPORTS[name].endswith(f":{name.upper()}") for name in DTYPES)
