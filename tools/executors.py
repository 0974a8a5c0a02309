"""`--executor MODULE:FACTORY`: executors with the interface of `concurrent.futures`, on which commands do their work.

The factory is called without arguments. `concurrent.futures:ProcessPoolExecutor` is one. The executor of Dask's client
(`Client.get_executor`) has the same interface, so that a cluster can do the work.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from types import UnionType
from typing import Any

from ..ir.diagnostics import CompileError, did_you_mean

_FORM = "MODULE:FACTORY, as in concurrent.futures:ProcessPoolExecutor"


def add_executor(parser: argparse.ArgumentParser, what: str) -> None:
    """The option, for a command that does `what` on an executor."""
    parser.add_argument(
        "--executor",
        metavar="MODULE:FACTORY",
        help=f"{what} on the executor that FACTORY() of a module gives, such as concurrent.futures:ProcessPoolExecutor",
    )


@contextmanager
def executor_of(text: str) -> Iterator[Executor]:
    """The executor that `MODULE:FACTORY` returns, shut down at the end of the block. Modules are also searched in the current
    folder. Raises CompileError if there is no executor."""
    executor = _made(text, _factory(text))
    try:
        yield executor
    finally:
        executor.shutdown()


def results_of(
    executor: Executor, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], kind: type | UnionType
) -> Iterator[Any]:
    """The results of a function, which workers can import, for each task, in order. Raises CompileError, with the task, if the
    executor fails or a result is not of the given kind."""
    try:
        futures = [executor.submit(function, *task) for task in tasks]
    except Exception as error:  # any error of a foreign executor
        raise CompileError(f"--executor: it takes no work: {_of(error)}") from error
    try:
        for number, future in enumerate(futures):
            try:
                result = future.result()
            except CompileError:
                raise
            except Exception as error:  # an error of the worker, or of the executor that lost it
                raise CompileError(f"--executor: task {number + 1} of {len(tasks)} gave no result: {_of(error)}") from error
            if not isinstance(result, kind):
                raise CompileError(
                    f"--executor: task {number + 1} of {len(tasks)} gave {result!r}, which is no result of this command"
                )
            yield result
    finally:
        for future in futures:
            future.cancel()


def _of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _factory(text: str) -> Callable[..., Any]:
    module, _, name = text.partition(":")
    if not module or not name:
        raise CompileError(f"--executor: expected {_FORM}, got '{text}'")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        loaded = importlib.import_module(module)
    except Exception as error:  # any error of the module
        raise CompileError(f"--executor: cannot import '{module}': {_of(error)}") from error
    found = getattr(loaded, name, None)
    if found is None:
        raise CompileError(f"--executor: '{module}' has no '{name}'{did_you_mean(name, dir(loaded))}")
    if not callable(found):
        raise CompileError(f"--executor: expected {_FORM}, but '{text}' is a {type(found).__name__}")
    return found


def _made(text: str, factory: Callable[..., Any]) -> Executor:
    try:
        executor = factory()
    except Exception as error:  # any error of a foreign factory
        raise CompileError(f"--executor: {text}() failed: {_of(error)}") from error
    missing = next((name for name in ("submit", "shutdown") if not callable(getattr(executor, name, None))), None)
    if missing is not None:
        raise CompileError(
            f"--executor: expected an executor of concurrent.futures' interface from {text}(), got a {type(executor).__name__} "
            f"without {missing}()"
        )
    return executor
