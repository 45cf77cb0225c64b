"""Parts that the sheets share: the heading, the track of holes below it, names with their players."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribd.paper.html import element
from cribd.paper.printout import Printout


def heading(out: Printout, title: str) -> Element:
    """Make the head of a page: the kind of sheet, the event, and the date."""
    return element(
        "header",
        element("p", title, class_="kind"),
        element("h1", out.name),
        element("p", " · ".join(filter(None, (out.date, out.format_name if out.heading.name else ""))), class_="when"),
        track(),
    )


def confidential(out: Printout) -> Element | None:
    """Mark the sheet if the hall must not see it."""
    return element("p", out.say("confidential"), class_="confidential") if out.is_confidential else None


def track() -> Element:
    """Draw a street of the board as an ornament: two rows of holes in groups of five, for any printer."""
    holes = (element("circle", cx=2.5 + 7 * at + 5 * (at // 5), cy=y, r=1.6) for y in (2.5, 9.5) for at in range(60))
    return element("svg", holes, class_="track", viewBox="0 0 473 12", aria_hidden="true")


def names(out: Printout, numbers: tuple[int, ...]) -> str:
    """List the names of entrants in one line."""
    return ", ".join(map(out.entrant_name, numbers))


def name_cell(out: Printout, number: int, *marks: str) -> Element:
    """Make a cell with the name of an entrant, the players of a team, and marks."""
    players = out.players(number)
    return element(
        "td",
        element("span", out.entrant_name(number), class_="name"),
        element("span", players, class_="players") if players else None,
        [element("span", mark, class_="mark") for mark in marks],
    )
