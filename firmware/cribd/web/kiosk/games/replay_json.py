"""A past game step by step, as JSON.

Pure. A step is what the table showed after an act, from a view (design law 9), and whether the act was undone later. A
step has only the values that differ from the step before, so that a game of 300 acts is a short message.
"""

from __future__ import annotations

from typing import Any

from cribboard.event_terms import Verdict
from cribboard.events import ClaimJudged, Undone
from cribboard.record import Record
from cribboard.replay import Acts
from cribboard.view import View, see
from cribd.table.snapshot import Snapshot
from cribd.text import in_every_language
from cribd.web.kiosk.shared.score_json import entry, latest_count
from cribd.web.kiosk.shared.snapshot_json import card_json, pegs, skunk_lines


def replay(record: Record) -> dict[str, Any]:
    """Return a recorded game step by step, as JSON values.

    This takes a tenth of a second of one core."""
    game = record.heading.begin()
    game.append(record.events)
    acts = Acts(game)
    undone = _undone(acts)
    steps: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for end in acts.ends:
        step = _step(acts.view(end), record.heading.names) | {"undone": end in undone}
        steps.append({name: value for name, value in step.items() if name not in before or before[name] != value})
        before = step
    rules = record.heading.rules.game
    return {"target": rules.target, **skunk_lines(rules), "steps": steps}


def best_hands(record: Record, most: int) -> list[dict[str, Any]]:
    """Return at most `most` hands and cribs, the best first.

    Hands of unread cards are left out."""
    game = record.heading.begin()
    game.append(record.events)
    view = see(game.position)
    known = [
        (score.what.due, score)
        for score in view.scores
        if score.cards and isinstance(score.what, ClaimJudged) and score.what.verdict is not Verdict.UNVERIFIED
    ]
    best = sorted(known, key=lambda score: -score[0])[:most]
    return [entry(scored, record.heading.names, view) for _, scored in best]


def _undone(acts: Acts) -> frozenset[int]:
    """Return the ends of the undone acts."""
    gone: set[int] = set()
    for end in acts.ends:
        for event in acts.act(end):
            if isinstance(event, Undone):
                gone |= {back for back in acts.ends if event.to < back < end}
    return frozenset(gone)


def _step(view: View, names: tuple[str, ...]) -> dict[str, Any]:
    sides = len(view.sides)
    return {
        "number": view.number,
        "phase": view.phase,
        "deal": view.deal,
        "dealer": view.dealer_side,
        "asks": view.prompt.side,
        "sides": pegs(view),
        "count": view.count,
        "laid": [{"card": card_json(laid.card), "side": laid.seat % sides} for laid in view.laid],
        "starter": card_json(view.starter),
        "counted": [str(card) for card in view.counted],
        "shown": latest_count(view, names),
        "said": in_every_language(lambda phrases: phrases.named(names).said(view)),
        "ask": in_every_language(lambda phrases: phrases.named(names).prompt(Snapshot(view=view))),
    }
