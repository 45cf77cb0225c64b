"""Checks of the journal, its disk and the clock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from cribd.causes import Message, of_sqlite, reason
from cribd.doctor.findings import (
    Finding,
    Installation,
    as_root,
    backup_command,
    fault,
    not_looked_at,
    ok,
    restore_command,
    warning,
)
from cribd.storage import schema
from cribd.storage.log_lengths import LogLengths, lost_last
from cribd.storage.soundness import why_unsound

#: File systems that forget everything when the Pi is switched off.
_FORGETFUL = ("overlay", "tmpfs", "ramfs")
#: The options of a mount that takes no write; newer kernels give the second after an error.
_READ_ONLY = {"ro", "emergency_ro"}
_MB = 1_000_000
#: Free space below which the board is at risk, and below which it warns.
_LEAST, _LITTLE = 10 * _MB, 200 * _MB
#: How long a write may take: a press blinks until it is written.
_SLOW_S = 0.5
#: The year in which this release was made. A clock that shows an earlier year is wrong.
_YEAR = 2026


def _folder(at: Installation) -> Path:
    """Return the journal's folder, or its nearest parent that exists."""
    folder = at.config.journal_path.absolute().parent
    return next(path for path in (folder, *folder.parents) if path.exists())


def mounts(at: Installation) -> Iterator[Finding]:
    """Check how the disk of the journal is mounted now."""
    lines = [line.split() for line in (at.read("proc/mounts") or "").splitlines()]
    disks = {
        Path(words[1].replace("\\040", " ")): words for words in lines if len(words) > 3
    }  # the last mount is on top
    folder = at.config.journal_path.absolute().parent
    mounted = next((disks[path] for path in (folder, *folder.parents) if path in disks), None)
    if mounted is None:
        yield not_looked_at(Message("doctor.mounts.unknown", "the system does not say where {folder} is mounted",
                                    folder=folder))  # fmt: skip
        return
    device, _, kind, options, *_ = mounted
    if kind in _FORGETFUL:
        yield fault(
            Message("doctor.mounts.forgetful", "{folder} is in memory ({kind}): every game is lost at switch-off",
                    folder=folder, kind=kind),
            Message("doctor.mounts.forgetful.remedy",
                    "A restart loses every game since switch-on. First copy the journal: {copy}. Then switch the "
                    "overlay off (`sudo raspi-config nonint do_overlayfs 1`), start the Pi again, and bring the copy "
                    "back: {back}.", copy=backup_command(at), back=restore_command(at)),
        )  # fmt: skip
    elif _READ_ONLY & {*options.split(",")}:
        yield fault(
            Message("doctor.mounts.read_only", "{folder} is on {device}, which is read-only",
                    folder=folder, device=device),
            Message("doctor.mounts.read_only.remedy",
                    "Start the Pi again: Linux makes a disk read-only after an error, until it is mounted anew. If it "
                    "is so once more, look in /etc/fstab: if `ro` stands in its line, take that out, or name a file on "
                    "another disk as `journal` in the configuration. If not, the card is failing: copy the journal "
                    "({copy}), use a new card, install the board, and bring the copy back: {back}.",
                    copy=backup_command(at), back=restore_command(at)),
        )  # fmt: skip
    else:
        root = disks.get(Path("/"), ["?"] * 4)
        yield ok(Message("doctor.mounts.right", "{folder} is on {device} ({kind}, read and write); / is {root}",
                         folder=folder, device=device, kind=kind,
                         root=f"{root[2]}, {root[3].partition(',')[0]}"))  # fmt: skip


def file(at: Installation) -> Iterator[Finding]:
    """Check the version and the integrity of the journal. Never writes."""
    path = at.config.journal_path
    if not path.exists():
        yield ok(Message("doctor.journal.none", "{file} does not exist yet", file=path))
        return
    if not os.access(path, os.R_OK):
        yield not_looked_at(Message("doctor.journal.forbidden", "{file} belongs to another user", file=path), as_root())
        return
    try:
        with schema.open_to_read(path) as db:
            least, later = schema.least_reader(db), schema.is_for_later_versions(db)
            wrong = None if later else why_unsound(db)
            writer = schema.writer(db)
            games = 0 if later or wrong else schema.newest_game(db)
            lost = () if later or wrong else LogLengths(path).find_truncated(db)
    except schema.UNREADABLE as unreadable:
        least, later, wrong, writer, games, lost = 0, False, of_sqlite(unreadable), 0, 0, ()
    if later:
        yield fault(
            Message("doctor.journal.later", "{file} needs version {least} or later, and this program is version "
                    "{version}", file=path, least=least, version=schema.VERSION),
            Message("doctor.journal.later.remedy", "`cribboard release list` shows the releases: `sudo cribboard "
                    "release use NAME` with the newer one, or install it. An old copy is the last resort: it lacks the "
                    "games since."),
        )  # fmt: skip
    elif wrong is not None:
        yield fault(
            Message("doctor.journal.damaged", "{file} is damaged: {why}", file=path, why=wrong),
            Message("doctor.journal.damaged.remedy",
                    "Stop the board (`sudo systemctl stop cribd`), copy its folder to a USB stick (`sudo cp -r "
                    "{folder} STICK`), and start it (`sudo systemctl start cribd`): it builds the journal again from "
                    "what can be read, keeps the damaged file, and says what is lost. If it happens again, use a new "
                    "card.",
                    folder=path.absolute().parent),
        )  # fmt: skip
    elif lost:
        yield fault(
            lost_last(path, lost),
            Message("doctor.journal.short.remedy",
                    "{log} was deleted or cut: if you still have it, stop the board (`sudo systemctl stop "
                    "cribd`), put it back beside the journal before anybody plays on, and start the board again. If "
                    "not, a copy of that evening may have more (`sudo cribboard event restore --journal {file} FILE` "
                    "says what it lacks). Otherwise play on: the message goes with the next game.",
                    log=f"{path.name}-wal", file=path),
        )  # fmt: skip
    else:
        kib = path.stat().st_size // 1024
        yield ok(Message("doctor.journal.right", "{file} is sound: version {version}, games: {games}, {size} KiB",
                         file=path, version=writer, games=games, size=kib))  # fmt: skip


