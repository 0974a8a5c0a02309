"""`stepwell cache info|clear|verify`: look at, empty or check the cache of compiled code."""

from __future__ import annotations

import argparse

from ..runtime.cache import Cache, default_cache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The three actions, as subcommands."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for name, action, text in (
        ("info", _info, "print the folder, the number of entries and their size"),
        ("clear", _clear, "remove all entries"),
        ("verify", _verify, "check every entry against its hashes and remove the damaged ones"),
    ):
        actions.add_parser(name, help=text, description=text).set_defaults(action=action)


def run(arguments: argparse.Namespace) -> int:
    """Do the action; 1 when the cache can't be used or held damaged entries."""
    return arguments.action(default_cache())


def _info(cache: Cache) -> int:
    info = cache.info()
    print(f"folder   {info.root}")
    print(f"entries  {info.entries}")
    print(f"size     {info.bytes / 2**20:.1f} MiB of {info.limit / 2**20:.0f} MiB")
    print(f"state    {info.problem or 'ready'}")
    return 0 if info.problem is None else 1


def _clear(cache: Cache) -> int:
    removed = cache.clear()
    print(f"{removed} entries removed from {cache.root}")
    return 0


def _verify(cache: Cache) -> int:
    entries = cache.info().entries
    faults = cache.verify()
    for path, fault in faults:
        print(f"removed {path.name}: {fault}")
    print(f"{entries} entries checked in {cache.root}, {len(faults)} damaged")
    return 1 if faults else 0
