"""The organiser's desk: a whole evening by keyboard alone, and every part on every size."""

from __future__ import annotations

from collections import deque
from itertools import count
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from tests.support.axe import found
from tests.support.browser import resize
from tests.support.catalogues import phrase
from tests.support.organisers_laptop import (
    no_answer_yet,
    post,
    press,
    reach,
    registered,
    says,
    state,
)
from tests.support.page_texts import all_of_the_desk
from tests.support.sweeps import one_in
from tests.support.visitors import ORGANISER_PIN, switched_on, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

#: A laptop, a tablet and a telephone.
SIZES = ((1280, 800), (1024, 768), (390, 844))
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
FILE = "Partenaire;Équipe;Téléphone;Capitaine\n" + "".join(
    f"{'' if number == 4 else f'Benoît {number}'};{name};514;Émilie {number}\n"
    for number, name in enumerate(TEAMS, start=1)
)


async def test_a_fadoq_evening_by_keyboard_alone_in_french(laptop: Page) -> None:
    await expect(laptop.locator("#pin")).to_be_focused()
    await laptop.keyboard.type(ORGANISER_PIN)
    await laptop.keyboard.press("Enter")
    await says(laptop, "#due", phrase("page.desk.next.none", "fr_CA"))
    await expect(laptop.locator("#begin-name")).to_be_focused()
    await laptop.keyboard.type("Tournoi de mars")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#due", phrase("page.desk.next.nobody", "fr_CA"))
    await register_from_a_file(laptop)
    await check_in_by_name(laptop)
    await set_two_games(laptop)
    await next_step(laptop, phrase("page.desk.next.first_draw", "fr_CA"))
    await says(laptop, "#round h2", phrase("competition.round.number", "fr_CA", round=1))
    losers = await play_a_round(laptop, set(), (100, 90, 80, 70))
    await next_step(laptop, phrase("page.desk.draw", "fr_CA", round=2))
    await play_a_round(laptop, losers, (55, 45, 35, 26))
    await next_step(laptop, phrase("page.desk.end_play", "fr_CA"))
    await next_step(laptop, phrase("page.desk.pass", "fr_CA"))
    for left in range(8, 0, -1):
        await expect(laptop.locator("#pass li")).to_have_count(left)
        await laptop.keyboard.press("Enter")
    await says(laptop, "#due", phrase("page.desk.next.open", "fr_CA"))
    await next_step(laptop, phrase("page.desk.medals", "fr_CA"))
    for place in (3, 2, 1):
        await expect(laptop.locator(f"#medals li[data-place='{place}'] button")).to_be_visible()
        await press(laptop, "#medals [data-act='open']")
        await laptop.keyboard.press("Enter")
        await expect(laptop.locator(f"#medals li[data-place='{place}'][data-opened]")).to_be_visible()
    await says(laptop, "#due", phrase("page.desk.next.over", "fr_CA"))
    rows = (await state(laptop))["standings"]
    assert [row["amounts"]["points"] for row in rows[:3]] == [221, 211, 201]
    await says(laptop, "#medals li[data-place='1'] .who", TEAMS[rows[0]["entrant"] - 1])


async def next_step(page: Page, words: str) -> None:
    """Press the button of the next step, which must say this."""
    await expect(page.locator("#steps .first")).to_have_text(words)
    await press(page, "#steps .first")


async def register_from_a_file(page: Page) -> None:
    """The file has a mistake, which is said with its line and mended in the page. Nothing is taken before."""
    await press(page, "#csv summary")
    await reach(page, "#csv-text")
    await page.keyboard.insert_text(FILE)
    await says(page, "#csv-problems", "Ligne 5 : « Les Valets » : nombre de joueurs, 1")
    assert not await page.locator("#csv-take").is_visible()
    await page.keyboard.press("Control+A")
    await page.keyboard.insert_text(FILE.replace("\n;Les Valets", "\nBenoît 4;Les Valets"))
    await says(page, "#csv-take", phrase("page.desk.csv.take", "fr_CA", n=8))
    await says(page, "#csv-message", phrase("page.desk.csv.left_out", "fr_CA", columns="Téléphone"))
    assert (await state(page))["entrants"] == []
    await press(page, "#csv-take")
    await says(page, "#due", phrase("page.desk.next.arrive", "fr_CA", n=8))


async def check_in_by_name(page: Page) -> None:
    """Without accents and case; the rest with the button."""
    await reach(page, "#find-name")
    for name in ("aigl", "HIB", "as du", "valets", "quinze", "paires", "retou", "ecarts"):
        await page.keyboard.type(name)
        await page.keyboard.press("Enter")
        await expect(page.locator("#find-name")).to_have_value("")
    await says(page, "#due", phrase("page.desk.next.registered", "fr_CA", n=8, here=8))
    await press(page, "#entrant-list [data-act='more']")
    await press(page, "#sheet [data-act='rename']")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Émilie Un")
    await page.keyboard.press("Enter")
    await says(page, "#entrant-list", "Émilie Un (capitaine), Benoît 1")


async def set_two_games(page: Page) -> None:
    await press(page, "#parts [data-part='competition']")
    await press(page, "#settings [data-act='games']")
    await page.keyboard.type("2")
    await page.keyboard.press("Enter")
    await expect(page.locator("#sheet")).to_be_hidden()


async def play_a_round(page: Page, winners: set[int], scores: tuple[int, ...]) -> set[int]:
    """Start the round and enter its slips, loser by loser; these `winners` win again, or else the first side. Returns
    the losers."""
    await next_step(page, phrase("page.desk.start", "fr_CA"))
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


