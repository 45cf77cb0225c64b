"""The machine on which Cribboard is installed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cribboard.validation import Message

#: The lock of an installation. The kernel drops it when the process ends.
LOCK = "/run/cribboard-install.lock"


class InstallRefused(Exception):  # noqa: N818 (a state of the machine, not an error of the caller)
    """The installation cannot be done, or was undone."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine whose files are below `root`. Programs are found on PATH."""

    root: Path = Path("/")

    def path(self, absolute: str | Path) -> Path:
        """Return the path below `root` for an absolute path."""
        return self.root / str(absolute).lstrip("/")

    def read(self, absolute: str) -> str | None:
        """Read a text file; None if it is missing."""
        try:
            return self.path(absolute).read_bytes().decode("utf-8", "surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, absolute: str, text: str, mode: int | None = None) -> None:
        """Replace a text file atomically.

        An existing file keeps its mode and owner. Bytes that are not UTF-8 survive `read` and `write`."""
        path = self.path(absolute)
        path = path.resolve() if path.is_symlink() else path
        part = path.with_name(f".{path.name}.cribboard")
        try:
            with part.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileNotFoundError, PermissionError):  # FAT keeps neither
                there = path.stat()
                mode = there.st_mode & 0o7777
                os.chown(part, there.st_uid, there.st_gid)
            if mode is not None:
                with contextlib.suppress(PermissionError):
                    part.chmod(mode)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        sync_name(path)

    def link(self, absolute: str, to: str) -> None:
        """Make a symbolic link, or change its target, atomically."""
        path = self.path(absolute)
        part = path.with_name(f".{path.name}.cribboard")
        part.unlink(missing_ok=True)
        part.symlink_to(to)
        part.rename(path)
        sync_folder(path.parent)

    def run(self, *command: str, timeout_s: float | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program without input, for at most `timeout_s` seconds.

        The exit code is 127 if there is no such program, and 124 after a timeout."""
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
            )
        except FileNotFoundError:
            return subprocess.CompletedProcess(command, 127, "", f"{command[0]}: command not found")
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"{command[0]}: no end after {timeout_s:g} s")

    def must(self, *command: str, timeout_s: float | None = None) -> str:
        """Run a program, and return its output. Raises `InstallRefused` if the program fails."""
        ran = self.run(*command, timeout_s=timeout_s)
        if ran.returncode:
            raise InstallRefused(
                Message(
                    "install.command_failed",
                    "{command} failed with code {code}: {said}",
                    command=" ".join(command),
                    code=ran.returncode,
                    said=last_line(ran),
                )
            )
        return ran.stdout

    def has_package(self, name: str) -> bool:
        """Whether this Debian package is installed."""
        ran = self.run("dpkg-query", "-W", "-f", "${db:Status-Status}", name)
        return ran.returncode == 0 and ran.stdout.strip() == "installed"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Prevent a second installation inside the `with` block. Raises `InstallRefused` if one is running."""
        path = self.path(LOCK)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                running = Message("install.running", "Another installation of Cribboard is running; wait for its end.")
                raise InstallRefused(running) from None
            yield


def last_line(ran: subprocess.CompletedProcess[str]) -> str:
    """Return the last line of a program's stderr, else stdout."""
    lines = [line.strip() for line in (ran.stderr or ran.stdout or "").splitlines() if line.strip()]
    return lines[-1] if lines else "-"


def sync_name(named: Path) -> None:
    """Write a file and its name to the disk.

    On FAT, as on the boot partition, the size stands beside the name: a name that was just given says that the file is
    empty, until the file itself is written once more."""
    with named.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(named.parent)


def sync_folder(folder: Path) -> None:
    """Write a folder's file names to the disk, if possible."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
