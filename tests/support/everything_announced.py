"""Every sentence that the voice can speak: see `everything_said`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.support.everything_asked import TABLES, every_ask, view
from tests.support.everything_happened import KINDS, OF_A_HAND, every_closing, every_event, every_judgement
from tests.support.everything_happened import judged as judged_events
from tests.support.moments_of_rulings import AT_TABLE_FOUR

from cribboard import PACK
from cribboard.event_terms import OF_SHOW, Occasion, Verdict
from cribboard.events import ClaimJudged, CutTied, Event, GameWon, StarterTurned, Undone
from cribboard.rules import Standings
from cribboard.view import PromptKind, View
from cribd.table import count_judge_mode
from cribd.table.snapshot import ConfirmOff, JudgeCall, OfficialMode, Snapshot, SwitchedOff
from cribd.text import Phrases
from cribd.voice.announcement_text import announcement


def next_to(snapshot: Snapshot) -> Snapshot:
    """The snapshot of the act before, in which nothing of this had happened."""
    assert snapshot.view is not None
    return Snapshot(view=replace(snapshot.view, number=snapshot.view.number - 1, prompt=view().prompt))


def said_of(seen: View, phrases: Phrases) -> str:
    """What the voice says about this view."""
    snapshot = Snapshot(view=seen)
    return announcement(snapshot, next_to(snapshot), phrases)


def with_the_hand(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same claim, called together with that of a hand."""
    both = (Occasion.CARD, Occasion.HAND)
    return tuple(replace(event, occasions=both) if isinstance(event, ClaimJudged) else event for event in events)


def are_possible(events: tuple[Event, ...]) -> bool:
    """Whether these can be together: a hand has nothing that only a card makes."""
    claims = [event for event in events if isinstance(event, ClaimJudged) and set(event.occasions) <= set(OF_SHOW)]
    return all(combination.kind in OF_A_HAND for claim in claims for combination in claim.combinations)


def every_act(players: int, sides: int) -> Iterator[View]:
    """Whatever an act can cause, at a table for this many sides."""
    events: list[tuple[Event, ...]] = [*every_event(players, sides), *every_judgement(sides), *every_closing(sides)]
    events += [(StarterTurned(card),) for card in PACK] + [(CutTied(),), (Undone(0),), (GameWon(0),)]
    events += [with_the_hand(judged_events(Verdict.EXACT, kind)) for kind in KINDS]
    for caused in filter(are_possible, events):
        yield view(*caused, players=players, sides=sides)
    for caused in every_closing(sides):
        yield view(*caused, players=players, sides=sides, silent=True)


def everything_announced(words: Phrases, tables: Sequence[tuple[int, int]] = TABLES) -> Iterator[str]:
    """Whatever the voice can say in a language, at these tables."""
    for players, sides in tables:
        for seen in every_act(players, sides):
            yield said_of(seen, words)
        for asked in every_ask(players, sides):
            if asked.view is not None and asked.view.prompt.kind is not PromptKind.STARTER:
                yield announcement(asked, next_to(asked), words)
    before = Snapshot(view=view())
    yield announcement(replace(before, mode=OfficialMode(1)), before, words)
    for off in (ConfirmOff(), SwitchedOff()):
        yield announcement(replace(before, mode=off), before, words)
    for is_play_off in (False, True):
        yield announcement(replace(before, event=replace(AT_TABLE_FOUR, is_play_off=is_play_off)), before, words)
    over = replace(before, view=view(number=999), match_over=True, match_winner=0, standings=Standings.WINS)
    yield announcement(over, before, words)
    opened = count_judge_mode.opened(before.rules)
    judged = count_judge_mode.with_answer(
        replace(opened, judge=opened.judge.with_cards(PACK[36:41]), called=JudgeCall(12))
    )
    yield announcement(replace(before, mode=judged), before, words)
    yield words.say("voice.espeak")
