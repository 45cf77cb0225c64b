"""Journals with one flipped bit: where the stored bits are in the file, and every program that reads them.

The positions follow SQLite's file format (sqlite.org/fileformat2.html, sections 1.6 and 2.1), not SQLite itself.

    python -m tests.support.rotten

flips every bit of every row once, which takes about twenty minutes, and prints how many were tried and the results.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.support.evenings import policy

from cribboard import RULES, Way
from cribboard.actions import AcceptResult, Action, BreakOff, By, NameDealer, ReleasePeg, TakePegInHand
from cribboard.record import Heading
from cribboard.series import final_result
from cribboard.statistics import statistics_of
from cribd.__main__ import main
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.languages import languages
from cribd.storage.archive import Archive, ArchiveAway, EndedGame, GameDamaged
from cribd.storage.journal import Journal, JournalAway, JournalDamaged, StoredGame
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.settings import Settings, keep_settings, read_settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table

BOARD = load("continuous")
HEADING = Heading(rules=RULES["six-card"], way=Way.TRUST, names=("Zoë", "Bob"), date="2026-01-01", board="continuous")
TABLES = ("game", "line", "result", "setting")


#: A press for a whole game is asked about, and made twice.
WON: tuple[Action, ...] = (
    *(NameDealer(0), TakePegInHand(1, 95), TakePegInHand(1, 95), ReleasePeg(1, By.OWNER)),
    *(TakePegInHand(0, 121), TakePegInHand(0, 121), ReleasePeg(0, By.OWNER), AcceptResult(0), AcceptResult(1)),
)
LEFT: tuple[Action, ...] = (NameDealer(1), TakePegInHand(0, 4), BreakOff())
BEGUN: tuple[Action, ...] = (NameDealer(0), TakePegInHand(1, 3), ReleasePeg(1, By.OWNER), TakePegInHand(0, 12))


def small_journal(path: Path) -> None:
    """A match of three games: blue won the first, the second was broken off, the third is unfinished."""
    journal = Journal(path, ManualClock())
    for acts in (WON, LEFT, BEGUN):
        stored_game = StoredGame(journal.begin(HEADING, 1), 1, HEADING, HEADING.begin())
        for act in acts:
            events = stored_game.game.decide(act)
            stored_game.game.append(events)
            journal.append(stored_game, events, final_result(stored_game.game))
    keep_settings(journal, Settings(rules=RULES["acc"], names=("Zoë", "Bob")))
    journal.write_settings({"opened": "2"})
    journal.close()


# Where the bits are


@dataclass(frozen=True, slots=True)
class Stored:
    """Some bytes of the file: a row's header (its length, its key, the serial types), or one of its values."""

    table: str
    column: str
    offset: int
    length: int


def stored(path: Path) -> tuple[Stored, ...]:
    """Where each row's header and values are."""
    file = path.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'"))
        columns = {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for name in roots}
    size = int.from_bytes(file[16:18])
    return tuple(itertools.chain(*(_of_page(file, size, roots[name], name, columns[name]) for name in TABLES)))


def _of_page(file: bytes, size: int, page: int, table: str, columns: Sequence[str]) -> Iterator[Stored]:
    start = (page - 1) * size
    at = start + (100 if page == 1 else 0)
    kind = file[at]
    is_leaf, has_rowid = kind in (0x0D, 0x0A), kind in (0x0D, 0x05)
    pointers = at + (8 if is_leaf else 12)
    cells = [
        int.from_bytes(file[(p := pointers + 2 * n) : p + 2]) for n in range(int.from_bytes(file[at + 3 : at + 5]))
    ]
    for cell in cells:
        begins = start + cell
        if not is_leaf:
            yield from _of_page(file, size, int.from_bytes(file[begins : begins + 4]), table, columns)
            begins += 4
        if is_leaf or not has_rowid:
            yield from _of_row(file, begins, table, columns, has_rowid=has_rowid)
    if not is_leaf:
        yield from _of_page(file, size, int.from_bytes(file[at + 8 : at + 12]), table, columns)


def _of_row(file: bytes, begins: int, table: str, columns: Sequence[str], *, has_rowid: bool) -> Iterator[Stored]:
    at = begins
    for _ in range(1 + has_rowid):
        _, at = _varint(file, at)
    length, types = _varint(file, at)
    value = at + length
    yield Stored(table, "header", begins, value - begins)
    for column in columns:
        kind, types = _varint(file, types)
        wide = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
        yield Stored(table, column, value, wide)
        value += wide


