"""Installs the board on a Pi from a prepared SD card.

cloud-init's `bootcmd` starts it as root at every start. It looks whether the card says something new; if so it goes on
as a unit of its own, `cribboard-first-boot`: it switches the radio on, fetches the release, installs it, sets the keys
of the configuration, and waits for the board's page. Meanwhile port 80 shows what it does (`first_boot_page`). What
fails is tried again, later each time. It is packed by `first_boot.program`, runs with the system's Python alone, and
imports nothing of this project but the page and the clock.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cribd.clock import Clock, SystemClock
from cribd.install.first_boot_page import FirstBootProgress, FirstBootStep, serve

UNIT = "cribboard-first-boot"
BOARD = "cribd.service"
RECORD = "/var/lib/cribboard-first-boot.json"
CONFIG = "/etc/cribboard/config.toml"
CURRENT = "/opt/cribboard/current"
BOOT_FILES = ("/boot/firmware/config.txt", "/boot/firmware/cmdline.txt")
#: The first pause after something failed, and the longest.
PAUSE_S, LONGEST_PAUSE_S = 30.0, 1800.0
#: How long the board may take until its page answers, and how long this page leads to it afterwards.
ANSWER_S, LINGER_S = 90.0, 120.0
#: How often each program for the radio is run, two seconds apart.
RADIO_TRIES = 15
#: How long the machine may take to go down.
RESTART_S = 120.0


class StepFailed(Exception):  # noqa: N818 (a state of the machine, not an error of the caller)
    """A step failed. `code` and `values` give the reason."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


@dataclass(slots=True)
class Pi:
    """A Raspberry Pi whose files are below `root`."""

    card: Path
    root: Path = Path("/")
    clock: Clock = field(default_factory=SystemClock)
    settings: dict[str, Any] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)

    def read(self) -> None:
        """Read the settings, and the record of the finished steps. Raises `StepFailed`."""
        file = self.card / "settings.json"
        try:
            self.settings = json.loads(file.read_bytes())
            self.settings["digest"] = hashlib.sha256(file.read_bytes()).hexdigest()
            wifi = self.settings.get("wifi") or {"country": ""}
            texts = [self.settings[name] for name in ("host_name", "language", "release")] + [wifi["country"]]
            texts += [setting["value"] for setting in self.settings["config"].values()] + [
                self.settings.get("role", "")
            ]
            if not all(isinstance(text, str) for text in texts):
                raise ValueError("a value is no text")  # and not which: it may be the PIN, and everybody sees the page
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as wrong:
            raise StepFailed("settings", file=file, why=wrong) from wrong
        try:
            self.record = json.loads(self.path(RECORD).read_bytes())
        except (OSError, ValueError):
            self.record = {}

    def path(self, absolute: str) -> Path:
        """Return the path below `root` for an absolute path."""
        return self.root / absolute.lstrip("/")

    def remember(self, **values: object) -> None:
        """Save the record of the steps that are done, atomically."""
        self.record |= values
        part = self.path(RECORD + ".part")
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)  # it has the PIN
            json.dump(self.record, file)
            file.flush()
            os.fsync(file.fileno())
        part.rename(self.path(RECORD))


def main(arguments: list[str] | None = None) -> int:
    """Install the board, or start the systemd unit that installs it.

    The argument `run` means install. Does nothing if the settings on the SD card are carried out already."""
    file = Path(sys.argv[0]).resolve()
    pi = Pi(file.parent)
    try:
        pi.read()
        if pi.record.get("done") == pi.settings["digest"]:
            return 0
    except StepFailed as wrong:
        print(f"{UNIT}: {wrong.values}", file=sys.stderr)
    if (sys.argv[1:] if arguments is None else arguments) == ["run"]:
        return run(pi, words_in(file))
    unit = ["systemd-run", "--no-block", "--collect", f"--unit={UNIT}", "--property=Restart=on-failure"]
    return subprocess.run([*unit, sys.executable, str(file), "run"], check=False).returncode


def words_in(file: Path) -> dict[str, dict[str, str]]:
    """Read the texts of the page from this program's archive."""
    with zipfile.ZipFile(file) as archive:
        found: dict[str, dict[str, str]] = json.loads(archive.read("words.json"))
    return found


