"""Certificates of the medals: a landscape page for each entrant with a medal."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribboard.competition.standings import StandingsRow
from cribboard.competition.terms import CompetitionPhase
from cribd.paper.html import document, element
from cribd.paper.layout import track
from cribd.paper.printout import NothingToPrint, Printout


def certificates(out: Printout) -> str:
    """Make the certificates, first place first. Raises `NothingToPrint` while places may still change, and if this eye
    sees no places."""
    if out.view.phase not in (CompetitionPhase.PLAYED, CompetitionPhase.OPEN):
        raise NothingToPrint("still_played")
    rows = [row for row in out.view.standings if row.place is not None and row.place <= out.format.medals]
    if not rows:
        raise NothingToPrint("no_medals")
    pages = [_certificate(out, row) for row in rows]
    return document(out.language, "certificates", f"{out.name} — {out.say('title.certificates')}", pages)


def _certificate(out: Printout, row: StandingsRow) -> Element:
    players = out.players(row.entrant)
    shared = out.say("certificate.shared") if row.level_with else ""
    return element(
        "main",
        element(
            "article",
            track(),
            element("p", "♣ ♦ ♥ ♠", class_="suits"),
            element("p", out.say("certificate"), class_="kind"),
            element("h1", out.name),
            element("p", out.say("certificate.to"), class_="to"),
            element("p", out.entrant_name(row.entrant), class_=_size(out.entrant_name(row.entrant))),
            element("p", players, class_="players") if players else None,
            element("p", out.say(f"certificate.place.{row.place}"), " ", shared, class_="place"),
            element(
                "div",
                element(
                    "p", element("span", out.date or " ", class_="line"), out.say("certificate.date"), class_="sign"
                ),
                element("p", element("span", " ", class_="line"), out.say("certificate.organiser"), class_="sign"),
                class_="foot",
            ),
            track(),
            class_="certificate",
        ),
        class_="sheet",
    )


def _size(name: str) -> str:
    """Choose the style class of a winner's name: a long name is smaller, so that it fits on two lines."""
    return "winner" if len(name) <= 24 else "winner long" if len(name) <= 48 else "winner longest"
