"""Words the board's answer to a press, in English sentences for `docs/playing.md`.

It reads what the table made of the press, the events of the game, and the snapshots before and after. The short lines
of the screen are in `cribd.text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tools.playing.steps import SIDES, card_in_words

from cribboard import events
from cribboard.actions import By, Question
from cribboard.event_terms import Bar, Doubt, Ground, Occasion, Timing, Verdict
from cribboard.events import Event
from cribboard.rules import cited, read_label
from cribboard.view import View
from cribd.table.commands import (
    Answer,
    AskInstead,
    Judge,
    LeaveMenu,
    Look,
    NameSeat,
    OfficialCame,
    OpenMenu,
    Resume,
    StartGame,
    StepMenu,
    TakeLine,
)
from cribd.table.snapshot import Called, Judging, Line, Lobby, Snapshot
from cribd.text import load as phrases_in

#: The screen says why; the game is as it was.
NOTHING = "Nothing changes."

_ASIDE = (Line.MISDEAL, Line.EXPOSED_CUT, Line.UNREAD, Line.ROLL_BACK, Line.BREAK_OFF)
_WISHES = {
    Question.UNDO: "take back the last act",
    Question.MISDEAL: "deal again",
    Question.EXPOSED_CUT: "deal again, for a card was seen",
    Question.BREAK_OFF: "stop the game",
    Question.ROLL_BACK: "go back to the false go",
}


def answer_text(answers: Sequence[Answer | None], caused: Sequence[Event], before: Snapshot, after: Snapshot) -> str:
    """The whole answer: `caused` are the events, `before` and `after` what the table showed."""
    names = Names.at(after.view)
    told = [text for answer in answers if (text := _of_the_table(answer, before, names))]
    told += _Sentences(names, before, after).of(caused)
    if after.refusal is not None and told:
        told.append("The other press changes nothing.")
    return " ".join(told) or NOTHING


@dataclass(frozen=True, slots=True)
class Names:
    """Who is who at a table of so many: a seat has its side’s name, and with partners a number."""

    players: int = 2
    sides: int = 2

    @classmethod
    def at(cls, view: View | None) -> Names:
        return cls() if view is None else cls(view.players, len(view.sides))

    def seat(self, seat: int) -> str:
        if self.players == self.sides:
            return _side(seat)
        return f"{_side(seat % self.sides)} {seat // self.sides + 1}"


def _of_the_table(answer: Answer | None, before: Snapshot, names: Names) -> str:
    match answer:
        case OpenMenu():
            return "The menu opens at its first line."
        case StepMenu():
            return "The next line."
        case LeaveMenu():
            return "The menu closes."
        case TakeLine(taken) if taken.line in _ASIDE:
            return "The menu closes."
        case TakeLine(taken) if taken.line is Line.NEW_MATCH:
            return "The menu closes, and the next game starts a new match."
        case TakeLine(taken) if taken.line is Line.OFFICIAL:
            return "The menu closes, and the game waits for an official."
        case OfficialCame():
            return "The official is here: the game goes on."
        case TakeLine(taken) if "because" in taken.values:
            return ""
        case TakeLine(taken) if taken.line is Line.JUDGE:
            return "The count judge opens." if before.lobby is not None else "The count judge opens. The game waits."
        case TakeLine(taken) if taken.line is Line.LOOK_BACK:
            return "The look back opens where the game stands. The game waits."
        case Look(None):
            return "The look back ends, and the board shows the game as it is."
        case Look(back) if back is not None:
            return f"Lights and screen show the game after event {back.at} of {back.acts.last}."
        case Judge(None):
            return "The count judge closes, and the board shows what it showed before."
        case Judge(now) if now is not None and before.judging is not None:
            return _judged(before.judging, now)
        case TakeLine():
            return "It is so from now on, and the line shows the next choice."
        case NameSeat(None):
            return "Nobody is named."
        case NameSeat(int(seat)):
            return f"The board asks whether {names.seat(seat)} deals."
        case Resume():
            return "The game goes on where it stood."
        case AskInstead(Lobby.RESUME):
            return "The board asks about the unfinished game again."
        case AskInstead():
            return "The board asks whether to begin a new game. The unfinished one is still there."
        case StartGame() if before.lobby is Lobby.START and before.view is not None:
            return "The old game is kept as broken off, and a new one begins."
        case StartGame() if before.ends:
            return "The first game of a new match begins."
        case StartGame():
            return "A game begins."
        case _:
            return ""


def _judged(before: Judging, now: Judging) -> str:
    """What the count judge made of a press or a scan."""
    had, has = before.judge, now.judge
    if now.rules != before.rules:
        again = " Its cards are too many, so all are scanned again." if had.cards and not has.cards else ""
        return f"The cards are counted by the rules *{now.rules.title}*.{again}"
    if has.counted is not had.counted:
        return f"The next cards are a {has.counted}." if not has.cards else f"The cards are counted as a {has.counted}."
    if now.called is not None and now.called == before.called:
        return "The screen shows more of it."
    if now.called is not None:
        return _answered(now.called, missing=has.missing)
    if len(has.cards) < len(had.cards):
        taken = has.cards == had.cards[:-1]
        return "The last card is taken away." if taken else f"It is the first card of the next {has.counted}."
    return "The judge has this card."


def _answered(called: Called, *, missing: int) -> str:
    if called.number is None:
        return "The judge says what the cards count, and why."
    if missing:
        return f"The judge looks for what would make {called.number}."
    return f"The judge says whether {called.number} is right, and why."


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Words the events of one press, one sentence each."""

    names: Names
    before: Snapshot
    after: Snapshot

    def of(self, caused: Sequence[Event]) -> Iterator[str]:
        said_by_nobody = {By.NEXT_CARD, By.NEXT_COUNT, By.BOARD}
        called_by_board = any(isinstance(event, events.PegReleased) and event.by is By.BOARD for event in caused)
        challenged = any(isinstance(event, events.ClaimChallenged) for event in caused)
        for number, event in enumerate(caused):
            later = caused[number + 1 :]
            match event:
                case events.PegReleased() if any(
                    isinstance(each, events.ClaimJudged | events.Pegged) for each in later
                ):
                    continue  # what it came to says so
                case events.PegTaken() if any(isinstance(each, events.PegReleased) for each in later):
                    continue
                case events.ClaimJudged() if called_by_board:
                    continue
                case events.ClaimAccepted(by=by) if by in said_by_nobody or challenged or called_by_board:
                    continue
            if text := self._event(event) or self._of_the_game(event) or self._claim(event):
                yield text

    def _event(self, event: Event) -> str:
        """A card, a go, a count."""
        seat = self.names.seat
        match event:
            case events.CardCut(who, card):
                return f"{seat(who)} cuts the {card_in_words(card)}."
            case events.CutTied():
                both = "equal: both cut" if self.names.players == 2 else "equal where they are lowest: all cut"
                return f"The cuts are {both} again."
            case events.DealBegan(dealer):
                there = "there" if self.names.players == self.names.sides else f"at {self._side_of(dealer)}"
                return f"{seat(dealer)} deals: the dealer’s lamp burns {there}."
            case events.ThreeForLast(side, points):
                return f"{_side(side)} does not deal first, and has {points} for it."
            case events.StarterUnread():
                return "The starter is turned up, and nobody has read it."
            case events.CardUnread(who):
                return f"{seat(who)} lays a card that nobody has read: the count is not known until the next is led."
            case events.CountUnverified(who, occasion):
                what = "crib" if occasion is Occasion.CRIB else "hand"
                return f"{seat(who)}’s {what} is counted unverified: what is called stands."
            case events.RolledBack(who):
                return f"Play is back at {seat(who)}’s go; what was laid and pegged since is taken back."
            case events.CardDead(who, card):
                return f"{seat(who)}’s {card_in_words(card)} lies dead: it is laid no more, and counts in the hand."
            case events.StarterTurned(card):
                return f"The {card_in_words(card)} is the starter."
            case events.CardLaid(who, card, count):
                return f"{seat(who)} lays the {card_in_words(card)}{f': {count}' if count else ''}."
            case events.SaidGo(who):
                return f"{seat(who)} says go."
            case events.AllPassed(seats):
                return f"All pass: that is {_and(seat(each) for each in seats)}."
            case events.PassTakenBack(who):
                return f"{seat(who)} goes on with the count after all.{self._comes_back()}"
            case events.Reneged(who, card, count):
                return f"The board says that {seat(who)} could have laid the {card_in_words(card)} at {count}."
            case events.CountEnded(_, count):
                return f"The count ends at {count}."
            case events.PlayEnded():
                return "The play is over."
            case events.CountOpened(who, occasion):
                what = "crib" if occasion is Occasion.CRIB else "hand"
                return f"{seat(who)}’s {what} is to be counted."
            case events.HandCardShown(who, card):
                return f"The {card_in_words(card)} is in {seat(who)}’s hand."
            case events.CribCardRead(card):
                return f"The {card_in_words(card)} is in the crib."
            case events.DealEnded():
                return "The deal is over."
            case _:
                return ""

    def _of_the_game(self, event: Event) -> str:
        """A question, a result."""
        match event:
            case events.DealVoided():
                return "The deal is void; what it pegged comes back."
            case events.CutStands():
                return "The card on top stands as the starter."
            case events.GameWon(side):
                return f"{_side(side)} wins: the track runs with light.{self._skunk()}"
            case events.ResultAccepted(side):
                return f"{_side(side)} agrees to the result."
            case events.ResultFinal():
                return "The result is final."
            case events.Asked(_, question):
                asked = _and(SIDES[side] for side in self.after.waiting)
                return f"The board asks {asked} whether to {_WISHES[question]}."
            case events.Agreed(side):
                return f"{_side(side)} agrees; the OK of {_and(SIDES[side] for side in self.after.waiting)} is missing."
            case events.QuestionDropped():
                return "What was asked is asked no more."
            case events.Undone():
                return "The last act is taken back."
            case events.BrokenOff():
                return "The game is kept as broken off."
            case _:
                return ""

    def _claim(self, event: Event) -> str:
        match event:
            case events.PegTaken(side, 0):
                return f"{_side(side)} has a zero in hand."
            case events.PegTaken(side, points, doubt, timing):
                asks = {Doubt.NINETEEN: ", and the board asks whether 19 means zero", Doubt.NONE: ""}
                late = f", late: the board asks {self._asked_side()}" if timing is Timing.LATE else ""
                far = ", and the board asks for the same hole again"
                return f"{_side(side)}’s peg is in hand, {points} ahead: the hole blinks{asks.get(doubt, far)}{late}."
            case events.PegPutBack(side):
                return f"{_side(side)}’s peg goes back."
            case events.PegReleased(side, points):
                return f"{_side(side)}’s {points or 'zero'} is let go."
            case events.ChallengeRaised(by):
                return f"{_side(by)} challenges, and the board asks what was wrong."
            case events.ChallengeWithdrawn():
                return "The challenge is taken back."
            case events.MugginsTaken(by, points):
                return f"{_side(by)}’s peg is in hand for {_points(points)} that were missed: the hole blinks."
            case events.MugginsRuled():
                return _muggins(event)
            case events.Awarded(side, points, ground):
                return f"{_points(points).capitalize()} go to {SIDES[side]}{self._rule(ground)}."
            case events.SetBack(side, score, back, ground):
                return f"{_side(side)}’s pegs stand in {score} and {back}{self._rule(ground)}."
            case events.PointsBarred(side, points, bar):
                return f"{_side(side)} makes {_points(points)}, {_barred(bar)}"
            case events.ClaimJudged(side, _, verdict, called, due):
                match verdict:
                    case Verdict.EXACT:
                        return f"{_side(side)}’s {called or 'zero'} is exact."
                    case Verdict.UNVERIFIED:
                        return f"{_side(side)}’s {called} rests on a card that was not read, and stands."
                    case Verdict.TOO_MANY if self._stands(side):
                        return f"{_side(side)}’s {called} was too many: {due} was due. It stands, for nobody said so."
                    case Verdict.TOO_MANY:
                        return f"{_side(side)}’s {called} is too many: {due} is the truth."
                    case _:
                        return f"{_side(side)}’s {called or 'zero'} is too few of {due}: the rest is lost."
            case events.ClaimRuled(side, points, verdict):
                return f"{_side(side)}’s {points} is {_RULED[verdict]}: no peg moves, and the record keeps it."
            case events.Pegged(side, points, score):
                return f"{_side(side)} pegs {points} and stands at {score}."
            case events.ClaimChallenged(_, by):
                return f"{_side(by)} challenges."
            case events.ClaimAccepted(_, By.OTHER_SIDE | By.CHALLENGE):
                return "It is accepted."
            case _:
                return ""

    def _stands(self, side: int) -> bool:
        """Whether a call of a silent game is closed with nobody having doubted it."""
        if self.after.view is None or not self.after.view.silent:
            return False
        return not any(isinstance(each, events.ClaimChallenged) and each.side == side for each in self.after.view.said)

    def _rule(self, ground: Ground) -> str:
        """The number of the rule, where it has one."""
        rule = "" if self.after.view is None else cited(read_label(self.after.view.rules), ground)
        return f" ({rule})" if rule else ""

    def _side_of(self, seat: int) -> str:
        return SIDES[seat % self.names.sides]

    def _asked_side(self) -> str:
        asked = None if self.after.view is None else self.after.view.prompt.side
        return "anybody" if asked is None else SIDES[asked]

    def _skunk(self) -> str:
        """What the board calls the loser, if it does."""
        word = phrases_in("en").skunk(self.after.view) if self.after.view is not None else ""
        return f" Beside the scores stands: {word}." if word else ""

    def _comes_back(self) -> str:
        """Whether a peg stands further back than before."""
        if self.before.view is None or self.after.view is None:
            return ""
        pegs = zip(self.before.view.sides, self.after.view.sides, strict=True)
        return " The point for go comes back." if any(now.score < was.score for was, now in pegs) else ""


_RULED = {
    Verdict.OUT_OF_TURN: "out of turn",
    Verdict.TOO_LATE: "too late",
    Verdict.IMPOSSIBLE: "impossible",
    Verdict.SINGLE_POINT: "a single point, which is not taken any more",
}


def _barred(bar: Bar) -> str:
    if bar is Bar.EXACT_OUT:
        return "which is more than the holes that are left: nothing counts."
    return "and a single point moves no peg any more."


def _muggins(call: events.MugginsRuled) -> str:
    """What a call of muggins comes to."""
    if call.verdict is Verdict.NOTHING_MISSED:
        return f"{_side(call.against)} has missed nothing."
    return f"{_side(call.against)} has missed {_points(call.missed)}, and {SIDES[call.by]} called {call.called}."


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _and(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _side(side: int) -> str:
    return SIDES[side].capitalize()
