"""Comments that list the users of values, in the form of MLIR's `--mlir-print-value-users`.

    %0 = arith.addi %a, %a : i32 // users: %2, %1
    func.return %0 : i32 // id: %3

An operation without results has an id, from the numbers of values, so that comments can name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import BlockArgument, Operation, SSAValue

# The printed names of values, and the ids of operations without results.
Names = Mapping[SSAValue | Operation, str]


def has_id(op: Operation) -> bool:
    """Whether an operation has no results to name it by, but uses values."""
    return not op.results and bool(op.operands)


def users_of_results(op: Operation, names: Names) -> str:
    """The comment after an operation; empty for one with neither results nor operands."""
    if has_id(op):
        return f" // id: {names[op]}"
    if not op.results:
        return ""
    users = [user for result in op.results for user in _users(result)]
    if not users:
        return " // unused"
    is_one = len(op.results) == 1 and len(users) == 1 and len(users[0].results) <= 1
    each = (_listed(result, names) for result in op.results)
    text = ", ".join(f"({users})" for users in each) if len(op.results) > 1 else next(each)
    return f" // {'user' if is_one else 'users'}: {text}"


def users_of_argument(argument: BlockArgument, names: Names) -> str:
    """The comment for an argument of a block, a line of its own."""
    users = _listed(argument, names)
    return f"// {names[argument]} is {'unused' if users == 'unused' else f'used by {users}'}"


def _users(value: SSAValue) -> Iterator[Operation]:
    """The users of a value, each once, in MLIR's order: the last one first."""
    yield from dict.fromkeys(use.operation for use in value.uses)


def _listed(value: SSAValue, names: Names) -> str:
    found = [
        name for user in _users(value) for name in ([names[user]] if not user.results else [names[r] for r in user.results])
    ]
    return ", ".join(found) or "unused"
