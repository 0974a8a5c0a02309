"""Inference of a rule: the sizes of the results from those of the arguments, and all violations.

1. Names with values given by the caller, and bindings that need only these names, have a value before any argument is read.
2. Arguments are read in order: the first one that has a name determines its size, and all others are compared with that. `~`
   and `...` are collected.
3. `~` is compared across the arguments, `...` is broadcast.
4. The remaining bindings are evaluated and compared with the sizes read.
5. The results are the subscripts on the right with all values put in.

Each violation is kept, and the next step continues with the first value of a name, so that all violations are found. Sizes that
cannot be read, and violations that follow from earlier ones, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..index.expressions import Index, index, param
from .grammar import BROADCAST, EQUAL, ArrayPattern, Binding, Grammar, Shape, Symbol, ordered_bindings
from .reports import Violation, Violations, name_of, value_text
from .sizes import Unifier, shape_text, text_of
from .terms import (
    Extremum,
    Listed,
    Name,
    Number,
    Operation,
    Term,
    TermError,
    Undetermined,
    Value,
    entries_of,
    evaluate,
)


class Slot(NamedTuple):
    """One axis of a pattern: a name, an entry of a list's name, or a number."""

    name: str | None
    entry: int | None = None
    number: int | None = None


class Solved(NamedTuple):
    """The shapes of the results, and the values of all names."""

    outputs: tuple[Shape, ...]
    values: Mapping[str, Value]


def solve(grammar: Grammar, shapes: Sequence[Shape], given: Mapping[str, Value], unifier: Unifier) -> Solved:
    """The results' shapes for arguments of these shapes, with these values of names. Raises Violations."""
    return _Inference(grammar, shapes, given, unifier).run()


