"""Rows of the table of ATen operations, against eager: results, and gradients where operations of backward passes have rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch import interpolation, recurrent  # noqa: E402, F401 - define operations of ours
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.frontend.torch.rows.table import ROWS  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402
from torch.nn import functional as F  # noqa: E402

Operations = list[Callable[..., Any]]


def check(functions: Operations, *given: Any, gradients: bool = False) -> None:
    """Compare functions, compiled as one graph, with eager; nothing may be left to it."""

    def all_of(*given: Any) -> list[Any]:
        return [function(*given) for function in functions]

    torch._dynamo.reset()
    found = []
    with reporting() as report:
        for call in (torch.compile(all_of, backend=stepwell, options={"target": "interpret"}), all_of):
            args = [each.clone().requires_grad_(gradients and each.is_floating_point()) for each in given]
            results = torch.utils._pytree.tree_leaves(call(*args))
            if gradients:
                # Weights that differ tell elements from each other.
                weighted = [(each * torch.linspace(1, 2, each.numel()).view(each.shape)).sum() for each in results]
                sum(weighted).backward()
            found.append([*results, *(each.grad for each in args if each.requires_grad)])
    assert report.graphs and not report.eager
    for number, (ours, theirs) in enumerate(zip(*found, strict=True)):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5, equal_nan=True, msg=lambda m, n=number: f"{n}: {m}")
    torch._dynamo.reset()


def test_every_row_is_of_an_operation():
    pytest.importorskip("torch._inductor.inductor_prims")  # defines `prims.fma`
    for name in ROWS:
        path = name.split(".")
        packet = getattr(torch.ops, path[0] if path[0] in ("prims", "stepwell") else "aten")
        *_, operation, overload = path
        assert overload in getattr(packet, operation).overloads(), name


def test_arithmetic():
    a = torch.tensor([-2.5, -1.0, 0.0, 0.5, 3.0, float("nan")])
    b = torch.tensor([2.0, -3.0, 1.0, -0.25, 2.0, 1.0])
    check(
        [
            lambda a, b: torch.add(a, b, alpha=3),
            lambda a, b: torch.rsub(a, b, alpha=2),
            lambda a, b: torch.div(a, b, rounding_mode="floor"),
            lambda a, b: torch.div(a, b, rounding_mode="trunc"),
            lambda a, b: (torch.fmod(a, b), torch.remainder(a, b), torch.fmod(a, 0.75)),
            lambda a, b: (a**2, a**3, b**-1, b.abs() ** 0.5, 2.0**a, b.abs() ** a),
            lambda a, b: (torch.fmax(a, b), torch.fmin(a, b), torch.maximum(a, b), torch.clamp(a, -1, 1), torch.clamp(a, b)),
            lambda a, b: (torch.addcmul(a, b, b, value=2), torch.addcdiv(a, b, b, value=0.5), torch.hypot(a, b)),
            lambda a, b: (torch.xlogy(b, a), torch.special.xlog1py(b, a), torch.heaviside(a, b), torch.nan_to_num(a, 7.0)),
            lambda a, b: (a.sign(), a.frac(), a.round(), a.round(decimals=1), a.trunc(), a.isnan(), a.isfinite(), a.signbit()),
            lambda a, b: (torch.where(a > b, a, 1.0), a == b, a != b, torch.isclose(a, b), torch.copysign(a, b)),
        ],
        a,
        b,
    )


def test_integers_and_bools():
    a, b = torch.tensor([-7, 0, 5, 12]), torch.tensor([2, 3, -3, 5])
    c = torch.tensor([True, False, True, True])
    check(
        [
            lambda a, b, c: torch.div(a, b, rounding_mode="trunc"),
            lambda a, b, c: (torch.fmod(a, b), torch.remainder(a, b), a // b, a / b, a * 2.5, a + 1.5, a**2),
            lambda a, b, c: (a & b, a | b, a ^ b, ~a, b.abs() << 2, a >> 1, c ^ ~c, c & c, -a, a.abs()),
            lambda a, b, c: (c * c, c + c, c + 1, c.sum(), c.float().mean(), a.prod(), a.cumsum(0), c.any(), c.all(), a.amax()),
            lambda a, b, c: (a.to(torch.uint8), a.to(torch.float64), a.bool(), a > 1.5, c == 1, torch.clamp(a, min=0)),
        ],
        a,
        b,
        c,
    )


def test_functions_of_one_number():
    x = torch.tensor([-0.9, -0.3, 0.1, 0.5, 0.99])
    names = "acos asin atan atanh cos cosh erf erfc exp exp2 expm1 log1p sigmoid sin sinh tan tanh reciprocal erfinv"
    check([getattr(torch, name) for name in names.split()], x, gradients=True)
    check([getattr(torch, name) for name in ("acosh", "log", "log2", "log10", "rsqrt", "sqrt")], x.abs() + 1.2)
    check([torch.lgamma, torch.digamma], torch.tensor([-2.5, -0.5, 0.0, 0.3, 1.0, 2.0, 7.5, 100.0]))
    activations = (F.relu, F.gelu, F.silu, F.elu, F.selu, F.softplus, F.leaky_relu, F.hardtanh, F.mish, F.hardswish, F.celu)
    check(list(activations), x * 5, gradients=True)


def test_reductions():
    x = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(1))
    check(
        [
            lambda x: (x.sum(), x.sum(1, keepdim=True), x.mean((0, 2)), x.prod(1), x.amax((0, 1)), x.amin(2)),
            lambda x: (x.max(1).values, x.min(2, keepdim=True).values, x.var(1), x.std((0, 2), unbiased=False)),
            lambda x: (torch.var_mean(x, 1), x.norm(dim=1), x.norm(1), x.abs().norm(3, dim=2), x.logsumexp((0, 1))),
            lambda x: (x.softmax(1), x.log_softmax(-1), x.cumsum(1), x.cumprod(2), x.logcumsumexp(0)),
        ],
        x,
        gradients=True,
    )
    check([lambda x: (x.argmax(1), x.argmin(), x.max(0), x.cummax(1), x.cummin(0), (x > 0).any(1), (x > 0).sum(0))], x)


def test_views_and_joins():
    x = torch.arange(24.0).view(2, 3, 4)
    check(
        [
            lambda x: (x.permute(2, 0, 1) + 1, x.flip(0, 2), x.roll(2), x.roll((1, -1), (0, 2)), x.unfold(2, 2, 1) * 1),
            lambda x: (
                torch.cat([x, x[:, :1]], 1),
                torch.stack([x, x * 2], 2),
                x.repeat(2, 1, 2),
                F.pad(x, (1, 2, -1, 0), value=3.0),
            ),
            lambda x: (x.diagonal(1, 1, 2) * 1, torch.tril(x, 1), torch.triu(x), x.split(2, 1)[1] * 2, x.unbind(1)[2] + 0),
            lambda x: (torch.select_scatter(x, x[0] * 2, 0, 1), torch.slice_scatter(x, x[:, :, :2] * 9, 2, 0, 4, 2)),
            lambda x: (
                torch.diagonal_scatter(x, torch.ones(2, 3), 0, 1, 2),
                x[:, None].squeeze(1) + 1,
                x.as_strided((2, 2), (5, 1), 3) * 1,
            ),
        ],
        x,
        gradients=True,
    )
    check(
        [
            lambda x: (torch.full_like(x, 2), x.new_ones(3), torch.zeros(2, 3) + x[0, :, :3].sum(), torch.eye(3, 4) * x.sum()),
            lambda x: (torch.arange(2, 11, 3) + x.sum(), torch.arange(0, 1, 0.3) * x[0, 0], torch.linspace(-1, 1, 5) + x.sum()),
        ],
        x,
    )


def changed(x: Any, rows: Any) -> Any:
    """A copy of x with other elements at indices of two axes, and of the second."""
    found = x.clone()
    found[:, rows] += x[:, :3] * 5
    found[rows, rows] = x[0, :3]
    return found


def test_gathers_and_scatters():
    x = torch.arange(12.0).view(3, 4)
    at, rows = torch.tensor([[0, 2, 1, 0], [1, 0, 2, 2]]), torch.tensor([2, -1, 0])
    check(
        [
            lambda x, at, rows: (x[rows], x[:, rows], x[rows, rows], x[rows, None], x.gather(0, at), x.gather(1, at % 3)),
            lambda x, at, rows: (x.index_select(1, rows % 3), F.embedding(at, x), x.take(at), x.index_add(0, rows % 3, x * 2)),
            lambda x, at, rows: (x.scatter(0, at, x[:2] * 3), x.scatter_add(0, at, x[:2]), x.scatter(0, at[:, :2], 5.0)),
            lambda x, at, rows: torch.index_put(x, (rows,), x * 2, accumulate=True),
            lambda x, at, rows: changed(x, rows),
            lambda x, at, rows: x.masked_fill(x > 4, -1.0),
        ],
        x,
        at,
        rows,
        gradients=True,
    )
    check(
        [
            lambda x, at, how=how, own=own: x.scatter_reduce(0, at, x[:2] + 1, how, include_self=own)
            for how in ("sum", "prod", "amax", "amin", "mean")
            for own in (True, False)
        ],
        x,
        at,
    )


def test_sorting_and_searching():
    x = torch.tensor([[3.0, -1.0, 2.0, 0.5], [7.0, float("inf"), -2.0, 7.5], [0.0, 4.0, 1.0, float("nan")]])
    check(
        [
            lambda x: (x.sort(1), x.sort(0, descending=True), x.argsort(1), x.topk(2, 1), x.topk(3, 0, largest=False)),
            lambda x: (x.median(1), x.nanmedian(0), x.median(), x.kthvalue(2, 1), x[:2].median(), x.nanmedian()),
            lambda x: torch.searchsorted(x[:1].sort().values.squeeze(), x),
            lambda x: torch.bucketize(x, torch.tensor([-1.0, 0.5, 4.0]), right=True),
            lambda x: (x.masked_scatter(x > 1, torch.arange(12.0)), x.put(torch.tensor([5, 0]), torch.tensor([1.0, 2.0]))),
            lambda x: x.index_reduce(0, torch.tensor([2, 0]), x[:2], "amax"),
        ],
        x,
    )
    check(
        [lambda x: (x.sort(1).values, x.topk(2, 0).values, x.median(1).values)], x[:2, :1].expand(2, 4) + x[:1], gradients=True
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64])
def test_long_axes_are_sorted_by_numpy(dtype: torch.dtype):
    x = (3 * torch.randn(3, 300, generator=torch.Generator().manual_seed(1))).to(dtype)
    if dtype.is_floating_point:
        x[0, 5], x[1, 7] = float("nan"), float("inf")
    check(
        [
            lambda x: (
                x.sort(dim=1, stable=True),
                x.sort(dim=1, descending=True, stable=True),
                x.t().argsort(dim=0, stable=True),
            ),
            lambda x: (x.topk(3, 1).values, x.topk(200, 1).values, x.topk(3, 1, largest=False).values, x.kthvalue(9, 1).values),
            lambda x: (x.median(1).values, x.median()),
        ],
        x,
    )
    if dtype in (torch.float32, torch.float64):  # among equal elements torch chooses otherwise
        check([lambda x: (x.sort(1).values, x.topk(2, 1).values)], x[2:], gradients=True)


@pytest.mark.parametrize("gradients", [False, True])
def test_windows(gradients: bool):
    x = torch.randn(2, 4, 7, 6, generator=torch.Generator().manual_seed(2))
    check(
        [
            lambda x: F.max_pool2d(x, 3, 2, 1),
            lambda x: F.max_pool2d(x, 2, 2, 0, ceil_mode=True),
            lambda x: F.max_pool2d(x, (3, 2), 1, 1, (2, 1)),
            lambda x: F.avg_pool2d(x, 3, 2, 1),
            lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
            lambda x: F.avg_pool2d(x, 2, divisor_override=3),
            lambda x: (F.adaptive_avg_pool2d(x, (7, 2)), F.adaptive_avg_pool2d(x, (3, 4)), F.adaptive_avg_pool2d(x, 1)),
            lambda x: (F.adaptive_max_pool2d(x, (3, 4)), F.adaptive_max_pool2d(x, 1)),
            lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
            lambda x: F.interpolate(x, (5, 11), mode="bilinear"),
            lambda x: F.interpolate(x, (5, 11), mode="bilinear", align_corners=True),
            lambda x: F.interpolate(x, (9, 4), mode="bicubic"),
            lambda x: F.interpolate(x[0], 13, mode="linear"),
        ],
        x,
        gradients=gradients,
    )


def test_places_of_maxima_are_the_first_ones():
    x = torch.tensor([[[[1.0, 5.0, 5.0, 2.0], [5.0, 1.0, 2.0, float("nan")]]]])
    check([lambda x: F.max_pool2d(x, 2, return_indices=True), lambda x: F.max_pool2d(x, 2, 1, 1, return_indices=True)], x)


def test_products_convolutions_and_norms():
    def tensors(*shapes: tuple[int, ...]) -> list[Any]:
        generator = torch.Generator().manual_seed(3)
        return [torch.randn(shape, generator=generator) for shape in shapes]

    a, b, c, v = tensors((3, 4), (4, 5), (3, 5), (4,))
    check(
        [
            lambda a, b, c, v: (a @ b, a @ v, torch.addmm(c, a, b, beta=0.5, alpha=2), torch.addmm(c, a, b, beta=0), v.dot(v)),
            lambda a, b, c, v: (
                torch.einsum("ij,jk->ki", a, b),
                torch.outer(v, v),
                torch.bmm(a[None], b[None]),
                torch.cdist(a, a + 1),
            ),
        ],
        *(a, b, c, v),
        gradients=True,
    )
    x, w, t, g, line = tensors((2, 4, 6, 5), (6, 2, 3, 2), (4, 3, 3, 3), (4,), (3, 4, 2))
    check(
        [
            lambda x, w, t, g, line: F.conv2d(x, w, g.repeat(2)[:6], (2, 1), 1, groups=2),
            lambda x, w, t, g, line: F.conv_transpose2d(x, t, stride=2, padding=1, output_padding=1, groups=2),
            lambda x, w, t, g, line: F.conv1d(x[:, :, 0], line, padding="same", dilation=2),
            lambda x, w, t, g, line: (F.group_norm(x, 2, g, g), F.layer_norm(x, (6, 5)), F.instance_norm(x)),
            lambda x, w, t, g, line: F.batch_norm(x, None, None, g, g, training=True),
        ],
        *(x, w, t, g, line),
        gradients=True,
    )


@pytest.mark.parametrize(("norm_first", "activation"), [(False, "relu"), (True, "gelu")])
def test_a_layer_of_a_transformer(norm_first: bool, activation: str):
    torch.manual_seed(5)
    options = {"norm_first": norm_first, "activation": activation, "batch_first": True}
    layer = torch.nn.TransformerEncoderLayer(8, 2, 12, **options).eval()
    with torch.no_grad():
        check([layer], torch.randn(2, 3, 8))


def test_normalised_weights():
    torch.manual_seed(6)
    layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(4, 3))
    check([layer], torch.randn(2, 4), gradients=True)


def test_attention_and_losses():
    generator = torch.Generator().manual_seed(4)
    q, k, v = (torch.randn(2, 2, 4, 8, generator=generator) for _ in range(3))
    mask = torch.ones(4, 4).tril() > 0
    check(
        [
            lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v),
            lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.3),
            lambda q, k, v, mask: F.scaled_dot_product_attention(q, k, v, attn_mask=mask),
        ],
        *(q, k, v, mask),
        gradients=True,
    )
    x, labels = torch.randn(6, 4, generator=generator), torch.tensor([0, 3, 1, -100, 2, 2])
    check(
        [
            lambda x, n: F.cross_entropy(x, n),
            lambda x, n: F.cross_entropy(x, n, weight=torch.tensor([1.0, 2.0, 0.5, 1.0]), label_smoothing=0.1),
            lambda x, n: (F.mse_loss(x, x * 2), F.l1_loss(x, x * 2), F.smooth_l1_loss(x, x * 3), F.huber_loss(x, x * 3)),
            lambda x, n: (
                F.binary_cross_entropy_with_logits(x, x.sigmoid()),
                F.kl_div(x, x.softmax(1)),
                F.soft_margin_loss(x, torch.ones_like(x)),
            ),
        ],
        *(x, labels),
        gradients=True,
    )


UNARY = ("abs", "ceil", "cos", "erf", "exp", "floor", "frac", "log1p", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign")


def test_operations_on_lists_of_tensors():
    a, b = torch.rand(3, 2) + 0.5, torch.rand(4) + 0.5
    check(
        [
            *(lambda a, b, name=name: getattr(torch, f"_foreach_{name}")([a, b]) for name in UNARY),
            lambda a, b: (
                torch._foreach_add([a, b], [b[0], a[0, 0]], alpha=2),
                torch._foreach_add([a, b], 2),
                torch._foreach_norm([a, b]),
            ),
            lambda a, b: (
                torch._foreach_sub([a, b], [2, 3]),
                torch._foreach_mul([a, b], a[0, 0]),
                torch._foreach_div([a, b], [b[1], a[0, 1]]),
            ),
            lambda a, b: (
                torch._foreach_maximum([a, b], 0.7),
                torch._foreach_minimum([a, b], [a + 1, b * 0.9]),
            ),
            lambda a, b: (
                torch._foreach_lerp([a, b], [a + 1, b + 1], 0.25),
                torch._foreach_lerp([a, b], [b[0], a[0, 0]], [a, b]),
            ),
            lambda a, b: (
                torch._foreach_pow([a, b], [2, 3]),
                torch._foreach_pow(2.0, [a, b]),
                torch._foreach_pow([a, b], [a, b]),
            ),
            lambda a, b: torch._foreach_addcmul([a, b], [a, b], [a, b], value=2),
            lambda a, b: torch._foreach_addcdiv([a, b], [a, b], [a + 1, b + 1], [2, 3]),
        ],
        a,
        b,
    )


def test_changes_of_lists_of_tensors():
    def changed(a: Any, b: Any) -> Any:
        a, b = a.clone(), b.clone()
        torch._foreach_mul_([a, b], 2)
        torch._foreach_addcdiv_([a, b], [a, b], [a + 1, b + 1], value=-0.5)
        torch._foreach_copy_([b], [a.sum(1)])
        torch._foreach_zero_([a[0]])
        return a, b

    check([changed], torch.rand(4, 2), torch.rand(4))


def test_queries_without_keys_attend_to_nothing():
    """Masks hide all keys of some rows, as padding does; other cases have no keys, or no features."""
    query, key, value = (torch.linspace(-1, 1, 2 * size * 4).reshape(1, 2, size, 4) for size in (3, 5, 5))
    mask = torch.ones(3, 5, dtype=torch.bool).tril()
    mask[1] = False
    hidden = torch.zeros(3, 5).masked_fill(~mask, float("-inf"))
    attend = F.scaled_dot_product_attention
    check(
        [lambda q, k, v, m: attend(q, k, v, m), lambda q, k, v, m: attend(q, k, v, hidden)],
        query,
        key,
        value,
        mask,
        gradients=True,
    )
    check(
        [lambda q, k, v: attend(q, k[:, :, :0], v[:, :, :0]), lambda q, k, v: attend(q[..., :0], k[..., :0], v)],
        query,
        key,
        value,
    )


def test_searches_promote_their_operands():
    at, numbers = torch.tensor([1, 2, 3]), torch.tensor([0.5, 2.5, 2.0])
    check(
        [
            lambda at, _: (torch.searchsorted(at, 2.5), torch.searchsorted(at, 2.5, right=True), torch.searchsorted(at, 2)),
            lambda at, _: (torch.bucketize(2.5, at), torch.bucketize(2, at, right=True)),
            lambda at, numbers: torch.bucketize(numbers, at.float()),
        ],
        at,
        numbers,
    )


def test_gradients_of_transposed_convolutions():
    """Strides are larger and smaller than the output padding, with groups and dilation."""
    x, weight = (
        torch.linspace(-1, 1, 2 * 4 * 4 * 5).reshape(2, 4, 4, 5),
        torch.linspace(-2, 1, 4 * 2 * 3 * 3).reshape(4, 2, 3, 3),
    )
    options = (
        {"stride": 2, "padding": 1},
        {"stride": (1, 2), "output_padding": (0, 1), "groups": 2},
        {"stride": 2, "dilation": 3, "output_padding": 2, "groups": 4},
        {"padding": 1, "dilation": 2, "output_padding": 1},
    )
    check([lambda x, w, o=o: F.conv_transpose2d(x, w, None, **o) for o in options], x, weight, gradients=True)


def test_angles_have_the_precision_of_their_dtype():
    x = torch.tensor([-1.0, -0.0, 2.0, float("nan")], dtype=torch.float64)
    call = torch.compile(torch.angle, backend=stepwell, options={"target": "interpret"})
    torch.testing.assert_close(call(x), torch.angle(x), rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(call(torch.tensor([-1, 2])), torch.angle(torch.tensor([-1, 2])))
