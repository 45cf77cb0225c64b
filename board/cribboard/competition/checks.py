"""Shared checks of a competition's actions. Each raises `RefusedAction`."""

from __future__ import annotations

from cribboard.competition.position import CompetitionPosition, Entrant
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.terms import CompetitionPhase

#: The most characters of a reason.
MOST_IN_REASON = 400


def must_be(p: CompetitionPosition, *phases: CompetitionPhase) -> None:
    """Raise `RefusedAction` unless the competition is in one of `phases`."""
    if p.phase not in phases:
        raise RefusedAction("not_now", phase=p.phase)


def must_not_be_open(p: CompetitionPosition) -> None:
    """Raise `RefusedAction` if all results of the competition have been opened."""
    must_be(p, CompetitionPhase.REGISTRATION, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)


def must_exist(p: CompetitionPosition, number: int) -> Entrant:
    """Return the entrant with this number. Raises `RefusedAction` if there is none."""
    if not 1 <= number <= len(p.entrants):
        raise RefusedAction("no_such_entrant", entrant=number)
    return p.entrant(number)


def must_have_player(entrant: Entrant, player: int) -> None:
    """Raise `RefusedAction` if the entrant has no player with this index."""
    if not 0 <= player < len(entrant.players):
        raise RefusedAction("no_such_player", entrant=entrant.number, player=player, players=len(entrant.players))


def must_have_reason(reason: str) -> None:
    """Raise `RefusedAction` for an empty or unsuitable reason."""
    if not reason.strip():
        raise RefusedAction("reason_missing")
    must_be_text(reason)


def must_be_text(text: str, *, most: int = MOST_IN_REASON) -> None:
    """Raise `RefusedAction` unless the text is one clean line.

    The text has at most `most` printable characters, and no space at its ends."""
    if len(text) > most:
        raise RefusedAction("text_too_long", characters=len(text), most=most)
    if not text.isprintable() or text != text.strip():
        raise RefusedAction("unprintable", text=text)
