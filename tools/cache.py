"""`stepwell cache info|tuned|clear|verify`: inspect, clear or verify the cache of compiled code and tuned sizes."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from ..runtime.cache.disk import Cache, default_cache
from ..runtime.toolchain.host import target_gpu, target_machine
from ..runtime.toolchain.tuned_sizes import clear_findings, count_findings, findings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions, as subcommands."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for name, action, text in (
        ("info", _info, "print the folder, the number of entries and their size"),
        ("tuned", _tuned, "print the tuned sizes for this machine and compiler, and this GPU"),
        ("clear", _clear, "remove all entries, or with --tuned all tuned sizes"),
        ("verify", _verify, "check every entry against its hashes and remove the damaged ones"),
    ):
        subparser = actions.add_parser(name, help=text, description=text)
        subparser.set_defaults(action=action)
        if action is _clear:
            subparser.add_argument("--tuned", action="store_true", help="remove tuned sizes in place of compiled code")


def run(arguments: argparse.Namespace) -> int:
    """Run the action. Returns 1 if the cache can't be used or had damaged entries."""
    return arguments.action(default_cache(), arguments)


def _info(cache: Cache, _arguments: argparse.Namespace) -> int:
    info = cache.info()
    print(f"folder   {info.root}")
    print(f"entries  {info.entries}")
    print(f"size     {info.bytes / 2**20:.1f} MiB of {info.limit / 2**20:.0f} MiB")
    print(f"tuned    {count_findings(cache)}")
    print(f"state    {info.problem or 'ready'}")
    return 0 if info.problem is None else 1


def _tuned(cache: Cache, _arguments: argparse.Namespace) -> int:
    for machine in (target_machine(), *([target_gpu()] if find_spec("triton") else [])):
        for key, finding in sorted(findings_of(cache, machine).items()):
            print(f"{key}: {finding}")
    return 0


def _clear(cache: Cache, arguments: argparse.Namespace) -> int:
    removed = clear_findings(cache) if arguments.tuned else cache.clear()
    what = "tuned sizes" if arguments.tuned else "entries"
    print(f"{removed} {what} removed from {cache.root}")
    return 0


def _verify(cache: Cache, _arguments: argparse.Namespace) -> int:
    entries = cache.info().entries
    faults = cache.verify()
    for path, fault in faults:
        print(f"removed {path.name}: {fault}")
    print(f"{entries} entries checked in {cache.root}, {len(faults)} damaged")
    return 1 if faults else 0
