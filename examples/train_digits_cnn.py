"""Trains a small convolutional network on scikit-learn's 1,797 images of digits.

python examples/train_digits_cnn.py [--steps N] [--seed N] [--resume]
"""

from __future__ import annotations

import numpy as np
import stepwell as sw
from digits import split_images
from training import Options, report, shuffled, train

BATCH = 64
SIZE = (1, 8, 8)


def known_size(x):
    """The images, whose size is a constant of the compiled code; only their number may change."""
    if x.shape[1:] != SIZE:
        raise ValueError(f"expected images of size {SIZE}, got {x.shape}")
    return x


def pool(x):
    return sw.max_pool2d(x, 2)


def flat(x):
    return sw.reshape(x, (x.shape[0], -1))


MODEL = sw.nn.Sequential(
    known_size,
    sw.nn.Conv2d(1, 16, 3, padding=1),
    sw.relu,
    pool,
    sw.nn.Conv2d(16, 32, 3, padding=1),
    sw.relu,
    pool,
    flat,
    sw.nn.Dropout(0.3),
    sw.nn.Linear(32 * 2 * 2, 64),
    sw.relu,
    sw.nn.Linear(64, 10),
)


def main() -> None:
    """Train, and say how many of the images that were not trained on are told right."""
    options = Options.parse("digits_cnn", "Train a convolutional network on images of digits.", steps=460)
    (x, y), (test_x, test_y) = split_images()
    x, test_x = x.reshape(-1, *SIZE), test_x.reshape(-1, *SIZE)
    numbers = shuffled(len(y), BATCH, options.seed)
    optimizer = sw.optim.Adam(sw.optim.cosine(3e-3, options.steps, warmup=20))

    def loss(params, x, y, key):
        return sw.nn.cross_entropy(MODEL(params, x, key=key), y)

    outcome = train(options, MODEL.init(options.seed), optimizer, loss, lambda step: (x[numbers(step)], y[numbers(step)]))
    report(options, outcome)
    found = sw.jit(lambda params, x: sw.argmax(MODEL(params, x), axis=-1))(outcome.params, test_x)
    print(f"test accuracy {np.mean(found == test_y):.2%} of {len(test_y)} images")


if __name__ == "__main__":
    main()
