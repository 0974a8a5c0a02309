"""Loop-level programs as text and their results on the levels below, for tests of schedules.

`results` runs a program by the loop level's interpreter, one iteration after the other; `results_below` runs it by the C
level's interpreter and as C, with vector registers of two sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects import make_context
from ..ir.functions.entry import entry_function
from ..ir.text.parser import parse_module
from ..lowering import all_passes
from ..passes.manager.pass_manager import PassManager
from ..runtime.executable import compile_module
from ..runtime.interpret.loop import run_loops

Array = Any

LANES = 16
REGISTERS = (512, 128)


def memref(size: str, element: str = "f32") -> str:
    """The type of a buffer of `size`, an expression over n."""
    return f"memref<?x{element}, {{shape = #sw.shape<[{size}]>}}>"


def program(body: str, arguments: Mapping[str, str], inputs: int = 1) -> str:
    """A function of one block; `arguments` are names with types, of which the first `inputs` are inputs."""
    listed = ", ".join(f"%{name}: {kind}" for name, kind in arguments.items())
    attributes = f'{{sw.params = ["n"], sw.inputs = {inputs} : i64}}'
    return f"func.func @main({listed}) attributes {attributes} {{\nloop.block {{\n{body}\n}}\nfunc.return\n}}\n"


def over_rows(body: str) -> str:
    """Statements for each index %i below n, in parallel."""
    return f'loop.for "parallel" <() -> (0, n)> step 1 {{\n^rows(%i: index):\n{body}\nloop.yield\n}}\n'


def over_vectors(body: str, lanes: int = LANES) -> str:
    """Statements for each element %l of n vectors; %i is the number of the vector."""
    bounds = f"<(d0) -> (d0 * {lanes}, d0 * {lanes} + {lanes})>"
    return over_rows(f'loop.for "vector" [%i : index] {bounds} step 1 {{\n^lanes(%l: index):\n{body}\nloop.yield\n}}')


def lowered(text: str, vector_bits: int = 512) -> ModuleOp:
    """The program on the C level."""
    ctx = make_context()
    module = parse_module(text, ctx)
    passes = f"loop-defer-unrolling,loop-parallelize,lower-loop-to-cloop{{vector-bits={vector_bits}}}"
    PassManager.parse(passes, ctx, all_passes()).run(module)
    return module


def results(text: str, inputs: Sequence[Array], outputs: Sequence[Array], n: int) -> list[Array]:
    """The results of a program by the loop level's interpreter, in arrays like `outputs`."""
    filled = [np.zeros_like(output) for output in outputs]
    run_loops(entry_function(parse_module(text, make_context())), [*inputs, *filled], {"n": n})
    return filled


def results_below(text: str, inputs: Sequence[Array], outputs: Sequence[Array], n: int) -> dict[str, list[Array]]:
    """The results by the C level's interpreter and by C, for each size of registers. A program must write every element: C gets
    uninitialised outputs."""
    found: dict[str, list[Array]] = {}
    for bits in REGISTERS:
        module = lowered(text, bits)
        filled = [np.zeros_like(output) for output in outputs]
        run_loops(entry_function(module), [*inputs, *filled], {"n": n})
        found[f"cloop, {bits} bits"] = filled
        found[f"C, {bits} bits"] = compile_module(module).program.run(inputs, [n])
    return found
