"""A board at which players join a club, and leave it: keys and cards, what it shows, and a real hub."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.evenings import LONG, MENU, MENU_HELD, OK, RED, UNDO, USUAL
from tests.support.joining_hub import CLOCK, Hub, hub
from tests.support.waiting import until

from cribd.club import discovery
from cribd.club.certificates import certified_board
from cribd.club.hub_place import HubPlace
from cribd.club.keys import load_or_make
from cribd.club.membership import Membership, read_membership
from cribd.config.config import ClubConfig, Config, PageConfig
from cribd.daemon.join_club import ClubAtBoard, can_join
from cribd.inputs import CardRead, ClubAct, ClubAsked, HolePressed, Input
from cribd.storage.journal import Journal
from cribd.table.settings import Settings
from cribd.table.snapshot import ClubMode, ClubStep, Line, Lobby, Menu, Refusal, Snapshot
from cribd.table.table import Table
from cribd.text import load


@dataclass
class Board:
    """A table with its club, and what it shows."""

    journal: Journal
    club: ClubAtBoard
    shown: list[Snapshot] = field(default_factory=list)
    table: Table | None = None

    @property
    def now(self) -> Snapshot:
        return self.shown[-1]

    @property
    def step(self) -> ClubStep | None:
        return self.now.mode.step if isinstance(self.now.mode, ClubMode) else None

    async def post(self, *inputs: Input) -> None:
        assert self.table is not None
        for given in inputs:
            self.table.post([given])
            await until(lambda: self.table is None or self.table.has_no_input)
            await asyncio.sleep(0.02)

    async def shows(self, step: ClubStep) -> ClubMode:
        await until(lambda: self.step is step)
        assert isinstance(self.now.mode, ClubMode)
        return self.now.mode

    async def open_club(self) -> None:
        """Choose the club in the menu."""
        await self.post(MENU)
        while isinstance(self.now.mode, Menu) and self.now.mode.current.line is not Line.CLUB:
            await self.post(MENU)
        await self.post(OK[RED])


@asynccontextmanager
async def board(folder: Path, *, hub: str = "") -> AsyncIterator[Board]:
    folder.mkdir(exist_ok=True)
    path = folder / "journal.db"
    config = Config(journal=str(path), page=PageConfig(host="0.0.0.0"), club=ClubConfig(hub=hub))
    journal = Journal(path, CLOCK)
    assert can_join(config, journal)
    made = Board(journal, ClubAtBoard(config, journal, CLOCK))
    made.table = Table(
        board=LONG, journal=journal, clock=CLOCK, settings=Settings(), policy=USUAL, publish=made.shown.append,
        club=made.club,
    )  # fmt: skip
    made.table.load()
    running = asyncio.create_task(made.table.run())
    try:
        yield made
    finally:
        running.cancel()
        await made.club.stop()
        await asyncio.gather(running, return_exceptions=True)
        journal.close()


async def test_two_confirmations_join_the_club_and_the_menu_names_it(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board", hub=f"127.0.0.1:{at.place.port}") as joins:
        await joins.open_club()
        shown = await joins.shows(ClubStep.WORDS)
        assert (shown.words, shown.name) == (at.words, "Rimouski")
        assert load("en").hints(joins.now)[0] == " ".join(shown.words) == load("fr_CA").hints(joins.now)[0]
        await joins.post(OK[RED])
        await joins.shows(ClubStep.DESK)
        key = load_or_make(tmp_path / "board" / "journal.db").id
        await at.admission.accept(key, table=3)
        await joins.shows(ClubStep.JOINED)
        member = read_membership(joins.journal)
        assert member is not None
        assert member == joins.club.membership
        assert certified_board(member.certificate, member.hub) == key
        await joins.post(OK[RED])
        assert joins.now.mode is Lobby.START
        assert joins.now.club == "Rimouski"
        assert [known.table for known in at.boards.boards] == [3]


async def join_at(at: Hub, joins: Board) -> None:
    await joins.post(ClubAsked(ClubAct.JOIN, f"127.0.0.1:{at.place.port}"))
    await joins.shows(ClubStep.WORDS)
    await joins.post(OK[RED])
    compared = at.admission.compared
    assert compared is not None
    await at.admission.accept(compared.key)
    await joins.shows(ClubStep.JOINED)
    await joins.post(OK[RED])


def belongs(joins: Board, member: Membership) -> bool:
    return read_membership(joins.journal) == joins.club.membership == member


async def test_a_board_of_a_club_looks_for_its_hub_at_an_address_that_somebody_types(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        await join_at(at, joins)
        before = read_membership(joins.journal)
        assert before is not None
        for address, wanted in (
            ("192.0.2.7:8121", ("192.0.2.7", "127.0.0.1")),
            ("127.0.0.1", ("127.0.0.1", "192.0.2.7")),
        ):
            await joins.post(ClubAsked(ClubAct.JOIN, address))
            assert (await joins.shows(ClubStep.MEMBER)).name == "Rimouski"
            await until(partial(belongs, joins, replace(before, addresses=wanted)))
        assert len(at.boards.boards) == 1
        assert at.admission.compared is None


async def test_a_board_leaves_after_two_ok_and_joins_again_with_a_new_confirmation(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        await join_at(at, joins)
        await joins.open_club()
        assert (await joins.shows(ClubStep.MEMBER)).name == "Rimouski"
        await joins.post(OK[RED])
        await joins.shows(ClubStep.LEAVE)
        await joins.post(OK[RED])
        assert (await joins.shows(ClubStep.ENDED)).why == "left"
        assert read_membership(joins.journal) is None
        await joins.post(OK[RED])
        await join_at(at, joins)
        assert len(at.boards.boards) == 1


@pytest.mark.parametrize("leave", [MENU, MENU_HELD, UNDO], ids=["menu", "menu held", "undo"])
async def test_menu_or_undo_leaves_and_the_desk_cannot_accept_any_more(leave: Input, tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board", hub=f"127.0.0.1:{at.place.port}") as joins:
        await joins.open_club()
        await joins.shows(ClubStep.WORDS)
        await joins.post(leave)
        assert joins.now.mode is Lobby.START
        await until(lambda: at.admission.compared is not None and at.admission.compared.has_left)
        assert read_membership(joins.journal) is None


async def test_the_card_of_a_table_before_the_reader_says_hub_and_table(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        await joins.post(ClubAsked(ClubAct.JOIN, "no address"))
        assert (await joins.shows(ClubStep.ENDED)).why == "no_address"
        await joins.post(CardRead(f"http://127.0.0.1:{at.place.port}/event/table/4?key=abc"))
        await joins.shows(ClubStep.WORDS)
        assert at.admission.compared is not None
        assert at.admission.compared.table == 4


@pytest.mark.parametrize("step", [ClubStep.WORDS, ClubStep.DESK])
async def test_the_card_of_a_table_before_the_reader_says_the_table_also_while_its_hub_is_asked_already(
    step: ClubStep, tmp_path: Path
) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board", hub=f"127.0.0.1:{at.place.port}") as joins:
        await joins.open_club()
        shown = await joins.shows(ClubStep.WORDS)
        if step is ClubStep.DESK:
            await joins.post(OK[RED])
        await joins.post(CardRead(f"http://127.0.0.1:{at.place.port}/event/table/4?key=abc"))
        assert (await joins.shows(step)).words == shown.words == at.words
        await until(lambda: at.admission.compared is not None and at.admission.compared.table == 4)
        if step is ClubStep.WORDS:
            await joins.post(OK[RED])
        assert at.admission.compared is not None
        await at.admission.accept(at.admission.compared.key)
        await joins.shows(ClubStep.JOINED)
        assert [known.table for known in at.boards.boards] == [4]


async def test_the_card_of_a_table_that_no_event_can_have_is_refused_with_its_number_and_those_allowed(
    tmp_path: Path,
) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        await joins.post(ClubAsked(ClubAct.JOIN, "no address"))
        await joins.post(CardRead(f"http://127.0.0.1:{at.place.port}/event/table/301?key=abc"))
        await until(lambda: isinstance(joins.now.mode, ClubMode) and joins.now.mode.why == "no_such_table")
        assert "Table 301: 1 to 300" in load("en").hints(joins.now)
        assert "Table 301 : 1 à 300" in load("fr_CA").hints(joins.now)
        assert at.admission.compared is None
        await joins.post(CardRead(f"http://127.0.0.1:{at.place.port}/event/table/300?key=abc"))
        await joins.shows(ClubStep.WORDS)


async def test_another_press_or_card_does_nothing_and_says_what_is_open(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board", hub=f"127.0.0.1:{at.place.port}") as joins:
        await joins.open_club()
        shown = await joins.shows(ClubStep.WORDS)
        for other in (HolePressed(RED, 3), CardRead("5H")):
            await joins.post(other)
            assert (joins.now.mode, joins.now.refusal) == (shown, Refusal("menu_open"))


async def test_a_refused_board_says_so_and_ok_goes_on(tmp_path: Path) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board", hub=f"127.0.0.1:{at.place.port}") as joins:
        await joins.open_club()
        await joins.shows(ClubStep.WORDS)
        assert at.admission.compared is not None
        at.admission.refuse(at.admission.compared.key)
        assert (await joins.shows(ClubStep.ENDED)).why == "refused"
        assert phrase("club.why.refused") in load("en").hints(joins.now)
        await joins.post(OK[RED])
        assert joins.now.mode is Lobby.START


async def find(places: Sequence[HubPlace], found: discovery.Found, _clock: object) -> None:
    """Look into a network in which these hubs are."""
    found(places)
    await asyncio.Event().wait()


async def test_the_only_hub_in_the_network_is_asked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        monkeypatch.setattr(discovery, "browse", partial(find, [at.place]))
        await joins.open_club()
        await joins.shows(ClubStep.SEARCH)
        assert (await joins.shows(ClubStep.WORDS)).words == at.words


async def test_menu_shows_the_next_of_several_hubs_and_ok_asks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub(tmp_path / "hub") as at, board(tmp_path / "board") as joins:
        places = [HubPlace("192.0.2.1", name="Matane"), HubPlace("127.0.0.1", at.place.port, name="Rimouski")]
        monkeypatch.setattr(discovery, "browse", partial(find, places))
        await joins.open_club()
        assert (await joins.shows(ClubStep.FOUND)).name == "Matane"
        await joins.post(MENU)
        assert (await joins.shows(ClubStep.FOUND)).name == "Rimouski"
        await joins.post(OK[RED])
        await joins.shows(ClubStep.WORDS)


@pytest.mark.parametrize(
    ("config", "may"),
    [
        (Config(), False),
        (Config(page=PageConfig(host="0.0.0.0")), True),
        (Config(page=PageConfig(host="0.0.0.0", port=None)), False),
        (Config(club=ClubConfig(hub="192.168.1.4")), True),
    ],
    ids=["at home", "in a network", "no pages", "the owner names a hub"],
)
def test_the_menu_offers_a_club_where_a_network_can_be(config: Config, may: bool, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", CLOCK)
    assert can_join(config, journal) is may
    journal.close()