def space(at: Installation) -> Iterator[Finding]:
    """Check the free space on the journal's disk."""
    folder = _folder(at)
    said = at.run("df", "--output=avail", "-B1", str(folder)).split()
    if not said or not said[-1].isdecimal():
        yield not_looked_at(Message("doctor.space.unknown", "df does not say how much space is free"))
        return
    free = int(said[-1])
    measured = Message("doctor.space.free", "{free} MB are free on the disk of {folder}", free=free // _MB,
                       folder=folder)  # fmt: skip
    if free >= _LITTLE:
        yield ok(measured)
        return
    remedy = Message(
        "doctor.space.remedy",
        "Free some: `sudo apt clean`, `sudo journalctl --vacuum-size=50M`, `sudo cribboard release remove NAME`. "
        "`sudo du -xh / | sort -h | tail` shows what is large: delete only what is yours.",
    )
    yield fault(measured, remedy) if free < _LEAST else warning(measured, remedy)


def write(at: Installation) -> Iterator[Finding]:
    """Check that the disk of the journal stores data quickly."""
    folder = _folder(at)
    if not folder.is_dir():
        yield fault(
            Message("doctor.write.file", "{folder} is a file, and the journal needs a folder there", folder=folder),
            Message(
                "doctor.write.file.remedy",
                "In the configuration, `journal` must be a file in a folder: write another path there.",
            ),
        )
        return
    try:
        with TemporaryDirectory(prefix="doctor-", dir=folder) as beside, _connected(Path(beside) / "trial.db") as trial:
            begin = at.clock.now()
            trial.execute("CREATE TABLE trial (row)")
            seconds = at.clock.now() - begin
    except PermissionError:
        yield not_looked_at(Message("doctor.write.forbidden", "only the board's user may write in {folder}",
                                    folder=folder), as_root())  # fmt: skip
        return
    except (OSError, sqlite3.Error) as error:
        why = reason(error) if isinstance(error, OSError) else of_sqlite(error)
        yield fault(
            Message("doctor.write.fails", "nothing can be written in {folder}: {why}", folder=folder, why=why),
            Message(
                "doctor.write.remedy",
                "If the disk is full, make room: journal.space says how. Else start the Pi again: Linux makes a disk "
                "read-only after an error. If it is so once more, do what journal.mounts says.",
            ),
        )
        return
    measured = Message("doctor.write.took", "the disk takes {ms} ms to keep a write", ms=round(1000 * seconds))
    if seconds <= _SLOW_S:
        yield ok(measured)
    else:
        yield warning(measured, Message("doctor.write.slow.remedy",
                                        "The card is worn or slow: copy the journal ({copy}), use a new card (A1 or "
                                        "better), install the board, and bring the copy back: {back}.",
                                        copy=backup_command(at), back=restore_command(at)))  # fmt: skip


def _connected(path: Path) -> closing[sqlite3.Connection]:
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL;")
    return closing(db)


def clock(at: Installation) -> Iterator[Finding]:
    """Check the clock's year and what sets the clock.

    A wrong clock affects only the dates of games, not their order."""
    now = at.clock.wall()
    remedy = Message(
        "doctor.clock.remedy",
        'Join the Pi to a network for a minute, or set its clock: `sudo date -s "YYYY-MM-DD hh:mm"`.',
    )
    if now.year < _YEAR:
        yield warning(Message("doctor.clock.wrong", "the clock says {date}", date=f"{now:%Y-%m-%d}"), remedy)
    elif (at.root / "run/systemd/timesync/synchronized").exists() or _ntp(at) == "yes":
        yield ok(Message("doctor.clock.right", "the clock is set by the network"))
    elif (at.root / "dev/rtc0").exists():
        yield ok(Message("doctor.clock.own", "the machine has a clock of its own (/dev/rtc0)"))
    else:
        yield warning(Message("doctor.clock.unset", "the clock was not set since the start, and the Pi has none of its "
                              "own"), remedy)  # fmt: skip


def _ntp(at: Installation) -> str:
    try:
        return at.run("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    except OSError:
        return ""
