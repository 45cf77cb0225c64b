"""An evening of a club over a real mosquitto with TLS, at which everything breaks: each result is there once."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.club import Club, Machine
from tests.support.club_evenings import HUB, AtTables, ClubTable, Hub, club_hub, club_table, results, until
from tests.support.club_tally import HOLE, Slip, Tally
from tests.support.evenings import BLUE, OK, RED, holes
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall, slip
from tests.support.proxies import Cable, cable

from cribboard.competition import FORMATS, Format
from cribboard.competition.terms import ResultState
from cribd.clock import SystemClock
from cribd.club.broker import PID
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import board_connection, hub_connection
from cribd.club.messages import BEAT_S, SEALED_SIZE, read_up
from cribd.club.transport import HUB_ONLINE, Transport
from cribd.inputs import Input
from cribd.storage.outbox import OutcomeStatus

pytestmark = pytest.mark.slow

BOARDS = 12
CLOCK = SystemClock()
#: The table whose board is away for two rounds, and the one whose board is closed as it sends.
AWAY, CLOSED = 12, 7
#: The tables whose boards are cut off from the hub: half of the hall.
CUT_OFF = range(1, BOARDS // 2 + 1)
#: So long they are cut off, in seconds. After that both sides have noticed it, and each board tries to connect every
#: eight seconds: more of the same changes nothing. It was tried with ten minutes.
CUT_S = 30.0
#: So long nobody plays while somebody listens: some beats.
QUIET_S = 4 * BEAT_S
#: What TLS makes of a ping or its answer, which a connection sends every ten seconds from its beginning on.
PING = 24


def topics_of(machine: Machine) -> Sequence[str]:
    return machine.up, machine.down, machine.online


def on_the_beat(times: Sequence[float]) -> None:
    """Messages that were heard at these times came one in each beat."""
    assert len(times) > 3
    assert all(abs(later - sooner - BEAT_S) < BEAT_S / 2 for sooner, later in pairwise(times)), times


def scores(round_: int, table: int) -> tuple[int, int]:
    """How the game of this round ends at this table: both sides win some, and no two tables have the same points."""
    lost = 2 + (5 * table + 3 * round_) % 23
    return (HOLE, lost) if (table + round_) % 2 else (lost, HOLE)


def a_game(blue: int, red: int) -> Sequence[Input]:
    """A trusted game of FADOQ with this end: blue deals, the loser pegs, the winner pegs, and both confirm."""
    winner, lost = (BLUE, red) if blue == HOLE else (RED, blue)
    return [OK[BLUE], OK[BLUE], OK[BLUE], *holes(1 - winner, lost, lost), *holes(winner, HOLE, HOLE, HOLE), *OK]


class Sending:
    """A transport that notes when an outcome is on its way."""

    def __init__(self, carries: Transport) -> None:
        self._carries, self.run, self.sends = carries, carries.run, asyncio.Event()

    def publish(self, topic: str, payload: bytes) -> None:
        self._carries.publish(topic, payload)
        if topic.endswith("/up") and read_up(payload).outcomes:
            self.sends.set()


@dataclass
class Place:
    """A table of the hall with its board, which is switched on and off, and its cable."""

    number: int
    machine: Machine
    cable: Cable
    club: Club
    on: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def switch_on(self) -> None:
        tls = tls_to_hub(self.machine.key, self.machine.certificate, self.club.hub.certificate)

        def connect(board: str) -> Transport:
            self.sending = Sending(board_connection(board, lambda: [("127.0.0.1", self.cable.port)], CLOCK, tls=tls))
            return self.sending

        table = club_table(self.machine.key.file.parent, HUB, connect)
        self.table: ClubTable = await self.on.enter_async_context(table)

    async def due(self, round_: int) -> None:
        def is_due() -> bool:
            event = self.table.now.event
            return event is not None and event.place.round == round_

        await until(is_due, f"the game of round {round_} at table {self.number}")

    async def play(self, round_: int) -> None:
        """Play the game of this round."""
        await self.due(round_)
        await self.table.post(*a_game(*scores(round_, self.number)))


@dataclass
class Evening:
    """A club, its places by table, and the hub, which is switched off and on."""

    club: Club
    places: dict[int, Place]
    seats: AtTables
    on: AsyncExitStack = field(default_factory=AsyncExitStack)
    tally: Tally = field(default_factory=Tally)

    async def switch_hub_on(self) -> None:
        key, own = self.club.hub.key, self.club.hub.certificate
        connection = hub_connection(lambda: [("127.0.0.1", self.club.port)], CLOCK, tls=tls_to_hub(key, own, own))
        self.hub: Hub = await self.on.enter_async_context(club_hub(key.file.parent, connection, self.seats))

    async def switch_hub_off(self) -> None:
        assert self.hub.said == []
        await self.on.aclose()

    def kill_broker(self) -> None:
        """Kill it, and delete all that it has."""
        folder = self.club.folder / "broker"
        os.kill(int((folder / PID).read_text()), signal.SIGKILL)
        shutil.rmtree(folder)

    async def play(self, round_: int, *without: int) -> None:
        """Let all play the game of this round but at these tables."""
        await asyncio.gather(*(place.play(round_) for table, place in self.places.items() if table not in without))

    async def results(self, round_: int, *without: int) -> None:
        """Wait for the results of all tables but these."""
        asked = {(round_, table, 1) for table in self.places if table not in without}
        await until(lambda: asked <= results(self.hub).keys(), f"the results of round {round_}", 40)

    async def by_slip(self, round_: int, table: int) -> None:
        """Enter the result of a table at the desk."""
        [pair] = [pair for pair in self.hub.state.organiser.rounds[round_ - 1].tables if pair.table == table]
        self.tally.slips[round_, table, 1] = Slip(pair.entrants, scores(round_, table))
        await self.hub.organiser.do(slip(table, *scores(round_, table), round_=round_))

    async def round(self, round_: int) -> None:
        """Play a round in which nothing breaks."""
        await draw_and_start(self.hub.organiser)
        await self.play(round_)
        await self.results(round_)

    def offline(self) -> set[str]:
        """The boards that the desk sees as away."""
        return {board.id for board in self.seats.shown.boards if not board.is_online}

    def copied(self) -> set[str]:
        """The boards of which the desk knows that two machines have their key."""
        return {board.id for board in self.seats.shown.boards if board.has_copy}

    def of_boards(self) -> dict[tuple[int, int, int], Slip]:
        """The slips that the boards' own records give."""
        found: dict[tuple[int, int, int], Slip] = {}
        for place in self.places.values():
            for game, _ in place.table.journal.outbox.of_club(HUB):
                outcome = place.table.journal.outcome(game)
                at = outcome.place.round, outcome.place.table, outcome.place.game
                assert at not in found
                (blue, red), (pegged, other) = outcome.entrants, outcome.scores
                found[at] = Slip((blue, red), (pegged, other))
        return found


