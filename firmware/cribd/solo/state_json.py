"""The state of a game for one person, as JSON for its page: the person's own cards, and the open cards of the others.

A window without hands gets the same without the person's own cards. Nothing here knows a card of a robot, or of the
crib, that was not cut, laid or shown, except where robots alone play: their hands lie open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cribboard.cards import Card
from cribboard.event_terms import Occasion
from cribboard.events import CardCut, Event
from cribboard.play import count
from cribboard.position import Phase, Position
from cribd.robots.acts import standing
from cribd.robots.deal import Deal
from cribd.robots.trusted_play import TrustedPlay
from cribd.solo.ask import ask_of
from cribd.solo.coach import Advice, worst
from cribd.solo.robot_turns import SPEEDS, RobotTurns
from cribd.solo.scores_json import correction_of, counts_of, end_of
from cribd.solo.session import PERSON, Session
from cribd.table.snapshot import Judging, Lobby, Looking, Menu, Official, ShownMode


def state_of(session: Session, turns: RobotTurns, *, hands: bool) -> dict[str, Any]:
    """The state for one window. `hands`: whether the window may act."""
    solo, game = session.solo_game, session.game
    latest = session.snapshot.view
    told: dict[str, Any] = {
        "unfinished": latest is not None and latest.phase is not Phase.OVER,
        "left": session.left is not None,
        "playing": solo is not None and game is not None,
        "hands": hands,
        "pace": {"speed": turns.pace.speed, "waits": turns.pace.waits, "speeds": SPEEDS},
        "leaves_time": turns.leaves_time,
    }
    if solo is None:
        return told
    told |= {"rules": solo.rules, "way": solo.way, "strength": solo.strength, "person": solo.person}
    told["names"] = solo.names
    if game is None:
        return told
    p, deal, play = game.game.position, session.deal, session.trusted_play
    table = p if play is None else play.position
    told |= {
        "number": p.number,
        "deal": p.deal,
        "phase": p.phase,
        "dealer": p.dealer,
        "seats": [_seat(seat, session, table, deal, play) for seat in p.rules.seats],
        "laid": [[seat, str(card)] for seat, card in _laid(table)],
        "count": count(table.cards) if table.phase is Phase.PLAY else None,
        "over": table.count_over,
        "counting": _counting(p.counting if play is None else play.counting),
        "starter": _starter(p, deal, play),
        "crib": _crib(p, deal, play),
        "cuts": _cuts(game.game.log, p),
        "scores": [pegs.front for pegs in p.pegs],
        "hand": _spelled(_own_hand(table, deal, play)) if hands and solo.person else [],
        "turn": table.turn if table.phase is Phase.PLAY else None,
        "coach": _coach(session) if hands and solo.person else None,
        "winner": p.winner,
        "counts": counts_of(p, solo.names),
        "correction": correction_of(game.game, deal, solo.names) if solo.person else None,
        "end": end_of(session) if p.phase in (Phase.WON, Phase.OVER) else None,
    }
    if solo.person:
        waiting = _waits_outside_game(session.snapshot.mode)
        told["ask"] = {"kind": waiting} if waiting else ask_of(p, deal, play, session.robots)
    return told


def _waits_outside_game(mode: ShownMode) -> str | None:
    """What the board waits for while presses do not go to the game; None while they do, and after the last game."""
    match mode:
        case Lobby.RESUME:
            return "resume"
        case Lobby.START:
            return "start"
        case Menu():
            return "menu"
        case Judging() | Looking() | Official():
            return "other"
    return None


def _seat(seat: int, session: Session, p: Position, deal: Deal | None, play: TrustedPlay | None) -> dict[str, Any]:
    """A player: its side, whether it is a robot, its open cards, and how many cards it still has. If every seat is a
    robot's, all hands are shown, because nobody plays who must not see them: the one exception of design law 9."""
    robots = session.robots
    open_cards = list(p.hands[seat]) if p.hands else []
    if play is not None and deal is not None and play.shows(seat):
        open_cards = list(deal.kept(seat))
    held = [card for card in deal.kept(seat) if card not in open_cards] if deal is not None else []
    all_robots = robots is not None and set(robots.strengths) == set(p.rules.seats)
    discards = deal is not None and deal.discarded[seat] is None
    return {
        "side": p.rules.side_of(seat),
        "robot": robots is not None and seat in robots.strengths,
        "open": _spelled(open_cards),
        "held": len(held),
        "hand": _spelled(sorted(held)) if all_robots else [],
        "discards": discards,
    }


def _laid(p: Position) -> list[tuple[int, Card]]:
    """The open cards of the play with their seats, without cards that no reader could read."""
    return [(seat, card) for seat, card in p.stack if card is not None] if p.phase is Phase.PLAY else []


def _own_hand(p: Position, deal: Deal | None, play: TrustedPlay | None) -> tuple[Card, ...]:
    """The cards that the person still has, lowest first."""
    if deal is None or (play is not None and play.shows(PERSON)):
        return ()
    shown = p.hands[PERSON] if p.hands else ()
    return tuple(sorted(card for card in deal.kept(PERSON) if card not in shown))


def _cuts(log: Iterable[Event], p: Position) -> list[str]:
    """The cards cut for the deal, until the starter is cut."""
    if p.deal > 1 or p.phase not in (Phase.CUT, Phase.DEAL):
        return []
    return [str(event.card) for event in standing(log) if isinstance(event, CardCut)][-len(p.rules.seats) :]


def _counting(counting: tuple[int, Occasion] | None) -> dict[str, Any] | None:
    """The seat whose hand or crib must be counted now."""
    return None if counting is None else {"seat": counting[0], "crib": counting[1] is Occasion.CRIB}


def _starter(p: Position, deal: Deal | None, play: TrustedPlay | None) -> str | None:
    if play is not None and deal is not None:
        return str(deal.dealt.starter)
    return None if p.starter is None else str(p.starter)


def _crib(p: Position, deal: Deal | None, play: TrustedPlay | None) -> dict[str, Any]:
    """How many cards the crib has, and which of them are open."""
    size = 0 if deal is None else sum(len(given or ()) for given in deal.discarded) + len(deal.dealt.from_pack)
    lies_open: Sequence[Card] = p.crib
    if play is not None and deal is not None and play.counting is not None and play.counting[1] is Occasion.CRIB:
        lies_open = deal.crib
    return {"size": min(size, 4), "open": _spelled(lies_open)}


def _coach(session: Session) -> dict[str, Any] | None:
    """The coach's advice on the last finished deal; None during a deal."""
    lesson = session.lesson
    if lesson is None or (session.deal is not None and session.deal.is_ready and not _is_won(session)):
        return None
    return {"discard": _advice(lesson.discard), "card": _advice(worst(lesson.cards)), "cards": len(lesson.cards)}


def _is_won(session: Session) -> bool:
    return session.game is not None and session.game.game.position.phase in (Phase.WON, Phase.OVER)


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
