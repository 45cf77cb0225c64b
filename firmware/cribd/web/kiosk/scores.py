"""One score as JSON: the side, the reason, the steps of the count, in every language.

Pure. Made from a view, and so of closed claims only (design law 9). A hand or crib is counted aloud step by step;
points of the play have the names of their combinations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cribboard.events import Awarded, ClaimJudged, MugginsRuled, Occasion, PassTakenBack, ThreeForLast, Verdict
from cribboard.score_entry import ScoreEntry
from cribboard.scoring import Combination, Kind, Score
from cribboard.view import View
from cribd.text import Phrases, count_aloud
from cribd.text.verdicts import OF_SHOW

#: The kinds that only the play has: they are not counted aloud.
_OF_PLAY = frozenset({Kind.HEELS, Kind.THIRTY_ONE, Kind.GO, Kind.LAST_CARD})


def latest_count(view: View, names: Sequence[str], spoken: Mapping[str, Phrases]) -> dict[str, Any] | None:
    """The last hand or crib that was counted in this deal, or in the one before until the starter is cut."""
    counted = next((each for each in reversed(view.scores) if each.cards), None)
    if counted is None or (counted.deal < view.deal and view.starter is not None):
        return None
    return entry(counted, names, spoken, view)


def entry(scored: ScoreEntry, names: Sequence[str], spoken: Mapping[str, Phrases], view: View) -> dict[str, Any]:
    """One score. `names` go by side, "" for no name."""
    call = scored.what if isinstance(scored.what, ClaimJudged | MugginsRuled) else None
    steps = count_aloud.steps(Score(call.combinations)) if call else ()
    return {
        "number": scored.number,
        "deal": scored.deal,
        "side": scored.side,
        "seat": scored.seat,
        "of": _of(scored),
        "cards": [str(card) for card in scored.cards],
        "starter": None if scored.starter is None else str(scored.starter),
        "called": call and call.called,
        "due": None if call is None else _due(call),
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
        "text": {
            language: _text(scored, call, steps, phrases.named(tuple(names)).seated_for(view))
            for language, phrases in spoken.items()
        },
    }


def _of(scored: ScoreEntry) -> str:
    """The category of a score: the claim's occasion, or the source of unclaimed points."""
    match scored.what:
        case ClaimJudged(_, occasions):
            shown = [each for each in occasions if each in OF_SHOW]
            return str(shown[-1] if shown else occasions[0] if occasions else Occasion.CARD)
        case MugginsRuled() | Awarded():
            return "award"
        case ThreeForLast():
            return "three"
        case None:
            return "called"
        case _:
            return "back"


def _text(
    scored: ScoreEntry, call: ClaimJudged | MugginsRuled | None, steps: Sequence[count_aloud.Step], phrases: Phrases
) -> dict[str, Any]:
    said = [_words(step, phrases) for step in steps]
    whole = _of(scored) in OF_SHOW and call is not None and call.verdict is not Verdict.UNVERIFIED
    return {
        "who": phrases.side(scored.side) if scored.seat is None else phrases.seat(scored.seat),
        "what": _what(scored, phrases),
        "steps": said,
        "spoken": (", ".join(said) or phrases.say("cadence.nothing")) if whole else "",
        "ruling": "" if call is None else _ruling(call, phrases),
    }


def _words(step: count_aloud.Step, phrases: Phrases) -> str:
    return phrases.say(f"why.{step.kind}") if step.kind in _OF_PLAY else count_aloud.words(step, phrases)


def _what(scored: ScoreEntry, phrases: Phrases) -> str:
    match scored.what:
        case ClaimJudged() if (of := _of(scored)) in OF_SHOW:
            return phrases.say(f"occasion.{of}")
        case ClaimJudged(combinations=made) if made:
            return _names(made, phrases)
        case ClaimJudged():
            return phrases.say("audit.scores.play")
        case MugginsRuled(combinations=missed):
            return ", ".join(filter(None, (phrases.say("audit.scores.muggins"), _names(missed, phrases))))
        case Awarded():
            return phrases.say("audit.scores.award")
        case ThreeForLast():
            return phrases.say("audit.scores.three")
        case PassTakenBack():
            return phrases.say("audit.scores.pass_back")
        case None:
            return phrases.say("audit.scores.called")
        case _:
            return phrases.say("audit.scores.back")


def _names(made: Sequence[Combination], phrases: Phrases) -> str:
    return ", ".join(phrases.say(f"why.{each.kind}") for each in made)


def _due(call: ClaimJudged | MugginsRuled) -> int:
    return call.due if isinstance(call, ClaimJudged) else call.missed


def _ruling(call: ClaimJudged | MugginsRuled, phrases: Phrases) -> str:
    """The verdict on a call that was not right; "" for one that was."""
    due = _due(call)
    match call.verdict:
        case Verdict.TOO_MANY:
            return phrases.say("audit.scores.too_many", called=call.called, due=due)
        case Verdict.TOO_FEW:
            return phrases.count("audit.scores.too_few", due - call.called, called=call.called, due=due)
        case Verdict.UNVERIFIED:
            return phrases.say("audit.scores.unverified")
        case _:
            return ""
