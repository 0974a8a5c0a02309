"""Max-pooling as an einsum: the accumulator is the maximum, `2*y+v` a window of stride 2."""

import numpy as np
import stepwell as sw
from comparison import compare


@sw.jit
def max_pooling(images):
    return sw.einsum("n,c,2*y+v,2*x+u => n,c,y,x", images, accum="max", sizes={"v": 3, "u": 3})


def max_pooling_numpy(images):
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    return windows.max(axis=(4, 5))


def arguments(images=8, channels=16, side=113):
    return (np.random.default_rng(0).standard_normal((images, channels, side, side), dtype=np.float32),)


if __name__ == "__main__":
    compare(max_pooling, max_pooling_numpy, arguments())
