"""A board of the club that floods its hub: it is cut off for a while, and the other boards are answered."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.support.club import Club, Machine, free_port, make_key
from tests.support.club_evenings import club_table, joined, until
from tests.support.hub_process import PIN, begin, hub

from cribd.clock import ManualClock, SystemClock
from cribd.club.certificates import certified_hub, tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.transport import Transport, topic
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.daemon.hub_club import CUT_OFF_S, HubClub
from cribd.storage.journal import Journal
from cribd.storage.outbox import OutcomeStatus

#: How long the answer to another board may take, with the start of the broker anew.
PATIENCE_S = 6.0


@pytest.mark.parametrize("size", [10, 2_000, 60_000])
async def test_a_board_that_floods_a_hub_is_cut_off_and_another_gets_its_answer(tmp_path: Path, size: int) -> None:
    club = Club(tmp_path / "club")
    keys = [make_key(tmp_path / name) for name in ("good", "bad")]
    async with hub(tmp_path, "--broker", str(club.port)) as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        of_good, of_bad = [await joined(on, organiser, key) for key in keys]
        good, bad = keys[0], Machine(keys[1], of_bad.certificate)
        club.hub = Machine(club.hub.key, of_bad.hub)
        tls = tls_to_hub(good, of_good.certificate, of_good.hub)

        def connect(board: str) -> Transport:
            return board_connection(board, lambda: [("127.0.0.1", club.port)], SystemClock(), tls=tls)

        await organiser.post("/desk/boards/seat", {"board": good.id, "table": 1})
        await begin(organiser)
        async with club_table(tmp_path / "good", certified_hub(of_good.hub), connect) as table:
            await until(lambda: table.now.event is not None, "a game that is due")
            endless = f'yes {"x" * size} | exec "$@"'
            command = ("sh", "-c", endless, "sh", "mosquitto_pub", *club.options(bad), "-t", bad.up, "-l")
            flood = await asyncio.create_subprocess_exec(*command, start_new_session=True)
            try:
                await asyncio.sleep(1)
                await table.play()
                await until(lambda: table.now.entered is OutcomeStatus.ACCEPTED, "the answer", PATIENCE_S)
                assert (await club.publish(bad, bad.up, "{}"))[0] != 0
            finally:
                os.killpg(flood.pid, signal.SIGKILL)
                await flood.wait()
        assert await on.end() == 0


async def test_who_was_cut_off_is_let_in_again_and_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    revoked: list[set[str]] = []

    class Broker:
        def revoke(self, boards: Iterable[str]) -> None:
            revoked.append({*boards})

    monkeypatch.setattr("cribd.daemon.hub_club.broker_of", lambda *_, **__: Broker())
    clock, board = ManualClock(), "a" * 64
    journal = Journal(tmp_path / "journal.db", clock)
    club = HubClub(LazyOrganiser(journal, clock), clock, name="", broker_port=free_port())
    for _ in range(2):
        club._cut_off(topic(board, "up"))
        club._cut_off(topic(board, "online"))
        await clock.advance(CUT_OFF_S)
    assert revoked == [set(), {board}, set(), {board}, set()]
    assert capsys.readouterr().err == "Board aaaaaaaa sends too many messages, and is cut off for 10 minutes.\n"
    journal.close()
