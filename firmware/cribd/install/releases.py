"""Builds, tries, switches and removes the releases on this machine.

`/opt/cribboard/releases/NAME` is a release with an environment of its own, `/opt/cribboard/current` a link to the one
that runs. A new release is started by a unit in `/run` while the link still leads to the old one: so a power cut during
the trial brings the old release back, and nothing has to be repaired. Only when the new one says that it is ready and
its page answers, the link moves, and the board starts once more, now as at every start. During the trial the journal
keeps its version.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from cribboard.validation import Message
from cribd.clock import Clock
from cribd.install.changes import InstallRun, apply_changes, undo_run
from cribd.install.machine import InstallRefused, Machine, last_line
from cribd.install.plan import (
    CONFIG,
    CURRENT,
    ROLES,
    UNIT,
    PageAddress,
    page_address,
    role_of,
    state_folder,
    unit_changes,
)

RELEASES = "/opt/cribboard/releases"
#: The file that describes a release. It is written last, so a folder without it was not finished.
ABOUT = "release.json"
OLD_KEPT = 2
HEALTH_S = 30.0
#: The unit of the release on trial. A power cut forgets it.
_TRIAL = f"/run/systemd/system/{UNIT}"
_DROP_IN = f"{_TRIAL}.d/zz-trial.conf"


@dataclass(frozen=True, slots=True)
class Release:
    """A release on this machine.

    `number` is the order of installation, `source` the sha256 of the source, `python` the environment's version."""

    name: str
    version: str
    number: int
    python: str
    source: str

    @property
    def folder(self) -> str:
        return f"{RELEASES}/{self.name}"


def releases(machine: Machine) -> list[Release]:
    """List the finished releases on this machine, the newest first."""
    found = []
    for about in machine.path(RELEASES).glob(f"*/{ABOUT}"):
        with contextlib.suppress(OSError, ValueError, TypeError):
            found.append(Release(**json.loads(about.read_text(encoding="utf-8"))))
    return sorted(found, key=lambda release: release.number, reverse=True)


def current(machine: Machine) -> str:
    """Return the name of the current release, or ""."""
    link = machine.path(CURRENT)
    return Path(os.readlink(link)).name if link.is_symlink() else ""


def named(machine: Machine, name: str) -> Release:
    """Return the release with this name. Raises `InstallRefused` if there is none."""
    there = releases(machine)
    for release in there:
        if release.name == name:
            return release
    raise InstallRefused(
        Message(
            "install.no_release",
            "There is no release {name} here; there are {names}.",
            name=repr(name),
            names=", ".join(release.name for release in there) or "none",
        )
    )


@dataclass(frozen=True, slots=True)
class ReleaseSource:
    """The files to build a release from.

    `project` is the source tree or a wheel. `wheels` is the folder of its dependencies, None if pip fetches them.
    `lock` pins them. `python` is the system's: Debian's packages for the pins belong to it."""

    version: str
    project: Path
    lock: Path
    wheels: Path | None = None
    python: str = "/usr/bin/python3"

    def digest(self) -> str:
        """Return the sha256 of the lock file and the project's files."""
        sha256 = hashlib.sha256(self.lock.read_bytes())
        for path in _files(self.project):
            sha256.update(f"{path.relative_to(self.project)}\0".encode())
            sha256.update(path.read_bytes())
        return sha256.hexdigest()


def _files(project: Path) -> list[Path]:
    """Return the project's files for a wheel, or the wheel itself."""
    if project.is_file():
        return [project]
    within = [path for name in ("board", "firmware", "systemd") for path in (project / name).rglob("*")]
    files = [path for path in within if path.is_file() and "__pycache__" not in path.parts]
    return sorted([*files, project / "pyproject.toml"])


