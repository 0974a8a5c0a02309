"""Random specifications of generalised einsum with their operands, and their meaning by brute force, from the notation."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

Array = Any
FUNCTIONS = MappingProxyType({"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum})
NEUTRAL = MappingProxyType({"add": 0.0, "mul": 1.0, "max": -np.inf, "min": np.inf})
LABELS = "ijkl"


@dataclass(frozen=True)
class Fixed:
    """A fixed index."""

    at: int

    def __str__(self) -> str:
        return str(self.at)


@dataclass(frozen=True)
class Window:
    """A sum of labels times factors; of a padded one, `extent` is the size of the axis."""

    terms: tuple[tuple[int, str], ...]
    padded: bool = False
    extent: int = 0

    def __str__(self) -> str:
        return ("=+" if self.padded else "+").join(f"{factor}*{label}" if factor > 1 else label for factor, label in self.terms)


@dataclass(frozen=True)
class Loaded:
    """The index that an operand supplies, for an axis of a size."""

    operand: int
    extent: int

    def __str__(self) -> str:
        return f"[{self.operand}]"


@dataclass(frozen=True)
class Blocks:
    """`a^b`: in an operand, the part of its first label; the size of the second label is in `sizes`. In a result, the blocks of
    all operands with one of the labels."""

    labels: tuple[str, ...]

    def __str__(self) -> str:
        return "^".join(self.labels)


Axis: TypeAlias = "Fixed | Window | Loaded | Blocks"


class RandomEinsum:
    """A specification, its operands and options; `text`, `arrays`, `op`, `accum`, `sizes`, and `floats`, the operands that are
    not indices."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.sizes_of = {label: self.rng.randint(1, 3) for label in (*LABELS, "q")}
        self.sizes: dict[str, int] = {}
        self.op, self.accum = self.rng.choice(["mul", "add", "max"]), self.rng.choice(["add", "add", "mul", "max", "min"])
        self.indices: dict[int, int] = {}
        count = self.rng.randint(1, 3)
        self.loaded = count + 1 if self.rng.random() < 0.3 else None  # after the operand with a plain axis for each label
        self.operands: list[list[Axis]] = [[self._axis() for _ in range(self.rng.randint(1, 3))] for _ in range(count)]
        loading = self.rng.sample(LABELS, self.rng.randint(1, 2)) if self.loaded is not None else []
        used = sorted({*loading, *(label for axes in self.operands for axis in axes for label in labels_of(axis))})
        # Every label has a plain axis, so that windows do not have to determine sizes.
        self.operands.append([Window(((1, label),)) for label in used])
        if self.loaded is not None:
            self.operands.append([Window(((1, label),)) for label in loading])
        self.result = self._result(used)
        numbers = np.random.default_rng(seed)
        self.arrays = [
            numbers.integers(0, self._reach(), self._shape(axes))
            if k == self.loaded
            else numbers.standard_normal(self._shape(axes))
            for k, axes in enumerate(self.operands)
        ]
        self.floats = [k for k in range(len(self.operands)) if k != self.loaded]

    def _axis(self) -> Axis:
        kind = self.rng.random()
        if kind < 0.12:
            return Fixed(self.rng.randint(0, 2))
        if kind < 0.24 and self.loaded is not None:
            return Loaded(self.loaded, self._reach())
        first, second = self.rng.sample(LABELS, 2)
        if kind < 0.4:
            return Window(((self.rng.randint(1, 3), first), (self.rng.randint(1, 3), second)))
        if kind < 0.5:
            factor = self.rng.randint(1, 3)
            most = factor * self.sizes_of[first]
            extent = self.rng.randint(most - factor + 1, most)
            return Window(((factor, first), (self.rng.randint(1, 2), second)), True, extent)
        if kind < 0.57:
            rest = "mnoprstuvw"[len(self.sizes)]  # a label of its own, so that the first one's part is meant
            self.sizes[rest] = self.sizes_of[rest] = self.rng.randint(1, 3)
            return Blocks((first, rest))
        return Window(((1, first),))

    def _result(self, used: Sequence[str]) -> list[Axis]:
        found: list[Axis] = [Window(((1, label),)) for label in self.rng.sample(used, self.rng.randint(0, len(used)))]
        if self.rng.random() < 0.2:
            found.append(Fixed(self.rng.randint(0, 2)))
        if found and self.rng.random() < 0.15:
            found.append(found[0])
        reads = any(isinstance(axis, Loaded) for axes in self.operands for axis in axes)
        if self.loaded is not None and (not reads or self.rng.random() < 0.3):
            self.sizes[f"[{self.loaded}]"] = self._reach()
            found.append(Loaded(self.loaded, self._reach()))
        return found

    def _reach(self) -> int:
        return self.sizes_of["q"]

    def _shape(self, axes: Sequence[Axis]) -> list[int]:
        return [self._extent(axis) for axis in axes]

    def _extent(self, axis: Axis) -> int:
        match axis:
            case Fixed():
                return axis.at + 1
            case Loaded():
                return axis.extent
            case Blocks():
                return sum(self.sizes_of[label] for label in axis.labels)
            case Window():
                reach = sum(factor * (self.sizes_of[label] - 1) for factor, label in axis.terms) + 1
                return axis.extent if axis.padded else reach

    @property
    def text(self) -> str:
        sides = [" ".join(map(str, axes)) for axes in (*self.operands, self.result)]
        return f"{'; '.join(sides[:-1])} => {sides[-1]}"

    def brute_force(self, arrays: Sequence[Array]) -> Array:
        """The result, one element after the other."""
        result = np.full(self._shape(self.result), NEUTRAL[self.accum])
        for at in self._points():
            reads = [self._read(arrays, k, at) for k in self.floats]
            if any(each is None for each in reads):
                continue
            value = reads[0]
            for each in reads[1:]:
                value = FUNCTIONS[self.op](value, each)
            target = tuple(self._place(axis, arrays, at) for axis in self.result)
            result[target] = FUNCTIONS[self.accum](result[target], value)
        return result

    def _points(self) -> Iterator[Mapping[str, int]]:
        labels = sorted({label for axes in self.operands for axis in axes for label in labels_of(axis)})
        for point in itertools.product(*(range(self.sizes_of[label]) for label in labels)):
            yield dict(zip(labels, point, strict=True))

    def _read(self, arrays: Sequence[Array], k: int, at: Mapping[str, int]) -> Any:
        """The element of an operand; None outside of a padded window."""
        places = [self._place(axis, arrays, at) for axis in self.operands[k]]
        inside = all(0 <= place < size for place, size in zip(places, arrays[k].shape, strict=True))
        return arrays[k][tuple(places)] if inside else None

    def _place(self, axis: Axis, arrays: Sequence[Array], at: Mapping[str, int]) -> int:
        match axis:
            case Fixed():
                return axis.at
            case Loaded():
                return int(arrays[axis.operand][tuple(at[axis.labels[0]] for axis in self._plain(axis.operand))])
            case Blocks():
                return at[axis.labels[0]]
            case Window():
                total = sum(factor * at[label] for factor, label in axis.terms)
                factor, label = axis.terms[-1]
                # If the number of added cells is odd, there is one more at the end.
                return total - (factor * (self.sizes_of[label] - 1) // 2 if axis.padded else 0)

    def _plain(self, k: int) -> list[Any]:
        return [Blocks(tuple(labels_of(axis))) for axis in self.operands[k]]


def labels_of(axis: Axis) -> Sequence[str]:
    """The labels over which an axis is read."""
    match axis:
        case Window():
            return [label for _, label in axis.terms]
        case Blocks():
            return axis.labels[:1]
        case _:
            return []


@dataclass(frozen=True)
class RandomBlocks:
    """A result of blocks, `a^b c^d`: each operand has one label of each pair, or neither of the second."""

    text: str
    arrays: tuple[Array, ...]
    accum: str
    expected: Array

    @staticmethod
    def of(seed: int) -> RandomBlocks:
        rng, numbers = random.Random(seed), np.random.default_rng(seed)
        sizes = {label: rng.randint(1, 3) for label in "abcde"}
        accum = rng.choice(list(NEUTRAL))
        pairs = ["ab", "cd"][: rng.randint(1, 2)]
        # For each label of the first pair an operand, so that all sizes are known; then some more.
        choices = [[first, *(rng.choice(pair) for pair in pairs[1:])] for first in (*pairs[0], *rng.choices(pairs[0], k=1))]
        covered = {label for each in choices for label in each}
        choices += [[rng.choice(pairs[0]), label] for label in "".join(pairs[1:]) if label not in covered]
        summed = rng.random() < 0.5
        shapes = [[*each, *(["e"] if summed else [])] for each in choices]
        arrays = tuple(numbers.standard_normal([sizes[label] for label in each]) for each in shapes)
        result = np.full([sum(sizes[label] for label in pair) for pair in pairs], NEUTRAL[accum])
        for labels, array in zip(choices, arrays, strict=True):
            starts = [0 if label == pair[0] else sizes[pair[0]] for label, pair in zip(labels, pairs, strict=True)]
            for at in np.ndindex(array.shape):
                place = tuple(start + k for start, k in zip(starts, at, strict=False))
                result[place] = FUNCTIONS[accum](result[place], array[at])
        text = f"{'; '.join(' '.join(each) for each in shapes)} => {' '.join('^'.join(pair) for pair in pairs)}"
        return RandomBlocks(text, arrays, accum, result)
