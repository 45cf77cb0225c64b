"""A game that ended, to be played again before somebody's eyes: one step an act, from the cut to the result.

Pure: a record goes in, values that JSON takes come out. A step shows what the table showed then, made at the only door
out of the game, and nothing of what came later (design law 9), but that it was taken back, if it was. A step holds only
what is not as in the step before it, so that a game of 300 acts is a short message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cribboard.cards import Card
from cribboard.events import ClaimJudged, Undone, Verdict
from cribboard.record import Record
from cribboard.replay import Acts
from cribboard.view import View, see
from cribd.table.snapshot import Snapshot
from cribd.text import Phrases
from cribd.web.kiosk.scores import entry, latest_count


def replay(record: Record, spoken: Mapping[str, Phrases]) -> dict[str, Any]:
    """The game, step by step. Takes a tenth of a second of one core."""
    game = record.heading.begin()
    game.hear(record.events)
    acts = Acts(game)
    undone = _taken_back(acts)
    names = record.heading.names
    named = {language: phrases.named(names) for language, phrases in spoken.items()}
    steps: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for end in acts.ends:
        step = _step(acts.view(end), names, named) | {"undone": end in undone}
        steps.append({name: value for name, value in step.items() if name not in before or before[name] != value})
        before = step
    rules = record.heading.rules.game
    return {
        "target": rules.target,
        "skunkLine": rules.skunk_line,
        "doubleSkunkLine": rules.double_skunk_line,
        "steps": steps,
    }


def best_hands(record: Record, spoken: Mapping[str, Phrases], most: int) -> list[dict[str, Any]]:
    """The hands and cribs of a game that were worth most, the best first, as they were counted. Of a table that trusts
    there is none to know, nor of cards that were not read."""
    game = record.heading.begin()
    game.hear(record.events)
    view = see(game.position)
    known = [
        (each.what.due, each)
        for each in view.scores
        if each.cards and isinstance(each.what, ClaimJudged) and each.what.verdict is not Verdict.UNVERIFIED
    ]
    best = sorted(known, key=lambda each: -each[0])[:most]
    return [entry(scored, record.heading.names, spoken, view) for _, scored in best]


def _taken_back(acts: Acts) -> frozenset[int]:
    """The acts, by the number of their last event, that an undo took back."""
    gone: set[int] = set()
    for end in acts.ends:
        for event in acts.act(end):
            if isinstance(event, Undone):
                gone |= {back for back in acts.ends if event.to < back < end}
    return frozenset(gone)


def _step(view: View, names: Sequence[str], spoken: Mapping[str, Phrases]) -> dict[str, Any]:
    sides = len(view.sides)
    return {
        "number": view.number,
        "phase": view.phase,
        "deal": view.deal,
        "dealer": view.dealer_side,
        "asks": view.ask.side,
        "sides": [{"score": side.score, "back": side.back, "inHand": side.in_hand} for side in view.sides],
        "count": view.count,
        "laid": [{"card": _card(laid.card), "side": laid.seat % sides} for laid in view.laid],
        "starter": _card(view.starter),
        "counted": [str(card) for card in view.counted],
        "shown": latest_count(view, names, spoken),
        "said": {language: phrases.said(view) for language, phrases in spoken.items()},
        "ask": {language: phrases.ask(Snapshot(view=view)) for language, phrases in spoken.items()},
    }


def _card(card: Card | None) -> str | None:
    """A card; None for one that is not there, or that no reader could read."""
    return None if card is None else str(card)
