"""What is measured on a GPU: for each workload its inputs, the kernel in Stepwell and in torch, and what it costs at the least.

torch's kernel on the same inputs in float64 is what a result is held against.
"""

from __future__ import annotations

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
    counts the multiplications and additions of contractions; without any, what counts is the bytes. `unfused` is torch's
    kernel without the one operation that torch has for it. Of an `overhead` what counts is what the host takes for a call.
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

    def inputs(self, device: str, largest: int | None = None) -> list[Tensor]:
        """Random numbers, normally distributed or in [0, 1); with axes of at most `largest` elements, where that is given."""
        random = torch.Generator(device).manual_seed(SEED)
        make = torch.rand if self.positive else torch.randn
        shapes = [[min(size, largest or size) for size in shape] for shape in self.shapes]
        return [make(shape, generator=random, device=device).to(self.dtype) for shape in shapes]

    def expected(self, inputs: list[Tensor]) -> Tensor:
        """The result in float64."""
        return self.theirs(*(each.double() for each in inputs))

    def fault(self, result: Tensor, expected: Tensor) -> str:
        """What is wrong with a result; empty when it is right."""
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
    """Of images whose channels are the last axis, with weights (out channels, 3, 3, channels)."""
    first = (0, 3, 1, 2)
    return sw.permute_dims(sw.conv2d(sw.permute_dims(x, first), sw.permute_dims(w, first), padding=1), (0, 2, 3, 1))


def torch_conv2d(x: Tensor, w: Tensor) -> Tensor:
    """Tensors that torch calls channels_last."""
    return F.conv2d(x.permute(0, 3, 1, 2), w.permute(0, 3, 1, 2), padding=1).permute(0, 2, 3, 1)


def product(name: str, size: int, dtype: torch.dtype, end: str = "") -> Workload:
    """A product of square matrices, with a bias and a function behind it or without."""
    mine, theirs = {
        "": (with_stepwell.matmul, with_torch.matmul),
        "relu": (with_stepwell.matmul_bias_relu, with_torch.matmul_bias_relu),
        "gelu": (matmul_bias_gelu, torch_matmul_bias_gelu),
    }[end]
    shapes = ((size, size), (size, size), *([(size,)] if end else []))
    kind = str(dtype).removeprefix("torch.")
    what = f"{f'{end} of bias + ' if end else ''}matmul {size}^3, {kind}"
    # Ours is rounded to bfloat16 twice, before the bias and behind it, as `a @ b + bias` is.
    tolerance = (2 if end else 1) * BFLOAT16 if dtype == torch.bfloat16 else 1e-5
    return Workload(name, what, mine, theirs, shapes, dtype, tolerance, flops=2 * size**3)


def attention(name: str, depth: int) -> Workload:
    """Of 16 heads over 4096 places."""
    scale = depth**-0.5
    return Workload(
        name,
        f"softmax(QK^T/sqrt({depth}))V, 2x8x4096x{depth}, bfloat16",
        lambda q, k, v: sw.softmax(q @ sw.matrix_transpose(k) * scale, axis=-1) @ v,
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=scale),
        ((2, 8, 4096, depth),) * 3,
        torch.bfloat16,
        # Scores are rounded to bfloat16 where they are not fused.
        tolerance=4 * BFLOAT16,
        flops=4 * 16 * 4096 * 4096 * depth,
        unfused=lambda q, k, v: torch.softmax(q @ k.mT * scale, -1) @ v,
    )


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
SUM = Workload(
    "rowsum", "sum over rows, 8192x8192", with_stepwell.rowsum, with_torch.rowsum, (SQUARE,), tolerance=1e-4, positive=True
)

WORKLOADS = (
    Workload(
        "add8", "add of two 8-element arrays, a call on the host", with_stepwell.add, with_torch.add, ((8,),) * 2, overhead=True
    ),
    Workload(
        "elementwise", "tanh(a*b+c)*sigmoid(a)-0.5*b, 2^26", with_stepwell.elementwise, with_torch.elementwise, ((LONG,),) * 3
    ),
    Workload("softmax", "softmax, last axis, 65536x1024", with_stepwell.softmax, with_torch.softmax, (ROWS,)),
    Workload(
        "layernorm",
        "layer norm with affine, 65536x1024",
        with_stepwell.layernorm,
        with_torch.layernorm,
        (ROWS, ROWS[1:], ROWS[1:]),
    ),
    SUM,
    replace(SUM, name="colsum", what="sum over columns, 8192x8192", ours=with_stepwell.colsum, theirs=with_torch.colsum),
    replace(SUM, name="fullsum", what="sum of all, 8192x8192", ours=with_stepwell.fullsum, theirs=with_torch.fullsum),
    product("mm_bf16", 4096, torch.bfloat16),
    product("mm_bf16_8k", 8192, torch.bfloat16),
    product("mm_relu", 4096, torch.bfloat16, "relu"),
    product("mm_gelu", 4096, torch.bfloat16, "gelu"),
    product("mm_relu_8k", 8192, torch.bfloat16, "relu"),
    product("mm_f32", 4096, torch.float32),
    attention("attention64", 64),
    attention("attention128", 128),
    CONVOLUTION,
)
