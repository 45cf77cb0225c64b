"""Stand-ins for the programs of a Debian that an installation runs, on a tree of files instead of a machine.

`on_path` puts them on the PATH of a test. They are small, and no more than what they are named after has in common with
them: groups and users are lines of files, `systemctl` starts the unit's command as a process and waits for READY, and
`runuser` runs the command as whoever runs the test. Every call is a line of `calls`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

NAMES = (
    *("systemctl", "getent", "groupadd", "groupdel", "userdel", "systemd-sysusers", "systemd-tmpfiles", "udevadm"),
    *("dpkg-query", "apt-get", "apt-cache", "runuser", "journalctl", "chown"),
)
UNITS = ("etc/systemd/system", "run/systemd/system", "usr/local/lib/systemd/system")
READY_S = 20.0


def on_path(tree: Path, folder: Path) -> dict[str, str]:
    """Makes the stand-ins in `folder`, and returns the environment in which they are found and work on `tree`."""
    folder.mkdir()
    for name in NAMES:
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{__file__}" {name} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "CRIBBOARD_TREE": str(tree)}


def calls(tree: Path) -> list[str]:
    """Every call so far, the arguments as one line."""
    log = tree / "calls"
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def main(tree: Path, name: str, words: list[str]) -> int:
    with (tree / "calls").open("a", encoding="utf-8") as log:
        log.write(" ".join([name, *words]) + "\n")
    match name, words:
        case "getent", [table, entry]:
            return 0 if entry in lines(tree / "etc" / table) else 2
        case ("groupadd", [*_, entry]) | ("systemd-sysusers", [entry]):
            table = "group" if name == "groupadd" else "passwd"
            entry = "cribboard" if table == "passwd" else entry
            with (tree / "etc" / table).open("a", encoding="utf-8") as file:
                file.write(f"{entry}\n")
        case ("groupdel" | "userdel", [entry]):
            file_ = tree / "etc" / ("group" if name == "groupdel" else "passwd")
            file_.write_text("".join(f"{line}\n" for line in lines(file_) if line != entry), encoding="utf-8")
        case "dpkg-query", [*_, package]:
            there = package in lines(tree / "packages")
            print("installed" if there else "", end="")
            return 0 if there else 1
        case "apt-get", [*_, package] if "install" in words:
            with (tree / "packages").open("a", encoding="utf-8") as file:
                file.write(f"{package}\n")
        case "apt-cache", _:
            print("  Candidate: 1.0")
        case "runuser", [*_]:
            os.execvp(words[3], words[3:])
        case "systemctl", [*_]:
            return systemctl(tree, words)
        case "journalctl", _:
            printed = lines(tree / "run" / "board.log")
            if "--show-cursor" in words:
                print(f"-- cursor: {len(printed)}")
            else:
                since = int(words[words.index("--after-cursor") + 1]) if "--after-cursor" in words else 0
                print(*printed[since:][-int(words[words.index("-n") + 1]) :], sep="\n")
    return 0


def systemctl(tree: Path, words: list[str]) -> int:
    """Starts and stops `cribd.service`; other units are only logged."""
    wanted = tree / "etc/systemd/system/multi-user.target.wants/cribd.service"
    match words:
        case ["enable", "cribd.service"]:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            wanted.touch()
        case ["disable", "cribd.service"]:
            wanted.unlink(missing_ok=True)
        case ["is-enabled", *_]:
            return 0 if wanted.exists() else 1
        case ["is-active", *_]:
            return 0 if alive(tree) else 3
        case ["stop", "cribd.service"]:
            stop(tree)
        case ["restart" | "start", "cribd.service"]:
            if words[0] == "restart":
                stop(tree)
            return 0 if alive(tree) else start(tree)
    return 0


def settings(tree: Path) -> dict[str, list[str]]:
    """The settings of the unit, as systemd finds it and its drop-ins."""
    unit = next(
        (tree / folder / "cribd.service" for folder in UNITS if (tree / folder / "cribd.service").exists()), None
    )
    if unit is None:
        return {}
    drop_ins = {file.name: file for folder in UNITS for file in (tree / folder / "cribd.service.d").glob("*.conf")}
    found: dict[str, list[str]] = {}
    for file in (unit, *(drop_ins[name] for name in sorted(drop_ins))):
        for line in lines(file):
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                found[key] = [*found.get(key, []), value] if value else []
    return found


def start(tree: Path) -> int:
    unit = settings(tree)
    if not unit.get("ExecStart"):
        print("Unit cribd.service not found.", file=sys.stderr)
        return 5
    state = tree / "var/lib/cribboard"
    state.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ) | {"STATE_DIRECTORY": str(state), "RUNTIME_DIRECTORY": str(tree / "run/cribboard")}
    for word in " ".join(unit.get("Environment", [])).split():
        key, _, value = word.partition("=")
        environment[key] = str(tree) + value if value.startswith("/") else value
    command = [str(tree) + word if word.startswith("/") else word for word in unit["ExecStart"][-1].split()]
    address = tree / "run/notify"
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified, (tree / "run/board.log").open("ab") as log:
        # The address of a socket is short, and a test's folder is long.
        os.chdir(tree / "run")
        notified.bind("notify")
        environment["NOTIFY_SOCKET"] = f"/proc/{os.getpid()}/cwd/notify"
        notified.settimeout(0.1)
        try:
            board = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        except OSError:
            print("Job for cribd.service failed because a command is missing.", file=sys.stderr)
            return 1
        (tree / "run/cribd.pid").write_text(str(board.pid), encoding="utf-8")
        until = time.monotonic() + READY_S
        while time.monotonic() < until and board.poll() is None:
            try:
                if b"READY=1" in notified.recv(4096):
                    return 0
            except TimeoutError:
                continue
    print("Job for cribd.service failed.", file=sys.stderr)
    return 1


def process(tree: Path) -> int | None:
    """The process of the board, if it runs."""
    file = tree / "run/cribd.pid"
    if not file.exists():
        return None
    pid = int(file.read_text(encoding="utf-8"))
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return None
    return None if state == "Z" else pid


def alive(tree: Path) -> bool:
    return process(tree) is not None


def stop(tree: Path) -> None:
    for last, number in ((False, signal.SIGTERM), (True, signal.SIGKILL)):
        pid = process(tree)
        if pid is None:
            return
        os.killpg(pid, number)
        until = time.monotonic() + (5.0 if not last else 1.0)
        while alive(tree) and time.monotonic() < until:
            time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main(Path(os.environ["CRIBBOARD_TREE"]), sys.argv[1], sys.argv[2:]))
