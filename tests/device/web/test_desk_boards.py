"""The boards of the club over HTTP: the desk behind its PIN, and the games under way for the hall."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from aiohttp import ClientSession, CookieJar, StreamReader
from tests.support.club_boards import EVENING, ClubBoards, evening, game, key, moment
from tests.support.halls import LOOSE, PIN, SEALED, Hall, hall
from tests.support.moments import moments
from tests.support.organised import slip
from tests.support.waiting import PATIENCE_S

from cribboard.competition.actions import CorrectResult, DisputeByBoard, ReportResult
from cribboard.competition.rounds import MOST_TABLES
from cribboard.competition.terms import Ending, GameAt
from cribd.boards import load
from cribd.club.board_requests import REQUESTS
from cribd.club.board_status import LateResult, TakenGameFinish, TakenGameStatus
from cribd.competition.action_json import LONGEST_WORD
from cribd.storage.outbox import PlayedFor
from cribd.web.kiosk.shared.drawing import drawing
from cribd.web.kiosk.shared.snapshot_json import as_json

LATE = LateResult(key(1), "link", PlayedFor(UUID(int=0), 2, 1, 1), (77, 121), (121, 90))
#: What the desk asks, and what the boards are asked then.
ASKED: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
    ("seat", {"board": key(4), "table": 4}, ("seat", key(4), 4)),
    ("seat", {"board": key(1), "table": None}, ("seat", key(1), None)),
    ("pause", {"table": 1, "paused": True}, ("pause", 1, True)),
    ("say", {"board": key(1), "text": "Souper à 18 h"}, ("say", key(1), "Souper à 18 h")),
    ("say", {"board": key(1), "text": ""}, ("say", key(1), "")),
    ("rehearse", {"running": True}, ("rehearse", True)),
    ("swap", {"old": key(1), "new": key(4), "game": "slip"}, ("swap", key(1), key(4), "slip")),
    ("slips", {"table": 2}, ("slips", 2)),
    ("remove", {"board": key(8)}, ("remove", key(8))),
    ("join", {"board": key(9), "accept": True}, ("accept", key(9))),
    ("join", {"board": key(9), "accept": False}, ("refuse", key(9))),
    ("dismiss", {"late": LATE.id}, ("dismiss", LATE.id)),
]
#: What is not understood or not done, with the code of the answer.
REFUSED: list[tuple[str, Any, str]] = [
    ("seat", {"board": key(99), "table": 4}, "no_such_board"),
    ("seat", {"board": key(1), "table": 0}, "not_an_action"),
    ("seat", {"board": key(1), "table": 301}, "not_an_action"),
    ("seat", {"board": key(1)}, "not_an_action"),
    ("seat", {"board": 1, "table": 4}, "not_an_action"),
    ("seat", {"board": key(1), "table": 4, "now": True}, "not_an_action"),
    ("seat", [], "not_an_action"),
    ("pause", {"table": 1, "paused": "yes"}, "not_an_action"),
    ("say", {"board": key(1), "text": "a" * (LONGEST_WORD + 1)}, "not_an_action"),
    ("say", {"board": key(1), "text": "two\nlines"}, "not_an_action"),
    ("swap", {"old": key(1), "new": key(1), "game": "ends"}, "its_own_place"),
    ("swap", {"old": key(4), "new": key(1), "game": "ends"}, "board_without_table"),
    ("swap", {"old": key(1), "new": key(98), "game": "ends"}, "no_such_board"),
    ("join", {"board": key(1), "accept": True}, "no_such_board"),
    ("dismiss", {"late": LATE.id}, "no_late_result"),
    ("dismiss", {"late": None}, "not_an_action"),
]


class Club:
    """A hall with the boards of a club, and a browser at its desk."""

    def __init__(self, on: Hall, boards: ClubBoards, browser: ClientSession) -> None:
        self.on = on
        self.boards = boards
        self.browser = browser

    async def post(self, path: str, request: object) -> tuple[int, Any]:
        origin = {"Origin": self.on.origin}
        async with self.browser.post(f"{self.on.origin}{path}", json=request, headers=origin) as answer:
            return answer.status, await answer.json() if answer.content_type == "application/json" else None

    async def desk(self) -> Any:
        async with self.browser.get(f"{self.on.origin}/desk/boards") as answer:
            return await answer.json()

    async def games(self) -> list[Any]:
        """The games that the hall is shown first."""
        async with self.browser.get(f"{self.on.origin}/event/games") as stream:
            return list((await message(stream.content))["games"])


async def message(stream: StreamReader) -> Any:
    """The next message of a stream."""
    while True:
        line = await asyncio.wait_for(stream.readline(), PATIENCE_S)
        if line.startswith(b"data: "):
            return json.loads(line[6:])


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser:
        yield Club(on, boards, browser)


async def at_the_desk(club: Club) -> None:
    assert (await club.post("/desk/pin", {"pin": PIN}))[0] == 200


@pytest.mark.parametrize(
    ("name", "request_"),
    [("seat", {"board": key(1)}), ("pause", {"paused": True}), ("slips", {})],
    ids=["seat", "pause", "slips"],
)
async def test_a_table_that_no_event_can_have_is_refused_with_its_number_and_those_allowed(
    club: Club, name: str, request_: dict[str, Any]
) -> None:
    await at_the_desk(club)
    for table in (0, MOST_TABLES + 1):
        status, answer = await club.post(f"/desk/boards/{name}", request_ | {"table": table})
        assert status == 400
        for text in answer["refused"]["text"].values():
            assert {str(table), "1", str(MOST_TABLES)} <= {*re.findall(r"\d+", text)}
        assert {*answer["refused"]["text"]} == {"en", "fr_CA"}
    assert club.boards.asked == []


async def test_without_the_pin_nothing_of_the_boards_is_told_or_done(club: Club) -> None:
    for path in ("/desk/boards", "/desk/boards/events"):
        async with club.browser.get(f"{club.on.origin}{path}") as answer:
            assert answer.status == 403
    for name, request, _ in ASKED:
        assert (await club.post(f"/desk/boards/{name}", request))[0] == 403
    assert club.boards.asked == []


@pytest.mark.parametrize(("name", "request_", "done"), ASKED)
async def test_what_the_desk_asks_is_done(club: Club, name: str, request_: Any, done: tuple[Any, ...]) -> None:
    await at_the_desk(club)
    club.boards.show(late=(LATE,))
    assert await club.post(f"/desk/boards/{name}", request_) == (200, {})
    assert club.boards.asked == [done]


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2009"])
async def test_a_no_break_space_in_what_is_typed_at_the_desk_is_a_space(club: Club, space: str) -> None:
    def typed(text: str) -> str:
        return text.replace(" ", space)

    await at_the_desk(club)
    own = typed('format = "acc"\nmedals = 2')
    pair = {"do": "enter_result", "at": typed("1 / 1 / 1"), "scores": typed("121 - 98")}
    requests: list[tuple[str, object]] = [
        ("begin", {"format": own, "name": typed("Tournoi du printemps"), "tables": 4}),
        *(("do", {"do": "register", "name": typed(f"Odile {name}")}) for name in ("Roy", "Côté")),
        *(("do", {"do": "check_in", "entrant": entrant}) for entrant in (1, 2)),
        ("do", {"do": "begin"}),
        ("draw", {}),
        ("do", {"do": "start_round"}),
        ("do", pair),
        ("do", {"do": "pause", "reason": typed("Souper à 18 h")}),
        ("board/say", {"text": typed("Souper à 18 h")}),
        ("members", {"do": "add", "names": [typed("Zoé Roy")]}),
        ("boards/say", {"board": key(1), "text": typed("Souper à 18 h")}),
    ]
    for name, request in requests:
        status, said = await club.post(f"/desk/{name}", request)
        assert status == 200, said
    view = club.on.now.organiser
    assert (club.on.now.heading.name, club.on.now.heading.format.medals) == ("Tournoi du printemps", 2)
    assert [entrant.name for entrant in view.entrants] == ["Odile Roy", "Odile Côté"]
    assert [result.scores for table in view.rounds[0].tables for result in table.results] == [(121, 98)]
    assert view.paused == "Souper à 18 h"
    assert club.boards.asked == [("say", key(1), "Souper à 18 h")]


@pytest.mark.parametrize(("name", "request_", "code"), REFUSED)
async def test_what_makes_no_sense_is_refused_with_a_sentence_and_nothing_is_done(
    club: Club, name: str, request_: Any, code: str
) -> None:
    await at_the_desk(club)
    status, said = await club.post(f"/desk/boards/{name}", request_)
    assert (status, said["refused"]["code"]) == (400 if code == "not_an_action" else 409, code)
    assert all(said["refused"]["text"].values())
    assert club.boards.asked == []


def test_every_request_is_tried() -> None:
    assert {name for name, _, _ in ASKED} == REQUESTS.keys()


async def test_the_desk_sees_each_board_with_its_health(club: Club) -> None:
    await at_the_desk(club)
    shown = await club.desk()
    boards = {board["name"]: board for board in shown["boards"]}
    assert (boards["Bouleau"]["is_online"], boards["Bouleau"]["since"]) == (False, "2026-03-01T18:30:00Z")
    assert [boards[name]["ahead"] for name in ("Érable", "Tilleul", "Frêne", "Pin", "")] == [0, -1, 2, -2, None]
    assert boards["Orme"]["faults"] == [{"en": "Reader is silent", "fr_CA": "Lecteur muet"}]
    assert (boards["Cèdre"]["table"], boards["Cèdre"]["shows"], shown["disputed"]) == (3, 5, [5])
    assert [record["found"] for record in shown["records"]] == [None, "other_scores"]
    assert [name for name, board in boards.items() if board["has_copy"]] == ["Frêne"]
    fates = [(taken["table"], taken["game"], taken["round"], taken["fate"]) for taken in shown["taken"]]
    assert fates == [(1, 1, 2, "ends"), (2, 1, 2, "by_hand"), (3, 1, 2, "away"), (4, 1, 2, "slip")]
    assert [boards[name]["ends_games"] for name in ("Érable", "Pin")] == [True, False]
    assert (shown["by_slips"], shown["joining"][0]["words"]) == ([8], ["PIANO", "ORANGE"])


async def test_a_late_result_has_the_name_of_its_board_as_long_as_that_is_of_the_club(club: Club) -> None:
    await at_the_desk(club)
    club.boards.show(late=(LATE, replace(LATE, board=key(99))))
    shown = [(late["id"], late["name"], late["scores"], late["counts"]) for late in (await club.desk())["late"]]
    assert shown == [
        (f"{UUID(int=0)}/2/1/1/{key(1)}/link", "Érable", [77, 121], [121, 90]),
        (f"{UUID(int=0)}/2/1/1/{key(99)}/link", "", [77, 121], [121, 90]),
    ]


async def test_a_change_of_a_board_reaches_the_desk_without_a_question(club: Club) -> None:
    await at_the_desk(club)
    async with club.browser.get(f"{club.on.origin}/desk/boards/events") as stream:
        assert (await message(stream.content))["rehearsal"] is None
        await club.boards.rehearse(running=True)
        assert (await message(stream.content))["rehearsal"] == f"{EVENING:%Y-%m-%dT%H:%M:%SZ}"


async def test_of_many_changes_in_a_moment_the_desk_is_sent_the_first_and_the_last(club: Club) -> None:
    await at_the_desk(club)
    async with club.browser.get(f"{club.on.origin}/desk/boards/events") as stream:
        await message(stream.content)
        for backlog in range(1, 100):
            club.boards.change(key(1), backlog=backlog)
            await asyncio.sleep(0)
        payload = [(await message(stream.content))["boards"][0]["backlog"]]
        while payload[-1] < 99:
            payload.append((await message(stream.content))["boards"][0]["backlog"])
    assert len(payload) <= 3


async def test_the_hall_sees_the_games_of_an_open_event_by_table_and_of_no_other(club: Club) -> None:
    assert await club.games() == []
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    event = club.on.now.uuid
    club.boards.change(key(3), game=game(event, 3, ("Ann", "Bob"), (4, 0), laid=("5H", ""), count=15, starter="JD"))
    club.boards.change(key(1), game=game(event, 1, ("Rita", "Paul"), (87, 102)))
    club.boards.change(key(2), game=game(uuid4(), 2, ("X", "Y"), (1, 2)))
    first, third = await club.games()
    assert (first["table"], first["names"], [side["score"] for side in first["sides"]]) == (
        1,
        ["Rita", "Paul"],
        [87, 102],
    )
    assert (third["laid"], third["count"], third["starter"]) == (["5H", None], 15, "JD")


async def live(club: Club, table: int) -> tuple[int | None, int | None]:
    """The round and game on the scoreboard of a table."""
    async with club.browser.get(f"{club.on.origin}/event/live/{table}/events") as stream:
        shown = await message(stream.content)
        assert (shown["view"] is None) == (shown["game"] is None)
        return shown["round"], shown["game"]


async def test_a_game_is_under_way_in_the_hall_until_its_result_is_entered_though_its_board_shows_it_still(
    club: Club,
) -> None:
    await club.on.begin(replace(LOOSE, meeting_games=2), 8)
    await club.on.draw()
    frozen = game(club.on.now.uuid, 1, ("Rita", "Paul"), (87, 102))
    club.boards.change(key(1), game=frozen, is_online=False)
    club.boards.change(key(2), game=replace(frozen, game=2))  # another board has come to the table
    reports = club.on.now.organiser.rounds[0].tables[0].entrants[0]
    at = GameAt(1, 1, 1)
    await club.on.do(ReportResult(at=at, entrant=reports, scores=(121, 90)))
    assert [shown["game"] for shown in await club.games()] == [1, 2]
    await club.on.do(slip(1, 121, 90))
    assert [shown["game"] for shown in await club.games()] == [2]
    assert await live(club, 1) == (1, 2)
    club.boards.change(key(2), game=None)
    assert await live(club, 1) == (None, None)
    await club.on.do(CorrectResult(at=at, scores=(121, 91), ending=Ending.FINISHED, reason="misread"))
    await club.on.do(DisputeByBoard(at, (121, 92), "another board's"))
    assert await club.games() == []


async def test_a_game_that_goes_on_by_slip_is_not_under_way_in_the_hall(club: Club) -> None:
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    event = club.on.now.uuid
    for table in (1, 2, 3):
        club.boards.change(key(table), game=game(event, table, ("Rita", "Paul"), (87, 102)), is_online=table == 3)
    places = {table: PlayedFor(event, 1, table, 1) for table in (2, 3)}
    taken = (
        TakenGameStatus("Bouleau", places[2], TakenGameFinish.SLIP),
        TakenGameStatus("Cèdre", places[3], TakenGameFinish.ENDS),
    )
    club.boards.show(by_slips=(1,), taken=taken)
    assert [shown["table"] for shown in await club.games()] == [3]
    assert [await live(club, table) for table in (1, 2, 3)] == [(None, None), (None, None), (1, 1)]
    club.boards.show(by_slips=(), taken=())
    assert [shown["table"] for shown in await club.games()] == [1, 2, 3]


async def test_the_scoreboard_of_a_table_has_what_its_own_board_shows_in_both_languages(club: Club) -> None:
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    club.boards.change(key(3), game=moment("four-cards", club.on.now.uuid, ("Rita", "Paul"), table=3))
    async with club.browser.get(f"{club.on.origin}/event/live/3/events") as stream:
        shown = await message(stream.content)
        assert [(laid["card"], laid["side"]) for laid in shown["view"]["laid"]] == [
            ("5H", 0),
            ("TD", 1),
            ("5C", 0),
            ("4S", 1),
        ]
        assert (shown["names"], shown["view"]["count"], shown["view"]["asks"]) == (["Rita", "Paul"], 24, {"side": 0})
        assert shown["text"]["en"]["ask"] == "Rita: card or GO"
        assert shown["text"]["fr_CA"]["said"] == ["Paul joue 4♠"]
        assert (shown["table"], shown["round"], shown["game"]) == (3, 1, 1)
        assert shown["view"]["skunk_line"] == 90
        club.boards.change(key(3), game=None)
        assert (await message(stream.content))["view"] is None


async def test_the_scoreboard_of_a_table_has_the_match_and_the_count_of_the_newest_hand_as_its_own_board(
    club: Club,
) -> None:
    names = ("Rita", "Paul")
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    for name in ("crib-too-few", "next-deal", "nearly-home"):
        club.boards.change(key(3), game=moment(name, club.on.now.uuid, names, table=3))
        async with club.browser.get(f"{club.on.origin}/event/live/3/events") as stream:
            shown = await message(stream.content)
        own = json.loads(json.dumps(as_json(replace(moments()[name], names=names))))
        assert shown["match"] == {part: own["match"][part] for part in shown["match"]}
        if own["shown"] is None:
            assert shown["shown"] is None
            continue
        steps = [{"cards": step["cards"], "total": step["total"]} for step in own["shown"]["steps"]]
        assert shown["shown"].pop("steps") == steps
        assert len(steps) > 1
        for language, words in shown["shown"].pop("text").items():
            assert words == {part: own["shown"]["text"][language][part] for part in words}
        assert shown["shown"] == {part: own["shown"][part] for part in shown["shown"]}


@pytest.mark.parametrize(
    ("board", "sides", "drawn"),
    [
        ("classic", 2, "classic"),
        ("triple", 2, "triple"),
        ("starter", 2, "starter"),
        ("own-walnut", 2, "continuous"),
        ("", 2, "continuous"),
        ("classic", 3, "triple"),
        ("", 3, "triple"),
    ],
)
async def test_the_scoreboard_of_a_table_draws_its_own_board_or_one_with_as_many_tracks(
    club: Club, board: str, sides: int, drawn: str
) -> None:
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    names, scores = ("Rita", "Paul", "Zoé")[:sides], (7, 12, 0)[:sides]
    club.boards.change(key(1), game=game(club.on.now.uuid, 1, names, scores, board=board))
    async with club.browser.get(f"{club.on.origin}/event/live/1/events") as stream:
        assert (await message(stream.content))["board"] == drawn
    async with club.browser.get(f"{club.on.origin}/page/boards.json") as answer:
        assert (await answer.json())[drawn] == drawing(load(drawn))


async def test_each_table_that_an_event_may_have_has_a_scoreboard_and_no_other_number(club: Club) -> None:
    await at_the_desk(club)
    for tables, status in ((MOST_TABLES + 1, 400), (MOST_TABLES, 200)):
        assert (await club.post("/desk/begin", {"format": "acc", "tables": tables}))[0] == status
    for table in (1, 99, MOST_TABLES):
        for path in (f"/event/live/{table}", f"/event/live/{table}/events"):
            async with club.browser.get(f"{club.on.origin}{path}") as answer:
                assert answer.status == 200
    for number in ("0", str(MOST_TABLES + 1), "9999", "x"):
        for path in (f"/event/live/{number}", f"/event/live/{number}/events"):
            async with club.browser.get(f"{club.on.origin}{path}") as answer:
                assert answer.status == 404


async def test_a_game_of_which_a_board_says_little_is_shown_with_its_pegs(club: Club) -> None:
    await club.on.begin(LOOSE, 8)
    await club.on.draw()
    club.boards.change(key(1), game=game(club.on.now.uuid, 1, ("Rita", "Paul"), (87, 102), rules="house/9"))
    async with club.browser.get(f"{club.on.origin}/event/live/1/events") as stream:
        shown = await message(stream.content)
    assert [(side["score"], side["in_hand"]) for side in shown["view"]["sides"]] == [(87, None), (102, None)]
    assert shown["text"]["en"]["ask"] == ""
    assert (shown["match"]["of"], shown["shown"]) == (1, None)


async def test_of_a_sealed_event_the_hall_sees_no_game_and_nothing_is_sent_when_one_changes(club: Club) -> None:
    await club.on.begin(SEALED, 8)
    await club.on.draw()
    event = club.on.now.uuid
    club.boards.change(key(1), game=game(event, 1, ("Rita", "Paul"), (87, 102)))
    async with (
        club.browser.get(f"{club.on.origin}/event/games") as stream,
        club.browser.get(f"{club.on.origin}/event/live/1/events") as alone,
    ):
        assert (await message(stream.content))["games"] == []
        assert (await message(alone.content))["view"] is None
        club.boards.change(key(1), game=game(event, 1, ("Rita", "Paul"), (99, 102)))
        await club.boards.seat(key(4), 4)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(message(stream.content), 0.3)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(message(alone.content), 0.3)


async def test_a_site_without_a_club_has_no_boards(tmp_path: Path) -> None:
    async with hall(tmp_path) as on, ClientSession() as browser:
        for path in ("/desk/boards", "/event/games", "/event/live/1", "/event/live/1/events"):
            async with browser.get(f"{on.origin}{path}") as answer:
                assert answer.status == 404
