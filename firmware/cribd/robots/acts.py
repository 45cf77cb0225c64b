"""What the log of a game says of its deals: what was laid and said, and how many were void."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.events import Event
from cribboard.strategy import Act


def acts_of(log: Iterable[Event]) -> tuple[Act, ...]:
    """What was laid and said in the last play, the first first, for `cribboard.strategy`; up to a card that no reader
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


def void_deals(log: Iterable[Event]) -> int:
    """How many deals of the game were void."""
    return sum(isinstance(event, events.DealVoided) for event in standing(log))


def standing(log: Iterable[Event]) -> list[Event]:
    """The events that no undo took back, nor the end of a false go."""
    stands: list[tuple[int, Event]] = []
    for number, event in enumerate(log, start=1):
        match event:
            case events.Undone(to):
                stands = [each for each in stands if each[0] <= to]
            case events.RolledBack(seat):
                gone = [at for at, (_, before) in enumerate(stands) if before == events.SaidGo(seat)]
                stands = stands[: gone[-1]] if gone else stands
            case _:
                stands.append((number, event))
    return [event for _, event in stands]
