"""The two programs of the demo, as plain Python functions of arrays."""

import numpy as np
import stepwell as sw

# Eight fixed filters of 3 x 3 pixels. They are constants of the program, so that their sizes are known when it is compiled.
FILTERS = np.random.default_rng(0).standard_normal((8, 1, 3, 3)).astype(np.float32)


def perceptron(images, w1, b1, w2, b2):
    """The class probabilities of flat images, (n, 64) -> (n, 10): one hidden layer."""
    hidden = sw.relu(images @ w1 + b1)
    return sw.softmax(hidden @ w2 + b2, axis=1)


def convolution(images):
    """The filter that matches best at each position, (n, 1, h, w) -> (n, 8, h / 2, w / 2): probabilities over the filters."""
    features = sw.relu(sw.conv2d(images, FILTERS, padding=1))
    pooled = sw.max_pool2d(features, 2)
    return sw.softmax(pooled, axis=1)
