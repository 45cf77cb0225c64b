"""The two ways to start `python -m cribd` in a process of its own: `forked` and `started`.

A forked daemon needs half a second of processor time less, which Python takes to import it. multiprocessing's fork
server does that once; it starts with the first forked daemon, and ends with the tests.
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import IO, Protocol

from tests.support.places import ROOT

_SERVER = get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.support.daemon_imports", __name__])


class Process(Protocol):
    """What tests do with the process of a daemon, as `subprocess.Popen` has it."""

    @property
    def stdout(self) -> IO[str] | None: ...

    def send_signal(self, number: int, /) -> None: ...

    def wait(self, timeout: float) -> int: ...


@dataclass(frozen=True)
class _Forked:
    stdout: IO[str]
    process: ForkServerProcess

    def send_signal(self, number: int, /) -> None:
        if self.process.pid is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, number)

    def wait(self, timeout: float) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise TimeoutError
        return self.process.exitcode


@contextmanager
def forked(*arguments: str, module: str = "cribd", **environment: str) -> Iterator[Process]:
    """The process of `python -m module` with these arguments and this environment, which is killed in the end."""
    reader, writer = _SERVER.Pipe(duplex=False)
    with reader, open(reader.fileno(), encoding="utf-8", closefd=False) as stdout:
        with writer:
            process = _SERVER.Process(target=_run, args=(module, arguments, os.environ | environment, writer))
            process.start()
        try:
            yield _Forked(stdout, process)
        finally:
            process.kill()
            process.join()


def _run(module: str, arguments: Sequence[str], environment: Mapping[str, str], stdout: Connection) -> None:
    """Do as `python -m module` does, from its start to the end of the interpreter."""
    with stdout:
        os.dup2(stdout.fileno(), 1)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = arguments
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()  # multiprocessing leaves them out


@contextmanager
def started(
    *arguments: str, module: str = "cribd", stdout: int = subprocess.PIPE, stderr: int | None = None, **environment: str
) -> Iterator[Process]:
    """The same, started as on a desk: for tests of how the process itself starts and ends."""
    command = [sys.executable, "-m", module, *arguments]
    whole = os.environ | {"PYTHONPATH": f"{ROOT / 'board'}:{ROOT / 'firmware'}"} | environment
    with subprocess.Popen(command, cwd=ROOT, env=whole, stdout=stdout, stderr=stderr, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
