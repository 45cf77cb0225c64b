"""The figures of everybody who has played, as the pages fetch them: each game is read once, and what is not known is
not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.event_evenings import A_WIN, at_event, open_results
from tests.support.journals import tamper
from tests.support.kept_games import game_of, game_of_the_docs, keep

from cribboard.record import Record
from cribboard.rules import Way
from cribd.clock import ManualClock
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader
from cribd.web.kiosk.statistics.routes import AT_ONCE, StatisticsAnswer


class Counted(Archive):
    """An archive that knows which games were asked for, and whose file may be away when they are."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[int] = []
        self.away: set[int] = set()

    def record(self, number: int, *, reader: ArchiveReader = ArchiveReader.ANYBODY) -> Record:
        self.asked.append(number)
        if number in self.away:
            raise ArchiveAway
        return super().record(number, reader=reader)


class Room:
    """The pages' room of figures over the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self.archive = Counted(path)
        self.figures = StatisticsAnswer(self.archive, ManualClock(), has_pin=lambda _: False)

    async def ask(self) -> tuple[int, Any]:
        app = web.Application()
        self.figures.mount(app)
        async with TestClient(TestServer(app, host="127.0.0.1")) as client:
            answer = await client.get("/games/statistics")
            return answer.status, await answer.json() if answer.status == 200 else None


async def test_a_game_gives_figures_to_both_players(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()])
    status, payload = await Room(tmp_path / "journal.db").ask()
    maude, rejean = payload["players"]
    assert (status, payload["unread"]) == (200, 0)
    assert (maude["name"], maude["won"], maude["games"], rejean["name"]) == ("Maude", 1, 1, "Réjean")
    assert rejean["left"] == {"times": 8, "points": 2, "average": 0.25, "mugged": 0}
    dealer = next(deals for deals in maude["deals"] if deals["role"] == "dealer")
    assert (dealer["players"], dealer["cards"], dealer["par"]) == (2, 6, True)
    assert dealer["parts"][2] == {"part": "crib", "times": 4, "points": 18, "average": 4.5, "par": 4.7}
    best = maude["best"][0]
    assert best == {
        "points": 20, "cards": ["5C", "5D", "5S", "7H"], "starter": "5H", "of": "hand", "date": "2026-01-17"
    }  # fmt: skip


async def test_a_trusted_game_has_no_figures_that_need_cards(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of("Ann", "Bo", way=Way.TRUST)])
    _, payload = await Room(tmp_path / "journal.db").ask()
    for player in payload["players"]:
        assert (player["left"], player["hands"], player["best"]) == (None, None, [])
        assert [part["part"] for deals in player["deals"] for part in deals["parts"]] == ["deal", "deal"]


async def test_before_the_first_game_there_are_no_players(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [])
    assert await Room(tmp_path / "journal.db").ask() == (200, {"players": [], "unread": 0, "par": told_par()})


def told_par() -> str:
    return "http://www.cribbage.org/NewSite/tips/chambers6.asp"


async def test_each_game_is_read_once_for_any_number_of_requests(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()])
    room = Room(tmp_path / "journal.db")
    before = await room.ask()
    assert await room.ask() == before
    keep(tmp_path / "journal.db", [game_of("MAUDE", "Bo")])
    _, payload = await room.ask()
    assert room.archive.asked == [1, 2]
    assert next(player for player in payload["players"] if player["name"] == "MAUDE")["games"] == 2


async def test_many_games_come_in_parts_as_the_page_asks_again(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()] * (AT_ONCE + 2))
    room = Room(tmp_path / "journal.db")
    for games in (AT_ONCE, AT_ONCE + 2):
        _, payload = await room.ask()
        assert (payload["players"][0]["games"], payload["unread"]) == (games, AT_ONCE + 2 - games)


async def test_a_game_under_way_gives_no_figures(tmp_path: Path) -> None:
    begun = game_of_the_docs()
    keep(tmp_path / "journal.db", [game_of_the_docs(), Record(begun.heading, begun.events[:300])])
    room = Room(tmp_path / "journal.db")
    _, payload = await room.ask()
    assert (payload["players"][0]["hands"]["counted"], payload["unread"], room.archive.asked) == (12, 0, [1])


async def test_a_sealed_event_gives_no_figures_until_its_results_are_open(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()])
    room = Room(tmp_path / "journal.db")
    async with at_event(tmp_path) as (table, organiser):
        await table.post(*A_WIN)
        _, payload = await room.ask()
        assert [player["name"] for player in payload["players"]] == ["Maude", "Réjean"]
        await open_results(organiser)
    _, payload = await room.ask()
    assert {player["name"]: player["games"] for player in payload["players"]} == {
        "Maude": 1,
        "Réjean": 1,
        "Entrant 1": 1,
        "Entrant 2": 1,
    }


async def test_a_damaged_game_spoils_no_figure_of_the_others(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()] * 3)
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_update; UPDATE line SET line = 'laid blue 2C count 2' WHERE game = 2 AND number = 14",
    )
    _, payload = await Room(tmp_path / "journal.db").ask()
    assert (payload["players"][0]["games"], payload["unread"]) == (2, 0)


async def test_a_game_that_could_not_be_read_is_read_at_the_next_request(tmp_path: Path) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()] * 3)
    room = Room(tmp_path / "journal.db")
    room.archive.away = {2}
    assert (await room.ask())[0] == 503
    room.archive.away.clear()
    _, payload = await room.ask()
    assert (payload["players"][0]["games"], payload["unread"]) == (3, 0)
    assert room.archive.asked == [1, 2, 2, 3]


async def test_an_unreadable_journal_tells_the_page_to_come_again(tmp_path: Path) -> None:
    assert (await Room(tmp_path / "nothing.db").ask())[0] == 503
