"""The programs that lit tests run, from one process that has imported them: `stepwell-opt`, `stepwell` and `filecheck`.

Python's imports take most of the time of a small run. So a server imports once and forks for each command; the commands are
scripts that send their arguments, folder, environment and standard streams to the server. `make lit` runs the tests with the
programs themselves.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# One script under the name of each program. It avoids imports: with `-I -S` Python starts in 10 ms.
CLIENT = """\
#!{python} -IS
import _socket, array, os, sys
server = _socket.socket(_socket.AF_UNIX)
server.connect({address!r})
rows = [os.fsencode(each) for each in (os.getcwd(), str(len(sys.argv)), *sys.argv)]
rows += [key + b"=" + value for key, value in os.environb.items()]
text = b"\\0".join(rows)
server.sendmsg([len(text).to_bytes(8, "little")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
sent = memoryview(text)
while sent:
    sent = sent[server.send(sent):]
status = server.recv(1)
os._exit(status[0] if status else 70)
"""


def _stepwell_opt() -> object:
    from stepwell.tools.opt.main import main

    return main()


def _stepwell() -> object:
    from stepwell.tools.stepwell import main

    return main()


def _filecheck() -> object:
    from filecheck.main import main

    return main()


PROGRAMS: tuple[tuple[str, Callable[[], object]], ...] = (
    ("stepwell-opt", _stepwell_opt),
    ("stepwell", _stepwell),
    ("filecheck", _filecheck),
)


@contextmanager
def serving(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """A folder with the scripts, while their server runs, in an environment if it is not this process's. `folder` is empty, and
    its path short enough for a socket's. Commands that still run at the end are killed."""
    address = folder / "socket"
    for name, _ in PROGRAMS:
        script = folder / name
        script.write_text(CLIENT.format(python=sys.executable, address=str(address)))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    command = [sys.executable, "-m", "stepwell.tests.lit_tools", str(address)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    assert server.stdout is not None
    try:
        assert server.stdout.readline() == "ready\n", "the server of the lit tests did not start"
        yield folder
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        server.stdout.close()


def serve(address: str) -> None:
    """Fork for each command that comes, until a signal ends this process."""
    _import_everything()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    running = 0
    while True:
        connection, _ = listening.accept()
        while running and os.waitpid(-1, os.WNOHANG)[0]:
            running -= 1
        running += 1
        if os.fork() == 0:
            listening.close()
            _run(connection)
        connection.close()


def _import_everything() -> None:
    """Import the programs, and the modules that they import when they run."""
    from filecheck import main as filecheck
    from stepwell.dialects import make_context
    from stepwell.lowering import all_passes
    from stepwell.tools.opt import main, session

    assert filecheck.main and main.main and session.__doc__
    context = make_context()
    for name in [*context.registered_dialect_names]:
        context.load_registered_dialect(name)
    for name in all_passes().names():
        all_passes().find(name)


def _run(connection: socket.socket) -> None:
    """Run one command, in a process that was forked for it, and end with its status."""
    header, streams, _, _ = socket.recv_fds(connection, 8, 3)
    length = int.from_bytes(header, "little")
    text = b""
    while len(text) < length:
        text += connection.recv(length - len(text))
    folder, count, *rows = text.split(b"\0")
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    arguments, environment = rows[: int(count)], rows[int(count) :]
    os.environb.clear()
    os.environb.update(row.split(b"=", 1) for row in environment)
    sys.argv = [os.fsdecode(each) for each in arguments]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), "utf-8")
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(2, "w")), "utf-8", "backslashreplace")
    status = _status_of(dict(PROGRAMS)[Path(sys.argv[0]).name])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            status = status or 1
    connection.sendall(bytes([status & 0xFF]))
    os._exit(status)


def _status_of(program: Callable[[], object]) -> int:
    """The exit status of a program, as by Python's start-up script."""
    try:
        found = program()
    except SystemExit as end:
        found = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    if found is None or isinstance(found, int):
        return int(found or 0)
    print(found, file=sys.stderr)
    return 1


if __name__ == "__main__":
    serve(sys.argv[1])
