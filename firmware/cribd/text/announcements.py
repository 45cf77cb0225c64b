"""From the latest act to the lines that announce it, the most important first.

What was ruled or scored comes before what was merely done: a card that was laid is on the table for all to see. Tells
nothing that a view does not hold, and so nothing of what is due before its claim is closed (design law 9). How a claim
was judged, or ruled, is told by `ruling`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cribboard.actions import By
from cribboard.cards import Card, Rank
from cribboard.events import (
    Agreed,
    AllPassed,
    Awarded,
    Bar,
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
from cribd.text import count_aloud
from cribd.text.verdicts import Line, Weight, by_kind, no_single_point, ruled, to_be_coached

if TYPE_CHECKING:
    from cribd.text.phrases import Phrases

#: Where the board helps those who call: what there is to look for, and who scores a go.
HELPED = (Telling.GUEST, Telling.COACH)


def said(view: View, phrases: Phrases) -> tuple[str, ...]:
    """The lines. What was merely done is told only if nothing was ruled or scored, and what came with it not at all."""
    lines = sorted(weighed(view, phrases), key=lambda line: line[0])
    loudest = lines[0][0] if lines else Weight.ASIDE
    heard = [text for weight, text in lines if weight < Weight.DONE or weight == loudest]
    return tuple(dict.fromkeys(heard))


def reasons(view: View, phrases: Phrases) -> frozenset[str]:
    """Those of the lines that say what points are for. Where one is left out the others do not add up."""
    return frozenset(text for weight, text in weighed(view, phrases) if weight is Weight.WHY)


@dataclass(frozen=True, slots=True)
class Coached:
    """A whole count: what was `said` of it; its `steps` one by one; `in_short` those of the same ranks as one; and
    `by_kind` how many points there are of each."""

    said: tuple[str, ...]
    steps: tuple[str, ...]
    in_short: tuple[str, ...]
    by_kind: tuple[str, ...]
    exact: bool


def coached(view: View, phrases: Phrases) -> Coached | None:
    """The count of a hand or crib that is told whole, if one was just closed."""
    if (claim := to_be_coached(view)) is None:
        return None
    score = Score(claim.combinations)
    steps = count_aloud.lines(score, phrases)
    return Coached(
        said=tuple(line for line in said(view, phrases) if line not in steps),
        steps=steps,
        in_short=count_aloud.lines_in_short(score, phrases),
        by_kind=by_kind(claim, phrases),
        exact=claim.verdict is Verdict.EXACT,
    )


def weighed(view: View, phrases: Phrases) -> Iterator[Line]:
    """Every line of what was just done, in its order, each with its weight."""
    events = view.said
    challenged = any(isinstance(event, ClaimChallenged) for event in events)
    ruled_out = any(isinstance(event, ClaimRuled) for event in events)
    told = not view.silent and any(isinstance(event, ClaimJudged) for event in events)
    closed = {event.side for event in events if isinstance(event, ClaimJudged)}
    on_the_board = any(isinstance(event, ClaimJudged | Pegged) for event in events)
    for at, event in enumerate(events):
        if (lines := ruled(event, at, view, phrases)) is not None:
            yield from lines
            continue
        match event:
            case Pegged() if told or isinstance(events[at - 1], Awarded | ThreeForLast):
                pass  # what comes before it says so
            case Pegged(side, points, score):
                yield Weight.SCORE, phrases.say("said.moved", side=phrases.side(side), points=points, total=score)
            case PegReleased(side, 0) if view.silent and side not in closed:  # of points the peg that moved tells
                total = view.sides[side].score
                yield Weight.SCORE, phrases.say("said.moved", side=phrases.side(side), points=0, total=total)
            case StarterTurned(card) if view.dealer_side is not None and are_heels(card, view):
                yield Weight.SCORE, phrases.say("said.heels", side=phrases.side(view.dealer_side))
            case ClaimAccepted(_, By.OTHER_SIDE | By.CHALLENGE) if challenged and not closed:
                yield Weight.VERDICT, phrases.say("said.stands")
            case ClaimAccepted(_, By.OTHER_SIDE) if not closed:
                yield Weight.DONE, phrases.say("said.accepted")
            case PegPutBack() | ClaimChallenged() | ChallengeWithdrawn() if ruled_out:
                pass
            case PointsBarred(_, points, Bar.EXACT_OUT):
                yield Weight.VERDICT, phrases.say("said.exact_out", points=points)
            case PointsBarred(side):
                yield Weight.VERDICT, no_single_point(view, side, phrases)
            case AllPassed() if view.count is not None:
                yield Weight.DONE, phrases.say("said.all_passed")
                yield (Weight.WHY if on_the_board else Weight.DONE), phrases.say("hint.goes_on")
            case PegPutBack(side) if challenged:
                yield Weight.SCORE, phrases.say("said.recount", side=phrases.side(side))
            case Reneged(_, card, count) if _may_go_back(view):
                yield Weight.VERDICT, phrases.say("said.false_go", card=phrases.card(card), count=count)
                yield Weight.SCORE, phrases.say("hint.roll_back")
            case SaidGo(seat) if view.telling in HELPED and view.way is Way.VERIFY and not view.silent:
                yield Weight.DONE, phrases.say("said.go", side=phrases.seat(seat))
                yield from _who_scores_the_go(view, phrases)
            case DealBegan() if view.ask.what is Asks.PEG:
                pass  # the main line names the dealer, and below it stands how the deal ends
            case Undone():
                what = view.undone and phrases.undone(view.undone)
                yield Weight.END, phrases.say("said.undone_what", what=what) if what else phrases.say("said.undone")
            case _:
                yield from _plain(event, phrases)


def are_heels(card: Card, view: View) -> bool:
    """Whether the starter scores for the dealer, and the board may say so before anybody has: the count is the dealer's
    to call. Where the board counts it tells the points."""
    worth = read_label(view.rules).deal_and_play.his_heels
    return card.rank is Rank.JACK and worth > 0 and view.way is Way.VERIFY and not view.silent


def _who_scores_the_go(view: View, phrases: Phrases) -> Iterator[Line]:
    """Who pegs for a go: the side that laid last, once nobody lays another card. All of it lies open on the table; of a
    card that could not be read nobody knows."""
    points = read_label(view.rules).deal_and_play.go
    if not points or any(laid.card is None for laid in view.laid):
        return
    ended = next((event for event in view.said if isinstance(event, CountEnded)), None)
    if ended is None:
        yield Weight.DONE, phrases.say("said.go_open", points=points)
        return
    side = ended.last % len(view.sides)
    if points > 1 or not view.sides[side].barred:
        yield Weight.SCORE, phrases.say("said.go_due", side=phrases.side(side), points=points)


def _may_go_back(view: View) -> bool:
    """Whether the players may agree to go back to a false go; else its rule has been followed already."""
    return view.may_roll_back and read_label(view.rules).claims.renege is Renege.REFUSE


def _plain(event: Event, phrases: Phrases) -> Iterator[Line]:
    """What is told by itself, whatever else happened."""
    match event:
        case GameWon(side):
            yield Weight.END, phrases.say("said.won", side=phrases.side(side))
        case ResultFinal():
            yield Weight.END, phrases.say("said.final")
        case BrokenOff():
            yield Weight.END, phrases.say("said.broken_off")
        case DealVoided():
            yield Weight.END, phrases.say("said.misdeal")
        case CutStands():
            yield Weight.END, phrases.say("said.cut_stands")
        case ThreeForLast(side):
            yield Weight.VERDICT, phrases.say("said.three_for_last", side=phrases.side(side))
        case RolledBack(seat):
            yield Weight.END, phrases.say("said.rolled_back", seat=phrases.seat(seat))
        case CardDead(_, card):
            yield Weight.VERDICT, phrases.say("said.dead", card=phrases.card(card))
        case CountUnverified(seat):
            yield Weight.VERDICT, phrases.say("said.not_verified", seat=phrases.seat(seat))
        case Reneged(seat, card, count):
            yield Weight.VERDICT, phrases.say("said.reneged", side=phrases.seat(seat))
            yield Weight.SCORE, phrases.say("said.would_fit", card=phrases.card(card), count=count)
        case ClaimChallenged(_, by):
            yield Weight.WHY, phrases.say("said.challenged", side=phrases.side(by))
        case PegPutBack(side):
            yield Weight.DONE, phrases.say("said.put_back", side=phrases.side(side))
        case QuestionDropped():
            yield Weight.DONE, phrases.say("said.dropped")
        case CardLaid(seat, card):
            yield Weight.DONE, phrases.say("said.laid", side=phrases.seat(seat), card=phrases.card(card))
        case SaidGo(seat):
            yield Weight.DONE, phrases.say("said.go", side=phrases.seat(seat))
        case AllPassed():
            yield Weight.DONE, phrases.say("said.all_passed")
        case PassTakenBack(seat):
            yield Weight.DONE, phrases.say("said.pass_taken_back", seat=phrases.seat(seat))
        case CardCut(seat, card):
            yield Weight.DONE, phrases.say("said.cut", side=phrases.seat(seat), card=phrases.card(card))
        case StarterUnread():
            yield Weight.DONE, phrases.say("said.starter_unread")
        case CardUnread(seat):
            yield Weight.DONE, phrases.say("said.unread", seat=phrases.seat(seat))
        case ChallengeWithdrawn(by):
            yield Weight.DONE, phrases.say("said.withdrawn", side=phrases.side(by))
        case StarterTurned(card):
            yield Weight.DONE, phrases.say("said.starter", card=phrases.card(card))
        case HandCardShown(seat, card):
            yield Weight.DONE, phrases.say("said.hand_card", seat=phrases.seat(seat), card=phrases.card(card))
        case CribCardRead(card):
            yield Weight.DONE, phrases.say("said.crib_card", card=phrases.card(card))
        case Agreed(side):
            yield Weight.DONE, phrases.say("said.agreed", side=phrases.side(side))
        case ResultAccepted(side):
            yield Weight.DONE, phrases.say("said.result", side=phrases.side(side))
        case CountEnded(_, count):
            yield Weight.ASIDE, phrases.say("said.count_ended", count=count)
        case PlayEnded():
            yield Weight.ASIDE, phrases.say("said.play_ended")
        case DealBegan(dealer):
            yield Weight.ASIDE, phrases.say("said.dealer", side=phrases.seat(dealer))
        case _:  # what was begun or only asked: the main line says it
            return
