"""All that a page shows and says, in every phase and with everything that can be opened: it is in the language that was
asked for, and it is for eyes and hands of every kind.

A third language is made on the fly, in which each text stands in brackets: one that does not was never translated.
Proved by it too: another language is one file more, for the pages nothing else. So what a page shows comes from the
catalogue, and of the French catalogue no text is English; the tests of each page look at it in French, too. In the
window of a telephone and in that of a television axe-core finds nothing, whose rules are those of WCAG 2.2, A and AA,
and its own best practice. Axe takes ten times as long as the page itself. So it examines each sight in one of the two
windows, three in one and then three in the other. What no program can see is looked at by people: that nothing is
told by colour alone, and that what a screen reader says makes sense.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Container, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.axe import found
from tests.support.browser import resize
from tests.support.desk import serve as serve_twin
from tests.support.english_words import english_words
from tests.support.page_texts import (
    EVERYTHING,
    MOMENTS,
    TELEVISION,
    all_of_the_guide_and_the_figures,
    every_phase,
    new_texts,
    watch,
)
from tests.support.sweeps import by_turns, mostly_long, one_in
from tests.support.visitors import PHONE, Board, Visit, switched_on, visit

import cribd
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.text import languages
from cribd.text import phrases as catalogues
from cribd.text import texts as texts_of
from cribd.twin.machine import Twin
from cribd.web.kiosk.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

#: Esperanto is nobody's here; it is a name that every browser takes.
BRACKETED = "eo"
#: What is the same in every language: the product, a house and its rules, who plays, where the board is, and what is
#: typed as a command; and a day as browsers write it in a language whose calendar they do not know.
NAMES = re.compile(
    r"Cribboard|Legion Hall(, Tues…|, Tuesdays)?|Robot [12BR]|\d{4} M\d\d \d{1,2}(, \w+)?|https?://\S+|[\w.-]+:\d+(/\S*)?"
    r"|--\w+|cribboard (run|rules)"
)
#: A command in French quotation marks: it is typed as it stands, in any language.
COMMAND = re.compile(r"«\s*cribboard [^»]*»")
#: Texts that say which English words may be typed: examples of commands, words of an act, headings of a file, keys and
#: values of a TOML file. Of `problem.format.level` the word "pair" is French.
TYPED_ON_PURPOSE = (
    *("command.example.", "command.column.", "command.takes.event.members.act", "problem.config.reader_side"),
    *(
        "problem.board.lap",
        "problem.board.led_taken",
        "problem.board.no_led",
        "problem.board.no_strip",
        "problem.board.place",
    ),
    *("problem.board.strip", "problem.deck.no_cards", "problem.deck.no_key", "problem.rules.no_pone"),
    *("problem.format.elimination", "problem.format.level", "problem.doctor.chain.long.remedy"),
    "problem.doctor.chain.untied.remedy",
    *("problem.doctor.speed.remedy", "problem.doctor.voice.no_card.remedy", "problem.first_boot.address"),
    *(f"command.first_boot.page.{name}" for name in ("failed.no_release", "failed.settings", "note.no_port")),
    *("command.takes.first_boot.rules", "command.takes.run.fault", "command.takes.selftest.parts"),
)
LETTERS = re.compile(r"[^\W\d_]")
#: What a style sheet puts into a page.
PUT_IN = re.compile(r"""(?<![\w-])content\s*:((?:"[^"]*"|'[^']*'|[^;}"'])*)""")
#: Phases that differ in what stands on a page.
PHASES = (
    "start", "resume", "menu", "cut-tied", "misdeal-asked", "lead", "four-cards", "go", "stuck-and-refused",
    "late-refused", "hand-judged", "crib-half", "crib", "next-deal", "challenged", "trust-pegged", "auto-hand", "won",
    "match-won", "skunk", "three-player-go", "three-player-won", "partners-lay", "six-player-cut", "away",
)  # fmt: skip
#: The pages that follow the game: the scoreboard and the phone's.
PAGES_OF_THE_GAME = ("/", "/table")


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


def is_french(text: str) -> bool:
    return not english_words(NAMES.sub("", text))


@dataclass(frozen=True)
class Look:
    """A language, and whether a text is in it."""

    language: str
    is_right: Callable[[str], bool]

    def __str__(self) -> str:
        return self.language


IN_BRACKETS = Look(BRACKETED, is_bracketed)
FRENCH = Look("fr-CA", is_french)
#: A telephone, a mouse included: what only a mouse reaches is looked at too.
TELEPHONE: dict[str, Any] = {"viewport": PHONE["viewport"]}


async def test_the_check_of_brackets_can_fail() -> None:
    assert is_bracketed("⟦⟦Blue⟧ has ⟦3 points⟧⟧ · 12 ♥ → 31, Cribboard")
    assert not is_bracketed("⟦Blue⟧ deals")


async def test_no_text_of_the_french_catalogue_is_english() -> None:
    french = {code: COMMAND.sub("", re.sub(r"\{\w+\}", "", text)) for code, text in texts_of("fr_CA").items()}
    english = {code: text for code, text in french.items() if not is_french(text)}
    assert {code: text for code, text in english.items() if not code.startswith(TYPED_ON_PURPOSE)} == {}
    assert [mark for mark in TYPED_ON_PURPOSE if not any(code.startswith(mark) for code in english)] == []
    assert not is_french("Blue deals the next hand")


async def test_style_sheets_insert_no_words() -> None:
    """Signs alone, for no catalogue translates them; and nothing from elsewhere, like `attr(title)`."""
    sheets = {sheet: PUT_IN.findall(sheet.read_text("utf-8")) for sheet in Path(cribd.__file__).parent.rglob("*.css")}
    words = [(sheet.name, put) for sheet, all_put in sheets.items() for put in all_put if LETTERS.search(put)]
    assert [(name, put) for name, put in words if put.strip() != "none"] == []
    assert sum(map(len, sheets.values())) > 50
    assert PUT_IN.findall('p { align-content: end; content: "a;b" / "" } i{content:attr(title)}') == [
        ' "a;b" / "" ',
        "attr(title)",
    ]


@pytest.fixture(scope="module")
def a_third_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One `.po` file more: the English one, with each text in brackets."""
    folder = tmp_path_factory.mktemp("phrases")
    for file in Path(catalogues.__file__).parent.glob("*.po"):
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    english = (folder / "en.po").read_text(encoding="utf-8")
    head, entries = english.split("\n\n", 1)
    bracketed = re.sub(r'^(msgstr(?:\[\d\])? )"(.*)"$', r'\1"⟦\2⟧"', entries, flags=re.MULTILINE)
    (folder / f"{BRACKETED}.po").write_text(f"{head}\n\n{bracketed}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("cribd.languages.CATALOGUES", folder)
        catalogues.load.cache_clear()
        yield
    catalogues.load.cache_clear()


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None, a_third_language: None, three_tracks: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


async def nothing_is_wrong(
    visit: Visit, look: Look, sights: AsyncIterator[str], differing: Container[str] | None = None
) -> None:
    """Every text that is seen or heard is in the language of this look. Axe finds nothing in any sight, of all or of
    those that are `differing`; after three of them the page is given the other window."""
    foreign: dict[str, str] = {}
    broken: list[str] = []
    looked = count(1)
    async for sight in sights:
        language, texts = await new_texts(visit.page)
        assert language == look.language
        for where, text in texts:
            if not look.is_right(text):
                foreign.setdefault(f"{where}: {text}", sight)
        if differing is None or sight in differing:
            broken += await found(visit.page, sight)
            if next(looked) % 3 == 0:
                other = TELEPHONE if visit.page.viewport_size == TELEVISION["viewport"] else TELEVISION
                await resize(visit.page, **other["viewport"])
    assert foreign == {}
    assert "\n".join(broken) == ""


@pytest.mark.sweep
@pytest.mark.parametrize("path", mostly_long(PAGES_OF_THE_GAME, every=2))
async def test_every_page_is_accessible_in_every_phase_and_language(board: Board, chromium: Browser, path: str) -> None:
    """Every phase in which other things stand on a page, and of the other moments one in eight. Axe examines those
    phases, each on one of the two pages, by turns."""
    others = [name for name in MOMENTS if name not in PHASES][:: one_in(8)]
    examined = {phase for phase, page in by_turns(PHASES, PAGES_OF_THE_GAME) if page == path}
    moments = {name: each for name, each in MOMENTS.items() if name in PHASES or name in others}
    async with visit(chromium, board, **TELEPHONE) as opened:
        await watch(opened, f"{path}?language={BRACKETED}")
        await nothing_is_wrong(opened, IN_BRACKETS, every_phase(opened, moments), examined)


@pytest.mark.parametrize(
    ("page", "look", "window"),
    mostly_long(
        [
            *((page, IN_BRACKETS, TELEPHONE) for page in EVERYTHING),
            (all_of_the_guide_and_the_figures, FRENCH, TELEVISION),  # the guide is in a language that it has
        ],
        every=3,
    ),
    ids=lambda given: getattr(given, "__name__", str(given)) if not isinstance(given, dict) else "",
)
async def test_every_dialog_is_accessible_in_the_language_of_the_browser(
    board: Board,
    chromium: Browser,
    page: Callable[[Visit], AsyncIterator[str]],
    look: Look,
    window: dict[str, Any],
) -> None:
    async with visit(chromium, board, locale=look.language, **window) as opened:
        await nothing_is_wrong(opened, look, page(opened))


@pytest.mark.parametrize(
    ("name", "look"),
    mostly_long([("triple", IN_BRACKETS), ("triple", FRENCH), ("starter", IN_BRACKETS)], every=2),
    ids=str,
)
async def test_the_simulated_board_speaks_the_language_of_the_browser(
    a_third_language: None, tmp_path: Path, chromium: Browser, name: str, look: Look
) -> None:
    """But for the letters that press its keys. A board without holes has words of its own."""
    clock, model = ManualClock(), load(name)
    twin = Twin(model, clock, folder=tmp_path / "wires")
    runner = await serve_twin(twin, model, clock, port=0)
    page = await chromium.new_page(locale=look.language, **TELEVISION)
    await page.goto(f"http://127.0.0.1:{runner.addresses[0][1]}/twin")
    await page.wait_for_selector("body:not(.waiting)")
    await page.locator("#plugs").click()
    language, texts = await new_texts(page)
    assert language == look.language
    assert len(texts) > 100
    assert [(where, text) for where, text in texts if not look.is_right(text) and where != "kbd text"] == []
    assert any("+1" in text for _, text in texts) == model.has_step_calls
    await page.close()
    await runner.cleanup()
    twin.close()


@pytest.mark.long
async def test_the_address_chooses_a_language_and_the_button_cycles_through_all(
    board: Board, chromium: Browser
) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as opened:
        for path in (*(page.paths[0] for page in PAGES), "/nothing"):
            await opened.open(f"{path}?language=en")
            spoken = []
            for _ in range(len(languages()) + 1):
                spoken.append(await opened.page.evaluate("document.documentElement.lang"))
                coming = await opened.page.locator("#language").get_attribute("lang")
                await opened.page.locator("#language").click()
                await opened.page.wait_for_function("(lang) => document.documentElement.lang === lang", arg=coming)
            assert spoken == [*(name.replace("_", "-") for name in languages()), "en"], path
            await opened.page.evaluate("localStorage.clear()")  # the next page is opened as if it were the first
