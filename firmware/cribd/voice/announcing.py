"""From what the table shows to what is said aloud, as who calls the game at a club says it.

The running count as a card is laid, what a card or a hand is worth once that is judged, with the whole count in the
cadence of players, where a peg stands that has moved, who deals, what is asked, who wins. What a player sees for
himself, or asks for by a slip, is left to the screen.

Pure: one picture and the one before it in, words out, whatever the time. It knows only what the view shows, and so
tells nothing of what is due before its claim is closed (design law 9; rules reference, 7.22). In a silent game the
count of a card is not explained even then: its peg has moved long since, and a verdict alone is news.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.cards import Card, Rank
from cribboard.count_judge import Judgment
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
    Verdict,
)
from cribboard.scoring import Combination, Kind, Score
from cribboard.view import Asks, View
from cribd.table.snapshot import Judging, Lobby, Snapshot
from cribd.text import Phrases, announcements, count_aloud, count_judge, prompts
from cribd.text.verdicts import OF_SHOW, Weight

#: What is asked of a side that may not be looking at the screen.
_SPOKEN = frozenset(
    {
        Asks.COUNT_HAND,
        Asks.COUNT_CRIB,
        Asks.UNDO,
        Asks.MISDEAL,
        Asks.EXPOSED_CUT,
        Asks.BREAK_OFF,
        Asks.ROLL_BACK,
        Asks.LATE,
        Asks.CHALLENGE,
        Asks.GAME_CLAIMED,
        Asks.RENEGE,
    }
)

#: What says the running count with its points: fifteen for two.
_SAYS_THE_COUNT = frozenset({Kind.FIFTEEN, Kind.THIRTY_ONE})


class Aloud(Phrases):
    """The same phrases for the ear: a card by its name, a side by the name that it was given."""

    def __init__(self, phrases: Phrases, snapshot: Snapshot) -> None:
        seated = phrases.seated_for(snapshot.view)
        super().__init__(seated._catalogue, seated.players, seated.sides, snapshot.names)

    def card(self, card: Card) -> str:
        numbered = Rank.TWO <= card.rank <= Rank.TEN
        rank = count_aloud.number(card.rank, self) if numbered else self.say(f"voice.rank.{card.rank.value}")
        return self.say("voice.card", rank=rank, suit=self.say(f"voice.suit.{card.suit}"))


def announcement(snapshot: Snapshot, before: Snapshot, phrases: Phrases) -> str:
    """What is said as the picture changes from `before`: often nothing."""
    news = _news(snapshot, before, Aloud(phrases, snapshot))
    return " ".join(map(_sentence, dict.fromkeys(news)))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if text.endswith(("!", "?")) else ".")


def _news(snapshot: Snapshot, before: Snapshot, aloud: Aloud) -> Iterator[str]:
    if snapshot.pending is not None or snapshot.lobby is Lobby.RESUME:
        return
    if snapshot.official is not None and snapshot.official != before.official:
        yield prompts.ask(snapshot, aloud)
    if snapshot.judging is not None:
        yield from _of_the_judge(snapshot.judging, before.judging, aloud)
    game_waits = any(
        each is not None for each in (snapshot.menu, snapshot.judging, snapshot.looking, snapshot.official)
    )
    view, earlier = snapshot.view, before.view
    if game_waits or view is None or earlier is None or view.number == earlier.number:
        return
    yield from _of_an_act(view, aloud)
    if view.ask.what in _SPOKEN and view.ask != earlier.ask:
        yield _question(snapshot, view, aloud)
    if snapshot.match_over and not before.match_over and snapshot.match > 1 and snapshot.match_winner is not None:
        yield aloud.say("match.won", side=aloud.side(snapshot.match_winner))


def _question(snapshot: Snapshot, view: View, aloud: Aloud) -> str:
    """What is asked, and whose answer is wanted: a line of the screen has no room for both of that of a late claim."""
    if view.ask.what is Asks.LATE and view.ask.side is not None:
        return aloud.say("voice.late", side=aloud.side(view.ask.side))
    return prompts.ask(snapshot, aloud)


def _of_the_judge(judging: Judging, before: Judging | None, aloud: Aloud) -> Iterator[str]:
    """Who is right about a hand, and the count that says why; or the count alone, where nothing was called."""
    called = judging.called
    if called is None or (before is not None and called == before.called):
        return
    match called.told:
        case Judgment(score=score) as told:
            yield count_judge.verdict(told, aloud)
            yield count_aloud.spoken(score, aloud)
        case Score() as score:
            yield count_aloud.spoken(score, aloud)


def _of_an_act(view: View, aloud: Aloud) -> Iterator[str]:
    """What was just done: first how it was ruled, then its count and its points, and last what it ended."""
    lines = list(announcements.weighed(view, aloud))
    yield from (text for weight, text in lines if weight is Weight.VERDICT)
    for at, event in enumerate(view.said):
        yield from _of_an_event(event, at, view, aloud)
    yield from (text for weight, text in lines if weight is Weight.END)
    if any(isinstance(event, GameWon) for event in view.said) and (skunk := aloud.skunk(view)):
        yield skunk
    if view.count and any(isinstance(event, Undone) for event in view.said):
        yield count_aloud.number(view.count, aloud)


def _of_an_event(event: Event, at: int, view: View, aloud: Aloud) -> Iterator[str]:
    events = view.said
    match event:
        case CutTied():
            yield aloud.say("ask.cut_again")
        case DealBegan(dealer):
            yield aloud.say("said.dealer", side=aloud.seat(dealer))
        case StarterTurned(card):
            yield aloud.say("voice.starter", card=aloud.card(card))
            if view.dealer_side is not None and announcements.are_heels(card, view):
                yield aloud.say("said.heels", side=aloud.side(view.dealer_side))
        case CardLaid(_, _, count) if not _count_is_told(events[at:]):
            yield count_aloud.number(count, aloud)
        case SaidGo():
            yield aloud.say("voice.go")
        case AllPassed():
            yield aloud.say("said.all_passed")
        case ClaimJudged():
            yield from _of_a_claim(event, view, aloud)
        case PegPutBack(side) if _is_counted_again(events):
            yield aloud.say("said.recount", side=aloud.side(side))
        case Awarded(side, points):
            yield aloud.say("voice.awarded", side=aloud.side(side), points=count_aloud.number(points, aloud))
        case Pegged(side) | SetBack(side) if not _moves_again(side, events[at + 1 :]):
            yield _score(side, view, aloud)
        case PegReleased(side, 0) if view.silent and not _is_closed(side, events):
            yield _score(side, view, aloud)


def _of_a_claim(claim: ClaimJudged, view: View, aloud: Aloud) -> Iterator[str]:
    """What a claim that is closed was worth: a hand in full cadence, a card as it is called when it is laid."""
    if claim.verdict is Verdict.UNVERIFIED:
        return
    if set(claim.occasions) <= set(OF_SHOW):
        yield count_aloud.spoken(Score(claim.combinations), aloud)
    elif not view.silent and claim.combinations:
        yield ", ".join(_worth(each, aloud) for each in claim.combinations)
    if claim.verdict is Verdict.TOO_FEW and not any(isinstance(each, MugginsRuled) for each in view.said):
        yield aloud.count("said.lost", claim.due - claim.called)


def _worth(combination: Combination, aloud: Aloud) -> str:
    """One thing that a card made, and its points: fifteen for two."""
    size, points = (count_aloud.number(each, aloud) for each in (len(combination.cards), combination.points))
    return aloud.say(f"voice.for.{combination.kind.value}", size=size, points=points)


def _score(side: int, view: View, aloud: Aloud) -> str:
    return aloud.say("voice.score", side=aloud.side(side), score=count_aloud.number(view.sides[side].score, aloud))


def _count_is_told(events: Sequence[Event]) -> bool:
    """Whether the points of the card that was just laid say its count."""
    claims = (each for each in events if isinstance(each, ClaimJudged))
    return any(combination.kind in _SAYS_THE_COUNT for claim in claims for combination in claim.combinations)


def _is_closed(side: int, events: Sequence[Event]) -> bool:
    return any(isinstance(each, ClaimJudged) and each.side == side for each in events)


def _moves_again(side: int, later: Sequence[Event]) -> bool:
    return any(isinstance(each, Pegged | SetBack) and each.side == side for each in later)


def _is_counted_again(events: Sequence[Event]) -> bool:
    """Whether a peg was put back because its count was challenged, and no ruling says more."""
    kinds = {type(each) for each in events}
    return ClaimChallenged in kinds and ClaimRuled not in kinds
