"""Trains a transformer to write, character by character, like the docstrings of Python's own standard library.

python examples/train_text_transformer.py [--steps N] [--seed N] [--resume]
"""

from __future__ import annotations

import ast
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import stepwell as sw
from training import Options, report, train

BATCH, LENGTH = 32, 64
# Line feed, and the printable characters of ASCII, the last of which replaces all others.
ALPHABET = 96


def text():
    """The docstrings of the modules at the top of the standard library, in the order of their names."""
    parts = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                parts.append(ast.get_docstring(node) or "")
    return "\n\n".join(part for part in parts if part)


def encoded(text):
    """Characters as numbers below ALPHABET."""
    codes = np.frombuffer(text.encode("ascii", "replace"), np.uint8).astype(np.int64)
    return np.where(codes == ord("\n"), 0, np.clip(codes - 31, 1, ALPHABET - 1))


@dataclass(frozen=True)
class Block:
    """Attention and a perceptron, each added to its input, which is normalised first."""

    width: int
    heads: int

    @property
    def parts(self):
        return {
            "norm1": sw.nn.LayerNorm(self.width),
            "attention": sw.nn.MultiHeadAttention(self.width, self.heads, causal=True),
            "norm2": sw.nn.LayerNorm(self.width),
            "up": sw.nn.Linear(self.width, 4 * self.width),
            "down": sw.nn.Linear(4 * self.width, self.width),
        }

    def init(self, key):
        return {name: part.init(sw.nn.fold_in(key, number)) for number, (name, part) in enumerate(self.parts.items())}

    def __call__(self, params, x, /, *, key=None):
        def run(name, x):
            return self.parts[name](params[name], x)

        x = x + run("attention", run("norm1", x))
        return x + run("down", sw.gelu(run("up", run("norm2", x)), approximate="tanh"))


@dataclass(frozen=True)
class Transformer:
    """Logits of the character that follows each of (N, LENGTH) characters."""

    width: int = 128
    heads: int = 4
    depth: int = 2

    @property
    def parts(self):
        return {
            "characters": sw.nn.Embedding(ALPHABET, self.width),
            "positions": sw.nn.Embedding(LENGTH, self.width),
            **{f"block{number}": Block(self.width, self.heads) for number in range(self.depth)},
            "norm": sw.nn.LayerNorm(self.width),
            "logits": sw.nn.Linear(self.width, ALPHABET),
        }

    def init(self, key):
        params = {name: part.init(sw.nn.fold_in(key, number)) for number, (name, part) in enumerate(self.parts.items())}
        for name in ("characters", "positions"):
            params[name]["weight"] *= np.float32(0.1)
        return params

    def __call__(self, params, x, /, *, key=None):
        if x.shape[1] != LENGTH:
            raise ValueError(f"expected {LENGTH} characters, got {x.shape}")
        parts = self.parts
        found = parts["characters"](params["characters"], x) + params["positions"]["weight"]
        for name in [*(f"block{number}" for number in range(self.depth)), "norm", "logits"]:
            found = parts[name](params[name], found)
        return found


def main() -> None:
    """Train, and print the cross entropy of a character in the last part of the text, which is not trained on."""
    options = Options.parse("text_transformer", "Train a transformer on docstrings.", steps=600)
    codes = encoded(text())
    print(f"{len(codes)} characters")
    train_codes, test_codes = np.split(codes, [int(len(codes) * 0.95)])
    model = Transformer()
    optimizer = sw.optim.AdamW(sw.optim.cosine(2e-3, options.steps, final=1e-4, warmup=50), betas=(0.9, 0.98))

    def windows(codes, starts):
        both = codes[starts[:, None] + np.arange(LENGTH + 1)]
        return both[:, :-1].copy(), both[:, 1:].copy()

    def batch(step):
        generator = np.random.default_rng([options.seed, step])
        return windows(train_codes, generator.integers(0, len(train_codes) - LENGTH, BATCH))

    def loss(params, x, y, key):
        return sw.nn.cross_entropy(model(params, x), y)

    outcome = train(options, model.init(options.seed), optimizer, loss, batch)
    report(options, outcome)
    x, y = windows(test_codes, np.arange(0, len(test_codes) - LENGTH - 1, LENGTH)[:128])
    found = sw.jit(lambda params, x, y: loss(params, x, y, None))(outcome.params, x, y)
    print(f"test loss {found:.4f} nats a character")


if __name__ == "__main__":
    main()
