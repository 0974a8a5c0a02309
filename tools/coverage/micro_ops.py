"""The cases of the coverage table for micro-ops, which tests run too: each micro-op in each of its forms.

`program` gives the text of cases for one dtype; `arguments` gives arrays for it. The oracle is the interpreter of micro-ops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...ir.types.dtypes import DTYPES, dtype

Array = np.ndarray[Any, Any]

# The dtypes that programs compute with.
ALL = tuple(name for name, element in DTYPES.items() if not element.is_stored_only)
NUMBERS = tuple(name for name in ALL if name != "bool")
FLOATS = tuple(name for name in ALL if dtype(name).is_float)
BITS = tuple(name for name in ALL if not dtype(name).is_float)

S = "#sw.shape<[n, m]>"
T, U = "tensor<?x?x{t}, #sw.shape<[n, m]>>", "tensor<?x?x{t}, #sw.shape<[m, n]>>"
ROW, COLUMN = "tensor<?x{t}, #sw.shape<[n]>>", "tensor<?x{t}, #sw.shape<[m]>>"
TRUTH, WIDE, INDEX = f"tensor<?x?xi1, {S}>", f"tensor<?x?xf32, {S}>", f"tensor<?x?xi64, {S}>"
BY_INDEX = "<(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0, d1)>]"

# Carries x * s + y, and returns the value carried before; the result is the sum of both.
FOLD = f"""%w = uop.constant {{one}} : {ROW}
%c, %t = uop.fold (%x, %y : {T}, {T}) from (%w : {ROW}) axis 1 reverse {{reverse}} -> {ROW}, {T} {{
^bb0(%a: tensor<{{t}}>, %b: tensor<{{t}}>, %d: tensor<{{t}}>):
  %e = uop.map "mul"(%a, %b) : (tensor<{{t}}>, tensor<{{t}}>) -> tensor<{{t}}>
  %f = uop.map "add"(%e, %d) : (tensor<{{t}}>, tensor<{{t}}>) -> tensor<{{t}}>
  uop.yield %f, %a : tensor<{{t}}>, tensor<{{t}}>
}}
%u = uop.reindex %c <(d0, d1) -> (d0)> : ({ROW}) -> {T}
%r = uop.map "add"(%t, %u) : ({T}, {T}) -> {T}"""

# The same recurrence along the rows, with a whole row in each step.
ITERATE = f"""%w = uop.constant {{one}} : {COLUMN}
%c, %t = uop.iterate (%w : {COLUMN}) over (%x, %y : {T}, {T}) with () times <() -> (n)> reverse {{reverse}} -> {COLUMN}, {T} {{
^bb0(%a: {COLUMN}, %b: {COLUMN}, %d: {COLUMN}):
  %e = uop.map "mul"(%a, %b) : ({COLUMN}, {COLUMN}) -> {COLUMN}
  %f = uop.map "add"(%e, %d) : ({COLUMN}, {COLUMN}) -> {COLUMN}
  uop.yield %f, %a : {COLUMN}, {COLUMN}
}}
%u = uop.reindex %c <(d0, d1) -> (d1)> : ({COLUMN}) -> {T}
%r = uop.map "add"(%t, %u) : ({T}, {T}) -> {T}"""

# The dtypes that accumulators take; the others take numbers.
TAKEN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"set": ALL, "max": ALL, "min": ALL, "and": BITS, "or": BITS, "xor": BITS}
)

# name -> (dtypes, body); %x and %y are n x m, %k is n x m of i64 in [0, m), and %r is returned.
CASES: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "constant": (ALL, f"%r = uop.constant {{one}} : {T}"),
        "iota": (ALL, f"%r = uop.iota 1 : {T}"),
        "map": (ALL, f'%r = uop.map "{{combine}}"(%x, %y) : ({T}, {T}) -> {T}'),
        "select": (
            ALL,
            f'%c = uop.map "eq"(%x, %y) : ({T}, {T}) -> {TRUTH}\n'
            f'%r = uop.map "select"(%c, %x, %y) : ({TRUTH}, {T}, {T}) -> {T}',
        ),
        "cast to float32": (ALL, f"%w = uop.cast %x : {T} -> {WIDE}\n%r = uop.cast %w : {WIDE} -> {T}"),
        "transpose": (
            ALL,
            f"%t = uop.reindex %x <(d0, d1) -> (d1, d0)> : ({T}) -> {U}\n"
            f"%r = uop.reindex %t <(d0, d1) -> (d1, d0)> : ({U}) -> {T}",
        ),
        "flip": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (n - d0 - 1, m - d1 - 1)> : ({T}) -> {T}"),
        "shift with fill": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (d0 - 1, d1 + 2)> fill {{one}} : ({T}) -> {T}"),
        "guard": (
            ALL,
            f"%r = uop.reindex %x <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d0 - d1)> fill {{one}} : ({T}) -> {T}",
        ),
        "gather": (ALL, f"%r = uop.reindex %x {BY_INDEX} : ({T}, {INDEX}) -> {T}"),
        **{
            f"reduce {kind}": (TAKEN.get(kind, NUMBERS), f'%r = uop.reduce "{kind}" %x axes [1] : {T} -> {ROW}')
            for kind in ("add", "mul", "max", "min")
        },
        **{
            f"reduce {kind}": (BITS, f'%r = uop.reduce "{kind}" %x axes [0] : {T} -> {COLUMN}') for kind in ("and", "or", "xor")
        },
        "reduce logaddexp": (FLOATS, f'%r = uop.reduce "logaddexp" %x axes [0, 1] : {T} -> tensor<{{t}}>'),
        **{
            kind: (ALL, f'%r = uop.reduce "{kind}" %x axes [1] : {T} -> tensor<?xi64, #sw.shape<[n]>>')
            for kind in ("argmax", "argmin")
        },
        **{
            f"scan {kind}{' reverse' if reverse == 'true' else ''}{' exclusive' if exclusive == 'true' else ''}": (
                TAKEN.get(kind, NUMBERS),
                f'%r = uop.scan "{kind}" %x axis 1 reverse {reverse} exclusive {exclusive} : {T} -> {T}',
            )
            for kind in ("add", "max", "mul")
            for reverse in ("false", "true")
            for exclusive in ("false", "true")
        },
        **{
            f"recurrence{' reverse' if reverse == 'true' else ''}": (
                NUMBERS,
                f"%r = uop.recurrence %x, %y axis 1 reverse {reverse} : {T}",
            )
            for reverse in ("false", "true")
        },
        **{
            f"fold{' reverse' if reverse == 'true' else ''}": (NUMBERS, FOLD.replace("{reverse}", reverse))
            for reverse in ("false", "true")
        },
        **{
            f"iterate{' reverse' if reverse == 'true' else ''}": (NUMBERS, ITERATE.replace("{reverse}", reverse))
            for reverse in ("false", "true")
        },
        "interleave": (
            ALL,
            f"%t = uop.interleave (%x, %y) : ({T}, {T}) -> tensor<?x{{t}}, #sw.shape<[2 * n * m]>>\n"
            f"%r = uop.reindex %t <(d0, d1) -> (d0 * m + d1)> : (tensor<?x{{t}}, #sw.shape<[2 * n * m]>>) -> {T}",
        ),
        "fence": (ALL, f"%r = uop.fence %x after (%y : {T}) : {T}"),
        **{
            f"scatter {kind}": (
                TAKEN.get(kind, NUMBERS),
                f'%r = uop.scatter "{kind}" %x %y {BY_INDEX} bounds "error" : ({T}, {T}, {INDEX}) -> {T}',
            )
            for kind in ("set", "add", "mul", "max", "min", "and", "or")
        },
        **{
            f"scatter recurrence{' reverse' if reverse == 'true' else ''}": (
                NUMBERS,
                f'%c, %t = uop.scatter_recurrence %x, %x, %y {BY_INDEX} bounds "error" reverse {reverse} : '
                f"({T}, {T}, {T}, {INDEX}) -> ({T}, {T})\n"
                f'%r = uop.map "add"(%c, %t) : ({T}, {T}) -> {T}',
            )
            for reverse in ("false", "true")
        },
    }
)


def program(cases: Sequence[str], name: str) -> str:
    """The text of a function that runs the cases on one dtype and returns the result of each."""
    kind = _typed(T, name)
    bodies, results, types = [], [], []
    for number, case in enumerate(cases):
        body = _typed(CASES[case][1], name)
        last = body.rpartition("\n")[2]
        types.append(last.rpartition("->" if "->" in last.partition(" : ")[2] else " : ")[2].strip())
        bodies.append(re.sub(r"%([rtcwu])\b", rf"%\g<1>{number}", body))
        results.append(f"%r{number}")
    listed = ", ".join(types)
    return (
        f"func.func @f(%x: {kind}, %y: {kind}, %k: {INDEX}) -> ({listed}) {{\n"
        + "\n".join(bodies)
        + f"\nfunc.return {', '.join(results)} : {listed}\n}}"
    )


def _typed(text: str, name: str) -> str:
    """The text with its placeholders filled in for a dtype."""
    element = dtype(name)
    one = f"1.0 : {element.short}" if element.is_float else "true" if name == "bool" else f"1 : {element.type}"
    combine = "xor" if name == "bool" else "sub"
    return text.replace("{t}", str(element.type)).replace("{one}", one).replace("{combine}", combine)


def arguments(name: str, shape: tuple[int, int], seed: int) -> list[Array]:
    """x, y and k of a shape: small numbers, a NaN among the floats, and indices of columns."""
    generator = np.random.default_rng(seed)
    element = dtype(name)
    low, high = (0, 2) if name in ("bool", "uint8") else (-2, 3)
    values = [
        np.asarray(generator.integers(low, high, shape) / (2 if element.is_float else 1)).astype(element.numpy)
        for _ in range(2)
    ]
    if element.is_float and 0 not in shape:
        values[0][-1, -1] = np.nan
    return [*values, generator.integers(0, max(1, shape[1]), shape)]
