"""The sheets of a competition on paper, by the real Chromium: A4 and Letter, whole pages, and nothing cut."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page
from pypdf import PdfReader
from tests.support.catalogues import phrase
from tests.support.printouts import NAMES, begun, named, opened, played, printout, registered
from tests.support.sweeps import by_turns, one_in

from cribboard.competition import FORMATS, Competition, read_format
from cribd.paper import export, print_sheet
from cribd.text import languages

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ACC, JEUX = FORMATS["acc"], FORMATS["jeux50"]
SHORT = read_format({"format": "fadoq", "games": 2})
PAPERS = {"A4": (595, 842), "Letter": (612, 792)}


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints a document, as a person does who changes no setting."""

    page: Page

    def papers(self, document: str, papers: Iterable[str] = PAPERS) -> list[list[str]]:
        """The text of each page, on each of these papers."""
        self.page.set_content(document)
        landscape = "certificates" in document.partition("<body")[2][:30]
        return [self.pages(paper, landscape=landscape) for paper in papers]

    def pages(self, paper: str, *, landscape: bool) -> list[str]:
        """The text of each page, none of which may be blank, and all of which are this paper."""
        printed = self.page.pdf(format=paper, prefer_css_page_size=True)
        read = PdfReader(io.BytesIO(printed))
        for page in read.pages:
            size = sorted((float(page.mediabox.width), float(page.mediabox.height)), reverse=landscape)
            wanted = sorted(PAPERS[paper], reverse=landscape)
            assert size == pytest.approx(wanted, abs=2)
            assert (page.mediabox.width > page.mediabox.height) == landscape
        texts = [" ".join(page.extract_text().split()) for page in read.pages]
        assert all(texts), "no page is blank"
        return texts

    def cut(self) -> list[str]:
        """What of the document is wider than the paper, or hidden where it stands."""
        self.page.emulate_media(media="print")
        self.page.set_viewport_size({"width": 700, "height": 980})
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("body *")].filter(each =>
                each.getBoundingClientRect().right > innerWidth + 1 ||
                (getComputedStyle(each).overflow === "hidden" && getComputedStyle(each).textOverflow !== "ellipsis"
                    && each.scrollHeight > each.clientHeight + 2)
            ).map(each => each.outerHTML.slice(0, 120))"""
        )
        self.page.emulate_media(media="null")
        return found


@pytest.fixture(scope="module")
def printer(people_browser: Browser) -> Iterator[Printer]:
    page = people_browser.new_page()
    yield Printer(page)
    page.close()


@pytest.fixture(scope="module")
def two() -> Competition:
    return opened(played(FORMATS["round-robin"], 2))


@pytest.fixture(scope="module")
def eight() -> Competition:
    return played(SHORT, 8)


@pytest.fixture(scope="module")
def sixty_four() -> Competition:
    return begun(ACC, 64, rounds=1)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("sheet", "language"),
    by_turns(("event", "tables", "slips", "cards", "blank-cards", "standings", "certificates"), languages()),
)
def test_two_entrants_need_no_second_page(two: Competition, printer: Printer, sheet: str, language: str) -> None:
    """The languages take turns."""
    pages = 2 if sheet == "certificates" else 1
    assert [len(texts) for texts in printer.papers(print_sheet(sheet, printout(two, language)))] == [pages, pages]
    assert printer.cut() == []


@pytest.mark.parametrize(
    ("sheet", "pages"),
    [("event", 2), ("tables", 2), ("slips", 2), ("cards", 4), ("standings", 2), ("certificates", 3)],
)
def test_the_sheets_of_teams_with_long_names_break_where_they_may(
    eight: Competition, printer: Printer, sheet: str, pages: int
) -> None:
    for texts in printer.papers(print_sheet(sheet, printout(eight))):
        assert len(texts) <= pages
        if sheet in ("event", "standings"):
            assert all("".join(name.split()) in "".join(" ".join(texts).split()) for name in NAMES)
    assert printer.cut() == []


MOST = {"event": 4, "tables": 16, "slips": 11, "standings": 6}


@pytest.mark.sweep
@pytest.mark.parametrize(("sheet", "paper"), by_turns([*MOST], [*PAPERS])[:: one_in(2)])
def test_sixty_four_entrants_are_all_on_paper(
    sixty_four: Competition, printer: Printer, sheet: str, paper: str
) -> None:
    """On A4 or on Letter, by turns."""
    most = MOST[sheet]
    for texts in printer.papers(print_sheet(sheet, printout(sixty_four)), (paper,)):
        assert len(texts) == most if sheet == "tables" else len(texts) <= most
        if sheet in ("event", "standings"):
            whole = "".join("".join(texts).split())
            assert all("".join(named(number).split()) in whole for number in range(1, 65))
        if sheet == "standings":
            assert all("Joueur" in text for text in texts), "the head is repeated on each page"
        if sheet == "event":
            assert all("64 joueurs · Tournoi <de> mars" in text for text in texts), "so is that of the list"
    assert printer.cut() == []


def test_a_slip_is_never_split_and_four_common_ones_share_a_page(printer: Printer) -> None:
    form = read_format({"format": "acc", "games": 2, "meeting_games": 2})
    competition = registered(form, 0)
    for texts in printer.papers(print_sheet("slips", printout(competition))):
        assert len(texts) == 1
        assert texts[0].count(phrase("paper.slip.broken_off", "fr_CA")) == 4


def test_the_cards_of_a_jeux_day_are_one_a_page(printer: Printer) -> None:
    for texts in printer.papers(print_sheet("blank-cards", printout(begun(JEUX, 9, rounds=0)))):
        assert len(texts) == 9
        assert all(text.count("Total") == 1 for text in texts)


def test_the_file_to_keep_asks_for_nothing_and_prints(eight: Competition, printer: Printer) -> None:
    asked: list[str] = []
    printer.page.on("request", lambda request: asked.append(request.url))
    for texts in printer.papers(export("event.html", printout(eight)).decode()):
        assert "Ronde 1" in " ".join(texts)
    assert asked == []
