"""Result slips for a round, one for each table.

Four slips are on a page. Both sides write and sign; for FADOQ, captains sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from cribboard.competition.view import RoundView
from cribd.paper.html import element
from cribd.paper.layout import sheet
from cribd.paper.printout import NothingToPrint, Printout

#: The number of spare slips, if no round is drawn.
_SPARE = 4


def slips(out: Printout) -> str:
    """Make a round's slips, or spare slips before the first draw. Raises `NothingToPrint`."""
    rounds = out.view.rounds
    if not 0 <= out.round <= len(rounds):
        raise NothingToPrint("no_such_round", round=out.round, rounds=len(rounds))
    if rounds:
        return sheet(out, "slips", element("main", _of_round(out, rounds[out.round - 1])))
    spare = ("", out.say(out.sized("slip.signature.spare")))
    title, table = out.say("round", round="____"), out.say("table.number", table="___")
    slip = _slip(out, title, table, out.format.most_games(), (spare, spare))
    return sheet(out, "slips", element("main", [slip] * _SPARE))


def _of_round(out: Printout, round_: RoundView) -> Iterator[Element]:
    title = out.round_title(round_)
    most = out.format.most_games(play_off=round_.play_off)
    for table in round_.tables:
        sides = [
            (out.entrant_name(number), out.say(out.sized("slip.signature"), name=out.captain(number)))
            for number in table.entrants
        ]
        yield _slip(out, title, out.say("table.number", table=table.table), most, sides)


def _slip(out: Printout, title: str, table: str, games: int, sides: Sequence[tuple[str, str]]) -> Element:
    """Make a slip.

    `sides` has the name of each side, and the words below its signature line."""
    head = [out.say("slip.game", game=game) if games < 6 else str(game) for game in range(1, games + 1)]
    if games == 1:
        head = [out.say("slip.score")]
    boxes = [element("td", class_="box") for _ in range(games)]
    skunk = [out.say("slip.skunk")] if out.format.game_rules.game.skunk_line is not None else []
    return element(
        "article",
        element(
            "div",
            element("span", out.name, class_="event-name"),
            element("span", title, class_="held"),
            element("span", table, class_="at"),
            class_="slip-head",
        ),
        element(
            "table",
            element("thead", element("tr", element("td"), [element("th", cell, scope="col") for cell in head])),
            element(
                "tbody",
                [
                    element("tr", element("th", name or element("span", class_="blank"), scope="row"), boxes)
                    for name, _ in sides
                ],
                [
                    element("tr", element("th", mark, scope="row"), [element("td", "☐")] * games, class_="marks")
                    for mark in (*skunk, out.say("slip.broken_off"))
                ],
            ),
            class_="many" if games > 5 else "few",
        ),
        element(
            "div",
            [element("p", element("span", class_="line"), element("span", signs, class_="who")) for _, signs in sides],
            class_="signatures",
        ),
        class_="slip",
    )
