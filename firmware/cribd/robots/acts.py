"""Read from the log of a game what was laid and said, and which events stand."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.events import Event
from cribboard.strategy import Act


def acts_of(log: Iterable[Event]) -> tuple[Act, ...]:
    """Return the cards and gos of the last play, in order, for `cribboard.strategy`. They end at a card that no reader
    could read."""
    acts: list[Act] = []
    unread = False
    for event in standing(log):
        match event:
            case events.StarterTurned() | events.StarterUnread() | events.DealVoided():
                acts, unread = [], False
            case events.CardUnread():
                unread = True
            case _ if unread:
                pass
            case events.CardLaid(seat, card):
                acts.append(Act(seat, card))
            case events.SaidGo(seat):
                acts.append(Act(seat, None))
            case events.AllPassed(seats):
                acts += [Act(seat, None) for seat in seats]
            case events.PassTakenBack(seat):
                acts = [act for act in acts if act != Act(seat, None)]
    return tuple(acts)


def standing(log: Iterable[Event]) -> list[Event]:
    """Return the events that neither an undo nor the end of a false go took back."""
    stands: list[tuple[int, Event]] = []
    for number, event in enumerate(log, start=1):
        match event:
            case events.Undone(to):
                stands = [stood for stood in stands if stood[0] <= to]
            case events.RolledBack(seat):
                gone = [at for at, (_, before) in enumerate(stands) if before == events.SaidGo(seat)]
                stands = stands[: gone[-1]] if gone else stands
            case _:
                stands.append((number, event))
    return [event for _, event in stands]
