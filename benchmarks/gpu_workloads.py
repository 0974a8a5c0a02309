"""The workloads on a GPU: for each its inputs, the kernel in Stepwell and in torch, and its least cost.

A result is compared with torch's kernel on the same inputs in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import stepwell as sw
import torch
import torch.nn.functional as F

from .peers import with_stepwell, with_torch

Tensor = Any
LONG, ROWS, SQUARE = 1 << 26, (1 << 16, 1 << 10), (1 << 13, 1 << 13)
SEED = 20
BFLOAT16 = 5e-3


@dataclass(frozen=True)
class Workload:
    """One computation on inputs of these shapes, all of one dtype, which is that of the result.

    A result is right when it differs from the reference by at most `tolerance` times the greatest magnitude in it. `flops`
    counts the multiplications and additions of contractions; without any, the bytes count. `unfused` is torch's kernel without
    the one operation that torch has for it. For an `overhead`, the host's time for a call counts. With `indices`, the last
    input has places along the first axis of the first. `precision` is that of products of float32.
    """

    name: str
    what: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    dtype: torch.dtype = torch.float32
    tolerance: float = 1e-5
    flops: int = 0
    unfused: Callable[..., Any] | None = None
    positive: bool = False
    overhead: bool = False
    indices: bool = False
    precision: str = "highest"

    def inputs(self, device: str, largest: int | None = None) -> list[Tensor]:
        """Random numbers, normally distributed or in [0, 1); with axes of at most `largest` elements, if that is given."""
        random = torch.Generator(device).manual_seed(SEED)
        make = torch.rand if self.positive else torch.randn
        shapes = [[min(size, largest or size) for size in shape] for shape in self.shapes]
        made = [make(shape, generator=random, device=device).to(self.dtype) for shape in shapes]
        if self.indices:
            made[-1] = torch.randint(0, shapes[0][0], shapes[-1], generator=random, device=device)
        return made

    def expected(self, inputs: list[Tensor]) -> Tensor:
        """The result in float64."""
        return self.theirs(*(each.double() if each.is_floating_point() else each for each in inputs))

    def fault(self, result: Tensor, expected: Tensor) -> str:
        """The fault of a result; empty if it is right."""
        if result.shape != expected.shape or result.dtype != self.dtype:
            return f"{result.dtype} of {tuple(result.shape)} in place of {self.dtype} of {tuple(expected.shape)}"
        error = float((result.double() - expected).abs().max() / expected.abs().max())
        # NaN is wrong, too.
        return "" if error <= self.tolerance else f"an error of {error:.1e}, where {self.tolerance:.0e} is allowed"


def matmul_bias_gelu(a: Tensor, b: Tensor, bias: Tensor) -> Tensor:
    return sw.gelu(a @ b + bias)


def torch_matmul_bias_gelu(a: Tensor, b: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(torch.addmm(bias, a, b))


def conv2d(x: Tensor, w: Tensor) -> Tensor:
    """Convolution of images whose channels are the last axis, with weights (out channels, 3, 3, channels)."""
    first = (0, 3, 1, 2)
    return sw.permute_dims(sw.conv2d(sw.permute_dims(x, first), sw.permute_dims(w, first), padding=1), (0, 2, 3, 1))


def torch_conv2d(x: Tensor, w: Tensor) -> Tensor:
    """Tensors that torch calls channels_last."""
    return F.conv2d(x.permute(0, 3, 1, 2), w.permute(0, 3, 1, 2), padding=1).permute(0, 2, 3, 1)


def product(name: str, size: int, dtype: torch.dtype, end: str = "") -> Workload:
    """A product of square matrices, with or without a bias and a function after it."""
    mine, theirs = {
        "": (with_stepwell.matmul, with_torch.matmul),
        "relu": (with_stepwell.matmul_bias_relu, with_torch.matmul_bias_relu),
        "gelu": (matmul_bias_gelu, torch_matmul_bias_gelu),
    }[end]
    shapes = ((size, size), (size, size), *([(size,)] if end else []))
    kind = str(dtype).removeprefix("torch.")
    what = f"{f'{end} of bias + ' if end else ''}matmul {size}^3, {kind}"
    # Stepwell rounds to bfloat16 twice, before and after the bias, as `a @ b + bias` does.
    tolerance = (2 if end else 1) * BFLOAT16 if dtype == torch.bfloat16 else 1e-5
    return Workload(name, what, mine, theirs, shapes, dtype, tolerance, flops=2 * size**3)


def attention(name: str, depth: int, causal: bool = False) -> Workload:
    """Attention of 16 heads over 4096 tokens, each of which sees all tokens, or with `causal` only itself and earlier ones."""
    scale = depth**-0.5

    def ours(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q @ sw.matrix_transpose(k) * scale
        if causal:
            places = sw.arange(q.shape[-2])
            scores = sw.where(places[:, None] >= places[None, :], scores, -math.inf)
        return sw.softmax(scores, axis=-1) @ v

    return Workload(
        name,
        f"{'causal ' if causal else ''}softmax(QK^T/sqrt({depth}))V, 2x8x4096x{depth}, bfloat16",
        ours,
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=scale, is_causal=causal),
        ((2, 8, 4096, depth),) * 3,
        torch.bfloat16,
        tolerance=4 * BFLOAT16,
        flops=4 * 16 * 4096 * 4096 * depth // (2 if causal else 1),
        unfused=None if causal else lambda q, k, v: torch.softmax(q @ k.mT * scale, -1) @ v,
    )


def attention_gradient(name: str, depth: int, causal: bool = False) -> Workload:
    """The sum of the result and of the gradients of queries, keys and values: attention forward and backward."""
    forward = attention(name, depth, causal)

    def ours(q: Tensor, k: Tensor, v: Tensor, g: Tensor) -> Tensor:
        result, back = sw.vjp(forward.ours, q, k, v)
        return sum(back(g), result)

    def theirs(q: Tensor, k: Tensor, v: Tensor, g: Tensor) -> Tensor:
        made: Any = torch.func.vjp(forward.theirs, q, k, v)
        result, back = made
        return sum(back(g), result)

    return replace(
        forward,
        what=f"gradients of {forward.what}",
        ours=ours,
        theirs=theirs,
        shapes=(*forward.shapes, forward.shapes[0]),
        tolerance=10 * BFLOAT16,
        flops=forward.flops * 7 // 2,
        unfused=None,
    )


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """The gradient of the mean cross entropy."""

    def loss(logits: Tensor) -> Tensor:
        return -sw.mean(sw.sum(sw.log_softmax(logits, axis=-1) * targets, axis=-1))

    return sw.grad(loss)(logits)


def torch_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    def loss(logits: Tensor) -> Tensor:
        return -(torch.log_softmax(logits, -1) * targets).sum(-1).mean()

    return torch.func.grad(loss)(logits)


CONVOLUTION = Workload(
    "conv2d",
    "convolution 32x56x56x256, 256 of 3x3, padding 1, bfloat16, channels last",
    conv2d,
    torch_conv2d,
    ((32, 56, 56, 256), (256, 3, 3, 256)),
    torch.bfloat16,
    BFLOAT16,
    flops=2 * 32 * 56 * 56 * 256 * 256 * 9,
)
NCHW = replace(
    CONVOLUTION,
    name="conv2d_nchw",
    what="convolution 32x256x56x56, 256 of 3x3, padding 1, bfloat16",
    ours=lambda x, w: sw.conv2d(x, w, padding=1),
    theirs=lambda x, w: F.conv2d(x, w, padding=1),
    shapes=((32, 256, 56, 56), (256, 256, 3, 3)),
)
SUM = Workload(
    "rowsum", "sum over rows, 8192x8192", with_stepwell.rowsum, with_torch.rowsum, (SQUARE,), tolerance=1e-4, positive=True
)

# In order of importance: a run may end before the last.
WORKLOADS = (
    Workload("softmax", "softmax, last axis, 65536x1024", with_stepwell.softmax, with_torch.softmax, (ROWS,)),
    product("mm_bf16", 4096, torch.bfloat16),
    attention("attention64", 64),
    attention("attention128", 128),
    CONVOLUTION,
    replace(SUM, name="fullsum", what="sum of all, 8192x8192", ours=with_stepwell.fullsum, theirs=with_torch.fullsum),
    replace(SUM, name="colsum", what="sum over columns, 8192x8192", ours=with_stepwell.colsum, theirs=with_torch.colsum),
    SUM,
    Workload(
        "layernorm",
        "layer norm with affine, 65536x1024",
        with_stepwell.layernorm,
        with_torch.layernorm,
        (ROWS, ROWS[1:], ROWS[1:]),
    ),
    Workload(
        "cross_entropy", "gradient of cross entropy, 65536x1024", cross_entropy, torch_cross_entropy, (ROWS,) * 2, positive=True
    ),
    attention_gradient("attention64_grad", 64),
    attention_gradient("attention128_grad", 128),
    attention("causal64", 64, causal=True),
    attention_gradient("causal64_grad", 64, causal=True),
    attention("causal128", 128, causal=True),
    Workload(
        "elementwise", "tanh(a*b+c)*sigmoid(a)-0.5*b, 2^26", with_stepwell.elementwise, with_torch.elementwise, ((LONG,),) * 3
    ),
    Workload("softmax_long", "softmax, last axis, 1024x100000", with_stepwell.softmax, with_torch.softmax, ((1024, 100_000),)),
    Workload(
        "mm_thin",
        "128x65536 times 65536x128, bfloat16",
        with_stepwell.matmul,
        with_torch.matmul,
        ((128, 65536), (65536, 128)),
        torch.bfloat16,
        BFLOAT16,
        flops=2 * 128 * 128 * 65536,
    ),
    product("mm_relu", 4096, torch.bfloat16, "relu"),
    product("mm_gelu", 4096, torch.bfloat16, "gelu"),
    product("mm_bf16_8k", 8192, torch.bfloat16),
    Workload(
        "transpose",
        "transpose, 8192x8192",
        lambda x: sw.permute_dims(x, (1, 0)),
        lambda x: x.T.contiguous(),
        (SQUARE,),
    ),
    Workload(
        "cumsum",
        "running sums of rows, 8192x8192",
        lambda x: sw.cumsum(x, axis=1),
        lambda x: torch.cumsum(x, 1),
        (SQUARE,),
        tolerance=1e-4,
        positive=True,
    ),
    Workload(
        "cumsum_long",
        "running sums of 2^26",
        lambda x: sw.cumsum(x, axis=0),
        lambda x: torch.cumsum(x, 0),
        ((LONG,),),
        tolerance=1e-4,
        positive=True,
    ),
    Workload(
        "gather",
        "rows of 65536x1024 in random order",
        lambda x, i: sw.take(x, i, axis=0),
        lambda x, i: x[i],
        (ROWS, ROWS[:1]),
        indices=True,
    ),
    NCHW,
    product("mm_f32", 4096, torch.float32),
    replace(product("mm_tf32", 4096, torch.float32), what="matmul 4096^3, tf32", tolerance=1e-3, precision="high"),
    product("mm_relu_8k", 8192, torch.bfloat16, "relu"),
    Workload(
        "add8", "add of two 8-element arrays, a call on the host", with_stepwell.add, with_torch.add, ((8,),) * 2, overhead=True
    ),
)
