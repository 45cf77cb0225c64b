"""What happened, in plain English sentences for a player: made from the events and from what the table was asked.

The screen's own short lines are the business of `cribd.phrases`; this is the longer telling of `docs/playing.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.actions import By, Question
from cribboard.events import (
    Asked,
    BrokenOff,
    CardCut,
    CardLaid,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountEnded,
    CountOpened,
    CribCardRead,
    CutTied,
    DealBegan,
    DealEnded,
    DealVoided,
    Doubt,
    Event,
    GameWon,
    Occasion,
    Pegged,
    PegPutBack,
    PegReleased,
    PegTaken,
    PlayEnded,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    SaidGo,
    StarterTurned,
    Timing,
    Undone,
    Verdict,
)
from cribd.interpret import Answer, AskInstead, LeaveMenu, OpenMenu, Resume, StartGame, StepMenu, TakeLine
from cribd.showing import Line, Lobby, Showing
from cribd.workshop.playing.presses import SIDES, card_in_words

#: A refusal says itself why, on the screen; what matters here is that the game is as it was.
NOTHING = "Nothing changes."


def happened(answers: Sequence[Answer | None], events: Sequence[Event], before: Showing, after: Showing) -> str:
    """All that a press came to."""
    told = [text for answer in answers if (text := _of_the_table(answer, before))]
    told += _events(events)
    if after.refusal is not None and told:
        told.append("The other press changes nothing.")
    return " ".join(told) or NOTHING


def _of_the_table(answer: Answer | None, before: Showing) -> str:
    match answer:
        case OpenMenu():
            return "The menu opens at its first line."
        case StepMenu():
            return "The next line."
        case LeaveMenu():
            return "The menu closes."
        case TakeLine(taken) if taken.line not in (Line.MISDEAL, Line.BREAK_OFF):
            return "It is so from now on, and the line shows the next choice."
        case TakeLine():
            return "The menu closes."
        case Resume():
            return "The game goes on where it stood."
        case AskInstead(Lobby.RESUME):
            return "The board asks about the unfinished game again."
        case AskInstead():
            return "The board asks whether to begin a new game. The unfinished one is still there."
        case StartGame() if before.lobby is Lobby.START and before.view is not None:
            return "The old game is kept as broken off, and a new one begins."
        case StartGame():
            return "A game begins."
        case _:
            return ""


def _events(events: Sequence[Event]) -> Iterator[str]:
    said_by_nobody = {By.NEXT_CARD, By.NEXT_COUNT, By.BOARD}
    called_by_board = any(isinstance(event, PegReleased) and event.by is By.BOARD for event in events)
    challenged = any(isinstance(event, ClaimChallenged) for event in events)
    for number, event in enumerate(events):
        later = events[number + 1 :]
        match event:
            case PegReleased() if any(isinstance(each, ClaimJudged | Pegged) for each in later):
                continue  # what it came to says so
            case PegTaken() if any(isinstance(each, PegReleased) for each in later):
                continue
            case ClaimJudged() if called_by_board:
                continue
            case ClaimAccepted(by=by) if by in said_by_nobody or challenged or called_by_board:
                continue
        if text := _event(event):
            yield text


def _event(event: Event) -> str:
    match event:
        case CardCut(seat, card):
            return f"{_side(seat)} cuts the {card_in_words(card)}."
        case CutTied():
            return "The cuts are equal: both cut again."
        case DealBegan(dealer):
            return f"{_side(dealer)} deals: the dealer’s lamp burns there."
        case StarterTurned(card):
            return f"The {card_in_words(card)} is the starter."
        case CardLaid(seat, card, count):
            return f"{_side(seat)} lays the {card_in_words(card)}: {count}."
        case SaidGo(seat):
            return f"{_side(seat)} says go."
        case Reneged(seat, card, count):
            return f"The board says that {SIDES[seat]} could have laid the {card_in_words(card)} at {count}."
        case CountEnded(_, count):
            return f"The count ends at {count}."
        case PlayEnded():
            return "The play is over."
        case CountOpened(seat, occasion):
            what = "crib" if occasion is Occasion.CRIB else "hand"
            return f"{_side(seat)}’s {what} is to be counted."
        case CribCardRead(card):
            return f"The {card_in_words(card)} is in the crib."
        case DealEnded():
            return "The deal is over."
        case DealVoided():
            return "The deal is void; what it pegged comes back."
        case GameWon(side):
            return f"{_side(side)} wins: the track runs with light."
        case ResultAccepted(side):
            return f"{_side(side)} agrees to the result."
        case ResultFinal():
            return "The result is final."
        case Asked(side, question):
            other = SIDES[1 - side]
            wish = {
                Question.UNDO: "take back the last act",
                Question.MISDEAL: "deal again",
                Question.BREAK_OFF: "stop the game",
            }[question]
            return f"The board asks {other} whether to {wish}."
        case QuestionDropped():
            return "What was asked is asked no more."
        case Undone():
            return "The last act is taken back."
        case BrokenOff():
            return "The game is kept as broken off."
        case _:
            return _claim(event)


def _claim(event: Event) -> str:
    match event:
        case PegTaken(side, 0):
            return f"{_side(side)} has a zero in hand."
        case PegTaken(side, points, doubt, timing):
            asks = {Doubt.NINETEEN: ", and the board asks whether 19 means zero", Doubt.NONE: ""}
            late = f", late: the board asks {SIDES[1 - side]}" if timing is Timing.LATE else ""
            far = ", and the board asks for the same hole again"
            return f"{_side(side)}’s peg is in hand, {points} ahead: the hole blinks{asks.get(doubt, far)}{late}."
        case PegPutBack(side):
            return f"{_side(side)}’s peg goes back."
        case PegReleased(side, points):
            return f"{_side(side)}’s {points or 'zero'} is let go."
        case ClaimJudged(side, _, verdict, called, due):
            match verdict:
                case Verdict.EXACT:
                    return f"{_side(side)}’s {called or 'zero'} is exact."
                case Verdict.TOO_MANY:
                    return f"{_side(side)}’s {called} is too many: {due} is the truth."
                case _:
                    return f"{_side(side)}’s {called or 'zero'} is too few of {due}: the rest is lost."
        case ClaimRuled(side, points, verdict):
            ruled = {Verdict.OUT_OF_TURN: "out of turn", Verdict.TOO_LATE: "too late"}.get(verdict, "impossible")
            return f"{_side(side)}’s {points} is {ruled}: no peg moves, and the record keeps it."
        case Pegged(side, points, score):
            return f"{_side(side)} pegs {points} and stands at {score}."
        case ClaimChallenged(_, by):
            return f"{_side(by)} challenges."
        case ClaimAccepted(_, By.OTHER_SIDE):
            return "It is accepted."
        case _:
            return ""


def _side(side: int) -> str:
    return SIDES[side].capitalize()
