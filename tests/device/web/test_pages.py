"""What every page has: a `?` with the words that explain the page, in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.catalogues import phrases_of
from tests.support.kiosk_rooms import House

import cribd
from cribd.text import languages
from cribd.web.kiosk.pages import PAGES, Page, links

HELP_BUTTON = re.compile(r'<button type="button" id="help" [^<>]*>\?</button>\s*<button type="button" id="language"')
SHEET = re.compile(r'<dialog id="explained".*?</dialog>', re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
async def test_every_page_explains_itself_in_each_language(home: House, page: Page) -> None:
    document = await (await home.client.get(page.paths[0])).text()
    assert HELP_BUTTON.search(document)
    assert 'src="/page/help.js"' in document
    [sheet] = SHEET.findall(document)
    words = re.findall(r'data-word="([\w.]+)"', sheet)
    assert 3 <= len(page.help) == len(words) - 2 <= 6, "the sentences, a title, and a button"
    for language in languages():
        said: dict[str, str] = {}
        for name in (language, f"{page.words}.{language}" if page.words else language):
            said |= await (await home.client.get(f"/page/{name}.json")).json()
        assert {word: said[word] for word in words if not 0 < len(said[word]) < 160} == {}


async def test_the_page_for_an_error_has_nothing_more_to_explain(home: House) -> None:
    document = await (await home.client.get("/nothing", headers={"Accept": "text/html"})).text()
    assert "<h2" in document
    assert 'id="help"' not in document


def test_the_simulated_board_leads_to_every_page_that_others_lead_to() -> None:
    assert [link["path"] for link in links()] == [page.paths[0] for page in PAGES if page.link]
    for language in languages():
        assert all(phrases_of(language)[link["word"]] for link in links())


def test_a_language_that_is_chosen_on_one_page_is_that_of_all() -> None:
    """The pages of the kiosk and of the simulated board store it under one key of the browser."""
    scripts = {path: path.read_text(encoding="utf-8") for path in Path(cribd.__file__).parent.rglob("*.js")}
    assert [path.name for path, text in scripts.items() if "'cribboard.tongue'" in text] == ["words.js"]
    for name in ("main.js", "solo.js"):
        assert "from '/page/words.js'" in next(text for path, text in scripts.items() if path.name == name)
