"""What was scored, as a page is told of it: whose it was, for what, step by step, in every language.

Pure. Made of what a view holds, and so of claims that are closed (design law 9). A hand and a crib are told in cribbage
cadence, what was made in the play by the names of its combinations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cribboard.events import Awarded, ClaimJudged, Ground, Occasion, PassTakenBack, ThreeForLast, Verdict
from cribboard.scored import Scored
from cribboard.scoring import Kind, Score
from cribboard.view import View
from cribd.phrases import Phrases, cadence
from cribd.phrases.ruling import OF_SHOW

#: What is said of these has no cadence: they are made in the play alone.
_OF_PLAY = frozenset({Kind.HEELS, Kind.THIRTY_ONE, Kind.GO, Kind.LAST_CARD})


def latest_count(view: View, names: Sequence[str], spoken: Mapping[str, Phrases]) -> dict[str, Any] | None:
    """The hand or crib that was counted last in this deal, or in the one before while nothing is laid yet."""
    counted = next((each for each in reversed(view.scores) if each.cards), None)
    if counted is None or (counted.deal < view.deal and view.starter is not None):
        return None
    return entry(counted, names, spoken, view)


def entry(scored: Scored, names: Sequence[str], spoken: Mapping[str, Phrases], view: View) -> dict[str, Any]:
    """One score. `names` go by side, "" for nobody's."""
    claim = scored.what if isinstance(scored.what, ClaimJudged) else None
    steps = cadence.steps(Score(claim.combinations)) if claim else ()
    return {
        "number": scored.number,
        "deal": scored.deal,
        "side": scored.side,
        "seat": scored.seat,
        "of": _of(scored),
        "cards": [str(card) for card in scored.cards],
        "starter": None if scored.starter is None else str(scored.starter),
        "called": claim and claim.called,
        "due": claim and claim.due,
        "points": scored.points,
        "score": scored.score,
        "verdict": claim and claim.verdict,
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
            language: _text(scored, claim, steps, phrases.named(tuple(names)).seated_for(view))
            for language, phrases in spoken.items()
        },
    }


def _of(scored: Scored) -> str:
    """What kind of score it is: an occasion to claim, or where nobody claimed it where it came from."""
    match scored.what:
        case ClaimJudged(_, occasions):
            shown = [each for each in occasions if each in OF_SHOW]
            return str(shown[-1] if shown else occasions[0] if occasions else Occasion.CARD)
        case Awarded():
            return "award"
        case ThreeForLast():
            return "three"
        case None:
            return "called"
        case _:
            return "back"


def _text(scored: Scored, claim: ClaimJudged | None, steps: Sequence[cadence.Step], phrases: Phrases) -> dict[str, Any]:
    said = [_words(step, phrases) for step in steps]
    whole = _of(scored) in OF_SHOW and claim is not None and claim.verdict is not Verdict.UNVERIFIED
    return {
        "who": phrases.side(scored.side) if scored.seat is None else phrases.seat(scored.seat),
        "what": _what(scored, phrases),
        "steps": said,
        "spoken": (", ".join(said) or phrases.say("cadence.nothing")) if whole else "",
        "ruling": "" if claim is None else _ruling(claim, phrases),
    }


def _words(step: cadence.Step, phrases: Phrases) -> str:
    return phrases.say(f"why.{step.kind}") if step.kind in _OF_PLAY else cadence.words(step, phrases)


def _what(scored: Scored, phrases: Phrases) -> str:
    match scored.what:
        case ClaimJudged() if (of := _of(scored)) in OF_SHOW:
            return phrases.say(f"occasion.{of}")
        case ClaimJudged(combinations=made) if made:
            return ", ".join(phrases.say(f"why.{each.kind}") for each in made)
        case ClaimJudged():
            return phrases.say("scores.play")
        case Awarded(ground=ground):
            return phrases.say("scores.muggins" if ground is Ground.MUGGINS else "scores.award")
        case ThreeForLast():
            return phrases.say("scores.three")
        case PassTakenBack():
            return phrases.say("scores.pass_back")
        case None:
            return phrases.say("scores.called")
        case _:
            return phrases.say("scores.back")


def _ruling(claim: ClaimJudged, phrases: Phrases) -> str:
    """What was wrong with a call; nothing of one that was right."""
    match claim.verdict:
        case Verdict.TOO_MANY:
            return phrases.say("scores.too_many", called=claim.called, due=claim.due)
        case Verdict.TOO_FEW:
            return phrases.count("scores.too_few", claim.due - claim.called, called=claim.called, due=claim.due)
        case Verdict.UNVERIFIED:
            return phrases.say("scores.unverified")
        case _:
            return ""
