"""One score as JSON, in every language.

Pure. Made from a view, and so of closed claims only (design law 9); worded in `cribd.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cribboard.event_terms import OF_SHOW, Occasion, Verdict
from cribboard.events import Awarded, ClaimJudged, MugginsRuled, ThreeForLast
from cribboard.score_entry import ScoreEntry
from cribboard.scoring import Kind, Score
from cribboard.view import View
from cribd.text import Phrases, count_in_words, in_every_language
from cribd.text.events import event_in_words
from cribd.text.verdicts import points_due, wrong_call
from cribd.text.words import Style, Words

#: The kinds that only the play has: they are not counted aloud, and have a name alone.
_OF_PLAY = frozenset({Kind.HEELS, Kind.THIRTY_ONE, Kind.GO, Kind.LAST_CARD})


def latest_count(view: View, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the hand or crib that was counted last, or None.

    Once the starter is cut, counts of earlier deals are left out."""
    counted = next((score for score in reversed(view.scores) if score.cards), None)
    if counted is None or (counted.deal < view.deal and view.starter is not None):
        return None
    return entry(counted, names, view)


def entry(scored: ScoreEntry, names: Sequence[str], view: View) -> dict[str, Any]:
    """Convert one score to JSON.

    `names` has the name of every side, "" for a side without a name."""
    call, steps = _call_of(scored)
    return {
        "number": scored.number,
        "deal": scored.deal,
        "side": scored.side,
        "seat": scored.seat,
        "of": _of(scored),
        "cards": [str(card) for card in scored.cards],
        "starter": None if scored.starter is None else str(scored.starter),
        "called": call and call.called,
        "due": None if call is None else points_due(call),
        "points": scored.points,
        "score": scored.score,
        "verdict": call and call.verdict,
        "steps": [
            {
                "kind": step.kind,
                "cards": [str(card) for card in step.cards],
                "points": step.points,
                "total": step.total,
            }
            for step in steps
        ],
        "text": in_every_language(lambda phrases: in_words(scored, phrases.named(tuple(names)).seated_for(view))),
    }


def _call_of(scored: ScoreEntry) -> tuple[ClaimJudged | MugginsRuled | None, Sequence[count_in_words.CountStep]]:
    """Return a score's judged call and the steps of its count.

    If nothing was judged, the call is None and no steps follow."""
    if not isinstance(scored.what, ClaimJudged | MugginsRuled):
        return None, ()
    return scored.what, count_in_words.steps(Score(scored.what.combinations))


def _of(scored: ScoreEntry) -> str:
    """Return the code of the score's kind."""
    match scored.what:
        case ClaimJudged(_, occasions):
            shown = [occasion for occasion in occasions if occasion in OF_SHOW]
            return str(shown[-1] if shown else occasions[0] if occasions else Occasion.CARD)
        case MugginsRuled() | Awarded():
            return "award"
        case ThreeForLast():
            return "three"
        case None:
            return "called"
        case _:
            return "back"


def in_words(scored: ScoreEntry, phrases: Phrases) -> dict[str, Any]:
    """Return the words for a score in one language."""
    call, steps = _call_of(scored)
    words = phrases.styled(Style.PAGE)
    said = [_step(step, words) for step in steps]
    whole = _of(scored) in OF_SHOW and call is not None and call.verdict is not Verdict.UNVERIFIED
    return {
        "who": words.side(scored.side) if scored.seat is None else words.seat(scored.seat),
        "what": words.say("audit.scores.called") if scored.what is None else event_in_words(scored.what, words),
        "steps": said,
        "spoken": (", ".join(said) or words.say("cadence.nothing")) if whole else "",
        "ruling": "" if call is None else wrong_call(call, words),
    }


def _step(step: count_in_words.CountStep, words: Words) -> str:
    return words.say(f"why.{step.kind}") if step.kind in _OF_PLAY else count_in_words.step_in_words(step, words)
