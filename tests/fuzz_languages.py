"""Random programs of the languages against brute force: `python -m tests.fuzz_languages --count 5000 --seed 0 [--only KIND]`.

- einsum: specifications with fixed indices, diagonals, windows, padded windows, parts of axes, gathers, scatters and blocks,
  with all accumulators; values and directional derivatives against an evaluation element by element
- logics: ".", "@" and "T" on random rows, against NumPy
- rules: shape rules against a naive solver (`tests/shape_rules.py`)
- rows: systems of row variables, cyclic ones among them: each ends within 50 ms of processor time
- orders: elementwise functions in order "c" against order "f" on transposed inputs
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import stepwell as sw

from . import shape_rules
from .random_einsum import RandomBlocks, RandomEinsum

LIMIT = 0.05
_STEP = 1e-6


def check_einsum(seed: int) -> str:
    """A specification: values, and the derivative in a random direction of all operands."""
    if seed % 8 == 7:
        case = RandomBlocks.of(seed)
        found = _interpreted(lambda *xs: sw.einsum(case.text, *xs, accum=case.accum))(*case.arrays)
        np.testing.assert_allclose(found, case.expected, rtol=1e-9, atol=1e-12, err_msg=case.text)
        return "blocks"
    made = RandomEinsum(seed)

    def run(*xs: Any) -> Any:
        return sw.einsum(made.text, *xs, op=made.op, accum=made.accum, sizes=made.sizes)

    expected = made.brute_force(made.arrays)
    what = f"seed {seed}: {made.text}, op {made.op}, accum {made.accum}, sizes {made.sizes}"
    np.testing.assert_allclose(_interpreted(run)(*made.arrays), expected, rtol=1e-9, atol=1e-12, err_msg=what)
    _check_derivative(made, run, expected, what)
    return "specifications"


def _check_derivative(made: RandomEinsum, run: Callable[..., Any], expected: Any, what: str) -> None:
    numbers, finite = np.random.default_rng(made.rng.randint(0, 1 << 30)), np.isfinite(expected)
    weights = np.where(finite, numbers.standard_normal(expected.shape), 0)

    def loss(*xs: Any) -> Any:
        return sw.sum(sw.where(finite, run(*xs), 0.0) * weights)

    gradients = _interpreted(sw.grad(loss, argnums=tuple(made.floats)))(*made.arrays)
    directions = {k: numbers.standard_normal(made.arrays[k].shape) for k in made.floats}

    def moved(step: float) -> float:
        xs = [x + step * directions[k] if k in directions else x for k, x in enumerate(made.arrays)]
        return float((np.where(finite, made.brute_force(xs), 0) * weights).sum())

    found = sum(float((gradient * directions[k]).sum()) for gradient, k in zip(gradients, made.floats, strict=True))
    difference = (moved(_STEP) - moved(-_STEP)) / (2 * _STEP)
    np.testing.assert_allclose(found, difference, rtol=1e-4, atol=1e-5, err_msg=f"derivative of {what}")


def check_logics(seed: int) -> str:
    """A logic on operands with random rows."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    batch, out, middle, inner = ([rng.randint(1, 3) for _ in range(rng.randint(0, 2))] for _ in range(4))
    logic = rng.choice([".", "@", "T"])
    a = numbers.standard_normal([*batch, *out, *middle])
    left = sw.rows(sw.Tensor(a), batch=len(batch), input=len(middle))
    many, few = len(batch), len(out)
    if logic == "T":
        order = [*range(many), *range(many + few, a.ndim), *range(many, many + few)]
        found, expected = sw.einsum("T", left), a.transpose(order)
    elif logic == ".":
        found, expected = sw.einsum(".", left, left), a * a
    else:
        b = numbers.standard_normal([*batch, *middle, *inner])
        found = sw.einsum("@", left, sw.rows(sw.Tensor(b), batch=many, input=len(inner)))
        # NumPy's tensordot has no batch axes.
        parts = [np.tensordot(a[at], b[at], axes=len(middle)) for at in np.ndindex(*batch)]
        expected = np.reshape(parts, [*batch, *out, *inner])
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9, atol=1e-12, err_msg=f"seed {seed}: {logic}, {a.shape}")
    return logic