class _Inference:
    def __init__(self, grammar: Grammar, shapes: Sequence[Shape], given: Mapping[str, Value], unifier: Unifier):
        self.grammar, self.shapes, self.given, self.unifier = grammar, shapes, given, unifier
        self.bindings = {each.name: each for each in grammar.bindings}
        self.ordered = ordered_bindings(grammar)
        self.declared: dict[str, Value] = dict(given)
        # For each slot, its size and the number of the first argument that has it.
        self.seen: dict[Slot, tuple[Index, int]] = {}
        self.leading: dict[int, Shape] = {}
        self.shared: Shape | None = None
        self.shares = any(each.leading is not None for each in grammar.outputs)
        self.violations: dict[object, Violation] = {}
        # Names without further reports of violations: their arguments could not be read.
        self.unread: set[str] = set()

    def run(self) -> Solved:
        self._declare()
        self._read_arguments()
        self._agree_on_leading()
        self._check_bindings()
        outputs = [self._output(number, pattern) for number, pattern in enumerate(self.grammar.outputs)]
        if self.violations:
            expected = [self._expected(number, each) for number, each in enumerate(self.grammar.inputs)]
            found = [self._resolved(each) for each in expected]
            made = [self._resolved(each) for each in outputs]
            raise Violations(self.grammar, self.shapes, list(self.violations.values()), found, made)
        solved = tuple(
            tuple(self.unifier.resolve(size) for size in each if size is not None) for each in outputs if each is not None
        )
        return Solved(solved, self._values())

    # 1. Values before any argument is read.

    def _declare(self) -> None:
        for binding in self.ordered:
            try:
                value = evaluate(binding.term, self._initial)
            except Undetermined:
                continue
            except TermError as error:
                self._cannot_evaluate(binding, error)
                continue
            own = self.given.get(binding.name)
            if own is not None and not self._equal(own, value):
                self._contradicts(binding.name, value, own, ())
            self.declared[binding.name] = value

    def _initial(self, name: str) -> Value:
        if name not in self.declared:
            raise Undetermined(name)
        return self.declared[name]

    # 2. The arguments.

    def _read_arguments(self) -> None:
        patterns = self.grammar.inputs
        if len(self.shapes) != len(patterns):
            wanted = f"{len(patterns)} argument{'s' if len(patterns) != 1 else ''}"
            names = f" ({', '.join(map(str, patterns))})" if patterns else ""
            message = f"expected {wanted}{names}, got {len(self.shapes)}"
            hint = "leave out the last ones" if len(self.shapes) > len(patterns) else "give the missing ones"
            self.violations["count"] = Violation(message, None, str(len(patterns)), str(len(self.shapes)), suggestion=hint)
            self.unread.update(s for each in patterns[len(self.shapes) :] for s in self._names(each))
        for number, (pattern, shape) in enumerate(zip(patterns, self.shapes, strict=False)):
            self._read(number, pattern, shape)

    def _read(self, number: int, pattern: ArrayPattern, shape: Shape) -> None:
        slots = self._slots(pattern)
        lead = len(shape) - len(slots)
        if lead < 0 or (lead and pattern.leading is None):
            least = "at least " if pattern.leading is not None else ""
            wanted = f"{least}{len(slots)} {'axis' if len(slots) == 1 else 'axes'}"
            name = name_of(self.grammar.inputs, number, "argument")
            message = f"{name}: expected {wanted} for {pattern}, got {len(shape)} in {shape_text(shape)}"
            self.violations["rank", number] = Violation(message, None, wanted, str(len(shape)), [number])
            self.unread.update(self._names(pattern))
            return
        if pattern.leading is not None:
            self.leading[number] = shape[:lead]
        for slot, size in zip(slots, shape[lead:], strict=True):
            self._observe(number, slot, size)

    def _observe(self, number: int, slot: Slot, size: Index) -> None:
        if slot.name is None:
            assert slot.number is not None
            if not self.unifier.unify(index(slot.number), size):
                self._differs(str(slot.number), index(slot.number), None, size, number)
            return
        declared = self.declared.get(slot.name)
        if declared is not None:
            wanted = entries_of(declared)[slot.entry or 0]
            if not self.unifier.unify(wanted, size):
                self._contradicts(slot.name, wanted, size, (number,))
            return
        first = self.seen.get(slot)
        if first is None:
            self.seen[slot] = (size, number)
        elif not self.unifier.unify(first[0], size):
            self._differs(slot.name, first[0], first[1], size, number)

    def _slots(self, pattern: ArrayPattern) -> list[Slot]:
        slots: list[Slot] = []
        for each in pattern.subscripts:
            if not isinstance(each, Symbol):
                slots.append(Slot(None, None, each))
                continue
            length = self._length(Name(each.name, each.position))
            slots += [Slot(each.name)] if length is None else [Slot(each.name, entry) for entry in range(length)]
        return slots

    def _length(self, term: Term) -> int | None:
        """The number of entries of a list; None for a size. It never depends on the arguments."""
        match term:
            case Number() | Extremum():
                return None
            case Listed(entries):
                lengths = [self._length(entry) for entry in entries]
                return sum(1 if length is None else length for length in lengths)
            case Operation(_, left, right):
                one, other = self._length(left), self._length(right)
                return other if one is None else one
            case Name(name):
                known = self.declared.get(name)
                if known is not None:
                    return len(known) if isinstance(known, tuple) else None
                return self._length(self.bindings[name].term) if name in self.bindings else None

    # 3. Leading sizes.

    def _agree_on_leading(self) -> None:
        given = self.declared.get(EQUAL, self.declared.get(BROADCAST))
        self.shared = entries_of(given) if given is not None else None
        if not self.shares:
            return
        first: int | None = None
        for number, sizes in self.leading.items():
            pattern = self.grammar.inputs[number].leading
            assert pattern is not None
            if self.shared is None:
                self.shared, first = sizes, number
            elif pattern.name == BROADCAST:
                self._broadcast(number, sizes)
            elif len(sizes) != len(self.shared) or not all(
                self.unifier.unify(a, b) for a, b in zip(self.shared, sizes, strict=True)
            ):
                self._leading_differs(pattern.name, first, number, sizes)

    def _broadcast(self, number: int, sizes: Shape) -> None:
        assert self.shared is not None
        result: list[Index] = [*[index(1)] * (len(sizes) - len(self.shared)), *self.shared]
        for axis, size in enumerate(sizes, start=len(result) - len(sizes)):
            known = self.unifier.resolve(result[axis])
            if known == 1:
                result[axis] = size
            elif self.unifier.resolve(size) != 1 and not self.unifier.unify(known, size):
                self._leading_differs(BROADCAST, None, number, sizes, known, size)
        self.shared = tuple(result)

    def _leading_differs(
        self, name: str, first: int | None, number: int, sizes: Shape, left: Index | None = None, right: Index | None = None
    ) -> None:
        assert self.shared is not None
        shared = [self.unifier.resolve(size) for size in self.shared]
        if left is None and len(sizes) == len(shared):
            pairs = zip(shared, map(self.unifier.resolve, sizes), strict=True)
            left, right = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
        this = name_of(self.grammar.inputs, number, "argument")
        more = f"{shape_text(sizes)} for {this}"
        known = self.violations.get(name)
        if known is not None:
            if number not in known.arguments:
                known.message += f" and {more}"
                known.arguments.append(number)
            return
        if name == BROADCAST:
            shapes = " and ".join(shape_text(shape) for shape in self.leading.values())
            message = f"shapes {shapes} do not broadcast: sizes {text_of(left)} and {text_of(right)} differ, got {more}"
        elif first is None:
            message = f"'{name}' should be {shape_text(shared)}, but determined as {more}"
        else:
            by = name_of(self.grammar.inputs, first, "argument")
            message = f"'{name}' is determined as {shape_text(shared)} by {by}, but got {more}"
        self.violations[name] = Violation(message, name, shape_text(shared), shape_text(sizes), [number], "", left, right)

    # 4. Bindings.

    def _check_bindings(self) -> None:
        for binding in self.ordered:
            if binding.name in self.declared:
                continue
            try:
                value = evaluate(binding.term, self._current)
            except Undetermined as error:
                self._undetermined(error.name, f"'{binding}' needs it")
                self.unread.add(binding.name)
                continue
            except TermError as error:
                self._cannot_evaluate(binding, error)
                continue
            for slot, (size, number) in [each for each in self.seen.items() if each[0].name == binding.name]:
                wanted = entries_of(value)[slot.entry or 0]
                if not self.unifier.unify(wanted, size):
                    self._contradicts(binding.name, wanted, size, (number,))
            self.declared[binding.name] = value

    def _current(self, name: str) -> Value:
        found = self._value(name)
        if found is None:
            raise Undetermined(name)
        return found

    def _value(self, name: str) -> Value | None:
        """The value of a name, None while it is not known."""
        if name in self.declared:
            value = self.declared[name]
            return tuple(map(self.unifier.resolve, value)) if isinstance(value, tuple) else self.unifier.resolve(value)
        seen = self.seen.get(Slot(name))
        return self.unifier.resolve(seen[0]) if seen is not None else None

    # 5. Results.

    def _output(self, number: int, pattern: ArrayPattern) -> list[Index | None] | None:
        sizes: list[Index | None] = []
        if pattern.leading is not None:
            if self.shared is None:
                self._undetermined(pattern.leading.name, f"{name_of(self.grammar.outputs, number, 'result')} has it")
                return None
            sizes += self.shared
        for slot in self._slots(pattern):
            size = self._size(slot)
            if size is None:
                assert slot.name is not None
                self._undetermined(slot.name, f"{name_of(self.grammar.outputs, number, 'result')} has it")
            elif size.constant is not None and size.constant < 0:
                self._negative(slot, size, number)
            sizes.append(size)
        return sizes

    def _size(self, slot: Slot) -> Index | None:
        if slot.name is None:
            assert slot.number is not None
            return index(slot.number)
        value = self._value(slot.name)
        if value is not None:
            return entries_of(value)[slot.entry or 0]
        seen = self.seen.get(slot)
        return seen[0] if seen is not None else None

    def _expected(self, number: int, pattern: ArrayPattern) -> list[Index | None] | None:
        """The shape that an argument should have. Sizes that are not known get the names that the rule gives them; None if
        leading sizes are not known."""
        sizes: list[Index | None] = [
            param(slot.name) if (size := self._size(slot)) is None and slot.name else size for slot in self._slots(pattern)
        ]
        if pattern.leading is None:
            return sizes
        own = self.shared if self.shares and pattern.leading.name == EQUAL else self.leading.get(number)
        if pattern.leading.name == BROADCAST and self.shares and BROADCAST in self.violations:
            return None
        return None if own is None else [*own, *sizes]

    def _values(self) -> dict[str, Value]:
        names = (*self.grammar.symbols(), *self.declared)
        values = {name: value for name in names if (value := self._value(name)) is not None}
        if self.shares and self.shared is not None:
            lead = next(each.leading for each in self.grammar.outputs if each.leading is not None)
            assert lead is not None
            values[lead.name] = tuple(map(self.unifier.resolve, self.shared))
        return values

    # Violations.

    def _names(self, pattern: ArrayPattern) -> list[str]:
        names = [each.name for each in pattern.subscripts if isinstance(each, Symbol)]
        return [*names, pattern.leading.name] if pattern.leading is not None else names

    def _equal(self, left: Value, right: Value) -> bool:
        lefts, rights = entries_of(left), entries_of(right)
        if isinstance(left, tuple) != isinstance(right, tuple) or len(lefts) != len(rights):
            return False
        return all(self.unifier.unify(a, b) for a, b in zip(lefts, rights, strict=True))

    def _contradicts(self, name: str, wanted: Value, found: Value, arguments: tuple[int, ...]) -> None:
        """Note that a declared value differs from that of an argument, or of the caller."""
        by = f" by {name_of(self.grammar.inputs, arguments[0], 'argument')}" if arguments else ""
        expected, got = self._text(wanted), self._text(found)
        known = self.violations.get(name)
        if known is not None:
            known.message += f", and as {got}{by}"
            known.arguments += arguments
            return
        message = f"'{name}' should be {expected}, but determined as {got}{by}"
        sizes = (wanted, found) if isinstance(wanted, Index) and isinstance(found, Index) else (None, None)
        self.violations[name] = Violation(message, name, expected, got, list(arguments), "", *sizes)

    def _differs(self, name: str, known: Index, first: int | None, size: Index, number: int) -> None:
        """Note that argument `number` has another size for a name than `known`, which argument `first` gave or, if `first` is
        None, a number in the rule."""
        this, got = name_of(self.grammar.inputs, number, "argument"), self._text(size)
        before = self.violations.get(name)
        if before is not None:
            before.message += f", and {got} for {this}"
            before.arguments.append(number)
            return
        expected = self._text(known)
        by = (
            f"'{name}' is determined as {expected} by {name_of(self.grammar.inputs, first, 'argument')}"
            if first is not None
            else ""
        )
        message = f"{by or f'expected size {expected}'}, but got {got} for {this}"
        self.violations[name] = Violation(message, name if by else None, expected, got, [number], "", known, size)

    def _undetermined(self, name: str, why: str) -> None:
        if name in self.unread or name in self.violations:
            return
        hint = f"give it a value, as {name}=..., or bind it after 'where'"
        self.violations[name] = Violation(
            f"'{name}' cannot be determined: no argument has it, and {why}", name, "", "?", suggestion=hint
        )

    def _cannot_evaluate(self, binding: Binding, error: TermError) -> None:
        self.violations[binding.name] = Violation(f"'{binding}' has no value: {error}", binding.name)
        self.unread.add(binding.name)

    def _negative(self, slot: Slot, size: Index, number: int) -> None:
        name = name_of(self.grammar.outputs, number, "result")
        assert slot.name is not None
        if slot.name not in self.violations:
            message = f"'{slot.name}' is {size}, and {name} cannot have a negative size"
            self.violations[slot.name] = Violation(message, slot.name, "at least 0", str(size))

    def _text(self, value: Value) -> str:
        resolved = tuple(map(self.unifier.resolve, value)) if isinstance(value, tuple) else self.unifier.resolve(value)
        return value_text(resolved)

    def _resolved(self, shape: Sequence[Index | None] | None) -> list[Index | None] | None:
        return None if shape is None else [None if size is None else self.unifier.resolve(size) for size in shape]
