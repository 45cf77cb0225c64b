"""One HTML file about a competition, to keep.

It has no script, loads nothing and needs no network, so that it can be read as long as there are browsers.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.terms import Ending
from cribboard.competition.view import RoundView, TableView
from cribd.paper.competition_sheet import rules
from cribd.paper.html import element, table
from cribd.paper.layout import confidential, heading, name_cell, sheet
from cribd.paper.printout import Printout
from cribd.paper.standings_sheet import standings


def keepsake(out: Printout) -> bytes:
    """Return the HTML file of a competition, in UTF-8."""
    main = element(
        "main",
        heading(out, "keepsake"),
        confidential(out),
        element("h2", out.say("title.standings")),
        standings(out),
        [_round(out, round_) for round_ in out.view.rounds],
        element("h2", out.say("title.event")),
        rules(out),
    )
    return sheet(out, "keepsake", main).encode()


def _round(out: Printout, round_: RoundView) -> Element:
    head = [out.say(column) for column in ("table", "head.first", "head.second", "head.result")]
    rests = [
        element("p", out.say(code, entrants=", ".join(map(out.entrant_name, numbers))), class_="rests")
        for code, numbers in (("byes", round_.byes), ("waiting", round_.waiting))
        if numbers
    ]
    rows = [row for table in round_.tables for row in _table(out, table)]
    title = element("h2", out.round_title(round_))
    return element("section", title, table(head, rows, class_="round-table"), rests, class_="round")


def _table(out: Printout, seated: TableView) -> Iterator[Element]:
    yield element(
        "tr",
        element("th", seated.table, scope="row"),
        [name_cell(out, number) for number in seated.entrants],
        element("td", [element("span", score, class_="score") for score in _scores(out, seated)]),
    )
    for game, result in enumerate(seated.results, start=1):
        if result.record in out.records:
            title, text = out.say("record_of", game=game), out.records[result.record]
            record = element("details", element("summary", title), element("pre", text))
            yield element("tr", element("td", record, colspan=4), class_="record")


def _scores(out: Printout, seated: TableView) -> Iterator[str]:
    if not seated.results:
        yield out.say("sealed_score") if out.view.is_sealed and seated.is_over else "—"
    for result in seated.results:
        first, second = result.scores
        notes = [out.term(result.ending)] if result.ending is Ending.BROKEN_OFF else []
        notes += [out.term(result.state)] if not result.counts else []
        notes += [out.say("corrected")] if result.corrections else []
        yield f"{first}–{second}" + (f" ({', '.join(notes)})" if notes else "")