def run(pi: Pi, words: Mapping[str, Mapping[str, str]], ports: tuple[int, ...] = (80, 8080, 8000)) -> int:
    """Try the installation until the board runs."""
    progress = FirstBootProgress(words)
    server = serve(progress, ports)
    progress.say("port", port=server.server_port) if server else progress.say("no_port", ports=ports)
    pause = PAUSE_S
    while True:
        try:
            attempt(pi, progress)
            break
        except StepFailed as wrong:
            progress.fail(wrong.code, seconds=int(pause), **wrong.values)
        except OSError as wrong:
            progress.fail("os_error", seconds=int(pause), file=wrong.filename or "-", why=wrong.strerror or wrong)
        pi.clock.wait(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
    if server:
        pi.clock.wait(LINGER_S)
        server.shutdown()
        server.server_close()
    return 0


def attempt(pi: Pi, progress: FirstBootProgress) -> None:
    """Do the steps that are not done yet, in order. Raises `StepFailed`, OSError."""
    progress.begin(FirstBootStep.CARD)
    pi.read()
    progress.names(pi.settings["host_name"], pi.settings["language"])
    if pi.settings.get("wifi"):
        progress.begin(FirstBootStep.RADIO)
        switch_radio_on(pi, progress)
    wanted = [pi.settings["release"], pi.settings.get("sha256", "")]
    role, is_installed = pi.settings.get("role", ""), pi.path(CURRENT).is_symlink()
    becomes = "" if is_installed and pi.record.get("role", "") == role else role  # once: the owner may change it
    if pi.record.get("release") != wanted or not is_installed or becomes:
        progress.begin(FirstBootStep.FETCH)
        file = release_file(pi, progress)
        progress.begin(FirstBootStep.INSTALL)
        before = [_bytes(pi.path(name)) for name in BOOT_FILES]
        install(file, pi.settings["language"], progress, role=becomes)
        changed = before != [_bytes(pi.path(name)) for name in BOOT_FILES]
        pi.remember(release=wanted, role=role, restart=boot_id(pi) if changed else "")
        shutil.rmtree(pi.path("/var/tmp/cribboard-first-boot"), ignore_errors=True)
    progress.begin(FirstBootStep.CONFIG)
    configure(pi, progress)
    progress.begin(FirstBootStep.BOARD)
    if pi.record.get("restart") and pi.record["restart"] == boot_id(pi):
        progress.say("restart")
        _run("systemctl", "reboot")
        pi.clock.wait(RESTART_S)
        raise StepFailed("restart", seconds_waited=int(RESTART_S))
    port = page_port(pi)
    wait_for_board(pi, port)
    pi.remember(done=pi.settings["digest"])
    progress.finish(port)


def boot_id(pi: Pi) -> str:
    """Return the kernel's id for this start of the machine."""
    return pi.path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _run(*command: str) -> tuple[bool, str]:
    """Run a program. Returns whether it succeeded, and its output."""
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return False, f"{command[0]}: {wrong}"
    return ran.returncode == 0, ran.stdout + ran.stderr


def switch_radio_on(pi: Pi, progress: FirstBootProgress) -> None:
    """Set the country of the Wi-Fi, and switch on the radio.

    NetworkManager may still be starting. Without a radio the rest goes on: there may be a cable."""
    for command in (
        ("raspi-config", "nonint", "do_wifi_country", pi.settings["wifi"]["country"]),
        ("rfkill", "unblock", "wifi"),
        ("nmcli", "radio", "wifi", "on"),
    ):
        if shutil.which(command[0]):
            for _ in range(RADIO_TRIES):
                done, said = _run(*command)
                if done:
                    break
                pi.clock.wait(2)
            progress.log(said)


def release_file(pi: Pi, progress: FirstBootProgress) -> Path:
    """Find the release file on the SD card, or download it. Raises `StepFailed`."""
    name: str = pi.settings["release"]
    if not name.startswith("https://"):
        file = next((path for path in (pi.card / name, pi.card.parent / name) if path.exists()), None)
        if file is None:
            raise StepFailed("no_release", file=pi.card / name)
        return file
    file = pi.path("/var/tmp/cribboard-first-boot") / name.rpartition("/")[2]
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(name, timeout=30) as answer, file.open("wb") as to:
            if not answer.url.startswith("https://"):
                raise StepFailed("fetch", address=name, why=answer.url)
            whole = int(answer.headers.get("Content-Length") or 0)
            while data := answer.read(1 << 18):
                to.write(data)
                progress.say("fetched", done=to.tell() // 1_000_000, whole=whole // 1_000_000 or "?", again=True)
        size = file.stat().st_size
    except (OSError, ValueError, http.client.HTTPException) as wrong:
        raise StepFailed("fetch", address=name, why=getattr(wrong, "reason", wrong)) from wrong
    if whole and size != whole:
        raise StepFailed("cut", address=name, done=size, whole=whole)
    return file


def install(file: Path, language: str, progress: FirstBootProgress, *, role: str = "") -> None:
    """Run the release file, which installs or updates the board.

    Raises `StepFailed` with the last line that the release file printed.
    `role` is what the machine becomes, "" for what it is."""
    locale = {"LANG": "fr_CA.UTF-8" if language.startswith("fr") else "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    path = {"PATH": os.environ.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")}
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")} | path | locale
    said = ""
    with subprocess.Popen(
        ["sh", str(file), *(["--as", role] if role else [])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    ) as running:
        for line in running.stdout or ():
            progress.log(line)
            said = line.strip() or said
    if running.returncode:
        raise StepFailed("install", said=said or f"{file.name}: {running.returncode}")


def configure(pi: Pi, progress: FirstBootProgress) -> None:
    """Write new and changed settings into the board's configuration.

    If the board does not start with them, restore the old configuration.
    Raises `StepFailed`, OSError."""
    given: dict[str, dict[str, str]] = pi.settings["config"]
    set_before = pi.record.get("config", {})
    values = {key: setting["value"] for key, setting in given.items() if set_before.get(key) != setting}
    if not values:
        return
    file = pi.path(CONFIG)
    old = file.read_text(encoding="utf-8")
    try:
        new = with_values(old, values)
    except ValueError as wrong:
        raise StepFailed("config", file=CONFIG, keys=", ".join(values)) from wrong
    if new != old:
        write_over(file, new)
        progress.log(_run("systemctl", "restart", BOARD)[1])
        try:
            wait_for_board(pi, page_port(pi))
        except StepFailed as wrong:
            write_over(file, old)
            _run("systemctl", "restart", BOARD)
            raise StepFailed("undone", file=CONFIG, keys=", ".join(values), said=wrong.values["said"]) from wrong
    pi.remember(config=given)


def write_over(file: Path, text: str) -> None:
    """Replace a file atomically, and keep its mode and owner."""
    part, there = file.with_name(f".{file.name}.cribboard"), file.stat()
    with part.open("w", encoding="utf-8") as to:
        os.fchmod(to.fileno(), there.st_mode & 0o7777)
        os.fchown(to.fileno(), there.st_uid, there.st_gid)
        to.write(text)
        to.flush()
        os.fsync(to.fileno())
    part.rename(file)


def with_values(text: str, values: Mapping[str, str]) -> str:
    """Return the TOML text with these values set.

    A key has the form "table.key". Raises ValueError if a key cannot be set."""
    wanted = tomllib.loads(text)
    lines = [f"{line}\n" for line in text.removesuffix("\n").split("\n")]
    for path, value in values.items():
        table, _, key = path.partition(".")
        wanted.setdefault(table, {})[key] = value
        _set(lines, table, key, f"{key} = {json.dumps(value, ensure_ascii=False)}\n".replace("\x7f", "\\u007f"))
    made = "".join(lines)
    if tomllib.loads(made) != wanted:
        raise ValueError(text)
    return made


def _set(lines: list[str], table: str, key: str, line: str) -> None:
    """Replace or insert the line of `key` in its TOML table."""
    headers = [number for number, text in enumerate(lines) if re.match(rf"\s*\[{table}\]", text)]
    if not headers:
        lines += [f"\n[{table}]\n", line]
        return
    first = headers[0] + 1
    end = next((number for number in range(first, len(lines)) if re.match(r"\s*\[", lines[number])), len(lines))
    for pattern in (rf"\s*{key}\s*=", rf"\s*#\s*{key}\s*="):
        for number in range(first, end):
            if re.match(pattern, lines[number]):
                lines[number] = line
                return
    lines.insert(first, line)


def page_port(pi: Pi) -> int:
    """Read the port of the board's page; 0 for no page."""
    try:
        port = tomllib.loads(pi.path(CONFIG).read_text(encoding="utf-8")).get("page", {}).get("port", 8121)
    except (OSError, ValueError, AttributeError):
        return 8121
    return port if isinstance(port, int) else 0


def wait_for_board(pi: Pi, port: int) -> None:
    """Wait until the board runs. Raises `StepFailed` after `ANSWER_S`."""
    until = pi.clock.now() + ANSWER_S
    while True:
        if answers(port) if port else _run("systemctl", "is-active", "--quiet", BOARD)[0]:
            return
        if pi.clock.now() >= until:
            _, said = _run("journalctl", "--no-pager", "-o", "cat", "-n", "2", "-u", BOARD, "-t", "cribboard")
            raise StepFailed("board", seconds=int(ANSWER_S), said=" ".join(said.split()))
        pi.clock.wait(0.5)


def answers(port: int) -> bool:
    """Whether the board's page answers on this machine."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return b"Cribboard" in answer.read()
    except (OSError, ValueError, http.client.HTTPException):
        return False