def check_rows(seed: int, limit: float = LIMIT) -> str:
    """Check that a system of row variables fits, or raises an error that names the specification, within `limit` seconds."""
    from stepwell.frontend.jit import traced_for

    rng = random.Random(seed)
    rows = ["".join(["ij"[: rng.choice([0, 0, 0, 1, 2])], rng.choice(["..a..", "..b..", "..."])]) for _ in range(9)]
    if rng.random() < 0.7:  # a result with rows of the operands
        rows[6:] = rng.choices(rows[:6], k=3)
    shapes = [f"{rows[k]}|{rows[k + 1]}->{rows[k + 2]}" for k in (0, 3, 6)]
    text = f"{shapes[0]}; {shapes[1]} => {shapes[2]}"
    values = [np.ones([rng.choice([1, 2, 2, 2]) for _ in range(rng.randint(0, 6))]) for _ in range(2)]
    counts = [(rng.randint(0, each.ndim // 2), rng.randint(0, each.ndim // 2)) for each in values]

    def model(*xs: Any) -> Any:
        return sw.einsum(text, *(sw.rows(x, batch=a, input=b) for x, (a, b) in zip(xs, counts, strict=True)))

    def infer() -> tuple[str, float]:
        start, outcome = time.process_time(), "fit"
        try:
            traced_for(model, values, {}, locations=False)
        except sw.ShapeError as error:
            assert text in str(error), error
            outcome = "do not fit"
        return outcome, time.process_time() - start

    outcome, spent = infer()
    if spent >= limit:  # once more, without first imports and garbage collection for other programs
        outcome, spent = infer()
    assert spent < limit, f"seed {seed}: '{text}' took {spent * 1e3:.0f} ms"
    return outcome


def check_rule(seed: int) -> str:
    """A shape rule."""
    case = shape_rules.random_case(random.Random(seed))
    shape_rules.check(case)
    return "fit" if shape_rules.expected(case) is not None else "do not fit"


def check_orders(seed: int) -> str:
    """An elementwise function of inputs of ranks 0 to 5, in both orders."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    sizes = [rng.randint(1, 3) for _ in range(5)]
    ranks = [rng.randint(0, 5) for _ in range(rng.randint(1, 3))]
    xs = [numbers.standard_normal(sizes[:rank]) for rank in ranks]
    xs = [np.asfortranarray(x) if rng.random() < 0.5 else x for x in xs]
    modes = [rng.choice(["broadcast", ("accumulate", rng.choice(["add", "mul", "max", "min"]))]) for _ in range(2)]

    def of(order: str) -> Callable[..., Any]:
        return lambda *xs: sw.elemwise(lambda *each: (sum(each), each[0] - each[-1]), *xs, order=order, modes=modes)

    found = _interpreted(of("c"))(*xs)
    for one, other in zip(found, _interpreted(of("f"))(*(x.T for x in xs)), strict=True):
        # Sums over several axes are added in another order.
        np.testing.assert_allclose(one, other.T, rtol=1e-12, atol=1e-12, err_msg=f"seed {seed}: ranks {ranks}, modes {modes}")
    return f"rank {max(ranks)}"


def _interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    return sw.jit(function, target="interpret")


CHECKS: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {"einsum": check_einsum, "logics": check_logics, "rules": check_rule, "rows": check_rows, "orders": check_orders}
)


def main() -> int:
    """Run the command. Returns 1 if there are differences, which are printed with their seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000, help="how many programs of each kind (default: 5000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; programs have consecutive ones (default: 0)")
    parser.add_argument("--only", choices=CHECKS, help="one kind")
    arguments = parser.parse_args()
    failed = 0
    for name in [arguments.only] if arguments.only else CHECKS:
        outcomes: Counter[str] = Counter()
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            try:
                outcomes[CHECKS[name](seed)] += 1
            except Exception as error:
                outcomes["DIFFERENCES"] += 1
                sys.stdout.write(f"{name}, seed {seed}: {type(error).__name__}: {error}\n")
        failed += outcomes["DIFFERENCES"]
        listed = ", ".join(f"{outcome} {number}" for outcome, number in sorted(outcomes.items()))
        sys.stdout.write(f"{name}: {arguments.count} programs: {listed}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
