"""What a page is told of the table: one picture, whole every time, for whoever looks from wherever.

Pure. Made of a `Showing`, and so of nothing but a view (design law 9): what a page must not know is not in it. Lines
come in every language, so that one picture serves all who look; cards are written as everywhere, `5H`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cribboard.cards import Card
from cribboard.rules import read_label
from cribboard.view import Asks, View
from cribd.table.rule_sets import PRESETS, RuleSet, alike, titled
from cribd.table.snapshot import Lobby, Showing
from cribd.text import Phrases
from cribd.web.kiosk.scores import latest_count

#: What the table asks when it waits for a card.
CARD_WANTED = frozenset(
    {
        Asks.CUT,
        Asks.CUT_AGAIN,
        Asks.STARTER,
        Asks.LEAD,
        Asks.LAY,
        Asks.LAY_AFTER_GO,
        Asks.READ_HAND,
        Asks.READ_CRIB,
        Asks.READ_STARTER,
    }
)


#: What is asked in few words where a line of the screen has no more room, and in whole ones on a page.
IN_FULL = {Asks.ACCEPT: "page.ask.accept", Asks.UNDO: "page.ask.undo"}


def picture(showing: Showing, spoken: Mapping[str, Phrases], offered: Sequence[RuleSet] = PRESETS) -> dict[str, Any]:
    """The picture of the table, as JSON takes it. `offered` are the rules whose titles are known."""
    rules = _rules(showing, offered)
    return {
        "lobby": showing.lobby,
        "menu": showing.menu is not None,
        "way": showing.way if showing.view is None or showing.lobby is not None else showing.view.way,
        "refused": None if showing.refusal is None else showing.refusal.code,
        "language": showing.language,
        "names": [name_of(showing, side) for side in range(_sides(showing))],
        "match": {
            "games": showing.games,
            "points": showing.points,
            "of": showing.match,
            "standings": showing.standings,
            "over": showing.match_over,
            "winner": showing.match_winner,
            "ends": showing.ends,
            "players": showing.players,
            "rules": next((each.rules.label for each in offered if alike(each.rules, showing.match_rules)), None),
        },
        "ended": showing.ended,
        "view": None if showing.view is None else _view(showing.view),
        "shown": None if showing.view is None else latest_count(showing.view, showing.names, spoken),
        "wanted": _wants_a_card(showing),
        "next": showing.rules.rules.label,
        "text": {language: _text(showing, phrases.named(showing.names), rules) for language, phrases in spoken.items()},
    }


def message(
    showing: Showing, spoken: Mapping[str, Phrases], offered: Sequence[RuleSet] = PRESETS, **beside: object
) -> bytes:
    """The picture as one message of an event stream (WHATWG HTML, 9.2)."""
    told = json.dumps(beside | picture(showing, spoken, offered), ensure_ascii=False, separators=(",", ":"))
    return f"data: {told}\n\n".encode()


def _wants_a_card(showing: Showing) -> bool:
    """Whether a tap on the pad is what is asked for now, by the game or by the board's own count judge."""
    if showing.judging is not None:
        return showing.judging.judge.missing > 0
    return showing.view is not None and not _waits(showing) and showing.view.ask.what in CARD_WANTED


def _waits(showing: Showing) -> bool:
    """Whether something else is asked, and the game waits."""
    aside = (showing.lobby, showing.menu, showing.judging, showing.looking, showing.official)
    return any(each is not None for each in aside)


def name_of(showing: Showing, side: int) -> str:
    """What a side is called, if anybody said."""
    return showing.names[side] if side < len(showing.names) else ""


def _sides(showing: Showing) -> int:
    """How many sides play, or would."""
    played = _played(showing)
    return len(showing.rules.rules.sides) if played is None else len(played.sides)


def _played(showing: Showing) -> View | None:
    """The game that is under way; None between two, when all that is shown is of the next."""
    return None if showing.lobby in (Lobby.START, Lobby.AGAIN) else showing.view


def _rules(showing: Showing, offered: Sequence[RuleSet]) -> RuleSet:
    """By which rules is played, or will be: other rules may be chosen for the next game while one is under way."""
    played = _played(showing)
    return showing.rules if played is None else titled(read_label(played.rules), (showing.rules, *offered))


def _view(view: View) -> dict[str, Any]:
    game = read_label(view.rules).game
    return {
        "number": view.number,
        "rules": view.rules,
        "phase": view.phase,
        "target": view.target,
        "skunkLine": game.skunk_line,
        "doubleSkunkLine": game.double_skunk_line,
        "skunk": view.skunk,
        "silent": view.silent,
        "players": view.players,
        "deal": view.deal,
        "dealer": view.dealer_side,
        "dealerSeat": view.dealer,
        "turn": view.turn,
        "turnSide": None if view.turn is None else view.turn % len(view.sides),
        "asks": {"what": view.ask.what, "side": view.ask.side},
        "sides": [{"score": side.score, "back": side.back, "inHand": side.in_hand} for side in view.sides],
        "count": view.count,
        "laid": [
            {"card": _card(laid.card), "side": laid.seat % len(view.sides), "seat": laid.seat} for laid in view.laid
        ],
        "starter": _card(view.starter),
        "counted": [str(card) for card in view.counted],
        "scored": len(view.scores),
        "winner": view.winner,
    }


def _card(card: Card | None) -> str | None:
    """A card; None for one that is not there, or that no reader could read."""
    return None if card is None else str(card)


def _ask(showing: Showing, phrases: Phrases) -> str:
    """The main line."""
    view = showing.view
    if view is None or _waits(showing) or view.ask.what not in IN_FULL:
        return phrases.ask(showing)
    code, side = IN_FULL[view.ask.what], view.ask.side
    return phrases.say(f"{code}_all") if side is None else phrases.say(code, side=phrases.side(side))


def _text(showing: Showing, phrases: Phrases, rules: RuleSet) -> dict[str, Any]:
    """What the board's own screen says, in one language and in whole words."""
    seated = phrases.seated_for(showing.view)
    return {
        "ask": _ask(showing, phrases),
        "hints": phrases.hints(showing),
        "said": () if showing.view is None or _waits(showing) else phrases.said(showing.view),
        "refusal": () if showing.refusal is None else seated.refusal(showing.refusal),
        "skunk": "" if showing.view is None else phrases.skunk(showing.view),
        "undo": "" if showing.undoes is None else seated.undone(showing.undoes),
        "faults": [phrases.fault(fault) for fault in showing.faults],
        "rules": phrases.rules(rules),
    }
