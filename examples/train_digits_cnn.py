"""Trains a small convolutional network on scikit-learn's 1,797 images of digits.

python examples/train_digits_cnn.py [--steps N] [--seed N] [--resume]
"""

from __future__ import annotations

import stepwell as sw
from digits import split_images
from training import Examples, Options, accuracy, report, train_classifier

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
    """Train, and print how many of the test images are classified correctly."""
    options = Options.parse("digits_cnn", "Train a convolutional network on images of digits.", steps=460)
    known, unseen = (Examples(pixels.reshape(-1, *SIZE), digits) for pixels, digits in split_images())
    optimizer = sw.optim.Adam(sw.optim.cosine(3e-3, options.steps, warmup=20))
    outcome = train_classifier(options, MODEL, optimizer, known, BATCH)
    report(options, outcome)
    print(f"test accuracy {accuracy(MODEL, outcome.params, unseen):.2%} of {len(unseen.y)} images")


if __name__ == "__main__":
    main()
