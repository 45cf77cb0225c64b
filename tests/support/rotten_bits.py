"""Every used bit of a small journal with an event, flipped: its schema, its pages' heads and pointers, and its rows.

Each file goes through a reader, a start, a game that is played on it, and a second start. What each of them gives is
compared with what was written.

    python -m tests.support.rotten_bits [STRIDE] [FIRST]

flips every bit, or each STRIDE-th from FIRST, and prints how many were tried and how they ended.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from tests.support.evenings import policy
from tests.support.rotten import BEGUN, BOARD, HEADING, LEFT, WON, flipped, only, quick_folder

from cribboard import RULES
from cribboard.competition import FORMATS
from cribboard.competition import record as competition_record
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    CompetitionAction,
    DrawRound,
    EnterResult,
    Register,
    SetTables,
    StartRound,
)
from cribboard.competition.next_seating import next_seating, order_of_draw
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import GameAt
from cribboard.record import Record, write
from cribboard.series import final_result
from cribd.clock import ManualClock
from cribd.languages import languages
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, DamagedGame, GameDamaged
from cribd.storage.competitions import CompetitionAct, StoredCompetition
from cribd.storage.journal import Journal, JournalAway, JournalDamaged, StoredGame
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.outbox import PlayedFor
from cribd.table.settings import Settings, keep_settings, read_settings
from cribd.table.table import Table

EVENT = CompetitionHeading(format=FORMATS["fadoq"], name="Mardi des aînés", date="2026-03-03", tables=2)
ENTRANTS = ("Les as", "Les rois", "Les dames", "Les valets")


def journal_with_event(path: Path) -> None:
    """A friendly game, a game of a sealed event, one that is unfinished, and the event in its second round."""
    journal = Journal(path, ManualClock())
    _play(journal, WON)
    event = journal.competitions.begin(EVENT)
    for name in ENTRANTS:
        _do(journal, event, Register(name=name, players=(f"{name} A", f"{name} B")))
    for number in range(1, len(ENTRANTS) + 1):
        _do(journal, event, CheckIn(number))
    _do(journal, event, SetTables(2), Begin())
    _draw(journal, event)
    _play(journal, LEFT, PlayedFor(event.uuid, 1, 1, 1))
    for encounter in event.competition.position.rounds[0].encounters:
        _do(journal, event, EnterResult(at=GameAt(1, encounter.table), scores=(121, 98)))
    _draw(journal, event)
    _play(journal, BEGUN)
    keep_settings(journal, Settings(rules=RULES["acc"], names=("Zoë", "Bob")))
    journal.close()


def _play(journal: Journal, acts: Sequence[object], played_for: PlayedFor | None = None) -> None:
    number = journal.begin(HEADING, 1, played_for=played_for)
    stored = StoredGame(number, 1, HEADING, HEADING.begin(), played_for)
    for act in acts:
        events = stored.game.decide(act)  # type: ignore[arg-type]
        stored.game.append(events)
        journal.append(stored, events, final_result(stored.game))


def _do(journal: Journal, event: StoredCompetition, *actions: CompetitionAction) -> None:
    for action in actions:
        act = CompetitionAct(event, event.competition.decide(action))
        journal.competitions.append(act)
        event.competition.append(act.events)


def _draw(journal: Journal, event: StoredCompetition) -> None:
    p = event.competition.position
    seating = next_seating(p, order_of_draw(p, [entrant.number for entrant in p.entrants]))
    assert seating is not None
    _do(journal, event, DrawRound(seating), StartRound())


# Where the bits are

PAGE = 4096


def used_bytes(file: bytes) -> Iterator[int]:
    """The bytes that mean something: all but the gap between the pointers and the cells of each page."""
    for page in range(0, len(file), PAGE):
        head = page + (100 if page == 0 else 0)
        kind = file[head]
        pointers = head + (8 if kind in (0x0D, 0x0A) else 12) + 2 * int.from_bytes(file[head + 3 : head + 5])
        cells = page + (int.from_bytes(file[head + 5 : head + 7]) or 65536)
        if kind in (0x02, 0x05, 0x0A, 0x0D) and page <= pointers <= cells <= page + PAGE:
            yield from range(page, pointers)
            yield from range(cells, page + PAGE)
        else:
            yield from range(page, page + PAGE)


def used_bits(file: bytes, *, every: int = 1, first: int = 0) -> Iterator[int]:
    """Each bit of the used bytes, or one in `every` of them."""
    bits = [8 * byte + bit for byte in used_bytes(file) for bit in range(8)]
    return iter(bits[first::every])


# What everybody reads


@dataclass(frozen=True, slots=True)
class Content:
    """What a journal holds, as its readers give it: each thing by its name, None where it is said to be damaged."""

    things: dict[str, object]

    def differs(self, written: Content) -> list[str]:
        """What is neither as it was written nor said to be damaged."""
        names = {**written.things, **self.things}
        return [name for name in names if self.things.get(name, "") not in (None, written.things.get(name, ""))]


def read_archive(path: Path) -> Content:
    """What everybody may read without the PIN, and what whoever has it may."""
    things: dict[str, object] = {}
    archive = Archive(path)
    try:
        for reader in ArchiveReader:
            games = {game.id: game for game in archive.page(99, reader=reader)}  # a rotten root lists other rows
            for number in range(1, 4):
                game = games.get(number, "")
                things[f"{reader} {number}"] = None if isinstance(game, DamagedGame) else game
                with suppress(KeyError):
                    try:
                        things[f"{reader} record {number}"] = write(archive.record(number, reader=reader))
                    except GameDamaged:
                        things[f"{reader} record {number}"] = None
    except ArchiveAway:
        return Content(
            dict.fromkeys(f"{r} {w}{n}" for r in ArchiveReader for w in ("", "record ") for n in range(1, 4))
        )
    return Content(things)


def read_journal(journal: Journal) -> Content:
    """What a board has of its journal at its start."""
    things: dict[str, object] = {}
    for number in range(1, 4):
        try:
            stored = journal.game(number)
            text = write(Record(stored.heading, stored.game.log))
            place = stored.played_for and astuple(stored.played_for)[1:]  # the id of a damaged event is another
            things[f"game {number}"] = text, stored.match, place
        except JournalDamaged:
            things[f"game {number}"] = None
    try:
        event = journal.competitions.competition(1)
        text = competition_record.write(competition_record.CompetitionRecord(event.heading, event.competition.log))
        things["event"] = text, event.uuid
    except JournalDamaged:
        things["event"] = None
    settings = read_settings(journal, Settings(), languages=languages())
    usual = Settings()
    for name in ("rules", "way", "language", "brightness", "sound", "names"):
        value = getattr(settings, name)
        rotten = name in journal.rotten_settings and value == getattr(usual, name)
        things[name] = None if rotten else value
    return Content(things)


def ends(path: Path, archived: Content, content: Content) -> str:
    """How a board fares with this file: `same`, `damaged` (some of it is, and is named), `rebuilt`, or `aside`. Raises
    AssertionError where something is wrong without a word, and whatever would end the board."""
    seen = read_archive(path)
    _must_be_hidden(path, seen, archived)
    came = _start(path, content, number=4)
    again = _start(path, content, number=5 if came != "aside" else 2, before=came)
    assert again in ("same", "damaged", "anew"), again
    after = read_archive(path)
    if came != "aside":
        _must_be_hidden(path, after, archived)
    return came


def _must_be_hidden(path: Path, seen: Content, archived: Content) -> None:
    """What is read is as it was written, or said to be damaged. In doubt a game is sealed: it is told to those with the
    PIN alone."""
    wrong = [name for name in seen.differs(archived) if seen.things.get(name, "") != "" or name.startswith("pin")]
    assert not wrong, [(name, seen.things.get(name, "")) for name in wrong]
    assert seen.things.get("anybody 2", "") in ("", None), "a game of a sealed event is told"


def _start(path: Path, content: Content, *, number: int, before: str = "") -> str:
    """Start a board, compare, and play a game."""
    journal, aside = open_or_repair_journal(path, ManualClock())
    try:
        came = _compare(journal, aside, content, before)
        table = Table(
            board=BOARD,
            journal=journal,
            clock=ManualClock(),
            settings=Settings(),
            policy=policy(),
            publish=lambda _: None,
        )
        with suppress(JournalDamaged):
            table.load()
        if aside is not None and journal.rebuilt is None:
            number = 1
        begun = journal.begin(HEADING, journal.next_match())
        assert begun == number, (begun, number)
        game = StoredGame(begun, 1, HEADING, HEADING.begin())
        for act in BEGUN:
            events = game.game.decide(act)
            journal.append(game, events)
            game.game.append(events)
        assert journal.game(begun).game.log == game.game.log
        journal.write_settings({"rehearsal": "done"})
    finally:
        journal.close()
    return came


def _compare(journal: Journal, aside: Path | None, content: Content, before: str) -> str:
    if aside is not None and journal.rebuilt is None:
        return "aside"
    if before == "aside":
        return "anew"
    found = read_journal(journal)
    lost = "" if journal.rebuilt is None else " ".join(journal.rebuilt.lost)
    wrong = [name for name in found.differs(content) if f"setting {name}" not in lost]
    if before:  # the second start: what the first one has said is not said again
        wrong = [name for name in wrong if found.things[name] != getattr(Settings(), name, "")]
    assert not wrong, {name: (found.things.get(name), content.things.get(name)) for name in wrong}
    if aside is not None:
        return "rebuilt"
    return "damaged" if None in found.things.values() else "same"


def flip_all(path: Path, *, every: int = 1, first: int = 0, report: bool = False) -> Counter[str]:
    """How often each end occurred. Raises AssertionError for the first bit with another, or prints each of them."""
    journal_with_event(path)
    sound = path.read_bytes()
    archived = read_archive(path)
    journal, _ = open_or_repair_journal(path, ManualClock())
    content = read_journal(journal)
    journal.close()
    came: Counter[str] = Counter()
    for bit in used_bits(sound, every=every, first=first):
        only(path, flipped(sound, bit))
        try:
            came[ends(path, archived, content)] += 1
        except (Exception, JournalAway) as wrong:
            if not report:
                raise AssertionError(f"bit {bit}: page {1 + bit // 8 // PAGE}, byte {bit // 8 % PAGE}") from wrong
            came[f"WRONG {type(wrong).__name__}"] += 1
            print(f"bit {bit}: page {1 + bit // 8 // PAGE}, byte {bit // 8 % PAGE}: {wrong!r:.300}", flush=True)
    return came


if __name__ == "__main__":
    with quick_folder() as folder:
        stride, start = ([int(word) for word in sys.argv[1:]] + [1, 0])[:2] if len(sys.argv) > 1 else (1, 0)
        ended = flip_all(folder / "journal.db", every=stride, first=start, report=True)
        print(f"{ended.total()} bits: {', '.join(f'{what} {times}' for what, times in ended.most_common())}")
