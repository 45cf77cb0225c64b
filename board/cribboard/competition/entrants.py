"""Actions and events of entrants: register, check in, depart, penalise, replace.

Rules reference, 3.31; FADOQ, 1 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cribboard.competition import actions, events
from cribboard.competition.checks import (
    must_be,
    must_be_text,
    must_exist,
    must_have_player,
    must_have_reason,
    must_not_be_open,
)
from cribboard.competition.names import MOST_IN_NAME, looks_like, spaced
from cribboard.competition.position import (
    CompetitionPosition,
    Encounter,
    Entrant,
    Penalty,
    ReplacedPlayer,
    Round,
    begun,
    is_over,
    with_entrant,
    without_last_round,
)
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.terms import CompetitionPhase, EntrantStatus, Stage
from cribboard.competition.view import EntrantView

#: The most points that one penalty takes: more than any game or night is worth.
MOST_POINTS = 9999


def register(p: CompetitionPosition, action: actions.Register) -> events.Registered:
    """Register an entrant before or during play."""
    must_be(p, CompetitionPhase.REGISTRATION, CompetitionPhase.PLAY)
    name = _unused_name(p, action.name)
    size = p.format.team_size
    players = tuple(map(_clean_name, action.players)) or ((name,) if size == 1 else ())
    if len(players) != size:
        raise RefusedAction("wrong_team_size", name=name, players=len(players), wanted=size)
    if len({*map(looks_like, players)}) != size:
        raise RefusedAction("one_player_twice", name=players[0])
    _must_not_play_elsewhere(p, players)
    if not 0 <= action.captain < size:
        raise RefusedAction("no_such_player", entrant=len(p.entrants) + 1, player=action.captain, players=size)
    return events.Registered(action.part, action.captain, name, players)


def rename(p: CompetitionPosition, action: actions.Rename) -> events.Renamed:
    """Rename an entrant.

    If it is a single player with the same name, rename the player too."""
    must_exist(p, action.entrant)
    return events.Renamed(action.entrant, _unused_name(p, action.name, but=action.entrant))


def rename_player(p: CompetitionPosition, action: actions.RenamePlayer) -> events.PlayerRenamed | events.Renamed:
    """Correct the name of a player, who stays the same person."""
    entrant = must_exist(p, action.entrant)
    must_have_player(entrant, action.player)
    if entrant.players == (entrant.name,):
        return rename(p, actions.Rename(action.entrant, action.name))
    others = [player for at, player in enumerate(entrant.players) if at != action.player]
    name = _unused_player_name(p, action.name, entrant.number, others)
    return events.PlayerRenamed(action.entrant, action.player, name)


def show_as(p: CompetitionPosition, action: actions.ShowAs) -> events.ShownAs:
    """Set the public name of an entrant."""
    must_exist(p, action.entrant)
    name = _unused_name(p, action.name, but=action.entrant) if action.name else ""
    return events.ShownAs(action.entrant, name)


def check_in(p: CompetitionPosition, action: actions.CheckIn) -> events.CheckedIn:
    """Mark an entrant as present, and confirm its captain.

    The entrant may be seated from the next round on."""
    must_be(p, CompetitionPhase.REGISTRATION, CompetitionPhase.PLAY)
    entrant = must_exist(p, action.entrant)
    if entrant.status is EntrantStatus.DISQUALIFIED:
        raise RefusedAction("disqualified", entrant=entrant.number)
    if entrant.is_present and action.captain == entrant.captain:
        raise RefusedAction("already_present", entrant=entrant.number)
    must_have_player(entrant, action.captain)
    if entrant.status is EntrantStatus.LEFT:  # its players may play for others since
        _must_not_play_elsewhere(p, entrant.players, but=entrant.number)
    return events.CheckedIn(entrant.number, action.captain)


def depart(p: CompetitionPosition, action: actions.Depart) -> events.Departed:
    """Mark an entrant as absent, left or disqualified.

    An entrant that left or was disqualified needs a reason."""
    must_not_be_open(p)
    entrant = must_exist(p, action.entrant)
    if action.status not in (EntrantStatus.ABSENT, EntrantStatus.LEFT, EntrantStatus.DISQUALIFIED):
        raise RefusedAction("not_a_departure", status=action.status)
    if entrant.status is action.status or entrant.status is EntrantStatus.DISQUALIFIED:
        raise RefusedAction("not_present", entrant=entrant.number, status=entrant.status)
    if action.status is not EntrantStatus.ABSENT:
        must_have_reason(action.reason)
    must_be_text(action.reason)
    return events.Departed(entrant.number, action.status, action.reason)


def penalise(p: CompetitionPosition, action: actions.Penalise) -> events.Penalised:
    """Take penalty points from an entrant."""
    must_not_be_open(p)
    must_exist(p, action.entrant)
    if not 1 <= action.points <= MOST_POINTS:
        raise RefusedAction("not_a_penalty", points=action.points, most=MOST_POINTS)
    must_have_reason(action.reason)
    return events.Penalised(action.entrant, action.points, action.reason)


def substitute(p: CompetitionPosition, action: actions.Substitute) -> events.Substituted:
    """Replace a player by a substitute.

    The entrant keeps its results."""
    must_not_be_open(p)
    entrant = must_exist(p, action.entrant)
    must_have_player(entrant, action.player)
    name = _unused_player_name(p, action.name, entrant.number, entrant.players)
    must_have_reason(action.reason)
    return events.Substituted(entrant.number, action.player, name, action.reason)


def seed(p: CompetitionPosition, action: actions.SeedEntrants) -> events.Seeded:
    """Set the seeding of all entrants during registration."""
    must_be(p, CompetitionPhase.REGISTRATION)
    for number in (*(entrant.number for entrant in p.entrants), *action.entrants):
        if action.entrants.count(number) != 1 or not 1 <= number <= len(p.entrants):
            raise RefusedAction("seeds_incomplete", entrant=number)
    return events.Seeded(action.entrants)


def note_hand(p: CompetitionPosition, action: actions.NoteHand) -> events.HandNoted:
    """Note a hand of 28 or 29 points."""
    must_not_be_open(p)
    must_exist(p, action.entrant)
    if action.points not in (28, 29):
        raise RefusedAction("not_a_great_hand", points=action.points)
    return events.HandNoted(action.entrant, action.points)


# Checks of names and players


def _unused_name(p: CompetitionPosition, name: str, *, but: int = 0) -> str:
    """Clean the name, and refuse a name of another entrant."""
    name = _clean_name(name)
    for entrant in p.entrants:
        taken = map(looks_like, (entrant.name, entrant.shown_as or entrant.name))
        if entrant.number != but and looks_like(name) in taken:
            raise RefusedAction("name_taken", entrant=entrant.number, name=name)
    return name


def _unused_player_name(p: CompetitionPosition, name: str, entrant: int, others: Iterable[str]) -> str:
    """Clean a player's name, and refuse a name that is taken.

    Taken are the names `others`, and the names of the players of other entrants than `entrant`."""
    name = _clean_name(name)
    if looks_like(name) in map(looks_like, others):
        raise RefusedAction("player_taken", name=name, entrant=entrant)
    _must_not_play_elsewhere(p, (name,), but=entrant)
    return name


def _clean_name(name: str) -> str:
    if not name.strip():
        raise RefusedAction("name_empty")
    name = spaced(name)
    must_be_text(name, most=MOST_IN_NAME)
    return name


def _must_not_play_elsewhere(p: CompetitionPosition, players: Iterable[str], *, but: int = 0) -> None:
    """Refuse players who already play for an entrant other than `but`."""
    others = players_taken(entrant for entrant in p.entrants if entrant.number != but)
    for name in players:
        if (number := others.get(looks_like(name))) is not None:
            raise RefusedAction("player_taken", name=name, entrant=number)


def players_taken(entrants: Iterable[Entrant | EntrantView]) -> dict[str, int]:
    """Map each player's normalised name to the entrant's number.

    Entrants that left are not included."""
    return {
        looks_like(name): entrant.number
        for entrant in entrants
        if entrant.status is not EntrantStatus.LEFT
        for name in entrant.players
    }


# How the events change the position


def evolve(p: CompetitionPosition, event: events.EntrantEvent) -> CompetitionPosition:
    """Apply an event that changes an entrant, or the seeding."""
    match event:
        case events.Registered():
            made = Entrant(
                number=len(p.entrants) + 1,
                registered=p.number + 1,
                name=event.name,
                players=event.players,
                captain=event.captain,
                part=event.part,
            )
            return replace(p, entrants=(*p.entrants, made))
        case events.Seeded():
            return replace(p, seeds=event.entrants)
        case events.Departed():
            return _departed(p, event)
    entrant = p.entrant(event.entrant)
    match event:
        case events.Renamed():
            players = (event.name,) if entrant.players == (entrant.name,) else entrant.players
            entrant = replace(entrant, name=event.name, players=players)
        case events.PlayerRenamed():
            entrant = replace(entrant, players=_with_player(entrant, event.player, event.name))
        case events.ShownAs():
            entrant = replace(entrant, shown_as=event.name)
        case events.CheckedIn():
            since = entrant.since if entrant.is_present else len(p.rounds)
            entrant = replace(entrant, status=EntrantStatus.PRESENT, captain=event.captain, since=since, reason="")
        case events.Penalised():
            entrant = replace(entrant, penalties=(*entrant.penalties, Penalty(event.points, event.reason)))
        case events.Substituted():
            replaced = (*entrant.replaced, ReplacedPlayer(entrant.players[event.player], event.reason))
            players = _with_player(entrant, event.player, event.name)
            entrant = replace(entrant, players=players, replaced=replaced)
        case events.HandNoted():
            entrant = replace(entrant, hands=(*entrant.hands, event.points))
    return with_entrant(p, entrant)


def _with_player(entrant: Entrant, player: int, name: str) -> tuple[str, ...]:
    return (*entrant.players[:player], name, *entrant.players[player + 1 :])


def _departed(p: CompetitionPosition, event: events.Departed) -> CompetitionPosition:
    entrant = replace(p.entrant(event.entrant), status=event.status, reason=event.reason)
    calls = tuple(number for number in p.calls if number != entrant.number)
    rounds = tuple(
        replace(round_, encounters=tuple(_ended(p, round_, encounter, entrant) for encounter in round_.encounters))
        for round_ in p.rounds
    )
    p = with_entrant(replace(p, rounds=rounds, calls=calls), entrant)
    last = p.current
    if last is None or last.stage is not Stage.DRAWN:
        return p
    if any(entrant.number in encounter.entrants for encounter in last.encounters):
        return without_last_round(p)
    byes, waiting = (tuple(n for n in numbers if n != entrant.number) for numbers in (last.byes, last.waiting))
    return replace(p, rounds=(*p.rounds[:-1], replace(last, byes=byes, waiting=waiting)))


def _ended(p: CompetitionPosition, round_: Round, encounter: Encounter, leaver: Entrant) -> Encounter:
    """End this encounter early if `leaver` plays in it.

    A match is forfeited; games that have not begun are cancelled. An absent entrant's waiting game is cancelled too."""
    if round_.stage is Stage.DRAWN or leaver.number not in encounter.entrants or is_over(p, encounter):
        return encounter
    if encounter.games is None:
        return replace(encounter, forfeited_by=leaver.number)
    games = len(encounter.results) if leaver.status is EntrantStatus.ABSENT else begun(p, round_, encounter)
    return replace(encounter, games=games, forfeited_by=leaver.number)
