"""Two phones of one table in a browser, one of them in French: the result, the next table, an official, and the board
away. What is seen in each state can be read, tapped and heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect
from tests.support.axe import found
from tests.support.browser import new_page
from tests.support.catalogues import phrase
from tests.support.daemon_process import Daemon, daemon
from tests.support.kiosk_rooms import ORGANISER_PIN
from tests.support.table_phones import NAMES, Hall, hall
from tests.support.visitors import LOOKED_THROUGH, PHONE, SMALL, Board, Visit, visit
from tests.support.waiting import PATIENCE_S

from cribboard.competition import read_format
from cribboard.competition.actions import CorrectResult, DisputeByBoard, EndPlay, EnterResult, OpenPlace, StartRound
from cribboard.competition.terms import GameAt, ResultState

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
TWICE = read_format({"format": "jeux50", "min_entrants": 2, "games": 4, "rules": "six-card"})


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    async with hall(tmp_path_factory.mktemp("hall")) as on:
        yield on


class Hand:
    """A person's phone."""

    def __init__(self, visit: Visit, room: Hall) -> None:
        self.visit = visit
        self.page = visit.page
        self.room = room

    async def scan(self, table: int, *, entrant: int | None = None) -> None:
        """Scan the card of a table, and say who one is."""
        await self.visit.open(self.room.phones.table_path(table))
        if entrant is not None:
            await self.tap(f"sit-{entrant}")
            await self.page.locator("#leave").wait_for()

    async def tap(self, *names: str) -> None:
        for name in names:
            await self.page.locator(f"#{name}").click()

    async def type(self, points: int) -> None:
        await self.tap(*(f"key-{digit}" for digit in str(points)))

    async def reach(self, *names: str) -> None:
        """Press these with the keyboard: Tab as far as each, then Enter."""
        for name in names:
            await self.page.locator(f"#{name}").wait_for()
            async with asyncio.timeout(PATIENCE_S):
                while await self.page.evaluate("document.activeElement.id") != name:
                    await self.page.keyboard.press("Tab")
            await self.page.keyboard.press("Enter")

    async def sees(self, *texts: str) -> None:
        for text in texts:
            await expect(self.page.locator("body")).to_contain_text(text)

    async def is_for_everybody(self, state: str) -> None:
        """This state can be read, tapped and heard; in French no English is left."""
        words, small, faint, fits = await self.page.evaluate(LOOKED_THROUGH)
        assert (small, faint, fits) == ([], [], True), state
        assert await found(self.page, state) == []
        assert not any(wrong in words for wrong in ("page.phone", "undefined", "null", "false")), words


@asynccontextmanager
async def hand(chromium: Browser, room: Hall, **wanted: Any) -> AsyncIterator[Hand]:
    async with visit(chromium, cast("Board", room), **wanted) as opened:
        yield Hand(opened, room)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def aline(chromium: Browser, room: Hall) -> AsyncIterator[Hand]:
    async with hand(chromium, room, **SMALL, locale="fr-CA") as own:
        yield own


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def paul(chromium: Browser, room: Hall) -> AsyncIterator[Hand]:
    async with hand(chromium, room, **PHONE) as own:
        yield own


def result(room: Hall, game: int = 1) -> Any:
    table = next(each for each in room.now.organiser.rounds[0].tables if each.table == 1)
    return table.results[game - 1]


async def test_two_phones_of_a_table_play_a_visit_of_two_games(room: Hall, aline: Hand, paul: Hand) -> None:
    await room.begin(TWICE, 4, seat=False)
    await aline.visit.open("/event/table")
    await aline.sees(phrase("page.phone.scan", "fr_CA"))
    await aline.is_for_everybody("scan")
    await aline.scan(1)
    await aline.sees(phrase("page.phone.choose.nobody", "fr_CA"))
    await room.owner.draw()
    first, second = room.pair(1)
    await aline.sees(phrase("page.phone.choose", "fr_CA"))
    await aline.is_for_everybody("choose")
    await aline.tap(f"sit-{first}")
    await aline.sees(phrase("page.phone.drawn", "fr_CA"))
    await aline.is_for_everybody("drawn")
    await paul.scan(1, entrant=second)
    assert "key" not in paul.page.url
    await room.do(StartRound())

    await aline.tap("we", "send")
    await aline.sees(phrase("page.phone.missing", "fr_CA"))
    await aline.type(87)
    await aline.sees("Skunk")
    await aline.is_for_everybody("points")
    await aline.tap("send")
    await aline.sees(
        phrase("page.phone.game", "fr_CA", game=2),
        phrase("page.phone.state.mine", "fr_CA", name=NAMES[second - 1]),
    )
    await paul.sees(phrase("page.phone.confirm"), "87")
    await paul.is_for_everybody("confirm")
    await paul.tap("no", "they")
    await paul.type(89)
    await paul.tap("send")
    await paul.page.locator("#we").wait_for()
    await paul.sees(phrase("page.phone.state.disputed"))
    assert (result(room).scores, result(room).other) == ((121, 87), (121, 89))
    await room.do(CorrectResult(at=GameAt(1, 1, 1), scores=(121, 87), reason="planche relue"))

    await paul.tap("we")
    await paul.type(99)
    await paul.tap("send")
    await paul.sees(phrase("page.phone.waiting", name=NAMES[first - 1]))
    await paul.tap("correct", "we", "key-erase")
    await paul.type(100)
    await paul.page.locator("#send").click()
    await aline.sees(phrase("page.phone.confirm", "fr_CA"), "100")
    await aline.tap("yes")
    await aline.sees(phrase("page.phone.done", "fr_CA"))
    await aline.is_for_everybody("done")
    assert (result(room, 2).scores, result(room, 2).state) == ((100, 121), ResultState.ACCEPTED)
    await room.do(DisputeByBoard(GameAt(1, 1, 2), (97, 121), "1f0c"))
    await aline.sees(phrase("page.phone.says", "fr_CA", name=phrase("page.phone.board", "fr_CA")), "97")
    await aline.is_for_everybody("the board has another result")
    await room.do(CorrectResult(at=GameAt(1, 1, 2), scores=(97, 121), reason="planche relue"))

    for game in (1, 2):
        await room.do(EnterResult(at=GameAt(1, 2, game), scores=(121, 70)))
    await room.owner.draw()
    table = next(each.table for each in room.now.hall.tables if first in each.entrants)
    await aline.sees(phrase("page.phone.drawn", "fr_CA"), phrase("page.phone.table", "fr_CA", table=table))


