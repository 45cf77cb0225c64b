"""The state of a game for one person, as JSON.

A window that may not act gets the state without the person's own cards. Nothing here knows a card of a robot, or of the
crib, that was not cut, laid or shown, except where robots alone play: their hands lie open. Only settled scores are
used (design law 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cribboard.cards import Card
from cribboard.event_terms import Occasion, Verdict
from cribboard.events import CardCut, CardLaid, ClaimJudged, Event, HandCardShown, PegTaken, SaidGo
from cribboard.game import Game
from cribboard.play import count
from cribboard.position import Phase, Position
from cribboard.score_entry import ScoreEntry
from cribboard.view import see
from cribd.robots.deal import Deal, standing, without
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo.ask import ask_of
from cribd.solo.coach import Advice, worst
from cribd.solo.robot_turns import SPEEDS, RobotTurns
from cribd.solo.session import PERSON, Session
from cribd.table.snapshot import (
    ClubMode,
    ConfirmOff,
    CountJudgeMode,
    DeskMessageMode,
    Lobby,
    Menu,
    OfficialMode,
    ReviewMode,
    ShownMode,
    SwitchedOff,
)
from cribd.web.kiosk.shared.score_json import entry


def state_of(session: Session, turns: RobotTurns, *, may_act: bool) -> dict[str, Any]:
    """Return the state for one window of the page."""
    solo, game = session.solo_game, session.game
    latest = session.snapshot.view
    state: dict[str, Any] = {
        "unfinished": latest is not None and latest.phase is not Phase.OVER,
        "left": session.left is not None,
        "playing": solo is not None and game is not None,
        "hands": may_act,
        "pace": {"speed": turns.pace.speed, "waits": turns.pace.waits, "speeds": SPEEDS},
        "leaves_time": turns.leaves_time,
    }
    if solo is None:
        return state
    names, person = solo.names, solo.person
    state |= {"rules": solo.rules, "way": solo.way, "strength": solo.strength, "person": person, "names": names}
    if game is None:
        return state
    p, deal, play = game.game.position, session.deal, session.trusted_play
    table = p if play is None else play.position
    counting = p.counting if play is None else play.counting
    starter = p.starter if play is None else play.deal.starter
    in_play, is_ended = table.phase is Phase.PLAY, p.phase in (Phase.WON, Phase.OVER)
    state |= {
        "number": p.number,
        "deal": p.deal,
        "phase": p.phase,
        "dealer": p.dealer,
        "seats": [_seat(seat, session, table, deal, play) for seat in p.rules.seats],
        "laid": [[seat, str(card)] for seat, card in table.stack if card is not None] if in_play else [],
        "count": count(table.cards) if in_play else None,
        "over": table.count_over,
        "counting": None if counting is None else {"seat": counting[0], "crib": counting[1] is Occasion.CRIB},
        "starter": None if starter is None else str(starter),
        "crib": _crib(p, deal, play),
        "cuts": _cuts(game.game.log, p),
        "scores": [pegs.front for pegs in p.pegs],
        "hand": _spelled(sorted(_cards(PERSON, table, deal, play)[1])) if may_act and person else [],
        "turn": table.turn if in_play else None,
        "coach": _coach(session, is_ended=is_ended) if may_act and person else None,
        "winner": p.winner,
        "counts": _counts_of(p, names),
        "correction": _correction_of(game.game, deal, names) if person else None,
        "end": _end_of(session) if is_ended else None,
    }
    if person:
        waiting = _waits_outside_game(session.snapshot.mode)
        state["ask"] = {"kind": waiting} if waiting else ask_of(p, deal, play, session.robots)
    return state


def _waits_outside_game(mode: ShownMode) -> str | None:
    """Return what the board waits for outside the game.

    None while presses go to the game, and after the last game."""
    match mode:
        case Lobby.RESUME:
            return "resume"
        case Lobby.START:
            return "start"
        case Menu():
            return "menu"
        case (
            CountJudgeMode()
            | ReviewMode()
            | OfficialMode()
            | ClubMode()
            | DeskMessageMode()
            | ConfirmOff()
            | SwitchedOff()
        ):
            return "other"
    return None


def _seat(seat: int, session: Session, p: Position, deal: Deal | None, play: TrustedPlay | None) -> dict[str, Any]:
    """Return a seat and its cards as JSON.

    If every seat is a robot's, all hands are shown, because nobody plays who must not see them: the one exception of
    design law 9."""
    robots = set() if session.robots is None else set(session.robots.levels)
    open_cards, hand = _cards(seat, p, deal, play)
    return {
        "side": p.rules.side_of(seat),
        "robot": seat in robots,
        "open": _spelled(open_cards),
        "held": len(hand),
        "hand": _spelled(sorted(hand)) if robots == set(p.rules.seats) else [],
        "discards": deal is not None and deal.discarded[seat] is None,
    }


def _cards(
    seat: int, p: Position, deal: Deal | None, play: TrustedPlay | None
) -> tuple[Sequence[Card], Sequence[Card]]:
    """Return a seat's open cards, and those in its hand."""
    hand = () if deal is None else deal.kept(seat)
    if play is not None and play.shows(seat):
        return hand, ()
    laid = p.hands[seat] if p.hands else ()
    return laid, without(hand, laid)


