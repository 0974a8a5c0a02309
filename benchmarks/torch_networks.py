"""Networks in plain torch.nn with random weights, for `benchmarks.torch_models` and, in small sizes, for tests."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import nn

from .torch_language import T5, Bert, Gpt, Llama, Packed, Recurrent
from .torch_vision import ConvNext, DenseNet, Diffusion, MobileNet, ResNet, UNet, Vae, Vit, discriminator, generator


class Network(NamedTuple):
    """A network with its arguments. In inference it is called in turn with each of `calls`, if there are any: first with the
    first tokens of sequences, then with one more token each, whose keys and values it keeps."""

    module: nn.Module
    inputs: tuple[torch.Tensor, ...]
    calls: tuple[tuple[torch.Tensor, ...], ...] = ()


def _images(batch: int, size: int) -> torch.Tensor:
    return torch.randn(batch, 3, size, size)


def _tokens(batch: int, length: int, vocabulary: int) -> torch.Tensor:
    return torch.randint(vocabulary, (batch, length))


def _sentences(batch: int, length: int, vocabulary: int) -> tuple[torch.Tensor, ...]:
    """Tokens, the sentence that each belongs to, and the lengths of sentences."""
    kinds = (torch.arange(length) >= length // 2).long().expand(batch, -1).contiguous()
    return _tokens(batch, length, vocabulary), kinds, torch.randint(length // 2, length + 1, (batch,))


def _continued(batch: int, length: int, vocabulary: int) -> tuple[Any, Any]:
    """Tokens, and two calls: one with all tokens except the last of each sequence, and one with the last."""
    tokens, at = _tokens(batch, length, vocabulary), torch.arange(length)
    return (tokens,), ((tokens[:, :-1].contiguous(), at[:-1]), (tokens[:, -1:].contiguous(), at[-1:]))


_MOBILE = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

# Each network in its full size and in a small one, for tests.
NETWORKS: MappingProxyType[str, tuple[Callable[[], Network], Callable[[], Network]]] = MappingProxyType(
    {
        "resnet18": (
            lambda: Network(ResNet(64, 2, 1000), (_images(4, 128),)),
            lambda: Network(ResNet(4, 1, 5), (_images(2, 64),)),  # batch norms over two numbers amplify roundings
        ),
        "mobilenet_v2": (
            lambda: Network(MobileNet(_MOBILE, 1000), (_images(4, 128),)),
            lambda: Network(MobileNet([(1, 4, 1, 1), (2, 6, 2, 2)], 5), (_images(2, 16),)),
        ),
        "densenet121": (
            lambda: Network(DenseNet(32, (6, 12, 24, 16), 1000), (_images(4, 128),)),
            lambda: Network(DenseNet(4, (1, 2), 5), (_images(2, 32),)),
        ),
        "convnext_tiny": (
            lambda: Network(ConvNext((96, 192, 384, 768), (3, 3, 9, 3), 1000), (_images(4, 128),)),
            lambda: Network(ConvNext((8, 12), (1, 1), 5), (_images(2, 16),)),
        ),
        "vit_tiny": (
            lambda: Network(Vit(192, 3, 12, 16, 128, 1000), (_images(4, 128),)),
            lambda: Network(Vit(16, 2, 1, 4, 8, 5), (_images(2, 8),)),
        ),
        "gpt2": (
            lambda: Network(Gpt(768, 12, 12, 5000, 128), (_tokens(1, 128, 5000),)),
            lambda: Network(Gpt(16, 2, 1, 11, 8), (_tokens(2, 8, 11),)),
        ),
        "bert_mini": (
            lambda: Network(Bert(256, 4, 4, 5000, 128), _sentences(4, 128, 5000)),
            lambda: Network(Bert(16, 2, 1, 11, 8), _sentences(2, 6, 11)),
        ),
        "llama": (
            lambda: Network(Llama(384, 6, 2, 8, 5000, (2, 128)), *_continued(2, 128, 5000)),
            lambda: Network(Llama(16, 4, 2, 1, 11, (2, 8)), *_continued(2, 6, 11)),
        ),
        "t5_mini": (
            lambda: Network(T5(256, 4, 4, 5000), (_tokens(4, 128, 5000), _tokens(4, 64, 5000))),
            lambda: Network(T5(16, 2, 1, 11), (_tokens(2, 6, 11), _tokens(2, 4, 11))),
        ),
        "lstm": (
            lambda: Network(Recurrent(nn.LSTM, 1000, 128, 10), (_tokens(16, 32, 1000),)),
            lambda: Network(Recurrent(nn.LSTM, 11, 8, 3), (_tokens(2, 3, 11),)),
        ),
        "gru": (
            lambda: Network(Recurrent(nn.GRU, 1000, 128, 10), (_tokens(16, 32, 1000),)),
            lambda: Network(Recurrent(nn.GRU, 11, 8, 3), (_tokens(2, 3, 11),)),
        ),
        "gru_packed": (
            lambda: Network(Packed(nn.GRU, 1000, 128, 10), (_tokens(16, 32, 1000), torch.randint(1, 33, (16,)))),
            lambda: Network(Packed(nn.GRU, 11, 8, 3), (_tokens(3, 5, 11), torch.tensor([2, 5, 3]))),
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
        "diffusion": (
            lambda: Network(Diffusion(32, 100), (_images(2, 32), torch.tensor([40, 7]))),
            lambda: Network(Diffusion(4, 10), (_images(2, 8), torch.tensor([4, 7]))),
        ),
    }
)


def network(name: str, small: bool = False, dtype: str = "float32", exact: str | None = None) -> Network:
    """A network with the same weights and arguments at each call, rounded to a dtype, and then in the dtype `exact`, if one is
    given."""
    torch.manual_seed(0)
    found = NETWORKS[name][small]()
    for kind in [getattr(torch, each) for each in (dtype, exact) if each is not None]:
        inputs = _cast(found.inputs, kind)
        found = Network(found.module.to(kind), inputs, tuple(_cast(each, kind) for each in found.calls))
    return found


def _cast(given: tuple[torch.Tensor, ...], kind: torch.dtype) -> tuple[torch.Tensor, ...]:
    return tuple(each.to(kind) if each.is_floating_point() else each for each in given)


def loss_of(results: Any) -> torch.Tensor:
    """A number that depends on all results."""
    leaves = torch.utils._pytree.tree_leaves(results)
    return torch.stack([(each.float() ** 2).mean() + each.float().mean() for each in leaves]).sum()