async def test_an_official_is_called_by_the_captain_and_the_seal_holds(room: Hall, aline: Hand, paul: Hand) -> None:
    await room.begin("fadoq", 5)
    first, second = room.pair(1)
    await aline.scan(1, entrant=first)
    await aline.sees(phrase("page.phone.we_won", "fr_CA"), phrase("page.phone.captain", "fr_CA", name=f"Anne {first}"))
    await aline.page.locator("#captain summary").click()
    await aline.page.locator("#code").fill("1-000000")
    await aline.tap("code-do")
    await aline.sees(phrase("competition.refused.wrong_code", "fr_CA"))
    await expect(aline.page.locator("#code")).to_have_value("1-000000")
    await aline.is_for_everybody("code")
    await aline.page.locator("#code").fill(room.code(first))
    await aline.tap("code-do", "official-come", "sure-yes")
    await aline.sees(phrase("page.phone.called", "fr_CA"))
    assert room.now.hall.calls == (first,)
    await paul.scan(1, entrant=second)
    await aline.tap("broken", "key-4", "send")
    await aline.sees(phrase("page.phone.missing", "fr_CA"))
    await aline.tap("back", "they", "key-5", "send")
    await paul.tap("yes")
    await aline.sees(phrase("page.phone.done", "fr_CA"))
    await room.do(EnterResult(at=GameAt(1, 2), scores=(121, 70)))
    await room.seat()
    for each in (aline, paul):
        await expect(each.page.locator("#now")).not_to_contain_text("121")
    async with hand(aline.page.context.browser, room, **PHONE) as resting:  # type: ignore[arg-type]
        bye = room.now.hall.byes[0]
        await resting.visit.open("/event/table")
        await resting.page.locator("#captain summary").click()
        await resting.page.locator("#code").fill(room.code(bye))
        await resting.tap("code-do")
        await resting.sees(phrase("page.phone.bye"))
        await resting.is_for_everybody("bye")


@pytest.mark.long
async def test_another_phone_takes_over_and_what_was_typed_outlives_the_board(
    room: Hall, aline: Hand, paul: Hand
) -> None:
    await room.begin("acc")
    first, second = room.pair(1)
    await aline.scan(1, entrant=first)
    await paul.scan(1, entrant=first)
    await aline.sees(phrase("page.phone.taken", "fr_CA", name=NAMES[first - 1]))
    await aline.is_for_everybody("taken")
    await paul.tap("we")
    await paul.type(98)
    await room.go_away()
    await paul.sees(phrase("page.away"), phrase("page.phone.away.kept"))
    await paul.tap("send")
    await paul.sees(phrase("page.phone.lost"))
    await paul.is_for_everybody("away")
    await room.serve()
    await expect(paul.page.locator("#away")).to_be_hidden()
    await paul.page.reload()
    await expect(paul.page.locator("body:not(.waiting) .active b")).to_have_text("98")
    await paul.tap("send")
    await paul.sees(phrase("page.phone.waiting", name=NAMES[second - 1]))
    assert result(room).scores == (121, 98)


