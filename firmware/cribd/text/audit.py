"""A record as an audit: step through a game, back and forth, and read what was claimed, due and accepted.

Pure: a game that was judged again goes in, steps and lines come out. What is shown of a step is the view of the table
as it was then and the events up to it, nothing of what came later; and a record holds what was due only from where
its claim was closed (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.actions import By
from cribboard.cards import Card
from cribboard.events import (
    Acted,
    Awarded,
    CardDead,
    CardUnread,
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountUnverified,
    Event,
    Ground,
    MugginsRuled,
    Occasion,
    PointsBarred,
    Reneged,
    RolledBack,
    SetBack,
    StarterUnread,
    Verdict,
)
from cribboard.game import Game
from cribboard.ledger import ClaimMade, claims_made
from cribboard.record import Record
from cribboard.replay import Acts
from cribboard.rules import Rules, cited
from cribboard.scoring import Combination, Score
from cribboard.view import View
from cribd.table.snapshot import Snapshot
from cribd.text import Phrases, count_aloud

#: Verdicts with nothing in them for a judge.
_NOTHING_DISPUTED = (Verdict.EXACT, Verdict.UNVERIFIED)


class Audit(Acts):
    """The acts of a record that was judged again, and what was claimed in them. `otherwise` are the lines of its file
    that today's rulings would not give; a record of today's version has none."""

    def __init__(self, read: Record, game: Game, *, otherwise: Sequence[int] = ()) -> None:
        super().__init__(game)
        self.record = read
        self.otherwise = tuple(otherwise)

    def next_disputed(self, number: int) -> int | None:
        """The next act in which a claim was challenged, ruled, or judged other than exact, or a rule was broken."""
        return next((end for end in self.ends if end > number and any(map(_is_disputed, self.act(end)))), None)

    def hole(self, side: int, hole: int) -> int | None:
        """The act that put the front peg of this side into this hole, the last one if there were several."""
        return max(self.put_into(side, lambda front: front == hole), default=None)

    def holes(self, side: int) -> tuple[int, ...]:
        """Every hole in which the front peg of this side ever stood."""
        return tuple(sorted({self.front(side, number) for number in self.ends}))

    # What was claimed

    def claims(self) -> tuple[ClaimMade, ...]:
        """Every claim that was judged or ruled, in order, those that were undone included."""
        return claims_made(self.log, self.positions())


def _is_disputed(event: Event) -> bool:
    match event:
        case ClaimJudged(verdict=verdict):
            return verdict not in _NOTHING_DISPUTED
        case ClaimRuled() | ClaimChallenged() | ChallengeRaised() | MugginsRuled() | SetBack() | Awarded():
            return True
        case Reneged() | RolledBack() | CardDead():
            return True
    return False


# In words


def told(audit: Audit, number: int, phrases: Phrases) -> tuple[str, ...]:
    """The table after this act, in lines: pegs, cards, the act with what it caused, claims, and who is asked what."""
    view = audit.view(number)
    words = phrases.seated_for(view)
    return (
        where(audit, number, words),
        *table(view, words, audit.record.heading.names),
        *_done(audit, number, words),
        *([" · ".join(words.said(view))] if view.said else []),
        words.say("audit.now", ask=words.ask(Snapshot(view=view))),
    )


def where(audit: Audit, number: int, words: Phrases) -> str:
    """Which event of how many this is, in which deal."""
    view = audit.view(number)
    line = words.say("audit.event", number=number, last=audit.last)
    if view.dealer is None:
        return line
    return f"{line}, {words.say('audit.deal', deal=view.deal, seat=words.seat(view.dealer))}"


def table(view: View, words: Phrases, names: Sequence[str] = ()) -> Iterator[str]:
    """The pegs of each side, and the cards that lie open."""
    for side, pegs in enumerate(view.sides):
        name = f" ({names[side]})" if names and names[side] else ""
        line = words.count("audit.pegs", pegs.score, side=words.side(side) + name, back=pegs.back)
        lifted = "" if pegs.in_hand is None else f", {words.say('audit.in_hand', hole=pegs.in_hand)}"
        yield line + lifted
    if view.starter is not None:
        yield words.say("audit.starter", card=words.card(view.starter))
    if view.laid:
        laid = ", ".join(f"{words.seat(each.seat)} {_card(each.card, words)}" for each in view.laid)
        yield words.say("audit.laid", cards=laid, count="?" if view.count is None else view.count)
    if view.counted:
        yield words.say("audit.counted", cards=_cards(view.counted, words))


def _done(audit: Audit, number: int, words: Phrases) -> Iterator[str]:
    """The lines of the act as the record has them; below a claim that was closed, ruled or accepted, what it was."""
    spelling = audit.record.heading.spelling
    act = audit.act(number)
    for event in act:
        yield ("" if isinstance(event, Acted) else "  ") + spelling.write(event)
        if line := claim_in_words(event, words, audit.record.heading.rules, mugged=_is_mugged(act)):
            yield f"    {line}"


def _is_mugged(act: Sequence[Event]) -> bool:
    """Whether what is closed in this act is closed by a call of muggins, and not because it was called too much."""
    muggins = any(isinstance(event, MugginsRuled | ChallengeWithdrawn) for event in act)
    return muggins and not any(isinstance(event, ClaimChallenged) for event in act)


def claim_in_words(event: Event, words: Phrases, rules: Rules, *, mugged: bool = False) -> str | None:
    """A claim that is closed, ruled or accepted, and what comes of it, in one line; so is what else a judge asks about:
    a card that was not read, a false go, a challenge. None of another event."""
    match event:
        case ClaimJudged(side, occasions, verdict, called, due, combinations, ground):
            line = words.say(
                "audit.judged",
                side=words.side(side),
                called=called,
                what=occasions_in_words(occasions, words),
                due=due,
                verdict=verdict_in_words(verdict, words),
            )
            return line + _made(combinations, words) + _by_rule(ground, words, rules)
        case ClaimRuled(side, points, verdict, ground):
            said = verdict_in_words(verdict, words)
            line = words.say("audit.ruled", side=words.side(side), called=points, verdict=said)
            return line + _by_rule(ground, words, rules)
        case MugginsRuled(by, against, called, missed, verdict, combinations, ground):
            line = words.say(
                "audit.muggins",
                side=words.side(by),
                against=words.side(against),
                called=called,
                missed=missed,
                verdict=verdict_in_words(verdict, words),
            )
            return line + _made(combinations, words) + _by_rule(ground, words, rules)
        case Awarded(side, points, ground):
            line = words.say("audit.awarded", side=words.side(side), points=words.points(points))
            return line + _by_rule(ground, words, rules)
        case SetBack(side, score, back, ground):
            line = words.say("audit.set_back", side=words.side(side), front=score, back=back)
            return line + _by_rule(ground, words, rules)
        case ClaimAccepted(side, By.CHALLENGE):
            return words.say("audit.closed", side=words.side(side), by=by_in_words(By.CHALLENGE, words, mugged=mugged))
        case ClaimAccepted(side, by):
            return words.say("audit.accepted", side=words.side(side), by=by_in_words(by, words))
        case PointsBarred(side, points, bar):
            why = words.say(f"audit.bar.{bar.value}")
            return words.say("audit.barred", side=words.side(side), points=words.points(points), why=why)
        case ClaimChallenged(side, by):
            return words.say("audit.challenged", side=words.side(side), by=words.side(by))
        case ChallengeRaised(by, against):
            return words.say("audit.raised", side=words.side(against), by=words.side(by))
        case ChallengeWithdrawn(by):
            return words.say("audit.withdrawn", by=words.side(by))
    return _beside_claims(event, words)


def _beside_claims(event: Event, words: Phrases) -> str | None:
    """What a claim may rest on, or come back by: a card that was not read, a false go."""
    match event:
        case StarterUnread():
            return words.say("audit.unread_starter")
        case CardUnread(seat):
            return words.say("audit.unread_card", seat=words.seat(seat))
        case CountUnverified(seat, occasion):
            return words.say(
                "audit.count_unverified", seat=words.seat(seat), what=occasions_in_words((occasion,), words)
            )
        case Reneged(seat, card, count):
            return words.say("audit.reneged", seat=words.seat(seat), card=words.card(card), count=count)
        case RolledBack(seat):
            return words.say("audit.rolled_back", seat=words.seat(seat))
        case CardDead(seat, card):
            return words.say("audit.dead", seat=words.seat(seat), card=words.card(card))
    return None


def _made(combinations: Sequence[Combination], words: Phrases) -> str:
    """What made the points, as it is counted: each with its cards and the running total."""
    return f" ({', '.join(count_aloud.lines(Score(tuple(combinations)), words))})" if combinations else ""


def _by_rule(ground: Ground, words: Phrases, rules: Rules) -> str:
    """The rule that it rests on, where that is more than the count of the cards."""
    return "" if ground is Ground.COUNT else f" [{rule_in_words(ground, words, rules)}]"


def rule_in_words(ground: Ground, words: Phrases, rules: Rules) -> str:
    """A rule, with its number where it has one."""
    number = cited(rules, ground)
    said = words.say(f"audit.ground.{ground.value}")
    return f"{said}, {number}" if number else said


def keys(words: Phrases) -> str:
    """What each key does for whoever steps through a game at a terminal."""
    return words.say("audit.keys")


def no_further(words: Phrases) -> str:
    """That there is nothing where a key would have led."""
    return words.say("audit.no_more")


def verdict_in_words(verdict: Verdict, words: Phrases) -> str:
    """A verdict, in a word or two."""
    return words.say(f"audit.verdict.{verdict.value}")


def by_in_words(by: By, words: Phrases, *, mugged: bool = False) -> str:
    """Who or what accepted, or closed."""
    return words.say("audit.by.muggins" if mugged else f"audit.by.{by.value}")


def holes_in_words(claim: ClaimMade, sides: int, words: Phrases) -> str:
    """The holes that each side gained and lost by a claim."""
    told = []
    for side in range(sides):
        gained, lost = claim.gained(side), claim.lost(side)
        holes = " ".join((*((f"+{gained}",) if gained else ()), *((f"−{lost}",) if lost else ())))
        if holes:
            told.append(f"{words.side(side)} {holes}")
    return ", ".join(told) or "–"


def rules_in_words(claim: ClaimMade, words: Phrases, rules: Rules) -> str:
    """Every rule that decided something in a claim, where that is more than the count of the cards."""
    grounds = (ground for ground in claim.grounds if ground is not Ground.COUNT)
    return "; ".join(rule_in_words(ground, words, rules) for ground in grounds)


def occasions_in_words(occasions: Sequence[Occasion], words: Phrases) -> str:
    """What a claim was for."""
    return " + ".join(words.say(f"audit.for.{occasion.value}") for occasion in occasions) or "–"


def _cards(cards: Sequence[Card], words: Phrases) -> str:
    return " ".join(map(words.card, cards))


def _card(card: Card | None, words: Phrases) -> str:
    """A card, or that it could not be read."""
    return words.say("audit.unread") if card is None else words.card(card)
