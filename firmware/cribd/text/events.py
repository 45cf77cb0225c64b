"""Puts an event into words, in every style.

Each case has the codes of its phrases side by side: for the screen, the voice, the audit of a record and the
pages. An event says only what it holds; the caller chooses who hears it, and when.
The words for judged and ruled claims are in `verdicts`.
"""

from __future__ import annotations

from dataclasses import fields

from cribboard import events
from cribboard.actions import Action, By
from cribd.text.verdicts import (
    barred_in_words,
    by_in_words,
    claim_in_words,
    occasions_in_words,
    penalty_in_words,
)
from cribd.text.words import PhraseCodes, Style, Words


def event_in_words(event: events.Event, words: Words) -> str:
    """Return the event in the style of `words`, or ""."""
    return _of_the_deal(event, words) or _of_the_cards(event, words) or _of_claims(event, words)


def _of_the_deal(event: events.Event, words: Words) -> str:
    """Describe this event, or return "" if another function does.

    The events are those of the deal, the result and the board's questions."""
    match event:
        case events.CutTied():
            return words.say_in_style(PhraseCodes(spoken="ask.cut_again"))
        case events.CardCut(seat, card):
            return words.say_in_style(PhraseCodes("said.cut"), side=words.seat(seat), card=words.card(card))
        case events.CutStands():
            return words.say_in_style(PhraseCodes("said.cut_stands"))
        case events.DealBegan(dealer):
            return words.say_in_style(PhraseCodes("said.dealer"), side=words.seat(dealer))
        case events.DealVoided():
            return words.say_in_style(PhraseCodes("said.misdeal"))
        case events.GameWon(side):
            return words.say_in_style(PhraseCodes("said.won"), side=words.side(side))
        case events.ResultAccepted(side):
            return words.say_in_style(PhraseCodes("said.result"), side=words.side(side))
        case events.ResultFinal():
            return words.say_in_style(PhraseCodes("said.final"))
        case events.BrokenOff():
            return words.say_in_style(PhraseCodes("said.broken_off"))
        case events.Agreed(side):
            return words.say_in_style(PhraseCodes("said.agreed"), side=words.side(side))
        case events.QuestionDropped():
            return words.say_in_style(PhraseCodes("said.dropped"))
    return ""


def _of_the_cards(event: events.Event, words: Words) -> str:
    """Describe an event of the cards or the play; else ""."""
    match event:
        case events.StarterTurned(card):
            return words.say_in_style(PhraseCodes("said.starter", spoken="voice.starter"), card=words.card(card))
        case events.StarterUnread():
            return words.say_in_style(PhraseCodes("said.starter_unread", written="audit.unread_starter"))
        case events.CardLaid(seat, card):
            return words.say_in_style(PhraseCodes("said.laid"), side=words.seat(seat), card=words.card(card))
        case events.CardUnread(seat):
            return words.say_in_style(PhraseCodes("said.unread", written="audit.unread_card"), seat=words.seat(seat))
        case events.HandCardShown(seat, card):
            return words.say_in_style(PhraseCodes("said.hand_card"), seat=words.seat(seat), card=words.card(card))
        case events.CribCardRead(card):
            return words.say_in_style(PhraseCodes("said.crib_card"), card=words.card(card))
        case events.SaidGo(seat):
            return words.say_in_style(PhraseCodes("said.go", spoken="voice.go"), side=words.seat(seat))
        case events.AllPassed():
            return words.say_in_style(PhraseCodes("said.all_passed"))
        case events.PassTakenBack(seat):
            codes = PhraseCodes("said.pass_taken_back", page="audit.scores.pass_back")
            return words.say_in_style(codes, seat=words.seat(seat))
        case events.CountEnded(_, count):
            return words.say_in_style(PhraseCodes("said.count_ended"), count=count)
        case events.PlayEnded():
            return words.say_in_style(PhraseCodes("said.play_ended"))
        case events.FalseGoFound(seat, card, count):
            codes, who = PhraseCodes("said.reneged", written="audit.reneged"), words.seat(seat)
            return words.say_in_style(codes, side=who, seat=who, card=words.card(card), count=count)
        case events.RolledBack(seat):
            codes = PhraseCodes("said.rolled_back", written="audit.rolled_back")
            return words.say_in_style(codes, seat=words.seat(seat))
        case events.CardDead(seat, card):
            codes = PhraseCodes("said.dead", written="audit.dead")
            return words.say_in_style(codes, seat=words.seat(seat), card=words.card(card))
    return ""


def _of_claims(event: events.Event, words: Words) -> str:
    """Describe an event of a claim, challenge or penalty; else ""."""
    match event:
        case events.ClaimJudged() | events.ClaimRuled() | events.MugginsRuled():
            return claim_in_words(event, words)
        case events.Awarded() | events.SetBack():
            return penalty_in_words(event, words)
        case events.PointsBarred():
            return barred_in_words(event, words)
        case events.ThreeForLast(side):
            return words.say_in_style(
                PhraseCodes("said.three_for_last", page="audit.scores.three"), side=words.side(side)
            )
        case events.PegPutBack(side):
            return words.say_in_style(PhraseCodes("said.put_back"), side=words.side(side))
        case events.ClaimAccepted(side, by):
            written = "audit.closed" if by is By.CHALLENGE else "audit.accepted"
            codes = PhraseCodes("said.accepted", written=written)
            return words.say_in_style(codes, side=words.side(side), by=by_in_words(by, words))
        case events.ClaimChallenged(_, by) if words.style is not Style.WRITTEN:
            return words.say_in_style(PhraseCodes("said.challenged"), side=words.side(by))
        case events.ClaimChallenged(side, by):
            return words.say("audit.challenged", side=words.side(side), by=words.side(by))
        case events.ChallengeRaised(by, against):
            return words.say_in_style(PhraseCodes(written="audit.raised"), side=words.side(against), by=words.side(by))
        case events.ChallengeWithdrawn(by):
            codes, who = PhraseCodes("said.withdrawn", written="audit.withdrawn"), words.side(by)
            return words.say_in_style(codes, side=who, by=who)
        case events.CountUnverified(seat, occasion):
            codes, what = PhraseCodes("said.not_verified", written="audit.count_unverified"), (occasion,)
            return words.say_in_style(codes, seat=words.seat(seat), what=occasions_in_words(what, words))
    return ""


def moved_in_words(side: int, points: int, total: int, words: Words) -> str:
    """Report that a side has pegged points."""
    codes = PhraseCodes("said.moved", spoken="voice.score")
    return words.say_in_style(codes, side=words.side(side), points=points, total=total, score=words.number(total))


def recount_in_words(side: int, words: Words) -> str:
    """Report that a side must count again."""
    return words.say("said.recount", side=words.side(side))


def stands_in_words(words: Words) -> str:
    """Report that a challenged claim stands."""
    return words.say("said.stands")


def undo_in_words(undone: Action | None, words: Words) -> str:
    """Report that an act was undone."""
    what = undone and undone_in_words(undone, words)
    return words.say("said.undone_what", what=what) if what else words.say("said.undone")


def undone_in_words(action: Action, words: Words) -> str:
    """Name the act that was undone."""
    values = {field.name: getattr(action, field.name) for field in fields(action)}
    return words.filled(f"undone.{type(action).__name__}", values)
