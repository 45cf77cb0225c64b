"""Calculate the figures of one game from its record.

Games are added up as `Statistics`, so no record is read twice. What a game cannot know is no figure of it: on trust
there are no hands, and on auto nobody can leave a point. Guesses nothing and judges nothing: what was due is in the
events, or in the claim windows that they made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cribboard import events
from cribboard.deal.claim_comparison import window_values
from cribboard.event_terms import Ground, Occasion
from cribboard.evolution import evolve
from cribboard.figures import BIG, PERFECT, Averages, BestHand, Mean, Player, Role, Statistics, game_kind
from cribboard.position import ClaimWindow, Phase, Position
from cribboard.record import Record
from cribboard.rules import Way
from cribboard.skunk import Skunk


def statistics_of(record: Record) -> Statistics:
    """Calculate the figures of one game, without what was undone.

    A broken-off game has no winner, but the part that was played counts."""
    heading = record.heading
    notes = _DealNotes(heading.begin().position, heading.date)
    for event in _without_undone(record.events):
        notes.add(event)
    figures = Statistics()
    for side, (name, of_side) in enumerate(
        zip(heading.names or ("",) * len(notes.sides), notes.finished(), strict=True)
    ):
        player = replace(of_side, name=name, side=None if name else side, since=heading.date)
        figures += Statistics({player.key: player})
    return figures


def _without_undone(log: Iterable[events.Event]) -> Iterator[events.Event]:
    """Yield the events that were not undone."""
    stand: list[events.Event | None] = []
    for event in log:
        if isinstance(event, events.Undone):
            stand[event.to :] = [None] * (len(stand) - event.to + 1)
        else:
            stand.append(event)
    return (event for event in stand if event is not None)


class _NoteKind(StrEnum):
    """The kinds of points and hands that a `_Note` counts."""

    MADE = "made"  # points of the play, claimed or not
    UNREAD = "unread"  # points of the play that rest on an unread card: only the players know them
    LEFT = "left"  # points that were not claimed
    MUGGED = "mugged"  # of these, points that another side took
    GAINED = "gained"  # holes gained in the deal
    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True)
class _Note:
    """The points of one side at one event of the log."""

    number: int
    side: int
    what: _NoteKind
    points: int
    hand: BestHand | None = None


class _DealNotes:
    """Notes that become figures at the end of each deal."""

    def __init__(self, beginning: Position, date: str) -> None:
        self._now = beginning
        self._date = date
        self.sides = [Player()] * len(beginning.pegs)
        self._forget()

    def _forget(self) -> None:
        self._notes: list[_Note] = []
        self._played_out = False
        self._ended_at = 0
        self._counting: dict[tuple[int, Occasion], ClaimWindow] = {}
        self._mugged = 0

    def add(self, event: events.Event) -> None:
        """Add the next event that was not undone."""
        before = self._now
        now = self._now = evolve(before, event)
        if not isinstance(event, events.DealVoided | events.RolledBack | events.PassTakenBack | events.ClaimJudged):
            self._note_points_left(before)
        if isinstance(event, events.CountEnded):
            self._ended_at = now.number
        match event:
            case events.DealVoided():
                self._forget()
            case events.RolledBack():
                assert before.false_go is not None
                self._played_out = False
                self._notes = [note for note in self._notes if note.number <= before.false_go.before.number]
            case events.PassTakenBack():
                self._notes = [note for note in self._notes if note.number != self._ended_at]
            case events.ClaimJudged():
                self._note_judged_call(event)
            case events.StarterTurned() | events.CardLaid() | events.CardUnread() | events.CountEnded():
                if now.phase is Phase.PLAY:
                    self._note_points_made(before)
            case events.PlayEnded():
                self._played_out = True
            case events.CountOpened(seat, occasion):
                side = now.rules.side_of(seat)
                self._counting[side, occasion] = now.open_windows[side][-1]
            case events.MugginsRuled():
                self._mugged = event.against
            case events.Awarded(_, points, Ground.MUGGINS):
                self._note(self._mugged, _NoteKind.MUGGED, points)
            case events.DealEnded():
                for side, (pegs, began) in enumerate(zip(now.pegs, now.pegs_at_deal, strict=True)):
                    self._note(side, _NoteKind.GAINED, pegs.front - began.front)
            case events.DealBegan() if before.dealer is not None:
                self._close_deal(before)

    def _note(self, side: int, what: _NoteKind, points: int, hand: BestHand | None = None) -> None:
        self._notes.append(_Note(self._now.number, side, what, points, hand))

    def _note_points_made(self, before: Position) -> None:
        """Note the points of each new claim window in the play."""
        for side, windows in enumerate(self._now.open_windows):
            known = {id(window) for window in before.open_windows[side]}
            for window in (window for window in windows if id(window) not in known):
                self._note(side, _NoteKind.MADE if window.verified else _NoteKind.UNREAD, window.due)
        self._played_out |= not any(map(self._now.cards_left, self._now.rules.seats))

    def _note_points_left(self, before: Position) -> None:
        """On verify, note the points not claimed in time."""
        now = self._now
        if now.way is not Way.VERIFY or (
            now.open_windows is before.open_windows and now.missed_windows is before.missed_windows
        ):
            return
        for side, windows in enumerate(zip(before.open_windows, before.missed_windows, strict=True)):
            still = {id(window) for window in (*now.open_windows[side], *now.missed_windows[side])}
            still |= {id(window) for call in now.unjudged for window in call.windows}
            self._note_left(before, side, [window for row in windows for window in row if id(window) not in still])

    def _note_left(self, p: Position, side: int, windows: Sequence[ClaimWindow]) -> None:
        if points := sum(value.points for value in window_values(p, side, windows)):
            self._note(side, _NoteKind.LEFT, points)

    def _note_judged_call(self, judged: events.ClaimJudged) -> None:
        """Note what a judged call counted and left out.

        While the side may still add to the peg of the call, no points are left."""
        p, side = self._now, judged.side
        if judged.due > judged.called and not any(window.called is not None for window in p.open_windows[side]):
            self._note(side, _NoteKind.LEFT, judged.due - judged.called)
        for occasion in judged.occasions:
            window = self._counting.pop((side, occasion), None)
            if window is None or not window.verified or p.starter is None:
                continue
            crib = occasion is Occasion.CRIB
            cards = tuple(sorted(p.crib if crib else p.hands[window.seat]))
            hand = BestHand(window.due, self._date, crib, cards, p.starter)
            self._note(side, _NoteKind.CRIB if crib else _NoteKind.HAND, window.due, hand)

    def _close_deal(self, p: Position) -> None:
        """Turn the notes of a deal into figures."""
        assert p.dealer is not None
        kind = game_kind(p.rules)
        compared = p.way is Way.VERIFY and p.phase is not Phase.DEAL
        for side, figures in enumerate(self.sides):
            notes = [note for note in self._notes if note.side == side]
            of = {what: Mean() for what in _NoteKind}
            for note in notes:
                of[note.what] += Mean(1, note.points)
            hands = [note.hand for note in notes if note.hand is not None]
            known = self._played_out and not of[_NoteKind.UNREAD].times
            averages = Averages(
                play=Mean(1, of[_NoteKind.MADE].points) if known else Mean(),
                hand=of[_NoteKind.HAND],
                crib=of[_NoteKind.CRIB],
                deal=of[_NoteKind.GAINED],
            )
            role = Role.DEALER if side == p.rules.side_of(p.dealer) else Role.PONE
            self.sides[side] = figures + Player(
                hands=len(hands),
                big=sum(hand.points >= BIG for hand in hands),
                perfect=sum(hand.points == PERFECT for hand in hands),
                left=Mean(1, of[_NoteKind.LEFT].points) if compared else Mean(),
                mugged=of[_NoteKind.MUGGED].points,
                averages=((kind, role, averages),),
                best=tuple(hands),
            )
        self._forget()

    def finished(self) -> Sequence[Player]:
        """Close the last deal, and return the figures of each side."""
        p = self._now
        if p.dealer is not None:
            if p.way is Way.VERIFY:
                for side, missed in enumerate(p.missed_windows):
                    self._note_left(p, side, missed)
            self._close_deal(p)
        if p.phase is not Phase.OVER or p.winner is None:
            return self.sides
        skunk, double = p.skunk is not Skunk.NONE, p.skunk is Skunk.DOUBLE
        won = Player(games=1, won=1, skunked=skunk, doubled=double)
        lost = Player(games=1, skunks_taken=skunk, doubles_taken=double)
        return [figures + (won if side == p.winner else lost) for side, figures in enumerate(self.sides)]