@pytest.mark.long
async def test_names_are_typed_at_the_door_faster_than_the_board_answers(laptop: Page) -> None:
    """Each field is empty for the next name at once, and what is refused comes back when nobody types."""
    await registered(laptop, "acc", 2)
    await laptop.locator("#parts [data-part='entrants']").click()
    await laptop.locator("#register-name").focus()
    async with no_answer_yet(laptop):
        await laptop.keyboard.type("Paul Alpha\nJean Bravo\nJoueur 1\nLuc Charlie\nMi")
    await says(laptop, "#put-back li", "Joueur 1")
    await says(laptop, "#entrants-title", phrase("page.desk.entrants.of", "fr_CA", n=5, here=5))
    await laptop.keyboard.type("a Delta")
    await laptop.locator("#put-back [data-act='mend']").click()
    await expect(laptop.locator("#register-name")).to_have_value("Joueur 1")
    await says(laptop, "#register-message", "Joueur 1")
    await laptop.keyboard.type("Joueur 3\n")
    await laptop.locator("#put-back [data-act='mend']").click()
    await expect(laptop.locator("#register-name")).to_have_value("Mia Delta")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#entrants-title", phrase("page.desk.entrants.of", "fr_CA", n=7, here=7))
    await laptop.keyboard.type("Paul Alpha\n")
    await says(laptop, "#register-message", "Paul Alpha")
    await expect(laptop.locator("#register-name")).to_have_value("Paul Alpha")
    names = [each["name"] for each in (await state(laptop))["entrants"]]
    assert names[2:] == ["Paul Alpha", "Jean Bravo", "Luc Charlie", "Joueur 3", "Mia Delta"]
    await post(laptop, "/desk/csv/confirm", "joueur\nAnne Écho\nAnna Fox\nBob Golf\nZoé Hôtel")
    await laptop.locator("#find-name").focus()
    async with no_answer_yet(laptop):
        await laptop.keyboard.type("ann\nann\nnobody\ngolf\nzo")
        await expect(laptop.locator("#find-name")).to_have_value("zo")
    await says(laptop, "#entrants-title", phrase("page.desk.entrants.of", "fr_CA", n=11, here=10))
    await expect(laptop.locator("#find-name")).to_have_value("zo")
    await laptop.keyboard.type("nk\n")
    await says(laptop, "#find-message", phrase("page.desk.find.nobody", "fr_CA", name="zonk"))


async def test_members_are_found_as_one_types_and_all_are_registered_at_once(laptop: Page) -> None:
    await registered(laptop, "acc", 2)
    await laptop.locator("#parts [data-part='entrants']").click()
    await press(laptop, "#members summary")
    await reach(laptop, "#member-name")
    for member in ("Zoé Bœuf", "André Côté", "Luc-Émile d’Amour", "Odile Roy"):
        await laptop.keyboard.type(member)
        await laptop.keyboard.press("Enter")
        await says(laptop, "#members .rows", member)
    await laptop.keyboard.type("ANDRE COTE")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#member-message", phrase("competition.refused.member_taken", "fr_CA", name="ANDRE COTE"))
    name, offered = laptop.locator("#register-name"), laptop.locator("#register-name-names li")
    await name.focus()
    for typed, first in (("boeuf", "Zoé Bœuf"), ("emile d'a", "Luc-Émile d’Amour"), ("O", "Odile Roy")):
        await name.fill(typed)
        await expect(offered.first).to_have_text(first)
    await laptop.keyboard.press("ArrowDown")
    await expect(name).to_have_attribute("aria-activedescendant", "register-name-names-0")
    assert await found(laptop, "desk, with names offered") == []
    await laptop.keyboard.press("Enter")
    await expect(name).to_have_value("Odile Roy")
    await expect(name).to_have_attribute("aria-expanded", "false")
    async with no_answer_yet(laptop):
        await laptop.keyboard.type("\nLuc\nAndr\n")
        await laptop.keyboard.type("zo")
        await laptop.keyboard.press("Escape")
    await expect(name).to_have_value("zo")
    await says(laptop, "#due", phrase("page.desk.next.registered", "fr_CA", n=5, here=5))
    assert [each["name"] for each in (await state(laptop))["entrants"][2:]] == ["Odile Roy", "Luc", "Andr"]
    await name.fill("")
    await press(laptop, "#members-acts [data-act='all-here']")
    await says(laptop, "#sheet .note[role=status]", phrase("page.desk.season.ticked", "fr_CA", n=3))
    await laptop.keyboard.press("Space")
    await says(laptop, "#sheet .note[role=status]", phrase("page.desk.season.ticked", "fr_CA", n=2))
    await press(laptop, "#sheet .first")
    await says(laptop, "#due", phrase("page.desk.next.registered", "fr_CA", n=7, here=7))
    await laptop.locator("#members-acts [data-act='players']").click()
    await says(laptop, "#members-title", phrase("page.desk.members.of", "fr_CA", n=8))


@pytest.mark.long
@pytest.mark.sweep
async def test_every_part_can_be_read_and_tapped_at_every_size(tmp_path: Path, chromium: Browser) -> None:
    """Each part is looked at in one window, or in all where sweeps are whole, and the next one is opened in the last of
    them, which is each in turn. Every seventh part is looked at in all."""
    sizes = deque(SIZES)
    async with switched_on(tmp_path) as board, visit(chromium, board, locale="fr-CA") as opened:
        looked = count()
        async for _ in all_of_the_desk(opened):
            for width, height in list(sizes)[: None if next(looked) % one_in(7) == 0 else 1]:
                await resize(opened.page, width, height)
                await opened.check_french()
            sizes.rotate(1)
