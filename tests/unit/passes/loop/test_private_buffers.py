"""Private buffers of loops that threads share: each thread has its own."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import loop, make_context
from stepwell.ir.text.parser import parse_module
from stepwell.runtime.executable import compile_module
from stepwell.runtime.toolchain.compiler import available_processors

RNG = np.random.default_rng(0)
IMAGE = RNG.standard_normal((1, 16, 5, 7)).astype("float32")
WEIGHTS = RNG.standard_normal((32, 16, 3, 3)).astype("float32")


def layer(x):
    return sw.silu(sw.conv2d(x, WEIGHTS, padding=1))


@pytest.fixture
def two_threads():
    sw.set_num_threads(2)
    yield
    sw.set_num_threads(available_processors())


def test_a_convolution_of_one_small_image_on_two_threads_is_right_at_each_call(two_threads):
    """The loop over images, of one iteration, was removed, and both threads shared the tile that its body allocated."""
    model, expected = sw.jit(layer), sw.jit(layer, target="interpret")(IMAGE)
    for _ in range(50):
        np.testing.assert_allclose(model(IMAGE), expected, rtol=1e-4, atol=1e-4)


def test_sums_of_blocks_are_kept_for_the_thread_that_adds_the_next_block(two_threads):
    """Threads take tiles whose rows are reduced to a maximum as they become free, anew for each block of the sum."""
    x, w = RNG.standard_normal((16, 600)).astype("float32"), RNG.standard_normal((80, 600)).astype("float32")
    largest, expected = sw.jit(lambda x, w: sw.max(x @ w.T, axis=-1), static=True), (x.astype("f8") @ w.T).max(-1)
    for _ in range(300):
        np.testing.assert_allclose(largest(x, w), expected, rtol=1e-4)


# Three columns of windows, whose maxima are kept for the rows that they are broadcast to.
BROADCAST = """\
func.func @broadcast(%x: tensor<?x3xf64, #sw.shape<[m, 3]>>)
    -> (tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>, tensor<3xf64>, tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>) {
  %w = uop.reindex %x <(d0, d1, d2) -> (d0, d1 + d2 - 1)> fill 0.0 : f64
    : (tensor<?x3xf64, #sw.shape<[m, 3]>>) -> tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>
  %f = uop.reindex %w <(d0, d1, d2) -> (d0, -d1 + 2, -d2 + 2)>
    : (tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>) -> tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>
  %l = uop.reduce "min" %w axes [0 : i64, 1 : i64] : tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>> -> tensor<3xf64>
  %g = uop.reduce "max" %w axes [0 : i64] : tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>> -> tensor<3x3xf64>
  %b = uop.reindex %g <(d0, d1, d2) -> (d1, d2)> : (tensor<3x3xf64>) -> tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>
  func.return %f, %l, %b : tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>, tensor<3xf64>, tensor<?x3x3xf64, #sw.shape<[m, 3, 3]>>
}
"""


@pytest.mark.parametrize("rows", [1, 33, 3000, 20_000])
def test_what_later_loops_only_read_is_no_threads_own(rows, two_threads):
    """Maxima of rows in one part are stored by the only iteration of the loop over parts, which would run on threads."""
    x = RNG.standard_normal((rows, 3))
    padded = np.pad(x, ((0, 0), (1, 1)))
    largest = np.stack([padded[:, k : k + 3].max(axis=0) for k in range(3)])
    found = compile_module(BROADCAST).run([x], {})
    np.testing.assert_array_equal(found[2], np.broadcast_to(largest, (rows, 3, 3)))


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_no_private_buffer_outside_of_threads_is_written_in_them():
    module = parse_module(sw.lower(layer, IMAGE).ir("scheduled"), make_context())
    threaded = [op for op in module.walk() if isinstance(op, loop.ForOp) and op.threads is not None]
    assert threaded
    written = [each.buffer.owner for op in threaded for each in op.walk() if isinstance(each, loop.StoreOp)]
    private = [each for each in written if isinstance(each, loop.AllocOp) and each.space is not None]
    assert private and all(any(op.is_ancestor(each) for op in threaded) for each in private)
