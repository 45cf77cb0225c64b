"""Writes the text that the voice says after a change.

The voice says the running count as a card is laid, the count of a card or a hand once it is judged, the score of a peg
that has moved, who deals, what is asked, and who wins. The screen alone shows what players see for themselves, and
refusals. The sentences are worded in `cribd.text`, in its spoken style.

Pure: a snapshot and the one before it in, words out. It knows only what the view shows, and so says nothing of what is
due before its claim is closed (design law 9; rules reference, 7.22). In a silent game it does not explain the count of
a card even then: the peg moved long before, and only the verdict is news.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.count_judge import Judgment
from cribboard.event_terms import OF_SHOW, Verdict
from cribboard.events import (
    AllPassed,
    Awarded,
    CardLaid,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CutTied,
    DealBegan,
    Event,
    GameWon,
    MugginsRuled,
    Pegged,
    PegPutBack,
    PegReleased,
    SaidGo,
    SetBack,
    StarterTurned,
    Undone,
)
from cribboard.scoring import Kind, Score
from cribboard.view import PromptKind, View
from cribd.table.snapshot import Base, CountJudgeMode, Lobby, Snapshot
from cribd.text import Phrases, act_lines, count_in_words, prompts, verdicts
from cribd.text.events import event_in_words, moved_in_words, recount_in_words
from cribd.text.lines import Priority
from cribd.text.words import Style, Words

#: Questions to a side that may not be looking at the screen.
_QUESTIONS = frozenset(
    {
        PromptKind.COUNT_HAND,
        PromptKind.COUNT_CRIB,
        PromptKind.UNDO,
        PromptKind.MISDEAL,
        PromptKind.EXPOSED_CUT,
        PromptKind.BREAK_OFF,
        PromptKind.ROLL_BACK,
        PromptKind.LATE,
        PromptKind.CHALLENGE,
        PromptKind.GAME_CLAIMED,
        PromptKind.RENEGE,
    }
)

#: Combinations that say the running count with their points: fifteen for two.
_SAYS_THE_COUNT = frozenset({Kind.FIFTEEN, Kind.THIRTY_ONE})


def announcement(snapshot: Snapshot, before: Snapshot, phrases: Phrases) -> str:
    """Return the voice's text for a new snapshot; often ""."""
    words = phrases.seated_for(snapshot.view).named(snapshot.names).styled(Style.SPOKEN)
    lines = _announced_lines(snapshot, before, words)
    return " ".join(map(_sentence, dict.fromkeys(lines)))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if text.endswith(("!", "?")) else ".")


def _announced_lines(snapshot: Snapshot, before: Snapshot, words: Words) -> Iterator[str]:
    if snapshot.pending is not None or snapshot.lobby is Lobby.RESUME:
        return
    if snapshot.event is not None and before.event is None:
        yield prompts.game_due("voice.called", snapshot.event, words)
    if snapshot.official is not None and snapshot.official != before.official:
        yield prompts.prompt_line(snapshot, words)
    if snapshot.off is not None and snapshot.off != before.off:
        yield prompts.prompt_line(snapshot, words)
    if snapshot.judging is not None:
        yield from _of_the_judge(snapshot.judging, before.judging, words)
    game_waits = not isinstance(snapshot.mode, Base)
    view, earlier = snapshot.view, before.view
    if game_waits or view is None or earlier is None or view.number == earlier.number:
        return
    yield from _of_an_act(view, words)
    if view.prompt.kind in _QUESTIONS and view.prompt != earlier.prompt:
        yield prompts.prompt_line(snapshot, words)
    if snapshot.match_over and not before.match_over and snapshot.match > 1 and snapshot.match_winner is not None:
        yield words.say("match.won", side=words.side(snapshot.match_winner))


def _of_the_judge(judging: CountJudgeMode, before: CountJudgeMode | None, words: Words) -> Iterator[str]:
    """Yield the spoken answers of the count judge.

    If no number was called, announce only the count."""
    called = judging.called
    if called is None or (before is not None and called == before.called):
        return
    match called.answer:
        case Judgment(score=score) as judgment:
            yield verdicts.answer(judgment, words)
            yield count_in_words.count_spoken(score, words)
        case Score() as score:
            yield count_in_words.count_spoken(score, words)


def _of_an_act(view: View, words: Words) -> Iterator[str]:
    """Yield the texts about the latest act.

    The ruling comes first, then the events in order, then what the act ended, or the count after an undo."""
    lines = list(act_lines.weighted_lines(view, words))
    yield from (text for weight, text in lines if weight is Priority.VERDICT)
    for at, event in enumerate(view.said):
        yield from _of_an_event(event, at, view, words)
    yield from (text for weight, text in lines if weight is Priority.END)
    if any(isinstance(event, GameWon) for event in view.said) and (skunk := words.skunk(view)):
        yield skunk
    if view.count and any(isinstance(event, Undone) for event in view.said):
        yield words.number(view.count)


def _of_an_event(event: Event, at: int, view: View, words: Words) -> Iterator[str]:
    events = view.said
    match event:
        case CutTied() | DealBegan() | SaidGo() | AllPassed() | Awarded():
            yield event_in_words(event, words)
        case StarterTurned():
            yield event_in_words(event, words)
            if line := act_lines.heels(event, view, words):
                yield line
        case CardLaid(_, _, count) if not _includes_count(events[at:]):
            yield words.number(count)
        case ClaimJudged():
            yield from _of_a_claim(event, view, words)
        case PegPutBack(side) if _is_counted_again(events):
            yield recount_in_words(side, words)
        case Pegged(side, points) if not _moves_again(side, events[at + 1 :]):
            yield moved_in_words(side, points, view.sides[side].score, words)
        case SetBack(side) if not _moves_again(side, events[at + 1 :]):
            yield moved_in_words(side, 0, view.sides[side].score, words)
        case PegReleased(side, 0) if view.silent and not _is_closed(side, events):
            yield moved_in_words(side, 0, view.sides[side].score, words)


def _of_a_claim(claim: ClaimJudged, view: View, words: Words) -> Iterator[str]:
    """Yield the texts about a closed claim.

    A hand is announced step by step. A card is announced with its points when it is laid."""
    if claim.verdict is Verdict.UNVERIFIED:
        return
    if set(claim.occasions) <= set(OF_SHOW):
        yield count_in_words.count_spoken(Score(claim.combinations), words)
    elif not view.silent and claim.combinations:
        yield count_in_words.card_spoken(claim.combinations, words)
    if claim.verdict is Verdict.TOO_FEW and not any(isinstance(event, MugginsRuled) for event in view.said):
        yield verdicts.lost(claim.due - claim.called, words)


def _includes_count(events: Sequence[Event]) -> bool:
    """Whether the spoken points include the count, as in "31 for two"."""
    claims = (event for event in events if isinstance(event, ClaimJudged))
    return any(combination.kind in _SAYS_THE_COUNT for claim in claims for combination in claim.combinations)


def _is_closed(side: int, events: Sequence[Event]) -> bool:
    return any(isinstance(event, ClaimJudged) and event.side == side for event in events)


def _moves_again(side: int, later: Sequence[Event]) -> bool:
    return any(isinstance(event, Pegged | SetBack) and event.side == side for event in later)


def _is_counted_again(events: Sequence[Event]) -> bool:
    """Whether these events have a challenge, but no ruling."""
    kinds = {type(event) for event in events}
    return ClaimChallenged in kinds and ClaimRuled not in kinds