@asynccontextmanager
async def evening(club: Club, boards: int) -> AsyncIterator[Evening]:
    """A club whose boards are switched on, each with a cable of its own."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(club.running())
        places = {}
        seats = AtTables()
        for number in range(1, boards + 1):
            machine = club.pair(str(number))
            seats.tables[machine.id] = number
            places[number] = Place(number, machine, await stack.enter_async_context(cable(club.port)), club)
        made = Evening(club, places, seats)
        stack.push_async_callback(made.on.aclose)
        await made.switch_hub_on()
        for place in places.values():
            await place.switch_on()
            stack.push_async_callback(place.on.aclose)
        yield made


async def test_an_evening_at_which_broker_hub_boards_and_cables_fail_ends_with_the_standings_of_the_boards_records(
    tmp_path: Path,
) -> None:
    async with evening(Club(tmp_path), BOARDS) as hall:
        away, closed = hall.places[AWAY], hall.places[CLOSED]
        half = [hall.places[number] for number in CUT_OFF]
        await open_hall(hall.hub.organiser, 2 * BOARDS, FORMATS["fadoq"])

        await hall.round(1)

        await draw_and_start(hall.hub.organiser)
        await away.due(2)
        away.cable.cut()
        await hall.play(2)
        await away.on.aclose()  # it has the result, and goes home with it: the desk has a slip for this round
        await hall.results(2, AWAY)
        await hall.by_slip(2, AWAY)

        await draw_and_start(hall.hub.organiser)
        playing = asyncio.create_task(hall.play(3, AWAY))
        await until(lambda: len(results(hall.hub)) > 2 * BOARDS, "the first result of round 3")
        hall.kill_broker()
        await hall.by_slip(3, AWAY)
        await playing
        await hall.results(3)

        away.cable.join()
        await away.switch_on()
        await draw_and_start(hall.hub.organiser)
        playing = asyncio.create_task(hall.play(4))
        await until(lambda: len(results(hall.hub)) > 3 * BOARDS, "the first result of round 4")
        await hall.switch_hub_off()
        await playing
        await hall.switch_hub_on()
        await hall.results(4)

        await draw_and_start(hall.hub.organiser)
        for place in half:
            await place.due(5)
            place.cable.cut()
        until_then = asyncio.get_running_loop().time() + CUT_S
        await hall.play(5)
        await hall.results(5, *CUT_OFF)
        away_now = {place.machine.id for place in half}
        await until(lambda: hall.offline() == away_now, "the desk sees who is away", 40)
        await asyncio.sleep(until_then - asyncio.get_running_loop().time())
        assert all(place.table.now.entered is OutcomeStatus.KEPT for place in half)
        for place in half:
            place.cable.join()
        await hall.results(5)

        await draw_and_start(hall.hub.organiser)
        playing = asyncio.create_task(hall.play(6))
        await until(
            lambda: any(place.table.now.entered is OutcomeStatus.KEPT for place in hall.places.values()),
            "the end of a game",
        )
        hall.kill_broker()
        await playing
        await hall.results(6)

        await draw_and_start(hall.hub.organiser)
        closed.sending.sends.clear()
        await hall.play(7)
        await closed.sending.sends.wait()
        await closed.on.aclose()
        await hall.results(7, CLOSED)
        await closed.switch_on()
        await hall.results(7)

        await hall.round(8)

        for place in hall.places.values():
            outbox = place.table.journal.outbox
            await until(lambda: outbox.waiting(HUB) == (), f"the answers to table {place.number}")  # noqa: B023
        records = hall.hub.organiser.journal.competitions.received.records
        await until(lambda: len(records()) == 8 * BOARDS - 1, "all records", 40)

        by_boards = hall.of_boards()
        with closing(sqlite3.connect(hall.hub.organiser.journal.path)) as journal:
            received = Counter(journal.execute("SELECT round, at_table, number FROM received"))
            answers = set(journal.execute("SELECT answer FROM received"))
            found = set(journal.execute("SELECT found FROM game_record"))
        assert received == Counter(by_boards.keys())
        assert answers == {("accepted",)}
        assert found == {("",)}
        assert by_boards[2, AWAY, 1] == hall.tally.slips[2, AWAY, 1]
        hall.tally.slips |= by_boards
        assert hall.tally.slips.keys() == {(round_, table, 1) for round_ in range(1, 9) for table in hall.places}
        assert {at: slip.scores for at, slip in hall.tally.slips.items()} == results(hall.hub)
        standings = {row.entrant: row.place for row in hall.hub.state.organiser.standings}
        assert standings == hall.tally.places(standings, hall.tally.fadoq)
        assert len(standings) == 2 * BOARDS
        assert hall.hub.said == []


async def test_in_a_sealed_event_one_boards_key_shows_nothing_of_others_and_their_results_are_not_heard_on_the_cable(
    tmp_path: Path,
) -> None:
    async with evening(Club(tmp_path), 2) as hall:
        spy = hall.club.pair("3")
        hall.seats.tables[spy.id] = 3
        await open_hall(hall.hub.organiser, 6, FORMATS["fadoq"])
        await draw_and_start(hall.hub.organiser)
        await asyncio.gather(*(place.due(1) for place in hall.places.values()))
        topics = (
            "#",
            "+/+/+/+",
            "$SYS/#",
            *(topic for place in hall.places.values() for topic in topics_of(place.machine)),
        )
        asked = [word for topic in (*topics, *topics_of(spy)) for word in ("-t", topic)]
        listens = await hall.club.start("mosquitto_sub", spy, "-q", "1", "-F", "%t %l %U %p", *asked)
        await asyncio.sleep(QUIET_S)
        played_from = asyncio.get_running_loop().time()
        await hall.play(1)
        await hall.results(1)
        records = hall.hub.organiser.journal.competitions.received.records
        await until(lambda: len(records()) == 2, "the records")
        await asyncio.sleep(max(0.0, played_from + QUIET_S - asyncio.get_running_loop().time()))
        listens.terminate()
        said, _ = await listens.communicate()
        played_until = asyncio.get_running_loop().time()

        received = [line.split(maxsplit=3) for line in said.decode().splitlines()]
        assert {topic for topic, *_ in received} == {spy.down, HUB_ONLINE}
        assert {int(length) for topic, length, *_ in received if topic == spy.down} == {SEALED_SIZE}
        assert len({text for topic, *_, text in received if topic == spy.down}) == 1
        times = [float(at) for topic, _, at, _ in received if topic == spy.down]
        on_the_beat([at for at in times if at > times[0] + BEAT_S / 4])  # without what the broker kept

        for place in hall.places.values():
            for heard in place.cable.heard:
                messages = [one for one in heard if one.length != PING]
                before = [one for one in messages if played_from - QUIET_S < one.at < played_from]
                meanwhile = [one for one in messages if played_from < one.at < played_until]
                assert {one.length for one in before} == {one.length for one in meanwhile}
                on_the_beat([one.at for one in (*before, *meanwhile) if one.length > SEALED_SIZE])


async def test_one_game_that_two_boards_end_at_the_same_time_is_disputed_with_both_results(tmp_path: Path) -> None:
    async with evening(Club(tmp_path), 2) as hall:
        one, other = hall.places[1], hall.places[2]
        hall.seats.tables[other.machine.id] = 1
        await open_hall(hall.hub.organiser, 4, FORMATS["fadoq"])
        await draw_and_start(hall.hub.organiser)
        await asyncio.gather(one.due(1), other.due(1))
        assert hall.seats.shown.disputed == (1,)
        ends = (HOLE, 50), (70, HOLE)
        await asyncio.gather(one.table.post(*a_game(*ends[0])), other.table.post(*a_game(*ends[1])))

        def answers() -> set[OutcomeStatus | None]:
            return {one.table.now.entered, other.table.now.entered}

        await until(lambda: answers() == {OutcomeStatus.ACCEPTED, OutcomeStatus.DISPUTED}, "both answers", 40)
        [result] = hall.hub.state.organiser.rounds[0].tables[0].results
        assert result.board is not None
        assert (result.state, {result.scores, result.board.scores}) == (ResultState.DISPUTED, {*ends})
        assert len(hall.hub.organiser.journal.competitions.received.signed()) == 2


async def test_a_copy_of_a_boards_key_at_another_address_is_said_loses_nothing_and_lets_the_others_play(
    tmp_path: Path,
) -> None:
    async with evening(Club(tmp_path), 2) as hall, AsyncExitStack() as copies:
        one, other = hall.places[1], hall.places[2]
        await open_hall(hall.hub.organiser, 4, FORMATS["fadoq"])
        await draw_and_start(hall.hub.organiser)
        await one.due(1)
        folder = one.machine.key.file.parent
        copy = shutil.copytree(folder, tmp_path / "copy")
        tls = tls_to_hub(one.machine.key, one.machine.certificate, hall.club.hub.certificate)

        def connect(board: str) -> Transport:
            return board_connection(board, lambda: [("127.0.0.1", hall.club.port)], CLOCK, tls=tls)

        copied = await copies.enter_async_context(club_table(copy, HUB, connect))
        await until(lambda: copied.now.event is not None, "the same game at the copy")
        await until(lambda: hall.copied() == {one.machine.id}, "the desk hears of it", 40)
        await other.play(1)
        await hall.results(1, 1)
        await one.play(1)
        await hall.results(1)
        await copies.aclose()
        outbox = one.table.journal.outbox
        await until(lambda: outbox.waiting(HUB) == (), "the answer to the board", 40)
        assert results(hall.hub)[1, 1, 1] == scores(1, 1)


async def test_a_machine_that_only_listens_with_a_boards_key_is_said_at_the_desk_and_once_in_the_log(
    tmp_path: Path,
) -> None:
    async with evening(Club(tmp_path), 2) as hall:
        one = hall.places[1]
        await until(lambda: len(hall.seats.shown.boards) == 2 and not hall.offline(), "both boards")
        thief = await hall.club.start("mosquitto_sub", one.machine, "-t", "#")
        try:
            await until(lambda: hall.copied() == {one.machine.id}, "the desk hears of it", 40)
        finally:
            thief.kill()
            await thief.communicate()
        assert hall.hub.said == [f"Two machines use the key of board {one.machine.id[:8]}, and cut each other off."]
        await until(lambda: not hall.offline(), "both boards again")


@pytest.mark.parametrize("form", [FORMATS["fadoq"], replace(OPEN, meeting_games=1)], ids=["sealed", "open"])
async def test_a_board_that_floods_the_hub_with_no_messages_is_said_once_and_the_others_results_come(
    tmp_path: Path, form: Format
) -> None:
    async with evening(Club(tmp_path), 2) as hall:
        floods = hall.club.pair("3")
        hall.seats.tables[floods.id] = 3
        await open_hall(hall.hub.organiser, 4, form)
        await draw_and_start(hall.hub.organiser)
        await asyncio.gather(*(place.due(1) for place in hall.places.values()))
        endless = f'yes {"x" * 60_000} | exec "$@"'
        command = ("sh", "-c", endless, "sh", "mosquitto_pub", *hall.club.options(floods), "-t", floods.up, "-l")
        flood = await asyncio.create_subprocess_exec(*command, start_new_session=True)
        try:
            await until(lambda: hall.hub.said != [], "a line about the flood")
            begun = asyncio.get_running_loop().time()
            await hall.play(1)
            await hall.results(1)
            assert asyncio.get_running_loop().time() - begun < 20
            assert flood.returncode is None, "the flood was over before the results"
        finally:
            os.killpg(flood.pid, signal.SIGKILL)
            await flood.wait()
        assert hall.hub.said == [f"A message of board {floods.id[:8]} is refused: a message is an object in JSON."]
