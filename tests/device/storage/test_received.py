"""What the organiser received from the boards of a club: nothing signed is lost, and what was not taken comes again."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.evenings import OK, evening
from tests.support.event_evenings import A_WIN, at_event
from tests.support.journals import ACTS, TRUST, do, opened
from tests.support.organised import draw_and_start, held, open_hall, organiser

from cribboard.actions import BreakOff
from cribd.competition.refusals import RefusedRequest
from cribd.storage.journal import Journal, StoredGame
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor

EVENT = UUID(int=5)
OUTCOME = Outcome(place=PlayedFor(EVENT, 1, 1, 1), scores=(121, 90), broken_off=False, record="a link", entrants=(1, 2))
SIGNED = HandedIn(OUTCOME, "a board", 7, b"signature")


def play(journal: Journal, *, club: str) -> int:
    place = PlayedFor(EVENT, 2, 4, 1)
    number = journal.begin(TRUST, journal.next_match(), played_for=place, entrants=(3, 8), club=club)
    do(journal, StoredGame(number, 1, TRUST, TRUST.begin(), place), *ACTS, BreakOff())
    return number


def test_a_board_knows_for_which_club_it_played_and_who_played(path: Path) -> None:
    with opened(path) as journal:
        assert [play(journal, club=club) for club in ("one", "another", "one")] == [1, 2, 3]
        assert journal.outbox.waiting() == (), "this machine organises none of these"
        assert (journal.outbox.waiting("one"), journal.outbox.waiting("another")) == ((1, 3), (2,))
        journal.outbox.store_answer(1, OutcomeStatus.ACCEPTED)
        assert journal.outbox.waiting("one") == (3,)
        assert [game for game, _ in journal.outbox.of_club("one")] == [1, 3]
        assert dict(journal.outbox.of_club("one"))[3] == journal.outcome(3).record
        assert journal.outcome(3).entrants == (3, 8)


def test_what_a_board_signed_stays_as_it_came_also_for_an_unknown_event(path: Path) -> None:
    with opened(path) as journal:
        received = journal.competitions.received
        received.store_signed([SIGNED, SIGNED, replace(SIGNED, sequence=8)])
        received.keep_record("a board", 7, "a link", b"record", "other_scores")
        received.keep_record("a board", 7, "a link", b"another", "")
        another = replace(SIGNED, outcome=replace(OUTCOME, place=replace(OUTCOME.place, game=2)), sequence=8)
        received.store_signed([another])
        for table in ("signed_outcome", "game_record", "event_entrants"):
            play(journal, club="one")
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                journal._file.db.execute(f"DELETE FROM {table}")
    with opened(path) as journal:
        received = journal.competitions.received
        assert (received.signed(), received.records()) == (
            (SIGNED, another),
            (("a board", 7, "a link", "other_scores"),),
        )


async def test_an_outcome_is_not_entered_for_entrants_who_were_seated_there_meanwhile(tmp_path: Path) -> None:
    async with organiser(tmp_path / "journal.db") as desk:
        await open_hall(desk, 2)
        state = await draw_and_start(desk)
        (first, second) = state.organiser.rounds[0].tables[0].entrants
        played = replace(OUTCOME, place=PlayedFor(state.uuid, 1, 1, 1), entrants=(second, first))
        assert await desk.accept(state.uuid, [HandedIn(played, "a board", 1, b"signature")]) == (
            OutcomeStatus.NOT_TAKEN,
        )
        assert held(desk).organiser.rounds[0].tables[0].results == ()
        right = replace(played, record="another link", entrants=(first, second))
        assert await desk.accept(state.uuid, [HandedIn(right, "a board", 2, b"signature")]) == (OutcomeStatus.ACCEPTED,)


async def test_an_outcome_that_was_not_taken_is_judged_again_once_its_round_is_there(tmp_path: Path) -> None:
    async with organiser(tmp_path / "journal.db") as desk:
        await open_hall(desk, 2)
        state = held(desk)
        signed = replace(SIGNED, outcome=replace(OUTCOME, place=PlayedFor(state.uuid, 1, 1, 1), entrants=()))
        with pytest.raises(RefusedRequest):
            await desk.accept(EVENT, [signed])
        for _ in range(2):
            assert await desk.accept(state.uuid, [signed]) == (OutcomeStatus.NOT_TAKEN,)
        await draw_and_start(desk)
        for _ in range(2):
            assert await desk.accept(state.uuid, [signed]) == (OutcomeStatus.ACCEPTED,)
        assert desk.journal.competitions.received.signed() == (signed,)


async def test_a_game_of_an_event_on_this_machine_names_its_entrants_too(tmp_path: Path) -> None:
    async with at_event(tmp_path) as (table, desk):
        await table.post(*A_WIN)
        assert table.journal.outcome(1).entrants == held(desk).organiser.rounds[0].tables[0].entrants
    async with evening(tmp_path / "friendly") as table:
        await table.post(OK[0])
        assert table.journal.outbox.entrants(1) == ()
