"""Networks of images in plain torch.nn: convolutional ones, a vision transformer, and generators."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn import functional as F

from .torch_language import Block


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


class ChannelNorm(nn.LayerNorm):
    """Layer normalisation over the channels of images."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return super().forward(input.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class NextBlock(nn.Module):
    """ConvNeXt's block: a depthwise convolution, then a perceptron on each pixel."""

    def __init__(self, width: int):
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = nn.LayerNorm(width)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.scale = nn.Parameter(torch.full((width,), 0.1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        return x + (self.outer(F.gelu(self.inner(hidden))) * self.scale).permute(0, 3, 1, 2)


class ConvNext(nn.Module):
    """Liu et al., "A ConvNet for the 2020s", 2022."""

    def __init__(self, widths: Sequence[int], depths: Sequence[int], classes: int):
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(3, widths[0], 4, 4), ChannelNorm(widths[0])]
        for level, (width, depth) in enumerate(zip(widths, depths, strict=True)):
            if level:
                layers += [ChannelNorm(widths[level - 1]), nn.Conv2d(widths[level - 1], width, 2, 2)]
            layers += [NextBlock(width) for _ in range(depth)]
        self.layers = nn.Sequential(*layers)
        self.norm, self.head = nn.LayerNorm(widths[-1]), nn.Linear(widths[-1], classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.norm(self.layers(x).mean((2, 3))))


class Dense(nn.Module):
    """DenseNet's layer: its results are appended to its inputs."""

    def __init__(self, before: int, growth: int):
        super().__init__()
        self.body = nn.Sequential(
            *(nn.BatchNorm2d(before), nn.ReLU(), nn.Conv2d(before, 4 * growth, 1, bias=False)),
            *(nn.BatchNorm2d(4 * growth), nn.ReLU(), nn.Conv2d(4 * growth, growth, 3, 1, 1, bias=False)),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, self.body(x)], 1)


class DenseNet(nn.Module):
    """Huang et al., "Densely Connected Convolutional Networks", 2017."""

    def __init__(self, growth: int, depths: Sequence[int], classes: int):
        super().__init__()
        width = 2 * growth
        layers: list[nn.Module] = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        layers.append(nn.MaxPool2d(3, 2, 1))
        for level, depth in enumerate(depths):
            if level:
                layers += [nn.BatchNorm2d(width), nn.ReLU(), nn.Conv2d(width, width // 2, 1, bias=False), nn.AvgPool2d(2)]
                width //= 2
            for _ in range(depth):
                layers.append(Dense(width, growth))
                width += growth
        self.layers = nn.Sequential(*layers, nn.BatchNorm2d(width), nn.ReLU())
        self.head = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(F.adaptive_avg_pool2d(self.layers(x), 1).flatten(1))


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


class Timed(nn.Module):
    """A residual block whose channels are shifted by the time's embedding."""

    def __init__(self, before: int, after: int, time: int):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(4, before), nn.Conv2d(before, after, 3, padding=1)
        self.norm2, self.conv2 = nn.GroupNorm(4, after), nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(time, after)
        self.shortcut = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        hidden = self.conv1(F.silu(self.norm1(x))) + self.time(F.silu(time))[:, :, None, None]
        return self.conv2(F.silu(self.norm2(hidden))) + self.shortcut(x)


class PixelAttention(nn.Module):
    """Attention between the pixels of an image."""

    def __init__(self, width: int):
        super().__init__()
        self.norm, self.qkv, self.out = nn.GroupNorm(4, width), nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm(x)).flatten(2).transpose(1, 2).unsqueeze(1).chunk(3, -1)
        found = F.scaled_dot_product_attention(q, k, v)
        return x + self.out(found.squeeze(1).transpose(1, 2).reshape(x.shape))


class Diffusion(nn.Module):
    """A step of Ho et al., "Denoising Diffusion Probabilistic Models", 2020: images one step less noisy, by the noise that a
    U-Net predicts. The noise that a step adds is left out, so that results do not depend on random numbers."""

    betas: torch.Tensor
    kept: torch.Tensor

    def __init__(self, width: int, steps: int):
        super().__init__()
        time = 4 * width
        self.width = width
        self.time = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.down1, self.shrink = Timed(width, width, time), nn.Conv2d(width, width, 3, 2, 1)
        self.down2, self.attention = Timed(width, 2 * width, time), PixelAttention(2 * width)
        self.bottom = Timed(2 * width, 2 * width, time)
        self.up2, self.grow = Timed(4 * width, width, time), nn.Conv2d(width, width, 3, padding=1)
        self.up1 = Timed(2 * width, width, time)
        self.last = nn.Sequential(nn.GroupNorm(4, width), nn.SiLU(), nn.Conv2d(width, 3, 3, padding=1))
        betas = torch.linspace(1e-4, 0.02, steps)
        self.register_buffer("betas", betas)
        self.register_buffer("kept", torch.cumprod(1 - betas, 0))

    def forward(self, x: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        beta, kept = (each[step][:, None, None, None] for each in (self.betas, self.kept))
        return (x - beta / torch.sqrt(1 - kept) * self.noise(x, step)) / torch.sqrt(1 - beta)

    def noise(self, x: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        """The noise in images of a step."""
        frequencies = torch.exp(torch.arange(self.width // 2) * (-9.2 / (self.width // 2)))
        angles = step[:, None] * frequencies
        time = self.time(torch.cat([angles.sin(), angles.cos()], 1).to(x.dtype))
        a = self.down1(self.first(x), time)
        b = self.attention(self.down2(self.shrink(a), time))
        c = self.up2(torch.cat([self.bottom(b, time), b], 1), time)
        c = self.grow(F.interpolate(c, scale_factor=2, mode="nearest"))
        return self.last(self.up1(torch.cat([c, a], 1), time))
