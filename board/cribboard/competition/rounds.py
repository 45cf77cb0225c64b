"""Actions and events of rounds and of the whole competition."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from cribboard.competition import actions, elimination, events
from cribboard.competition.checks import must_be, must_exist, must_have_reason, must_not_be_open
from cribboard.competition.formats import FIELDS, Format
from cribboard.competition.position import (
    CompetitionPosition,
    Encounter,
    Round,
    begun,
    is_over,
    winner_of,
    without_last_round,
)
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Choice, CompetitionPhase, Movement, Stage

MOST_TABLES = 300
#: The phases in which the number of games may change.
SET_GAMES_PHASES = (CompetitionPhase.REGISTRATION, CompetitionPhase.PLAY)
#: A date and a time with their offset from UTC, in ISO 8601.
_TIME = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?[+-]([01]\d|2[0-3]):[0-5]\d",
    re.ASCII,
)


def set_tables(p: CompetitionPosition, action: actions.SetTables) -> events.TablesSet:
    """Set the number of tables.

    Refuse the number if a table with a higher number is in use."""
    must_not_be_open(p)
    _must_be_within(action.tables, what="tables", low=1, high=MOST_TABLES)
    for _, encounter in p.encounters(play_off=None):
        if encounter.table > action.tables and not is_over(p, encounter):
            raise RefusedAction("tables_in_use", table=encounter.table)
    return events.TablesSet(action.tables)


def set_games(p: CompetitionPosition, action: actions.SetGames) -> events.GamesSet:
    """Set the number of games for each entrant (3.31)."""
    must_be(p, *SET_GAMES_PHASES)
    if p.format.is_elimination:
        raise RefusedAction("no_number_of_games")
    _must_be_within(action.games, what="games", low=FIELDS["games"].low, high=FIELDS["games"].high)
    for number, games in games_begun(p).items():
        if games > action.games:
            raise RefusedAction("games_begun", entrant=number, begun=games, games=action.games)
    return events.GamesSet(action.games)


def count_missing(p: CompetitionPosition, action: actions.CountMissing) -> events.MissingCounted:
    """Set the rule for counting missing games."""
    must_not_be_open(p)
    return events.MissingCounted(action.missing)


def begin(p: CompetitionPosition, action: actions.Begin) -> events.Begun:
    """Begin play if the numbers of entrants and games fit.

    A choice of the organiser (`Choice`) can allow other numbers."""
    must_be(p, CompetitionPhase.REGISTRATION)
    form, present = p.format, len(p.present)
    robin = action.choice is Choice.ROUND_ROBIN
    if robin and form.movement is not Movement.SCHEDULED:
        raise RefusedAction("no_round_robin", movement=form.movement)
    if present < (2 if robin else form.min_entrants):
        raise RefusedAction("too_few_entrants", present=present, wanted=form.min_entrants, format=form.name)
    if not p.tables:
        raise RefusedAction("no_tables")
    if form.is_elimination:
        return events.Begun(0)
    games = (present - 1) * form.visit if robin or p.games is None else p.games
    visits = -(-games // form.visit)
    if present % 2 and (visits % 2 or games % 2) and action.choice is not Choice.ONE_SHORT:
        raise RefusedAction("uneven_games", present=present, games=games)
    return events.Begun(games)


def choices_after(code: str, form: Format) -> tuple[Choice, ...]:
    """Return the organiser's choices after `begin` was refused with this code."""
    if code == "too_few_entrants" and form.movement is Movement.SCHEDULED:
        return (Choice.ROUND_ROBIN,)
    return (Choice.ONE_SHORT,) if code == "uneven_games" else ()


