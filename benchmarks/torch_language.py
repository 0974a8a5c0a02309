"""Networks of sequences in plain torch.nn: transformers and recurrent ones."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import rnn


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


class RmsNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class LlamaBlock(nn.Module):
    """Touvron et al., "LLaMA", 2023: rotary positions, grouped keys and values, a gated inner layer. The cache has the keys and
    values of earlier calls, at their positions."""

    keys: torch.Tensor
    values: torch.Tensor

    def __init__(self, width: int, heads: int, groups: int, cache: tuple[int, int]):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.q = nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(cache[0], groups, cache[1], self.size))

    def forward(self, x: torch.Tensor, places: torch.Tensor, angles: torch.Tensor, is_cached: bool) -> torch.Tensor:
        batch, length, width = x.shape
        hidden = self.norm1(x)
        q = self.q(hidden).view(batch, length, self.heads, self.size).transpose(1, 2)
        k, v = (each(hidden).view(batch, length, self.groups, self.size).transpose(1, 2) for each in (self.k, self.v))
        q, k = (_rotated(each, angles.cos(), angles.sin()) for each in (q, k))
        mask = None
        if is_cached:
            k, v = self.keys.index_copy_(2, places, k), self.values.index_copy_(2, places, v)
            mask = torch.arange(k.shape[2]) <= places[:, None]
        k, v = (each.repeat_interleave(self.heads // self.groups, 1) for each in (k, v))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        x = x + self.o(out.transpose(1, 2).reshape(batch, length, width))
        hidden = self.norm2(x)
        return x + self.down(F.silu(self.gate(hidden)) * self.up(hidden))


def _rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, -1)
    return x * cos.to(x) + torch.cat([-b, a], -1) * sin.to(x)


class Llama(nn.Module):
    """Given the positions of its tokens, it keeps keys and values in its cache, for `cache` sequences and positions."""

    def __init__(self, width: int, heads: int, groups: int, depth: int, vocabulary: int, cache: tuple[int, int]):
        super().__init__()
        self.size = width // heads
        self.tokens = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(LlamaBlock(width, heads, groups, cache) for _ in range(depth))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor, places: torch.Tensor | None = None) -> torch.Tensor:
        x, at = self.tokens(tokens), torch.arange(tokens.shape[1]) if places is None else places
        frequencies = 10000 ** (-torch.arange(0, self.size, 2) / self.size)
        angles = at[:, None] * torch.cat([frequencies, frequencies])
        for block in self.blocks:
            x = block(x, at, angles, places is not None)
        return self.head(self.norm(x))


class Heads(nn.Module):
    """Attention of several heads to other tokens, with a mask or a bias added to the scores."""

    def __init__(self, width: int, heads: int, bias: bool):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=bias) for _ in range(4))

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None, scale: float | None) -> torch.Tensor:
        given = ((self.q, x), (self.k, memory), (self.v, memory))
        q, k, v = (part(each).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part, each in given)
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
        return self.out(found.transpose(1, 2).flatten(2))


class BertLayer(nn.Module):
    """A layer of a transformer's encoder, with normalisation after each part."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Heads(width, heads, True), nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.attention(x, x, mask, None))
        return self.norm2(x + self.mlp(x))


class Bert(nn.Module):
    """Devlin et al., "BERT", 2019: the scores of masked tokens, and a score for the second sentence following the first one."""

    def __init__(self, width: int, heads: int, depth: int, vocabulary: int, length: int):
        super().__init__()
        self.tokens, self.places, self.kinds = (nn.Embedding(count, width) for count in (vocabulary, length, 2))
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(depth))
        self.pooler, self.follows = nn.Linear(width, width), nn.Linear(width, 2)
        self.transform = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def forward(self, tokens: torch.Tensor, kinds: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        at = torch.arange(tokens.shape[1])
        x = self.norm(self.tokens(tokens) + self.places(at) + self.kinds(kinds))
        mask = (at < lengths[:, None])[:, None, None]
        for layer in self.layers:
            x = layer(x, mask)
        scores = F.linear(self.transform(x), self.tokens.weight, self.bias)
        return scores, self.follows(torch.tanh(self.pooler(x[:, 0])))


class T5Layer(nn.Module):
    """A layer of T5's encoder, or of its decoder, which attends to the encoder's results too."""

    def __init__(self, width: int, heads: int, is_decoder: bool):
        super().__init__()
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.attention = Heads(width, heads, False)
        self.cross = Heads(width, heads, False) if is_decoder else None
        self.norm3 = RmsNorm(width) if is_decoder else None
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width, bias=False), nn.ReLU(), nn.Linear(4 * width, width, bias=False))

    def forward(self, x: torch.Tensor, bias: torch.Tensor, memory: torch.Tensor | None) -> torch.Tensor:
        hidden = self.norm1(x)
        x = x + self.attention(hidden, hidden, bias, 1.0)
        if self.cross is not None and self.norm3 is not None and memory is not None:
            x = x + self.cross(self.norm3(x), memory, None, 1.0)
        return x + self.mlp(self.norm2(x))


class T5Stack(nn.Module):
    """T5's encoder or decoder: scores get a bias by the distance between two tokens, in buckets that grow with the distance."""

    def __init__(self, width: int, heads: int, depth: int, is_decoder: bool):
        super().__init__()
        self.is_decoder = is_decoder
        self.distances = nn.Embedding(32, heads)
        self.layers = nn.ModuleList(T5Layer(width, heads, is_decoder) for _ in range(depth))
        self.norm = RmsNorm(width)

    def buckets(self, length: int) -> torch.Tensor:
        """The bucket of each pair of tokens. Half of the buckets, in a decoder all, are for earlier tokens; near tokens have
        one each."""
        at = torch.arange(length)
        distance = at - at[:, None]
        count = 32 if self.is_decoder else 16
        before = torch.where(distance > 0, count, 0) if not self.is_decoder else torch.zeros_like(distance)
        size = (-distance).clamp(min=0) if self.is_decoder else distance.abs()
        near = count // 2
        far = near + (torch.log(size.clamp(min=1).float() / near) / math.log(128 / near) * (count - near)).long()
        return before + torch.where(size < near, size, far.clamp(max=count - 1))

    def forward(self, x: torch.Tensor, memory: torch.Tensor | None = None) -> torch.Tensor:
        bias = self.distances(self.buckets(x.shape[1])).permute(2, 0, 1)
        if self.is_decoder:
            at = torch.arange(x.shape[1])
            bias = bias.masked_fill(at > at[:, None], float("-inf"))
        for layer in self.layers:
            x = layer(x, bias[None], memory)
        return self.norm(x)


class T5(nn.Module):
    """Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", 2020."""

    def __init__(self, width: int, heads: int, depth: int, vocabulary: int):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.tokens.weight, std=width**-0.5)
        self.encoder, self.decoder = (T5Stack(width, heads, depth, is_decoder) for is_decoder in (False, True))
        self.scale = width**-0.5

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        found = self.decoder(self.tokens(target), self.encoder(self.tokens(source)))
        return F.linear(found * self.scale, self.tokens.weight)


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


class Packed(Recurrent):
    """A classifier of packed sequences of several lengths."""

    def forward(self, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        packed = rnn.pack_padded_sequence(self.tokens(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.steps(packed)
        return self.head(last[-1])
