"""From a claim that was closed, or ruled, to the lines that tell of it.

Each ruling is one line, and what it costs another; where the rules of the game have a number for it, that stands behind
the last. A told game says what was due as soon as the peg is let go, a silent one when the claim is closed: what stands
though it was too many, and what was lost. Nothing here knows more than the event (design law 9; rules reference,
section 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from cribboard.events import (
    Awarded,
    Bar,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Event,
    Ground,
    MugginsRuled,
    Occasion,
    Pegged,
    PointsBarred,
    SetBack,
    Verdict,
)
from cribboard.rules import Rules, Telling, cited, read_label
from cribboard.scoring import Kind, Score
from cribboard.view import Asks, View
from cribd.text import count_aloud
from cribd.text.lines import LINE, wrapped

if TYPE_CHECKING:
    from cribd.text.phrases import Phrases

OF_SHOW = (Occasion.HAND, Occasion.CRIB)
COUNTS = (Asks.COUNT_HAND, Asks.COUNT_CRIB)


class Weight(IntEnum):
    """How much a line matters; the smaller the number, the sooner it is said."""

    END = 0
    VERDICT = 1
    PENALTY = 2
    SCORE = 3
    CLOSED = 4
    WHY = 5
    DONE = 6
    ASIDE = 7


Line = tuple[Weight, str]


def ruled(event: Event, at: int, view: View, phrases: Phrases) -> Iterator[Line] | None:
    """The lines of a judgement or a ruling, the event number `at` of what the view says; None if it is neither."""
    match event:
        case ClaimJudged() if view.silent:
            return _closed(event, view, phrases)
        case ClaimJudged():
            return _told(event, at, view, phrases)
        case ClaimRuled():
            return _ruled_out(event, view, phrases)
        case MugginsRuled():
            return _muggins(event, view, phrases)
        case Awarded(side, points, ground):
            line = phrases.say("said.awarded", side=phrases.side(side), points=points)
            return iter([(Weight.PENALTY, _by_rule(line, view, ground))])
        case SetBack(side, score, _, Ground.FALSE_GAME as ground):
            line = phrases.say("said.set_back", side=phrases.side(side), hole=score)
            return iter([(Weight.PENALTY, _by_rule(line, view, ground))])
        case _:
            return None


def no_single_point(view: View, side: int, phrases: Phrases) -> str:
    """Why a single point moves no peg. With one hole left, that it takes two says more than from where on."""
    if view.sides[side].score + 1 >= view.target:
        return phrases.say("said.need_two")
    return phrases.say("said.single_point", hole=view.no_single_from)


def to_be_coached(view: View) -> ClaimJudged | None:
    """The hand or crib that is closed now and whose whole count is told, with its cards."""
    return next((each for each in view.said if isinstance(each, ClaimJudged) and _is_coached(each, view)), None)


def _told(claim: ClaimJudged, at: int, view: View, phrases: Phrases) -> Iterator[Line]:
    """A call that was compared as soon as the peg was let go: what is pegged of it, and why. That it was too high is
    not told of points that all pass the game hole."""
    events = view.said
    barred = list(takewhile(lambda each: isinstance(each, PointsBarred), events[at + 1 :]))
    caused = events[at + 1 + len(barred) :][:1]
    pegged = next((each.points for each in caused if isinstance(each, Pegged)), 0)
    too_far = any(isinstance(each, PointsBarred) and each.bar is Bar.EXACT_OUT for each in barred)
    if claim.verdict is Verdict.TOO_MANY and (pegged or not too_far):
        yield Weight.VERDICT, phrases.say("said.too_many", points=pegged)
    elif claim.verdict is Verdict.EXACT and _challenged(view) and (pegged or not too_far):
        yield Weight.VERDICT, phrases.say("said.exact")
    score, reasons = _score(claim, pegged, view, phrases)
    yield Weight.SCORE, score
    if claim.verdict is Verdict.TOO_FEW:
        yield Weight.SCORE, phrases.count("said.lost", claim.due - claim.called)
    for line in reasons:
        yield Weight.WHY, line


def _closed(claim: ClaimJudged, view: View, phrases: Phrases) -> Iterator[Line]:
    """A call of a silent game: the peg stood as called until now, and stands so unless somebody challenged it."""
    stands = claim.called
    match claim.verdict:
        case Verdict.TOO_MANY if _challenged(view):
            stands = claim.due
            yield Weight.VERDICT, phrases.say("said.not_so_many", due=claim.due, called=claim.called)
        case Verdict.TOO_MANY:
            yield Weight.VERDICT, phrases.say("said.stands_at", due=claim.due, called=claim.called)
        case Verdict.EXACT if _challenged(view):
            yield Weight.VERDICT, phrases.say("said.exact")
        case Verdict.TOO_FEW if _challenged(view):
            yield Weight.VERDICT, phrases.say("said.stands")
    score, reasons = _score(claim, stands, view, phrases)
    yield Weight.CLOSED, score
    if claim.verdict is Verdict.TOO_FEW and not any(isinstance(each, MugginsRuled) for each in view.said):
        yield Weight.CLOSED, _lost(claim.due - claim.called, view, phrases)
    for line in reasons:
        yield Weight.WHY, line


def _lost(points: int, view: View, phrases: Phrases) -> str:
    rule = cited(_rules(view.rules), Ground.UNDER_CLAIM)
    return phrases.count("said.lost_by", points, rule=rule) if rule else phrases.count("said.lost", points)


def _challenged(view: View) -> bool:
    return any(isinstance(each, ClaimChallenged) for each in view.said)


def _ruled_out(claim: ClaimRuled, view: View, phrases: Phrases) -> Iterator[Line]:
    """A claim that moves no peg: why, and that it counts nothing."""
    side, points = claim.side, claim.points
    if claim.verdict is Verdict.SINGLE_POINT:
        yield Weight.VERDICT, phrases.say("said.single_point", hole=view.no_single_from)
        if view.ask.what in COUNTS and view.ask.side == side:
            yield Weight.PENALTY, phrases.say("hint.count")
            return
    else:
        code = claim.verdict.replace("-", "_")
        yield Weight.VERDICT, phrases.say(f"said.{code}", side=phrases.side(side), points=points)
    if rule := cited(_rules(view.rules), claim.ground):
        yield Weight.PENALTY, phrases.say("said.void", points=points, rule=rule)
    else:
        yield Weight.PENALTY, phrases.say("said.nothing_pegged", points=points)


def _muggins(call: MugginsRuled, view: View, phrases: Phrases) -> Iterator[Line]:
    """How many points were missed, of those that were called; who has them is told by what follows."""
    if call.verdict is Verdict.NOTHING_MISSED:
        yield Weight.VERDICT, phrases.say("said.nothing_missed")
        if not any(isinstance(each, Awarded) for each in view.said):
            yield Weight.PENALTY, phrases.say("said.nothing_pegged", points=call.called)
        return
    if call.verdict is Verdict.EXACT:
        yield Weight.VERDICT, phrases.count("said.muggins", call.missed)
    else:
        code = "muggins_less" if call.verdict is Verdict.TOO_MANY else "muggins_more"
        yield Weight.VERDICT, phrases.say(f"said.{code}", called=call.called, missed=call.missed)
    for line in wrapped([phrases.say(f"why.{each.kind.value}") for each in call.combinations]):
        yield Weight.WHY, line


def _score(claim: ClaimJudged, points: int, view: View, phrases: Phrases) -> tuple[str, Sequence[str]]:
    """What is pegged, with the reason beside it if it can be told in one line, and else the lines below it."""
    values = {"side": phrases.side(claim.side), "points": points}
    if claim.verdict is Verdict.UNVERIFIED:
        return phrases.say("said.points", **values), [phrases.say("said.unverified")]
    if shown := _shown(claim):
        label = phrases.say(f"occasion.{shown[-1].value}")
        return phrases.say("said.scored", why=label, **values), _counted(claim, view, phrases)
    reasons = [phrases.say(f"why.{combination.kind.value}") for combination in claim.combinations]
    line = phrases.say("said.scored", why=", ".join(reasons), **values)
    full = claim.verdict is Verdict.EXACT or (claim.verdict is Verdict.TOO_MANY and points == claim.due)
    if reasons and full and len(line) <= LINE:
        return line, []
    return phrases.say("said.points", **values), wrapped(reasons)


def _is_coached(claim: ClaimJudged, view: View) -> bool:
    """A count that holds points of the play as well is told like any: they are no hand's."""
    a_count = claim.verdict is not Verdict.UNVERIFIED and set(claim.occasions) <= set(OF_SHOW)
    return a_count and view.telling is Telling.COACH and not view.silent


def _shown(claim: ClaimJudged) -> list[Occasion]:
    return [occasion for occasion in claim.occasions if occasion in OF_SHOW]


def _counted(claim: ClaimJudged, view: View, phrases: Phrases) -> tuple[str, ...]:
    """A hand explained: how many points for each kind; to who is coached, step by step with the cards."""
    if _is_coached(claim, view):
        return count_aloud.lines(Score(claim.combinations), phrases)
    return by_kind(claim, phrases)


def by_kind(claim: ClaimJudged, phrases: Phrases) -> tuple[str, ...]:
    """How many points a claim has for each kind of combination."""
    kinds: dict[Kind, list[int]] = {}
    for combination in claim.combinations:
        kinds.setdefault(combination.kind, []).append(combination.points)
    told = [phrases.count(f"counted.{kind.value}", len(points), points=sum(points)) for kind, points in kinds.items()]
    return tuple(wrapped(told))


def _by_rule(line: str, view: View, ground: Ground) -> str:
    """The line, and behind it the rule's number where it has one."""
    rule = cited(_rules(view.rules), ground)
    return f"{line} {rule}" if rule else line


@cache
def _rules(label: str) -> Rules:
    """The rules that a view names."""
    return read_label(label)
