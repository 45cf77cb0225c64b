"""The organiser's desk at a daemon that is killed: an evening by keyboard alone, slips in a row, two laptops."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.support.browser import new_page
from tests.support.daemon_process import Daemon, daemon
from tests.support.page_texts import all_of_the_desk, give_organisers_pin, organise, post
from tests.support.visitors import ORGANISER_PIN, PATIENCE_S, SIZES, switched_on, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

TABLET: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}
TEAMS = (
    "Les Aigles",
    "Les Hiboux",
    "Les As du crib",
    "Les Valets",
    "Les Quinze",
    "Les Paires",
    "Les Retournes",
    "Les Écarts",
)
#: Its columns are in an order of their own, and the fourth team lacks a player.
FILE = "Joueur 2;Équipe;Joueur 1\n" + "".join(
    f"{'' if number == 4 else f'Benoît {number}'};{name};Émilie {number}\n"
    for number, name in enumerate(TEAMS, start=1)
)


class Hall:
    """A daemon that can be killed and comes back at the same address, on the same journal."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.config = folder / "cribboard.toml"
        self.config.write_text(f'[page]\norganiser_pin = "{ORGANISER_PIN}"\n', encoding="utf-8")
        self._running = AsyncExitStack()
        self._daemon: Daemon | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/desk"

    async def start(self) -> None:
        options = ("--config", str(self.config), "--port", str(self.port))
        self._daemon = await self._running.enter_async_context(daemon(self.folder, *options))

    async def kill(self) -> None:
        assert self._daemon is not None
        self._daemon.kill()
        await self._daemon.process.wait()
        await self._running.aclose()


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def hall(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    await hall.start()
    yield hall
    await hall.kill()


@asynccontextmanager
async def laptop(hall: Hall, chromium: Browser) -> AsyncIterator[Page]:
    """A laptop in French at the desk, which takes up what is there."""
    context = await chromium.new_context(
        viewport={"width": 1280, "height": 800}, locale="fr-CA", reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * PATIENCE_S)
    page = await new_page(context)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.goto(hall.address)
    await page.wait_for_selector("body:not(.waiting)")
    yield page
    await context.close()
    assert errors == []


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def desk(hall: Hall, chromium: Browser) -> AsyncIterator[Page]:
    """The laptop that all tests share. Each begins an event of its own."""
    async with laptop(hall, chromium) as page:
        yield page


async def state(page: Page) -> Any:
    return await page.evaluate("fetch('/desk/state').then((answer) => answer.json())")


async def unlock(page: Page) -> None:
    if await page.locator("#pin").is_visible():
        await give_organisers_pin(page)


async def registered(page: Page, form: object, entrants: int, *, tables: int = 8) -> None:
    """An event of players who are all there."""
    await unlock(page)
    await post(page, "/desk/begin", {"format": form, "name": "Mardi", "tables": tables, "instead": True})
    for number in range(1, entrants + 1):
        await organise(page, "register", name=f"Joueur {number}")
        await organise(page, "check_in", entrant=number)
    await says(page, "#due", f"{entrants} participants, {entrants} sur place")


async def event(page: Page, form: object, entrants: int, *, tables: int = 8) -> None:
    """An event of players who are all there, its first round started."""
    await registered(page, form, entrants, tables=tables)
    await organise(page, "begin")
    await post(page, "/desk/draw", {})
    await organise(page, "start_round")
    await page.locator("#parts [data-part='results']").click()
    await page.locator("#entry-table").click()
    await expect(page.locator("#outstanding .seat")).to_have_count(entrants // 2)


async def reach(page: Page, selector: str) -> None:
    """Go to a control with the Tab key."""
    for _ in range(120):
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        await page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached by the keyboard")


async def press(page: Page, selector: str) -> None:
    await reach(page, selector)
    await page.keyboard.press("Enter")


async def next_step(page: Page, words: str) -> None:
    """Press the button of the next step, which must say this."""
    await expect(page.locator("#steps .first")).to_have_text(words)
    await press(page, "#steps .first")


async def says(page: Page, selector: str, words: str) -> None:
    await expect(page.locator(selector).first).to_contain_text(re.compile(re.escape(words).replace(r"\ ", r"\s")))


async def values(page: Page) -> list[str]:
    """What stands in the row for slips."""
    found: list[str] = await page.evaluate(
        "[...document.querySelectorAll('#entry-row input:not([type=checkbox])')].map(({ value }) => value)"
    )
    return found


async def slip(page: Page, row: str) -> None:
    """Enter a slip as people do, and wait for the board's answer."""
    await page.keyboard.type(row)
    await page.keyboard.press("Enter")
    await expect(page.locator("#entered [data-state='sending']")).to_have_count(0)


async def test_a_fadoq_evening_by_keyboard_alone_in_french(desk: Page) -> None:
    await reach(desk, "#pin")
    await desk.keyboard.type(ORGANISER_PIN)
    await desk.keyboard.press("Enter")
    await says(desk, "#due", "Pas encore de tournoi")
    await reach(desk, "#begin-name")
    await desk.keyboard.type("Tournoi de mars")
    await desk.keyboard.press("Enter")
    await says(desk, "#due", "Personne n’est inscrit")
    await register_from_a_file(desk)
    await check_in_by_name(desk)
    await set_two_games(desk)
    await next_step(desk, "Tirer la première ronde")
    await says(desk, "#round h2", "Ronde 1")
    losers = await play_a_round(desk, set(), (100, 90, 80, 70))
    await next_step(desk, "Tirer la ronde 2")
    await play_a_round(desk, losers, (55, 45, 35, 26))
    await next_step(desk, "Terminer le jeu")
    await next_step(desk, "Comparer aux feuillets")
    for left in range(8, 0, -1):
        await expect(desk.locator("#pass li")).to_have_count(left)
        await desk.keyboard.press("Enter")
    await says(desk, "#due", "Tout est vérifié")
    await next_step(desk, "Médailles")
    for place in (3, 2, 1):
        await expect(desk.locator(f"#medals li[data-place='{place}'] button")).to_be_visible()
        await press(desk, "#medals [data-act='open']")
        await desk.keyboard.press("Enter")
        await expect(desk.locator(f"#medals li[data-place='{place}'][data-opened]")).to_be_visible()
    await says(desk, "#due", "Le tournoi est fini")
    rows = (await state(desk))["standings"]
    assert [row["amounts"]["points"] for row in rows[:3]] == [221, 211, 201]
    await says(desk, "#medals li[data-place='1'] .who", TEAMS[rows[0]["entrant"] - 1])


async def register_from_a_file(page: Page) -> None:
    """The file has a mistake, which is said with its line and mended in the page. Nothing is taken before."""
    await press(page, "#csv summary")
    await reach(page, "#csv-text")
    await page.keyboard.insert_text(FILE)
    await says(page, "#csv-problems", "Ligne 5 : « Les Valets » : nombre de joueurs, 1")
    assert not await page.locator("#csv-take").is_visible()
    await page.keyboard.press("Control+A")
    await page.keyboard.insert_text(FILE.replace("\n;Les Valets", "\nBenoît 4;Les Valets"))
    await says(page, "#csv-take", "Inscrire 8 participants")
    assert (await state(page))["entrants"] == []
    await press(page, "#csv-take")
    await says(page, "#due", "8 participants inscrits")


async def check_in_by_name(page: Page) -> None:
    """Without accents and case; the rest with the button."""
    await reach(page, "#find-name")
    for name in ("aigl", "HIB", "as du", "valets", "quinze", "paires", "retou", "ecarts"):
        await page.keyboard.type(name)
        await page.keyboard.press("Enter")
        await expect(page.locator("#find-name")).to_have_value("")
    await says(page, "#due", "8 participants, 8 sur place")


async def set_two_games(page: Page) -> None:
    await press(page, "#parts [data-part='event']")
    await press(page, "#settings [data-act='games']")
    await page.keyboard.type("2")
    await page.keyboard.press("Enter")
    await expect(page.locator("#sheet")).to_be_hidden()


async def play_a_round(page: Page, winners: set[int], scores: tuple[int, ...]) -> set[int]:
    """Start the round and enter its slips, loser by loser; these `winners` win again, or else the first side. Returns
    the losers."""
    await next_step(page, "Lancer la ronde")
    losers = set()
    await expect(page.locator("#entry-table")).to_be_focused()
    for table, score in zip((await state(page))["tables"], scores, strict=True):
        first, second = table["entrants"]
        loses = 0 if second in winners else 1
        losers.add((first, second)[loses])
        await says(page, "#entry-games label", TEAMS[first - 1])
        await page.keyboard.press("Enter")
        if loses:
            await page.keyboard.press("Enter")
        await page.keyboard.type(str(score))
        await page.keyboard.press("Enter")
    await expect(page.locator("#outstanding")).to_be_hidden()
    return losers


async def test_a_heading_lacks_a_name_or_a_number_of_tables_and_says_so(desk: Page) -> None:
    await registered(desk, "acc", 2)
    await desk.locator("#parts [data-part='event']").click()
    await desk.locator("#settings [data-act='games']").click()
    await desk.keyboard.type("deux")
    await desk.keyboard.press("Enter")
    await says(desk, "#sheet .told", "Parties de chacun : « deux » n’est pas un nombre entier.")
    await desk.keyboard.press("Escape")
    await desk.locator("#settings [data-act='new']").click()
    await desk.keyboard.press("Enter")
    await says(desk, "#begin-told", "Donnez un nom au tournoi.")
    await desk.keyboard.type("Jeudi")
    for tables in ("0", "1000", "abc"):
        await desk.locator("#begin-tables").fill(tables)
        await desk.keyboard.press("Enter")
        await says(desk, "#begin-told", f"Tables : un nombre entier de 1 à 256, et non « {tables} ».")
    assert (await state(desk))["name"] == "Mardi"
    await desk.locator("#begin-tables").fill("8")
    await desk.keyboard.press("Enter")
    await says(desk, "#event-name", "Jeudi")


async def test_a_double_click_is_one_press(desk: Page) -> None:
    await registered(desk, "acc", 4)
    await desk.locator("#steps .first").dblclick()
    await says(desk, "#due", "La ronde 1 est tirée")
    await desk.locator("#steps .first").dblclick()
    await expect(desk.locator("#outstanding .seat")).to_have_count(2)
    for row in ("1 121 98", "2 121 97"):
        await slip(desk, row)
    await expect(desk.locator("#settled .seat")).to_have_count(2)
    await desk.locator("#undo").dblclick()
    await says(desk, "#undone", "Annulé :")
    assert [len(each["results"]) for each in (await state(desk))["tables"]] == [1, 0], (
        "the second press takes back nothing"
    )
    await slip(desk, "2 121 97")
    await desk.locator("#parts [data-part='event']").click()
    await expect(desk.locator("#refused")).to_be_empty()


async def test_what_is_taken_back_is_said_until_the_next_act(desk: Page) -> None:
    await event(desk, "acc", 4)
    await slip(desk, "1 121 98")
    await says(desk, "#entered .how", "✓ inscrit")
    await desk.locator("#undo").click()
    await says(desk, "#undone", "Annulé :")
    await says(desk, "#undone", "Annuler encore reprendrait :")
    await expect(desk.locator("#entered .how")).to_have_text("annulé")
    await desk.locator("#entry-table").click()
    await slip(desk, "1 121 90")
    await expect(desk.locator("#undone")).to_be_empty()
    await registered(desk, "acc", 2)
    await desk.locator("#parts [data-part='entrants']").click()
    await desk.locator("#register-here").uncheck()
    await desk.locator("#register-name").fill("Alice")
    await desk.keyboard.press("Enter")
    await says(desk, "#register-told", "Alice : inscription faite.")
    await desk.locator("#undo").click()
    await expect(desk.locator("#register-told")).to_be_empty()
    await desk.locator("#register-here").check()


async def test_a_slip_of_a_table_that_waits_for_none_is_told_once_or_opens_the_result(desk: Page) -> None:
    await event(desk, "acc", 4)
    await desk.keyboard.type("9 121 98")
    await desk.keyboard.press("Enter")
    assert await values(desk) == ["9", "121", "98"]
    await says(desk, "#entry-told", "Aucune partie n’attend à la table 9")
    await expect(desk.locator("#entry-live")).to_be_empty()
    await desk.keyboard.type("2")
    assert await values(desk) == ["2", "121", "98"], "another table keeps the scores"
    await desk.keyboard.press("Escape")
    await slip(desk, "1 121 98")
    await expect(desk.locator("#settled .seat")).to_have_count(1)
    await desk.keyboard.type("1 121 89")
    await says(desk, "#entry-live", "Cette table a son résultat. Entrée l’ouvre pour le modifier.")
    await desk.keyboard.press("Enter")
    await expect(desk.locator("#sheet-second")).to_have_value("89")
    await desk.get_by_role("button", name="Mal lu").click()
    await desk.keyboard.press("Enter")
    await expect(desk.locator("#sheet")).to_be_hidden()
    await says(desk, "#settled .seat", "corrigé")
    await expect(desk.locator("#entered .how")).to_have_text("corrigé")
    assert await values(desk) == ["2", "", ""]


async def test_thirty_slips_in_a_row_are_typed_without_waiting(desk: Page) -> None:
    await event(desk, "round-robin", 60, tables=30)
    for table in range(1, 31):
        await desk.keyboard.type(f"{table} 121 {60 + table}\n" if table % 2 else f"{table}\n{60 + table}\n")
    await expect(desk.locator("#outstanding")).to_be_hidden()
    tables = (await state(desk))["tables"]
    expected = [[121, 60 + table] if table % 2 else [60 + table, 121] for table in range(1, 31)]
    assert [each["results"][0]["scores"] for each in tables] == expected
    await says(desk, "#entered", "skunk")


async def test_a_wrong_slip_stays_in_the_row_and_says_what_is_allowed(desk: Page) -> None:
    await event(desk, "acc", 4)
    for row, words in {
        "2 121 121": "Les deux à 121",
        "2 130 98": "130 n’est pas un pointage",
        "2 *80 70": "",
        "1 12x": "« 12x » n’est pas un pointage",
        "7": "Aucune partie n’attend à la table 7",
    }.items():
        await desk.keyboard.press("Escape")
        await slip(desk, row)
        if words:
            await says(desk, "#entry-told", words)
            assert [each for each in await values(desk) if each] == row.split()
    assert [each["results"][0]["ending"] for each in (await state(desk))["tables"] if each["results"]] == ["broken-off"]
    await desk.keyboard.press("Escape")


async def test_a_result_is_corrected_with_its_reason_and_taken_back_with_a_trace(desk: Page) -> None:
    await event(desk, "acc", 4)
    await slip(desk, "1 121 98")
    await desk.locator("#settled .seat").click()
    await reach(desk, "#sheet-second")
    await desk.keyboard.type("89")
    await desk.keyboard.press("Enter")
    await says(desk, "#sheet [role=alert]", "Il manque un motif")
    await desk.get_by_role("button", name="Mal lu").click()
    await desk.keyboard.press("Enter")
    await expect(desk.locator("#sheet")).to_be_hidden()
    await says(desk, "#settled .seat", "corrigé")
    [result] = (await state(desk))["tables"][0]["results"]
    assert (result["scores"], result["corrections"][0]["scores"]) == ([121, 89], [121, 98])
    await desk.keyboard.press("Control+Z")
    await expect(desk.locator("#settled .seat")).not_to_contain_text("corrigé")
    await desk.locator("#parts [data-part='log']").click()
    await says(desk, ".lines .undone", "corrigé à 121 à 89")


async def test_two_laptops_at_one_table(desk: Page, hall: Hall, chromium: Browser) -> None:
    await event(desk, "acc", 4)
    async with laptop(hall, chromium) as other:
        await unlock(other)
        await other.locator("#entry-table").click()
        await desk.keyboard.type("1 12")
        await slip(other, "1 121 98")
        await expect(desk.locator("#settled .seat")).to_have_count(1)
        assert await values(desk) == ["1", "12", ""], "a state that comes leaves what is typed"
        await desk.keyboard.type("1 60")
        await desk.keyboard.press("Enter")
        await says(desk, "#entry-told", "Cette partie a déjà un résultat, 121 à 98")
        assert await values(desk) == ["1", "121", "60"]
        await desk.keyboard.press("Escape")
        await slip(desk, "2 121 77")
        await expect(other.locator("#settled .seat")).to_have_count(2)
    assert [each["results"][0]["scores"] for each in (await state(desk))["tables"]] == [[121, 98], [121, 77]]


async def test_the_organiser_seats_a_round_by_hand(desk: Page) -> None:
    await registered(desk, {"format": "round-robin", "games": 2}, 5)
    await desk.locator("#parts [data-part='round']").click()
    await press(desk, "#round [data-act='seat']")
    await expect(desk.locator("#sheet-table-1 select").first).to_be_focused()
    for table, pair in ((1, (4, 4)), (2, (1, 5))):
        for select, number in zip(await desk.locator(f"#sheet-table-{table} select").all(), pair, strict=True):
            await select.select_option(f"{number}")
    await says(desk, "#sheet .note[role=status]", "À aucune table : Joueur 2, Joueur 3")
    await press(desk, "#sheet .first")
    await says(desk, "#sheet .told", "Joueur 4 est à deux endroits.")
    await expect(desk.locator("#sheet-table-1 select").last).to_be_focused()
    await desk.keyboard.press("Home")
    await press(desk, "#sheet .first")
    await says(desk, "#sheet .told", "Il manque un adversaire à la table 1.")
    await desk.locator("#sheet-table-1 select").last.focus()
    await desk.keyboard.type("Joueur 2")
    await expect(desk.locator("#sheet .told")).to_be_empty()
    await press(desk, "#sheet .first")
    await says(desk, "#due", "La ronde 1 est tirée")
    drawn = await state(desk)
    assert [(each["table"], each["entrants"]) for each in drawn["tables"]] == [(1, [4, 2]), (2, [1, 5])]
    assert (drawn["byes"], drawn["waiting"]) == ([3], [])


async def test_who_has_no_table_goes_on_waiting_when_another_takes_the_seat(desk: Page) -> None:
    await registered(desk, "round-robin", 6, tables=2)
    await desk.locator("#parts [data-part='round']").click()
    await desk.locator("#round [data-act='seat']").click()
    first = desk.locator("#sheet-table-1 select").first
    await expect(first).to_be_focused()
    [one, other] = (await desk.locator("#sheet [role=status]").inner_text()).split(": ")[1].split(", ")
    left = await first.locator("option:checked").inner_text()
    await first.select_option(label=one)
    await desk.locator("#sheet .first").click()
    await says(desk, "#due", "La ronde 1 est tirée")
    drawn = await state(desk)
    names = [drawn["entrants"][number - 1]["name"] for number in drawn["waiting"]]
    assert (names, drawn["byes"]) == ([other, left], [])


async def test_seeds_go_up_and_down_by_keyboard(desk: Page) -> None:
    await registered(desk, "single-elimination", 3)
    await desk.locator("#parts [data-part='entrants']").click()
    await press(desk, "#seeds button")
    await expect(desk.get_by_role("button", name="Descendre Joueur 1")).to_be_focused()
    await desk.keyboard.press("Enter")
    await expect(desk.get_by_role("button", name="Descendre Joueur 1")).to_be_focused()
    await desk.keyboard.press("Enter")
    await expect(desk.get_by_role("button", name="Monter Joueur 1")).to_be_focused()
    assert await desk.locator(".seeds .who").all_inner_texts() == ["Joueur 2", "Joueur 3", "Joueur 1"]
    await press(desk, "#sheet .first")
    await expect(desk.locator("#sheet")).to_be_hidden()
    assert (await state(desk))["seeds"] == [2, 3, 1]
    await desk.locator("#seeds button").click()
    assert await desk.locator(".seeds .who").all_inner_texts() == ["Joueur 2", "Joueur 3", "Joueur 1"]
    await desk.keyboard.press("Escape")


async def test_what_missing_games_count_is_shown_and_changed(desk: Page) -> None:
    await registered(desk, "acc", 2)
    await desk.locator("#parts [data-part='event']").click()
    missing = ".settings li:has([data-act='missing'])"
    await says(desk, f"{missing} b", "valent 0")
    await desk.locator(f"{missing} button").click()
    await desk.get_by_role("radio", name="moyenne personnelle").check()
    await desk.keyboard.press("Enter")
    await says(desk, f"{missing} b", "valent la moyenne")
    await desk.locator(f"{missing} button").click()
    await expect(desk.get_by_role("radio", name="moyenne personnelle")).to_be_checked()
    await desk.keyboard.press("Escape")


async def test_a_start_is_announced_in_minutes_and_taken_back(desk: Page) -> None:
    await event(desk, "acc", 4)
    await desk.locator("#parts [data-part='round']").click()
    await desk.get_by_role("button", name="Annoncer le début…").click()
    await desk.keyboard.type("soon")
    await desk.keyboard.press("Enter")
    await says(desk, "dialog .told", "Un nombre entier de minutes, de 0 à 600.")
    await desk.locator("#sheet-minutes").fill("10")
    await desk.keyboard.press("Enter")
    await says(desk, "#round", "La suite à")
    left = datetime.fromisoformat((await state(desk))["starts"]) - datetime.now(UTC)
    assert timedelta(minutes=8) < left <= timedelta(minutes=10)
    await desk.get_by_role("button", name="Annoncer le début…").click()
    await desk.get_by_role("button", name="Retirer l’annonce").click()
    await expect(desk.locator("dialog[open]")).to_have_count(0)
    assert (await state(desk))["starts"] == ""


async def test_two_games_are_one_visit_and_a_match_goes_on_until_it_is_decided(desk: Page) -> None:
    await event(desk, "jeux50", 10)
    await slip(desk, "1 121 98 77")
    assert [each["scores"] for each in (await state(desk))["tables"][0]["results"]] == [[121, 98], [77, 121]]
    await event(desk, 'format = "round-robin"\nmeeting = "best_of"\nmeeting_games = 3', 2)
    await desk.keyboard.type("1 121 98 70")
    await desk.keyboard.press("Enter")
    assert await values(desk) == ["1", "121", "98", "70", "121", "", ""], "one each: there is a third"
    await desk.keyboard.type("121 110")
    await desk.keyboard.press("Enter")
    await expect(desk.locator("#outstanding")).to_be_hidden()
    [table] = (await state(desk))["tables"]
    assert [each["scores"] for each in table["results"]] == [[121, 98], [70, 121], [121, 110]]
    assert table["winner"] == table["entrants"][0]


async def test_a_level_medal_is_played_off_or_shared_before_any_place_can_be_opened(desk: Page) -> None:
    level = 'format = "round-robin"\ngames = 1\nranking = "points"\nlevel_medals = "play_off"'
    await event(desk, level, 4)
    for table in (1, 2):
        await slip(desk, f"{table} 121 80")
    await organise(desk, "end_play")
    await desk.locator("#parts [data-part='medals']").click()
    await expect(desk.locator("#medals [data-act='play-off']")).to_have_count(2)
    await expect(desk.locator("#medals [data-act='open'], #medals [data-opened]")).to_have_count(0)
    for group in (await state(desk))["level"]:
        await organise(desk, "share_medal", entrants=group["entrants"])
    await expect(desk.locator("#medals [data-act='open']")).to_have_count(1)


async def test_what_was_typed_outlives_the_board(desk: Page, hall: Hall) -> None:
    await event(desk, "acc", 6)
    await slip(desk, "1 121 98")
    await hall.kill()
    await desk.locator("#away").wait_for()
    await desk.keyboard.type("2 121 87")
    await desk.keyboard.press("Enter")
    await says(desk, "#entered [data-state='sending']", "La planche est éteinte")
    await desk.keyboard.type("3 64")
    await hall.start()
    await give_organisers_pin(desk)
    await says(desk, "#entered [data-state='kept']", "121 – 87")
    assert (await values(desk))[:2] == ["3", "64"]
    await desk.locator("#entry-0-0").press("Enter")
    await expect(desk.locator("#outstanding")).to_be_hidden()
    scores = [each["results"][0]["scores"] for each in (await state(desk))["tables"]]
    assert scores == [[121, 98], [121, 87], [64, 121]], "what was kept is there once, and nothing is lost"


@pytest.mark.parametrize("size", ["1280x800", "1024x768", "390x844"])
async def test_every_part_can_be_read_and_tapped(tmp_path: Path, chromium: Browser, size: str) -> None:
    async with (
        switched_on(tmp_path) as board,
        visit(chromium, board, locale="fr-CA", **(SIZES | {"1024x768": TABLET})[size]) as opened,
    ):
        async for _ in all_of_the_desk(opened):
            await asyncio.sleep(0)
            await opened.check_french()
