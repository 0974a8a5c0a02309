"""Networks in plain torch.nn with random weights, for `benchmarks.torch_models` and, in small sizes, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional as F


class Residual(nn.Module):
    """ResNet's basic block."""

    def __init__(self, before: int, after: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        same = stride == 1 and before == after
        self.shortcut = (
            nn.Identity() if same else nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


class ResNet(nn.Module):
    """He et al., "Deep Residual Learning for Image Recognition", 2015."""

    def __init__(self, width: int, blocks: int, classes: int):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        layers, before = [], width
        for level in range(4):
            for block in range(blocks):
                layers.append(Residual(before, width << level, 2 if level and not block else 1))
                before = width << level
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(before, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1).flatten(1))


class Inverted(nn.Module):
    """MobileNet v2's inverted residual."""

    def __init__(self, before: int, after: int, stride: int, growth: int):
        super().__init__()
        hidden = before * growth
        self.adds = stride == 1 and before == after
        self.body = nn.Sequential(
            nn.Conv2d(before, hidden, 1, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
            nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
            nn.Conv2d(hidden, after, 1, bias=False),
            nn.BatchNorm2d(after),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x) if self.adds else self.body(x)


class MobileNet(nn.Module):
    """Sandler et al., "MobileNetV2", 2018."""

    def __init__(self, plan: Sequence[tuple[int, int, int, int]], classes: int):
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(3, plan[0][1], 3, 2, 1, bias=False), nn.BatchNorm2d(plan[0][1]), nn.ReLU6()]
        before = plan[0][1]
        for growth, after, count, stride in plan:
            for block in range(count):
                layers.append(Inverted(before, after, 1 if block else stride, growth))
                before = after
        self.layers = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Dropout(0.0), nn.Linear(before, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.layers(x).mean((2, 3)))


class ConvNext(nn.Module):
    """A stage of Liu et al., "A ConvNet for the 2020s", 2022."""

    def __init__(self, width: int, depth: int, classes: int):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, 4)
        self.depthwise = nn.ModuleList(nn.Conv2d(width, width, 7, padding=3, groups=width) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(depth))
        self.inner = nn.ModuleList(nn.Linear(width, 4 * width) for _ in range(depth))
        self.outer = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(depth))
        self.head = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for depthwise, norm, inner, outer in zip(self.depthwise, self.norms, self.inner, self.outer, strict=True):
            hidden = norm(depthwise(x).permute(0, 2, 3, 1))
            x = x + outer(F.gelu(inner(hidden))).permute(0, 3, 1, 2)
        return self.head(x.mean((2, 3)))


class Attention(nn.Module):
    """Attention of several heads, causal or not."""

    def __init__(self, width: int, heads: int, causal: bool):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(*parts.unbind(0), is_causal=self.causal)
        return self.out(out.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """A transformer block with normalisation before each part."""

    def __init__(self, width: int, heads: int, causal: bool):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, causal)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    """Radford et al., "Language Models are Unsupervised Multitask Learners", 2019."""

    def __init__(self, width: int, heads: int, depth: int, vocabulary: int, length: int):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads, True) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Vit(nn.Module):
    """Dosovitskiy et al., "An Image is Worth 16x16 Words", 2020."""

    def __init__(self, width: int, heads: int, depth: int, patch: int, size: int, classes: int):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, width) * 0.02)
        self.blocks = nn.Sequential(*(Block(width, heads, False) for _ in range(depth)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        patches = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), -1, -1), patches], 1) + self.places
        return self.head(self.norm(self.blocks(x))[:, 0])


class RmsNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class LlamaBlock(nn.Module):
    """Touvron et al., "LLaMA", 2023: rotary positions, grouped keys and values, a gated inner layer."""

    def __init__(self, width: int, heads: int, groups: int):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.q = nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        hidden = self.norm1(x)
        q = self.q(hidden).view(batch, length, self.heads, self.size).transpose(1, 2)
        k, v = (each(hidden).view(batch, length, self.groups, self.size).transpose(1, 2) for each in (self.k, self.v))
        q, k = _rotated(q, cos, sin), _rotated(k, cos, sin)
        k, v = (each.repeat_interleave(self.heads // self.groups, 1) for each in (k, v))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(out.transpose(1, 2).reshape(batch, length, width))
        hidden = self.norm2(x)
        return x + self.down(F.silu(self.gate(hidden)) * self.up(hidden))


def _rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, -1)
    return x * cos.to(x) + torch.cat([-b, a], -1) * sin.to(x)


class Llama(nn.Module):
    def __init__(self, width: int, heads: int, groups: int, depth: int, vocabulary: int):
        super().__init__()
        self.size = width // heads
        self.tokens = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(LlamaBlock(width, heads, groups) for _ in range(depth))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.tokens(tokens)
        frequencies = 10000 ** (-torch.arange(0, self.size, 2) / self.size)
        angles = torch.arange(tokens.shape[1])[:, None] * torch.cat([frequencies, frequencies])
        for block in self.blocks:
            x = block(x, angles.cos(), angles.sin())
        return self.head(self.norm(x))


class Recurrent(nn.Module):
    """A classifier of sequences over an LSTM or a GRU."""

    def __init__(self, kind: type[nn.Module], vocabulary: int, width: int, classes: int):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.steps = kind(width, width, batch_first=True)  # pyright: ignore[reportCallIssue]
        self.head = nn.Linear(width, classes)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        found, _ = self.steps(self.tokens(tokens))
        return self.head(found[:, -1])


class Vae(nn.Module):
    """Kingma and Welling, "Auto-Encoding Variational Bayes", 2013; the noise is an argument."""

    def __init__(self, size: int, hidden: int, latent: int):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(size, hidden), nn.ReLU())
        self.mean, self.spread = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, size), nn.Sigmoid())

    def forward(self, x: torch.Tensor, noise: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        hidden = self.encoder(x)
        mean, spread = self.mean(hidden), self.spread(hidden)
        return self.decoder(mean + noise * torch.exp(0.5 * spread)), mean, spread


def generator(latent: int, width: int) -> nn.Module:
    """DCGAN's generator (Radford et al., 2015), of images of 16 x 16."""
    return nn.Sequential(
        *(nn.ConvTranspose2d(latent, 2 * width, 4, 1, 0, bias=False), nn.BatchNorm2d(2 * width), nn.ReLU(True)),
        *(nn.ConvTranspose2d(2 * width, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True)),
        *(nn.ConvTranspose2d(width, 3, 4, 2, 1, bias=False), nn.Tanh()),
    )


def discriminator(width: int) -> nn.Module:
    """DCGAN's discriminator, of images of 16 x 16."""
    return nn.Sequential(
        *(nn.Conv2d(3, width, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, True)),
        *(nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.2, True)),
        *(nn.Conv2d(2 * width, 1, 4, 1, 0, bias=False), nn.Flatten()),
    )


class Twice(nn.Sequential):
    """Two convolutions, each with group normalisation."""

    def __init__(self, before: int, after: int):
        def part(before: int) -> list[nn.Module]:
            return [nn.Conv2d(before, after, 3, padding=1), nn.GroupNorm(4, after), nn.SiLU()]

        super().__init__(*part(before), *part(after))


