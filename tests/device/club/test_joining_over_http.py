"""A board asks a hub over HTTP: real requests to a real server, and the certificates that come of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.joining_hub import CLOCK, Hub, hub
from tests.support.waiting import until

from cribd.club.certificates import certified_board, certified_hub, hub_certificate
from cribd.club.hub_place import HubPlace, read_place
from cribd.club.joined_boards import JoinedBoard, JoinedBoards
from cribd.club.joining import Comparing, JoiningEnded, JoinState
from cribd.club.joining_client import JoinProgress, WaitsForTurn, join
from cribd.club.keys import ClubKey, load_or_make
from cribd.club.membership import Membership, keep_membership, read_membership
from cribd.storage.journal import Journal
from cribd.web.kiosk.joining_routes import STEPS


@dataclass
class Board:
    """A board that joins: what it shows, and the OK that somebody presses."""

    key: ClubKey
    shown: list[JoinProgress] = field(default_factory=list)
    confirmed: asyncio.Event = field(default_factory=asyncio.Event)

    def start(self, place: HubPlace, name: str = "Board 4") -> asyncio.Task[Membership]:
        def show(progress: JoinProgress, club: str) -> None:
            self.shown.append(progress)

        return asyncio.create_task(join(place, self.key, CLOCK, name=name, show=show, confirmed=self.confirmed))

    @property
    def words(self) -> tuple[str, str] | None:
        """The words on its screen."""
        last = self.shown[-1] if self.shown else None
        return last.words if isinstance(last, Comparing) else None


def board(folder: Path, name: str = "board") -> Board:
    (folder / name).mkdir()
    return Board(load_or_make(folder / name / "journal.sqlite"))


async def both_compare(at: Hub, joins: Board) -> None:
    await until(lambda: joins.words is not None)
    assert joins.words == at.words


@pytest.mark.parametrize("first", ["board", "desk"])
async def test_a_board_that_two_people_confirm_has_a_certificate_of_the_hub(first: str, tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at:
        joins = board(tmp_path)
        joining = joins.start(HubPlace("127.0.0.1", at.place.port, table=4))
        await both_compare(at, joins)
        compared = at.admission.compared
        assert compared is not None
        assert (compared.key, compared.name, compared.table) == (joins.key.id, "Board 4", 4)
        if first == "board":
            joins.confirmed.set()
            await until(lambda: at.admission.compared is not None and at.admission.compared.is_confirmed)
            assert not at.boards.boards
            await at.admission.accept(joins.key.id)
        else:
            await at.admission.accept(joins.key.id)
            await asyncio.sleep(0.1)
            assert not at.boards.boards
            joins.confirmed.set()
        member = await joining
        assert [*at.boards.boards] == [JoinedBoard(joins.key.id, "Board 4", 4)]
        assert certified_board(member.certificate, member.hub) == joins.key.id
        assert certified_hub(member.hub) == at.key.id
        assert (member.name, member.port, member.addresses) == ("Rimouski", 8883, ("127.0.0.1",))


async def test_boards_of_one_name_are_numbered_and_one_that_joins_again_keeps_its_name(tmp_path: Path) -> None:
    boards = [board(tmp_path, name) for name in ("one", "two", "three")]
    names = ["cribboard-at-the-clu", "cribboard-at-the 2", "cribboard-at-the 3"]
    async with hub(tmp_path) as at:
        for joins in (*boards, boards[0], boards[1]):
            joins.shown.clear()
            joins.confirmed.set()
            task = joins.start(at.place, "cribboard-at-the-clu")
            await both_compare(at, joins)
            await at.admission.accept(joins.key.id)
            await task
        assert sorted(known.name for known in at.boards.boards) == sorted(names)
        assert [known.name for known in at.boards.boards] == [names[2], names[0], names[1]]


async def test_a_board_that_the_desk_refuses_is_no_board_of_the_club(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at:
        joins = board(tmp_path)
        joining = joins.start(at.place)
        await both_compare(at, joins)
        joins.confirmed.set()
        at.admission.refuse(joins.key.id)
        with pytest.raises(JoiningEnded, match="refused"):
            await joining
        assert not at.boards.boards


async def test_cancelling_a_joining_tells_the_hub_that_the_board_left(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at:
        joins = board(tmp_path)
        joining = joins.start(at.place)
        await both_compare(at, joins)
        joining.cancel()
        await asyncio.gather(joining, return_exceptions=True)
        assert at.admission.compared is not None
        assert at.admission.compared.has_left
        with pytest.raises(JoiningEnded, match="left"):
            await at.admission.accept(joins.key.id)


async def test_a_second_board_waits_and_then_shows_its_words(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at:
        first, second = board(tmp_path, "first"), board(tmp_path, "second")
        one = first.start(at.place)
        await both_compare(at, first)
        two = second.start(at.place)
        await until(lambda: second.shown[-1:] == [WaitsForTurn()])
        first.confirmed.set()
        second.confirmed.set()
        await at.admission.accept(first.key.id)
        await one
        await both_compare(at, second)
        await at.admission.accept(second.key.id)
        await two
        assert {known.id for known in at.boards.boards} == {first.key.id, second.key.id}


class Middle:
    """Somebody between board and hub, who changes what passes."""

    def __init__(self, at: Hub, change: Any) -> None:
        self.at, self.change = at, change

    async def answer(self, request: web.Request) -> web.Response:
        step, asked = request.match_info["step"], await request.json()
        status, answer = await self.at.post(step, asked)
        return web.json_response(self.change(step, answer), status=status)


@asynccontextmanager
async def middle(at: Hub, change: Any) -> AsyncIterator[HubPlace]:
    app = web.Application()
    app.router.add_post("/club/join/{step}", Middle(at, change).answer)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        yield HubPlace("127.0.0.1", client.port or 0)


@pytest.mark.parametrize("what", ["key", "nonce"])
async def test_a_key_or_nonce_that_is_replaced_on_its_way_ends_the_joining(what: str, tmp_path: Path) -> None:
    def change(step: str, answer: dict[str, Any]) -> dict[str, Any]:
        return answer | {what: "ab" * 32} if what in answer else answer

    async with hub(tmp_path / "hub") as at, middle(at, change) as place:
        with pytest.raises(JoiningEnded, match="changed"):
            await board(tmp_path).start(place)


async def test_a_certificate_of_another_hub_that_is_put_in_ends_the_joining(tmp_path: Path) -> None:
    (tmp_path / "thief").mkdir()
    thief = hub_certificate(load_or_make(tmp_path / "thief" / "hub.sqlite"))

    def change(step: str, answer: dict[str, Any]) -> dict[str, Any]:
        return answer | {"hub": thief} if "hub" in answer else answer

    async with hub(tmp_path / "hub") as at, middle(at, change) as place:
        joins = board(tmp_path)
        joining = joins.start(place)
        await both_compare(at, joins)
        joins.confirmed.set()
        await at.admission.accept(joins.key.id)
        with pytest.raises(JoiningEnded, match="changed"):
            await joining


async def test_a_relay_that_changes_nothing_shows_the_same_words_and_learns_no_key(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, middle(at, lambda _, answer: answer) as place:
        joins = board(tmp_path)
        joining = joins.start(place)
        await both_compare(at, joins)
        joins.confirmed.set()
        await at.admission.accept(joins.key.id)
        assert certified_hub((await joining).hub) == at.key.id


async def test_where_no_hub_answers_the_board_says_so(tmp_path: Path) -> None:
    with pytest.raises(JoiningEnded, match="no_answer"):
        await board(tmp_path).start(HubPlace("127.0.0.1", 9))


async def test_joining_a_server_that_is_no_hub_ends_with_no_hub(tmp_path: Path) -> None:
    app = web.Application()
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        with pytest.raises(JoiningEnded, match="no_hub"):
            await board(tmp_path).start(HubPlace("127.0.0.1", client.port or 0))


HEX = "ab" * 32
NONSENSE: list[Any] = [
    [None], [], {}, "ask", 5, {"protocol": 1}, {"protocol": 1, "commitment": "xy", "name": "", "table": None},
    {"protocol": 1, "commitment": HEX.upper(), "name": "", "table": None},
    {"protocol": 1, "commitment": HEX, "name": "a\n", "table": None},
    {"protocol": 1, "commitment": HEX, "name": "a" * 21, "table": None},
    {"protocol": 1, "commitment": HEX, "name": "", "table": True},
    {"protocol": 1, "commitment": HEX, "name": ""},
]  # fmt: skip


@pytest.mark.parametrize("asked", NONSENSE, ids=str)
async def test_an_invalid_body_of_a_joining_step_gets_status_400(asked: Any, tmp_path: Path) -> None:
    async with hub(tmp_path) as at:
        for step in STEPS:
            assert await at.post(step, asked) == (400, "This is no step of a board that joins the club.\n")


@pytest.mark.parametrize("table", [-1, 0, 301, 9999])
async def test_a_table_that_no_event_can_have_is_refused_with_its_number_and_those_allowed(
    table: int, tmp_path: Path
) -> None:
    async with hub(tmp_path) as at:
        asked = {"protocol": 1, "commitment": HEX, "name": "", "table": table}
        assert await at.post("ask", asked) == (400, f"A table has a number from 1 to 300, not {table}.\n")
        assert at.admission.compared is None


async def test_a_board_of_another_protocol_hears_that_its_release_differs(tmp_path: Path) -> None:
    async with hub(tmp_path) as at:
        asked = {"protocol": 2, "commitment": HEX, "name": "", "table": None}
        assert await at.post("ask", asked) == (409, {"ended": "other_release"})


async def test_an_unknown_joining_and_a_key_that_was_not_committed_to_are_refused(tmp_path: Path) -> None:
    async with hub(tmp_path) as at:
        assert await at.post("hear", {"joining": "x", "ok": True}) == (409, {"ended": "gone"})
        _, answer = await at.post("ask", {"protocol": 1, "commitment": HEX, "name": "", "table": None})
        reveal = {"joining": answer["joining"], "key": HEX, "nonce": HEX}
        assert await at.post("reveal", reveal) == (409, {"ended": "changed"})


# What is stored


async def test_boards_of_the_club_are_known_after_a_restart_and_the_removed_may_join_again(tmp_path: Path) -> None:
    def opened() -> tuple[Journal, JoinedBoards]:
        journal = Journal(tmp_path / "hub.sqlite", CLOCK)
        return journal, JoinedBoards(journal, CLOCK)

    journal, boards = opened()
    changes: list[int] = []
    boards.watch(lambda: changes.append(len(boards.boards)))
    await boards.add(JoinedBoard("aa" * 32, "Rimouski 1", 3))
    await boards.add(JoinedBoard("bb" * 32, "Rimouski 2"))
    await boards.seat({"bb" * 32: 7})
    await boards.remove("aa" * 32)
    await boards.remove("aa" * 32)
    journal.close()
    journal, again = opened()
    assert [*again.boards] == [JoinedBoard("bb" * 32, "Rimouski 2", 7)]
    assert [*again.removed] == ["aa" * 32]
    await again.add(JoinedBoard("aa" * 32, "Rimouski 1"))
    assert not again.removed
    journal.close()
    assert changes == [1, 2, 2, 1]


def test_a_board_knows_its_club_after_a_restart_until_it_leaves(tmp_path: Path) -> None:
    member = Membership(name="Rimouski", hub="h", certificate="c", addresses=("192.168.1.4",), port=8883)
    journal = Journal(tmp_path / "journal.sqlite", CLOCK)
    assert read_membership(journal) is None
    keep_membership(journal, member)
    assert read_membership(journal) == member
    keep_membership(journal, None)
    assert read_membership(journal) is None
    journal.close()


@pytest.mark.parametrize("text", ["", "http://", "ftp://hub", "http://a@hub", "hub:99999", "a b", "http://h<b/"])
def test_an_invalid_hub_address_is_read_as_none(text: str) -> None:
    assert read_place(text) is None


def test_the_code_of_a_table_card_says_hub_and_table_also_where_a_reader_cuts_it() -> None:
    assert read_place("http://192.168.1.20:8121/event/table/4?key=abc…") == HubPlace("192.168.1.20", 8121, table=4)


def test_states_of_a_joining_are_the_words_that_both_send() -> None:
    assert [state.value for state in JoinState] == ["waits", "comparing", "joined", "refused"]
