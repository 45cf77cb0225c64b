"""The screen's lines about the latest act, by importance.

`events` and `verdicts` word what happened. Worded here is what it means for the players now, which only the view tells:
that a turned jack is to be pegged, who scores a go, that play may go back. What was ruled or scored comes before what
was merely done: everybody sees a card that was laid. Pure: says nothing that a view does not hold, and so nothing of
what is due before its claim is closed (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard import events
from cribboard.actions import By
from cribboard.cards import Rank
from cribboard.event_terms import Verdict
from cribboard.rules import Renege, Telling, Way, read_label
from cribboard.scoring import Score
from cribboard.view import PromptKind, View
from cribd.text import count_in_words, verdicts
from cribd.text.events import event_in_words, moved_in_words, recount_in_words, stands_in_words, undo_in_words
from cribd.text.lines import Priority, WeightedLine
from cribd.text.words import Words

#: How much an event matters. Those that are not here only begin or ask something, and the main line says it.
_WEIGHTS: dict[type[events.Event], Priority] = {
    events.GameWon: Priority.END,
    events.ResultFinal: Priority.END,
    events.BrokenOff: Priority.END,
    events.DealVoided: Priority.END,
    events.CutStands: Priority.END,
    events.RolledBack: Priority.END,
    events.ThreeForLast: Priority.VERDICT,
    events.CardDead: Priority.VERDICT,
    events.CountUnverified: Priority.VERDICT,
    events.ClaimChallenged: Priority.WHY,
    events.PegPutBack: Priority.DONE,
    events.QuestionDropped: Priority.DONE,
    events.CardLaid: Priority.DONE,
    events.SaidGo: Priority.DONE,
    events.AllPassed: Priority.DONE,
    events.PassTakenBack: Priority.DONE,
    events.CardCut: Priority.DONE,
    events.StarterUnread: Priority.DONE,
    events.CardUnread: Priority.DONE,
    events.ChallengeWithdrawn: Priority.DONE,
    events.StarterTurned: Priority.DONE,
    events.HandCardShown: Priority.DONE,
    events.CribCardRead: Priority.DONE,
    events.Agreed: Priority.DONE,
    events.ResultAccepted: Priority.DONE,
    events.CountEnded: Priority.ASIDE,
    events.PlayEnded: Priority.ASIDE,
    events.DealBegan: Priority.ASIDE,
}

#: The levels at which the board helps the caller: what to look for in a hand, and who scores a go.
HELPED = (Telling.GUEST, Telling.COACH)


def said(view: View, words: Words) -> tuple[str, ...]:
    """Return the lines of the latest act, the most important first.

    If anything was ruled or scored, plain moves are left out."""
    lines = sorted(weighted_lines(view, words), key=lambda line: line[0])
    loudest = lines[0][0] if lines else Priority.ASIDE
    heard = [text for weight, text in lines if weight < Priority.DONE or weight == loudest]
    return tuple(dict.fromkeys(heard))


def reasons(view: View, words: Words) -> frozenset[str]:
    """Return the lines that explain the points of the latest act.

    The points of these lines add up only if all of them are shown."""
    return frozenset(text for weight, text in weighted_lines(view, words) if weight is Priority.WHY)


@dataclass(frozen=True, slots=True)
class CountLines:
    """The screen lines for a counted hand, in three lengths.

    `said` are the other lines of the act. The count has its `steps`, `in_short` joins steps of the same ranks, and
    `by_kind` has the points of each kind of combination. `exact` is whether the call was right."""

    said: tuple[str, ...]
    steps: tuple[str, ...]
    in_short: tuple[str, ...]
    by_kind: tuple[str, ...]
    exact: bool


def coached(view: View, words: Words) -> CountLines | None:
    """Return the count just judged; None if it is not shown."""
    if (claim := verdicts.to_be_coached(view)) is None:
        return None
    score = Score(claim.combinations)
    steps = count_in_words.count_lines(score, words)
    return CountLines(
        said=tuple(line for line in said(view, words) if line not in steps),
        steps=steps,
        in_short=count_in_words.short_count_lines(score, words),
        by_kind=count_in_words.points_by_kind(claim.combinations, words),
        exact=claim.verdict is Verdict.EXACT,
    )


def weighted_lines(view: View, words: Words) -> Iterator[WeightedLine]:
    """Yield the lines of the latest act with their priorities."""
    happened = view.said
    kinds = {type(event) for event in happened}
    challenged, ruled_out = events.ClaimChallenged in kinds, events.ClaimRuled in kinds
    closed = {event.side for event in happened if isinstance(event, events.ClaimJudged)}
    counted, on_the_board = bool(closed) and not view.silent, bool(closed) or events.Pegged in kinds
    for at, event in enumerate(happened):
        if (lines := verdicts.lines(event, at, view, words)) is not None:
            yield from lines
            continue
        match event:
            case events.Pegged() if counted or isinstance(happened[at - 1], events.Awarded | events.ThreeForLast):
                pass  # the line before it has its points
            case events.Pegged(side, points, score):
                yield Priority.SCORE, moved_in_words(side, points, score, words)
            case events.PegReleased(side, 0) if view.silent and side not in closed:
                yield Priority.SCORE, moved_in_words(side, 0, view.sides[side].score, words)
            case events.StarterTurned() if line := heels(event, view, words):
                yield Priority.SCORE, line
            case events.ClaimAccepted(_, By.OTHER_SIDE | By.CHALLENGE) if challenged and not closed:
                yield Priority.VERDICT, stands_in_words(words)
            case events.ClaimAccepted(_, By.OTHER_SIDE) if not closed:
                yield Priority.DONE, event_in_words(event, words)
            case events.PegPutBack() | events.ClaimChallenged() | events.ChallengeWithdrawn() if ruled_out:
                pass
            case events.PointsBarred():
                yield Priority.VERDICT, verdicts.barred_line(event, view, words)
            case events.AllPassed() if view.count is not None:
                yield Priority.DONE, event_in_words(event, words)
                yield (Priority.WHY if on_the_board else Priority.DONE), words.say("hint.goes_on")
            case events.PegPutBack(side) if challenged:
                yield Priority.SCORE, recount_in_words(side, words)
            case events.FalseGoFound():
                yield from _false_go(event, view, words)
            case events.SaidGo() if view.telling in HELPED and view.way is Way.VERIFY and not view.silent:
                yield Priority.DONE, event_in_words(event, words)
                yield from _who_scores_the_go(view, words)
            case events.DealBegan() if view.prompt.kind is PromptKind.PEG:
                pass  # the main line names the dealer, and below it stands how the deal ends
            case events.Undone():
                yield Priority.END, undo_in_words(view.undone, words)
            case _ if (weight := _WEIGHTS.get(type(event))) is not None:
                yield weight, event_in_words(event, words)


def heels(event: events.StarterTurned, view: View, words: Words) -> str:
    """Return the line about a turned jack, or "".

    "" for other starters, in a silent game, and if the board pegs by itself."""
    points = read_label(view.rules).deal_and_play.his_heels
    if event.card.rank is not Rank.JACK or not points or view.way is not Way.VERIFY or view.silent:
        return ""
    return "" if view.dealer_side is None else words.say("said.heels", side=words.side(view.dealer_side))


def _false_go(event: events.FalseGoFound, view: View, words: Words) -> Iterator[WeightedLine]:
    """Yield the lines about a false go.

    If the players may roll it back, the second line says how; under other rules it is settled already."""
    values = {"card": words.card(event.card), "count": event.count}
    if view.may_roll_back and read_label(view.rules).claims.renege is Renege.ANNOUNCE:
        yield Priority.VERDICT, words.say("said.false_go", **values)
        yield Priority.SCORE, words.say("hint.roll_back")
    else:
        yield Priority.VERDICT, event_in_words(event, words)
        yield Priority.SCORE, words.say("said.would_fit", **values)


def _who_scores_the_go(view: View, words: Words) -> Iterator[WeightedLine]:
    """Yield a line on the points for a go.

    Nothing is said if a card was not read."""
    points = read_label(view.rules).deal_and_play.go
    if not points or any(laid.card is None for laid in view.laid):
        return
    ended = next((event for event in view.said if isinstance(event, events.CountEnded)), None)
    if ended is None:
        yield Priority.DONE, words.say("said.go_open", points=points)
        return
    side = ended.last % len(view.sides)
    if points > 1 or not view.sides[side].barred:
        yield Priority.SCORE, words.say("said.go_due", side=words.side(side), points=points)
