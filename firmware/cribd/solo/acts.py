"""What the log of a game says of the running deal: what was laid and said, and how many deals were void."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.events import Event
from cribboard.strategy import Act


def acts_of(log: Iterable[Event]) -> tuple[Act, ...]:
    """What was laid and said in the running deal, the first first, for `cribboard.strategy`."""
    acts: list[Act] = []
    for event in standing(log):
        match event:
            case events.CardLaid(seat, card):
                acts.append(Act(seat, card))
            case events.SaidGo(seat):
                acts.append(Act(seat, None))
            case events.AllPassed(seats):
                acts += [Act(seat, None) for seat in seats]
            case events.PassTakenBack(seat):
                acts = [act for act in acts if act != Act(seat, None)]
            case events.StarterTurned() | events.DealBegan() | events.DealVoided():
                acts = []
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
