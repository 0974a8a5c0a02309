"""Blocks of networks in torch, by family, for `benchmarks.torch_speed`: convolutional, attention, recurrent, normalisation,
perceptrons and mixtures of experts, losses, resampling."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from .torch_language import Block, RmsNorm
from .torch_vision import Inverted, Residual, Twice

Tensor = torch.Tensor


class Case(NamedTuple):
    """A block: its module, and the arguments that it is called with."""

    family: str
    module: Callable[[], nn.Module]
    inputs: Callable[[], tuple[Tensor, ...]]


class Applied(nn.Module):
    """A function of a module's parts and its arguments."""

    def __init__(self, function: Callable[..., Tensor], **parts: nn.Module):
        super().__init__()
        self.function, self.parts = function, nn.ModuleDict(parts)

    def forward(self, *args: Tensor) -> Tensor:
        return self.function(self.parts, *args) if len(self.parts) else self.function(*args)


class First(nn.Module):
    """The first result of a module."""

    def __init__(self, module: nn.Module):
        super().__init__()
        self.module = module

    def forward(self, *args: Tensor) -> Tensor:
        return self.module(*args)[0]


def _normal(*sizes: tuple[int, ...]) -> Callable[[], tuple[Tensor, ...]]:
    return lambda: tuple(torch.randn(size) for size in sizes)


def _plain(function: Callable[..., Tensor]) -> Callable[[], nn.Module]:
    return lambda: Applied(function)


def _images(channels: int, size: int, batch: int = 4) -> Callable[[], tuple[Tensor, ...]]:
    return _normal((batch, channels, size, size))


def _tokens(width: int, length: int = 128, batch: int = 4) -> Callable[[], tuple[Tensor, ...]]:
    return _normal((batch, length, width))


def _bn_relu(conv: nn.Module, channels: int) -> nn.Module:
    return nn.Sequential(conv, nn.BatchNorm2d(channels), nn.ReLU())


def _squeeze(parts: Any, x: Tensor) -> Tensor:
    return x * torch.sigmoid(parts["up"](F.relu(parts["down"](x.mean((2, 3))))))[:, :, None, None]


def _next(parts: Any, x: Tensor) -> Tensor:
    hidden = parts["norm"](parts["depthwise"](x).permute(0, 2, 3, 1))
    return x + parts["outer"](F.gelu(parts["inner"](hidden))).permute(0, 3, 1, 2)


def _convnext() -> nn.Module:
    parts = {"depthwise": nn.Conv2d(64, 64, 7, padding=3, groups=64), "norm": nn.LayerNorm(64)}
    return Applied(_next, **parts, inner=nn.Linear(64, 256), outer=nn.Linear(256, 64))


CONVOLUTIONAL = MappingProxyType(
    {
        "conv 3x3": (lambda: nn.Conv2d(64, 64, 3, padding=1), _images(64, 32)),
        "conv 3x3, stride 2": (lambda: nn.Conv2d(64, 128, 3, 2, 1), _images(64, 32)),
        "conv 1x1": (lambda: nn.Conv2d(128, 128, 1), _images(128, 28)),
        "conv 5x5": (lambda: nn.Conv2d(32, 32, 5, padding=2), _images(32, 32)),
        "conv 7x7 of images": (lambda: nn.Conv2d(3, 64, 7, 2, 3), _images(3, 64)),
        "conv dilated": (lambda: nn.Conv2d(32, 32, 3, padding=2, dilation=2), _images(32, 32)),
        "conv of groups": (lambda: nn.Conv2d(64, 64, 3, padding=1, groups=8), _images(64, 28)),
        "conv depthwise": (lambda: nn.Conv2d(64, 64, 3, padding=1, groups=64), _images(64, 28)),
        "conv 1d": (lambda: nn.Conv1d(64, 64, 5, padding=2), _normal((4, 64, 256))),
        "conv 3d": (lambda: nn.Conv3d(8, 8, 3, padding=1), _normal((1, 8, 16, 16, 16))),
        "conv transposed": (lambda: nn.ConvTranspose2d(64, 32, 4, 2, 1), _images(64, 16)),
        "conv, batch norm, relu": (lambda: _bn_relu(nn.Conv2d(32, 64, 3, padding=1), 64), _images(32, 28)),
        "residual block": (lambda: Residual(64, 64, 1), _images(64, 28)),
        "residual block, stride 2": (lambda: Residual(32, 64, 2), _images(32, 32)),
        "inverted residual": (lambda: Inverted(24, 24, 1, 6), _images(24, 28)),
        "squeeze and excitation": (lambda: Applied(_squeeze, down=nn.Linear(64, 16), up=nn.Linear(16, 64)), _images(64, 28)),
        "ConvNeXt block": (_convnext, _images(64, 28)),
        "U-Net stage": (lambda: Twice(16, 32), _images(16, 32)),
        "max pooling": (lambda: nn.MaxPool2d(3, 2, 1), _images(64, 56)),
        "average pooling": (lambda: nn.AvgPool2d(2), _images(64, 56)),
    }
)


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)


