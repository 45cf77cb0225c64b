"""Score cards: a line for each game of an entrant, as players of ACC clubs know them (3.29), filled in or blank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from cribboard.competition.scorecard import ScoreCard, ScorecardLine
from cribboard.competition.terms import CompetitionPhase, Criterion, Ending
from cribboard.skunk import Skunk
from cribd.paper.html import document, element, table
from cribd.paper.layout import confidential
from cribd.paper.printout import Printout

#: The lines of a card if the number of games is unknown.
_USUAL = 9


def score_cards(out: Printout) -> str:
    """Make the cards of all entrants, with the results so far."""
    return _cards(out, blank=False)


def blank_cards(out: Printout) -> str:
    """Make blank cards for all entrants, to be filled in by hand."""
    return _cards(out, blank=True)


def _cards(out: Printout, *, blank: bool) -> str:
    found = (out.scorecard(entrant.number) for entrant in out.view.entrants)
    cards = [_card(out, replace(scorecard, lines=(), hands=()) if blank else scorecard) for scorecard in found]
    return document(out.language, "cards", f"{out.name} — {out.say('title.cards')}", element("main", cards))


def _card(out: Printout, card: ScoreCard) -> Element:
    by_points = Criterion.GAME_POINTS in out.format.ranking
    first = "card.game_points" if by_points else "card.points"
    head = [
        out.say(column) for column in ("card.game", "card.opponent", first, "card.plus", "card.minus", "card.initials")
    ]
    rows = [_line(out, number, line, by_points=by_points) for number, line in enumerate(_lines(out, card), start=1)]
    players = out.players(card.entrant)
    return element(
        "article",
        element(
            "header",
            element("p", " · ".join(filter(None, (out.name, out.date))), class_="event-name"),
            element("h2", element("span", card.entrant, class_="no"), " ", out.entrant_name(card.entrant)),
            element("p", players, class_="players") if players else None,
            confidential(out) if card.lines else None,
        ),
        table(head, rows, foot=_totals(out, card, by_points=by_points)),
        element("p", _summary(out, card), class_="summary"),
        class_="score-card",
    )


def _lines(out: Printout, card: ScoreCard) -> Iterator[ScorecardLine | None]:
    """Make a line for each game played, and empty lines up to the number of games."""
    games = out.view.games or out.format.games
    wanted = _USUAL if games is None or out.format.is_match else games
    yield from card.lines
    yield from [None] * (wanted - len(card.lines))


def _line(out: Printout, number: int, line: ScorecardLine | None, *, by_points: bool) -> Element:
    if line is None:
        return element("tr", element("th", number, scope="row"), [element("td") for _ in range(5)])
    marks = {Skunk.SKUNK: "skunk", Skunk.DOUBLE: "double_skunk"}
    skunk = out.words.say(marks[line.skunk]) if line.skunk in marks else ""
    broken = out.term(line.ending) if line.ending is Ending.BROKEN_OFF else ""
    note = " · ".join(filter(None, (skunk, broken)))
    amount = line.game_points if by_points else line.scores[0]
    plus = f"+{line.spread}" if line.spread > 0 else ""
    minus = f"−{-line.spread}" if line.spread < 0 else ""
    return element(
        "tr",
        element("th", number, scope="row"),
        element("td", out.entrant_name(line.opponent), element("span", note, class_="mark") if note else None),
        [element("td", cell, class_="number") for cell in (amount, plus, minus)],
        element("td"),
    )


def _totals(out: Printout, card: ScoreCard, *, by_points: bool) -> Element:
    cells: list[str | int] = ["", "", ""]
    if card.lines:
        won = sum(line.spread for line in card.lines if line.spread > 0)
        first = card.game_points if by_points else sum(line.scores[0] for line in card.lines)
        cells = [first, out.signed(won), out.signed(card.spread - won)]
    return element(
        "tr",
        element("th", out.say("card.total"), scope="row", colspan=2),
        [element("td", cell, class_="number") for cell in cells],
        element("td"),
    )


def _summary(out: Printout, card: ScoreCard) -> Iterator[Element]:
    """List games won, net spread and plus points, and honours of a club."""
    amounts: list[str | int] = [card.wins, out.signed(card.spread), card.plus_points] if card.lines else [""] * 3
    for code, amount in zip(("wins", "spread", "plus_points"), amounts, strict=True):
        yield element("span", out.say(f"card.{code}"), " ", element("b", amount), class_="field")
    for points in card.hands:
        yield element("span", out.say("card.hand", points=points), class_="honour")
    if card.is_grand_slam and len(card.lines) > 1 and _is_over(out, card):
        yield element("span", out.say("card.grand_slam"), class_="honour")


def _is_over(out: Printout, card: ScoreCard) -> bool:
    """Whether the entrant has played all its games, or the event is over."""
    games = None if out.format.is_match else out.view.games
    return out.view.phase is CompetitionPhase.OPEN or (games is not None and len(card.lines) >= games)