def build(machine: Machine, source: ReleaseSource) -> Release:
    """Build a release, or return the one from the same source.

    The Python must be the same, too. Raises `InstallRefused`: nothing of the release is left then."""
    there = releases(machine)
    digest = source.digest()
    running = machine.must(source.python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    for release in there:
        if (release.source, release.python) == (digest, running):
            return release
    _remove_unfinished(machine)
    names = [source.version, *(f"{source.version}-{again}" for again in range(2, 1000))]
    name = next(name for name in names if not machine.path(f"{RELEASES}/{name}").exists())
    release = Release(name, source.version, there[0].number + 1 if there else 1, running, digest)
    folder = machine.path(release.folder)
    try:
        folder.mkdir(parents=True)
        _fill(machine, source, folder)
        # Else a power cut leaves a release that is called finished, with files that are empty.
        machine.must("sync", "--file-system", str(folder))
        machine.write(f"{release.folder}/{ABOUT}", json.dumps(asdict(release)) + "\n", 0o644)
    except BaseException:
        forget(machine, release)
        raise
    return release


def forget(machine: Machine, release: Release) -> None:
    """Remove a release that was never used."""
    shutil.rmtree(machine.path(release.folder), ignore_errors=True)
    with contextlib.suppress(OSError):
        machine.path(RELEASES).rmdir()
        machine.path(RELEASES).parent.rmdir()


def _fill(machine: Machine, source: ReleaseSource, folder: Path) -> None:
    """Install the release's packages in a new environment in `folder`.

    pip must ignore Debian's packages, but the board must see them."""
    machine.must(source.python, "-m", "venv", str(folder))
    pip = (str(folder / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install")
    offline = () if source.wheels is None else ("--no-index", "--find-links", str(source.wheels))
    machine.must(*pip, "--require-hashes", "--only-binary", ":all:", *offline, "--requirement", str(source.lock))
    machine.must(*pip, "--no-deps", "--no-index", "--no-build-isolation", str(source.project))
    if (pins := source.lock.with_name("wires.txt")).is_file() and not machine.has_package("python3-lgpio"):
        # A plain Debian: PyPI has lgpio, but no wheel of it for every Python. Without it the board has no pins.
        lgpio = folder / "lgpio.txt"
        lgpio.write_text(
            "".join(re.findall(r"^lgpio==(?:.*\\\n)*.*\n", pins.read_text("utf-8"), re.MULTILINE)), "utf-8"
        )
        machine.run(*pip, "--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement", str(lgpio))
    machine.must(source.python, "-m", "venv", "--upgrade", "--without-pip", "--system-site-packages", str(folder))
    # The board's user may not write beside the bytecode.
    machine.must(str(folder / "bin/python"), "-m", "cribd.compile_all")


def _remove_unfinished(machine: Machine) -> None:
    for folder in machine.path(RELEASES).glob("*"):
        if folder.is_dir() and not (folder / ABOUT).exists():
            shutil.rmtree(folder)


def check(machine: Machine, release: Release) -> None:
    """Let the release check itself, as the board's user.

    It reads the configuration and a copy of the journal. Raises `InstallRefused` with its reasons."""
    ran = machine.run(
        *("runuser", "-u", "cribboard", "--", "env", f"STATE_DIRECTORY={machine.path(state_folder(machine))}"),
        *(str(machine.path(f"{release.folder}/bin/cribboard")), "release", "check"),
        *("--config", str(machine.path(CONFIG))),
    )
    if ran.returncode:
        said = " ".join((ran.stderr or ran.stdout).split()) if ran.returncode == 2 else last_line(ran)
        raise InstallRefused(
            Message("install.check", "Release {release} cannot run here: {said}", release=release.name, said=said)
        )


def activate(machine: Machine, release: Release, clock: Clock, *, role: str = "") -> None:
    """Try a release, and make it current if it runs.

    `role` is what the machine becomes, "" for what it is. Raises `InstallRefused` with the reason."""
    check(machine, release)
    before = current(machine)
    unit = unit_text(machine, release, role or role_of(machine))
    run: InstallRun | None = None
    try:
        _start_trial(machine, release, unit, clock)
        run = apply_changes(machine, unit_changes(unit))
        machine.link(CURRENT, f"releases/{release.name}")
        _end_trial(machine)
        _restart(machine, release, clock)
    except BaseException as wrong:
        returned = _roll_back(machine, before, run, clock)
        if isinstance(wrong, InstallRefused):
            raise InstallRefused(*wrong.problems, *returned) from wrong
        raise


def unit_text(machine: Machine, release: Release, role: str) -> str:
    """Return the text of the release's systemd unit for this role. Raises `InstallRefused`."""
    names = [UNIT, *filter(None, [ROLES[role]])]
    folder = "lib/python3*/site-packages/cribd/install/systemd"
    parts = [part for name in names for part in machine.path(release.folder).glob(f"{folder}/{name}")]
    if len(parts) < len(names):
        missing = Message("install.no_unit", "Release {release} has no unit: it is damaged.", release=release.name)
        raise InstallRefused(missing)
    return "".join(part.read_text(encoding="utf-8") for part in parts)


def _start_trial(machine: Machine, release: Release, unit: str, clock: Clock) -> None:
    always = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)[-1]
    command = f"{always.replace(CURRENT, release.folder)} --keep-journal-version"
    machine.path(_DROP_IN).parent.mkdir(parents=True, exist_ok=True)
    machine.write(_TRIAL, unit, 0o644)
    machine.write(_DROP_IN, f"[Service]\nExecStart=\nExecStart={command}\n", 0o644)
    _restart(machine, release, clock)


def _end_trial(machine: Machine) -> None:
    machine.path(_DROP_IN).unlink(missing_ok=True)
    machine.path(_TRIAL).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        machine.path(_DROP_IN).parent.rmdir()


def _restart(machine: Machine, release: Release, clock: Clock) -> None:
    """Restart the board, and wait for its answer. Raises `InstallRefused` after `HEALTH_S`."""
    until = clock.now() + HEALTH_S
    machine.must("systemctl", "daemon-reload")
    before = _end_of_log(machine)
    ran = machine.run("systemctl", "restart", UNIT, timeout_s=HEALTH_S)
    if ran.returncode:
        raise InstallRefused(
            Message(
                "install.not_ready",
                "Release {release} did not become ready within {seconds} s: {said}",
                release=release.name,
                seconds=int(HEALTH_S),
                said=_last_words(machine, before) or last_line(ran),
            )
        )
    page = page_address(machine)
    while page.port and not _answers(page):
        if clock.now() >= until:
            raise InstallRefused(
                Message(
                    "install.no_answer",
                    "Release {release} is ready, but its page at {host}:{port} did not answer within {seconds} s.",
                    release=release.name,
                    host=page.host,
                    port=page.port,
                    seconds=int(HEALTH_S),
                )
            )
        clock.wait(0.5)


def _end_of_log(machine: Machine) -> str:
    """Return the cursor of the last log entry; "" if unknown."""
    said = machine.run("journalctl", "--no-pager", "-n", "1", "-o", "cat", "--show-cursor")
    return said.stdout.rpartition("-- cursor: ")[2].strip() if said.returncode == 0 else ""


def _last_words(machine: Machine, before: str) -> str:
    """Return the board's last two lines in the log since `before`."""
    since = ("--after-cursor", before) if before else ()
    said = machine.run("journalctl", "--no-pager", "-o", "cat", "-n", "2", "-u", UNIT, "-t", "cribboard", *since)
    return " ".join(said.stdout.split()) if said.returncode == 0 else ""


def _answers(page: PageAddress) -> bool:
    connection = http.client.HTTPConnection(page.host, page.port, timeout=5)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status == 200 and b"Cribboard" in answer.read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _roll_back(machine: Machine, before: str, run: InstallRun | None, clock: Clock) -> list[Message]:
    """Undo a failed activation, and restart the release `before`.

    Returns a message that tells whether that release runs again; [] if `before` is ""."""
    _end_trial(machine)
    if run is not None:
        undo_run(machine, run)
    if not before:
        machine.path(CURRENT).unlink(missing_ok=True)
        machine.run("systemctl", "stop", UNIT)
        machine.run("systemctl", "daemon-reload")
        return []
    if current(machine) != before:
        machine.link(CURRENT, f"releases/{before}")
    try:
        _restart(machine, named(machine, before), clock)
    except InstallRefused as wrong:
        why = wrong.problems[0]
        return [
            Message(
                "install.return_failed",
                "Release {release} was put back, and does not run either: {why}",
                release=before,
                why=why,
            )
        ]
    return [Message("install.returned", "Release {release} runs again.", release=before)]


def remove(machine: Machine, name: str) -> None:
    """Remove a release. Raises `InstallRefused` for the current release, and for an unknown name."""
    release = named(machine, name)
    if release.name == current(machine):
        runs = Message(
            "install.runs", "Release {release} is the one that runs; use another one first.", release=release.name
        )
        raise InstallRefused(runs)
    _delete(machine, release)


def remove_old(machine: Machine, keep: int = OLD_KEPT) -> list[str]:
    """Remove all but the current release and the `keep` newest others.

    Returns the names of the removed releases."""
    old = [release for release in releases(machine) if release.name != current(machine)][keep:]
    for release in old:
        _delete(machine, release)
    return [release.name for release in old]


def _delete(machine: Machine, release: Release) -> None:
    folder = machine.path(release.folder)
    (folder / ABOUT).unlink()  # first: what a power cut leaves is then unfinished, and removed with the next release
    shutil.rmtree(folder)
