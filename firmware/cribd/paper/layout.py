"""Parts that the sheets share: the document, the heading with its track of holes, cells of tables."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribboard.competition.season import SeasonRow
from cribboard.competition.standings import StandingsRow
from cribd.paper.html import Child, document, element
from cribd.paper.printout import Printout


def sheet(out: Printout, kind: str, *pages: Child) -> str:
    """Write the document of a sheet. `kind` is the class of the document's body, and also gives the title."""
    return document(out.language, kind, f"{out.name} — {_title(out, kind)}", *pages)


def _title(out: Printout, kind: str) -> str:
    return out.say(f"title.{kind.replace('-', '_')}")


def heading(out: Printout, kind: str) -> Element:
    """Make the head of a page: the kind of sheet, the competition, and the date."""
    when = " · ".join(filter(None, (out.date, out.format_name if out.heading.name else "")))
    return header(_title(out, kind), out.name, when)


def header(kind: str, name: str, when: str) -> Element:
    """Make the head of a page from these three texts, with a track below them."""
    return element(
        "header", element("p", kind, class_="kind"), element("h1", name), element("p", when, class_="when"), track()
    )


def confidential(out: Printout) -> Element | None:
    """Mark the sheet if the hall must not see it."""
    return element("p", out.say("confidential"), class_="confidential") if out.is_confidential else None


def track() -> Element:
    """Draw two rows of holes in groups of five as an ornament, like a street of the board, for any printer."""
    holes = (element("circle", cx=2.5 + 7 * at + 5 * (at // 5), cy=y, r=1.6) for y in (2.5, 9.5) for at in range(60))
    return element("svg", holes, class_="track", viewBox="0 0 473 12", aria_hidden="true")


def name_head(title: str) -> Element:
    """Make the head of a column of names."""
    return element("th", title, scope="col", class_="who")


def place_cell(row: StandingsRow | SeasonRow) -> Element:
    """Make the cell that shows the rank of a row. An equals sign marks a shared rank."""
    place = "–" if row.place is None else f"{row.place}{'=' if row.level_with else ''}"
    return element("th", place, scope="row")


def name_cell(out: Printout, number: int, *marks: str) -> Element:
    """Make a cell with the name of an entrant, the players of a team, and marks."""
    return element(
        "td",
        element("span", out.entrant_name(number), class_="name"),
        players_line(out, number, "span"),
        [element("span", mark, class_="mark") for mark in marks],
    )


def players_line(out: Printout, number: int, tag: str = "p") -> Element | None:
    """Make a line with the players of a team; None for a single player."""
    players = out.players(number)
    return element(tag, players, class_="players") if players else None


def number_cells(*numbers: Child) -> list[Element]:
    """Make a cell for each number."""
    return [element("td", number, class_="number") for number in numbers]
