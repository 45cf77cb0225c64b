"""The scores of a game for one person, as JSON for its page: the counts of the deal, the correction of his last call,
and how the game ended. Only settled scores are used (design law 9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cribboard import events
from cribboard.event_terms import Occasion, Verdict
from cribboard.game import Game
from cribboard.position import Phase, Position
from cribboard.score_entry import ScoreEntry
from cribboard.view import see
from cribd.robots.deal import Deal
from cribd.solo.session import PERSON, Session
from cribd.web.kiosk.shared.score_json import entry


def counts_of(p: Position, names: Sequence[str]) -> list[dict[str, Any]]:
    """The hands and the crib counted in this deal; until the starter is turned, those of the deal before."""
    last = p.deal if p.starter is not None or p.phase in (Phase.WON, Phase.OVER) else p.deal - 1
    view = see(p)
    return [entry(score, names, view) for score in p.scores if score.cards and score.deal in (p.deal, last)]


def correction_of(game: Game, deal: Deal | None, names: Sequence[str]) -> dict[str, Any] | None:
    """The last call of the person if it was wrong, until his next act."""
    p = game.position
    called = next((score for score in reversed(p.scores) if score.seat == PERSON), None)
    if called is None or not isinstance(called.what, events.ClaimJudged):
        return None
    if called.what.verdict not in (Verdict.TOO_MANY, Verdict.TOO_FEW):
        return None
    next_deal = called.deal != p.deal and (deal is None or deal.discarded[PERSON] is not None)
    if next_deal or any(map(_is_act_of_person, game.log[called.number :])):
        return None
    return entry(called, names, see(p))


def _is_act_of_person(event: events.Event) -> bool:
    match event:
        case events.CardLaid(seat) | events.SaidGo(seat) | events.HandCardShown(seat):
            return seat == PERSON
        case events.PegTaken(side):
            return side == PERSON
    return False


def end_of(session: Session) -> dict[str, Any]:
    """How the game ended: its number once it is over, the person's scores, and the cost of his discards."""
    game = session.playing()
    p = game.game.position
    mine = [score for score in p.scores if score.seat == PERSON and isinstance(score.what, events.ClaimJudged)]
    return {
        "game": game.id if p.phase is Phase.OVER else None,
        "skunk": str(p.skunk),
        "deals": p.deal,
        "hand": _mean(mine, Occasion.HAND),
        "crib": _mean(mine, Occasion.CRIB),
        "play": sum(score.points for score in mine if not score.cards) if mine else None,
        "gave_up": None if session.gave_up is None else round(session.gave_up, 1),
    }


def _mean(scores: Iterable[ScoreEntry], of: Occasion) -> float | None:
    """The mean of the counts of hands, or of cribs; None if there is none."""
    judged = [(score, score.what) for score in scores if score.cards and isinstance(score.what, events.ClaimJudged)]
    points = [score.points for score, what in judged if of in what.occasions]
    return round(sum(points) / len(points), 1) if points else None
