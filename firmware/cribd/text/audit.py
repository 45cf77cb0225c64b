"""The audit of a game's record, act by act.

Pure: a game that was judged again goes in, steps and lines come out. A step shows the view of the table as it was then
and the events up to it, nothing of what came later. A record holds what was due only from where its claim was closed
(design law 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.actions import By
from cribboard.cards import Card
from cribboard.event_terms import Ground, Verdict
from cribboard.events import (
    Acted,
    Awarded,
    CardDead,
    ChallengeRaised,
    ChallengeWithdrawn,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    Event,
    FalseGoFound,
    MugginsRuled,
    RolledBack,
    SetBack,
)
from cribboard.game import Game
from cribboard.ledger import ClaimMade, claims_made
from cribboard.record import Record
from cribboard.replay import Acts
from cribboard.rules import Rules
from cribboard.view import View
from cribd.table.snapshot import Snapshot
from cribd.text import act_lines, prompts
from cribd.text.events import event_in_words
from cribd.text.verdicts import by_in_words, rule_in_words, with_rule
from cribd.text.words import Style, Words

#: Verdicts that are no dispute.
_NOTHING_DISPUTED = (Verdict.EXACT, Verdict.UNVERIFIED)


class Audit(Acts):
    """The acts and claims of a game that was judged again.

    `otherwise` lists the lines of the record that today's version would judge differently; a record of today's version
    has none."""

    def __init__(self, read: Record, game: Game, *, otherwise: Sequence[int] = ()) -> None:
        super().__init__(game)
        self.record = read
        self.otherwise = tuple(otherwise)

    def next_disputed(self, number: int) -> int | None:
        """Find the next disputed act after event `number`, or None."""
        return next((end for end in self.ends if end > number and any(map(_is_disputed, self.act(end)))), None)

    def hole(self, side: int, hole: int) -> int | None:
        """Find the front peg's last move into this hole, or None."""
        return max(self.put_into(side, lambda front: front == hole), default=None)

    def holes(self, side: int) -> tuple[int, ...]:
        """List every hole in which this side's front peg stood."""
        return tuple(sorted({self.front(side, number) for number in self.ends}))

    # What was claimed

    def claims(self) -> tuple[ClaimMade, ...]:
        """List all closed claims, including undone ones."""
        return claims_made(self.log, self.positions)


def _is_disputed(event: Event) -> bool:
    match event:
        case ClaimJudged(verdict=verdict):
            return verdict not in _NOTHING_DISPUTED
        case ClaimRuled() | ClaimChallenged() | ChallengeRaised() | MugginsRuled() | SetBack() | Awarded():
            return True
        case FalseGoFound() | RolledBack() | CardDead():
            return True
    return False


# In words


def describe(audit: Audit, number: int, phrases: Words) -> tuple[str, ...]:
    """Describe an act, and the table after the act, in lines.

    The lines have the pegs, the cards, the act and its effects, the claims, and the next prompt."""
    view = audit.view(number)
    words = phrases.seated_for(view)
    return (
        where(audit, number, words),
        *table(view, words, audit.record.heading.names),
        *_act_lines(audit, number, words),
        *([" · ".join(act_lines.said(view, words))] if view.said else []),
        words.say("audit.now", ask=prompts.prompt_line(Snapshot(view=view), words)),
    )


def where(audit: Audit, number: int, words: Words) -> str:
    """Return the line with the event's number and deal."""
    view = audit.view(number)
    line = words.say("audit.event", number=number, last=audit.last)
    if view.dealer is None:
        return line
    return f"{line}, {words.say('audit.deal', deal=view.deal, seat=words.seat(view.dealer))}"


def table(view: View, words: Words, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield lines for the pegs and the open cards."""
    for side, pegs in enumerate(view.sides):
        name = f" ({names[side]})" if names and names[side] else ""
        line = words.count("audit.pegs", pegs.score, side=words.side(side) + name, back=pegs.back)
        lifted = "" if pegs.in_hand is None else f", {words.say('audit.in_hand', hole=pegs.in_hand)}"
        yield line + lifted
    if view.starter is not None:
        yield words.say("audit.starter", card=words.card(view.starter))
    if view.laid:
        laid = ", ".join(f"{words.seat(play.seat)} {_card(play.card, words)}" for play in view.laid)
        yield words.say("audit.laid", cards=laid, count="?" if view.count is None else view.count)
    if view.counted:
        yield words.say("audit.counted", cards=_cards(view.counted, words))


def _act_lines(audit: Audit, number: int, words: Words) -> Iterator[str]:
    """Yield each event in the record's notation, then its `sentence`."""
    spelling = audit.record.heading.spelling
    act = audit.act(number)
    for event in act:
        yield ("" if isinstance(event, Acted) else "  ") + spelling.write(event)
        if line := sentence(event, words, audit.record.heading.rules, mugged=_is_mugged(act)):
            yield f"    {line}"


def _is_mugged(act: Sequence[Event]) -> bool:
    """Whether muggins closed the claim of this act."""
    muggins = any(isinstance(event, MugginsRuled | ChallengeWithdrawn) for event in act)
    return muggins and not any(isinstance(event, ClaimChallenged) for event in act)


def sentence(event: Event, words: Words, rules: Rules, *, mugged: bool = False) -> str:
    """Describe an event in one line, or return "".

    Only what an official asks about has a line: the end of a claim, a penalty, an unread card, a false go, a challenge.
    `mugged` is whether muggins closed the claim."""
    words = words.styled(Style.WRITTEN)
    match event:
        case ClaimAccepted(side, By.CHALLENGE) if mugged:
            return words.say("audit.closed", side=words.side(side), by=by_in_words(By.CHALLENGE, words, mugged=True))
        case ClaimJudged() | ClaimRuled() | MugginsRuled() | Awarded() | SetBack():
            return with_rule(event_in_words(event, words), event.ground, words, rules)
    return event_in_words(event, words)


def keys(words: Words) -> str:
    """Say what each key does in an audit."""
    return words.say("audit.keys")


def no_further(words: Words) -> str:
    """Say that there is no further act to show."""
    return words.say("audit.no_more")


def holes_in_words(claim: ClaimMade, sides: int, words: Words) -> str:
    """Say how many holes each side gained and lost."""
    moves = []
    for side in range(sides):
        gained, lost = claim.gained(side), claim.lost(side)
        holes = " ".join((*((f"+{gained}",) if gained else ()), *((f"−{lost}",) if lost else ())))
        if holes:
            moves.append(f"{words.side(side)} {holes}")
    return ", ".join(moves) or "–"


def rules_in_words(claim: ClaimMade, words: Words, rules: Rules) -> str:
    """Name the rules, other than the counting, that decided a claim."""
    grounds = (ground for ground in claim.grounds if ground is not Ground.COUNT)
    return "; ".join(rule_in_words(ground, words, rules) for ground in grounds)


def _cards(cards: Sequence[Card], words: Words) -> str:
    return " ".join(map(words.card, cards))


def _card(card: Card | None, words: Words) -> str:
    return words.say("audit.unread") if card is None else words.card(card)
