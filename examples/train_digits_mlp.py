"""Trains a perceptron on scikit-learn's 1,797 images of digits.

python examples/train_digits_mlp.py [--steps N] [--seed N] [--resume]
"""

from __future__ import annotations

import stepwell as sw
from digits import split_images
from training import Examples, Options, accuracy, report, train_classifier

BATCH = 64
MODEL = sw.nn.Sequential(sw.nn.Linear(64, 128), sw.relu, sw.nn.Dropout(0.2), sw.nn.Linear(128, 10))


def main() -> None:
    """Train, and print how many of the test images are classified correctly."""
    options = Options.parse("digits_mlp", "Train a perceptron on images of digits.", steps=460)
    known, unseen = (Examples(*part) for part in split_images())
    optimizer = sw.optim.AdamW(sw.optim.cosine(3e-3, options.steps, warmup=20))
    outcome = train_classifier(options, MODEL, optimizer, known, BATCH)
    report(options, outcome)
    print(f"test accuracy {accuracy(MODEL, outcome.params, unseen):.2%} of {len(unseen.y)} images")


if __name__ == "__main__":
    main()
