"""The list for checking all results against the slips.

Of a sealed competition the hall's list has the games and no result.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from cribboard.competition.terms import Ending, ResultState
from cribboard.competition.view import RoundView, TableView
from cribd.paper.html import Child, element, table
from cribd.paper.layout import confidential, heading, name_head, number_cells, sheet
from cribd.paper.printout import Printout


def check_list(out: Printout) -> str:
    """Make the sheet for checking the results of all rounds."""
    rounds = [_round(out, round_) for round_ in out.view.rounds] or element("p", out.say("check.no_round"))
    return sheet(out, "check-list", element("main", heading(out, "check-list"), confidential(out), rounds))


def _round(out: Printout, round_: RoundView) -> Element:
    head: list[Child] = [
        out.say("csv.table"),
        out.say("csv.game"),
        name_head(out.say(out.sized("head.name"))),
        out.say("slip.score"),
        out.say("csv.source"),
        "☐",
    ]
    rows = [
        _row(out, seated, game)
        for seated in round_.tables
        for game in range(max(len(seated.results), seated.games or 1))
    ]
    return element("section", element("h2", out.round_title(round_)), table(head, rows))


def _row(out: Printout, at: TableView, game: int) -> Element:
    scores, source, box = "", "", "☐"
    if game < len(at.results):
        result = at.results[game]
        scores = out.words.say("competition.scores", first=result.scores[0], second=result.scores[1])
        if result.ending is Ending.BROKEN_OFF:
            scores = f"{scores} ({out.term(result.ending)})"
        source = out.term(result.source)
        box = "☑" if result.state is ResultState.CHECKED else "☐"
    return element(
        "tr",
        number_cells(at.table, game + 1),
        element("td", " – ".join(map(out.entrant_name, at.entrants))),
        number_cells(scores),
        element("td", source),
        element("td", box, class_="tick"),
    )