def fitting_games(form: Format, games: int) -> tuple[int, ...]:
    """Find the possible numbers of games that are nearest to `games`.

    They are for an odd number of entrants."""
    fitting = [number for number in range(2, FIELDS["games"].high + 1, 2) if -(-number // form.visit) % 2 == 0]
    below, above = ([n for n in fitting if n < games], [n for n in fitting if n > games])
    return (*below[-1:], *above[:1])


def pause(p: CompetitionPosition, action: actions.Pause) -> events.Paused:
    """Pause play, with a reason that the hall may read."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _must_not_be_paused(p)
    must_have_reason(action.reason)
    return events.Paused(action.reason)


def resume(p: CompetitionPosition, _: actions.Resume) -> events.Resumed:
    """End the pause."""
    if not p.paused:
        raise RefusedAction("not_paused")
    return events.Resumed()


def announce(p: CompetitionPosition, action: actions.AnnounceStart) -> events.StartAnnounced:
    """Announce a start time to the hall."""
    must_not_be_open(p)
    if action.time and not _TIME.fullmatch(action.time):
        raise RefusedAction("not_a_time", time=action.time)
    return events.StartAnnounced(action.time)


def end_play(p: CompetitionPosition, _: actions.EndPlay) -> events.CompetitionPlayEnded:
    """End play. Refuse this while a drawn round has not started.

    Missing results may still be entered."""
    must_be(p, CompetitionPhase.PLAY)
    _must_have_started(p)
    return events.CompetitionPlayEnded()


def draw(p: CompetitionPosition, action: actions.DrawRound) -> events.RoundDrawn:
    """Draw the next round with this seating, if allowed.

    Nobody may be seated twice or forgotten, and everybody who plays must be present and have games left."""
    must_be_drawable(p)
    _check_seating(p, action.seating)
    if p.format.is_elimination:
        due = {frozenset(pair) for pair in bracket(p).due}
        for pairing in action.seating.pairings:
            if frozenset(pairing.entrants) not in due:
                raise RefusedAction("not_in_the_bracket", first=pairing.entrants[0], second=pairing.entrants[1])
        return events.RoundDrawn(action.seating)
    left = games_left(p)
    for pairing in action.seating.pairings:
        for number in pairing.entrants:
            if left[number] <= 0:
                raise RefusedAction("played_all", entrant=number, games=p.games)
    named = set(action.seating.entrants)
    for number, games in left.items():
        if games > 0 and number not in named:
            raise RefusedAction("left_out", entrant=number)
    return events.RoundDrawn(action.seating)


def must_be_drawable(p: CompetitionPosition) -> None:
    """Raise `RefusedAction` if no round can be drawn now."""
    must_be(p, CompetitionPhase.PLAY)
    _must_not_be_paused(p)
    _must_have_started(p)
    if p.format.movement is Movement.WINNERS_STAY:
        for round_, encounter in p.encounters():
            if not is_over(p, encounter):
                raise RefusedAction("outstanding", table=encounter.table, round=round_.number)


def start_round(p: CompetitionPosition, _: actions.StartRound) -> events.RoundStarted:
    """Start the games of the drawn round."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _must_not_be_paused(p)
    _must_be_drawn(p)
    return events.RoundStarted()


def cancel(p: CompetitionPosition, action: actions.CancelRound) -> events.RoundCancelled:
    """Cancel a round that has not started."""
    must_be(p, CompetitionPhase.PLAY, CompetitionPhase.PLAYED)
    _must_be_drawn(p)
    must_have_reason(action.reason)
    return events.RoundCancelled(action.reason)


def _check_seating(p: CompetitionPosition, seating: Seating) -> None:
    """Raise `RefusedAction` if the seating is empty or wrong."""
    if not seating.pairings:
        raise RefusedAction("nobody_seated")
    for number in seating.entrants:
        entrant = must_exist(p, number)
        if not entrant.is_present:
            raise RefusedAction("not_present", entrant=number, status=entrant.status)
    for number, times in Counter(seating.entrants).items():
        if times > 1:
            raise RefusedAction("seated_twice", entrant=number)
    for table, pairs in Counter(pairing.table for pairing in seating.pairings).items():
        if not 1 <= table <= p.tables:
            raise RefusedAction("no_such_table", table=table, tables=p.tables)
        if pairs > 1:
            raise RefusedAction("table_twice", table=table)


def draw_play_off(p: CompetitionPosition, seating: Seating, play_off: int) -> events.PlayOffDrawn:
    """Draw a round of the play-off that has this number.

    Refuse an entrant whose earlier play-off match is not over. The caller checks that the entrants of each pair are
    tied."""
    _must_not_be_paused(p)
    _must_have_started(p)
    _check_seating(p, seating)
    playing = {number for pairing in seating.pairings for number in pairing.entrants}
    for round_, encounter in p.encounters(play_off=None):
        if encounter.play_off and (both := playing & set(encounter.entrants)) and not is_over(p, encounter):
            raise RefusedAction("still_playing", entrant=min(both), round=round_.number)
    return events.PlayOffDrawn(play_off, seating)


# Values computed from the rounds


def games_begun(p: CompetitionPosition) -> dict[int, int]:
    """Count the games that each entrant has begun outside play-offs."""
    games = dict.fromkeys(range(1, len(p.entrants) + 1), 0)
    for round_, encounter in p.encounters():
        for number in encounter.entrants:
            games[number] += begun(p, round_, encounter)
    return games


def byes(p: CompetitionPosition) -> dict[int, tuple[int, ...]]:
    """List the entrants that have a bye, by round.

    An entrant that has played all games is not shown, unless it has the only bye of a full round. The totals count
    every round without an opponent (A58)."""
    found: dict[int, tuple[int, ...]] = {}
    seated: Counter[int] = Counter()
    for round_ in p.rounds:
        full = len(round_.byes) == 1 or round_.play_off or p.games is None
        found[round_.number] = round_.byes if full else tuple(n for n in round_.byes if seated[n] < (p.games or 0))
        for encounter in round_.encounters if not round_.play_off else ():
            for number in encounter.entrants:
                seated[number] += encounter.drawn
    return found


def games_left(p: CompetitionPosition) -> dict[int, int]:
    """Count the games still to be drawn for each present entrant."""
    left = {entrant.number: p.games or 0 for entrant in p.present}
    for _, encounter in p.encounters():
        for number in left.keys() & encounter.entrants:
            left[number] -= encounter.drawn
    return left


def rounds_left(p: CompetitionPosition) -> int:
    """Return the least number of rounds that the remaining games need.

    In an elimination, return 1 if a pair can play now, and 0 otherwise."""
    if p.phase is not CompetitionPhase.PLAY:
        return 0
    if p.format.is_elimination:
        return min(1, len(bracket(p).due))
    visits = [-(-games // p.format.visit) for games in games_left(p).values() if games > 0]
    if len(visits) < 2:
        return 0
    seats = 2 * max(1, min(len(visits) // 2, p.tables))
    return max(*visits, -(-sum(visits) // seats))


def bracket(p: CompetitionPosition) -> elimination.BracketState:
    """Return the current state of an elimination's bracket."""
    winners: dict[frozenset[int], list[int | None]] = {}
    for _, encounter in p.encounters():
        winners.setdefault(frozenset(encounter.entrants), []).append(winner_of(p, encounter))
    gone = {entrant.number for entrant in p.entrants if not entrant.is_present}
    if p.format.movement is Movement.SINGLE_ELIMINATION:
        return elimination.resolve(elimination.single(len(p.seeds)), p.seeds, winners, lives=1, gone=gone)
    return elimination.resolve(elimination.double(len(p.seeds)), p.seeds, winners, lives=2, gone=gone)


def _must_be_within(number: int, *, what: str, low: int, high: int) -> None:
    if not low <= number <= high:
        raise RefusedAction("no_such_number", number=number, what=what, low=low, high=high)


def _must_not_be_paused(p: CompetitionPosition) -> None:
    if p.paused:
        raise RefusedAction("paused", reason=p.paused)


def _must_be_drawn(p: CompetitionPosition) -> None:
    if p.current is None or p.current.stage is Stage.STARTED:
        raise RefusedAction("no_round_to_start")


def _must_have_started(p: CompetitionPosition) -> None:
    if p.current is not None and p.current.stage is Stage.DRAWN:
        raise RefusedAction("round_not_started", round=p.current.number)


# How the events change the position


def evolve(p: CompetitionPosition, event: events.RoundEvent) -> CompetitionPosition:
    """Apply an event that concerns rounds or the whole competition."""
    match event:
        case events.TablesSet():
            return replace(p, tables=event.tables)
        case events.GamesSet():
            return _games_set(p, event)
        case events.MissingCounted():
            return replace(p, missing=event.missing)
        case events.Begun():
            seeds: tuple[int, ...] = ()
            if p.format.is_elimination:
                present = [entrant.number for entrant in p.present]
                seeds = tuple(number for number in p.seeds if number in present)
                seeds += tuple(number for number in present if number not in seeds)  # the others by their numbers
            return replace(p, phase=CompetitionPhase.PLAY, games=event.games or None, seeds=seeds)
        case events.Paused():
            return replace(p, paused=event.reason)
        case events.Resumed():
            return replace(p, paused="")
        case events.StartAnnounced():
            return replace(p, starts=event.time)
        case events.CompetitionPlayEnded():
            return replace(p, phase=CompetitionPhase.PLAYED, starts="")
        case events.RoundDrawn():
            return _with_round(p, event.seating)
        case events.PlayOffDrawn():
            return _with_round(p, event.seating, play_off=event.play_off)
        case events.RoundStarted():
            return replace(p, rounds=(*p.rounds[:-1], replace(p.rounds[-1], stage=Stage.STARTED)), starts="")
        case events.RoundCancelled():
            return without_last_round(p)


def _games_set(p: CompetitionPosition, event: events.GamesSet) -> CompetitionPosition:
    """Apply a new number of games, but keep begun games.

    A round that has not started and has too many games is cancelled."""
    p = replace(p, games=event.games)
    if p.phase is CompetitionPhase.REGISTRATION:
        return p
    seated = dict.fromkeys(range(1, len(p.entrants) + 1), 0)
    rounds: list[Round] = []
    for round_ in p.rounds:
        encounters = []
        for encounter in round_.encounters:
            games = encounter.drawn
            fits = min(games, event.games - max(seated[number] for number in encounter.entrants))
            if encounter.games is not None:
                encounter = replace(encounter, games=max(fits, begun(p, round_, encounter)))
            if round_.stage is Stage.DRAWN and fits < games:
                return replace(without_last_round(p), rounds=tuple(rounds))
            for number in encounter.entrants:
                seated[number] += encounter.drawn
            encounters.append(encounter)
        rounds.append(replace(round_, encounters=tuple(encounters)))
    return replace(p, rounds=tuple(rounds))


def _with_round(p: CompetitionPosition, seating: Seating, *, play_off: int = 0) -> CompetitionPosition:
    left = games_left(p)

    def games(pairing: Pairing) -> int | None:
        if play_off or p.format.is_match:
            return None
        return min(p.format.visit, *(left[number] for number in pairing.entrants))

    encounters = tuple(
        Encounter(table=pairing.table, entrants=pairing.entrants, games=games(pairing), play_off=play_off)
        for pairing in seating.pairings
    )
    number = len(p.rounds) + 1
    drawn = Round(number=number, encounters=encounters, byes=seating.byes, waiting=seating.waiting, play_off=play_off)
    return replace(p, rounds=(*p.rounds, drawn))
