"""What the hub takes from a board, and what it refuses: nothing is lost, nothing counts twice, nothing is believed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import (
    HUB,
    AtTables,
    ClubTable,
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
from tests.support.evenings import BLUE, MENU, OK
from tests.support.event_evenings import OPEN, SEALED

from cribboard.competition.actions import AnswerCall
from cribboard.competition.terms import ResultState
from cribboard.record import Record
from cribboard.record import write as write_record
from cribd.club.board_status import RecordShown
from cribd.club.hub import RETRY_S
from cribd.club.messages import (
    MOST_BYTES,
    SEALED_SIZE,
    BoardToHub,
    OfficialCall,
    RecordPart,
    ReportedStatus,
    SignedOutcome,
    read_up,
    write,
)
from cribd.club.record_check import RecordVerdict, check
from cribd.club.signatures import signed_text
from cribd.club.transport import topic
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor
from cribd.table.snapshot import Line

pytestmark = pytest.mark.slow


@asynccontextmanager
async def club(
    folder: Path, form: Any = OPEN, *, entrants: int = 2
) -> AsyncIterator[tuple[Hub, ClubTable, Topics, AtTables]]:
    """A hub whose first round has started, and a board at table 1."""
    topics, seats = Topics(), AtTables()
    seats.tables[make_key(folder / "one").id] = 1
    async with (
        hall(folder, topics, seats, entrants, form) as hub,
        club_table(folder / "one", HUB, board_copy(topics)) as table,
    ):
        yield hub, table, topics, seats


async def test_an_official_who_is_called_at_a_board_is_called_at_the_hub_until_either_answers(tmp_path: Path) -> None:
    async with club(tmp_path) as (hub, table, _, seats):
        await until(lambda: table.now.event is not None, "a game")
        await table.post(OK[BLUE])
        for answered_at_desk in (True, False):
            await table.post(MENU)
            while table.now.menu is not None and table.now.menu.current.line is not Line.OFFICIAL:
                await table.post(MENU)
            await table.post(OK[BLUE])
            caller = hub.state.organiser.rounds[0].tables[0].entrants[BLUE]
            await until(lambda: hub.state.organiser.calls == (caller,), "the call")  # noqa: B023
            await until(lambda: [board.calls for board in seats.shown.boards] == [(BLUE,)], "the call on the desk")
            if answered_at_desk:
                await hub.organiser.do(AnswerCall(caller))
            else:
                await table.post(OK[BLUE])
            await until(lambda: table.now.official is None and hub.state.organiser.calls == (), "the answer")
            await until(lambda: [board.calls for board in seats.shown.boards] == [()], "its end on the desk")


async def test_a_call_that_the_hub_cannot_write_is_tried_until_it_can_and_said_once(tmp_path: Path) -> None:
    async with club(tmp_path) as (hub, table, _, _seats):
        await until(lambda: table.now.event is not None, "a game")
        await table.post(OK[BLUE])
        database = hub.organiser.journal._file.db
        database.execute("PRAGMA query_only = ON")
        await table.post(MENU)
        while table.now.menu is not None and table.now.menu.current.line is not Line.OFFICIAL:
            await table.post(MENU)
        await table.post(OK[BLUE])
        await until(lambda: hub.said != [], "a line in the log")
        await asyncio.sleep(2.5 * RETRY_S)
        assert hub.state.organiser.calls == ()
        database.execute("PRAGMA query_only = OFF")
        caller = hub.state.organiser.rounds[0].tables[0].entrants[BLUE]
        await until(lambda: hub.state.organiser.calls == (caller,), "the call")
        [line] = hub.said
        assert line.startswith("A call for an official waits: the journal cannot be written")
        await table.post(OK[BLUE])
        await until(lambda: hub.state.organiser.calls == (), "its end")


async def test_in_a_sealed_event_all_messages_are_alike_and_the_record_comes_in_parts(tmp_path: Path) -> None:
    async with club(tmp_path, SEALED) as (hub, table, topics, seats):
        await until(lambda: table.now.event is not None, "a game")
        begun = len(topics.sent)
        await table.play()
        await until(lambda: results(hub) == {(1, 1, 1): (121, 0)}, "the result")
        played = table.journal.outcome(1).place
        await until(lambda: seats.shown.records == (RecordShown(played),), "the record that is not yet checked")
        received = hub.organiser.journal.competitions.received
        await until(lambda: received.records() != (), "the record")
        await until(lambda: seats.shown.records == (), "the end of its check at the desk")
        carried = [payload for about, payload in topics.sent[begun:] if not about.endswith("online")]
        assert {len(payload) for payload in carried} == {SEALED_SIZE}
        assert seats.shown.boards[0].game is None


async def test_a_hub_that_is_restored_from_an_older_copy_is_given_again_what_it_lacks(tmp_path: Path) -> None:
    async with club(tmp_path) as (hub, table, topics, seats):
        await table.play()
        await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
        records = hub.organiser.journal.competitions.received.records
        await until(lambda: len(records()) == 1, "the first record")
        hub.organiser.journal._file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        copytree(tmp_path / "hub", tmp_path / "copy")
        await table.play()
        await until(lambda: len(records()) == 2, "the second record")
    async with (
        club_hub(tmp_path / "copy", hub_copy(topics), seats) as hub,
        club_table(tmp_path / "one", HUB, board_copy(topics)) as table,
    ):
        assert len(results(hub)) == 1
        await until(lambda: len(results(hub)) == 2, "the second result")
        await until(lambda: len(hub.organiser.journal.competitions.received.records()) == 2, "its record")
        assert [one.sequence for one in hub.organiser.journal.competitions.received.signed()] == [1, 2]


async def test_what_a_board_cannot_prove_is_refused_in_a_line_and_harms_no_other_board(tmp_path: Path) -> None:
    async with club(tmp_path, entrants=4) as (hub, table, topics, seats):
        key = make_key(tmp_path / "other")
        event, stranger = hub.state.uuid, "0" * 64
        pair = hub.state.organiser.rounds[0].tables[1]
        outcome = Outcome(
            place=PlayedFor(event, 1, pair.table, 1), scores=(121, 3), broken_off=False, record="link",
            entrants=pair.entrants,
        )  # fmt: skip
        signature = key.sign(signed_text(outcome, key.id))
        topics.publish(topic(stranger, "up"), write(BoardToHub(outcomes=(SignedOutcome(1, outcome, signature),))))
        seats.tables[key.id] = 7
        refused: list[tuple[bytes, str]] = [
            (b"hello", "a message is an object in JSON"),
            (b" " * (MOST_BYTES + 1), "at most"),
            (
                write(BoardToHub(outcomes=(SignedOutcome(1, replace(outcome, scores=(121, 4)), signature),))),
                "signature",
            ),
            *(
                (
                    write(BoardToHub(outcomes=(SignedOutcome(1, other, key.sign(signed_text(other, key.id))),))),
                    "no game of two",
                )
                for other in (
                    replace(outcome, scores=(1, 2, 3)),
                    replace(outcome, scores=()),
                    replace(outcome, place=PlayedFor(event, 0, 0, 0)),
                )
            ),
            (write(BoardToHub(outcomes=(SignedOutcome(1, outcome, signature),))), "never stood at table"),
            (
                write(BoardToHub(calls=(OfficialCall(1, outcome.place, BLUE),))),
                f"A call of board {key.id[:8]} is refused: it never stood at table {pair.table}.",
            ),
        ]
        unknown = f"Board {stranger[:8]} is refused: this hub does not know it. Let it join the club again."
        await until(lambda: hub.said == [unknown], "the stranger")
        for payload, why in refused:
            for _ in range(3):
                topics.publish(topic(key.id, "up"), payload)
                await until(lambda: any(why in line for line in hub.said), why)  # noqa: B023
        assert len(hub.said) == len({why for _, why in refused}) + 1, "each is said once"
        assert hub.state.organiser.calls == ()
        await table.play()
        await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer to the other board")
        assert results(hub) == {(1, 1, 1): (121, 0)}
        seats.tables[key.id] = pair.table
        seats.changed()
        await until(lambda: len(results(hub)) == 2, "the result, once the desk has seated the board there")
        records = hub.organiser.journal.competitions.received.records
        await until(lambda: records() != (), "the record of the other board, so that nothing else is written")
        await until(lambda: hub.state.organiser.calls != (), "its call, once it is seated there")
        topics.publish(topic(key.id, "up"), write(BoardToHub()))
        await until(lambda: hub.state.organiser.calls == (), "the end of the call")
        impossible = replace(outcome, place=replace(outcome.place, game=2), scores=(400, 3), record="high")
        high = SignedOutcome(2, impossible, key.sign(signed_text(impossible, key.id)))
        writes = hub.organiser.journal._file.db.total_changes
        topics.publish(topic(key.id, "up"), write(BoardToHub(outcomes=(high,))))
        why = f"is not taken: it cannot be a result of round 1, table {pair.table}, game 2."
        await until(lambda: any(line.endswith(why) for line in hub.said), "the impossible scores")
        taken = hub.organiser.journal._file.db.total_changes - writes
        for number in range(3):
            topics.publish(topic(key.id, "up"), write(BoardToHub(status=ReportedStatus(backlog=number))))
            await until(lambda: len(seats.shown.boards) == 2 and seats.shown.boards[1].backlog == number)  # noqa: B023
        assert hub.organiser.journal._file.db.total_changes - writes == taken, "it is not tried again and again"


async def test_a_record_that_does_not_bear_the_outcome_out_disputes_the_result(tmp_path: Path) -> None:
    async with club(tmp_path, entrants=4) as (hub, table, topics, seats):
        await table.play()
        await until(lambda: results(hub) != {}, "the result")
        played = table.journal.game(1)
        data = zlib.compress(write_record(Record(played.heading, played.game.log)).encode())
        true = table.journal.outcome(1)
        rules = played.heading.rules.label
        assert check(data, true, rules) is RecordVerdict.SOUND
        assert check(data, true, "acc/2") is RecordVerdict.OTHER_RULES
        assert check(data, replace(true, scores=(121, 1)), rules) is RecordVerdict.OTHER_SCORES
        assert check(data, replace(true, record="0"), rules) is RecordVerdict.OTHER_GAME
        assert check(data[:-9], true, rules) is RecordVerdict.UNREADABLE
        assert check(zlib.compress(b"a" * 10_000_000), true, rules) is RecordVerdict.UNREADABLE

        key = make_key(tmp_path / "other")
        pair = hub.state.organiser.rounds[0].tables[1]
        seats.tables[key.id] = pair.table
        place = PlayedFor(hub.state.uuid, 1, pair.table, 1)
        lie = replace(true, place=place, scores=(121, 60), entrants=pair.entrants)
        signed = SignedOutcome(1, lie, key.sign(signed_text(lie, key.id)))
        part = RecordPart(1, lie.record, 0, len(data), data)
        topics.publish(topic(key.id, "up"), write(BoardToHub(outcomes=(signed,), part=part)))

        def state() -> ResultState | None:
            found = hub.state.organiser.rounds[0].tables[1].results
            return found[0].state if found else None

        await until(lambda: state() is not None, "the result")
        assert state() is ResultState.ACCEPTED
        await until(lambda: state() is ResultState.DISPUTED, "the dispute")
        assert any("it ends with other scores" in line for line in hub.said)
        await until(lambda: seats.shown.records == (RecordShown(place, "other_scores"),), "the finding at the desk")
    async with club_hub(tmp_path / "hub", hub_copy(topics), seats):
        await until(lambda: seats.shown.records == (RecordShown(place, "other_scores"),), "it after a restart")


@pytest.mark.parametrize("scores", [(121, 60), (70, 60)], ids=["finished", "broken off"])
async def test_a_result_that_is_entered_after_its_record_was_found_wrong_is_disputed_at_once(
    tmp_path: Path, scores: tuple[int, int]
) -> None:
    async with club(tmp_path, entrants=4) as (hub, table, topics, seats):
        key, pair = make_key(tmp_path / "other"), hub.state.organiser.rounds[0].tables[1]
        seats.tables[key.id] = 7
        place = PlayedFor(hub.state.uuid, 1, pair.table, 1)
        is_broken_off = 121 not in scores
        lie = Outcome(place=place, scores=scores, broken_off=is_broken_off, record="link", entrants=pair.entrants)
        signed = SignedOutcome(1, lie, key.sign(signed_text(lie, key.id)))
        part = RecordPart(1, lie.record, 0, 5, b"false")
        topics.publish(topic(key.id, "up"), write(BoardToHub(outcomes=(signed,), part=part)))
        received = hub.organiser.journal.competitions.received
        await until(lambda: [*received.records()] == [(key.id, 1, "link", "unreadable")], "the check of the record")
        await table.play()
        await until(lambda: results(hub) == {(1, 1, 1): (121, 0)}, "the result of the other board alone")
        seats.tables[key.id] = pair.table
        seats.changed()
        await until(lambda: len(results(hub)) == 2, "the result, once the desk has seated the board there")
        [found] = hub.state.organiser.rounds[0].tables[1].results
        assert (found.state, found.record) == (ResultState.DISPUTED, "link")
        await until(lambda: seats.shown.records == (RecordShown(place, "unreadable"),), "the finding at the desk")


async def test_a_record_that_is_at_the_broker_before_the_hub_starts_is_checked(tmp_path: Path) -> None:
    topics, seats, key = Topics(), AtTables(), make_key(tmp_path / "one")
    seats.tables[key.id] = 1
    async with hall(tmp_path, topics, seats) as hub:
        pair, place = hub.state.organiser.rounds[0].tables[0], PlayedFor(hub.state.uuid, 1, 1, 1)
    lie = Outcome(place=place, scores=(121, 60), broken_off=False, record="link", entrants=pair.entrants)
    signed = SignedOutcome(1, lie, key.sign(signed_text(lie, key.id)))
    part = RecordPart(1, lie.record, 0, 5, b"false")
    topics.publish(topic(key.id, "up"), write(BoardToHub(outcomes=(signed,), part=part)))
    async with hall(tmp_path, topics, seats) as hub:
        records = hub.organiser.journal.competitions.received.records
        await until(lambda: records() != (), "the check")
        assert records() == ((key.id, 1, "link", "unreadable"),)
        [found] = hub.state.organiser.rounds[0].tables[0].results
        assert found.state is ResultState.DISPUTED


async def test_a_board_says_nothing_of_its_outcomes_until_the_hub_says_what_it_has(tmp_path: Path) -> None:
    async with club(tmp_path) as (_, table, topics, seats):
        await until(lambda: table.now.event is not None, "a game")
        seats.tables.clear()  # the desk has removed the board
        await table.play()
        assert table.now.entered is OutcomeStatus.KEPT
    topics.retained.clear()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        about = topic(table.key.id, "up")
        await until(lambda: about in topics.retained, "the first message")
        up = read_up(topics.retained[about])
        assert (up.status.backlog, up.outcomes, up.part) == (1, (), None)
