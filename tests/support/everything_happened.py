"""Every event that a table can cause: see `everything_said`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

from tests.support.moments import BLUE

from cribboard import PACK, Card
from cribboard.actions import (
    By,
    Question,
)
from cribboard.deal.claim_verdicts import GROUNDS
from cribboard.event_terms import OF_SHOW, Bar, Ground, Occasion, Verdict
from cribboard.events import (
    Awarded,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Event,
    MugginsRuled,
    Pegged,
    PegPutBack,
    PegReleased,
    SetBack,
)
from cribboard.scoring import Combination, Kind

POINTS = range(122)

SILENT = {
    "Acted", "CutTied", "CountOpened", "PegTaken", "PegReleased", "DealEnded", "Asked", "ChallengeRaised",
    "MugginsTaken",
}  # fmt: skip
"""Events that the main line or another event tells."""

_VERDICTS = {
    ClaimRuled: (Verdict.OUT_OF_TURN, Verdict.TOO_LATE, Verdict.IMPOSSIBLE, Verdict.SINGLE_POINT),
    MugginsRuled: (Verdict.EXACT, Verdict.TOO_MANY, Verdict.TOO_FEW, Verdict.NOTHING_MISSED),
}
_GROUNDS: dict[object, Ground] = {
    Verdict.OUT_OF_TURN: Ground.ORDER, Verdict.TOO_LATE: Ground.LATE_CLAIM, Verdict.NOTHING_MISSED: Ground.WRONG_CALL,
    SetBack: Ground.FALSE_GAME, Awarded: Ground.OVER_CLAIM,
}  # fmt: skip


def every_event(players: int = 2, sides: int = 2) -> Iterator[tuple[Event, ...]]:
    """Each event alone with each of its values."""
    for kind in get_args(Event):
        if kind.__name__ in SILENT | {"ClaimJudged", "Undone"}:
            continue
        for value in POINTS:
            seat, side = value % players, value % sides
            given: dict[str, Any] = {
                "seat": seat, "side": side, "by": (side + 1) % sides, "dealer": seat, "last": seat, "seats": (seat,),
                "card": PACK[value % 52], "count": value % 32, "points": value, "score": value,
                "question": Question.UNDO, "bar": list(Bar)[value % 2], "back": value, "occasion": Occasion.HAND,
                "against": side, "called": 1 + value % 29, "missed": 1 + value % 29, "combinations": (),
            }  # fmt: skip
            if kind is ClaimAccepted:
                given["by"] = By.OTHER_SIDE
            if kind is Awarded:
                given["points"] = 1 + value % 29
            for verdict in _VERDICTS.get(kind, (Verdict.EXACT,)):
                ground = _GROUNDS.get(kind, _GROUNDS.get(verdict, Ground.MUGGINS))
                values = given | {"verdict": verdict, "ground": ground}
                yield (kind(**{field.name: values[field.name] for field in fields(kind)}),)


HEARTS = Card.parse_many("5H 6H 7H")
KINDS = {
    Kind.FIFTEEN: 2, Kind.PAIR: 2, Kind.RUN: 7, Kind.FLUSH: 5, Kind.NOBS: 1, Kind.THIRTY_ONE: 2, Kind.PAIR_ROYAL: 6,
    Kind.DOUBLE_PAIR_ROYAL: 12, Kind.GO: 1, Kind.LAST_CARD: 1, Kind.HEELS: 2,
}  # fmt: skip
OF_THE_PLAY = [kind for kind in KINDS if kind not in (Kind.FLUSH, Kind.NOBS)]
OF_A_HAND = (Kind.FIFTEEN, Kind.PAIR, Kind.RUN, Kind.FLUSH, Kind.NOBS)


def judged(
    verdict: Verdict,
    *kinds: Kind,
    occasion: Occasion = Occasion.CARD,
    side: int = BLUE,
    called: int = 12,
    pegged: int = 12,
) -> tuple[Event, ...]:
    combinations = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in kinds)
    due = {Verdict.EXACT: called, Verdict.TOO_MANY: pegged}.get(verdict, called + 29)
    claim = ClaimJudged(side, (occasion,), verdict, called, due, combinations, GROUNDS[verdict])
    return (PegReleased(side, called, By.OWNER), claim, *([Pegged(side, pegged, 121)] if pegged else []))


def every_judgement(sides: int) -> Iterator[tuple[Event, ...]]:
    for side in range(sides):
        other = (side + 1) % sides
        for verdict in (Verdict.EXACT, Verdict.TOO_MANY, Verdict.TOO_FEW):
            for pegged in range(30):
                yield judged(verdict, Kind.FIFTEEN, side=side, called=pegged, pegged=pegged)
            for first in KINDS:
                yield judged(verdict, *[first] * 8, occasion=Occasion.HAND, side=side)
            for first in OF_THE_PLAY:
                yield judged(verdict, first, side=side)
                for second in OF_THE_PLAY:
                    yield judged(verdict, first, second, Kind.LAST_CARD, side=side, pegged=13)
            hand = [kind for kind in OF_A_HAND for _ in range(8)]
            for occasion in (Occasion.HAND, Occasion.CRIB):
                yield judged(verdict, *hand, occasion=occasion, side=side)
                yield judged(verdict, occasion=occasion, side=side, called=0, pegged=0)
        yield (ClaimChallenged(side, other), *judged(Verdict.EXACT, Kind.RUN))
        yield (ClaimChallenged(side, other), ClaimAccepted(side, By.OTHER_SIDE))
        yield (ClaimChallenged(side, other), PegPutBack(side))


def every_closing(sides: int) -> Iterator[tuple[Event, ...]]:
    """How the calls of a silent game are closed, with and without a challenge, and the costs."""
    for side in range(sides):
        other = (side + 1) % sides
        for called, due in ((29, 29), (29, 24), (24, 29), (2, 1), (1, 2), (0, 29), (0, 0)):
            verdict = Verdict.EXACT if called == due else Verdict.TOO_MANY if called > due else Verdict.TOO_FEW
            for occasion in Occasion:
                for kinds in ((), (Kind.FIFTEEN,), tuple(OF_A_HAND if occasion in OF_SHOW else OF_THE_PLAY)):
                    combinations = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in kinds)
                    judged = ClaimJudged(side, (occasion,), verdict, called, due, combinations, GROUNDS[verdict])
                    yield (judged, ClaimAccepted(side, By.OTHER_SIDE))
                    yield (ClaimChallenged(side, other), judged, ClaimAccepted(side, By.OTHER_SIDE))
        unknown = ClaimJudged(side, (Occasion.CARD,), Verdict.UNVERIFIED, 29, 29, (), Ground.UNREAD)
        yield (unknown, ClaimAccepted(side, By.NEXT_CARD))
        late = ClaimRuled(side, 3, Verdict.TOO_LATE, Ground.MUGGINS)
        yield (ChallengeWithdrawn(side), late)
        reasons = tuple(Combination(kind, HEARTS, KINDS[kind]) for kind in OF_THE_PLAY)
        for verdict in _VERDICTS[MugginsRuled]:
            yield (MugginsRuled(other, side, 29, 29, verdict, reasons, Ground.MUGGINS),)
        for award in ((), (Awarded(side, 29, Ground.WRONG_CALL),)):
            yield (MugginsRuled(other, side, 29, 0, Verdict.NOTHING_MISSED, (), Ground.WRONG_CALL), *award)
