"""Operations of users that several tests define: `matmul_op`, `square_op`, `marked_op`, and their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import stepwell as sw

TARGETS = ("cpu", "interpret", "triton-interpret")
X = np.arange(6.0).reshape(2, 3)


def matmul_op(**options: Any) -> Any:
    op = sw.define_op("mm", "A[~ i j] B[~ j k] -> [~ i k]", **options)
    op.impl("cpu")(lambda a, b: a @ b)
    return op


def square_op(seen: list[Any] | None = None, rule: str = "A[~] -> [~]", **options: Any) -> Any:
    """The square, by NumPy."""
    op = sw.define_op("square", rule, backward=lambda g, a: g * 2 * a, **options)

    @op.impl_host()
    def square(a: Any) -> Any:
        if seen is not None:
            seen.append(a.shape)
        return a * a

    return op


def marked_op() -> Any:
    op = sw.define_op("marked", "A[n] -> [n]")
    op.impl("cpu")(lambda a: a + 0)
    return op
