"""`sw.backends` and `sw.single_backend`: the devices whose implementations of operations are used, by priority.

`with sw.backends("cuda", "cpu"):` is the list of devices that are tried in order. Without it, the list is that of the target
that the function is compiled for. Implementations for any device come after these, except under `sw.single_backend`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...passes.rules.settings import Backends, choosing_backends


@contextmanager
def backends(*devices: str) -> Iterator[None]:
    """Set the devices whose implementations of operations are used, by priority: `with sw.backends("cuda", "cpu"):`.

    The first device that has an implementation, which does not reject the arguments, is used; implementations for any device
    come last. Functions are compiled under this choice, and keep code compiled under other choices. Raises TypeError for names
    that are not text, ValueError without names.
    """
    with choosing_backends(Backends(_names(devices, "backends"))):
        yield


@contextmanager
def single_backend(device: str) -> Iterator[None]:
    """Use implementations for one device only: operations without one raise an error."""
    with choosing_backends(Backends(_names((device,), "single_backend"), exclusive=True)):
        yield


def _names(devices: Sequence[str], what: str) -> tuple[str, ...]:
    wrong = next((each for each in devices if not isinstance(each, str) or not each), None)
    if wrong is not None:
        raise TypeError(f"sw.{what}: expected the names of devices, such as 'cpu', got {wrong!r}")
    if not devices:
        raise ValueError(f"sw.{what}: expected at least one device")
    return tuple(dict.fromkeys(devices))