def _cuts(log: Iterable[Event], p: Position) -> list[str]:
    """Return the cards that were cut for the first deal.

    None are left once the starter is turned up."""
    if p.deal > 1 or p.phase not in (Phase.CUT, Phase.DEAL):
        return []
    return [str(event.card) for event in standing(log) if isinstance(event, CardCut)][-len(p.rules.seats) :]


def _crib(p: Position, deal: Deal | None, play: TrustedPlay | None) -> dict[str, Any]:
    size = 0 if deal is None else sum(len(given or ()) for given in deal.discarded) + len(deal.from_pack)
    is_counted = play is not None and play.counting is not None and play.counting[1] is Occasion.CRIB
    return {"size": min(size, 4), "open": _spelled(deal.crib if deal is not None and is_counted else p.crib)}


def _counts_of(p: Position, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the hands and crib that were counted in this deal.

    Until the starter is turned, the counts of the deal before are included."""
    last = p.deal if p.starter is not None or p.phase in (Phase.WON, Phase.OVER) else p.deal - 1
    view = see(p)
    return [entry(score, names, view) for score in p.scores if score.cards and score.deal in (p.deal, last)]


def _correction_of(game: Game, deal: Deal | None, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the person's last call if it was wrong, or None.

    None also once the person has acted again or the next deal has begun."""
    p = game.position
    called = next((score for score in reversed(p.scores) if score.seat == PERSON), None)
    if called is None or not isinstance(called.what, ClaimJudged):
        return None
    if called.what.verdict not in (Verdict.TOO_MANY, Verdict.TOO_FEW):
        return None
    next_deal = called.deal != p.deal and (deal is None or deal.discarded[PERSON] is not None)
    if next_deal or any(map(_is_act_of_person, game.log[called.number :])):
        return None
    return entry(called, names, see(p))


def _is_act_of_person(event: Event) -> bool:
    match event:
        case CardLaid(seat) | SaidGo(seat) | HandCardShown(seat):
            return seat == PERSON
        case PegTaken(side):
            return side == PERSON
    return False


def _end_of(session: Session) -> dict[str, Any]:
    """Return the person's summary of the game.

    `game` is None until the game is over."""
    game = session.playing()
    p = game.game.position
    mine = [score for score in p.scores if score.seat == PERSON and isinstance(score.what, ClaimJudged)]
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
    judged = [(score, score.what) for score in scores if score.cards and isinstance(score.what, ClaimJudged)]
    points = [score.points for score, what in judged if of in what.occasions]
    return round(sum(points) / len(points), 1) if points else None


def _coach(session: Session, *, is_ended: bool) -> dict[str, Any] | None:
    """Return the advice on the last deal, until the next discards."""
    lesson, deal = session.lesson, session.deal
    if lesson is None or (deal is not None and deal.is_ready and not is_ended):
        return None
    return {"discard": _advice(lesson.discard), "card": _advice(worst(lesson.cards)), "cards": len(lesson.cards)}


def _advice(advice: Advice | None) -> dict[str, Any] | None:
    if advice is None:
        return None
    return {
        "chosen": _spelled(advice.chosen),
        "best": _spelled(advice.best),
        "gave_up": round(advice.gave_up, 1),
        "is_best": advice.is_best,
    }


def _spelled(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]