class UNet(nn.Module):
    """Ronneberger et al., "U-Net", 2015, with bilinear interpolation on the way up."""

    def __init__(self, width: int, classes: int):
        super().__init__()
        self.down1, self.down2, self.bottom = Twice(3, width), Twice(width, 2 * width), Twice(2 * width, 4 * width)
        self.up2, self.up1 = Twice(6 * width, 2 * width), Twice(3 * width, width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.bottom(F.max_pool2d(b, 2))
        b = self.up2(torch.cat([F.interpolate(c, scale_factor=2, mode="bilinear"), b], 1))
        return self.head(self.up1(torch.cat([F.interpolate(b, scale_factor=2, mode="nearest"), a], 1)))


class Network(NamedTuple):
    """A network with its arguments."""

    module: nn.Module
    inputs: tuple[torch.Tensor, ...]


def _images(batch: int, size: int) -> torch.Tensor:
    return torch.randn(batch, 3, size, size)


def _tokens(batch: int, length: int, vocabulary: int) -> torch.Tensor:
    return torch.randint(vocabulary, (batch, length))


_MOBILE = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

# Each network in its full size and in a small one, for tests.
NETWORKS: MappingProxyType[str, tuple[Callable[[], Network], Callable[[], Network]]] = MappingProxyType(
    {
        "resnet18": (
            lambda: Network(ResNet(64, 2, 1000), (_images(4, 128),)),
            lambda: Network(ResNet(4, 1, 5), (_images(2, 32),)),
        ),
        "mobilenet_v2": (
            lambda: Network(MobileNet(_MOBILE, 1000), (_images(4, 128),)),
            lambda: Network(MobileNet([(1, 4, 1, 1), (2, 6, 2, 2)], 5), (_images(2, 16),)),
        ),
        "convnext": (
            lambda: Network(ConvNext(96, 3, 1000), (_images(4, 128),)),
            lambda: Network(ConvNext(8, 1, 5), (_images(2, 16),)),
        ),
        "vit_tiny": (
            lambda: Network(Vit(192, 3, 12, 16, 128, 1000), (_images(4, 128),)),
            lambda: Network(Vit(16, 2, 1, 4, 8, 5), (_images(2, 8),)),
        ),
        "gpt2": (
            lambda: Network(Gpt(768, 12, 12, 5000, 128), (_tokens(1, 128, 5000),)),
            lambda: Network(Gpt(16, 2, 1, 11, 8), (_tokens(2, 8, 11),)),
        ),
        "llama": (
            lambda: Network(Llama(384, 6, 2, 8, 5000), (_tokens(2, 128, 5000),)),
            lambda: Network(Llama(16, 4, 2, 1, 11), (_tokens(2, 6, 11),)),
        ),
        "lstm": (
            lambda: Network(Recurrent(nn.LSTM, 1000, 128, 10), (_tokens(16, 32, 1000),)),
            lambda: Network(Recurrent(nn.LSTM, 11, 8, 3), (_tokens(2, 3, 11),)),
        ),
        "gru": (
            lambda: Network(Recurrent(nn.GRU, 1000, 128, 10), (_tokens(16, 32, 1000),)),
            lambda: Network(Recurrent(nn.GRU, 11, 8, 3), (_tokens(2, 3, 11),)),
        ),
        "vae": (
            lambda: Network(Vae(784, 400, 20), (torch.rand(64, 784), torch.randn(64, 20))),
            lambda: Network(Vae(12, 8, 3), (torch.rand(4, 12), torch.randn(4, 3))),
        ),
        "dcgan_generator": (
            lambda: Network(generator(100, 64), (torch.randn(16, 100, 1, 1),)),
            lambda: Network(generator(5, 4), (torch.randn(2, 5, 1, 1),)),
        ),
        "dcgan_discriminator": (
            lambda: Network(discriminator(64), (_images(16, 16),)),
            lambda: Network(discriminator(4), (_images(2, 16),)),
        ),
        "unet": (
            lambda: Network(UNet(32, 4), (_images(2, 64),)),
            lambda: Network(UNet(4, 2), (_images(1, 8),)),
        ),
    }
)


def network(name: str, small: bool = False, dtype: str = "float32", exact: bool = False) -> Network:
    """A network with the same weights and arguments at each call, rounded to a dtype. If `exact`, they are in float32 again."""
    torch.manual_seed(0)
    found = NETWORKS[name][small]()
    for kind in (getattr(torch, dtype), *([torch.float32] if exact else [])):
        inputs = tuple(each.to(kind) if each.is_floating_point() else each for each in found.inputs)
        found = Network(found.module.to(kind), inputs)
    return found


def loss_of(results: Any) -> torch.Tensor:
    """A number that depends on all results."""
    leaves = torch.utils._pytree.tree_leaves(results)
    return torch.stack([(each.float() ** 2).mean() + each.float().mean() for each in leaves]).sum()
