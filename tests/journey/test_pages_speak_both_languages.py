"""Whatever a page says comes from the catalogues, in the language that was asked for: in every phase, on every page.

A third language is made on the fly, in which each text stands in brackets: one that does not was never translated.
Proved by it too: another language is one file more, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.english_words import english_words
from tests.support.page_texts import (
    EVERYTHING,
    MOMENTS,
    TELEVISION,
    every_phase,
    texts,
    watch,
)
from tests.support.visitors import PHONE, Board, Visit, switched_on, visit

from cribd.text import phrases as catalogues
from cribd.text import texts as texts_of
from cribd.web.kiosk.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

#: Esperanto is nobody's here; it is a name that every browser takes.
BRACKETED = "eo"
#: What is the same in every language: the product, a house and its rules, who plays, where the board is, and what is
#: typed as a command; and a day as browsers write it in a language whose calendar they do not know.
NAMES = re.compile(
    r"Cribboard|Legion Hall(, Tues…|, Tuesdays)?|Robot [BR]|\d{4} M\d\d \d{1,2}(, \w+)?|https?://\S+|[\w.-]+:\d+(/\S*)?"
    r"|--\w+|cribboard (run|rules)"
)
LETTERS = re.compile(r"[^\W\d_]")


def unbracketed(text: str) -> str:
    """What of a text stands in no brackets."""
    depth, outside = 0, []
    for sign in text:
        depth += {"⟦": 1, "⟧": -1}.get(sign, 0)
        if depth == 0 and sign != "⟧":
            outside.append(sign)
    return "".join(outside)


def is_bracketed(text: str) -> bool:
    return not LETTERS.search(NAMES.sub("", unbracketed(text)))


async def test_the_judge_of_brackets_can_fail() -> None:
    assert is_bracketed("⟦⟦Blue⟧ has ⟦3 points⟧⟧ · 12 ♥ → 31, Cribboard")
    assert not is_bracketed("⟦Blue⟧ deals")


@pytest.fixture
def a_third_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One `.po` file more: the English one, with each text in brackets."""
    folder = tmp_path / "phrases"
    folder.mkdir()
    for file in Path(catalogues.__file__).parent.glob("*.po"):
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    english = (folder / "en.po").read_text(encoding="utf-8")
    head, entries = english.split("\n\n", 1)
    bracketed = re.sub(r'^(msgstr(?:\[\d\])? )"(.*)"$', r'\1"⟦\2⟧"', entries, flags=re.MULTILINE)
    (folder / f"{BRACKETED}.po").write_text(f"{head}\n\n{bracketed}", encoding="utf-8")
    monkeypatch.setattr("cribd.languages.CATALOGUES", folder)
    catalogues.load.cache_clear()


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None, a_third_language: None, three_tracks: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


async def foreign(visit: Visit, sights: AsyncIterator[str], is_right: Callable[[str], bool]) -> dict[str, str]:
    """Texts that are seen or heard and are not in the page's language, each with the sight in which it is."""
    found: dict[str, str] = {}
    async for sight in sights:
        for where, text in await texts(visit.page):
            if not is_right(text):
                found.setdefault(f"{where}: {text}", sight)
    return found


@pytest.mark.parametrize(("path", "size"), [(f"/?language={BRACKETED}", TELEVISION), ("/table", PHONE)])
async def test_whatever_is_said_in_any_phase_is_translated(
    board: Board, chromium: Browser, path: str, size: dict[str, object]
) -> None:
    async with visit(chromium, board, locale=BRACKETED, **size) as opened:
        await watch(opened, path)
        assert await opened.page.evaluate("document.documentElement.lang") == BRACKETED
        assert await foreign(opened, every_phase(opened, MOMENTS), is_bracketed) == {}


@pytest.mark.parametrize("page", EVERYTHING)
async def test_whatever_can_be_opened_is_translated(
    board: Board, chromium: Browser, page: Callable[[Visit], AsyncIterator[str]]
) -> None:
    async with visit(chromium, board, locale=BRACKETED, **PHONE) as opened:
        assert await foreign(opened, page(opened), is_bracketed) == {}
        assert await opened.page.evaluate("document.documentElement.lang") == BRACKETED


@pytest.mark.parametrize("path", [*(page.paths[0] for page in PAGES), "/nothing"])
async def test_an_address_asks_for_a_language_and_the_button_leads_through_all_and_back(
    board: Board, chromium: Browser, path: str
) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as opened:
        await opened.open(f"{path}?language=en")
        spoken = []
        for _ in range(4):
            spoken.append(await opened.page.evaluate("document.documentElement.lang"))
            coming = await opened.page.locator("#language").get_attribute("lang")
            await opened.page.locator("#language").click()
            await opened.page.wait_for_function("(lang) => document.documentElement.lang === lang", arg=coming)
        assert spoken == ["en", BRACKETED, "fr-CA", "en"]


def is_french(text: str) -> bool:
    return not english_words(NAMES.sub("", text))


async def test_no_text_of_the_french_catalogue_is_english() -> None:
    french = {code: re.sub(r"\{\w+\}", "", text) for code, text in texts_of("fr_CA").items()}
    assert {code: text for code, text in french.items() if not is_french(text)} == {}
    assert not is_french("Blue deals the next hand")


@pytest.mark.parametrize("page", EVERYTHING)
async def test_a_french_page_says_nothing_in_english(
    board: Board, chromium: Browser, page: Callable[[Visit], AsyncIterator[str]]
) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as opened:
        assert await foreign(opened, page(opened), is_french) == {}


async def test_a_french_scoreboard_says_nothing_in_english(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, **TELEVISION) as opened:
        await watch(opened, "/?language=fr_CA")
        assert await foreign(opened, every_phase(opened, MOMENTS), is_french) == {}
