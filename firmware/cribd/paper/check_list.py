"""The list for checking results: every game with its result, and a box to tick after comparing it with the slip.

Of a sealed competition the hall's list has the games and no result.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.terms import Ending, ResultState
from cribboard.competition.view import RoundView, TableView
from cribd.paper.html import Child, document, element, table
from cribd.paper.layout import confidential, heading
from cribd.paper.printout import Printout


def check_list(out: Printout) -> str:
    """Make the list of all rounds."""
    title = out.say("title.check_list")
    rounds = [_round(out, round_) for round_ in out.view.rounds]
    return document(
        out.language,
        "check-list",
        f"{out.name} — {title}",
        element("main", heading(out, title), confidential(out), rounds or element("p", out.say("check.no_round"))),
    )


def _round(out: Printout, round_: RoundView) -> Element:
    title = out.round_title(round_)
    head: list[Child] = [
        *(out.say(f"csv.{column}") for column in ("table", "game")),
        element("th", out.say(out.sized("head.name")), scope="col", class_="who"),
        out.say("slip.score"),
        out.say("csv.source"),
        "☐",
    ]
    return element("section", element("h2", title), table(head, _rows(out, round_)))


def _rows(out: Printout, round_: RoundView) -> Iterator[Element]:
    for seated in round_.tables:
        for game in range(max(len(seated.results), seated.games or 1)):
            yield _row(out, seated, game)


def _row(out: Printout, at: TableView, game: int) -> Element:
    result = at.results[game] if game < len(at.results) else None
    scores = ""
    if result is not None:
        scores = out.words.say("competition.scores", first=result.scores[0], second=result.scores[1])
        if result.ending is Ending.BROKEN_OFF:
            scores = f"{scores} ({out.term(result.ending)})"
    ticked = result is not None and result.state is ResultState.CHECKED
    return element(
        "tr",
        element("td", at.table, class_="number"),
        element("td", game + 1, class_="number"),
        element("td", " – ".join(map(out.entrant_name, at.entrants))),
        element("td", scores, class_="number"),
        element("td", out.term(result.source) if result else ""),
        element("td", "☑" if ticked else "☐", class_="tick"),
    )
