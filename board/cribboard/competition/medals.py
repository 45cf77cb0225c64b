"""Medals, opened places, and calls for an official (3.15, 3.30)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.competition import actions, events
from cribboard.competition.checks import must_be, must_be_text, must_exist, must_have_player
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.results import in_state, outstanding
from cribboard.competition.rounds import draw_play_off
from cribboard.competition.standings import StandingsGroup, groups, pairs_of_play_off, play_off_pairs
from cribboard.competition.terms import CompetitionPhase, GameAt, MedalTie, ResultState
from cribboard.rules import Option


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle to opening results: a refusal code and a game."""

    code: str
    at: GameAt


def obstacles(p: CompetitionPosition) -> tuple[Obstacle, ...]:
    """Find what still prevents the opening of the results.

    An opening with a reason ignores these obstacles."""
    found = [Obstacle("outstanding", at) for at in outstanding(p)]
    found += [Obstacle("disputed", at) for at in in_state(p, ResultState.DISPUTED)]
    if p.format.check_pass is Option.ON:
        found += [Obstacle("not_checked", at) for at in in_state(p, ResultState.ACCEPTED)]
    return tuple(found)


def level_at_medals(p: CompetitionPosition) -> tuple[StandingsGroup, ...]:
    """Return the groups that are tied for a medal.

    Groups that share a medal by a ruling are left out."""
    return tuple(
        group
        for group in groups(p)
        if len(group.entrants) > 1 and group.place <= p.format.medals and group.entrants not in p.shared
    )


def next_place(p: CompetitionPosition) -> int | None:
    """Return the place to open next, or None.

    None if all places are open, or no entrant is ranked. The place of the last medal is opened first."""
    places = {group.place for group in groups(p) if group.place <= p.format.medals}
    return max((place for place in places if not p.opened or place < p.opened[-1]), default=None)


def play_off(p: CompetitionPosition, action: actions.DrawPlayOff) -> events.PlayOffDrawn:
    """Draw play-off pairs of entrants tied for the same medal.

    In a group of three all meet; in a larger group each entrant plays one match or has a bye."""
    must_be(p, CompetitionPhase.PLAYED)
    if p.format.is_elimination:
        raise RefusedAction("no_play_off")
    for blocking in obstacles(p):
        if blocking.code != "not_checked" and not p.rounds[blocking.at.round - 1].play_off:
            raise RefusedAction(blocking.code, table=blocking.at.table, round=blocking.at.round)
    level = level_at_medals(p)
    number = 0
    for pairing in action.seating.pairings:
        group = next((group for group in level if set(pairing.entrants) <= set(group.entrants)), None)
        if group is None:
            raise RefusedAction("not_level", first=pairing.entrants[0], second=pairing.entrants[1])
        drawn = play_off_pairs(p, group)
        common = 2 if len(group.entrants) == 3 else 1
        taken = any(len({*pair} & {*pairing.entrants}) >= common for pair in drawn)
        if taken or len(drawn) >= pairs_of_play_off(len(group.entrants)):
            raise RefusedAction("met_in_play_off", entrant=pairing.entrants[0])
        if number and number != group.play_offs + 1:
            raise RefusedAction("play_offs_differ", entrant=pairing.entrants[0])
        number = group.play_offs + 1
    return draw_play_off(p, action.seating, number)


def share_medal(p: CompetitionPosition, action: actions.ShareMedal) -> events.MedalShared:
    """Let entrants share a medal as long as they are tied."""
    must_be(p, CompetitionPhase.PLAYED)
    members = tuple(sorted(action.entrants))
    if all(group.entrants != members for group in level_at_medals(p)):
        raise RefusedAction("not_level", first=members[0] if members else 0, second=members[-1] if members else 0)
    return events.MedalShared(members)


def open_place(p: CompetitionPosition, action: actions.OpenPlace) -> events.PlaceOpened:
    """Give the medal for the next place.

    Outstanding, disputed or unchecked results block this unless a reason is given; a tie that needs a play-off always
    blocks this. First place comes last."""
    must_be(p, CompetitionPhase.PLAYED)
    must_be_text(action.reason)
    wanted = next_place(p)
    if wanted is None:
        raise RefusedAction("nobody_ranked")
    if action.place != wanted:
        raise RefusedAction("not_that_place", place=action.place, wanted=wanted)
    blocking = obstacles(p)
    if blocking and not action.reason and not p.overridden:
        raise RefusedAction(blocking[0].code, table=blocking[0].at.table, round=blocking[0].at.round)
    level = level_at_medals(p) if p.format.level_medals is MedalTie.PLAY_OFF else ()
    if level:
        raise RefusedAction("level_at_medal", entrants=level[0].entrants, place=level[0].place)
    return events.PlaceOpened(action.place, action.reason if blocking else "")


def call_official(p: CompetitionPosition, action: actions.CallOfficial) -> events.OfficialCalled:
    """Call an official, if the format allows this.

    Some formats allow this only to the captain (FADOQ, 1)."""
    entrant = must_exist(p, action.entrant)
    must_have_player(entrant, action.player)
    if p.format.captain_only is Option.ON and action.player != entrant.captain:
        raise RefusedAction("captain_only", entrant=entrant.number, captain=entrant.players[entrant.captain])
    if not entrant.is_present:
        raise RefusedAction("not_present", entrant=entrant.number, status=entrant.status)
    if entrant.number in p.calls:
        raise RefusedAction("already_called", entrant=entrant.number)
    return events.OfficialCalled(entrant.number, action.player)


def answer_call(p: CompetitionPosition, action: actions.AnswerCall) -> events.CallAnswered:
    """Mark a call for an official as answered."""
    must_exist(p, action.entrant)
    if action.entrant not in p.calls:
        raise RefusedAction("not_called", entrant=action.entrant)
    return events.CallAnswered(action.entrant)


# How the events change the position


def evolve(p: CompetitionPosition, event: events.MedalEvent) -> CompetitionPosition:
    """Apply an event that concerns medals, or a call for an official."""
    match event:
        case events.MedalShared():
            return replace(p, shared=(*p.shared, event.entrants))
        case events.PlaceOpened():
            p = replace(p, opened=(*p.opened, event.place), overridden=event.reason or p.overridden, starts="")
            return p if next_place(p) is not None else replace(p, phase=CompetitionPhase.OPEN)
        case events.OfficialCalled():
            return replace(p, calls=(*p.calls, event.entrant))
        case events.CallAnswered():
            return replace(p, calls=tuple(number for number in p.calls if number != event.entrant))
