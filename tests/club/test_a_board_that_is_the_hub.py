"""`cribboard run --broker`: a board organises, is the hub of a club, and plays at its own table without the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.club import free_port, make_key
from tests.support.club_evenings import club_table, joined, until
from tests.support.hub_process import CLUB, PIN, Visitor, hub

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import SystemClock
from cribd.club.certificates import certified_hub, tls_to_hub
from cribd.club.connection import board_connection
from cribd.club.membership import Membership, keep_membership
from cribd.club.transport import Transport
from cribd.storage.journal import Journal
from cribd.storage.outbox import Entered

CLOCK = SystemClock()


async def begin(organiser: Visitor) -> None:
    """An event whose first round is played at two tables."""
    await organiser.post("/desk/begin", {"format": "round-robin", "name": "Mardi", "tables": 2})
    for number, name in enumerate(("Rita", "Marcel", "Aline", "Paul"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


async def test_another_board_joins_a_board_that_is_the_hub_and_its_result_is_at_the_desk(tmp_path: Path) -> None:
    key = make_key(tmp_path / "board")
    on_board = ("--twin", "--broker", str(free_port()))
    async with hub(tmp_path, *on_board, command="run") as on, on.visitor() as organiser:
        await organiser.post("/desk/pin", {"pin": PIN})
        of_club = await joined(on, organiser, key)
        assert of_club.name == CLUB
        await organiser.post("/desk/boards/seat", {"board": key.id, "table": 2})
        await begin(organiser)

        def connect(board: str) -> Transport:
            addresses = [(of_club.addresses[0], of_club.port)]
            return board_connection(
                board, lambda: addresses, CLOCK, tls=tls_to_hub(key, of_club.certificate, of_club.hub)
            )

        async with club_table(tmp_path / "board", certified_hub(of_club.hub), connect) as table:
            await table.play()
            await until(lambda: table.now.entered is Entered.ACCEPTED, "the hub's answer")
        tables = (await organiser.state())["tables"]
        assert [[result["scores"] for result in seated["results"]] for seated in tables] == [[], [[121, 0]]]
        assert await on.end() == 0


def test_a_board_of_another_club_is_no_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path / "journal.db", CLOCK)
    member = Membership(name="Rimouski", hub="h", certificate="c", addresses=("192.168.1.4",), port=8883)
    keep_membership(journal, member)
    journal.close()
    given = ("--journal", str(tmp_path / "journal.db"), "--port", "0", "--no-browser")
    assert main(["run", "--twin", "--broker", str(free_port()), *given]) == Exit.CANNOT
    assert phrase("problem.club.other", club="Rimouski") in capsys.readouterr().err


def test_a_board_whose_pages_are_off_is_no_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[page]\nport = "off"\n', encoding="utf-8")
    given = ("--config", str(config), "--journal", str(tmp_path / "journal.db"))
    assert main(["run", "--twin", "--broker", *given]) == Exit.CANNOT
    assert phrase("command.hub.no_page") in capsys.readouterr().err
