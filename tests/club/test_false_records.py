"""A board that changes its record, or plays by other rules, over a real mosquitto: the desk and the log say so."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.support.club import Club
from tests.support.club_evenings import HUB, AtTables, club_hub, club_table, results, until
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall

from cribboard.competition.terms import ResultState
from cribd.clock import SystemClock
from cribd.club.board_status import RecordShown
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import board_connection, hub_connection
from cribd.club.messages import BoardToHub, HubToBoard, read_down, read_up, write
from cribd.club.record_check import RecordVerdict
from cribd.club.transport import Transport
from cribd.storage.outbox import OutcomeStatus, PlayedFor

pytestmark = pytest.mark.slow

CLOCK = SystemClock()


@dataclass
class FalseBoard:
    """The transport of a board that was rebuilt: it changes what the board sends, and what the board is told."""

    carries: Transport
    sends: Callable[[BoardToHub], BoardToHub]
    hears: Callable[[HubToBoard], HubToBoard]

    def publish(self, topic: str, payload: bytes) -> None:
        self.carries.publish(topic, write(self.sends(read_up(payload))) if topic.endswith("/up") else payload)

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        def hear(topic: str, payload: bytes) -> None:
            receive(topic, write(self.hears(read_down(payload))) if topic.endswith("/down") else payload)

        await self.carries.run(hear, connected)


def changed(up: BoardToHub) -> BoardToHub:
    """In the record is another name, and the chain is as it was."""
    if up.part is None:
        return up
    text = zlib.decompress(up.part.data)
    assert b"Entrant 1" in text
    data = zlib.compress(text.replace(b"Entrant 1", b"Entrant 7"))
    return replace(up, part=replace(up.part, data=data, size=len(data)))


def by_other_rules(down: HubToBoard) -> HubToBoard:
    """The game that is due has other rules."""
    due = down.order.due
    return down if due is None else replace(down, order=replace(down.order, due=replace(due, rules="six-card/1")))


@pytest.mark.parametrize(
    ("sends", "hears", "verdict", "why"),
    [
        (changed, lambda down: down, RecordVerdict.UNREADABLE, "it cannot be read, or its chain does not fit"),
        (lambda up: up, by_other_rules, RecordVerdict.OTHER_RULES, "it is played by other rules than the event's"),
    ],
    ids=["chain", "rules"],
)
async def test_a_false_record_disputes_its_result_with_the_reason_at_the_desk_and_one_line_in_the_log(
    tmp_path: Path,
    sends: Callable[[BoardToHub], BoardToHub],
    hears: Callable[[HubToBoard], HubToBoard],
    verdict: RecordVerdict,
    why: str,
) -> None:
    club, seats = Club(tmp_path), AtTables()
    board, own = club.pair("1"), club.hub.certificate
    seats.tables[board.id] = 1
    tls = tls_to_hub(board.key, board.certificate, own)

    def connect(name: str) -> Transport:
        return FalseBoard(board_connection(name, lambda: [("127.0.0.1", club.port)], CLOCK, tls=tls), sends, hears)

    local = hub_connection(lambda: [("127.0.0.1", club.port)], CLOCK, tls=tls_to_hub(club.hub.key, own, own))
    async with club.running(), club_hub(tmp_path / "hub", local, seats) as hub:
        await open_hall(hub.organiser, 2, OPEN)
        await draw_and_start(hub.organiser)
        place = PlayedFor(hub.state.uuid, 1, 1, 1)

        def is_disputed() -> bool:
            found = hub.state.organiser.rounds[0].tables[0].results
            return bool(found) and found[0].state is ResultState.DISPUTED

        async with club_table(board.key.file.parent, HUB, connect) as table:
            await table.play()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer, before the record is judged")
            await until(is_disputed, "the dispute")
            await until(lambda: seats.shown.records == (RecordShown(place, verdict),), "the reason at the desk")
        async with club_table(board.key.file.parent, HUB, connect) as table:
            await table.play()
            await until(lambda: len(results(hub)) == 2, "the next game of the board, which was switched off and on")
            await until(lambda: len(seats.shown.records) == 2, "what is wrong with that too")
        line = "The record of round 1, table 1, game {} of board {} does not bear its outcome out: {}."
        await until(lambda: len(hub.said) == 2, "a line in the log for each game")
        assert hub.said == [line.format(game, board.id[:8], why) for game in (1, 2)]