@pytest.mark.long
async def test_a_result_is_entered_by_keyboard_alone(room: Hall, paul: Hand) -> None:
    await room.begin("fadoq", 3)
    first, second = room.pair(1)
    await paul.scan(1)
    await paul.reach(f"sit-{first}", "they", "key-8", "key-7", "send")
    await paul.sees(phrase("page.phone.waiting", name=NAMES[second - 1]))
    assert result(room).scores == (87, 121)
    await paul.page.locator("#captain summary").focus()
    await paul.page.keyboard.press("Enter")
    await paul.page.keyboard.press("Tab")
    await paul.page.keyboard.type(room.code(first))
    await paul.page.keyboard.press("Enter")
    await paul.reach("official-come")
    await paul.page.locator("#sure-no:focus").wait_for()
    await paul.page.keyboard.press("Escape")
    await paul.reach("official-come", "sure-yes")
    await paul.sees(phrase("page.phone.called"))
    assert room.now.hall.calls == (first,)


#: Ask, leave the question and ask again at once, before the browser has told of the first end.
ASKED_TWICE = """async () => {
  const come = document.querySelector("#official-come");
  come.click();
  document.querySelector("#sure-no").click();
  come.click();
  await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
  document.querySelector("#sure-yes").click();
}"""


@pytest.mark.long
async def test_an_abandoned_question_takes_no_answer_of_the_next(room: Hall, paul: Hand) -> None:
    await room.begin("fadoq", 3)
    first, _ = room.pair(1)
    await paul.scan(1, entrant=first)
    await paul.tap("captain")
    await paul.page.locator("#code").fill(room.code(first))
    await paul.tap("code-do")
    await paul.page.locator("#official-come").wait_for()
    await paul.page.evaluate(ASKED_TWICE)
    await paul.sees(phrase("page.phone.called"))
    assert room.now.hall.calls == (first,)


async def test_a_late_answer_reverts_nothing_on_the_page(room: Hall, paul: Hand) -> None:
    shown = asyncio.Event()

    async def answer_late(route: Route) -> None:
        answer = await route.fetch()
        await shown.wait()
        await route.fulfill(response=answer)

    await room.begin(TWICE, 2)
    await paul.scan(1, entrant=room.pair(1)[0])
    await paul.page.route("**/event/table/do", answer_late)
    await paul.tap("we")
    await paul.type(87)
    await paul.tap("send")
    await paul.sees(phrase("page.phone.who.game", game=2))
    await paul.tap("we", "key-9")
    async with paul.page.expect_response("**/event/table/do"):
        shown.set()
    await paul.tap("key-0")
    await expect(paul.page.locator(".active b")).to_have_text("90")
    await paul.page.unroute("**/event/table/do")


@pytest.mark.long
async def test_a_match_and_its_medals_are_shown(room: Hall, paul: Hand) -> None:
    await room.begin("match-play", 2)
    first, _ = room.pair(1)
    await paul.visit.open("/event/table/1?key=guessed")
    await paul.sees(phrase("competition.refused.wrong_key", table=1))
    await paul.is_for_everybody("wrong key")
    await paul.scan(1, entrant=first)
    for game in range(1, 8):
        await room.do(EnterResult(at=GameAt(1, 1, game), scores=(121, 100)))
        if game == 2:
            await paul.sees(phrase("page.phone.who.game", game=3), f"{phrase('page.phone.match.games')} 2–0")
            await paul.is_for_everybody("match")
    await paul.sees(phrase("page.phone.match", name=NAMES[first - 1]))
    await paul.is_for_everybody("match won")
    await room.do(EndPlay(), OpenPlace(2))
    await paul.sees(phrase("page.phone.played"))
    await room.do(OpenPlace(1))
    await paul.sees(phrase("page.phone.place"))


CONFIG = f'[page]\norganiser_pin = "{ORGANISER_PIN}"\n'


def origin_of(board: Daemon) -> str:
    host, port = board.wires.get_extra_info("peername")
    return f"http://{host}:{port}"


async def test_a_report_is_confirmed_after_the_daemon_was_killed(tmp_path: Path, chromium: Browser) -> None:
    """With the phones' own keys: nobody scans a card again."""
    config = tmp_path / "cribd.toml"
    config.write_text(CONFIG, encoding="utf-8")
    async with hall(tmp_path) as on:
        await on.begin("acc", 2)
        pair, cards = on.pair(1), on.phones.table_path(1)
    contexts = [await chromium.new_context(locale="en-CA", **PHONE) for _ in pair]
    one, other = [await new_page(context) for context in contexts]

    async with daemon(tmp_path, "--config", str(config)) as board:
        origin = origin_of(board)
        for page, entrant in ((one, pair[0]), (other, pair[1])):
            await page.goto(f"{origin}{cards}")
            await page.locator(f"#sit-{entrant}").click()
            await page.locator("#we").wait_for()
        await one.locator("#we").click()
        for key in "98":
            await one.locator(f"#key-{key}").click()
        await one.locator("#send").click()
        await other.locator("#yes").wait_for()
        await board.kill()
    async with daemon(tmp_path, "--config", str(config)) as board:
        origin = origin_of(board)
        await other.goto(f"{origin}/event/table")
        await other.locator("#yes").click()
        await expect(other.locator("#now")).to_contain_text(phrase("page.phone.done"))
        await one.goto(f"{origin}/event/table")
        await expect(one.locator("#now")).to_contain_text(phrase("page.phone.done"))
    for context in contexts:
        await context.close()
