"""A board that has joined a club: its desk is at the hub from then on, over TLS, until it leaves."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from tests.support.club import make_key
from tests.support.club_evenings import AtTables, ClubTable, club_hub, results, until
from tests.support.evenings import OK
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall

from cribd.clock import SystemClock
from cribd.club.broker import Broker
from cribd.club.certificates import board_certificate, hub_certificate, tls_to_hub
from cribd.club.connection import hub_connection
from cribd.club.keys import load_or_make
from cribd.club.membership import Membership, keep_membership
from cribd.config.config import Config
from cribd.daemon.club_link import ClubLink
from cribd.daemon.join_club import ClubAtBoard
from cribd.inputs import Fault, FaultKind
from cribd.storage.outbox import OutcomeStatus

pytestmark = pytest.mark.slow


async def test_a_board_of_a_club_plays_at_its_hub_and_shows_the_hall_its_game(tmp_path: Path) -> None:
    clock, seats = SystemClock(), AtTables()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    (tmp_path / "hub").mkdir()
    hub_key = load_or_make(tmp_path / "hub" / "journal.db")
    said: list[str] = []
    broker = Broker(hub_key, tmp_path / "broker", clock, said.append, port=port)
    certificate = hub_certificate(hub_key)
    to_hub = hub_connection(lambda: [("127.0.0.1", port)], clock, tls=tls_to_hub(hub_key, certificate, certificate))

    table = ClubTable(tmp_path / "one")
    membership = Membership(
        name="Mardi",
        hub=certificate,
        certificate=board_certificate(hub_key, table.key.id),
        addresses=("127.0.0.1",),
        port=port,
    )
    keep_membership(table.journal, membership)
    config = Config(journal=str(tmp_path / "one" / "journal.db"))
    club = ClubAtBoard(config, table.journal, clock)
    link = ClubLink(config, table.journal, clock, club, table.at_event, lambda: table.table.latest, table.table.post)
    table.watchers.append(link.publish)
    table.table.load()
    seats.tables[table.key.id] = 1

    async with club_hub(tmp_path / "hub", to_hub, seats) as hub:
        tasks = [asyncio.create_task(run()) for run in (broker.run, table.table.run, table.at_event.run, link.run)]
        try:
            await open_hall(hub.organiser, 2, OPEN)
            await draw_and_start(hub.organiser)
            await until(lambda: table.now.event is not None, "a game")
            await until(lambda: seats.shown.boards[0].is_online and seats.shown.boards[0].shows == 1, "its status")
            await table.post(OK[0], OK[0])
            await until(lambda: seats.shown.boards[0].game is not None, "its game for the hall")
            game = seats.shown.boards[0].game
            assert game is not None
            assert (game.table, sorted(game.names), game.scores, game.target) == (
                1,
                ["Entrant 1", "Entrant 2"],
                (0, 0),
                121,
            )
            await table.play_on()
            await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer")
            assert results(hub) == {(1, 1, 1): (121, 0)}
            await until(lambda: seats.shown.boards[0].game is None, "the end of the game in the hall")

            keep_membership(table.journal, None)
            club._set(None)
            await until(lambda: table.now.event is None, "the board, out of the club")
            await until(lambda: not seats.shown.boards[0].is_online, "its end at the hub")
            assert not [task for task in tasks if task.done()], said
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            table.journal.close()


async def test_a_board_with_another_key_than_when_it_joined_says_so_until_it_has_left(tmp_path: Path) -> None:
    clock, hub_key, old = SystemClock(), make_key(tmp_path / "hub"), make_key(tmp_path / "old")
    table = ClubTable(tmp_path / "one")
    membership = Membership(
        name="Mardi",
        hub=hub_certificate(hub_key),
        certificate=board_certificate(hub_key, old.id),
        addresses=("127.0.0.1",),
        port=9,
    )
    keep_membership(table.journal, membership)
    config = Config(journal=str(tmp_path / "one" / "journal.db"))
    club = ClubAtBoard(config, table.journal, clock)
    link = ClubLink(config, table.journal, clock, club, table.at_event, lambda: table.table.latest, table.table.post)
    table.table.load()
    tasks = [asyncio.create_task(run()) for run in (table.table.run, link.run)]
    try:
        await until(lambda: table.now.faults == (Fault(FaultKind.NOT_IN_CLUB, "club"),), "the fault")
        assert table.now.faults[0].cause.startswith("this board has another key")
        keep_membership(table.journal, None)
        club._set(None)
        await until(lambda: table.now.faults == (), "its end")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        table.journal.close()
