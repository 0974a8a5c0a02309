"""A step of an LSTM: four gates from one product, and the next cell and output."""

import numpy as np
import stepwell as sw
from comparison import compare


@sw.jit
def lstm_cell(x, h, c, w, u, b):
    i, f, g, o = sw.split(x @ w + h @ u + b, 4, axis=1)
    cell = sw.sigmoid(f) * c + sw.sigmoid(i) * sw.tanh(g)
    return sw.sigmoid(o) * sw.tanh(cell), cell


def lstm_cell_numpy(x, h, c, w, u, b):
    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    i, f, g, o = np.split(x @ w + h @ u + b, 4, axis=1)
    cell = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(cell), cell


def arguments(batch=64, inputs=128, width=256):
    shapes = [(batch, inputs), (batch, width), (batch, width), (inputs, 4 * width), (width, 4 * width), (4 * width,)]
    rng = np.random.default_rng(0)
    return tuple(rng.standard_normal(shape, dtype=np.float32) * np.float32(0.1) for shape in shapes)


if __name__ == "__main__":
    compare(lstm_cell, lstm_cell_numpy, arguments())
