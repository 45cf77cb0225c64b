"""The lines of an act for the screen, the most important first; they are worded in `events` and `verdicts`.

What was ruled or scored comes before what was merely done: everybody sees a card that was laid. Pure: says nothing that
a view does not hold, and so nothing of what is due before its claim is closed (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.actions import By
from cribboard.cards import Rank
from cribboard.events import (
    Agreed,
    AllPassed,
    Awarded,
    BrokenOff,
    CardCut,
    CardDead,
    CardLaid,
    CardUnread,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountEnded,
    CountUnverified,
    CribCardRead,
    CutStands,
    DealBegan,
    DealVoided,
    Event,
    GameWon,
    HandCardShown,
    PassTakenBack,
    Pegged,
    PegPutBack,
    PegReleased,
    PlayEnded,
    PointsBarred,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    RolledBack,
    SaidGo,
    StarterTurned,
    StarterUnread,
    ThreeForLast,
    Undone,
    Verdict,
)
from cribboard.rules import Renege, Telling, Way, read_label
from cribboard.scoring import Score
from cribboard.view import Asks, View
from cribd.text import count_aloud, verdicts
from cribd.text.events import event_in_words, moved_in_words, undone_in_words
from cribd.text.lines import Line, Weight
from cribd.text.words import Words

#: How much an event matters that is told whatever else happened. The main line says all that is not here: what was
#: begun, or only asked.
_WEIGHTS: dict[type[Event], Weight] = {
    GameWon: Weight.END,
    ResultFinal: Weight.END,
    BrokenOff: Weight.END,
    DealVoided: Weight.END,
    CutStands: Weight.END,
    RolledBack: Weight.END,
    ThreeForLast: Weight.VERDICT,
    CardDead: Weight.VERDICT,
    CountUnverified: Weight.VERDICT,
    ClaimChallenged: Weight.WHY,
    PegPutBack: Weight.DONE,
    QuestionDropped: Weight.DONE,
    CardLaid: Weight.DONE,
    SaidGo: Weight.DONE,
    AllPassed: Weight.DONE,
    PassTakenBack: Weight.DONE,
    CardCut: Weight.DONE,
    StarterUnread: Weight.DONE,
    CardUnread: Weight.DONE,
    ChallengeWithdrawn: Weight.DONE,
    StarterTurned: Weight.DONE,
    HandCardShown: Weight.DONE,
    CribCardRead: Weight.DONE,
    Agreed: Weight.DONE,
    ResultAccepted: Weight.DONE,
    CountEnded: Weight.ASIDE,
    PlayEnded: Weight.ASIDE,
    DealBegan: Weight.ASIDE,
}

#: Where the board helps those who call: what there is to look for, and who scores a go.
HELPED = (Telling.GUEST, Telling.COACH)


def said(view: View, words: Words) -> tuple[str, ...]:
    """The lines. What was merely done is told only if nothing was ruled or scored, and what came with it not at all."""
    lines = sorted(weighed(view, words), key=lambda line: line[0])
    loudest = lines[0][0] if lines else Weight.ASIDE
    heard = [text for weight, text in lines if weight < Weight.DONE or weight == loudest]
    return tuple(dict.fromkeys(heard))


def reasons(view: View, words: Words) -> frozenset[str]:
    """Those of the lines that say what points are for. Where one is left out the others do not add up."""
    return frozenset(text for weight, text in weighed(view, words) if weight is Weight.WHY)


@dataclass(frozen=True, slots=True)
class Coached:
    """A whole count: what was `said` of it; its `steps` one by one; `in_short` those of the same ranks as one; and
    `by_kind` how many points there are of each. `exact` is whether it was called right."""

    said: tuple[str, ...]
    steps: tuple[str, ...]
    in_short: tuple[str, ...]
    by_kind: tuple[str, ...]
    exact: bool


def coached(view: View, words: Words) -> Coached | None:
    """The count of a hand or crib that is told whole, if one was just closed."""
    if (claim := verdicts.to_be_coached(view)) is None:
        return None
    score = Score(claim.combinations)
    steps = count_aloud.lines(score, words)
    return Coached(
        said=tuple(line for line in said(view, words) if line not in steps),
        steps=steps,
        in_short=count_aloud.lines_in_short(score, words),
        by_kind=count_aloud.by_kind(claim.combinations, words),
        exact=claim.verdict is Verdict.EXACT,
    )


def weighed(view: View, words: Words) -> Iterator[Line]:
    """Every line of what was just done, in its order, each with its weight."""
    events = view.said
    challenged = any(isinstance(event, ClaimChallenged) for event in events)
    ruled_out = any(isinstance(event, ClaimRuled) for event in events)
    told = not view.silent and any(isinstance(event, ClaimJudged) for event in events)
    closed = {event.side for event in events if isinstance(event, ClaimJudged)}
    on_the_board = any(isinstance(event, ClaimJudged | Pegged) for event in events)
    for at, event in enumerate(events):
        if (lines := verdicts.lines(event, at, view, words)) is not None:
            yield from lines
            continue
        match event:
            case Pegged() if told or isinstance(events[at - 1], Awarded | ThreeForLast):
                pass  # what comes before it says so
            case Pegged(side, points, score):
                yield Weight.SCORE, moved_in_words(side, points, score, words)
            case PegReleased(side, 0) if view.silent and side not in closed:  # of points the peg that moved tells
                yield Weight.SCORE, moved_in_words(side, 0, view.sides[side].score, words)
            case StarterTurned() if line := heels(event, view, words):
                yield Weight.SCORE, line
            case ClaimAccepted(_, By.OTHER_SIDE | By.CHALLENGE) if challenged and not closed:
                yield Weight.VERDICT, words.say("said.stands")
            case ClaimAccepted(_, By.OTHER_SIDE) if not closed:
                yield Weight.DONE, event_in_words(event, words)
            case PegPutBack() | ClaimChallenged() | ChallengeWithdrawn() if ruled_out:
                pass
            case PointsBarred():
                yield Weight.VERDICT, verdicts.barred_line(event, view, words)
            case AllPassed() if view.count is not None:
                yield Weight.DONE, event_in_words(event, words)
                yield (Weight.WHY if on_the_board else Weight.DONE), words.say("hint.goes_on")
            case PegPutBack(side) if challenged:
                yield Weight.SCORE, words.say("said.recount", side=words.side(side))
            case Reneged():
                yield from _false_go(event, view, words)
            case SaidGo() if view.telling in HELPED and view.way is Way.VERIFY and not view.silent:
                yield Weight.DONE, event_in_words(event, words)
                yield from _who_scores_the_go(view, words)
            case DealBegan() if view.ask.what is Asks.PEG:
                pass  # the main line names the dealer, and below it stands how the deal ends
            case Undone():
                what = view.undone and undone_in_words(view.undone, words)
                yield Weight.END, words.say("said.undone_what", what=what) if what else words.say("said.undone")
            case _ if (weight := _WEIGHTS.get(type(event))) is not None:
                yield weight, event_in_words(event, words)


def heels(event: StarterTurned, view: View, words: Words) -> str:
    """That the starter scores for the dealer, while the board may say so before anybody has: the count is the dealer's
    to call. Where the board counts it tells the points. "" of any other starter."""
    points = read_label(view.rules).deal_and_play.his_heels
    if event.card.rank is not Rank.JACK or not points or view.way is not Way.VERIFY or view.silent:
        return ""
    return "" if view.dealer_side is None else words.say("said.heels", side=words.side(view.dealer_side))


def _false_go(event: Reneged, view: View, words: Words) -> Iterator[Line]:
    """A false go: the way back, while the players may agree on it; else its rule has been followed already."""
    values = {"card": words.card(event.card), "count": event.count}
    if view.may_roll_back and read_label(view.rules).claims.renege is Renege.REFUSE:
        yield Weight.VERDICT, words.say("said.false_go", **values)
        yield Weight.SCORE, words.say("hint.roll_back")
    else:
        yield Weight.VERDICT, event_in_words(event, words)
        yield Weight.SCORE, words.say("said.would_fit", **values)


def _who_scores_the_go(view: View, words: Words) -> Iterator[Line]:
    """Who pegs for a go: the side that laid last, once nobody lays another card. All of it lies open on the table; of a
    card that could not be read nobody knows."""
    points = read_label(view.rules).deal_and_play.go
    if not points or any(laid.card is None for laid in view.laid):
        return
    ended = next((event for event in view.said if isinstance(event, CountEnded)), None)
    if ended is None:
        yield Weight.DONE, words.say("said.go_open", points=points)
        return
    side = ended.last % len(view.sides)
    if points > 1 or not view.sides[side].barred:
        yield Weight.SCORE, words.say("said.go_due", side=words.side(side), points=points)
