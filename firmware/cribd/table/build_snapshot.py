"""Builds the snapshot from the state of the table.

It is the one way out of the table: of the game it shows a view, and of the table nothing that a view hides (design
law 9).
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.cards import PACK, Card
from cribboard.position import Phase, Position
from cribboard.view import see
from cribd.inputs import Fault
from cribd.table.commands import Mode, base_of
from cribd.table.match import CurrentMatch
from cribd.table.next_game import NextGame
from cribd.table.review import Review
from cribd.table.rule_sets import RuleSet, titled
from cribd.table.settings import Settings
from cribd.table.snapshot import CountJudgeMode, Lobby, Pending, Refusal, Snapshot


def build_snapshot(
    match: CurrentMatch,
    mode: Mode,
    next_game: NextGame,
    *,
    offered: Sequence[RuleSet],
    faults: tuple[Fault, ...],
    refusal: Refusal | None,
    pending: Pending | None,
    resting: bool = False,
    steps: bool = False,
    rehearsed: int = 0,
    club: str | None = None,
) -> Snapshot:
    """Make the snapshot of the table.

    `next_game`: the game that OK starts. `offered`: the rules that this board can play, with their titles. `steps`:
    points are called with step keys. `rehearsed`: the rehearsal that was confirmed here. `club` is the name of the
    board's club."""
    p, rules, names = match.position, next_game.rules, next_game.names
    settings, event = next_game.settings, next_game.event
    base = base_of(mode)
    between = base in (Lobby.START, Lobby.AGAIN)
    standing = match.standing(rules, names, between=between, event=event)
    shown_names = names if base is Lobby.START else _names_of_game(match, settings) or names
    return Snapshot(
        view=None if p is None else see(p),
        mode=mode.looking if isinstance(mode, Review) else mode,
        waiting=() if p is None else _waiting(p),
        refusal=refusal,
        undoes=None if between else match.last_act,
        faults=faults,
        names=shown_names[: len(rules.sides if between or p is None else p.rules.sides)],
        next_names=names[: len(rules.sides)],
        ended=match.games_ended,
        seen=mode.judge.cards if isinstance(mode, CountJudgeMode) else _open_cards(None if between else p),
        games=standing.games,
        points=standing.points,
        match=standing.rules.game.match,
        standings=standing.rules.game.standings,
        match_over=standing.over,
        match_winner=standing.winner,
        players=match.players,
        match_rules=match.rules,
        ends=match.ends(rules, names, event),
        rules=titled(rules, offered),
        way=str(next_game.way),
        language=settings.language,
        steps=steps,
        pending=pending,
        resting=resting,
        event=event,
        waits=next_game.waits,
        rehearsed=rehearsed,
        club=club,
        entered=match.entered,
    )


def _names_of_game(match: CurrentMatch, settings: Settings) -> tuple[str, ...]:
    """Return the players' names in the latest game, or ().

    They are () without a game, or if the settings have names. A game of an event keeps its own names."""
    if match.latest is None or (any(settings.names) and match.latest.played_for is None):
        return ()
    return match.latest.heading.names


def _open_cards(p: Position | None) -> tuple[Card, ...]:
    """Return the cards that lie face up or were cut."""
    if p is None:
        return ()
    hidden = {card.place for card in p.unseen}.difference(card.place for _, card in p.cuts)
    return tuple([card for card in PACK if card.place not in hidden])


def _waiting(p: Position) -> tuple[int, ...]:
    """List the sides that must still press OK."""
    if p.question is not None:
        return tuple(side for side in p.rules.sides if side not in p.answered)
    return tuple(side for side in p.rules.sides if side not in p.agreed) if p.phase is Phase.WON else ()
