"""Certificates for the entrants who have won a medal."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribboard.competition.standings import StandingsRow
from cribboard.competition.terms import CompetitionPhase
from cribd.paper.html import element
from cribd.paper.layout import players_line, sheet, track
from cribd.paper.printout import NothingToPrint, Printout


def certificates(out: Printout) -> str:
    """Make the certificates, first place first.

    Raises `NothingToPrint` while places may still change, and if this eye sees no places."""
    if out.view.phase not in (CompetitionPhase.PLAYED, CompetitionPhase.OPEN):
        raise NothingToPrint("still_played")
    rows = [row for row in out.view.standings if row.place is not None and row.place <= out.format.medals]
    if not rows:
        raise NothingToPrint("no_medals")
    return sheet(out, "certificates", [element("main", _certificate(out, row), class_="sheet") for row in rows])


def _certificate(out: Printout, row: StandingsRow) -> Element:
    name = out.entrant_name(row.entrant)
    # A long name is smaller, so that it fits on two lines.
    size = "winner" if len(name) <= 24 else "winner long" if len(name) <= 48 else "winner longest"
    shared = out.say("certificate.shared") if row.level_with else ""
    return element(
        "article",
        track(),
        element("p", "♣ ♦ ♥ ♠", class_="suits"),
        element("p", out.say("certificate"), class_="kind"),
        element("h1", out.name),
        element("p", out.say("certificate.to"), class_="to"),
        element("p", name, class_=size),
        players_line(out, row.entrant),
        element("p", out.say(f"certificate.place.{row.place}"), " ", shared, class_="place"),
        element(
            "div",
            [
                element("p", element("span", text, class_="line"), out.say(f"certificate.{below}"), class_="sign")
                for text, below in ((out.date or " ", "date"), (" ", "organiser"))
            ],
            class_="foot",
        ),
        track(),
        class_="certificate",
    )
