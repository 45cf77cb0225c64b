"""A meeting of several games goes on at its board while the hub is away, and every result is there once afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.support.catalogues import phrase
from tests.support.club import make_key
from tests.support.club_evenings import (
    HUB,
    AtTables,
    ClubTable,
    Topics,
    board_copy,
    club_hub,
    club_table,
    hall,
    hub_copy,
    results,
    until,
)
from tests.support.event_evenings import OPEN

from cribboard import RULES
from cribboard.competition.actions import EnterResult, ReportResult
from cribboard.competition.formats import FORMATS, Format
from cribboard.competition.terms import Ending, GameAt, MeetingFormat, ResultSource, ResultState
from cribd.clock import SystemClock
from cribd.club.due_game import due_in, next_game
from cribd.club.known_boards import due_in_order
from cribd.club.messages import DueGame, Order, TableMove
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.daemon.due_at_table import due_at
from cribd.storage.journal import Journal
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table import organiser_desk
from cribd.text import load

BEST_OF_THREE = replace(FORMATS["round-robin"], meeting=MeetingFormat.BEST_OF, meeting_games=3)


@asynccontextmanager
async def hub_away(folder: Path, form: Format, topics: Topics, seats: AtTables) -> AsyncIterator[ClubTable]:
    """A board that has heard of the first game of a meeting from a hub that is away since."""
    seats.tables[make_key(folder / "one").id] = 1
    async with club_table(folder / "one", HUB, board_copy(topics)) as table:
        async with hall(folder, topics, seats, form=form):
            await until(lambda: table.now.event is not None, "a game")
        topics.retained.clear()
        yield table


@pytest.mark.slow
@pytest.mark.parametrize(("reported", "follows"), [((121, 0), None), ((0, 121), 3)])
async def test_a_game_that_one_phone_has_reported_counts_in_the_match_as_at_the_hub(
    tmp_path: Path, reported: tuple[int, int], follows: int | None
) -> None:
    topics, seats = Topics(), AtTables({make_key(tmp_path / "one").id: 1})
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        async with hall(tmp_path, topics, seats, form=BEST_OF_THREE) as hub:
            phone = hub.state.organiser.tables[0].entrants[0]
            await hub.organiser.do(ReportResult(at=GameAt(1, 1, 1), entrant=phone, scores=reported))
            await until(lambda: table.now.event is not None and table.now.event.place.game == 2, "the second game")
        await table.play()
        assert (None if table.now.event is None else table.now.event.place.game) == follows
        async with hall(tmp_path, topics, seats, form=BEST_OF_THREE) as hub:
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
            due = due_at(hub.state, 1)
            assert (due.place.game if isinstance(due, organiser_desk.EventGame) else None) == follows


@pytest.mark.slow
async def test_all_games_of_a_meeting_are_played_while_the_hub_is_away_and_are_there_afterwards(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with hub_away(tmp_path, OPEN, topics, seats) as table:
        for game in (1, 2, 3):
            await until(lambda: table.now.event is not None and table.now.event.place.game == game, f"game {game}")  # noqa: B023
            await table.play()
            assert table.now.entered is OutcomeStatus.KEPT
        assert table.now.event is None
        assert load("en").prompt(table.now) == phrase("lobby.waits.desk")  # not the round that was played
        async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
            await until(lambda: len(results(hub)) == 3, "the results")
            await until(lambda: table.journal.outbox.waiting(HUB) == (), "the answers")
            assert results(hub) == {(1, 1, game): (121, 0) for game in (1, 2, 3)}
            assert hub.said == []


@pytest.mark.slow
async def test_a_board_that_is_switched_off_meanwhile_begins_no_game_a_second_time(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with hub_away(tmp_path, OPEN, topics, seats) as table:
        await table.play()
    async with (
        club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub,
        club_table(tmp_path / "one", HUB, board_copy(topics)) as table,
    ):
        await until(lambda: table.now.event is not None, "a game")
        assert table.now.event is not None
        assert table.now.event.place.game == 2
        await until(lambda: len(results(hub)) == 1, "the result")


@pytest.mark.slow
@pytest.mark.parametrize(("slip", "state"), [((121, 0), ResultState.ACCEPTED), ((90, 121), ResultState.DISPUTED)])
async def test_a_slip_that_the_desk_has_taken_meanwhile_joins_the_boards_result_or_disputes_it(
    tmp_path: Path, slip: tuple[int, int], state: ResultState
) -> None:
    topics, seats = Topics(), AtTables()
    async with hub_away(tmp_path, OPEN, topics, seats) as table:
        await table.play()
        await table.play()
        journal = Journal(tmp_path / "hub" / "journal.db", SystemClock())
        desk = await LazyOrganiser(journal, SystemClock()).organiser()
        for game, scores in ((1, (121, 0)), (2, slip)):
            await desk.do(
                EnterResult(at=GameAt(1, 1, game), scores=scores, ending=Ending.FINISHED, source=ResultSource.SLIP)
            )
        journal.close()
        async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
            await until(lambda: table.journal.outbox.waiting(HUB) == (), "the answers")
            states = [result.state for result in hub.state.organiser.rounds[0].tables[0].results]
            assert states == [ResultState.ACCEPTED, state]
            await until(lambda: table.now.event is not None and table.now.event.place.game == 3, "the third game")


@pytest.mark.slow
async def test_a_match_that_is_decided_while_the_hub_is_away_has_no_third_game(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with hub_away(tmp_path, BEST_OF_THREE, topics, seats) as table:
        await table.play()
        await table.play()
        assert (table.now.event, table.now.waits is not None) == (None, True)
        async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
            await until(lambda: len(results(hub)) == 2, "the results")
            assert hub.state.organiser.rounds[0].tables[0].is_over


DUE = DueGame(
    place=PlayedFor(UUID(int=1), 2, 3, 1),
    names=("Rita", "Marcel"),
    entrants=(1, 2),
    rules=RULES["acc"].label,
    meeting=organiser_desk.Meeting(games=5, needed=3, wins=(1, 1), skunk_wins=2),
)


def ended(scores: tuple[int, int], *, broken_off: bool = False) -> Outcome:
    return Outcome(place=DUE.place, scores=scores, broken_off=broken_off, record="link", entrants=(1, 2))


@pytest.mark.parametrize(
    ("due", "outcome", "wins"),
    [
        (DUE, ended((121, 100)), (2, 1)),
        (DUE, ended((100, 121)), (1, 2)),
        (DUE, ended((80, 121)), None),  # a skunk counts two
        (DUE, ended((80, 100), broken_off=True), None),
        (DUE, None, None),
        (replace(DUE, meeting=organiser_desk.UNKNOWN_MEETING), ended((121, 100)), None),
        (replace(DUE, meeting=organiser_desk.Meeting(games=2)), ended((121, 0)), (0, 0)),
        (replace(DUE, meeting=organiser_desk.Meeting(games=1)), ended((121, 0)), None),
    ],
)
def test_the_next_game_of_a_meeting_counts_the_outcome_of_the_last(
    due: DueGame, outcome: Outcome | None, wins: Any
) -> None:
    found = next_game(due, outcome)
    assert (found and found.meeting.wins) == wins
    if found is not None:
        assert found.place == replace(DUE.place, game=2)


def test_who_sat_here_and_goes_where_or_has_a_bye_is_said_as_at_the_hub() -> None:
    at_hub = organiser_desk.WaitsForRound(3, 2, (("Rita", 2), ("Marcel", None)))
    _, waits = due_in_order(at_hub, ())
    assert due_in(Order(table=3, waits=waits), "a club", {}) == (at_hub, "")
    assert waits is not None
    assert waits.moves == (TableMove("Rita", 2),), "a board of an older release shows these"


@pytest.mark.parametrize(("played", "game"), [((1, 2), 2), ((), 2), ((3, 4), 1), ((2, 1), 1)])
def test_a_game_that_another_pair_has_played_before_a_new_draw_is_still_due(played: tuple[int, ...], game: int) -> None:
    outcome = replace(ended((121, 100)), entrants=played)
    found, _ = due_in(Order(table=3, due=DUE), "a club", {DUE.place: outcome})
    assert isinstance(found, organiser_desk.EventGame)
    assert (found.place.game, found.entrants) == (game, DUE.entrants)