def _rotate(x: Tensor, angles: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return x * angles.cos() + torch.cat([-b, a], -1) * angles.sin()


def _grouped(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = (each.repeat_interleave(4, 1) for each in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def _linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return (q @ (k.transpose(-1, -2) @ v)) / (q @ k.sum(-2)[..., None])


def _alibi(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    places = torch.arange(q.shape[-2])
    slopes = 2.0 ** -torch.arange(1, q.shape[1] + 1)
    bias = -(places[:, None] - places).abs() * slopes[:, None, None]
    return torch.softmax(q @ k.transpose(-1, -2) / 8 + bias, -1) @ v


def _cross(parts: Any, x: Tensor, memory: Tensor) -> Tensor:
    return parts["attention"](x, memory, memory, need_weights=False)[0]


_HEADS = (4, 8, 128, 64)
_ENCODER = MappingProxyType({"d_model": 256, "nhead": 4, "dim_feedforward": 512, "dropout": 0.0, "batch_first": True})

ATTENTION = MappingProxyType(
    {
        "attention": (_plain(_attend), _normal(_HEADS, _HEADS, _HEADS)),
        "attention, causal": (
            _plain(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)),
            _normal(_HEADS, _HEADS, _HEADS),
        ),
        "attention, 512 tokens": (_plain(_attend), _normal(*[(1, 4, 512, 64)] * 3)),
        "attention, mask": (
            _plain(lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m)),
            _normal(_HEADS, _HEADS, _HEADS, (128, 128)),
        ),
        "attention, grouped keys": (_plain(_grouped), _normal(_HEADS, (4, 2, 128, 64), (4, 2, 128, 64))),
        "attention, linear": (_plain(_linear_attention), _normal(_HEADS, _HEADS, _HEADS)),
        "attention, ALiBi": (_plain(_alibi), _normal(_HEADS, _HEADS, _HEADS)),
        "rotary positions": (_plain(_rotate), _normal(_HEADS, (128, 64))),
        "cross attention": (
            lambda: Applied(_cross, attention=nn.MultiheadAttention(256, 4, batch_first=True)),
            _normal((4, 64, 256), (4, 128, 256)),
        ),
        "transformer block": (lambda: Block(256, 4, False), _tokens(256)),
        "transformer block, causal": (lambda: Block(256, 4, True), _tokens(256)),
        "encoder layer": (lambda: nn.TransformerEncoderLayer(**_ENCODER), _tokens(256)),
        "decoder layer": (lambda: nn.TransformerDecoderLayer(**_ENCODER), _normal((4, 64, 256), (4, 128, 256))),
    }
)
RECURRENT = MappingProxyType(
    {
        "LSTM": (lambda: First(nn.LSTM(128, 128, batch_first=True)), _tokens(128, 32, 16)),
        "LSTM, two layers": (lambda: First(nn.LSTM(64, 64, 2, batch_first=True)), _tokens(64, 32, 16)),
        "GRU": (lambda: First(nn.GRU(128, 128, batch_first=True)), _tokens(128, 32, 16)),
        "GRU, both directions": (lambda: First(nn.GRU(64, 64, bidirectional=True, batch_first=True)), _tokens(64, 32, 16)),
        "RNN": (lambda: First(nn.RNN(128, 128, batch_first=True)), _tokens(128, 32, 16)),
        "LSTM cell": (lambda: First(nn.LSTMCell(256, 256)), _normal((32, 256))),
    }
)
NORMALISATION = MappingProxyType(
    {
        "layer norm": (lambda: nn.LayerNorm(512), _tokens(512)),
        "RMS norm": (lambda: RmsNorm(512), _tokens(512)),
        "group norm": (lambda: nn.GroupNorm(8, 64), _images(64, 28)),
        "batch norm": (lambda: nn.BatchNorm2d(64), _images(64, 28)),
        "instance norm": (lambda: nn.InstanceNorm2d(64, affine=True), _images(64, 28)),
        "softmax": (_plain(lambda x: torch.softmax(x, -1)), _tokens(512)),
        "log softmax": (_plain(lambda x: torch.log_softmax(x, -1)), _tokens(1000)),
        "unit rows": (_plain(lambda x: F.normalize(x, dim=-1)), _tokens(512)),
        "residual, layer norm, GELU": (
            lambda: Applied(lambda parts, x, y: F.gelu(parts["norm"](x + y)), norm=nn.LayerNorm(512)),
            _normal((4, 128, 512), (4, 128, 512)),
        ),
    }
)


def _swiglu(parts: Any, x: Tensor) -> Tensor:
    return parts["down"](F.silu(parts["gate"](x)) * parts["up"](x))


def _experts(parts: Any, x: Tensor) -> Tensor:
    """The two best of four experts for each token, weighted; all experts compute all tokens."""
    weights, chosen = torch.topk(torch.softmax(parts["router"](x), -1), 2, -1)
    every = torch.stack([parts[f"expert{k}"](x) for k in range(4)], -2)
    picked = torch.gather(every, -2, chosen[..., None].expand(*chosen.shape, x.shape[-1]))
    return (picked * weights[..., None]).sum(-2)


def _mixer(parts: Any, x: Tensor) -> Tensor:
    x = x + parts["tokens"](x.transpose(1, 2)).transpose(1, 2)
    return x + parts["channels"](x)


def _mlp(width: int, hidden: int, act: nn.Module) -> nn.Module:
    return nn.Sequential(nn.Linear(width, hidden), act, nn.Linear(hidden, width))


PERCEPTRONS = MappingProxyType(
    {
        "linear": (lambda: nn.Linear(512, 512), _tokens(512)),
        "perceptron, relu": (lambda: _mlp(256, 1024, nn.ReLU()), _tokens(256)),
        "perceptron, GELU": (lambda: _mlp(256, 1024, nn.GELU()), _tokens(256)),
        "SwiGLU": (
            lambda: Applied(
                _swiglu, **{k: nn.Linear(*s) for k, s in (("gate", (256, 512)), ("up", (256, 512)), ("down", (512, 256)))}
            ),
            _tokens(256),
        ),
        "mixture of experts": (
            lambda: Applied(_experts, router=nn.Linear(128, 4), **{f"expert{k}": _mlp(128, 256, nn.GELU()) for k in range(4)}),
            _tokens(128),
        ),
        "low-rank adapter": (
            lambda: Applied(
                lambda p, x: p["base"](x) + p["b"](p["a"](x)),
                base=nn.Linear(512, 512),
                a=nn.Linear(512, 8),
                b=nn.Linear(8, 512),
            ),
            _tokens(512),
        ),
        "mixer block": (
            lambda: Applied(_mixer, tokens=_mlp(128, 256, nn.GELU()), channels=_mlp(256, 512, nn.GELU())),
            _tokens(256),
        ),
        "GLU": (lambda: nn.Sequential(nn.Linear(256, 512), nn.GLU()), _tokens(256)),
    }
)


def _labels(count: int, classes: int) -> Callable[[], tuple[Tensor, ...]]:
    return lambda: (torch.randn(count, classes), torch.randint(classes, (count,)))


def _contrast(a: Tensor, b: Tensor) -> Tensor:
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    return F.cross_entropy(a @ b.T / 0.1, torch.arange(len(a)))


_PAIR = _normal((512, 256), (512, 256))
LOSSES = MappingProxyType(
    {
        "cross entropy": (_plain(F.cross_entropy), _labels(512, 1000)),
        "cross entropy, many classes": (_plain(F.cross_entropy), _labels(256, 10000)),
        "cross entropy, smoothed": (_plain(lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1)), _labels(512, 1000)),
        "binary cross entropy": (_plain(lambda x, y: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y))), _PAIR),
        "mean squared error": (_plain(F.mse_loss), _PAIR),
        "Huber": (_plain(F.huber_loss), _PAIR),
        "Kullback-Leibler": (
            _plain(lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean")),
            _PAIR,
        ),
        "cosine similarity": (_plain(lambda x, y: 1 - F.cosine_similarity(x, y).mean()), _PAIR),
        "contrastive": (_plain(_contrast), _PAIR),
        "triplet": (_plain(F.triplet_margin_loss), _normal((512, 256), (512, 256), (512, 256))),
    }
)
RESAMPLING = MappingProxyType(
    {
        "upsampling, nearest": (_plain(lambda x: F.interpolate(x, scale_factor=2)), _images(32, 28)),
        "upsampling, bilinear": (_plain(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")), _images(32, 28)),
        "pixel shuffle": (lambda: nn.PixelShuffle(2), _images(64, 28)),
        "padding, reflect": (_plain(lambda x: F.pad(x, (2, 2, 2, 2), mode="reflect")), _images(32, 28)),
    }
)

BLOCKS: MappingProxyType[str, Case] = MappingProxyType(
    {
        name: Case(family, *case)
        for family, cases in (
            ("convolutional", CONVOLUTIONAL),
            ("attention", ATTENTION),
            ("recurrent", RECURRENT),
            ("normalisation", NORMALISATION),
            ("perceptrons", PERCEPTRONS),
            ("losses", LOSSES),
            ("resampling", RESAMPLING),
        )
        for name, case in cases.items()
    }
)
