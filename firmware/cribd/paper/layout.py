"""The common parts of sheets."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribboard.competition.season import SeasonRow
from cribboard.competition.standings import StandingsRow
from cribd.paper.html import Child, document, element
from cribd.paper.printout import Printout


def sheet(out: Printout, kind: str, *pages: Child) -> str:
    """Return a sheet of this kind as an HTML document."""
    return document(out.language, kind, f"{out.name} — {_title(out, kind)}", *pages)


def _title(out: Printout, kind: str) -> str:
    return out.say(f"title.{kind.replace('-', '_')}")


def heading(out: Printout, kind: str) -> Element:
    """Make the heading of a sheet."""
    when = " · ".join(filter(None, (out.date, out.format_name if out.heading.name else "")))
    return header(_title(out, kind), out.name, when)


def header(kind: str, name: str, when: str) -> Element:
    """Make a heading from these texts, with a track below."""
    return element(
        "header", element("p", kind, class_="kind"), element("h1", name), element("p", when, class_="when"), track()
    )


def confidential(out: Printout) -> Element | None:
    """Make the mark of a confidential sheet, or None."""
    return element("p", out.say("confidential"), class_="confidential") if out.is_confidential else None


def track() -> Element:
    """Make an ornament of holes in groups of five."""
    holes = (element("circle", cx=2.5 + 7 * at + 5 * (at // 5), cy=y, r=1.6) for y in (2.5, 9.5) for at in range(60))
    return element("svg", holes, class_="track", viewBox="0 0 473 12", aria_hidden="true")


def name_head(title: str) -> Element:
    """Make the heading of a column of names."""
    return element("th", title, scope="col", class_="who")


def place_cell(row: StandingsRow | SeasonRow) -> Element:
    """Make the cell with the rank of a row."""
    place = "–" if row.place is None else f"{row.place}{'=' if row.level_with else ''}"
    return element("th", place, scope="row")


def name_cell(out: Printout, number: int, *marks: str) -> Element:
    """Make the cell with the name of an entrant."""
    return element(
        "td",
        element("span", out.entrant_name(number), class_="name"),
        players_line(out, number, "span"),
        [element("span", mark, class_="mark") for mark in marks],
    )


def players_line(out: Printout, number: int, tag: str = "p") -> Element | None:
    """Make the line with a team's players, or None."""
    players = out.players(number)
    return element(tag, players, class_="players") if players else None


def number_cells(*numbers: Child) -> list[Element]:
    """Make one cell for each number."""
    return [element("td", number, class_="number") for number in numbers]
