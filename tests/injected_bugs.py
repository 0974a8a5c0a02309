"""`python -m tests.injected_bugs`: how often `stepwell reduce` and `stepwell bisect` find bugs that are injected.

    reduce   random programs of 200 operations, and a pass that fails where one certain function follows another: how many
             operations are left
    bisect   a program, and a pass of the target's pipeline, chosen at random, that makes operations wrong besides its work:
             whether that pass is named

The exit status is 1 if more than ten operations are left of a program, or another pass is named.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from stepwell.dialects import cloop, loop, make_context
from stepwell.dialects.uop import MapOp
from stepwell.ir.nesting import operations
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import TABLES
from stepwell.passes.manager.pipeline import Nest
from stepwell.passes.manager.registry import OperationPass, Registry
from stepwell.tools.fuzz.random_programs import Generator
from stepwell.tools.progress import progress
from stepwell.tools.reduce.bisect import Bisection
from stepwell.tools.reduce.outcomes import Arguments, expected_of, failure_of
from stepwell.tools.reduce.reducer import Reducer, size
from stepwell.tools.reduce.skipping import Skipping
from xdsl.context import Context
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

OPERATIONS, MOST = 200, 10
PROGRAM = """func.func @f(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.map "add"(%x, %x) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> REST
  %1 = uop.map "mul"(%0, %x) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> REST
  %2 = uop.reduce "add" %1 axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %2 : tensor<?xf32, #sw.shape<[n]>>
}
""".replace("REST", "tensor<?x?xf32, #sw.shape<[n, m]>>")


@dataclass(frozen=True)
class CrashOn(OperationPass):
    """Fails if one scalar function is applied to the result of another."""

    name = "test-crash-on"
    first: str = ""
    second: str = ""

    def apply_to(self, ctx: Context, op: Operation) -> None:
        assert (self.first, self.second) not in pairs_of(op), "a pair"


def pairs_of(module: Operation) -> list[tuple[str, str]]:
    """The pairs of functions of two maps, the second of which takes the first one's result."""
    maps = [op for op in operations(module) if isinstance(op, MapOp)]
    return [
        (value.owner.function.data, op.function.data) for op in maps for value in op.operands if isinstance(value.owner, MapOp)
    ]


def reduced(seed: int) -> tuple[int, int]:
    """The number of operations of a random program with an injected crash, before and after reduction."""
    program = next(each for k in range(50) if pairs_of((each := Generator(seed * 100 + k, OPERATIONS).make()).module))
    first, second = random.Random(seed).choice(pairs_of(program.module))
    fault = failure_of(Nest("builtin.module", (CrashOn(first, second),)), make_context())
    assert fault(program.module) is not None, "the bug was injected"
    return size(program.module), size(Reducer(lambda module: fault(module) is not None).reduce(program.module))


@contextmanager
def wrong_pass(kind: type[OperationPass]) -> Iterator[list[str]]:
    """Let a pass turn all multiplications of floats to maxima after its work. Yields the names of these operations."""
    method = "apply_to" if issubclass(kind, OperationPass) else "apply"
    work: Callable[..., None] = getattr(kind, method)
    done: list[str] = []

    def wrong(self: Any, ctx: Context, op: Operation) -> None:
        work(self, ctx, op)
        for each in operations(op):
            is_wanted = isinstance(each, MapOp | loop.ComputeOp | cloop.ComputeOp) and each.function.data == "mul"
            if is_wanted and any(dtype in str(each.results[0].type) for dtype in ("f32", "f64")):
                each.properties["function"] = StringAttr("max")
                done.append(each.name)

    setattr(kind, method, wrong)
    try:
        yield done
    finally:
        setattr(kind, method, work)


def bisected(seed: int) -> tuple[str, list[str]]:
    """The pass that was made wrong, and the output of bisection."""
    registry, arguments = Registry(TABLES), Arguments(None, {})
    module = parse_module(PROGRAM, make_context(), "program.mlir")
    skipping = Skipping(module, "cpu", registry, Nest("builtin.module", ()))
    expected = expected_of(module, arguments)
    skipping.compiled(lambda number: True)
    # A pass that runs several times would be wrong each time: the first is named.
    names = list(dict.fromkeys(skipping.names))
    random.Random(seed).shuffle(names)
    for name in names:
        kind: Any = registry.find(name)
        with wrong_pass(kind) as done:
            skipping.compiled(lambda number: True)
            if done:
                return name, Bisection(skipping, arguments, expected).run()
    raise AssertionError("some pass has an operation to make wrong")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.injected_bugs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=20, help="how many bugs of each kind (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first (default 0)")
    arguments = parser.parse_args(argv)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    left, named = 0, 0
    with progress("bugs", 2 * len(seeds)) as shown:
        for seed in seeds:
            before, after = reduced(seed)
            left += after <= MOST
            shown.say(f"seed {seed}: {before} operations reduced to {after}")
            shown.advance()
        for seed in seeds:
            name, lines = bisected(seed)
            named += len(lines) > 1 and f": {name}: " in lines[1]
            shown.say(f"seed {seed}: '{name}' was made wrong; {lines[1] if len(lines) > 1 else lines[0]}")
            shown.advance()
    print(f"{left} of {len(seeds)} reduced to at most {MOST} operations; the pass is named in {named} of {len(seeds)}")
    return 0 if left == named == len(seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
