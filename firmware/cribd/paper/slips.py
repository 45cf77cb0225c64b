"""Result slips: one for each table of a round, four on a page. Both sides write, both sign (FADOQ: the captains)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cribboard.competition.view import RoundView
from cribd.paper.html import document, element
from cribd.paper.printout import Printout

#: The number of spare slips, if no round is drawn.
_SPARE = 4


def slips(out: Printout) -> str:
    """Make the slips of a round, or spare ones before the first draw. Raises `NothingToPrint`."""
    round_ = out.slip_round()
    spare = ("", out.say(out.sized("slip.signature.spare")))
    most = out.format.most_games()
    blank = _slip(out, out.say("round", round="____"), out.say("table.number", table="___"), most, (spare, spare))
    made = [*_of_round(out, round_)] if round_ else [blank] * _SPARE
    return document(out.language, "slips", f"{out.name} — {out.say('title.slips')}", element("main", made))


def _of_round(out: Printout, round_: RoundView) -> Iterator[Element]:
    title = out.round_title(round_)
    most = out.format.most_games(play_off=round_.play_off)
    for table in round_.tables:
        first, second = table.entrants
        sides = (_name_and_signature(out, first), _name_and_signature(out, second))
        yield _slip(out, title, out.say("table.number", table=table.table), most, sides)


def _name_and_signature(out: Printout, number: int) -> tuple[str, str]:
    """The name of an entrant, and below it a line for the captain's signature."""
    return out.entrant_name(number), out.say(out.sized("slip.signature"), name=out.captain(number))


def _slip(out: Printout, title: str, table: str, games: int, sides: tuple[tuple[str, str], tuple[str, str]]) -> Element:
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