def _varint(file: bytes, at: int) -> tuple[int, int]:
    value = 0
    for byte in file[at : at + 9]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at


def bits(places: Sequence[Stored]) -> Iterator[tuple[Stored, int]]:
    """Each bit of these places, by its number in the file."""
    for place in places:
        for bit in range(8 * place.offset, 8 * (place.offset + place.length)):
            yield place, bit


def flipped(file: bytes, bit: int) -> bytes:
    """The file with this bit flipped."""
    rotten = bytearray(file)
    rotten[bit // 8] ^= 0x80 >> bit % 8
    return bytes(rotten)


# Everybody who reads


def read_by_everybody(path: Path, *, commands: bool = False) -> str:
    """Start a board on this journal, play a game on it, and read it by everything else. Returns one word: the result.
    With `commands` the command line reads it too, which takes ten times as long. Raises whatever would end the board or
    a command."""
    result = "aside"
    if commands:
        _commands(path)
    try:
        journal, aside = open_or_repair_journal(path, ManualClock())
    except JournalAway:
        return "refused"
    try:
        settings = read_settings(journal, Settings(), languages=languages())
        shown: list[Snapshot] = []
        table = Table(
            board=BOARD, journal=journal, clock=ManualClock(), settings=settings, policy=policy(), publish=shown.append
        )
        try:
            left_out = table.load()
            result = "left out" if left_out else "taken up"
        except JournalDamaged:
            result = "damaged"
        assert shown
        _play(journal)
    finally:
        journal.close()
    _archive(path)
    return "aside" if aside else result


def _play(journal: Journal) -> None:
    number = journal.begin(HEADING, journal.next_match())
    stored_game = StoredGame(number, number, HEADING, HEADING.begin())
    for act in BEGUN:
        events = stored_game.game.decide(act)
        journal.append(stored_game, events)
        stored_game.game.append(events)
    journal.write_settings({"sound": "off"})
    assert journal.setting("sound") == "off"
    journal.games()
    found = journal.game(number)
    assert found.game.log == stored_game.game.log


def _archive(path: Path) -> None:
    archive = Archive(path)
    with contextlib.suppress(ArchiveAway):
        archive.sealing()
        for game in archive.page(9):
            with contextlib.suppress(GameDamaged):
                statistics_of(archive.record(game.id))
                if isinstance(game, EndedGame):
                    assert game.skunk
                    assert len(archive.scores(game)) == 2


def _commands(path: Path) -> None:
    journal = f"--journal={path}"
    asked = (
        ["record", "list", journal],
        *(["record", what, str(game), journal] for what in ("verify", "export") for game in (1, 3)),
        ["statistics", journal],
    )
    for arguments in asked:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as complained:
            assert main(arguments) in (0, 1, 2)
        assert "Traceback" not in complained.getvalue()


def flip(path: Path, places: Sequence[Stored], *, every: int = 1, commands: bool = False) -> Counter[str]:
    """How often each result occurred, for one in `every` of the bits; the choice is the same each time."""
    sound, rng = path.read_bytes(), random.Random(every)
    came: Counter[str] = Counter()
    for place, bit in bits(places):
        if rng.randrange(every):
            continue
        only(path, flipped(sound, bit))
        try:
            came[read_by_everybody(path, commands=commands)] += 1
        except BaseException as wrong:
            raise AssertionError(f"bit {bit}: {place.column} of a {place.table}") from wrong
    return came


def only(path: Path, content: bytes) -> None:
    """Put this journal alone into its folder."""
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(content)


@contextlib.contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: commits to a real disk take long, and these tests are not about them."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


if __name__ == "__main__":
    with quick_folder() as folder:
        small_journal(folder / "journal.db")
        sound = (folder / "journal.db").read_bytes()
        for table in TABLES:
            of_table = [place for place in stored(folder / "journal.db") if place.table == table]
            came = flip(folder / "journal.db", of_table)
            only(folder / "journal.db", sound)
            print(f"{table}: {came.total()} bits; {', '.join(f'{what} {times}' for what, times in came.items())}")
