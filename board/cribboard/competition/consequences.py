"""Find what the organiser should know before an action is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cribboard.competition import actions
from cribboard.competition.actions import CompetitionAction
from cribboard.competition.evolution import fold
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.referee import decide
from cribboard.competition.results import outstanding
from cribboard.competition.rounds import games_left
from cribboard.competition.terms import CompetitionPhase, Stage


@dataclass(frozen=True, slots=True)
class Consequence:
    """Something that the organiser should know before an action."""

    code: str
    values: Mapping[str, object]


def consequences(p: CompetitionPosition, action: CompetitionAction) -> tuple[Consequence, ...]:
    """Find what the organiser should know before this action is done. Raises `RefusedAction`."""
    after = fold(p, decide(p, action))
    found: list[Consequence] = []
    match action:
        case actions.Depart() | actions.SetGames() if len(after.rounds) < len(p.rounds):
            found.append(Consequence("cancels_round", {"round": len(p.rounds)}))
        case actions.CheckIn(number) if not p.entrant(number).is_present and p.current is not None:
            left = games_left(p)
            resting = tuple(n for n in (*p.current.byes, *p.current.waiting) if left.get(n, 0) > 0)
            if resting and p.phase is CompetitionPhase.PLAY:
                code = "rest_in_drawn_round" if p.current.stage is Stage.DRAWN else "rest_in_started_round"
                found.append(Consequence(code, {"entrants": resting, "round": p.current.number}))
        case actions.DrawRound() | actions.DrawPlayOff():
            if results := len([*outstanding(p)]):
                found.append(Consequence("results_outstanding", {"results": results}))
    if p.phase is CompetitionPhase.PLAY and _uneven(after) and (isinstance(action, actions.SetGames) or not _uneven(p)):
        found.append(Consequence("uneven_games", {"present": len(after.present), "games": after.games}))
    return tuple(found)


def _uneven(p: CompetitionPosition) -> bool:
    """Whether the remaining games leave an entrant without an opponent."""
    if p.format.is_elimination:
        return False
    left = [games for games in games_left(p).values() if games > 0]
    return sum(left) % 2 == 1 or sum(-(-games // p.format.visit) for games in left) % 2 == 1
