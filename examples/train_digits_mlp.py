"""Trains a perceptron on scikit-learn's 1,797 images of digits.

python examples/train_digits_mlp.py [--steps N] [--seed N] [--resume]
"""

from __future__ import annotations

import numpy as np
import stepwell as sw
from digits import split_images
from training import Options, report, shuffled, train

BATCH = 64
MODEL = sw.nn.Sequential(sw.nn.Linear(64, 128), sw.relu, sw.nn.Dropout(0.2), sw.nn.Linear(128, 10))


def main() -> None:
    """Train, and say how many of the images that were not trained on are told right."""
    options = Options.parse("digits_mlp", "Train a perceptron on images of digits.", steps=460)
    (x, y), (test_x, test_y) = split_images()
    numbers = shuffled(len(y), BATCH, options.seed)
    optimizer = sw.optim.AdamW(sw.optim.cosine(3e-3, options.steps, warmup=20))

    def loss(params, x, y, key):
        return sw.nn.cross_entropy(MODEL(params, x, key=key), y)

    outcome = train(options, MODEL.init(options.seed), optimizer, loss, lambda step: (x[numbers(step)], y[numbers(step)]))
    report(options, outcome)
    found = sw.jit(lambda params, x: sw.argmax(MODEL(params, x), axis=-1))(outcome.params, test_x)
    print(f"test accuracy {np.mean(found == test_y):.2%} of {len(test_y)} images")


if __name__ == "__main__":
    main()
