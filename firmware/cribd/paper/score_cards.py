"""Score cards like those of ACC clubs (3.29).

A card has a line for each game of an entrant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from cribboard.competition.scorecard import ScoreCard, ScorecardLine
from cribboard.competition.terms import CompetitionPhase, Ending, RankingCriterion
from cribboard.skunk import Skunk
from cribd.paper.html import element, table
from cribd.paper.layout import confidential, number_cells, players_line, sheet
from cribd.paper.printout import Printout

#: The lines of a card if the number of games is unknown.
_DEFAULT_LINES = 9
_COLUMNS = ("game", "opponent", "points", "plus", "minus", "initials")


def score_cards(out: Printout) -> str:
    """Make the filled-in score cards of all entrants."""
    cards = (out.view.scorecard(entrant.number, out.format.game_rules) for entrant in out.view.entrants)
    return sheet(out, "cards", element("main", [_card(out, card) for card in cards]))


def blank_cards(out: Printout) -> str:
    """Make blank score cards for all entrants."""
    cards = (out.view.scorecard(entrant.number, out.format.game_rules) for entrant in out.view.entrants)
    return sheet(out, "cards", element("main", [_card(out, replace(card, lines=(), hands=())) for card in cards]))


def _card(out: Printout, card: ScoreCard) -> Element:
    by_points = RankingCriterion.GAME_POINTS in out.format.ranking
    head = [out.say("card.game_points" if by_points and name == "points" else f"card.{name}") for name in _COLUMNS]
    games = out.view.games or out.format.games
    wanted = _DEFAULT_LINES if games is None or out.format.is_match else games
    lines = [*card.lines, *[None] * (wanted - len(card.lines))]
    rows = [_line(out, number, line, by_points=by_points) for number, line in enumerate(lines, start=1)]
    return element(
        "article",
        element(
            "header",
            element("p", " · ".join(filter(None, (out.name, out.date))), class_="event-name"),
            element("h2", element("span", card.entrant, class_="no"), " ", out.entrant_name(card.entrant)),
            players_line(out, card.entrant),
            confidential(out) if card.lines else None,
        ),
        table(head, rows, foot=_totals(out, card, by_points=by_points)),
        element("p", _summary(out, card), class_="summary"),
        class_="score-card",
    )


def _line(out: Printout, number: int, line: ScorecardLine | None, *, by_points: bool) -> Element:
    if line is None:
        return element("tr", element("th", number, scope="row"), [element("td") for _ in _COLUMNS[1:]])
    marks = {Skunk.SKUNK: "skunk", Skunk.DOUBLE: "double_skunk"}
    skunk = out.words.say(marks[line.skunk]) if line.skunk in marks else ""
    broken = out.term(line.ending) if line.ending is Ending.BROKEN_OFF else ""
    note = " · ".join(filter(None, (skunk, broken)))
    spread = _signed(line.spread)
    return element(
        "tr",
        element("th", number, scope="row"),
        element("td", out.entrant_name(line.opponent), element("span", note, class_="mark") if note else None),
        number_cells(
            line.game_points if by_points else line.scores[0],
            spread if line.spread > 0 else "",
            spread if line.spread < 0 else "",
        ),
        element("td"),
    )


def _totals(out: Printout, card: ScoreCard, *, by_points: bool) -> Element:
    cells: list[str | int] = ["", "", ""]
    if card.lines:
        won = sum(line.spread for line in card.lines if line.spread > 0)
        points = card.game_points if by_points else sum(line.scores[0] for line in card.lines)
        cells = [points, _signed(won), _signed(card.spread - won)]
    return element(
        "tr", element("th", out.say("card.total"), scope="row", colspan=2), number_cells(*cells), element("td")
    )


def _signed(spread: int) -> str:
    """Format a spread with its sign.

    The minus sign is U+2212."""
    return f"+{spread}" if spread > 0 else f"−{-spread}" if spread else "0"


def _summary(out: Printout, card: ScoreCard) -> Iterator[Element]:
    """Yield the fields below a card."""
    amounts: list[str | int] = [card.wins, _signed(card.spread), card.plus_points] if card.lines else [""] * 3
    for code, amount in zip(("wins", "spread", "plus_points"), amounts, strict=True):
        yield element("span", out.say(f"card.{code}"), " ", element("b", amount), class_="field")
    for points in card.hands:
        yield element("span", out.say("card.hand", points=points), class_="honour")
    games = None if out.format.is_match else out.view.games
    is_complete = games is not None and len(card.lines) >= games
    if card.is_grand_slam and len(card.lines) > 1 and (is_complete or out.view.phase is CompetitionPhase.OPEN):
        yield element("span", out.say("card.grand_slam"), class_="honour")
