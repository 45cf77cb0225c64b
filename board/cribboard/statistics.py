"""Records in, figures out: what the games that were played say of each player. Nobody types anything.

Each game becomes `Statistics`, which are added up: thousands of games are kept as figures, and none is read twice. What
a game cannot know is no figure of it: a table that trusts sees no cards, so it has no hands, and where the board calls
nobody can leave a point. This module must never guess, and
judges nothing: what was due is in the events, or in what they opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cribboard.claim_value import opening_values
from cribboard.events import (
    Awarded,
    CardLaid,
    CardUnread,
    ClaimJudged,
    CountEnded,
    CountOpened,
    DealBegan,
    DealEnded,
    DealVoided,
    Event,
    Ground,
    MugginsRuled,
    Occasion,
    PassTakenBack,
    PlayEnded,
    RolledBack,
    Skunk,
    StarterTurned,
    Undone,
)
from cribboard.evolution import evolve
from cribboard.figures import BIG, PERFECT, Averages, BestHand, Mean, Player, Role, Statistics, kind_of
from cribboard.position import Opening, Phase, Position
from cribboard.record import Record
from cribboard.rules import Way


def statistics_of(record: Record) -> Statistics:
    """The figures of one game.

    What was undone does not count, nor a deal that was void. A game that was broken off is nobody's win; what was
    played of it counts.
    """
    heading = record.heading
    book = _Book(heading.begin().position, heading.date)
    for event in _that_stand(record.events):
        book.hear(event)
    figures = Statistics()
    for side, (name, of_side) in enumerate(zip(heading.names or ("",) * len(book.sides), book.closed(), strict=True)):
        player = replace(of_side, name=name, side=None if name else side, since=heading.date)
        figures += Statistics({player.key: player})
    return figures


def _that_stand(events: Iterable[Event]) -> Iterator[Event]:
    """The events that were not undone: an undo names the event after which play goes on."""
    stand: list[Event | None] = []
    for event in events:
        if isinstance(event, Undone):
            stand[event.to :] = [None] * (len(stand) - event.to + 1)
        else:
            stand.append(event)
    return (event for event in stand if event is not None)


class _What(StrEnum):
    """What a note tells of a side. Made is what the play brought, claimed or not; what rests on a card that could not
    be read, nobody but the players knows."""

    MADE = "made"
    UNREAD = "unread"
    LEFT = "left"
    MUGGED = "mugged"
    GAINED = "gained"
    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True)
class _Note:
    """What the event of this number brought to a side."""

    number: int
    side: int
    what: _What
    points: int
    hand: BestHand | None = None


class _Book:
    """Follows one game and takes notes; when a deal is over they become figures."""

    def __init__(self, beginning: Position, date: str) -> None:
        self._now = beginning
        self._date = date
        self.sides = [Player()] * len(beginning.pegs)
        self._forget()

    def _forget(self) -> None:
        self._notes: list[_Note] = []
        self._played_out = False
        self._ended_at = 0
        self._counting: dict[tuple[int, Occasion], Opening] = {}
        self._mugged = 0

    def hear(self, event: Event) -> None:
        """The next event that stands."""
        before, self._now = self._now, evolve(self._now, event)
        match event:
            case DealVoided():
                self._forget()
            case RolledBack():
                assert before.false_go is not None
                self._played_out = False
                self._notes = [note for note in self._notes if note.number <= before.false_go.before.number]
            case PassTakenBack():
                self._notes = [note for note in self._notes if note.number != self._ended_at]
            case ClaimJudged():
                self._judged(event)
            case _:
                self._look_for_what_was_left(before)
                self._heard(event, before)

    def _heard(self, event: Event, before: Position) -> None:
        now = self._now
        if isinstance(event, CountEnded):
            self._ended_at = now.number
        match event:
            case StarterTurned() | CardLaid() | CardUnread() | CountEnded() if now.phase is Phase.PLAY:
                self._look_for_what_was_made(before)
            case PlayEnded():
                self._played_out = True
            case CountOpened(seat, occasion):
                side = now.rules.side_of(seat)
                self._counting[side, occasion] = now.open[side][-1]
            case MugginsRuled():
                self._mugged = event.against
            case Awarded(_, points, Ground.MUGGINS):
                self._note(self._mugged, _What.MUGGED, points)
            case DealEnded():
                for side, (pegs, began) in enumerate(zip(now.pegs, now.pegs_at_deal, strict=True)):
                    self._note(side, _What.GAINED, pegs.front - began.front)
            case DealBegan() if before.dealer is not None:
                self._close_deal(before)

    def _note(self, side: int, what: _What, points: int, hand: BestHand | None = None) -> None:
        self._notes.append(_Note(self._now.number, side, what, points, hand))

    def _look_for_what_was_made(self, before: Position) -> None:
        """What a card or a go has opened."""
        for side, openings in enumerate(self._now.open):
            known = {id(opening) for opening in before.open[side]}
            for opening in (each for each in openings if id(each) not in known):
                self._note(side, _What.MADE if opening.verified else _What.UNREAD, opening.due)
        self._played_out |= not any(map(self._now.cards_left, self._now.rules.seats))

    def _look_for_what_was_left(self, before: Position) -> None:
        """What could be claimed and now cannot, though nobody has claimed it. Where the board calls nothing can be."""
        now = self._now
        if now.way is not Way.VERIFY or (now.open is before.open and now.missed is before.missed):
            return
        for side, openings in enumerate(zip(before.open, before.missed, strict=True)):
            still = {id(opening) for opening in (*now.open[side], *now.missed[side])}
            still |= {id(opening) for standing in now.standing for opening in standing.openings}
            self._left(before, side, [each for row in openings for each in row if id(each) not in still])

    def _left(self, p: Position, side: int, openings: Sequence[Opening]) -> None:
        if points := sum(value.points for value in opening_values(p, side, openings)):
            self._note(side, _What.LEFT, points)

    def _judged(self, judged: ClaimJudged) -> None:
        """A call too low has left the rest, unless the peg may be added to; a hand that was called is counted."""
        p, side = self._now, judged.side
        if judged.due > judged.called and not any(opening.called is not None for opening in p.open[side]):
            self._note(side, _What.LEFT, judged.due - judged.called)
        for occasion in judged.occasions:
            opening = self._counting.pop((side, occasion), None)
            if opening is None or not opening.verified or p.starter is None:
                continue
            crib = occasion is Occasion.CRIB
            cards = tuple(sorted(p.crib if crib else p.hands[opening.seat]))
            hand = BestHand(opening.due, cards, p.starter, crib=crib, date=self._date)
            self._note(side, _What.CRIB if crib else _What.HAND, opening.due, hand)

    def _close_deal(self, p: Position) -> None:
        """The notes become figures; `p` is where the deal ended."""
        assert p.dealer is not None
        kind = kind_of(p.rules)
        compared = p.way is Way.VERIFY and p.phase is not Phase.DEAL
        for side, figures in enumerate(self.sides):
            notes = [note for note in self._notes if note.side == side]
            of = {what: Mean() for what in _What}
            for note in notes:
                of[note.what] += Mean(1, note.points)
            hands = [note.hand for note in notes if note.hand is not None]
            known = self._played_out and not of[_What.UNREAD].times
            averages = Averages(
                play=Mean(1, of[_What.MADE].points) if known else Mean(),
                hand=of[_What.HAND],
                crib=of[_What.CRIB],
                deal=of[_What.GAINED],
            )
            role = Role.DEALER if side == p.rules.side_of(p.dealer) else Role.PONE
            self.sides[side] = figures + Player(
                hands=len(hands),
                big=sum(hand.points >= BIG for hand in hands),
                perfect=sum(hand.points == PERFECT for hand in hands),
                left=Mean(1, of[_What.LEFT].points) if compared else Mean(),
                mugged=of[_What.MUGGED].points,
                averages=((kind, role, averages),),
                best=tuple(hands),
            )
        self._forget()

    def closed(self) -> Sequence[Player]:
        """The figures of each side when the game is over, or has been broken off."""
        p = self._now
        if p.dealer is not None:
            if p.way is Way.VERIFY:
                for side, missed in enumerate(p.missed):
                    self._left(p, side, missed)
            self._close_deal(p)
        if p.phase is not Phase.OVER or p.winner is None:
            return self.sides
        skunk, double = p.skunk is not Skunk.NONE, p.skunk is Skunk.DOUBLE
        return [
            figures
            + (
                Player(games=1, won=1, skunked=skunk, doubled=double)
                if side == p.winner
                else Player(games=1, skunks_taken=skunk, doubles_taken=double)
            )
            for side, figures in enumerate(self.sides)
        ]
