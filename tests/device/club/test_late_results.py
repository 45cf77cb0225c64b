"""A result that comes when its round is over, or its table is drawn anew, or that is of no game of the event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import (
    HUB,
    AtTables,
    Hub,
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
from tests.support.organised import draw_and_start, slip

from cribboard.competition.actions import CorrectResult, DrawRound, EndPlay, OpenPlace, StartRound, UndoCompetitionAct
from cribboard.competition.position import Result
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Ending, GameAt, ResultState
from cribd.club.board_status import ClubSnapshot, LateResult, RecordShown
from cribd.club.keys import ClubKey
from cribd.club.messages import BoardToHub, SignedOutcome, read_down, write
from cribd.club.signatures import signed_text
from cribd.club.transport import topic
from cribd.storage.outbox import HandedIn, Outcome, OutcomeStatus, PlayedFor
from cribd.web.kiosk.shared import boards_json

pytestmark = pytest.mark.slow

ONE_GAME = replace(OPEN, meeting_games=1)
NOWHERE = UUID(int=7)
#: The key of the hub, which is that of its own board.
OWN = "cc" * 32


async def test_a_board_away_all_evening_hands_in_equal_results_and_different_ones_are_disputed(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as away:
        seats.tables[away.key.id] = 1
        async with hall(tmp_path, topics, seats):
            await until(lambda: away.now.event is not None, "a game that is due")
        await away.play()  # its hub is gone, and so is the next game
        async with club_hub(tmp_path / "hub", hub_copy(Topics()), seats) as hub:
            await hub.organiser.do(slip(1, 121, 0))
            await hub.organiser.do(slip(1, 121, 77, game=2))
            await hub.organiser.do(slip(1, 121, 5, game=3))
            before = results(hub)
        async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
            await until(
                lambda: away.now.entered is OutcomeStatus.ACCEPTED, "the answer to the result that is the slip's"
            )
            assert results(hub) == before
            states = [result.state for result in hub.state.organiser.rounds[0].tables[0].results]
            assert set(states) == {ResultState.ACCEPTED}
            first = away.journal.outcome(1)
    topics = Topics()  # the board is off
    async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
        second = replace(first, place=PlayedFor(hub.state.uuid, 1, 1, 2), record="another game")
        signed = SignedOutcome(2, second, away.key.sign(signed_text(second, away.key.id)))
        topics.publish(topic(away.key.id, "up"), write(BoardToHub(outcomes=(signed,))))

        def state() -> ResultState:
            return hub.state.organiser.rounds[0].tables[0].results[1].state

        await until(lambda: state() is ResultState.DISPUTED, "the dispute about a result that is not the slip's")
        assert results(hub) == before
        assert hub.said == []


async def in_the_next_round(hub: Hub) -> None:
    await draw_and_start(hub.organiser)


async def once_play_has_ended(hub: Hub) -> None:
    await draw_and_start(hub.organiser)
    await hub.organiser.do(slip(1, 121, 90, round_=2), slip(2, 121, 91, round_=2), EndPlay())


async def once_all_is_open(hub: Hub) -> None:
    await once_play_has_ended(hub)
    await hub.organiser.do(*(OpenPlace(place) for place in (3, 2, 1)))


@pytest.mark.parametrize(
    ("close", "answer", "state"),
    [
        (in_the_next_round, OutcomeStatus.DISPUTED, ResultState.DISPUTED),
        (once_play_has_ended, OutcomeStatus.DISPUTED, ResultState.DISPUTED),
        (once_all_is_open, OutcomeStatus.DISPUTED, ResultState.ACCEPTED),
    ],
)
async def test_another_result_of_a_round_that_is_closed_is_answered_as_disputed_and_moves_nobody(
    tmp_path: Path, close: Callable[[Hub], Awaitable[None]], answer: OutcomeStatus, state: ResultState
) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        entrants = hub.state.organiser.rounds[0].tables[0].entrants
        await hub.organiser.do(slip(1, 121, 100), slip(2, 121, 101))
        await close(hub)
        before, rounds, phase = results(hub), hub.state.organiser.rounds, hub.state.organiser.phase
        place = PlayedFor(hub.state.uuid, 1, 1, 1)
        outcome = Outcome(place=place, scores=(77, 121), broken_off=False, record="late", entrants=tuple(entrants))
        signed = SignedOutcome(1, outcome, key.sign(signed_text(outcome, key.id)))
        topics.publish(topic(key.id, "up"), write(BoardToHub(outcomes=(signed,))))

        def answers() -> list[OutcomeStatus]:
            payload = topics.retained.get(topic(key.id, "down"))
            have = None if payload is None else read_down(payload).have
            return [] if have is None else [answer.entered for answer in have.answers]

        await until(lambda: answers() != [], "the answer to the board")
        now = hub.state.organiser
        assert answers() == [answer]
        assert (now.rounds[0].tables[0].results[0].state, results(hub), now.phase) == (state, before, phase)
        assert now.rounds[0].tables[1:] == rounds[0].tables[1:]
        assert now.rounds[1:] == rounds[1:]


def handed_in(key: ClubKey, hub: Hub, table: int, scores: tuple[int, int], record: str) -> bytes:
    """The message of a board with one result, of the first game of the first round at this table."""
    entrants = hub.state.organiser.rounds[0].tables[table - 1].entrants
    return message(key, PlayedFor(hub.state.uuid, 1, table, 1), scores, record, entrants)


def message(
    key: ClubKey,
    place: PlayedFor,
    scores: tuple[int, ...],
    record: str,
    entrants: tuple[int, ...],
    *,
    broken_off: bool = False,
) -> bytes:
    """The message of a board with one result."""
    outcome = Outcome(place=place, scores=scores, broken_off=broken_off, record=record, entrants=entrants)
    return write(BoardToHub(outcomes=(SignedOutcome(1, outcome, key.sign(signed_text(outcome, key.id))),)))


async def test_another_result_that_comes_once_all_is_open_is_said_at_the_desk_also_after_a_restart_until_it_counts(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        await hub.organiser.do(slip(1, 121, 100), slip(2, 121, 101))
        await once_all_is_open(hub)
        late = LateResult(key.id, "late", PlayedFor(hub.state.uuid, 1, 1, 1), (77, 121), (121, 100))
        topics.publish(topic(key.id, "up"), handed_in(key, hub, 1, (77, 121), "late"))
        await until(lambda: seats.shown.late == (late,), "the word at the desk")
        assert results(hub)[1, 1, 1] == (121, 100)
        assert boards_json.hall(seats.shown, hub.state) == {"games": []}
    seats.shown = ClubSnapshot()
    async with club_hub(tmp_path / "hub", hub_copy(Topics()), seats) as hub:  # the board is off
        await until(lambda: seats.shown.late == (late,), "the word at the desk after a restart")
        at, other = GameAt(1, 1, 1), replace(late, counts=(121, 90))
        await hub.organiser.do(CorrectResult(at=at, scores=(121, 90), ending=Ending.FINISHED, reason="misread"))
        await until(lambda: seats.shown.late == (other,), "what counts now")
        await hub.organiser.do(CorrectResult(at=at, scores=(77, 121), ending=Ending.FINISHED, reason="as the board"))
        await until(lambda: seats.shown.late == (), "its end")


async def test_a_first_result_that_comes_once_all_is_open_is_said_and_entered_when_the_opening_is_taken_back(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        await hub.organiser.do(slip(2, 121, 101))
        await hub.organiser.do(EndPlay())
        await hub.organiser.do(OpenPlace(2, "late"), OpenPlace(1))
        topics.publish(topic(key.id, "up"), handed_in(key, hub, 1, (77, 121), "late"))
        late = LateResult(key.id, "late", PlayedFor(hub.state.uuid, 1, 1, 1), (77, 121), None)
        await until(lambda: seats.shown.late == (late,), "the word at the desk")
        assert results(hub) == {(1, 2, 1): (121, 101)}
        await hub.organiser.do(UndoCompetitionAct())
        await until(lambda: results(hub).get((1, 1, 1)) == (77, 121), "the result")
        await until(lambda: seats.shown.late == (), "the end of the word")


async def test_a_result_of_a_draw_that_the_hub_has_lost_is_said_with_the_two_until_they_sit_there_and_then_counts(
    tmp_path: Path,
) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 2
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        await hub.organiser.do(slip(1, 121, 100), slip(2, 121, 101))
        (met, others) = (table.entrants for table in hub.state.organiser.rounds[0].tables)
        two, rest = (others[1], met[0]), (met[1], others[0])
        lost = LateResult(key.id, "lost", PlayedFor(hub.state.uuid, 2, 2, 1), (96, 121), None, two)
        topics.publish(topic(key.id, "up"), message(key, lost.place, lost.scores, "lost", two))
        await until(lambda: seats.shown.late == (lost,), "the word at the desk, before the round is drawn")

        await hub.organiser.do(by_hand(two, rest), StartRound())
        await until(
            lambda: len(hub.state.organiser.rounds) == 2 and seats.shown.late == (lost,), "the word of the draw"
        )
        assert results(hub).keys() == {(1, 1, 1), (1, 2, 1)}
        await hub.organiser.do(slip(1, 96, 121, round_=2))
        await until(lambda: seats.shown.late == (), "its end when it is entered at the table where the two play")
        await hub.organiser.do(*[UndoCompetitionAct()] * 3)
        await until(lambda: seats.shown.late == (lost,), "the word again")
    seats.shown = ClubSnapshot()
    async with club_hub(tmp_path / "hub", hub_copy(Topics()), seats) as hub:  # the board is off
        await until(lambda: seats.shown.late == (lost,), "the word at the desk after a restart")
        await hub.organiser.do(by_hand(rest, two), StartRound())
        await until(lambda: results(hub).get((2, 2, 1)) == (96, 121), "the result")
        await until(lambda: seats.shown.late == (), "the end of the word")


async def test_a_result_of_the_hubs_own_board_of_a_draw_that_was_undone_is_said_and_counts_once_the_two_sit_there(
    tmp_path: Path,
) -> None:
    seats = AtTables({OWN: 1})
    async with hall(tmp_path, Topics(), seats, 4, ONE_GAME) as hub:
        place, two = PlayedFor(hub.state.uuid, 1, 1, 1), hub.state.organiser.rounds[0].tables[0].entrants
        rest = hub.state.organiser.rounds[0].tables[1].entrants
        await hub.organiser.do(*[UndoCompetitionAct()] * 2)
        outcome = Outcome(place=place, scores=(96, 121), broken_off=False, record="undone", entrants=two)
        hub.club.note_unentered(HandedIn(outcome, OWN, 7), OutcomeStatus.NOT_TAKEN)
        undone = LateResult(OWN, "undone", place, (96, 121), None, two)
        await until(lambda: seats.shown.late == (undone,), "the word at the desk")
        assert seats.shown.records == (RecordShown(place, "not_taken"),)
        await hub.organiser.do(by_hand(two, rest), StartRound())
        await until(lambda: results(hub) == {(1, 1, 1): (96, 121)}, "the result")
        await until(lambda: (seats.shown.late, seats.shown.records) == ((), ()), "no line, and no record to check")


def by_hand(*pairs: tuple[int, int]) -> DrawRound:
    """The draw of an organiser who seats these pairs at the tables from the first on."""
    return DrawRound(Seating(tuple(Pairing(table, pair) for table, pair in enumerate(pairs, start=1))))


async def test_what_was_broken_off_of_a_draw_that_the_hub_has_lost_is_not_said(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        place = PlayedFor(hub.state.uuid, 2, 1, 1)
        topics.publish(topic(key.id, "up"), message(key, place, (50, 7), "lost", (1, 2), broken_off=True))
        await until(lambda: seats.shown.records == (RecordShown(place, "not_taken"),), "what the desk knows of it")
        assert seats.shown.late == ()


async def test_a_third_result_of_one_game_is_said_beside_the_dispute_and_after_it(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    keys = [make_key(tmp_path / name) for name in ("one", "two")]
    seats.tables |= {key.id: 1 for key in keys}
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        await hub.organiser.do(slip(1, 121, 100))

        def result() -> Result:
            return hub.state.organiser.rounds[0].tables[0].results[0]

        topics.publish(topic(keys[0].id, "up"), handed_in(keys[0], hub, 1, (121, 90), "first"))
        await until(lambda: result().board is not None, "the dispute")
        assert seats.shown.late == ()
        topics.publish(topic(keys[1].id, "up"), handed_in(keys[1], hub, 1, (77, 121), "second"))
        late = LateResult(keys[1].id, "second", PlayedFor(hub.state.uuid, 1, 1, 1), (77, 121), None)
        await until(lambda: seats.shown.late == (late,), "the other board's result")
        await hub.organiser.do(
            CorrectResult(at=GameAt(1, 1, 1), scores=(121, 90), ending=Ending.FINISHED, reason="as played")
        )
        await until(lambda: seats.shown.late == (replace(late, counts=(121, 90)),), "what counts")
        assert result().state is ResultState.ACCEPTED


async def test_what_is_of_no_game_is_refused_in_one_line_each_and_changes_nothing(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    key = make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats, 4, ONE_GAME) as hub:
        first = hub.state.organiser.rounds[0].tables[0].entrants
        await hub.organiser.do(slip(1, 121, 100), slip(2, 121, 101))
        await draw_and_start(hub.organiser)
        before = results(hub)
        event = hub.state.uuid
        others = tuple(sorted({1, 2, 3, 4} - {*first}))
        refused = {
            "no such pair plays at round 9, table 1, game 1": (PlayedFor(event, 9, 1, 1), first),
            "no such pair plays at round 2, table 1, game 1": (
                PlayedFor(event, 2, 1, 1),
                others,
            ),  # of those who do not sit there
            f"event {NOWHERE} are not taken": (PlayedFor(NOWHERE, 1, 1, 1), first),
        }
        for why, (place, entrants) in refused.items():
            outcome = Outcome(place=place, scores=(121, 3), broken_off=False, record=why, entrants=entrants)
            signed = SignedOutcome(1, outcome, key.sign(signed_text(outcome, key.id)))
            for backlog in range(3):
                up = BoardToHub(outcomes=(signed,))
                topics.publish(topic(key.id, "up"), write(replace(up, status=replace(up.status, backlog=backlog))))
                await until(lambda: any(why in line for line in hub.said), why)  # noqa: B023
        assert len(hub.said) == len(refused)
        assert results(hub) == before


async def test_a_result_on_its_way_while_the_round_is_drawn_anew_is_no_result_of_others(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats, 4) as hub:
            await until(lambda: table.now.event is not None, "a game that is due")
            played = hub.state.organiser.rounds[0].tables[0].entrants
        await table.play()
        assert table.now.entered is OutcomeStatus.KEPT
        async with club_hub(tmp_path / "hub", hub_copy(Topics()), seats) as hub:
            await hub.organiser.do(UndoCompetitionAct())  # the start
            while hub.state.organiser.rounds[0].tables[0].entrants == played:
                await hub.organiser.do(UndoCompetitionAct())
                await hub.organiser.draw()
            await hub.organiser.do(StartRound())
        async with club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub:
            await until(lambda: table.now.entered is OutcomeStatus.NOT_TAKEN, "the answer")
            assert results(hub) == {}
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the game of those who sit there now")
            assert results(hub) == {(1, 1, 1): (121, 0)}
