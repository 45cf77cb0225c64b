"""From the latest act to the lines that announce it, the most important first.

What was ruled or scored comes before what was merely done: a card that was laid is on the table for all to see. Tells
nothing that a view does not hold, and so nothing of what is due before its claim is closed (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import takewhile
from typing import TYPE_CHECKING

from cribboard.actions import By
from cribboard.events import (
    Agreed,
    AllPassed,
    Bar,
    BrokenOff,
    CardCut,
    CardLaid,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountEnded,
    CribCardRead,
    CutStands,
    DealBegan,
    DealVoided,
    Event,
    GameWon,
    HandCardShown,
    Occasion,
    PassTakenBack,
    Pegged,
    PegPutBack,
    PlayEnded,
    PointsBarred,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    SaidGo,
    StarterTurned,
    ThreeForLast,
    Undone,
    Verdict,
)
from cribboard.scoring import Combination, Kind
from cribboard.view import Asks, View

if TYPE_CHECKING:
    from cribd.phrases.phrases import Phrases

LINE = 21
_SHOW = (Occasion.HAND, Occasion.CRIB)
_COUNTS = (Asks.COUNT_HAND, Asks.COUNT_CRIB)


class _Weight(IntEnum):
    """How much a line matters; the smaller the number, the sooner it is said."""

    END = 0
    VERDICT = 1
    SCORE = 2
    WHY = 3
    DONE = 4
    ASIDE = 5


def said(view: View, phrases: Phrases) -> tuple[str, ...]:
    """The lines. What was merely done is told only if nothing was ruled or scored, and what came with it not at all."""
    lines = sorted(_lines(view, phrases), key=lambda line: line[0])
    loudest = lines[0][0] if lines else _Weight.ASIDE
    heard = [text for weight, text in lines if weight < _Weight.DONE or weight == loudest]
    return tuple(dict.fromkeys(heard))


def _lines(view: View, phrases: Phrases) -> Iterator[tuple[_Weight, str]]:
    events = view.said
    challenged = any(isinstance(event, ClaimChallenged) for event in events)
    ruled = any(isinstance(event, ClaimRuled) for event in events)
    judged = False
    on_the_board = any(isinstance(event, ClaimJudged | Pegged) for event in events)
    for at, event in enumerate(events):
        match event:
            case ClaimJudged():
                judged = True
                barred = list(takewhile(lambda each: isinstance(each, PointsBarred), events[at + 1 :]))
                caused = events[at + 1 + len(barred) :][:1]
                pegged = next((each.points for each in caused if isinstance(each, Pegged)), 0)
                too_far = any(isinstance(each, PointsBarred) and each.bar is Bar.EXACT_OUT for each in barred)
                if pegged or not too_far:
                    yield from _verdict(event, pegged, phrases, challenged=challenged)
                yield from _judged(event, pegged, phrases)
            case Pegged() if any(isinstance(each, ThreeForLast) for each in events):
                pass  # three is what it says
            case Pegged(side, points, score) if not judged:
                yield _Weight.SCORE, phrases.say("said.moved", side=phrases.side(side), points=points, total=score)
            case ClaimAccepted(_, By.OTHER_SIDE) if not judged:
                yield (
                    (_Weight.VERDICT if challenged else _Weight.DONE),
                    phrases.say("said.stands" if challenged else "said.accepted"),
                )
            case PegPutBack() | ClaimChallenged() if ruled:
                pass
            case ClaimRuled(side, points, Verdict.SINGLE_POINT):
                yield _Weight.VERDICT, phrases.say("said.single_point", hole=view.no_single_from)
                own_count = view.ask.what in _COUNTS and view.ask.side == side
                nothing = phrases.say("hint.count") if own_count else phrases.say("said.nothing_pegged", points=points)
                yield _Weight.SCORE, nothing
            case PointsBarred(_, points, Bar.EXACT_OUT):
                yield _Weight.VERDICT, phrases.say("said.exact_out", points=points)
            case PointsBarred(side):
                yield _Weight.VERDICT, no_single_point(view, side, phrases)
            case AllPassed() if view.count is not None:
                yield _Weight.DONE, phrases.say("said.all_passed")
                yield (_Weight.WHY if on_the_board else _Weight.DONE), phrases.say("hint.goes_on")
            case PegPutBack(side) if challenged:
                yield _Weight.SCORE, phrases.say("said.recount", side=phrases.side(side))
            case Undone():
                what = view.undone and phrases.undone(view.undone)
                yield _Weight.END, phrases.say("said.undone_what", what=what) if what else phrases.say("said.undone")
            case _:
                yield from _plain(event, phrases)


def no_single_point(view: View, side: int, phrases: Phrases) -> str:
    """Why a single point moves no peg. With one hole left, that it takes two says more than from where on."""
    if view.sides[side].score + 1 >= view.target:
        return phrases.say("said.need_two")
    return phrases.say("said.single_point", hole=view.no_single_from)


def _plain(event: Event, phrases: Phrases) -> Iterator[tuple[_Weight, str]]:
    """What is told by itself, whatever else happened."""
    match event:
        case GameWon(side):
            yield _Weight.END, phrases.say("said.won", side=phrases.side(side))
        case ResultFinal():
            yield _Weight.END, phrases.say("said.final")
        case BrokenOff():
            yield _Weight.END, phrases.say("said.broken_off")
        case DealVoided():
            yield _Weight.END, phrases.say("said.misdeal")
        case CutStands():
            yield _Weight.END, phrases.say("said.cut_stands")
        case ThreeForLast(side):
            yield _Weight.VERDICT, phrases.say("said.three_for_last", side=phrases.side(side))
        case ClaimRuled(side, points, verdict):
            values = {"side": phrases.side(side), "points": points}
            yield _Weight.VERDICT, phrases.say(f"said.{verdict.replace('-', '_')}", **values)
            yield _Weight.SCORE, phrases.say("said.nothing_pegged", **values)
        case Reneged(seat, card, count):
            yield _Weight.VERDICT, phrases.say("said.reneged", side=phrases.seat(seat))
            yield _Weight.SCORE, phrases.say("said.would_fit", card=phrases.card(card), count=count)
        case ClaimChallenged(_, by):
            yield _Weight.WHY, phrases.say("said.challenged", side=phrases.side(by))
        case PegPutBack(side):
            yield _Weight.DONE, phrases.say("said.put_back", side=phrases.side(side))
        case QuestionDropped():
            yield _Weight.DONE, phrases.say("said.dropped")
        case CardLaid(seat, card):
            yield _Weight.DONE, phrases.say("said.laid", side=phrases.seat(seat), card=phrases.card(card))
        case SaidGo(seat):
            yield _Weight.DONE, phrases.say("said.go", side=phrases.seat(seat))
        case AllPassed():
            yield _Weight.DONE, phrases.say("said.all_passed")
        case PassTakenBack(seat):
            yield _Weight.DONE, phrases.say("said.pass_taken_back", seat=phrases.seat(seat))
        case CardCut(seat, card):
            yield _Weight.DONE, phrases.say("said.cut", side=phrases.seat(seat), card=phrases.card(card))
        case StarterTurned(card):
            yield _Weight.DONE, phrases.say("said.starter", card=phrases.card(card))
        case HandCardShown(seat, card):
            yield _Weight.DONE, phrases.say("said.hand_card", seat=phrases.seat(seat), card=phrases.card(card))
        case CribCardRead(card):
            yield _Weight.DONE, phrases.say("said.crib_card", card=phrases.card(card))
        case Agreed(side):
            yield _Weight.DONE, phrases.say("said.agreed", side=phrases.side(side))
        case ResultAccepted(side):
            yield _Weight.DONE, phrases.say("said.result", side=phrases.side(side))
        case CountEnded(_, count):
            yield _Weight.ASIDE, phrases.say("said.count_ended", count=count)
        case PlayEnded():
            yield _Weight.ASIDE, phrases.say("said.play_ended")
        case DealBegan(dealer):
            yield _Weight.ASIDE, phrases.say("said.dealer", side=phrases.seat(dealer))
        case _:  # what was begun or only asked: the main line says it
            return


def _verdict(claim: ClaimJudged, pegged: int, phrases: Phrases, *, challenged: bool) -> Iterator[tuple[_Weight, str]]:
    """That a call was too high, or rightly stood by. Not told of points that all pass the game hole."""
    match claim.verdict:
        case Verdict.TOO_MANY:
            yield _Weight.VERDICT, phrases.say("said.too_many", points=pegged)
        case Verdict.EXACT if challenged:
            yield _Weight.VERDICT, phrases.say("said.exact")


def _judged(claim: ClaimJudged, pegged: int, phrases: Phrases) -> Iterator[tuple[_Weight, str]]:
    """A claim that is closed: what was pegged and why."""
    score, reasons = _score(claim, pegged, phrases)
    yield _Weight.SCORE, score
    if claim.verdict is Verdict.TOO_FEW:
        yield _Weight.SCORE, phrases.count("said.lost", claim.due - claim.called)
    for line in reasons:
        yield _Weight.WHY, line


def _score(claim: ClaimJudged, pegged: int, phrases: Phrases) -> tuple[str, list[str]]:
    """What was pegged, with the reason beside it if it can be told in one line, and else the lines below it."""
    values = {"side": phrases.side(claim.side), "points": pegged}
    shown = [occasion for occasion in claim.occasions if occasion in _SHOW]
    if shown:
        label = phrases.say(f"occasion.{shown[-1].value}")
        return phrases.say("said.scored", why=label, **values), _counted(claim.combinations, phrases)
    reasons = [phrases.say(f"why.{combination.kind.value}") for combination in claim.combinations]
    line = phrases.say("said.scored", why=", ".join(reasons), **values)
    if reasons and claim.verdict is not Verdict.TOO_FEW and len(line) <= LINE:
        return line, []
    return phrases.say("said.points", **values), wrapped(reasons)


def _counted(combinations: Sequence[Combination], phrases: Phrases) -> list[str]:
    """A hand explained: how many points for each kind."""
    kinds: dict[Kind, list[int]] = {}
    for combination in combinations:
        kinds.setdefault(combination.kind, []).append(combination.points)
    return wrapped(
        [phrases.count(f"counted.{kind.value}", len(points), points=sum(points)) for kind, points in kinds.items()]
    )


def wrapped(parts: Sequence[str]) -> list[str]:
    """The parts with commas between them, in as few lines as hold them."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= LINE:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
