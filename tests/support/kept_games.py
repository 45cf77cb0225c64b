"""A journal that holds given games, each from its record, for tests of past games."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.support.places import A_GAME
from tests.support.players import Players
from tests.support.robot_games import play_games

from cribboard import RULES, Rules, record
from cribboard.competition import FORMATS
from cribboard.competition.record import CompetitionHeading
from cribboard.record import Heading, Record
from cribboard.rules import Way
from cribboard.series import result_of
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.outbox import PlayedFor


def game_of_the_docs() -> Record:
    """Maude against Réjean, in eight deals; Maude wins."""
    return record.read(A_GAME.read_text(encoding="utf-8"))


def game_of(
    *names: str, seed: int = 1, rules: Rules = RULES["six-card"], way: Way = Way.VERIFY, date: str = "2026-02-14"
) -> Record:
    """A whole game by players who now and then err."""
    heading = Heading(rules=rules, way=way, names=names, date=date)
    game = heading.begin()
    Players(seed, slips=0.05).play(game)
    return Record(heading, game.log)


def played_by_robots(folder: Path, *, wrong: float) -> Path:
    """The folder, with a journal of two whole games by robots who have all cards read; `wrong` is the share of wrong
    calls."""
    playing = play_games(
        "continuous", folder, games=2, way="verify", slips=0.05, wrong=wrong, journal=folder / "journal.db"
    )
    asyncio.run(playing)
    return folder


def keep(path: Path, records: Sequence[Record], *, sealed: Collection[int] = ()) -> None:
    """Write these games to the journal at this path, each with its result if it has one. Those whose numbers are
    `sealed` are of a sealed event."""
    journal, _ = open_or_repair_journal(path, ManualClock())
    event = journal.competitions.begin(CompetitionHeading(format=FORMATS["fadoq"])).uuid if sealed else None
    for number, each in enumerate(records, start=journal.newest() + 1):
        place = PlayedFor(event, 1, 1, number) if event and number in sealed else None
        journal.begin(each.heading, journal.next_match(), played_for=place)
        stored = journal.latest_game()
        assert stored is not None
        stored.game.append(each.events)
        journal.append(stored, each.events, result_of(stored.game.position, first_dealer=0))
    journal.close()
